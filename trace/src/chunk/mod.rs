//! Event chunks: a piece of one buffer, control flow and operands apart (Wang 2007, Section 3.1.1).
//!
//! Payload of an event segment; fixed-width numbers little-endian, all others varints:
//!
//! ```text
//! thread u32, flags u32: bit 0: the control stream is a block, not a grammar
//! ordinal u64: the buffer's
//! from u64, to u64: byte range of the raw events in the buffer, counted from its first event
//! events u32, malformed u32: how many events are here, how many of the range could not be read and are not
//! number of kinds, then for each: kind, events, raw bytes, encoded bytes; in the place of runs their parts count
//! size of the control stream, then the control stream: symbols as an RLESe grammar or as a block
//! the two parts of the body, for each: its size, the size here << 1 | is it stored as it is?, then it, as a zstd frame if not
//! ```
//!
//! A symbol is `kind << 32 | site`; with [`REPEATS`] that of events that have the payload of the event before.
//!
//! Body:
//!
//! ```text
//! for each symbol of the grammar's alphabet: number of columns, then for each:
//!     slot, form, size in bytes of what it has in the first and in the second part, and
//!     for words and plain words: the last word
//!     for linked words: place of the source's symbol in the alphabet + 1, and its slot; or 0
//! number of strings, then for each: size in bytes << 1 | UTF-16
//! the bytes of all columns in this order, then of all strings
//! second part: the bytes of all columns
//! ```
//!
//! The first part has the first byte of each number (or packed elements), the second the others of those that have more than one.
//!
//! A column holds what one operand of one site was, event after event. Its form is *words*: zigzag differences of 64-bit
//! words, the first to 0; *plain* words, as they are, zigzag, too; *linked* words: differences to the word that another column, the source, had last, 0 before it had one or if
//! there is none; or *bytes*: packed array elements. All can be read from either end. A source has words of its own, and another symbol.
//!
//! Slots: an operand at position `p` has its word in slot `2p`: primitives as in the raw form, references as the raw form's
//! reference word, with a string's place in the string table instead of its length (`place << 3 | TAG_STRING`). The value of a
//! box is in slot `2p + 1`. `Define` has identity, class and array length + 1 in slots 0, 2 and 4; `Content` has identity, form
//! word and references (elements, the text, or class, name and value of fields) in slots 0, 2 and 4 (boxes and primitives 5), packed elements in slot 6. Of one with
//! [`FORM_PATCHED`](crate::raw::FORM_PATCHED) slot 6 has the patch; slots 8, 10 and 12 have where in that column the elements begin that are patched, where among their bytes the patch
//! begins, and its size.

mod column;
mod control;
mod decode;
mod direction;
mod directory;
mod encode;
mod error;
mod group;
mod links;
mod skim;
mod strings;
#[cfg(test)]
mod tests;
mod waiting;

use std::collections::BTreeMap;

pub(crate) use decode::{Chunk, Events};
pub(crate) use direction::Direction;
pub use encode::Effort;
pub(crate) use encode::{Encoded, Encoder};
pub use error::ChunkError;
pub(crate) use skim::Skim;

use crate::model::{EventKind, MOST_PARTS, SiteNo, ThreadNo};
use crate::raw::REPEATS;
use crate::varint::{self, Reader};

/// A buffer's events are cut into chunks of at most so many raw bytes, unless one event alone is larger. Bounds what
/// writer and reader hold in memory.
pub(crate) const MAX_RAW_BYTES: usize = 1 << 20;
/// Most events a chunk can have: the smallest event takes a word.
const MAX_EVENTS: u64 = MAX_RAW_BYTES as u64 / 8;

/// A body is never larger than this many times the raw bytes it was made of, and this many bytes.
const BODY_FACTOR: u64 = 4;
const BODY_SLACK: u64 = 1 << 16;
/// A body is stored as it is if it is larger than any of a chunk of [`MAX_RAW_BYTES`], which is that of a single event, and
/// compresses better than by this. So a reader need not unpack more than this many times what it read.
const MAX_RATIO: u64 = 64;

/// Flag of a chunk: its control stream is a block.
const FLAG_BLOCK: u32 = 1;

/// Size of the largest body of a chunk that is not a single large event.
const fn usual_body() -> u64 {
    MAX_RAW_BYTES as u64 * BODY_FACTOR + BODY_SLACK
}

const SLOT_ID: usize = 0;
const SLOT_SECOND: usize = 2;
const SLOT_THIRD: usize = 4;
const SLOT_PACKED: usize = 6;
const SLOT_BASE: usize = 8;
const SLOT_AT: usize = 10;
const SLOT_SIZE: usize = 12;

/// Numbers of one event kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindStats {
    /// Events.
    pub events: u64,
    /// Their size in the thread buffers, in bytes.
    pub raw_bytes: u64,
    /// Their share of the chunks, in bytes: a chunk's control stream is shared out by number of events, its body by size
    /// of the columns before compression.
    pub encoded_bytes: u64,
}

impl KindStats {
    /// Adds the numbers of `other`.
    pub fn add(&mut self, other: &KindStats) {
        self.events += other.events;
        self.raw_bytes += other.raw_bytes;
        self.encoded_bytes += other.encoded_bytes;
    }

    /// Those of events that stand for one each of these kinds: each has all of the events, and its share of the bytes.
    pub(crate) fn shared(
        self,
        kinds: impl ExactSizeIterator<Item = EventKind>,
    ) -> impl Iterator<Item = (EventKind, Self)> {
        let count = kinds.len() as u64;
        let share = move |bytes: u64, no: u64| bytes * (no + 1) / count - bytes * no / count;
        (0..).zip(kinds).map(move |(no, kind)| {
            let stats = Self {
                events: self.events,
                raw_bytes: share(self.raw_bytes, no),
                encoded_bytes: share(self.encoded_bytes, no),
            };
            (kind, stats)
        })
    }
}

/// How the chunks of a trace are encoded: control streams, and columns of operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodingStats {
    /// Chunks whose control stream is an RLESe grammar, and the size of those streams in bytes.
    pub grammars: (u64, u64),
    /// Chunks whose control stream is a block: a grammar would have been larger, or there was no time for one; and their size in bytes.
    pub blocks: (u64, u64),
    /// Size of all columns of operands and of strings, in bytes.
    pub operand_bytes: u64,
}

impl EncodingStats {
    /// Adds a chunk; `reader` is behind its header.
    pub(crate) fn add(&mut self, header: &ChunkHeader, reader: &mut Reader<'_>) -> Option<()> {
        let size = reader.count()?;
        reader.bytes(size)?;
        let (chunks, bytes) = match header.flags & FLAG_BLOCK {
            0 => &mut self.grammars,
            _ => &mut self.blocks,
        };
        *chunks += 1;
        *bytes += size as u64;
        self.operand_bytes += reader.rest().len() as u64;
        Some(())
    }
}

/// What the front of a chunk says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChunkHeader {
    pub(crate) thread: ThreadNo,
    pub(crate) flags: u32,
    pub(crate) ordinal: u64,
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) events: u32,
    pub(crate) malformed: u32,
    pub(crate) kinds: BTreeMap<EventKind, KindStats>,
}

impl ChunkHeader {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.thread.to_le_bytes());
        out.extend(self.flags.to_le_bytes());
        out.extend(self.ordinal.to_le_bytes());
        out.extend(self.from.to_le_bytes());
        out.extend(self.to.to_le_bytes());
        out.extend(self.events.to_le_bytes());
        out.extend(self.malformed.to_le_bytes());
        varint::write(out, self.kinds.len() as u64);
        for (kind, stats) in &self.kinds {
            varint::write(out, *kind as u64);
            varint::write(out, stats.events);
            varint::write(out, stats.raw_bytes);
            varint::write(out, stats.encoded_bytes);
        }
    }

    /// Takes the header off the front of a chunk.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, ChunkError> {
        Self::parse(reader).ok_or(ChunkError::Header)
    }

    fn parse(reader: &mut Reader<'_>) -> Option<Self> {
        let thread = reader.u32()?;
        let flags = reader.u32()?;
        if flags & !FLAG_BLOCK != 0 {
            return None;
        }
        let mut header = Self {
            thread,
            flags,
            ordinal: reader.u64()?,
            from: reader.u64()?,
            to: reader.u64()?,
            events: reader.u32()?,
            malformed: reader.u32()?,
            kinds: BTreeMap::new(),
        };
        let raw = header.to.checked_sub(header.from)?;
        // A large event stands alone, save for one that repeats its payload.
        let most = if raw > MAX_RAW_BYTES as u64 {
            2
        } else {
            MAX_EVENTS
        };
        if u64::from(header.events) > most {
            return None;
        }
        for _ in 0..reader.count()? {
            let kind = EventKind::from_u8(u8::try_from(reader.number()?).ok()?)?;
            let stats = KindStats {
                events: reader.number()?,
                raw_bytes: reader.number()?,
                encoded_bytes: reader.number()?,
            };
            header.kinds.insert(kind, stats);
        }
        let bound = u64::from(u32::MAX) << 8;
        let sane = |s: &KindStats| {
            s.events <= MAX_EVENTS * MOST_PARTS as u64
                && s.raw_bytes <= bound
                && s.encoded_bytes <= bound
        };
        header.kinds.values().all(sane).then_some(header)
    }
}

/// The same chunk as that of another thread and buffer, which has nothing else.
pub(crate) fn moved(chunk: &[u8], whose: (ThreadNo, u64)) -> Result<Encoded, ChunkError> {
    let mut reader = Reader::new(chunk);
    let mut header = ChunkHeader::read(&mut reader)?;
    (header.thread, header.ordinal) = whose;
    header.to -= header.from;
    header.from = 0;
    let mut payload = Vec::with_capacity(chunk.len());
    header.write(&mut payload);
    payload.extend(reader.rest());
    Ok(Encoded {
        payload,
        events: header.kinds.values().map(|stats| stats.events).sum(),
        to: header.to as usize,
    })
}

/// Where a chunk stands in the stream of events, by the first 40 bytes of its header: ordinal of the buffer, and place in it.
pub(crate) fn position_of_front(front: &[u8; 40]) -> (u64, u64) {
    let word = |at: usize| {
        let bytes = front[at..].first_chunk().copied();
        u64::from_le_bytes(bytes.unwrap_or_default())
    };
    (word(8), word(16))
}

/// Where in a chunk's header the number of its events is.
const EVENTS: std::ops::Range<usize> = 32..36;

/// The first 40 bytes of the header of a chunk of which no more is known than how many events it had.
pub(crate) fn front_of_events(events: u32) -> [u8; 40] {
    let mut front = [0; 40];
    front[EVENTS].copy_from_slice(&events.to_le_bytes());
    front
}

/// How many events a chunk has, by the first 40 bytes of its header.
pub(crate) fn events_of_front(front: &[u8; 40]) -> u64 {
    let events = front[EVENTS].first_chunk().copied();
    u64::from(u32::from_le_bytes(events.unwrap_or_default()))
}

/// The control symbol of an event. With [`REPEATS`] it is that of events that have the payload of the one before.
fn symbol(kind: EventKind, site: Option<SiteNo>) -> u64 {
    (kind as u64) << 32 | u64::from(SiteNo::written(site))
}

/// The site of the events of a symbol.
fn site(symbol: u64) -> Option<SiteNo> {
    SiteNo::new(symbol as u32)
}

/// The kind of the events of a symbol.
fn kind(symbol: u64) -> Option<EventKind> {
    let kind = u8::try_from((symbol & !REPEATS) >> 32).ok()?;
    EventKind::from_u8(kind)
}
