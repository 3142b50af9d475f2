//! Remarks on the search of a level.

use super::NotReproduced;

jinsi_wording::messages! {
    /// A remark on the search of a level, or why it is replayed and not run.
    pub(super) enum Note<'a> {
        /// It is replayed.
        Inaccessible => "what fails is not accessible to a test in plain Java",
        /// It is replayed.
        Passing => "run alone, this level does not fail",
        /// It is replayed.
        TooLong { seconds: u64 } => "the search takes longer than {seconds} s",
        /// Nothing is left out before the search.
        SlicePasses { sliced: usize, all: usize } => "the {sliced} calls that share objects with the failure do not fail alone; all {all} were minimized",
        /// With more classes, nothing comes of it.
        SecondNotReplayable { classes: usize, reason: &'a NotReproduced } => "with {classes} observed classes, the level could not be replayed: {reason}",
        /// With more classes, less is left.
        Widened { classes: usize, left: usize, before: usize } => "with {classes} observed classes, {left} calls are left instead of {before}",
        /// With more classes, no less is left.
        SecondNoBetter { classes: usize, left: usize } => "observing {classes} classes leaves {left} calls, which is no better",
    }
}
