//! What can be wrong with a trace.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::chunk::ChunkError;
use crate::model::{DamageDef, LostKind, ThreadNo};

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
    #[error("{} has trace format {version}, and this jinsi reads format {supported}", path.display(), supported = crate::segment::VERSION)]
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

/// A run of events of one thread, as the trace has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The thread.
    pub thread: ThreadNo,
    /// Ordinal of its buffer, and where in it the events begin, in bytes: rises along a thread's stream.
    pub position: (u64, u64),
    /// Offset in the file, in bytes.
    pub offset: u64,
}

/// What a damage may have taken from the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// Nothing that is part of the recording.
    Nothing,
    /// Events; of which thread, if that is known, and where they were, if that is.
    Events(Option<ThreadNo>, Option<Stretch>),
    /// A record of a table: a class, sites, a thread, a throwable, a failure, …
    Record,
    /// Events, records, or both.
    Unknown,
}

impl Lost {
    /// Events of this stretch, or of an unknown one.
    pub(super) fn events(stretch: Option<Stretch>) -> Self {
        Self::Events(stretch.map(|s| s.thread), stretch)
    }

    /// One word for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Events(..) => "events",
            Self::Record => "record",
            Self::Unknown => "unknown",
        }
    }
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
    /// The header of the file has what no writer writes.
    #[error("the header of the file is damaged")]
    FileHeader,
    /// Where a segment should begin there is none.
    #[error("{place} has a damaged header; {}", skipped(*.next, *.segments))]
    Header {
        /// The place.
        place: SegmentPlace,
        /// Where the next segment was found; `None` if there is none up to the end of the file.
        next: Option<u64>,
        /// Segments with a number that are missing before it.
        segments: u64,
    },
    /// The checksum of a segment is wrong; it is skipped.
    #[error("checksum of {place} is wrong, the segment is skipped{}", of_thread(.lost))]
    Checksum {
        /// The segment.
        place: SegmentPlace,
        /// What was in it.
        lost: Lost,
    },
    /// A segment without commit mark; it is skipped.
    #[error("{place} has no commit mark, the segment is skipped{}", of_thread(.lost))]
    Uncommitted {
        /// The segment.
        place: SegmentPlace,
        /// What was in it.
        lost: Lost,
    },
    /// A segment whose commit mark is damaged; it is read if its checksum is right.
    #[error("{0} has a damaged commit mark")]
    Mark(SegmentPlace),
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
    #[error("{place} cannot be understood and is skipped")]
    Payload {
        /// The segment.
        place: SegmentPlace,
        /// What was in it.
        lost: Lost,
    },
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
    /// Damage of the trace that this one was made of.
    #[error("the trace that this one was made of was damaged: {}", .0.what)]
    Earlier(DamageDef),
}

impl Damage {
    /// The segment that is damaged, or before which something is missing.
    pub fn place(&self) -> Option<SegmentPlace> {
        match self {
            Self::Header { place, .. }
            | Self::Checksum { place, .. }
            | Self::Uncommitted { place, .. }
            | Self::Mark(place)
            | Self::Sequence { place, .. }
            | Self::Payload { place, .. } => Some(*place),
            _ => None,
        }
    }

    /// What it may have taken.
    pub fn lost(&self) -> Lost {
        match self {
            Self::FileHeader | Self::Mark(_) => Lost::Nothing,
            Self::Checksum { lost, .. }
            | Self::Uncommitted { lost, .. }
            | Self::Payload { lost, .. } => *lost,
            Self::Buffer { .. } => Lost::Events(None, None),
            Self::Malformed { thread, .. } => Lost::Events(Some(*thread), None),
            Self::Truncated { .. } | Self::Header { .. } | Self::Sequence { .. } | Self::NoEnd => {
                Lost::Unknown
            }
            Self::Earlier(def) => match (def.lost, def.thread) {
                (LostKind::Nothing, _) => Lost::Nothing,
                (LostKind::Events, thread) => Lost::Events(thread, None),
                (LostKind::Record, _) => Lost::Record,
                (LostKind::Unknown, _) => Lost::Unknown,
            },
        }
    }

    /// What a trace that is made of the damaged one says of it.
    pub fn def(&self) -> DamageDef {
        if let Self::Earlier(def) = self {
            return def.clone();
        }
        let (lost, thread) = match self.lost() {
            Lost::Nothing => (LostKind::Nothing, None),
            Lost::Events(thread, _) => (LostKind::Events, thread),
            Lost::Record => (LostKind::Record, None),
            Lost::Unknown => (LostKind::Unknown, None),
        };
        DamageDef {
            what: self.to_string(),
            lost,
            thread,
        }
    }

    /// The place of what was lost, to be settled when the whole trace is known.
    pub(super) fn lost_mut(&mut self) -> Option<&mut Lost> {
        match self {
            Self::Checksum { lost, .. }
            | Self::Uncommitted { lost, .. }
            | Self::Payload { lost, .. } => Some(lost),
            _ => None,
        }
    }
}

fn skipped(next: Option<u64>, segments: u64) -> String {
    match (next, segments) {
        (None, _) => "what follows is lost".into(),
        (Some(next), 0) => format!("the next segment is at offset {next}"),
        (Some(next), 1) => format!("one segment is lost, the next is at offset {next}"),
        (Some(next), many) => format!("{many} segments are lost, the next is at offset {next}"),
    }
}

fn of_thread(lost: &Lost) -> String {
    match lost {
        Lost::Events(Some(thread), _) => format!(" (events of thread {thread})"),
        Lost::Events(None, _) => " (events)".into(),
        Lost::Record => " (a record of a table)".into(),
        Lost::Nothing | Lost::Unknown => String::new(),
    }
}
