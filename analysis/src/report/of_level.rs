//! The form of a minimized level.

use super::json::{Kept, LevelReport, Removed, RemovedRange, ShrunkValue, SliceLine};
use crate::minimized::{KeptInteraction, LeftOut, LevelSlice, MinimizedLevel};
use jinsi_level::Engine;
use jinsi_search::levels::{LevelResult, StrictReplay};

impl LevelReport {
    /// The level as it is in the report, unless that says more of all levels.
    pub fn of(level: &MinimizedLevel) -> Self {
        let mut report = Self::figures(level);
        report.tell_replay(&level.result.strict_replay);
        report.kept = level.kept.iter().map(Kept::of).collect();
        report.tell_left_out(&level.left_out);
        if let Some(slice) = &level.slice {
            report.tell_slice(slice);
        }
        if let Some(why) = &level.not_sliced {
            report.notes.push(format!("not sliced: {why}"));
        }
        report.test_why.clone_from(&level.not_written);
        if let Some(test) = &level.test {
            report.test_file = Some(test.file.clone());
            report.test_form = Some(test.form.name().into());
            report.test_outcome = Some(test.outcome);
            report.test_opaque = Some(test.measure.opaque as u64);
            report.test_lines = Some(test.measure.lines as u64);
            report.test_why = Some(test.why.clone()).filter(|why| !why.is_empty());
            report.notes.extend(report.test_why.clone());
        }
        report
    }

    fn figures(level: &MinimizedLevel) -> Self {
        let result = &level.result;
        Self {
            level: result.spec.level,
            // Run for real, all recorded classes are at work; which ones the level is about is said by its specification.
            observed: match result.level.engine {
                Engine::Replay => &result.level.observed,
                Engine::Direct => &result.spec.observed,
            }
            .iter()
            .map(|c| dotted(c))
            .collect(),
            engine: result.level.engine.name().into(),
            not_direct: result.not_direct.clone(),
            further_callers: result.further_callers.iter().map(|c| dotted(c)).collect(),
            interactions: level.interactions,
            after_event_slice: result.sliced.len() as u64,
            minimized: result.kept.len() as u64,
            minimized_of_observed: level.kept.iter().filter(|k| k.is_of_observed).count() as u64,
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
            shrunk: result
                .level
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
            answers: (!result.kept.is_empty()).then_some(result.used_answers.len() as u64),
            lines_executed: result.lines_executed.map(u64::from),
            lines_recorded: result.lines_recorded.map(u64::from),
            tests_in_vain: result.tests_in_vain,
            stopped: result.stopped.map(|reason| reason.name().into()),
            ..Self::of_other_searches(result)
        }
    }

    /// What other ways to search have made of the level, and nothing else.
    fn of_other_searches(result: &LevelResult) -> Self {
        let (ddmin, probdd) = (result.plain, result.probdd);
        Self {
            tests_of_ddmin: ddmin.map(|p| p.tests),
            minimized_by_ddmin: ddmin.map(|p| p.kept),
            seconds_of_ddmin: ddmin.map(|p| p.seconds),
            ddmin_stopped: ddmin.is_some_and(|p| p.stopped),
            tests_of_probdd: probdd.map(|p| p.tests),
            minimized_by_probdd: probdd.map(|p| p.kept),
            seconds_of_probdd: probdd.map(|p| p.seconds),
            probdd_stopped: probdd.is_some_and(|p| p.stopped),
            ..Self::default()
        }
    }

    /// Says how the strict replay of the whole level ended.
    fn tell_replay(&mut self, replay: &StrictReplay) {
        match replay {
            StrictReplay::Reproduced => self.strict_replay = "reproduced".into(),
            StrictReplay::Diverged(why) => {
                self.strict_replay_reason = Some(why.name().into());
                let text = why.to_string();
                let text = text.lines().next().unwrap_or_default();
                self.strict_replay = format!("diverged, but replays in parts: {text}");
                self.notes.push(format!(
                    "several threads took part, and the whole recording does not replay as it was: {text}"
                ));
            }
            StrictReplay::NotReplayable(why) => {
                self.strict_replay_reason = Some(why.name().into());
                self.strict_replay = why.to_string();
            }
        }
    }

    fn tell_left_out(&mut self, left_out: &LeftOut) {
        let described = left_out.described.iter();
        let described = described.map(|(number, text, by)| Removed {
            number: *number,
            text: text.clone(),
            by: by.name().into(),
        });
        self.removed = described.collect();
        let ranges = left_out.ranges.iter();
        let ranges = ranges.map(|(from, to, by)| RemovedRange {
            from: *from,
            to: *to,
            by: by.name().into(),
        });
        self.removed_ranges = ranges.collect();
    }

    fn tell_slice(&mut self, LevelSlice { slice, texts }: &LevelSlice) {
        self.lines_in_slice = Some(slice.lines.len() as u64);
        let lines = slice.lines.iter().zip(texts);
        let lines = lines.map(|(line, text)| SliceLine {
            class: line.class.clone(),
            file: line.file.clone(),
            line: line.line.into(),
            distance: line.distance.map(u64::from),
            text: text.clone(),
            values: line.values.clone(),
        });
        self.slice_lines = lines.collect();
        let crossings = slice.crossings.iter();
        self.slice_crossings = crossings.map(|crossing| crossing.what.clone()).collect();
    }
}

impl Kept {
    fn of(kept: &KeptInteraction) -> Self {
        Self {
            number: kept.number,
            text: kept.text.clone(),
            call: kept.call.clone(),
            without: kept.without.map_or("", |verdict| verdict.name()).into(),
        }
    }
}

fn dotted(internal: &str) -> String {
    internal.replace('/', ".")
}
