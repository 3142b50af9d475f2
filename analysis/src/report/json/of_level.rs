//! The report of a level, out of what the search and the slicer came to.

use std::collections::HashSet;

use super::{DESCRIBED, Kept, LevelReport, Removed, RemovedRange, ShrunkValue, SliceLine};
use jinsi_level::Interaction;
use jinsi_search::levels::{LevelResult, StrictReplay};
use jinsi_slice::Slice;
use jinsi_slice::sources::Sources;

impl LevelReport {
    /// The report of a level, without its unit test. Interactions are described by `describe`.
    pub fn new(result: &LevelResult, describe: &dyn Fn(&Interaction) -> String) -> Self {
        let mut report = Self::figures(result);
        match &result.strict_replay {
            StrictReplay::Reproduced => {
                report.strict_replay = "reproduced".into();
                report.tell_interactions(result, describe);
            }
            StrictReplay::Diverged(reason) => {
                report.strict_replay_reason = Some(reason.name().into());
                let reason = reason.to_string();
                let reason = reason.lines().next().unwrap_or_default();
                report.strict_replay = format!("diverged, but replays in parts: {reason}");
                report.notes.push(format!(
                    "several threads took part, and the whole recording does not replay as it was: {reason}"
                ));
                report.tell_interactions(result, describe);
            }
            StrictReplay::NotReplayable(reason) => {
                report.strict_replay_reason = Some(reason.name().into());
                report.strict_replay = reason.to_string();
            }
        }
        report
    }

    /// What the search counted and measured.
    fn figures(result: &LevelResult) -> Self {
        let level = &result.level;
        Self {
            level: result.spec.level,
            observed: level.observed.iter().map(|c| dotted(c)).collect(),
            interactions: level.interactions.len() as u64,
            after_event_slice: result.sliced.len() as u64,
            minimized: result.kept.len() as u64,
            tests: result.tally.tests,
            failing: result.tally.failing,
            passing: result.tally.passing,
            unresolved: result.tally.unresolved,
            resynchronized: result.resynchronized,
            seconds: result.seconds,
            name: dotted(&result.spec.joins),
            widened: result.widened,
            tests_of_other_attempt: result.other_attempt_tests,
            unresolved_by_reason: result
                .tally
                .by_reason
                .iter()
                .map(|(why, n)| (why.name().into(), *n))
                .collect(),
            notes: result.notes.clone(),
            shrunk: level
                .shrunk
                .iter()
                .map(|s| ShrunkValue {
                    number: u64::from(s.interaction) + 1,
                    argument: s.argument + 1,
                    recorded: s.recorded.clone(),
                    shrunk: s.shrunk.clone(),
                })
                .collect(),
            tests_of_shrinking: result.shrink_tests,
            search_seconds: result.search_seconds,
            tests_of_ddmin: result.plain.map(|p| p.tests),
            minimized_by_ddmin: result.plain.map(|p| p.kept),
            seconds_of_ddmin: result.plain.map(|p| p.seconds),
            answers: (!result.kept.is_empty()).then_some(result.used_answers.len() as u64),
            lines_executed: result.lines_executed.map(u64::from),
            lines_recorded: result.lines_recorded.map(u64::from),
            ddmin_stopped: result.plain.is_some_and(|p| p.stopped),
            tests_of_probdd: result.probdd.map(|p| p.tests),
            minimized_by_probdd: result.probdd.map(|p| p.kept),
            seconds_of_probdd: result.probdd.map(|p| p.seconds),
            probdd_stopped: result.probdd.is_some_and(|p| p.stopped),
            tests_in_vain: result.tests_in_vain,
            stopped: result.stopped.map(|reason| reason.name().into()),
            ..Self::default()
        }
    }

    /// Says which interactions are left, and which are not, and why.
    fn tell_interactions(
        &mut self,
        result: &LevelResult,
        describe: &dyn Fn(&Interaction) -> String,
    ) {
        let in_slice: HashSet<u32> = result.sliced.iter().copied().collect();
        for (i, interaction) in result.level.interactions.iter().enumerate() {
            let number = i as u64 + 1;
            if let Ok(at) = result.kept.binary_search(&interaction.no) {
                let without = result.removals.get(at).map_or("", |r| r.verdict.name());
                self.kept.push(Kept {
                    number,
                    text: describe(interaction),
                    without: without.into(),
                });
                continue;
            }
            let by = if result.needless.binary_search(&interaction.no).is_ok() {
                "smaller_values"
            } else if in_slice.contains(&interaction.no) {
                "minimization"
            } else {
                "event_slice"
            };
            if self.removed.len() < DESCRIBED {
                self.removed.push(Removed {
                    number,
                    text: describe(interaction),
                    by: by.into(),
                });
            }
            extend(&mut self.removed_ranges, number, by);
        }
    }

    /// Adds the slice of what is left.
    pub fn sliced(&mut self, slice: &Slice, sources: &mut Sources<'_>) {
        self.lines_in_slice = Some(slice.lines.len() as u64);
        let lines = slice.lines.iter().map(|line| SliceLine {
            class: line.class.clone(),
            file: line.file.clone(),
            line: line.line.into(),
            distance: line.distance.map(u64::from),
            text: sources.text(line).map(|text| text.trim().to_owned()),
            values: line.values.clone(),
        });
        self.slice_lines = lines.collect();
        let crossings = slice.crossings.iter();
        self.slice_crossings = crossings.map(|crossing| crossing.what.clone()).collect();
    }
}

/// Adds the next left-out interaction.
fn extend(ranges: &mut Vec<RemovedRange>, number: u64, by: &str) {
    match ranges.last_mut() {
        Some(last) if last.by == by && last.to + 1 == number => last.to = number,
        _ => ranges.push(RemovedRange {
            from: number,
            to: number,
            by: by.into(),
        }),
    }
}

fn dotted(internal: &str) -> String {
    internal.replace('/', ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_end_where_something_is_kept_or_the_reason_changes() {
        let mut ranges = Vec::new();
        for (number, by) in [(1, "a"), (2, "a"), (3, "b"), (5, "b"), (6, "b"), (7, "a")] {
            extend(&mut ranges, number, by);
        }
        let found: Vec<_> = ranges
            .iter()
            .map(|r| (r.from, r.to, r.by.as_str(), r.count()))
            .collect();
        assert_eq!(
            found,
            [
                (1, 2, "a", 2),
                (3, 3, "b", 1),
                (5, 6, "b", 2),
                (7, 7, "a", 1)
            ]
        );
    }
}
