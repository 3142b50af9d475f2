//! Histories from traces. Events that cannot be read are named, and the others are used.

use jinsi_trace::model::ThreadNo;
use jinsi_trace::reader::{ReadError, SegmentPlace, Trace};

use super::{History, Tables, TooLong};

/// Events of a trace that could not be read, though the trace does not name them as damaged: they contradict its tables, for example,
/// because a record of these is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Why.
    pub error: String,
    /// Whose events are missing from here on; `None` if that is not known.
    pub thread: Option<ThreadNo>,
    /// Where they are.
    pub place: Option<SegmentPlace>,
}

impl Gap {
    /// What the error says of the events of `thread`, if it is known whose they are.
    pub fn new(error: &ReadError, thread: Option<ThreadNo>) -> Self {
        let place = match error {
            ReadError::Chunk { place, .. } => Some(*place),
            _ => None,
        };
        Self {
            error: format!("{error}; what follows of the thread is not read"),
            thread,
            place,
        }
    }
}

impl History {
    /// The history of `thread`, of which `trace` has the events. See [`Self::build`]; what cannot be read ends it, and is named
    /// ([`Self::gaps`]).
    ///
    /// # Errors
    /// As [`Self::build`].
    pub fn of(tables: Tables, thread: ThreadNo, trace: &Trace) -> Result<Self, TooLong> {
        let mut gaps = Vec::new();
        let events = trace.events(thread).map_while(|event| {
            let failed = |error| gaps.push(Gap::new(&error, Some(thread)));
            event.map_err(failed).ok()
        });
        let history = Self::build(tables, thread, events)?;
        Ok(Self { gaps, ..history })
    }

    /// The history of all threads of `trace`. See [`Self::build_merged`]; what cannot be read ends the thread that it is of, and is named.
    ///
    /// # Errors
    /// As [`Self::build_merged`].
    pub fn of_all(tables: Tables, trace: &Trace) -> Result<Self, TooLong> {
        let mut gaps = Vec::new();
        let events = trace.merged().filter_map(|event| {
            let failed = |error| gaps.push(Gap::new(&error, thread_of(trace, &error)));
            event.map_err(failed).ok()
        });
        let history = Self::build_merged(tables, events)?;
        Ok(Self { gaps, ..history })
    }

    /// Events that could not be read.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }
}

fn thread_of(trace: &Trace, error: &ReadError) -> Option<ThreadNo> {
    match error {
        ReadError::Chunk { place, .. } => trace.thread_at(*place),
        _ => None,
    }
}
