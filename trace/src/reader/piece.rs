//! Events of a thread that were encoded together, for who needs some of them, or copies them.

use std::slice;

use super::Trace;
use super::error::ReadError;
use super::events::{Batch, Events};
use super::object_events::ObjectEvents;
use super::skim::Skim;
use crate::chunk::{Direction, Encoded};
use crate::model::ThreadNo;

/// Events of a thread that were encoded together; see [`Trace::pieces`].
#[derive(Clone, Copy, Debug)]
pub struct Piece<'t> {
    trace: &'t Trace,
    batch: &'t Batch,
    first: u64,
}

impl<'t> Piece<'t> {
    pub(super) fn all(trace: &'t Trace, thread: ThreadNo) -> impl Iterator<Item = Self> {
        let batches = trace.batches_of(thread).iter();
        batches.scan(0, move |next, batch| {
            let first = std::mem::replace(next, *next + batch.events());
            Some(Self {
                trace,
                batch,
                first,
            })
        })
    }

    /// Index of the first event in the thread's stream.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Number of events.
    pub fn count(&self) -> u64 {
        self.batch.events()
    }

    /// These events, newest first, as [`Trace::skim_backward`] has all.
    pub fn skim_backward(&self) -> Skim<'t> {
        Skim::of(self.trace, slice::from_ref(self.batch))
    }

    /// Those that define objects or say what they hold, as [`Trace::object_events`] has all. Indexes are counted from the first event of the piece, and
    /// the elements of primitive arrays are there that have `most` at most.
    pub fn object_events(&self, most: u64) -> ObjectEvents<'t> {
        ObjectEvents::new(self.events().elements(most))
    }

    /// The chunk that it is, as that of another thread and buffer; nothing if it was not encoded.
    pub(crate) fn moved(&self, whose: (ThreadNo, u64)) -> Result<Option<Encoded>, ReadError> {
        self.batch.moved(self.trace, whose)
    }

    /// Its events.
    pub(crate) fn events(&self) -> Events<'t> {
        let batch = slice::from_ref(self.batch);
        Events::of(self.trace, batch, Direction::Forward)
    }
}
