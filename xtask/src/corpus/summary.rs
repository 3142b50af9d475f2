//! Sums and medians over the corpus.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::table::Row;

/// Part of the levels whose test has to reproduce.
const GOAL: f64 = 0.9;
/// Seconds that no bug may take.
const LONGEST: f64 = 60.0;

/// Sums and medians.
#[derive(Default, Serialize)]
pub(super) struct Summary {
    pub(super) bugs: usize,
    pub(super) libraries: usize,
    /// Bugs with at least one level whose test reproduces.
    pub(super) bugs_reproducing: usize,
    pub(super) levels: usize,
    pub(super) levels_reproducing: usize,
    /// Levels by the form of their test.
    pub(super) forms: BTreeMap<String, usize>,
    pub(super) interactions: u64,
    pub(super) after_event_slice: u64,
    pub(super) minimized: u64,
    pub(super) tests: u64,
    pub(super) failing: u64,
    pub(super) passing: u64,
    pub(super) unresolved: u64,
    /// Interactions left, over all levels that replay.
    pub(super) median_minimized: f64,
    pub(super) median_tests: f64,
    pub(super) median_seconds: f64,
    pub(super) most_seconds: f64,
    pub(super) seconds: f64,
    /// Lines executed before and after, as in [`Row`].
    pub(super) lines_executed: u64,
    pub(super) lines_executed_minimized: u64,
    /// Plain delta debugging beside this search; `null`: not asked for.
    pub(super) ddmin: Option<Ddmin>,
    /// Bugs with more interactions left than the thesis has.
    pub(super) over_the_thesis: usize,
    /// Levels that turned out not to be 1-minimal.
    pub(super) not_minimal: usize,
    /// Tests that Surefire ran, and those that did not fail as recorded.
    pub(super) surefire: usize,
    pub(super) surefire_wrong: usize,
}

/// Plain delta debugging, for the bugs for which it was done.
#[derive(Serialize)]
pub(super) struct Ddmin {
    /// Its tests, and those of this search.
    tests: u64,
    tests_here: u64,
    /// Wall time of the one divided by that of the other, over all bugs, and in the median.
    speed_up: f64,
    median_speed_up: f64,
    /// Bugs for which it was stopped: what it needs is more.
    stopped: usize,
    /// Bugs that needed more tests here.
    slower: usize,
}

impl Ddmin {
    fn of(rows: &[Row]) -> Option<Self> {
        let tests: u64 = rows.iter().filter_map(|r| r.ddmin_tests).sum();
        let beside = || rows.iter().filter(|r| r.ddmin_tests.is_some());
        beside().next()?;
        let ratio = |plain: f64, here: f64| plain / here.max(f64::MIN_POSITIVE);
        let plain = |r: &Row| r.ddmin_seconds.unwrap_or(0.0);
        Some(Self {
            tests,
            tests_here: beside().map(|r| r.tests).sum(),
            speed_up: ratio(
                beside().map(plain).sum(),
                beside().map(|r| r.seconds_search).sum(),
            ),
            median_speed_up: median(
                beside()
                    .map(|r| ratio(plain(r), r.seconds_search))
                    .collect(),
            ),
            stopped: beside().filter(|r| r.ddmin_stopped).count(),
            slower: beside().filter(|r| r.needs_more_than_ddmin()).count(),
        })
    }
}

impl Summary {
    pub(super) fn of(rows: &[Row]) -> Self {
        let levels = || rows.iter().flat_map(|r| &r.levels);
        let sum = |of: fn(&Row) -> u64| rows.iter().map(of).sum();
        let mut forms = BTreeMap::new();
        for level in levels() {
            let form = level.form.clone().unwrap_or_else(|| "no test".into());
            *forms.entry(form).or_default() += 1;
        }
        let libraries: BTreeSet<&str> = rows.iter().map(|r| r.library.as_str()).collect();
        let seconds: Vec<f64> = rows.iter().map(Row::seconds).collect();
        Self {
            bugs: rows.len(),
            libraries: libraries.len(),
            bugs_reproducing: rows.iter().filter(|r| r.reproducing > 0).count(),
            levels: levels().count(),
            levels_reproducing: levels().filter(|l| l.reproduces()).count(),
            forms,
            interactions: sum(|r| r.interactions),
            after_event_slice: sum(|r| r.after_event_slice),
            minimized: sum(|r| r.minimized),
            tests: sum(|r| r.tests),
            failing: sum(|r| r.failing),
            passing: sum(|r| r.passing),
            unresolved: sum(|r| r.unresolved),
            median_minimized: median(
                levels()
                    .filter(|l| l.minimized > 0)
                    .map(|l| l.minimized as f64)
                    .collect(),
            ),
            median_tests: median(rows.iter().map(|r| r.tests as f64).collect()),
            median_seconds: median(seconds.clone()),
            most_seconds: seconds.iter().copied().fold(0.0, f64::max),
            seconds: seconds.iter().sum(),
            lines_executed: sum(|r| r.lines_executed.unwrap_or(0)),
            lines_executed_minimized: sum(|r| r.lines_executed_minimized.unwrap_or(0)),
            ddmin: Ddmin::of(rows),
            over_the_thesis: rows.iter().filter(|r| r.is_over_the_thesis()).count(),
            not_minimal: levels().filter(|l| l.minimal == Some(false)).count(),
            surefire: levels().filter(|l| l.surefire.is_some()).count(),
            surefire_wrong: levels().filter(|l| l.fails_wrongly()).count(),
        }
    }

    /// For people.
    pub(super) fn text(&self, jdk: &str) -> String {
        let s = self;
        let percent = 100.0 * s.levels_reproducing as f64 / s.levels.max(1) as f64;
        let mut text = format!(
            "{} bugs of {} libraries, Java {}: {} have a test that reproduces; {} of {} levels have ({percent:.1} %)\n\
             interactions {}, in event slices {}, left {} (median {} a level)\n\
             tests {} ({} failing, {} passing, {} unresolved; median {} a bug)\n\
             seconds {:.1} (median {:.1} a bug, most {:.1})\n\
             lines executed {} in the recorded runs, {} in the minimized ones\n",
            s.bugs,
            s.libraries,
            jdk,
            s.bugs_reproducing,
            s.levels_reproducing,
            s.levels,
            s.interactions,
            s.after_event_slice,
            s.minimized,
            s.median_minimized,
            s.tests,
            s.failing,
            s.passing,
            s.unresolved,
            s.median_tests,
            s.seconds,
            s.median_seconds,
            s.most_seconds,
            s.lines_executed,
            s.lines_executed_minimized
        );
        if let Some(d) = &s.ddmin {
            text += &format!(
                "plain ddmin: {} tests where there are {} here, and {:.1} times the wall time (median {:.1}); stopped at {} bugs\n",
                d.tests, d.tests_here, d.speed_up, d.median_speed_up, d.stopped
            );
        }
        for (form, count) in &s.forms {
            text += &format!("{count:>6} {form}\n");
        }
        for (held, what) in self.verdicts() {
            text += &format!("{} {what}\n", if held { "holds   " } else { "VIOLATED" });
        }
        text
    }

    /// What has to hold, and whether it does.
    fn verdicts(&self) -> Vec<(bool, &'static str)> {
        let s = self;
        let reproducing = s.levels_reproducing as f64 / s.levels.max(1) as f64;
        let mut verdicts = vec![
            (reproducing >= GOAL, "90 % of the levels have a test"),
            (s.most_seconds <= LONGEST, "no bug takes over 60 s"),
            (
                s.median_minimized <= 3.0,
                "at most 3 interactions are left, in the median",
            ),
            (
                s.over_the_thesis == 0,
                "never more is left than in the thesis, on its own bugs",
            ),
            (s.not_minimal == 0, "what was checked is 1-minimal"),
            (s.surefire_wrong == 0, "what Surefire ran fails as recorded"),
        ];
        if let Some(ddmin) = &s.ddmin {
            verdicts.push((
                ddmin.slower == 0,
                "no bug needs more tests than plain ddmin",
            ));
        }
        verdicts
    }
}

/// The middle value, or the mean of the two in the middle; 0 of nothing.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_nothing_and_of_both_parities() {
        assert!(median(vec![]).abs() < 1e-9);
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
        assert!((median(vec![4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-9);
    }
}
