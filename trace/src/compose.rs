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
    /// there is copied. `told` is an event more: behind the one with that number, from 0.
    ///
    /// # Errors
    /// They cannot be read or written, or one of them does not fit its site.
    pub fn copy(
        &mut self,
        thread: ThreadNo,
        (from, of): (&Trace, ThreadNo),
        told: Option<(u64, &Event)>,
    ) -> Result<(), ComposeError> {
        let mut first = 0;
        for piece in from.pieces(of) {
            let behind = told.and_then(|(no, event)| Some((no.checked_sub(first)?, event)));
            let behind = behind.filter(|(no, _)| *no < piece.count());
            first += piece.count();
            self.ordinal += 1;
            let chunk = match behind {
                None => piece.moved((thread, self.ordinal))?,
                Some(_) => None,
            };
            if let Some(chunk) = chunk {
                self.writer.append_chunk(&chunk)?;
                continue;
            }
            let events = (0..).zip(piece.events()).flat_map(|(no, event)| {
                let more = behind.filter(|(after, _)| *after == no);
                std::iter::once(event).chain(more.map(|(_, event)| Ok(event.clone())))
            });
            self.events(thread, events)?;
        }
        Ok(())
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
