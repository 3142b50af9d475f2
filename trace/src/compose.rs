//! Writing a trace out of tables and events that are there already: by a tool, with all the time it takes, and not by a
//! program that is being recorded.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::chunk::{Effort, Encoder};
use crate::model::{End, Event, Record, SiteNo, ThreadNo};
use crate::raw::{self, EncodeError, RawError, Shortening, SiteShape, operand_letters};
use crate::reader::{ReadError, Trace};
use crate::writer::{TraceWriter, WriteError, WriterOptions};

/// Raw bytes of a thread that are encoded together.
const RAW_BYTES: usize = 1 << 20;

/// What a chunk leaves free: an event that repeats another one's operands.
const HEAD_BYTES: usize = 8;

/// Why a trace cannot be composed.
#[derive(Debug, Error)]
pub enum ComposeError {
    /// The events that are read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The trace that is written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// An event that does not fit its site.
    #[error(transparent)]
    Site(#[from] RawError),
    /// An event that contradicts itself.
    #[error(transparent)]
    Event(#[from] EncodeError),
}

/// A trace that is being composed. Its file goes again unless [`Composer::close`] is reached.
pub struct Composer {
    writer: TraceWriter,
    path: PathBuf,
    shapes: HashMap<SiteNo, SiteShape>,
    encoder: Encoder,
    ordinal: u64,
    closed: bool,
}

impl Composer {
    /// Creates the file.
    ///
    /// # Errors
    /// It exists, or cannot be written.
    pub fn create(to: &Path) -> Result<Self, ComposeError> {
        let options = WriterOptions {
            buffers_per_zone: 1,
            rewrite_limit: u64::MAX,
            ..WriterOptions::default()
        };
        Ok(Self {
            writer: TraceWriter::create(to, options)?,
            path: to.to_path_buf(),
            shapes: HashMap::new(),
            encoder: Encoder::default(),
            ordinal: 0,
            closed: false,
        })
    }

    /// Adds a table record. All that events name has to come before them.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn record(&mut self, record: &Record) -> Result<(), ComposeError> {
        if let Record::Sites(sites) = record {
            let shapes = sites.iter().map(|site| (site.no, SiteShape::of(site)));
            self.shapes.extend(shapes);
        }
        Ok(self.writer.record(record)?)
    }

    /// Says that so many events were dropped before the first that is there.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn dropped_before(&mut self, events: u64) -> Result<(), ComposeError> {
        Ok(self.writer.dropped_before(events)?)
    }

    /// Adds events of a thread, behind those it has already; in as small a form as can be.
    ///
    /// # Errors
    /// One of them is an error or does not fit its site, or they cannot be written.
    pub fn events(
        &mut self,
        thread: ThreadNo,
        events: impl IntoIterator<Item = Result<Event, ReadError>>,
    ) -> Result<(), ComposeError> {
        let mut raw = Vec::with_capacity(2 * RAW_BYTES);
        let mut arrays = Shortening::default();
        for event in events {
            let event = event?;
            let letters = operand_letters(event.kind, event.site, &self.shapes)?;
            let begin = raw.len();
            raw::encode(&event, letters.as_deref().unwrap_or_default(), &mut raw)?;
            // What would begin another chunk must have all of its elements.
            if raw.len() <= RAW_BYTES - HEAD_BYTES {
                arrays.last(&mut raw, begin);
            }
            if raw.len() >= RAW_BYTES {
                self.flush(thread, &mut raw)?;
                arrays.clear();
            }
        }
        self.flush(thread, &mut raw)
    }

    /// Adds events of a thread of another trace, in which all that they name has the numbers that it has in this one. What is encoded
    /// there is copied. `added` are events more, in order: in front of the one with that number, from 0, or behind all.
    ///
    /// # Errors
    /// They cannot be read or written, or one of them does not fit its site.
    pub fn copy(
        &mut self,
        thread: ThreadNo,
        (from, of): (&Trace, ThreadNo),
        added: &[(u64, Event)],
    ) -> Result<(), ComposeError> {
        let mut left = added;
        let mut first = 0;
        for piece in from.pieces(of) {
            let end = first + piece.count();
            let own = left.partition_point(|(no, _)| *no < end);
            let (own, rest) = left.split_at(own);
            left = rest;
            self.ordinal += 1;
            let chunk = match own.is_empty() {
                true => piece.moved((thread, self.ordinal))?,
                false => None,
            };
            match chunk {
                Some(chunk) => self.writer.append_chunk(&chunk)?,
                None => {
                    let mut own = own.iter().peekable();
                    let events = (first..).zip(piece.events()).flat_map(|(no, event)| {
                        let mut more = Vec::new();
                        while let Some((_, added)) = own.next_if(|(at, _)| *at <= no) {
                            more.push(Ok(added.clone()));
                        }
                        more.into_iter().chain([event])
                    });
                    self.events(thread, events)?;
                }
            }
            first = end;
        }
        self.events(thread, left.iter().map(|(_, event)| Ok(event.clone())))
    }

    fn flush(&mut self, thread: ThreadNo, raw: &mut Vec<u8>) -> Result<(), ComposeError> {
        self.ordinal += 1;
        let place = (thread, self.ordinal);
        self.writer
            .encode_raw(&mut self.encoder, place, raw, Effort::Best)?;
        raw.clear();
        Ok(())
    }

    /// Ends the trace; without an `end` it is that of a process that was killed.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn close(mut self, end: Option<End>) -> Result<(), ComposeError> {
        self.writer.close(end)?;
        self.closed = true;
        Ok(())
    }
}

impl Drop for Composer {
    fn drop(&mut self) {
        if !self.closed {
            // This made it, and it is not whole.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EventKind, Meta, Payload, Value};

    fn event(object: u64) -> Event {
        Event {
            kind: EventKind::Uncaught,
            site: None,
            payload: Payload::Operands(vec![Value::Object(object)]),
        }
    }

    fn composed(to: &Path, thread: ThreadNo, add: impl FnOnce(&mut Composer)) -> Trace {
        let mut composer = Composer::create(to).unwrap();
        composer.record(&Record::Meta(Meta::default())).unwrap();
        let name = "main".to_owned();
        composer
            .record(&Record::Thread { no: thread, name })
            .unwrap();
        add(&mut composer);
        composer.close(None).unwrap();
        Trace::open(to).unwrap()
    }

    #[test]
    fn copied_events_are_the_same_with_some_more() {
        // Some chunks of them.
        const COUNT: u64 = 300_000;
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let from = composed(&at("from"), 7, |composer| {
            let events = (0..COUNT).map(|no| Ok(event(1 + no * no % 1000)));
            composer.events(7, events).unwrap();
        });
        assert!(from.pieces(7).count() > 3);
        let first = from.pieces(7).next().unwrap().count();
        let places = [0, 0, first - 1, first, COUNT / 2, COUNT - 1, COUNT];
        let several = places.map(|no| vec![no]).into_iter();
        for added in several.chain([Vec::new(), places.to_vec()]) {
            let more = (5000..).zip(&added).map(|(no, at)| (*at, event(no)));
            let more: Vec<(u64, Event)> = more.collect();
            let to = at(&format!("{added:?}"));
            let _ = std::fs::remove_file(&to);
            let copy = composed(&to, 3, |composer| {
                composer.copy(3, (&from, 7), &more).unwrap();
            });
            let mut expected: Vec<Event> = from.events(7).map(Result::unwrap).collect();
            for (no, event) in more.into_iter().rev() {
                expected.insert(no as usize, event);
            }
            let found: Vec<Event> = copy.events(3).map(Result::unwrap).collect();
            assert!(found == expected, "{added:?}");
            assert_eq!(copy.event_count(3), expected.len() as u64);
            let mut backward: Vec<Event> = copy.events_backward(3).map(Result::unwrap).collect();
            backward.reverse();
            assert!(backward == expected, "{added:?}");
        }
    }
}
