//! The ways through a method that is recorded instruction by instruction, as `paths` finds them.

use jinsi_classfile::cfg::paths::Paths;
use jinsi_classfile::cfg::{BlockNo, Cfg};

use crate::run::{PathEnd, Runs};

/// The ways through a method, and the locals that tell which was gone.
pub(crate) struct Ways {
    pub(crate) cfg: Cfg,
    pub(crate) paths: Paths,
    /// Holds the path's number; needless if there is but one.
    pub(crate) number: Option<u16>,
    /// Holds the bytecode index of what may throw; needless if nothing can.
    pub(crate) throws_at: Option<u16>,
    /// Do the events of the method's ends name its object?
    pub(crate) names_this: bool,
    /// Blocks that all paths to which end where they come from.
    pub(crate) ended: Vec<BlockNo>,
    /// Accesses that one event tells of.
    pub(crate) runs: Option<Runs>,
    /// Ends of paths that no event of a run tells of.
    pub(crate) unreported: Vec<PathEnd>,
}

impl Ways {
    /// Do the events of the method's ends name its object?
    pub(crate) fn names_this(&self) -> bool {
        self.names_this
    }

    /// Does the event of a run tell of the instruction at this place?
    pub(crate) fn tell_of(&self, at: usize) -> bool {
        self.runs.as_ref().is_some_and(|runs| runs.has(at))
    }
}
