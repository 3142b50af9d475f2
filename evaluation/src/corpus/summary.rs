//! Sums and medians over the corpus.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_ground::report::{Goal, goal};
use serde::Serialize;

use super::levels::Counts;
use super::slice_summary::SliceSummary;
use super::table::BugRow;
use jinsi_ground::figures::median;

/// Part of the levels whose test has to reproduce.
const GOAL: f64 = 0.9;
/// Seconds that no bug may take.
const LONGEST: f64 = 60.0;
/// And JOD-3, after its capture.
const JOD3: f64 = 10.0;
/// Bugs of released libraries that the corpus has to have, and from how many libraries.
const BUGS: usize = 25;
const LIBRARIES: usize = 10;
/// Interactions that a level of one of them has to have.
const MANY: u64 = 1_000_000;

/// Sums and medians.
#[derive(Default, Serialize)]
pub(super) struct Summary {
    /// It is of all bugs.
    pub(super) whole: bool,
    pub(super) bugs: usize,
    /// Of these, those of released libraries, and how many libraries that are; the others are of programs of our own.
    pub(super) bugs_of_libraries: usize,
    pub(super) libraries: usize,
    /// Interactions of the level that has most.
    pub(super) interactions_most: u64,
    /// Seconds after the capture that JOD-3 took, if it is among them.
    pub(super) seconds_of_jod3: Option<f64>,
    /// Bugs with at least one level whose test reproduces.
    pub(super) bugs_reproducing: usize,
    pub(super) levels: usize,
    pub(super) levels_reproducing: usize,
    /// Levels by the form of their test.
    pub(super) forms: BTreeMap<String, usize>,
    #[serde(flatten)]
    pub(super) counts: Counts,
    /// Interactions left, over all levels that replay.
    pub(super) median_minimized: f64,
    pub(super) median_tests: f64,
    pub(super) median_seconds: f64,
    pub(super) most_seconds: f64,
    pub(super) seconds: f64,
    /// Lines executed before and after, as in [`BugRow`].
    pub(super) lines_executed: u64,
    pub(super) lines_executed_minimized: u64,
    /// The lines that are left to look at.
    pub(super) slices: SliceSummary,
    /// Plain delta debugging beside this search; `null`: not asked for.
    pub(super) ddmin: Option<Compared>,
    /// And probabilistic delta debugging.
    pub(super) probdd: Option<Compared>,
    /// Bugs with more interactions left than the thesis has.
    pub(super) over_the_thesis: usize,
    /// Levels that turned out not to be 1-minimal.
    pub(super) not_minimal: usize,
    /// Tests that Surefire ran, and those that did not fail as recorded.
    pub(super) surefire: usize,
    pub(super) surefire_wrong: usize,
}

/// Another search, for the bugs for which it was done.
#[derive(Serialize)]
pub(super) struct Compared {
    /// Its tests, and those of this search.
    tests: u64,
    tests_here: u64,
    /// Wall time of the one divided by that of the other, over all bugs, and in the median.
    speed_up: f64,
    median_speed_up: f64,
    /// Bugs for which it was stopped: what it needs is more.
    stopped: usize,
    /// Bugs that needed more tests here.
    more_here: usize,
}

/// What another search came to for a bug: tests, seconds, whether it was stopped.
type Other = fn(&BugRow) -> Option<(u64, f64, bool)>;

impl Compared {
    fn with(rows: &[BugRow], other: Other) -> Option<Self> {
        let both = || rows.iter().filter_map(|r| Some((r, other(r)?)));
        both().next()?;
        let ratio = |other: f64, here: f64| other / here.max(f64::MIN_POSITIVE);
        let seconds_here = both().map(|(r, _)| r.seconds_search).sum();
        Some(Self {
            tests: both().map(|(_, (tests, ..))| tests).sum(),
            tests_here: both().map(|(r, _)| r.counts.tests).sum(),
            speed_up: ratio(
                both().map(|(_, (_, seconds, _))| seconds).sum(),
                seconds_here,
            ),
            median_speed_up: median(
                both()
                    .map(|(r, (_, seconds, _))| ratio(seconds, r.seconds_search))
                    .collect(),
            ),
            stopped: both().filter(|(_, (.., stopped))| *stopped).count(),
            more_here: both()
                .filter(|(r, (tests, ..))| r.counts.tests > *tests)
                .count(),
        })
    }
}

impl Summary {
    pub(super) fn of(rows: &[BugRow], whole: bool) -> Self {
        let levels = || rows.iter().flat_map(|r| &r.levels);
        let released = || rows.iter().filter(|r| !r.own);
        let mut forms = BTreeMap::new();
        for level in levels() {
            let form = level.form.clone().unwrap_or_else(|| "no test".into());
            *forms.entry(form).or_default() += 1;
        }
        let libraries: BTreeSet<&str> = released().map(|r| r.library.as_str()).collect();
        let seconds: Vec<f64> = rows.iter().map(BugRow::seconds).collect();
        Self {
            whole,
            bugs: rows.len(),
            bugs_of_libraries: released().count(),
            interactions_most: released().map(|r| r.interactions_most).max().unwrap_or(0),
            seconds_of_jod3: rows
                .iter()
                .find(|r| r.id == "JOD-3")
                .map(|r| r.seconds_minimize),
            libraries: libraries.len(),
            bugs_reproducing: rows.iter().filter(|r| r.reproducing > 0).count(),
            levels: levels().count(),
            levels_reproducing: levels().filter(|l| l.reproduces()).count(),
            forms,
            counts: rows.iter().map(|r| r.counts).sum(),
            median_minimized: median(
                levels()
                    .filter(|l| l.counts.minimized > 0)
                    .map(|l| l.counts.minimized as f64)
                    .collect(),
            ),
            median_tests: median(rows.iter().map(|r| r.counts.tests as f64).collect()),
            median_seconds: median(seconds.clone()),
            most_seconds: seconds.iter().copied().fold(0.0, f64::max),
            seconds: seconds.iter().sum(),
            lines_executed: rows.iter().filter_map(|r| r.lines_executed).sum(),
            lines_executed_minimized: rows.iter().filter_map(|r| r.lines_executed_minimized).sum(),
            slices: SliceSummary::of(rows),
            ddmin: Compared::with(rows, |r| {
                Some((r.ddmin_tests?, r.ddmin_seconds?, r.ddmin_stopped))
            }),
            probdd: Compared::with(rows, |r| {
                Some((r.probdd_tests?, r.probdd_seconds?, r.probdd_stopped))
            }),
            over_the_thesis: rows.iter().filter(|r| r.is_over_the_thesis()).count(),
            not_minimal: levels().filter(|l| l.minimal == Some(false)).count(),
            surefire: levels().filter(|l| l.surefire.is_some()).count(),
            surefire_wrong: levels().filter(|l| l.fails_wrongly()).count(),
        }
    }

    /// What has to hold, and whether it does.
    pub(super) fn goals(&self) -> Vec<Goal> {
        let s = self;
        if s.bugs == 0 && !s.whole {
            return Vec::new();
        }
        let reproducing = s.levels_reproducing as f64 / s.levels.max(1) as f64;
        let mut goals = vec![
            goal("90 % of the levels have a test", reproducing >= GOAL),
            goal(
                "each bug has a level with a test",
                s.bugs_reproducing == s.bugs,
            ),
            goal("no bug takes over 60 s", s.most_seconds <= LONGEST),
            goal(
                "never more is left than in the thesis, on its own bugs",
                s.over_the_thesis == 0,
            ),
            goal("what was checked is 1-minimal", s.not_minimal == 0),
            goal("what Surefire ran fails as recorded", s.surefire_wrong == 0),
            goal(
                "a known repair is in a slice, or something was not followed",
                s.slices.lost_silently == 0,
            ),
        ];
        if let Some(ddmin) = &s.ddmin {
            goals.push(goal(
                "no bug needs more tests than plain ddmin",
                ddmin.more_here == 0,
            ));
        }
        if let Some(seconds) = s.seconds_of_jod3 {
            goals.push(goal(
                "JOD-3 takes at most 10 s after its capture",
                seconds <= JOD3,
            ));
        }
        // Medians of a few bugs say which ones they are.
        if s.whole {
            goals.push(goal(
                "at most 3 interactions are left, in the median",
                s.median_minimized <= 3.0,
            ));
            goals.push(goal(
                "there are 25 bugs of 10 libraries",
                s.bugs_of_libraries >= BUGS && s.libraries >= LIBRARIES,
            ));
            goals.push(goal(
                "one has a level of 1,000,000 interactions",
                s.interactions_most >= MANY,
            ));
        }
        goals
    }
}
