//! The event chunks in the file, of which the oldest may have to go, and tables that go with them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::ops::Range;

use jinsi_platform::files::write_all_at;
use jinsi_platform::space::give_back;

use crate::chunk::{events_of_front, front_of_events, position_of_front};
use crate::segment::{DROPPED_BYTES, SEGMENT_HEADER_BYTES, SegmentHeader, SegmentKind};

/// Size of the smallest segment that says that something was dropped.
const STUB_BYTES: u64 = SEGMENT_HEADER_BYTES + DROPPED_BYTES;

/// A chunk's segment, or several dropped segments one behind the other: then with the number of the last.
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

impl Place {
    /// Lies `next` just behind it, so that one segment can stand for both?
    fn is_before(&self, next: &Place) -> bool {
        let events = events_of_front(&self.front) + events_of_front(&next.front);
        self.range.end == next.range.start && u32::try_from(events).is_ok()
    }

    /// Takes in the place just behind it.
    fn join(&mut self, next: &Place) {
        let events = events_of_front(&self.front) + events_of_front(&next.front);
        self.front = front_of_events(u32::try_from(events).unwrap_or(u32::MAX));
        self.sequence = next.sequence;
        self.range.end = next.range.end;
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
    /// Perishable tables since the last cut, and those of the window before.
    tables: Vec<Place>,
    old_tables: Vec<Place>,
    /// Those that are to go with the next chunks that do.
    outdated: Vec<Place>,
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
        write_all_at(file, &header.to_bytes(), start)?;
        give_back(file, start + SEGMENT_HEADER_BYTES + DROPPED_BYTES, end);
        self.dropped_bytes += end - start;
        self.dropped_events += events_of_front(&oldest.front);
        self.dropped.push(oldest);
        Ok(true)
    }

    /// A table that is of use only as long as the events of its time are there has been written at `range`.
    pub(super) fn perishable(&mut self, sequence: u64, range: Range<u64>) {
        self.tables.push(Place {
            sequence,
            range,
            front: front_of_events(0),
        });
    }

    /// A window begins. Tables of the one before the last are outdated.
    pub(super) fn cut(&mut self) {
        let ended = std::mem::take(&mut self.tables);
        let before = std::mem::replace(&mut self.old_tables, ended);
        self.outdated.extend(before);
    }

    /// Drops the chunks of buffers before `ordinal` and the outdated tables. What lies side by side becomes one segment, and what was
    /// dropped before beside it too, so that no page of the file is kept by remains.
    pub(super) fn drop_before(&mut self, ordinal: u64, file: &File) -> io::Result<()> {
        let kept = self.kept.split_off(&(ordinal, 0));
        let chunks = std::mem::replace(&mut self.kept, kept).into_values();
        let mut places = std::mem::take(&mut self.outdated);
        for chunk in chunks {
            self.dropped_events += events_of_front(&chunk.front);
            self.dropped_bytes += chunk.range.end - chunk.range.start;
            places.push(chunk);
        }
        let earlier = std::mem::take(&mut self.dropped);
        let begin = places.iter().map(|p| p.range.start).min().unwrap_or(0);
        // Most of what was dropped earlier is far from what is dropped now and has nothing to be joined with.
        let (far, near): (Vec<Place>, Vec<Place>) =
            earlier.into_iter().partition(|p| p.range.end < begin);
        self.dropped = far;
        places.extend(near);
        places.sort_by_key(|p| p.range.start);
        let mut places = places.into_iter().peekable();
        while let Some(mut run) = places.next() {
            while let Some(next) = places.next_if(|next| run.is_before(next)) {
                run.join(&next);
            }
            self.drop_run(run, file)?;
        }
        Ok(())
    }

    /// Drops what lies at a place. What is too small to say so waits for more.
    fn drop_run(&mut self, run: Place, file: &File) -> io::Result<()> {
        let Range { start, end } = run.range;
        if end - start < STUB_BYTES {
            self.outdated.push(run);
            return Ok(());
        }
        let header = run.header(end - start - SEGMENT_HEADER_BYTES);
        let stub = [&header.to_bytes()[..], &run.front].concat();
        write_all_at(file, &stub, start)?;
        give_back(file, start + STUB_BYTES, end);
        self.dropped.push(run);
        Ok(())
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
