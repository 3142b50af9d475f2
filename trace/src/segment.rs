//! The frame of the trace file: header and segments.
//!
//! The file begins with a header of [`FILE_HEADER_BYTES`] bytes; everything behind it is segments, back to back, each
//! beginning at a multiple of eight. All numbers are little-endian.
//!
//! ```text
//! file header                          segment header
//!  0  magic "JINSITRC"                  0  magic "jseg"
//!  8  version u32                       4  kind u32
//! 12  byte order mark 0x01020304        8  payload length u64, without padding
//! 16  flags u64: bit 0 clean close     16  sequence u64
//! 24  why it could not be written on   24  crc32 of the checked part of the payload u32
//!     u32, and all its bits turned     28  crc32 of bytes 0..28 u32
//! 32  reserved, 0                      32  commit mark u64: COMMITTED, 0 until all else is written
//! ```
//!
//! Why a file could not be written on is 0, both of them, for one that could; else bit 31 and the number of the operating system's error, 0 if
//! it is another one. It is written into space that the file has, so that a full disk can be named.
//!
//! Table and event segments are numbered from 1 without gaps; their whole payload is checked. A zone segment has sequence 0:
//! it is a staging zone, whose first [`ZONE_HEADER_BYTES`] bytes (size of a buffer, number of buffers, offset of the first
//! buffer in the file; all u64) are the checked part and whose rest is thread buffers. Only a trace that was not closed has
//! zones. Of a dropped chunk, its first [`DROPPED_BYTES`] bytes are left and checked; what is behind them means nothing.

use crate::varint::Reader;

/// Size of the header of the file.
pub(crate) const FILE_HEADER_BYTES: u64 = 64;
/// Version of the file format.
pub(crate) const VERSION: u32 = 10;
/// The oldest that is read: it had no class files of what is not observed.
pub(crate) const OLDEST_VERSION: u32 = 7;
/// Size of the header of a segment.
pub(crate) const SEGMENT_HEADER_BYTES: u64 = 40;
/// Size of the checked part of a zone.
pub(crate) const ZONE_HEADER_BYTES: u64 = 24;
/// Size of the checked part of a dropped chunk: the part of a chunk's header that always has the same size.
pub(crate) const DROPPED_BYTES: u64 = 40;
/// Offset of the commit mark in the segment header.
pub(crate) const COMMIT_OFFSET: u64 = 32;
/// The commit mark.
pub(crate) const COMMITTED: u64 = 0x6465_7474_696d_6d6f;
/// Offset of the flags in the file header.
pub(crate) const FLAGS_OFFSET: u64 = 16;
/// Offset, in the file header, of why the file could not be written on.
const WHY_OFFSET: u64 = 24;
/// In it: the file could not be written on.
const GIVEN_UP: u32 = 1 << 31;
/// Flag: the writer closed the file.
pub(crate) const FLAG_CLEAN: u64 = 1;

const FILE_MAGIC: [u8; 8] = *b"JINSITRC";
const SEGMENT_MAGIC: [u8; 4] = *b"jseg";
const BYTE_ORDER: u32 = 0x0102_0304;

/// Whether `bytes` have this checksum. Always, with the feature `unchecked`: fuzzing has to reach what lies behind.
pub(crate) fn checked(bytes: &[u8], crc: u32) -> bool {
    cfg!(feature = "unchecked") || crc32fast::hash(bytes) == crc
}

/// What a segment holds; the discriminants are part of the file format.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SegmentKind {
    /// A table record.
    Table = 1,
    /// An event chunk.
    Events = 2,
    /// A staging zone.
    Zone = 3,
    /// What was an event chunk, and has been dropped to make room.
    Dropped = 4,
}

impl SegmentKind {
    fn from_u32(n: u32) -> Option<Self> {
        [Self::Table, Self::Events, Self::Zone, Self::Dropped]
            .into_iter()
            .find(|&k| k as u32 == n)
    }
}

/// The header of a new file.
pub(crate) fn file_header(clean: bool) -> [u8; FILE_HEADER_BYTES as usize] {
    let mut header = [0; FILE_HEADER_BYTES as usize];
    header[..8].copy_from_slice(&FILE_MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&BYTE_ORDER.to_le_bytes());
    header[16] = u8::from(clean);
    header
}

/// What a writer that cannot go on leaves in the file header, and where. `error`: the operating system's number, if it is an error of that.
pub(crate) fn given_up(error: Option<i32>) -> (u64, [u8; 8]) {
    let why = GIVEN_UP | error.map_or(0, i32::cast_unsigned);
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&why.to_le_bytes());
    bytes[4..].copy_from_slice(&(!why).to_le_bytes());
    (WHY_OFFSET, bytes)
}

/// What a file header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileHeader {
    /// No trace.
    Foreign,
    /// The beginning of a trace, or nothing at all.
    Cut,
    /// A trace of another version.
    Version(u32),
    /// A trace.
    Trace {
        /// The writer closed it.
        clean: bool,
        /// The writer could not go on: the operating system's number of its error, 0 if it is another one.
        given_up: Option<i32>,
        /// It has nothing that no writer writes.
        sound: bool,
    },
}

/// Reads a file header.
pub(crate) fn read_file_header(bytes: &[u8]) -> FileHeader {
    if (bytes.len() as u64) < FILE_HEADER_BYTES
        && FILE_MAGIC.starts_with(&bytes[..bytes.len().min(8)])
    {
        return FileHeader::Cut;
    }
    let mut reader = Reader::new(bytes);
    if reader.array() != Some(FILE_MAGIC) {
        return FileHeader::Foreign;
    }
    match (reader.u32(), reader.u32(), reader.u64()) {
        (Some(OLDEST_VERSION..=VERSION), Some(BYTE_ORDER), Some(flags)) => {
            let why = (reader.u32().unwrap_or(0), reader.u32().unwrap_or(0));
            let clean = flags & FLAG_CLEAN != 0;
            let gave_up = why.0 & GIVEN_UP != 0 && why.1 == !why.0 && !clean;
            FileHeader::Trace {
                clean,
                given_up: gave_up.then_some((why.0 & !GIVEN_UP).cast_signed()),
                sound: flags & !FLAG_CLEAN == 0
                    && (gave_up || why == (0, 0))
                    && reader.rest().iter().all(|&byte| byte == 0),
            }
        }
        (Some(OLDEST_VERSION..=VERSION), _, _) => FileHeader::Foreign,
        (Some(version), Some(_), Some(_)) => FileHeader::Version(version),
        _ => FileHeader::Foreign,
    }
}

/// The header of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SegmentHeader {
    pub(crate) kind: SegmentKind,
    pub(crate) len: u64,
    pub(crate) sequence: u64,
    pub(crate) crc: u32,
    pub(crate) committed: bool,
    /// The commit mark is there, and is not as it was written.
    pub(crate) mark_damaged: bool,
}

impl SegmentHeader {
    /// For a payload of which `checked` is the checked part.
    pub(crate) fn new(kind: SegmentKind, len: u64, sequence: u64, checked: &[u8]) -> Self {
        Self {
            kind,
            len,
            sequence,
            crc: crc32fast::hash(checked),
            committed: false,
            mark_damaged: false,
        }
    }

    pub(crate) fn to_bytes(self) -> [u8; SEGMENT_HEADER_BYTES as usize] {
        let mut bytes = [0; SEGMENT_HEADER_BYTES as usize];
        bytes[..4].copy_from_slice(&SEGMENT_MAGIC);
        bytes[4..8].copy_from_slice(&(self.kind as u32).to_le_bytes());
        bytes[8..16].copy_from_slice(&self.len.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.sequence.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.crc.to_le_bytes());
        let crc = crc32fast::hash(&bytes[..28]);
        bytes[28..32].copy_from_slice(&crc.to_le_bytes());
        let mark = if self.committed { COMMITTED } else { 0 };
        bytes[32..].copy_from_slice(&mark.to_le_bytes());
        bytes
    }

    /// Reads a header; `None` if there is none or it is damaged.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        if reader.array()? != SEGMENT_MAGIC {
            return None;
        }
        let header = Self {
            kind: SegmentKind::from_u32(reader.u32()?)?,
            len: reader.u64()?,
            sequence: reader.u64()?,
            crc: reader.u32()?,
            committed: false,
            mark_damaged: false,
        };
        if !checked(&bytes[..28], reader.u32()?) {
            return None;
        }
        let mark = reader.u64()?;
        Some(Self {
            committed: mark == COMMITTED,
            mark_damaged: ![0, COMMITTED].contains(&mark),
            ..header
        })
    }

    /// Where in `bytes` the first segment begins that may come behind number `sequence`; `at` is the offset of `bytes` in the file.
    pub(crate) fn find(bytes: &[u8], at: u64, sequence: u64) -> Option<usize> {
        let first = at.next_multiple_of(8) - at;
        let places = (usize::try_from(first).ok()?..bytes.len()).step_by(8);
        let is_header = |place: &usize| {
            let rest = &bytes[*place..];
            // Its own magic first: the rest is dear.
            rest.starts_with(&SEGMENT_MAGIC)
                && Self::read(rest).is_some_and(|header| {
                    let follows = match header.kind {
                        SegmentKind::Zone => header.sequence == 0,
                        _ => header.sequence > sequence,
                    };
                    follows && header.end(at + *place as u64).is_some()
                })
        };
        places.into_iter().find(is_header)
    }

    /// Offset of the next segment behind one at `at`; `None` if there is no such offset.
    pub(crate) fn end(&self, at: u64) -> Option<u64> {
        at.checked_add(SEGMENT_HEADER_BYTES)?
            .checked_add(self.len)?
            .checked_next_multiple_of(8)
    }
}

/// Where the buffers of a staging zone are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Zone {
    /// Size of a buffer.
    pub(crate) buffer_bytes: u64,
    /// Number of buffers.
    pub(crate) count: u64,
    /// Offset of the first in the file.
    pub(crate) first: u64,
}

impl Zone {
    pub(crate) fn to_bytes(self) -> [u8; ZONE_HEADER_BYTES as usize] {
        let mut bytes = [0; ZONE_HEADER_BYTES as usize];
        bytes[..8].copy_from_slice(&self.buffer_bytes.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.count.to_le_bytes());
        bytes[16..].copy_from_slice(&self.first.to_le_bytes());
        bytes
    }

    /// Reads the description of a zone that lies in `start..end`; `None` if it contradicts itself.
    pub(crate) fn read(bytes: &[u8], start: u64, end: u64) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let zone = Self {
            buffer_bytes: reader.u64()?,
            count: reader.u64()?,
            first: reader.u64()?,
        };
        let last = zone
            .buffer_bytes
            .checked_mul(zone.count)?
            .checked_add(zone.first)?;
        let sound = zone.buffer_bytes >= crate::raw::HEADER_BYTES as u64
            && zone.first >= start
            && last <= end;
        sound.then_some(zone)
    }
}
