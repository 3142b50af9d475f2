//! What relevant slicing needs to know beforehand.

use std::rc::Rc;

use jinsi_steps::code::Program;
use jinsi_trace::reader::{ReadError, Trace};

use super::kinds::Objects;
use super::may::MayDefine;

/// What relevant slicing needs to know beforehand.
pub struct Relevance<'t> {
    /// What might have been defined.
    pub may: MayDefine<'t>,
    /// What each object may hold.
    pub objects: Rc<Objects>,
}

impl<'t> Relevance<'t> {
    /// Of a trace.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn of(trace: &'t Trace, program: &'t Program) -> Result<Self, ReadError> {
        Ok(Self {
            may: MayDefine::of(trace, program),
            objects: Rc::new(Objects::of(trace)?),
        })
    }
}
