//! How many bugs leave a test that turns green with the repair.

use serde::Serialize;

use super::table::Row;

/// Part of the bugs with a repaired release that have to: of those that crash, and of the others.
const GOALS: [f64; 2] = [0.75, 0.65];

/// Bugs with a repaired release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Share {
    bugs: usize,
    /// Those with a test that fails before the repair and passes after it.
    flipping: usize,
}

impl Share {
    fn of<'r>(rows: impl Iterator<Item = &'r Row>) -> Self {
        let flips: Vec<usize> = rows.filter_map(|r| r.flips).collect();
        Self {
            bugs: flips.len(),
            flipping: flips.iter().filter(|n| **n > 0).count(),
        }
    }

    fn reaches(self, goal: f64) -> bool {
        self.flipping as f64 >= goal * self.bugs as f64
    }
}

/// Over all bugs.
#[derive(Default, Serialize)]
pub(super) struct Repaired {
    crashing: Share,
    others: Share,
    pub(super) holds: bool,
}

impl Repaired {
    /// Of these rows.
    pub(super) fn of(rows: &[Row]) -> Self {
        let crashing = Share::of(rows.iter().filter(|r| r.crashes));
        let others = Share::of(rows.iter().filter(|r| !r.crashes));
        Self {
            crashing,
            others,
            holds: crashing.reaches(GOALS[0]) && others.reaches(GOALS[1]),
        }
    }

    /// For people: two lines.
    pub(super) fn text(&self) -> String {
        let line = |what: &str, share: Share, goal: f64| {
            let Share { bugs, flipping } = share;
            let verdict = if share.reaches(goal) {
                "holds"
            } else {
                "VIOLATED"
            };
            format!(
                "{flipping} of {bugs} {what} bugs with a repaired release have a test that turns green (goal: {:.0} %): {verdict}\n",
                goal * 100.0
            )
        };
        line("crashing", self.crashing, GOALS[0]) + &line("other", self.others, GOALS[1])
    }
}
