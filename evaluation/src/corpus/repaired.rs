//! How many bugs leave a test that turns green with the repair.

use jinsi_ground::report::{Goal, all_hold, goal};
use serde::Serialize;

use super::table::BugRow;

/// Part of the bugs with a repaired release that have to: of those that crash, and of the others.
const GOALS: [f64; 2] = [0.75, 0.65];

/// Bugs with a repaired release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Share {
    bugs: usize,
    /// Those with a test that fails before the repair and passes after it.
    flipping: usize,
    /// Those whose recommended test does.
    keeping: usize,
}

impl Share {
    fn of<'r>(rows: impl Iterator<Item = &'r BugRow>) -> Self {
        let mut share = Self::default();
        for row in rows {
            let Some(flips) = row.flips else { continue };
            let keeps = row.keep.as_ref().and_then(|keep| keep.flips);
            share.bugs += 1;
            share.flipping += usize::from(flips > 0);
            share.keeping += usize::from(keeps == Some(true));
        }
        share
    }

    fn reaches(self, goal: f64) -> bool {
        self.flipping as f64 >= goal * self.bugs as f64
    }
}

/// Tests of the replay form, run against the repaired release without a new recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Replayed {
    tests: usize,
    /// Those that pass there. The others are aborted, show the recorded classes only, or fail.
    flipping: usize,
}

impl Replayed {
    fn of(rows: &[BugRow]) -> Self {
        let mut all = Self::default();
        for row in rows {
            let flipping = row.replay_flips.unwrap_or_default();
            all.tests += flipping + row.replay_not_flipping.len();
            all.flipping += flipping;
        }
        all
    }
}

/// Over all bugs.
#[derive(Default, Serialize)]
pub(super) struct Repaired {
    crashing: Share,
    others: Share,
    replayed: Replayed,
    pub(super) holds: bool,
}

impl Repaired {
    /// Of these rows.
    pub(super) fn of(rows: &[BugRow]) -> Self {
        let crashing = Share::of(rows.iter().filter(|r| r.crashes));
        let others = Share::of(rows.iter().filter(|r| !r.crashes));
        let mut repaired = Self {
            crashing,
            others,
            replayed: Replayed::of(rows),
            holds: false,
        };
        repaired.holds = all_hold(&repaired.goals());
        repaired
    }

    /// What has to hold with `--repaired`.
    pub(super) fn goals(&self) -> [Goal; 2] {
        [
            goal(
                "75 % of the crashing bugs with a repaired release have a test that turns green",
                self.crashing.reaches(GOALS[0]),
            ),
            goal("so have 65 % of the others", self.others.reaches(GOALS[1])),
        ]
    }
}
