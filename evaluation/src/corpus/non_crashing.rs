//! What has to hold of the bugs that do not crash, all together.

use std::collections::BTreeSet;

use jinsi_ground::report::{Goal, goal};
use serde::Serialize;

use super::table::BugRow;
use jinsi_ground::figures::median;

/// Part of the bugs that have to have a test at some level.
const GOAL: f64 = 0.8;
/// Interactions that may be left, in the median of all levels.
const LEFT: f64 = 4.0;
/// Seconds that no bug may take.
const LONGEST: f64 = 60.0;
/// Bugs that there have to be, and from how many libraries.
const BUGS: usize = 15;
const LIBRARIES: usize = 8;

/// Sums and medians over the bugs that do not crash.
#[derive(Default, Serialize)]
pub(super) struct NonCrashing {
    /// It is of all of them.
    whole: bool,
    pub(super) bugs: usize,
    libraries: usize,
    /// Bugs with at least one level whose test reproduces.
    bugs_reproducing: usize,
    levels: usize,
    levels_reproducing: usize,
    interactions: u64,
    /// Interactions left, over all levels that replay.
    median_minimized: f64,
    tests: u64,
    seconds: f64,
    most_seconds: f64,
    /// Bugs that were followed back to a state of an object.
    followed: usize,
    /// Levels that turned out not to be 1-minimal.
    not_minimal: usize,
    /// Tests that Surefire ran, and those that did not fail as recorded.
    surefire: usize,
    surefire_wrong: usize,
}

impl NonCrashing {
    /// Of these rows.
    pub(super) fn of(rows: &[BugRow], whole: bool) -> Self {
        let levels = || rows.iter().flat_map(|r| &r.levels);
        let libraries: BTreeSet<&str> = rows.iter().map(|r| r.library.as_str()).collect();
        let left = levels().map(|l| l.counts.minimized).filter(|n| *n > 0);
        let seconds = || rows.iter().map(BugRow::seconds);
        Self {
            whole,
            bugs: rows.len(),
            libraries: libraries.len(),
            bugs_reproducing: rows.iter().filter(|r| r.reproducing > 0).count(),
            levels: levels().count(),
            levels_reproducing: levels().filter(|l| l.reproduces()).count(),
            interactions: rows.iter().map(|r| r.counts.interactions).sum(),
            median_minimized: median(left.map(|n| n as f64).collect()),
            tests: rows.iter().map(|r| r.counts.tests).sum(),
            seconds: seconds().sum(),
            most_seconds: seconds().fold(0.0, f64::max),
            followed: rows.iter().filter(|r| r.chain.len() > 1).count(),
            not_minimal: levels().filter(|l| l.minimal == Some(false)).count(),
            surefire: levels().filter(|l| l.surefire.is_some()).count(),
            surefire_wrong: levels().filter(|l| l.fails_wrongly()).count(),
        }
    }

    /// What has to hold, and whether it does; nothing if there is no such bug.
    pub(super) fn goals(&self) -> Vec<Goal> {
        let s = self;
        let mut goals = Vec::new();
        if s.bugs > 0 {
            goals.extend([
                goal(
                    "80 % of the bugs that do not crash have a test",
                    s.bugs_reproducing as f64 >= GOAL * s.bugs as f64,
                ),
                goal(
                    "at most 4 interactions are left of them, in the median",
                    s.median_minimized <= LEFT,
                ),
                goal("none of them takes over 60 s", s.most_seconds <= LONGEST),
                goal("what was checked of them is 1-minimal", s.not_minimal == 0),
                goal(
                    "what Surefire ran of them fails as recorded",
                    s.surefire_wrong == 0,
                ),
            ]);
        }
        if s.whole {
            goals.push(goal(
                "there are 15 of them, of 8 libraries",
                s.bugs >= BUGS && s.libraries >= LIBRARIES,
            ));
        }
        goals
    }
}
