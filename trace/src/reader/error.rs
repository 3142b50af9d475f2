//! What can be wrong with a trace.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::chunk::ChunkError;
use crate::model::ThreadNo;

/// Where a segment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentPlace {
    /// Its number in the file, from 0.
    pub index: usize,
    /// Its offset in the file, in bytes.
    pub offset: u64,
}

impl fmt::Display for SegmentPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "segment {} at offset {}", self.index, self.offset)
    }
}

/// Why a trace, or events of it, cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The operating system says no.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Another kind of file.
    #[error("{} is not a jinsi trace", .0.display())]
    Foreign(PathBuf),
    /// A trace of another version of the format.
    #[error("{} is a trace of format version {version}, this is for version {supported}", path.display(), supported = crate::segment::VERSION)]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// The beginning is missing: nothing was recorded yet when the process was killed, or the file was cut.
    #[error("{} is empty, cut off or damaged before its first record", .0.display())]
    Empty(PathBuf),
    /// A chunk of events with a right checksum that cannot be decoded.
    #[error("{}: {place}: {source}", path.display())]
    Chunk {
        /// The file.
        path: PathBuf,
        /// The chunk.
        place: SegmentPlace,
        /// The reason.
        source: ChunkError,
    },
    /// A buffer was recycled since the trace was opened.
    #[error("{} is still being written: open it again", .0.display())]
    Changed(PathBuf),
}

/// Something in a trace that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Damage {
    /// The file is shorter than what it says.
    #[error("the file is cut off at offset {offset}")]
    Truncated {
        /// Size of the file in bytes.
        offset: u64,
    },
    /// Where a segment should begin there is none; nothing behind it is read.
    #[error("{0} has a damaged header; what follows is lost")]
    Header(SegmentPlace),
    /// The checksum of a segment is wrong; it is skipped.
    #[error("checksum of {0} is wrong, the segment is skipped")]
    Checksum(SegmentPlace),
    /// A segment without commit mark; it is skipped.
    #[error("{0} has no commit mark, the segment is skipped")]
    Uncommitted(SegmentPlace),
    /// Segments before this one are missing.
    #[error("{place} has number {found}, not {expected}")]
    Sequence {
        /// The segment.
        place: SegmentPlace,
        /// Number it should have.
        expected: u64,
        /// Number it has.
        found: u64,
    },
    /// The payload of a segment makes no sense though its checksum is right.
    #[error("{0} cannot be understood and is skipped")]
    Payload(SegmentPlace),
    /// The header of a thread buffer makes no sense.
    #[error("thread buffer at offset {offset} is damaged")]
    Buffer {
        /// Offset in the file.
        offset: u64,
    },
    /// Events that the probes left malformed.
    #[error("{count} malformed events of thread {thread} in buffer {ordinal} are left out")]
    Malformed {
        /// The thread.
        thread: ThreadNo,
        /// Ordinal of the buffer.
        ordinal: u64,
        /// How many.
        count: u64,
    },
    /// The file says it was closed, but the last record is not there.
    #[error("the trace was closed, but its end is missing")]
    NoEnd,
}
