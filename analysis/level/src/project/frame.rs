//! What is open while the walk goes through the history, and whose code runs there.

use crate::NodeNo;

/// Whose code runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    Driver,
    Inside,
    Environment,
}

/// An activation or call that is open.
pub(super) struct Frame {
    pub(super) node: NodeNo,
    pub(super) region: Region,
    /// Natural code runs: it has no call sites that are recorded, and contents recorded meanwhile are its own work.
    pub(super) natural: bool,
    /// It opened a crossing, to be closed with it.
    pub(super) crosses: bool,
    /// An operation of the environment that replay must do, too: it becomes an effect when it is over.
    pub(super) reenact: bool,
    /// Its result was made by observed code, unless it came in meanwhile.
    pub(super) gives: bool,
}
