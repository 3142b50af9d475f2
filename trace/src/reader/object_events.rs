//! The events that define objects or say what they hold, for who asks for no others.

use super::error::ReadError;
use super::events::Events;
use crate::model::{Event, Payload};

/// Iterator over definitions and contents of one thread; see [`Trace::object_events`](super::Trace::object_events).
#[derive(Debug)]
pub struct ObjectEvents<'t> {
    events: Events<'t>,
    /// Index of the event that comes next.
    index: u64,
}

impl<'t> ObjectEvents<'t> {
    pub(super) fn new(events: Events<'t>) -> Self {
        Self { events, index: 0 }
    }
}

impl Iterator for ObjectEvents<'_> {
    type Item = Result<(u64, Event), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.index += self.events.pass_operands();
            let event = match self.events.next()? {
                Ok(event) => event,
                Err(error) => return Some(Err(error)),
            };
            let index = self.index;
            self.index += 1;
            if !matches!(event.payload, Payload::Operands(_)) {
                return Some(Ok((index, event)));
            }
        }
    }
}
