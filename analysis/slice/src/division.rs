//! How a run is divided into phases, and what a slicer tells of them.

use jinsi_steps::code::MethodNo;
use jinsi_steps::visitor::Location;
use jinsi_trace::model::Value;

use super::using::PhaseNo;

/// How a slicer is to tell dependences between phases.
#[derive(Clone, Debug)]
pub struct Division {
    /// The number of the first instruction, in the order of the walk, of every phase but the newest; and where the last one ends.
    pub(super) bounds: Vec<u64>,
    /// The number of the newest instruction.
    pub(super) from: u64,
    /// How many activations are open where the instructions that the phases divide run.
    pub(super) depth: usize,
    /// By phase: the same of its own instructions.
    pub(super) depths: Vec<usize>,
    /// The slice begins with the instruction of this number.
    pub(super) seed: Option<u64>,
}

/// A definition in one phase that is used in a later one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossed {
    /// Whose instruction made it.
    pub method: MethodNo,
    /// Which instruction.
    pub at: usize,
    /// Number of the occurrence, in the order of the walk.
    pub no: u64,
    /// Its phase, from the newest on.
    pub phase: PhaseNo,
    /// The phase that used it.
    pub user: PhaseNo,
    /// The variable in memory that it defined.
    pub location: Option<Location>,
    /// The value, where recorded.
    pub value: Option<Value>,
}

/// Where a phase's own instructions are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Own {
    /// The method.
    pub method: Option<MethodNo>,
    /// First and last line.
    pub lines: Option<(u16, u16)>,
}
