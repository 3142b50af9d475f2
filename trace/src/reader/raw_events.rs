//! The events of a buffer that was not encoded, one at a time: of a content that tells what has changed in another one, thousands fit
//! into a buffer, and each may have as many elements as that.

use std::ops::Range;

use crate::chunk::Direction;
use crate::model::{Event, EventKind, SiteNo};
use crate::raw::{Base, RawEvent, SiteShapes, Walker};

/// An event that is not decoded: what [`RawEvent`] says of it, by place.
#[derive(Clone, Debug)]
struct EventExtent {
    kind: EventKind,
    site: Option<SiteNo>,
    payload: Range<usize>,
    bytes: usize,
    base: Option<(usize, Range<usize>)>,
}

/// What is left of the events of a buffer.
#[derive(Clone, Debug)]
pub(super) struct RawEvents {
    bytes: Vec<u8>,
    /// Next one last.
    left: Vec<EventExtent>,
    direction: Direction,
    /// What is left of the events that one stands for, the next one last.
    apart: Vec<Event>,
}

impl RawEvents {
    /// Those of these bytes.
    pub(super) fn new(bytes: Vec<u8>, direction: Direction) -> Self {
        // Malformed events were counted when the trace was opened.
        let events = Walker::new(&bytes).flatten();
        let place = |part: &[u8]| {
            let at = part.as_ptr().addr() - bytes.as_ptr().addr();
            at..at + part.len()
        };
        let mut left: Vec<EventExtent> = events
            .map(|event| EventExtent {
                kind: event.kind,
                site: event.site,
                payload: place(event.payload),
                bytes: event.bytes,
                base: event.base.map(|base| (base.at, place(base.payload))),
            })
            .collect();
        if direction == Direction::Forward {
            left.reverse();
        }
        Self {
            bytes,
            left,
            direction,
            apart: Vec::new(),
        }
    }

    /// The next event.
    pub(super) fn next(&mut self, sites: &impl SiteShapes) -> Option<Event> {
        loop {
            if let Some(event) = self.apart.pop() {
                return Some(event);
            }
            let found = self.left.pop()?;
            let part = |range: Range<usize>| self.bytes.get(range).unwrap_or_default();
            let event = RawEvent {
                kind: found.kind,
                site: found.site,
                payload: part(found.payload),
                bytes: found.bytes,
                base: found.base.map(|(at, payload)| Base {
                    at,
                    payload: part(payload),
                }),
            };
            self.apart = event.to_events(sites).unwrap_or_default();
            if self.direction == Direction::Forward {
                self.apart.reverse();
            }
        }
    }
}
