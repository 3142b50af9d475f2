//! The event chunks in the file, of which the oldest may have to go.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use super::staging::punch;
use crate::chunk::{events_of_front, position_of_front};
use crate::segment::{DROPPED_BYTES, SEGMENT_HEADER_BYTES, SegmentHeader, SegmentKind};

/// A chunk's segment.
#[derive(Debug)]
struct Place {
    sequence: u64,
    range: Range<u64>,
    /// The beginning of the payload.
    front: [u8; DROPPED_BYTES as usize],
}

impl Place {
    /// The header of the segment once it is dropped, if the payload is `len` bytes long.
    fn header(&self, len: u64) -> SegmentHeader {
        SegmentHeader {
            committed: true,
            ..SegmentHeader::new(SegmentKind::Dropped, len, self.sequence, &self.front)
        }
    }
}

/// All chunks.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    /// By position in the stream of events. A buffer that was filled earlier than another may be encoded later.
    kept: BTreeMap<(u64, u64), Place>,
    /// Chunks before this position are dropped, whenever they come.
    floor: (u64, u64),
    dropped: Vec<Place>,
    dropped_bytes: u64,
    dropped_events: u64,
}

impl Chunks {
    /// A chunk with this payload has been written as the segment at `range`.
    pub(super) fn appended(&mut self, sequence: u64, range: Range<u64>, payload: &[u8]) {
        if let Some(front) = payload.first_chunk() {
            let front = *front;
            let place = Place {
                sequence,
                range,
                front,
            };
            self.kept.insert(position_of_front(&front), place);
        }
    }

    /// Is there a chunk that is older than one that was dropped?
    pub(super) fn has_straggler(&self) -> bool {
        self.kept
            .first_key_value()
            .is_some_and(|(&at, _)| at < self.floor)
    }

    /// Drops the oldest chunk; false if there is none. Its segment says at once that it is dropped; then its space is given back.
    pub(super) fn drop_one(&mut self, file: &File) -> io::Result<bool> {
        let Some((position, oldest)) = self.kept.pop_first() else {
            return Ok(false);
        };
        self.floor = self.floor.max(position);
        let Range { start, end } = oldest.range;
        let header = oldest.header(end - start - SEGMENT_HEADER_BYTES);
        file.write_all_at(&header.to_bytes(), start)?;
        punch(file, start + SEGMENT_HEADER_BYTES + DROPPED_BYTES, end);
        self.dropped_bytes += end - start;
        self.dropped_events += events_of_front(&oldest.front);
        self.dropped.push(oldest);
        Ok(true)
    }

    pub(super) fn dropped_bytes(&self) -> u64 {
        self.dropped_bytes
    }

    pub(super) fn dropped_events(&self) -> u64 {
        self.dropped_events
    }

    /// Where the dropped chunks lie, and the shortest segment that says the same.
    pub(super) fn dropped(&self) -> impl Iterator<Item = (Range<u64>, Vec<u8>)> + '_ {
        self.dropped.iter().map(|place| {
            let header = place.header(DROPPED_BYTES);
            let segment = [&header.to_bytes()[..], &place.front].concat();
            (place.range.clone(), segment)
        })
    }
}
