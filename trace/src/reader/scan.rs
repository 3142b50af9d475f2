//! The walk over all segments when a trace is opened.

use std::collections::{BTreeMap, HashMap};

use super::error::{Damage, Lost, ReadError, SegmentPlace, Stretch};
use super::events::{Batch, RawPlace};
use super::source::Source;
use super::{Tables, ThreadDef};
use crate::chunk::{ChunkHeader, EncodingStats, KindStats, events_of_front};
use crate::model::{EventKind, LossKind, Skipped, ThreadNo};
use crate::raw::{HEADER_BYTES, STATE_FULL, STATE_LIVE, Walker};
use crate::segment::{
    DROPPED_BYTES, FILE_HEADER_BYTES, FileHeader, SEGMENT_HEADER_BYTES, SegmentHeader, SegmentKind,
    ZONE_HEADER_BYTES, Zone, checked, read_file_header,
};
use crate::table;
use crate::varint::Reader;

/// What the walk found.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) tables: Tables,
    pub(super) batches: BTreeMap<ThreadNo, Vec<Batch>>,
    pub(super) stats: BTreeMap<EventKind, KindStats>,
    pub(super) encoding: EncodingStats,
    pub(super) damage: Vec<Damage>,
    /// Events of dropped chunks.
    pub(super) dropped: u64,
    zones: Vec<Zone>,
    /// How much of each buffer is in chunks, by ordinal.
    encoded: HashMap<u64, u64>,
    sequence: u64,
    /// Of all that was looked at.
    pub(super) fingerprint: Fingerprint,
}

/// A number that is another one for another file, as far as is known without trying to deceive it: FNV-1a over the headers, which have the
/// checksums of all else, and over what has none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fingerprint(pub(super) u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Reads everything but the events.
pub(super) fn scan(source: &Source) -> Result<Scan, ReadError> {
    let header = source.read(0, FILE_HEADER_BYTES)?;
    let (clean, given_up, sound) = match read_file_header(&header) {
        FileHeader::Trace {
            clean,
            given_up,
            sound,
        } => (clean, given_up, sound),
        FileHeader::Cut => return Err(ReadError::Empty(source.path().to_owned())),
        FileHeader::Foreign => return Err(ReadError::Foreign(source.path().to_owned())),
        FileHeader::Version(version) => {
            let path = source.path().to_owned();
            return Err(ReadError::Version { path, version });
        }
    };
    let mut scan = Scan::default();
    scan.fingerprint.add(&header);
    scan.segments(source, clean)?;
    // Whoever writes the end without saying so in the header has been killed on the way, and leaves zones.
    let unsaid = !clean && scan.tables.end.is_some() && scan.zones.is_empty();
    if !sound || unsaid {
        scan.damage.push(Damage::FileHeader);
    }
    if !clean {
        for zone in std::mem::take(&mut scan.zones) {
            scan.zone(source, zone)?;
        }
    } else if scan.tables.end.is_none() {
        scan.damage.push(Damage::NoEnd);
    }
    scan.tables.skipped.extend(given_up.map(unwritten));
    scan.drop_before_window();
    scan.order();
    scan.settle_losses();
    // What has another checksum than its header says.
    scan.fingerprint.add(&scan.damage.len().to_le_bytes());
    for damage in &scan.damage {
        scan.fingerprint.add(damage.to_string().as_bytes());
    }
    let earlier = std::mem::take(&mut scan.tables.damage);
    scan.damage.extend(earlier.into_iter().map(Damage::Earlier));
    Ok(scan)
}

/// What is lost because the trace could not be written any more.
fn unwritten(error: i32) -> Skipped {
    let why = match error {
        0 => String::new(),
        error => format!(" ({})", std::io::Error::from_raw_os_error(error)),
    };
    Skipped {
        class: "(events)".into(),
        reason: format!("what came after the trace could not be written any more{why}"),
        kind: LossKind::Unwritten,
    }
}

/// So much is searched at once for a segment.
const SEARCHED_BYTES: u64 = 1 << 20;

/// What is lost with a segment of this kind, of which `payload` cannot be relied on.
fn lost_with(kind: SegmentKind, payload: &[u8], place: SegmentPlace) -> Lost {
    match kind {
        SegmentKind::Table => Lost::Record,
        SegmentKind::Events => {
            let chunk = ChunkHeader::read(&mut Reader::new(payload)).ok();
            Lost::events(chunk.map(|chunk| Stretch {
                thread: chunk.thread,
                position: (chunk.ordinal, chunk.from),
                offset: place.offset,
            }))
        }
        SegmentKind::Zone => Lost::events(None),
        SegmentKind::Dropped => Lost::Nothing,
    }
}

/// A segment of more is checked piece by piece before it is read whole. No chunk is so large, and hardly a record.
const LARGE_BYTES: u64 = 4 << 20;
/// What is read of the payload of a segment that is lost: more than the header of any chunk.
const FRONT_BYTES: u64 = 64 << 10;

/// The front of the payload of a segment that is lost.
fn front<'b>(
    source: &Source,
    place: SegmentPlace,
    header: &SegmentHeader,
    buffer: &'b mut Vec<u8>,
) -> Result<&'b [u8], ReadError> {
    let start = place.offset + SEGMENT_HEADER_BYTES;
    source.read_into(buffer, start, header.len.min(FRONT_BYTES))
}

/// Whether the payload that begins at `start`, and ends within the file, has the checksum that the header names.
fn is_sound(
    source: &Source,
    start: u64,
    header: &SegmentHeader,
    buffer: &mut Vec<u8>,
) -> Result<bool, ReadError> {
    let mut checksum = crc32fast::Hasher::new();
    let end = start + header.len;
    let mut at = start;
    while at < end {
        let piece = source.read_into(buffer, at, SEARCHED_BYTES.min(end - at))?;
        checksum.update(piece);
        at += piece.len() as u64;
    }
    Ok(cfg!(feature = "unchecked") || checksum.finalize() == header.crc)
}

impl Scan {
    fn segments(&mut self, source: &Source, clean: bool) -> Result<(), ReadError> {
        let mut offset = FILE_HEADER_BYTES;
        let mut buffer = Vec::new();
        for index in 0.. {
            let place = SegmentPlace { index, offset };
            let bytes = source.read(offset, SEGMENT_HEADER_BYTES)?;
            if bytes.is_empty() {
                break;
            }
            self.fingerprint.add(&bytes);
            if (bytes.len() as u64) < SEGMENT_HEADER_BYTES {
                // A full disk may have taken no more of the last segment; its events are still in their buffer.
                if clean {
                    self.truncated(source);
                }
                break;
            }
            let header = SegmentHeader::read(&bytes);
            let header = header.and_then(|header| Some((header.end(offset)?, header)));
            let Some((end, header)) = header else {
                match self.search(source, place)? {
                    Some(next) => offset = next,
                    None => break,
                }
                continue;
            };
            if header.mark_damaged {
                self.damage.push(Damage::Mark(place));
            }
            if !header.committed && !header.mark_damaged {
                // The last segment of a killed process is often being appended when it dies; its events are still in
                // their buffer.
                let being_appended = !clean && end >= source.len();
                if !being_appended {
                    self.uncommitted(source, place, &header, &mut buffer)?;
                }
            } else if header.kind == SegmentKind::Zone {
                self.zone_segment(source, place, &header, end)?;
            } else if header.kind == SegmentKind::Dropped {
                self.dropped_segment(source, place, &header)?;
            } else {
                self.segment(source, place, &header, &mut buffer)?;
            }
            offset = end;
        }
        Ok(())
    }

    /// Looks for the next segment behind a damaged header, at which nobody knows how long the segment is. Gives its offset.
    fn search(&mut self, source: &Source, place: SegmentPlace) -> Result<Option<u64>, ReadError> {
        let mut next = None;
        let mut from = place.offset + 8;
        // Little at first: a file may have many such places.
        let mut piece = SEGMENT_HEADER_BYTES;
        while from < source.len() {
            // What begins in a piece is whole in it, or begins the next one.
            let bytes = source.read(from, piece + SEGMENT_HEADER_BYTES)?;
            if let Some(at) = SegmentHeader::find(&bytes, from, self.sequence) {
                next = Some(from + at as u64);
                break;
            }
            from += piece;
            piece = SEARCHED_BYTES.min(piece * 2);
        }
        let mut segments = 0;
        if let Some(next) = next
            && let Some(header) = SegmentHeader::read(&source.read(next, SEGMENT_HEADER_BYTES)?)
            && header.kind != SegmentKind::Zone
        {
            // So that they are not named twice.
            segments = header.sequence - self.sequence - 1;
            self.sequence = header.sequence - 1;
        }
        self.damage.push(Damage::Header {
            place,
            next,
            segments,
        });
        Ok(next)
    }

    fn uncommitted(
        &mut self,
        source: &Source,
        place: SegmentPlace,
        header: &SegmentHeader,
        buffer: &mut Vec<u8>,
    ) -> Result<(), ReadError> {
        let lost = lost_with(header.kind, front(source, place, header, buffer)?, place);
        self.damage.push(Damage::Uncommitted { place, lost });
        if header.sequence == self.sequence + 1 {
            self.sequence = header.sequence;
        }
        Ok(())
    }

    fn truncated(&mut self, source: &Source) {
        self.damage.push(Damage::Truncated {
            offset: source.len(),
        });
    }

    fn zone_segment(
        &mut self,
        source: &Source,
        place: SegmentPlace,
        header: &SegmentHeader,
        end: u64,
    ) -> Result<(), ReadError> {
        let start = place.offset + SEGMENT_HEADER_BYTES;
        let description = source.read(start, ZONE_HEADER_BYTES)?;
        if end > source.len() {
            self.truncated(source);
        }
        let lost = lost_with(header.kind, &description, place);
        if !checked(&description, header.crc) {
            self.damage.push(Damage::Checksum { place, lost });
        } else if let Some(zone) = Zone::read(&description, start, end) {
            self.zones.push(zone);
        } else {
            self.damage.push(Damage::Payload { place, lost });
        }
        Ok(())
    }

    fn dropped_segment(
        &mut self,
        source: &Source,
        place: SegmentPlace,
        header: &SegmentHeader,
    ) -> Result<(), ReadError> {
        self.follow(place, header);
        let front = source.read(place.offset + SEGMENT_HEADER_BYTES, DROPPED_BYTES)?;
        match front.first_chunk() {
            None => self.truncated(source),
            Some(front) if checked(front, header.crc) => self.dropped += events_of_front(front),
            Some(_) => self.damage.push(Damage::Checksum {
                place,
                // What was in it was dropped before.
                lost: Lost::Nothing,
            }),
        }
        Ok(())
    }

    /// Checks that no segment is missing before this one. A dropped one may stand for many: it has the number of the last.
    fn follow(&mut self, place: SegmentPlace, header: &SegmentHeader) {
        let expected = self.sequence + 1;
        let stands_for_many =
            header.kind == SegmentKind::Dropped && header.sequence > self.sequence;
        if header.sequence != expected && !stands_for_many {
            self.damage.push(Damage::Sequence {
                place,
                expected,
                found: header.sequence,
            });
        }
        self.sequence = header.sequence.min(u64::MAX - 1);
    }

    fn segment(
        &mut self,
        source: &Source,
        place: SegmentPlace,
        header: &SegmentHeader,
        buffer: &mut Vec<u8>,
    ) -> Result<(), ReadError> {
        let start = place.offset + SEGMENT_HEADER_BYTES;
        if source.len().saturating_sub(start) < header.len {
            self.truncated(source);
            return Ok(());
        }
        self.follow(place, header);
        // A length that is damaged is not to cost the memory that it names.
        if header.len > LARGE_BYTES && !is_sound(source, start, header, buffer)? {
            let lost = lost_with(header.kind, front(source, place, header, buffer)?, place);
            self.damage.push(Damage::Checksum { place, lost });
            return Ok(());
        }
        let payload = source.read_into(buffer, start, header.len)?;
        let lost = || lost_with(header.kind, payload, place);
        if !checked(payload, header.crc) {
            let lost = lost();
            self.damage.push(Damage::Checksum { place, lost });
        } else if header.kind == SegmentKind::Table && table::has_class_files(payload) {
            self.tables.class_files.push((start, header.len));
        } else if header.kind == SegmentKind::Table {
            match table::decode(payload) {
                Some(record) => self.tables.add(record),
                None => self.damage.push(Damage::Payload {
                    place,
                    lost: Lost::Record,
                }),
            }
        } else {
            let mut reader = Reader::new(payload);
            match ChunkHeader::read(&mut reader) {
                Ok(chunk) if self.encoding.add(&chunk, &mut reader).is_some() => {
                    self.chunk(place, header.len, &chunk);
                }
                _ => {
                    let lost = lost();
                    self.damage.push(Damage::Payload { place, lost });
                }
            }
        }
        Ok(())
    }

    fn chunk(&mut self, place: SegmentPlace, len: u64, chunk: &ChunkHeader) {
        for (kind, stats) in &chunk.kinds {
            self.stats.entry(*kind).or_default().add(stats);
        }
        self.malformed(chunk.thread, chunk.ordinal, u64::from(chunk.malformed));
        let encoded = self.encoded.entry(chunk.ordinal).or_default();
        *encoded = chunk.to.max(*encoded);
        let batches = self.batches.entry(chunk.thread).or_default();
        batches.push(Batch::chunk(chunk, place, len));
    }

    fn malformed(&mut self, thread: ThreadNo, ordinal: u64, count: u64) {
        if count > 0 {
            self.damage.push(Damage::Malformed {
                thread,
                ordinal,
                count,
            });
        }
    }

    fn zone(&mut self, source: &Source, zone: Zone) -> Result<(), ReadError> {
        for place in 0..zone.count {
            // `Zone::read` has checked that this does not overflow.
            let offset = zone.first + place * zone.buffer_bytes;
            if offset >= source.len() {
                break;
            }
            self.buffer(source, offset, zone.buffer_bytes)?;
        }
        Ok(())
    }

    fn buffer(&mut self, source: &Source, offset: u64, bytes: u64) -> Result<(), ReadError> {
        let Some(mut raw) = RawPlace::read(source, offset)? else {
            return Ok(());
        };
        match raw.state {
            STATE_LIVE | STATE_FULL => {}
            crate::raw::STATE_FREE => return Ok(()),
            _ => {
                self.damage.push(Damage::Buffer { offset });
                return Ok(());
            }
        }
        if raw.cursor < HEADER_BYTES as u64 || raw.cursor > bytes {
            self.damage.push(Damage::Buffer { offset });
            return Ok(());
        }
        raw.from = self.encoded.get(&raw.ordinal).copied().unwrap_or(0);
        let events = raw.bytes(source)?;
        self.fingerprint.add(&events);
        let mut malformed = 0;
        let mut count = 0;
        for event in Walker::new(&events) {
            let kinds = event.and_then(|e| {
                // An event of which the payload makes no sense is left out when it is read: here is where that is counted.
                e.to_events(&self.tables.shapes)?;
                Ok((e.bytes as u64, e.kinds(&self.tables.shapes)?))
            });
            let Ok((bytes, kinds)) = kinds else {
                malformed += 1;
                continue;
            };
            count += kinds.len() as u64;
            let whole = KindStats {
                events: 1,
                raw_bytes: bytes,
                encoded_bytes: bytes,
            };
            for (kind, stats) in whole.shared(kinds.into_iter()) {
                self.stats.entry(kind).or_default().add(&stats);
            }
        }
        self.malformed(raw.thread, raw.ordinal, malformed);
        // A process that is killed while it spills a buffer leaves it in two places.
        let known = self.encoded.entry(raw.ordinal).or_default();
        *known = (raw.cursor - HEADER_BYTES as u64).max(*known);
        if count > 0 {
            let batches = self.batches.entry(raw.thread).or_default();
            batches.push(Batch::raw(raw, count));
        }
        Ok(())
    }

    /// Leaves out what comes before the window.
    fn drop_before_window(&mut self) {
        let Some(window) = self.tables.window else {
            return;
        };
        for batches in self.batches.values_mut() {
            batches.retain(|batch| {
                let kept = batch.position().0 >= window.first;
                self.dropped += if kept { 0 } else { batch.events() };
                kept
            });
        }
        self.batches.retain(|_, batches| !batches.is_empty());
    }

    /// What the front of a damaged chunk says of it may be damaged itself. It is believed if it fits what else is known.
    fn settle_losses(&mut self) {
        let Self {
            damage,
            batches,
            tables,
            ..
        } = self;
        let fits = |found: &Stretch| {
            let known = |thread| tables.threads.iter().any(|t| t.no == thread);
            let mut all = batches.iter();
            // A buffer has one thread.
            let taken = all.any(|(&thread, batches)| {
                let ordinal = |batch: &Batch| batch.position().0 == found.position.0;
                thread != found.thread && batches.iter().any(ordinal)
            });
            known(found.thread) && !taken
        };
        for lost in damage.iter_mut().filter_map(Damage::lost_mut) {
            if let Lost::Events(_, Some(found)) = lost
                && !fits(found)
            {
                *lost = Lost::Events(None, None);
            }
        }
    }

    /// Puts batches and threads into order. Threads whose record is lost get one without name.
    fn order(&mut self) {
        for batches in self.batches.values_mut() {
            batches.sort_by_key(Batch::position);
        }
        let threads = &mut self.tables.threads;
        threads.sort_by_key(|t| t.no);
        self.tables.marks.sort_by_key(|m| m.no);
        threads.dedup_by_key(|t| t.no);
        for &no in self.batches.keys() {
            if let Err(at) = threads.binary_search_by_key(&no, |t| t.no) {
                threads.insert(
                    at,
                    ThreadDef {
                        no,
                        name: String::new(),
                    },
                );
            }
        }
    }
}
