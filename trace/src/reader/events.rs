//! The events of one thread, batch after batch.

use super::Trace;
use super::error::{ReadError, SegmentPlace, Stretch};
use super::raw_events::RawEvents;
use super::source::Source;
use crate::chunk::{self, Chunk, ChunkHeader, Direction, Encoded};
use crate::model::{ClassNo, Event, ObjectId, Payload, ThreadNo};
use crate::raw::{HEADER_BYTES, OFFSET_CURSOR, OFFSET_ORDINAL, OFFSET_STATE, OFFSET_THREAD};
use crate::segment::SEGMENT_HEADER_BYTES;

/// A run of events of one thread: a chunk, or what is left in a buffer.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    ordinal: u64,
    from: u64,
    events: u64,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    Chunk { segment: SegmentPlace, len: u64 },
    Raw(RawPlace),
}

impl Batch {
    pub(super) fn chunk(header: &ChunkHeader, segment: SegmentPlace, len: u64) -> Self {
        Self {
            ordinal: header.ordinal,
            from: header.from,
            events: header.kinds.values().map(|stats| stats.events).sum(),
            place: Place::Chunk { segment, len },
        }
    }

    pub(super) fn raw(raw: RawPlace, events: u64) -> Self {
        Self {
            ordinal: raw.ordinal,
            from: raw.from,
            events,
            place: Place::Raw(raw),
        }
    }

    /// Rises along the thread's stream.
    pub(super) fn position(&self) -> (u64, u64) {
        (self.ordinal, self.from)
    }

    /// Where it is.
    pub(super) fn stretch(&self, thread: ThreadNo) -> Stretch {
        Stretch {
            thread,
            position: self.position(),
            offset: match &self.place {
                Place::Chunk { segment, .. } => segment.offset,
                // What was not encoded is younger than all that was.
                Place::Raw(_) => u64::MAX,
            },
        }
    }

    /// Number of events.
    pub(super) fn events(&self) -> u64 {
        self.events
    }

    /// The chunk that the batch is, and where it is; nothing if it was not encoded.
    pub(super) fn read_chunk(
        &self,
        trace: &Trace,
    ) -> Result<Option<(SegmentPlace, Chunk)>, ReadError> {
        let Place::Chunk { segment, len } = &self.place else {
            return Ok(None);
        };
        let offset = segment.offset + SEGMENT_HEADER_BYTES;
        let payload = trace.source.read(offset, *len)?;
        let chunk = Chunk::read(&payload).map_err(|e| Events::error_in(trace, *segment, e))?;
        Ok(Some((*segment, chunk)))
    }

    /// The chunk that it is, as that of another thread and buffer; nothing if it was not encoded.
    pub(super) fn moved(
        &self,
        trace: &Trace,
        whose: (ThreadNo, u64),
    ) -> Result<Option<Encoded>, ReadError> {
        let Place::Chunk { segment, len } = &self.place else {
            return Ok(None);
        };
        let offset = segment.offset + SEGMENT_HEADER_BYTES;
        let payload = trace.source.read(offset, *len)?;
        let moved = chunk::moved(&payload, whose);
        let moved = moved.map_err(|e| Events::error_in(trace, *segment, e))?;
        Ok(Some(moved))
    }

    /// The objects that its events define.
    pub(super) fn definitions(&self, trace: &Trace) -> Result<Vec<(ObjectId, ClassNo)>, ReadError> {
        if let Some((_, chunk)) = self.read_chunk(trace)? {
            return Ok(chunk.definitions());
        }
        let mut events = self.read_raw(trace, Direction::Forward)?;
        let events = std::iter::from_fn(|| events.next(&trace.tables.shapes));
        let defined = events.filter_map(|event| match event.payload {
            Payload::Define { id, class, .. } => Some((id, class)),
            _ => None,
        });
        Ok(defined.collect())
    }

    /// The events of a batch that was not encoded; none of another.
    pub(super) fn read_raw(
        &self,
        trace: &Trace,
        direction: Direction,
    ) -> Result<RawEvents, ReadError> {
        let bytes = match &self.place {
            Place::Raw(raw) => raw.bytes(&trace.source)?,
            Place::Chunk { .. } => Vec::new(),
        };
        Ok(RawEvents::new(bytes, direction))
    }
}

/// A thread buffer in the file that was not, or not wholly, encoded.
#[derive(Clone, Debug)]
pub(super) struct RawPlace {
    offset: u64,
    pub(super) state: u64,
    pub(super) cursor: u64,
    pub(super) ordinal: u64,
    pub(super) thread: ThreadNo,
    /// How many bytes of the events are in chunks.
    pub(super) from: u64,
}

impl RawPlace {
    /// Reads the header of the buffer at `offset`; `None` if it is cut.
    pub(super) fn read(source: &Source, offset: u64) -> Result<Option<Self>, ReadError> {
        let header = source.read(offset, HEADER_BYTES as u64)?;
        if header.len() < HEADER_BYTES {
            return Ok(None);
        }
        let word = |at: usize| {
            let bytes = header[at..].first_chunk().copied();
            u64::from_le_bytes(bytes.unwrap_or_default())
        };
        Ok(Some(Self {
            offset,
            state: word(OFFSET_STATE),
            cursor: word(OFFSET_CURSOR),
            ordinal: word(OFFSET_ORDINAL),
            thread: word(OFFSET_THREAD) as ThreadNo,
            from: 0,
        }))
    }

    /// The raw events behind `from`.
    pub(super) fn bytes(&self, source: &Source) -> Result<Vec<u8>, ReadError> {
        let start = self.from.saturating_add(HEADER_BYTES as u64);
        let len = self.cursor.saturating_sub(start);
        let bytes = source.read(self.offset.saturating_add(start), len)?;
        // A running process may have given the buffer to another thread meanwhile.
        match Self::read(source, self.offset)? {
            Some(now) if now.ordinal == self.ordinal => Ok(bytes),
            _ => Err(ReadError::Changed(source.path().to_owned())),
        }
    }
}

/// The batch being read.
#[derive(Debug)]
enum Current {
    Chunk(SegmentPlace, chunk::Events),
    Raw(RawEvents),
}

/// Iterator over the events of one thread; see [`Trace::events`] and [`Trace::events_backward`].
#[derive(Debug)]
pub struct Events<'t> {
    trace: &'t Trace,
    /// The batches that are left.
    batches: &'t [Batch],
    direction: Direction,
    current: Option<Current>,
    most: u64,
}

impl<'t> Events<'t> {
    pub(super) fn new(trace: &'t Trace, thread: ThreadNo, direction: Direction) -> Self {
        Self::of(trace, trace.batches_of(thread), direction)
    }

    /// Of these batches.
    pub(super) fn of(trace: &'t Trace, batches: &'t [Batch], direction: Direction) -> Self {
        Self {
            trace,
            batches,
            direction,
            current: None,
            most: u64::MAX,
        }
    }

    /// From this index on.
    pub(super) fn from(trace: &'t Trace, thread: ThreadNo, index: u64) -> Self {
        let mut events = Self::new(trace, thread, Direction::Forward);
        let mut left = index;
        while let Some((batch, rest)) = events.batches.split_first()
            && batch.events <= left
        {
            left -= batch.events;
            events.batches = rest;
        }
        for _ in 0..left {
            if events.next().is_none_or(|event| event.is_err()) {
                break;
            }
        }
        events
    }

    /// Spares the time for the elements of primitive arrays, which may be most of a trace: such contents may come as if they had been too
    /// large ([`Content::TooLarge`](crate::model::Content::TooLarge)).
    pub fn brief(self) -> Self {
        self.elements(0)
    }

    /// The same of arrays with more than `most` elements only.
    pub fn elements(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// Passes over events that have operands, as far as they are encoded together: how many. Oldest first only.
    pub(super) fn pass_operands(&mut self) -> u64 {
        match &mut self.current {
            Some(Current::Chunk(_, events)) => events.pass_operands(),
            _ => 0,
        }
    }

    fn next_batch(&mut self) -> Option<&'t Batch> {
        let (batch, rest) = match self.direction {
            Direction::Forward => self.batches.split_first()?,
            Direction::Backward => self.batches.split_last()?,
        };
        self.batches = rest;
        Some(batch)
    }

    fn open(&self, batch: &Batch) -> Result<Current, ReadError> {
        if let Some((segment, chunk)) = batch.read_chunk(self.trace)? {
            let events = chunk.events(self.direction, &self.trace.tables.shapes);
            let events = events.map_err(|e| Self::error_in(self.trace, segment, e))?;
            return Ok(Current::Chunk(segment, events.elements(self.most)));
        }
        let events = batch.read_raw(self.trace, self.direction)?;
        Ok(Current::Raw(events))
    }

    pub(super) fn error_in(
        trace: &Trace,
        place: SegmentPlace,
        source: chunk::ChunkError,
    ) -> ReadError {
        ReadError::Chunk {
            path: trace.source.path().to_owned(),
            place,
            source,
        }
    }

    fn next_of_current(&mut self) -> Option<Result<Event, ReadError>> {
        match self.current.as_mut()? {
            Current::Chunk(place, events) => {
                let place = *place;
                let event = events.next()?;
                Some(event.map_err(|source| Self::error_in(self.trace, place, source)))
            }
            Current::Raw(events) => events.next(&self.trace.tables.shapes).map(Ok),
        }
    }
}

impl Iterator for Events<'_> {
    type Item = Result<Event, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(next) = self.next_of_current() {
                if next.is_err() {
                    self.batches = &[];
                    self.current = None;
                }
                return Some(next);
            }
            let batch = self.next_batch()?;
            match self.open(batch) {
                Ok(current) => self.current = Some(current),
                Err(e) => {
                    self.batches = &[];
                    self.current = None;
                    return Some(Err(e));
                }
            }
        }
    }
}
