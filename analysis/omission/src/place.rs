//! Places in the recorded code.

use jinsi_steps::code::MethodNo;

/// An instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Whose code.
    pub method: MethodNo,
    /// Index among its instructions.
    pub at: usize,
}
