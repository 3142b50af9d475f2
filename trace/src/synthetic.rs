//! Traces made without a JVM, for tests of what reads them.

use std::collections::HashMap;
use std::path::Path;

use thiserror::Error;

use crate::model::{End, Event, Meta, Record, SiteNo, ThreadNo};
use crate::raw::{EncodeError, RawError, SiteShape, encode, operand_letters};
use crate::writer::{Effort, TraceWriter, WriteError, WriterOptions};

/// Why a synthetic trace cannot be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The trace file.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// An event that fits no site recorded before it.
    #[error(transparent)]
    Site(#[from] RawError),
    /// An event that contradicts itself or its site.
    #[error(transparent)]
    Event(#[from] EncodeError),
}

/// Writes a trace from records and events, through the same buffers as the agent. The first error is kept and given by
/// [`TraceBuilder::finish`].
///
/// ```
/// use jinsi_trace::model::{ClassNo, Event, EventKind, Payload, Record};
/// use jinsi_trace::{reader::Trace, synthetic::TraceBuilder};
///
/// let directory = tempfile::tempdir().unwrap();
/// let path = directory.path().join("t.jinsi");
/// let define = Payload::Define { id: 1, class: ClassNo::FIRST, length: None };
/// TraceBuilder::new(&path)
///     .record(Record::Thread { no: 0, name: "main".into() })
///     .event(0, Event { kind: EventKind::Define, site: None, payload: define })
///     .finish()
///     .unwrap();
/// assert_eq!(Trace::open(&path).unwrap().events(0).count(), 1);
/// ```
#[derive(Debug)]
pub struct TraceBuilder {
    state: Result<State, BuildError>,
}

#[derive(Debug)]
struct State {
    writer: TraceWriter,
    sites: HashMap<SiteNo, SiteShape>,
    /// The buffer of each thread.
    buffers: HashMap<ThreadNo, *mut u8>,
    has_meta: bool,
}

impl TraceBuilder {
    /// Begins a trace file at `path`, where none is.
    pub fn new(path: &Path) -> Self {
        Self::with_options(path, WriterOptions::default())
    }

    /// As [`TraceBuilder::new`], with buffers of other sizes.
    pub fn with_options(path: &Path, options: WriterOptions) -> Self {
        let state = TraceWriter::create(path, options).map(|writer| State {
            writer,
            sites: HashMap::new(),
            buffers: HashMap::new(),
            has_meta: false,
        });
        Self {
            state: state.map_err(BuildError::from),
        }
    }

    /// Adds a table record. Without a [`Record::Meta`] as first one, an empty one is put before it.
    pub fn record(self, record: Record) -> Self {
        self.then(|state| {
            state.begin(&record)?;
            if let Record::Sites(sites) = &record {
                state
                    .sites
                    .extend(sites.iter().map(|s| (s.no, SiteShape::of(s))));
            }
            Ok(state.writer.record(&record)?)
        })
    }

    /// Adds an event to a thread's stream. Its site must be in a record before.
    pub fn event(self, thread: ThreadNo, event: Event) -> Self {
        self.then(|state| state.event(thread, &event))
    }

    /// Adds events to a thread's stream.
    pub fn events(self, thread: ThreadNo, events: impl IntoIterator<Item = Event>) -> Self {
        events
            .into_iter()
            .fold(self, |builder, event| builder.event(thread, event))
    }

    /// Ends the trace in good order.
    ///
    /// # Errors
    /// The first error of all that was done.
    pub fn finish(self) -> Result<(), BuildError> {
        self.finish_with(End::default())
    }

    /// As [`TraceBuilder::finish`], with this end.
    ///
    /// # Errors
    /// As there.
    pub fn finish_with(self, end: End) -> Result<(), BuildError> {
        let mut state = self.state?;
        state.begin(&Record::End(End::default()))?;
        Ok(state.writer.finish(end)?)
    }

    /// Leaves the file as a killed process does: events in their buffers, no end.
    ///
    /// # Errors
    /// As [`TraceBuilder::finish`].
    pub fn kill(self) -> Result<(), BuildError> {
        let mut state = self.state?;
        state.begin(&Record::End(End::default()))
    }

    fn then(self, step: impl FnOnce(&mut State) -> Result<(), BuildError>) -> Self {
        let state = self
            .state
            .and_then(|mut state| step(&mut state).map(|()| state));
        Self { state }
    }
}

impl State {
    fn begin(&mut self, first: &Record) -> Result<(), BuildError> {
        if !self.has_meta {
            self.has_meta = true;
            if !matches!(first, Record::Meta(_)) {
                self.writer.record(&Record::Meta(Meta::default()))?;
            }
        }
        Ok(())
    }

    fn event(&mut self, thread: ThreadNo, event: &Event) -> Result<(), BuildError> {
        let letters = operand_letters(event.kind, event.site, &self.sites)?;
        let mut raw = Vec::new();
        encode(event, letters.as_deref().unwrap_or_default(), &mut raw)?;
        if let Some(&buffer) = self.buffers.get(&thread) {
            if self.writer.store(buffer, &raw) {
                return Ok(());
            }
            self.writer.hand_over(buffer);
            self.writer.encode(buffer, Effort::Best)?;
        }
        let buffer = self.writer.acquire(thread, raw.len())?;
        self.writer.store(buffer, &raw);
        self.buffers.insert(thread, buffer);
        Ok(())
    }
}
