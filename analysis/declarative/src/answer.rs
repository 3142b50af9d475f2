//! An answer, and what it is about.

use crate::stretch::Stretch;
use crate::tree::NodeNo;

/// What somebody who knows says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It gave what it should, for what it was given: result and all that it changed.
    Valid,
    /// It did not.
    Invalid,
    /// Its method has no defect. What it calls may have.
    Trusted,
    /// Not now.
    Unknown,
}

/// What is said to be right or wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// A call.
    Call(NodeNo),
    /// Several that followed one another.
    Stretch(Stretch),
}
