//! The past of a recorded run.
//!
//! [`Inspector`] answers what was the case at a [`Moment`] of a thread: its open activations, local variables, the fields of any object;
//! what changed, who wrote it, and where a value came from. It reads a trace with `detail=states`, or with `detail=instructions`, of which
//! less is known. What is not known is [`Seen::Unknown`], with the reason.
//!
//! A thread is gone through once, for the index (`index`), which is kept in a file beside the trace (`kept`). It says for each stretch of some thousand events what was open at its
//! beginning, and for each variable in which stretches it is written. A question then goes through few stretches. That has two passes: the
//! walk of `jinsi-steps` goes backward and gives the instructions (`tape`); the `machine` goes forward and computes their values.

mod activation_events;
mod breakpoints;
mod call_results;
mod calls;
mod changes;
mod course;
mod entries;
mod error;
mod escaped_arrays;
mod facts;
mod find;
mod index;
mod kept;
mod lines;
mod machine;
mod memory;
mod objects;
mod origin;
mod path;
mod point;
mod replay_cache;
mod state;
mod stepping;
mod thread_trace;
mod timeline;
mod times;
mod touched;
mod unseen;

use std::cell::RefCell;

use jinsi_steps::code::MethodNo;
use jinsi_trace::model::MemberRef;
use jinsi_trace::reader::Trace;

pub use activation_events::{ActivationEvent, What};
pub use breakpoints::{Place, Run};
pub use call_results::CallResult;
pub use calls::{Activation, Call, Outcome};
pub use changes::{Change, Mark};
pub use course::{Course, Ran};
pub use error::{BadLine, BadPath, InspectError};
pub use facts::Field;
pub use find::Found;
pub use jinsi_steps::moment::{BadMoment, Moment};
pub use jinsi_steps::seen::{Seen, Why};
pub use kept::{Kept, index_of};
pub use lines::{Line, Logged};
pub use memory::{Entry, Held, Holds, ObjectState, Variable, Writer};
pub use origin::{How, Input, Origin};
pub use path::Path;
pub use replay_cache::Named;
pub use state::{Frame, Local, State};
pub use stepping::Stride;
pub use thread_trace::{Deed, ThreadAct};
pub use timeline::{Printed, Thrown};

use facts::Facts;
use index::Index;
use memory::Contents;
use replay_cache::{Player, ReplayCache};

/// Answers questions about the past of a run.
#[derive(Debug)]
pub struct Inspector<'t> {
    facts: Facts<'t>,
    index: Index,
    cache: ReplayCache,
    contents: RefCell<Contents>,
}

impl<'t> Inspector<'t> {
    /// Goes over the whole trace once.
    ///
    /// # Errors
    /// The trace has no instructions, or cannot be read.
    pub fn new(trace: &'t Trace) -> Result<Self, InspectError> {
        has_instructions(trace)?;
        let (facts, index) = index::build::all(trace)?;
        Ok(Self::with(facts, index))
    }

    /// The same with the index that is in a file; `None` if these bytes are not the index of this trace.
    ///
    /// # Errors
    /// The trace has no instructions.
    pub fn with_index(trace: &'t Trace, bytes: &[u8]) -> Result<Option<Self>, InspectError> {
        has_instructions(trace)?;
        let read = index::file::read(bytes, trace);
        Ok(read.map(|(index, objects)| {
            let facts = Facts::new(trace, facts::program(trace), objects);
            Self::with(facts, index)
        }))
    }

    fn with(facts: Facts<'t>, index: Index) -> Self {
        Self {
            facts,
            index,
            cache: ReplayCache::default(),
            contents: RefCell::default(),
        }
    }

    /// The index as the bytes of a file. It has values of the trace: who may not read the one may not read the other.
    pub fn index_bytes(&self) -> Vec<u8> {
        index::file::write(self.trace(), &self.index, &self.facts.objects)
    }

    /// The trace.
    pub fn trace(&self) -> &'t Trace {
        self.facts.trace
    }

    /// The method with this number, as others name it.
    fn method(&self, no: MethodNo) -> MemberRef {
        let method = self.facts.program.get(no);
        MemberRef {
            owner: method.owner.as_str().into(),
            name: method.name.as_str().into(),
            desc: method.desc.as_str().into(),
        }
    }

    fn player(&self) -> Player<'_, 't> {
        Player {
            facts: &self.facts,
            index: &self.index,
            cache: &self.cache,
        }
    }
}

fn has_instructions(trace: &Trace) -> Result<(), InspectError> {
    let detail = trace.meta().detail;
    match detail.has_instructions() {
        true => Ok(()),
        false => Err(InspectError::Detail(detail)),
    }
}
