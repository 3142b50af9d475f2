//! What becomes of a class.

use jinsi_classfile::asm::AsmError;
use jinsi_classfile::class::{ParseError, WriteError};
use jinsi_classfile::descriptor::DescriptorError;
use jinsi_classfile::edit::EditError;
use jinsi_classfile::flow::FlowError;
use jinsi_classfile::frames::FrameError;
use jinsi_classfile::insn::InsnError;
use jinsi_classfile::pool::PoolError;
use jinsi_classfile::references::ReferenceError;
use jinsi_trace::model::Site;
use thiserror::Error;

/// Why a class is left alone.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum InstrumentError {
    #[error("its class file cannot be read: {0}")]
    Parse(#[from] ParseError),
    #[error("it has a wrong constant: {0}")]
    Pool(#[from] PoolError),
    #[error("it has a wrong descriptor: {0}")]
    Descriptor(#[from] DescriptorError),
    #[error("it has wrong code: {0}")]
    Code(#[from] InsnError),
    #[error("its control flow cannot be analysed: {0}")]
    Flow(#[from] FlowError),
    #[error("its stack frames cannot be read: {0}")]
    Frames(#[from] FrameError),
    #[error("no room for probes: {0}")]
    Edit(#[from] EditError),
    #[error("the probes cannot be written: {0}")]
    Asm(#[from] AsmError),
    #[error("the changed class cannot be written: {0}")]
    Write(#[from] WriteError),
    #[error("its method references cannot be read: {0}")]
    References(#[from] ReferenceError),
    #[error("{method}: {source}")]
    Method {
        method: String,
        source: Box<InstrumentError>,
    },
}

/// A rewritten class.
pub struct Instrumented {
    /// The new class file.
    pub bytes: Vec<u8>,
    /// Its sites.
    pub sites: Vec<Site>,
    /// Methods of which not everything is recorded for want of room, and what is not.
    pub thinned: Vec<String>,
    /// Methods without probes, and why.
    pub left_out: Vec<String>,
}
