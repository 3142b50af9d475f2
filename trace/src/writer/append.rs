//! The end of the file where segments go, and the buffers of the staging zones.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use jinsi_platform::files::{read_exact_at, write_all_at};
use jinsi_platform::memory;
use jinsi_platform::space::reserve;
use parking_lot::Mutex;

use super::WriterOptions;
use super::chunks::Chunks;
use super::lost::PAGE;
use super::staging::{Buffer, MappedZone};
use crate::model::{ThreadNo, Window};
use crate::raw::{HEADER_BYTES, STATE_FREE, STATE_FULL, STATE_LIVE, TAIL_BYTES};
use crate::segment::{
    COMMIT_OFFSET, COMMITTED, FILE_HEADER_BYTES, SEGMENT_HEADER_BYTES, SegmentHeader, SegmentKind,
    ZONE_HEADER_BYTES, Zone, file_header,
};

const MIN_PAGES: usize = 4;
// Buffers are mapped, so they begin where pages of the system do.
const _: () = assert!(PAGE.is_multiple_of(memory::PAGE));
/// Memory that is kept from one segment to the next.
const KEPT_BYTES: usize = 1 << 20;

/// A segment that is a zone.
#[derive(Debug)]
pub(super) struct PlacedZone {
    /// Where it lies.
    pub(super) range: Range<u64>,
    /// Its buffers.
    pub(super) zone: Zone,
    /// May threads have it mapped?
    pub(super) mapped: bool,
}

/// Appends segments.
#[derive(Debug)]
pub(super) struct Appender {
    pub(super) file: Arc<File>,
    /// Where the next segment goes.
    pub(super) tail: u64,
    pub(super) zones: Vec<PlacedZone>,
    sequence: u64,
    chunks: Chunks,
    /// The last cut, if there was one, and what had been written by then.
    cut: Option<Window>,
    written_at_cut: u64,
    /// Where the last segment begins.
    last: Option<u64>,
    /// Memory for the segment that is written.
    bytes: Vec<u8>,
    /// Has a segment not been written as it should?
    broken: bool,
}

impl Appender {
    pub(super) fn new(file: Arc<File>) -> Self {
        Self {
            file,
            tail: FILE_HEADER_BYTES,
            zones: Vec::new(),
            sequence: 0,
            chunks: Chunks::default(),
            cut: None,
            written_at_cut: 0,
            last: None,
            bytes: Vec::new(),
            broken: false,
        }
    }

    /// Writes the file header.
    pub(super) fn begin(&self) -> io::Result<()> {
        write_all_at(&self.file, &file_header(false), 0)
    }

    /// Size of header and segments, without zones.
    pub(super) fn written(&self) -> u64 {
        self.tail_without_zones() - self.chunks.dropped_bytes()
    }

    fn tail_without_zones(&self) -> u64 {
        let sizes = self.zones.iter().map(|z| z.range.end - z.range.start);
        let zones: u64 = sizes.sum();
        self.tail - zones
    }

    /// Appends a segment. After an error the file is as before, as readers see it, and nothing is appended any more: a shorter segment
    /// might find room on a full disk, and readers would take the events of the failed one, still in their buffer, for encoded.
    /// `perishable`: the segment, a table's, goes with the chunks that are written about the same time.
    pub(super) fn append(
        &mut self,
        kind: SegmentKind,
        payload: &[u8],
        perishable: bool,
    ) -> io::Result<()> {
        if self.broken {
            return Err(io::Error::other("an earlier segment could not be written"));
        }
        self.broken = true;
        self.try_append(kind, payload, perishable)?;
        self.broken = false;
        Ok(())
    }

    fn try_append(
        &mut self,
        kind: SegmentKind,
        payload: &[u8],
        perishable: bool,
    ) -> io::Result<()> {
        self.is_whole()?;
        let sequence = self.sequence + 1;
        let header = SegmentHeader::new(kind, payload.len() as u64, sequence, payload);
        let bytes = &mut self.bytes;
        bytes.clear();
        bytes.extend(header.to_bytes());
        bytes.extend_from_slice(payload);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        write_all_at(&self.file, bytes, self.tail)?;
        let end = self.tail + bytes.len() as u64;
        bytes.shrink_to(KEPT_BYTES);
        self.commit()?;
        self.last = Some(self.tail);
        if kind == SegmentKind::Events {
            self.chunks.appended(sequence, self.tail..end, payload);
        } else if perishable {
            self.chunks.perishable(sequence, self.tail..end);
        }
        self.tail = end;
        self.sequence = sequence;
        Ok(())
    }

    /// An error if somebody has cut the file: what is written behind its end would be behind a hole. If that happened while the last
    /// segment was written, the file is long enough again, but what was before that segment is zero.
    fn is_whole(&self) -> io::Result<()> {
        if self.file.metadata()?.len() < self.tail {
            return Err(truncated());
        }
        let mut mark = COMMITTED.to_le_bytes();
        if let Some(last) = self.last {
            read_exact_at(&self.file, &mut mark, last + COMMIT_OFFSET)?;
        }
        if mark != COMMITTED.to_le_bytes() {
            return Err(truncated());
        }
        Ok(())
    }

    /// Drops the oldest chunks until what is written is no larger than `max`, or there are none.
    pub(super) fn drop_oldest(&mut self, max: u64) -> io::Result<()> {
        while (self.written() > max || self.chunks.has_straggler())
            && self.chunks.drop_one(&self.file)?
        {}
        Ok(())
    }

    /// Bytes written since the last cut.
    pub(super) fn since_cut(&self) -> u64 {
        self.tail_without_zones() - self.written_at_cut
    }

    /// Begins a window; the one before, of which the end is reached.
    pub(super) fn cut(&mut self, window: Window) -> Option<Window> {
        self.written_at_cut = self.tail_without_zones();
        self.chunks.cut();
        self.cut.replace(window)
    }

    /// Drops the chunks of buffers before `ordinal`, and perishable tables written before the last cut but one.
    pub(super) fn drop_before(&mut self, ordinal: u64) -> io::Result<()> {
        self.chunks.drop_before(ordinal, &self.file)
    }

    /// Events of dropped chunks.
    pub(super) fn dropped_events(&self) -> u64 {
        self.chunks.dropped_events()
    }

    /// The dropped chunks, in rising order: where they lie, and a segment that says the same in little.
    pub(super) fn dropped(&self) -> impl Iterator<Item = (Range<u64>, Vec<u8>)> + '_ {
        self.chunks.dropped()
    }

    fn commit(&self) -> io::Result<()> {
        write_all_at(
            &self.file,
            &COMMITTED.to_le_bytes(),
            self.tail + COMMIT_OFFSET,
        )
    }

    /// Appends a zone of `count` buffers, all free. `mapped`: threads are going to write into it.
    pub(super) fn append_zone(
        &mut self,
        buffer_bytes: usize,
        count: usize,
        mapped: bool,
    ) -> io::Result<Zone> {
        let too_large = || io::Error::from(io::ErrorKind::FileTooLarge);
        let bytes = buffer_bytes.checked_mul(count).ok_or_else(too_large)? as u64;
        let payload = self.tail + SEGMENT_HEADER_BYTES;
        let first = (payload + ZONE_HEADER_BYTES).next_multiple_of(PAGE as u64);
        let end = first.checked_add(bytes).ok_or_else(too_large)?;
        self.is_whole()?;
        let zone = Zone {
            buffer_bytes: buffer_bytes as u64,
            count: count as u64,
            first,
        };
        let description = zone.to_bytes();
        let header = SegmentHeader::new(SegmentKind::Zone, end - payload, 0, &description);
        // Before there is space behind it: whoever finds the zone unfinished has to know that it is one.
        write_all_at(&self.file, &header.to_bytes(), self.tail)?;
        write_all_at(&self.file, &description, payload)?;
        reserve(&self.file, self.tail, end)?;
        self.commit()?;
        self.last = Some(self.tail);
        self.zones.push(PlacedZone {
            range: self.tail..end,
            zone,
            mapped,
        });
        self.tail = end;
        Ok(zone)
    }

    fn append_mapped(&mut self, buffer_bytes: usize, count: usize) -> io::Result<MappedZone> {
        let zone = self.append_zone(buffer_bytes, count, true)?;
        MappedZone::map(&self.file, zone)
    }
}

/// The error for a file of which a part is gone.
pub(super) fn truncated() -> io::Error {
    io::Error::new(
        io::ErrorKind::UnexpectedEof,
        "a part of it is gone: it was truncated, or there is no space",
    )
}

/// A buffer that is being encoded.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) buffer: Buffer,
    at: Place,
}

/// Zone and place in it.
type Place = (usize, usize);

/// Which buffers there are and who has them.
#[derive(Debug)]
pub(super) struct Buffers {
    zones: Vec<MappedZone>,
    /// Free buffers of the usual size.
    free: Vec<Place>,
    /// Free buffers that were made for one large event.
    large: Vec<Place>,
    taken: HashSet<Place>,
    ordinal: u64,
    buffer_bytes: usize,
    per_zone: usize,
    /// For [`super::lost`].
    lost: Arc<AtomicBool>,
}

impl Buffers {
    /// `lost` is set when a page of a buffer is gone from the file.
    pub(super) fn new(options: &WriterOptions, lost: Arc<AtomicBool>) -> Self {
        let pages = options.buffer_bytes.div_ceil(PAGE).max(MIN_PAGES);
        Self {
            zones: Vec::new(),
            free: Vec::new(),
            large: Vec::new(),
            taken: HashSet::new(),
            ordinal: 0,
            buffer_bytes: pages * PAGE,
            per_zone: options.buffers_per_zone.max(1),
            lost,
        }
    }

    /// Appends a zone of buffers of the usual size.
    pub(super) fn add_zone(&mut self, appender: &mut Appender) -> io::Result<()> {
        let zone = appender.append_mapped(self.buffer_bytes, self.per_zone)?;
        zone.watch(self.lost.clone());
        let no = self.zones.len();
        self.free
            .extend((0..zone.count()).rev().map(|place| (no, place)));
        self.zones.push(zone);
        Ok(())
    }

    /// Size of a buffer of the usual size.
    pub(super) fn buffer_bytes(&self) -> usize {
        self.buffer_bytes
    }

    fn buffer(&self, (zone, place): Place) -> Option<Buffer> {
        self.zones.get(zone)?.buffer(place)
    }

    pub(super) fn acquire(
        &mut self,
        thread: ThreadNo,
        min_bytes: usize,
        appender: &Mutex<Appender>,
    ) -> io::Result<Buffer> {
        let too_large = || io::Error::from(io::ErrorKind::FileTooLarge);
        let needed = min_bytes.checked_add(HEADER_BYTES + TAIL_BYTES);
        let needed = needed.ok_or_else(too_large)?;
        let place = if needed > self.buffer_bytes {
            self.large_place(needed, appender)?
        } else {
            if self.free.is_empty() {
                self.add_zone(&mut appender.lock())?;
            }
            self.free.pop().ok_or_else(too_large)?
        };
        let buffer = self.buffer(place).ok_or_else(too_large)?;
        self.ordinal += 1;
        buffer.begin(thread, self.ordinal);
        buffer.set_state(STATE_LIVE);
        Ok(buffer)
    }

    /// The ordinal of the next acquisition.
    pub(super) fn next_ordinal(&self) -> u64 {
        self.ordinal + 1
    }

    /// The smallest free large buffer that is large enough, or a new one.
    fn large_place(&mut self, needed: usize, appender: &Mutex<Appender>) -> io::Result<Place> {
        let size = |place: &Place| self.zones.get(place.0).map_or(0, MappedZone::buffer_bytes);
        let fitting = (0..self.large.len()).filter(|&i| size(&self.large[i]) >= needed);
        if let Some(best) = fitting.min_by_key(|&i| size(&self.large[i])) {
            return Ok(self.large.swap_remove(best));
        }
        let bytes = needed
            .checked_next_multiple_of(self.buffer_bytes)
            .ok_or_else(|| io::Error::from(io::ErrorKind::FileTooLarge))?;
        let zone = appender.lock().append_mapped(bytes, 1)?;
        zone.watch(self.lost.clone());
        self.zones.push(zone);
        Ok((self.zones.len() - 1, 0))
    }

    fn find(&self, address: *mut u8) -> Option<Place> {
        let mut zones = self.zones.iter().enumerate();
        zones.find_map(|(no, zone)| Some((no, zone.place(address)?)))
    }

    /// The buffer that begins at `address`.
    pub(super) fn at(&self, address: *mut u8) -> Option<Buffer> {
        self.find(address).and_then(|place| self.buffer(place))
    }

    pub(super) fn hand_over(&mut self, address: *mut u8) {
        if let Some(buffer) = self.at(address)
            && buffer.state() == STATE_LIVE
        {
            buffer.set_state(STATE_FULL);
        }
    }

    /// Takes a buffer for encoding: `None` if the address is no buffer's, `Some(None)` if there is nothing to do.
    pub(super) fn take(&mut self, address: *mut u8) -> Option<Option<Taken>> {
        let at = self.find(address)?;
        Some(self.take_place(at))
    }

    fn take_place(&mut self, at: Place) -> Option<Taken> {
        let buffer = self.buffer(at)?;
        (buffer.state() != STATE_FREE && self.taken.insert(at)).then_some(Taken { buffer, at })
    }

    /// Takes all buffers that are not free, in the order in which threads got them.
    pub(super) fn take_all(&mut self) -> Vec<Taken> {
        let places = self.zones.iter().enumerate();
        let places = places.flat_map(|(no, zone)| (0..zone.count()).map(move |place| (no, place)));
        let places: Vec<Place> = places.collect();
        let mut all: Vec<Taken> = places
            .into_iter()
            .filter_map(|at| self.take_place(at))
            .collect();
        all.sort_by_key(|taken| taken.buffer.ordinal());
        all
    }

    /// Ends what `take` began. `free`: the events are in the file, the buffer can be used again.
    pub(super) fn give_back(&mut self, taken: Taken, free: bool) {
        self.taken.remove(&taken.at);
        if free {
            taken.buffer.set_state(STATE_FREE);
            let large = self
                .zones
                .get(taken.at.0)
                .is_some_and(|z| z.buffer_bytes() > self.buffer_bytes);
            if large {
                &mut self.large
            } else {
                &mut self.free
            }
            .push(taken.at);
        }
    }
}
