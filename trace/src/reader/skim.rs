//! The events of one thread, newest first, for who asks few of them for their operands.

use std::cell::RefCell;

use super::Trace;
use super::error::{ReadError, SegmentPlace};
use super::events::{Batch, Events};
use super::raw_events::RawEvents;
use crate::chunk::{self, Direction};
use crate::model::{Event, EventKind, ObjectId, Payload, Prim, SiteNo, ThreadNo, Value};

/// The batch being read.
#[derive(Clone, Debug)]
enum Current {
    Chunk(SegmentPlace, chunk::Skim),
    /// What was not encoded any more, and the event of it that was met last.
    Raw(RawEvents, Option<Event>),
}

/// The events of one thread, newest first; see [`Trace::skim_backward`]. What it met last can be asked for its operands. Those that are
/// not asked for are not decoded; so a walk over a long trace that looks at few of them takes a fraction of what
/// [`Trace::events_backward`] does.
#[derive(Clone, Debug)]
pub struct Skim<'t> {
    trace: &'t Trace,
    /// The batches that are left.
    batches: &'t [Batch],
    current: RefCell<Option<Current>>,
}

impl<'t> Skim<'t> {
    pub(super) fn new(trace: &'t Trace, thread: ThreadNo) -> Self {
        Self::of(trace, trace.batches_of(thread))
    }

    /// Of these batches.
    pub(super) fn of(trace: &'t Trace, batches: &'t [Batch]) -> Self {
        Self {
            trace,
            batches,
            current: RefCell::new(None),
        }
    }

    /// Of the first `count` events.
    pub(super) fn before(
        trace: &'t Trace,
        thread: ThreadNo,
        count: u64,
    ) -> Result<Self, ReadError> {
        let mut skim = Self::new(trace, thread);
        let (mut batches, mut events) = (0, 0);
        for batch in skim.batches {
            if events >= count {
                break;
            }
            events += batch.events();
            batches += 1;
        }
        skim.batches = &skim.batches[..batches];
        for _ in count..events {
            skim.advance().transpose()?;
        }
        Ok(skim)
    }

    /// Goes on to the next event, of which it gives kind and site (`None` for kinds without). Nothing behind the last one, or behind an error.
    #[inline]
    pub fn advance(&mut self) -> Option<Result<(EventKind, Option<SiteNo>), ReadError>> {
        loop {
            match self.current.get_mut() {
                Some(Current::Chunk(place, skim)) => match skim.advance() {
                    Some(Ok(met)) => return Some(Ok(met)),
                    Some(Err(source)) => {
                        let place = *place;
                        return Some(Err(self.end(Events::error_in(self.trace, place, source))));
                    }
                    None => {}
                },
                Some(Current::Raw(left, met)) => {
                    *met = left.next(&self.trace.tables.shapes);
                    if let Some(event) = met {
                        return Some(Ok((event.kind, event.site)));
                    }
                }
                None => {}
            }
            let (batch, rest) = self.batches.split_last()?;
            self.batches = rest;
            match self.open(batch) {
                Ok(current) => *self.current.get_mut() = Some(current),
                Err(error) => return Some(Err(self.end(error))),
            }
        }
    }

    fn end(&mut self, error: ReadError) -> ReadError {
        self.batches = &[];
        *self.current.get_mut() = None;
        error
    }

    fn open(&self, batch: &Batch) -> Result<Current, ReadError> {
        if let Some((place, chunk)) = batch.read_chunk(self.trace)? {
            let skim = chunk::Skim::new(chunk, &self.trace.tables.shapes);
            let skim = skim.map_err(|source| Events::error_in(self.trace, place, source))?;
            return Ok(Current::Chunk(place, skim));
        }
        let events = batch.read_raw(self.trace, Direction::Backward)?;
        Ok(Current::Raw(events, None))
    }

    /// Asks the event that was met last, if it is in a chunk or was not encoded.
    fn ask<T>(
        &self,
        chunk: impl FnOnce(&mut chunk::Skim) -> Option<T>,
        raw: impl FnOnce(&[Value]) -> Option<T>,
    ) -> Option<T> {
        match &mut *self.current.borrow_mut() {
            Some(Current::Chunk(_, skim)) => chunk(skim),
            Some(Current::Raw(_, Some(event))) => match &event.payload {
                Payload::Operands(values) => raw(values),
                Payload::Define { .. } | Payload::Content { .. } => None,
            },
            _ => None,
        }
    }

    /// The object that is the operand at this position of the event met last; nothing if there is no such operand, or it is no object.
    #[inline]
    pub fn object(&self, position: usize) -> Option<ObjectId> {
        let of = |values: &[Value]| match values.get(position)? {
            Value::Object(id) => Some(*id),
            _ => None,
        };
        self.ask(|skim| skim.object(position), of)
    }

    /// The `int` that is the operand at this position of the event met last; nothing if there is no such operand, or it is no `int`.
    #[inline]
    pub fn int(&self, position: usize) -> Option<i32> {
        let of = |values: &[Value]| match values.get(position)? {
            Value::Prim(Prim::Int(number)) => Some(*number),
            _ => None,
        };
        self.ask(|skim| skim.int(position), of)
    }

    /// The operand at this position of the event met last.
    pub fn value(&self, position: usize) -> Option<Value> {
        let of = |values: &[Value]| values.get(position).cloned();
        self.ask(|skim| skim.value(position), of)
    }

    /// How many operands the event has that was met last; definitions and contents have none.
    pub fn count(&self) -> usize {
        let count = self.ask(|skim| Some(skim.count()), |values| Some(values.len()));
        count.unwrap_or(0)
    }
}
