//! Where full buffers wait that come faster than they are encoded.
//!
//! A spill zone is a staging zone that is not mapped: a full buffer is copied into a free place of it, and is free for threads again. That
//! takes a fraction of the time that encoding takes, and no memory of the process. A reader of what a killed process leaves finds
//! spilled events as it finds those in other zones.

use std::collections::VecDeque;
use std::fs::File;
use std::io;

use jinsi_platform::files::{read_exact_at, write_all_at};
use jinsi_platform::space::growth;
use parking_lot::Mutex;

use super::append::{Appender, truncated};
use super::staging::Buffer;
use crate::model::ThreadNo;
use crate::raw::{
    HEADER_BYTES, OFFSET_CURSOR, OFFSET_LIMIT, OFFSET_ORDINAL, OFFSET_STATE, OFFSET_THREAD,
    STATE_FREE, STATE_FULL,
};

/// Places that are added at a time.
const PLACES: usize = 64;
/// All places together take at most such a part of what is free where the trace is.
const PART_OF_FREE: u64 = 8;

/// The events of a full buffer, on the disk.
#[derive(Debug)]
pub(super) struct Spilled {
    place: u64,
    thread: ThreadNo,
    ordinal: u64,
    /// Bytes of events.
    len: usize,
}

impl Spilled {
    /// Whose events they are: the thread, and the ordinal of the buffer in which they were.
    pub(super) fn whose(&self) -> (ThreadNo, u64) {
        (self.thread, self.ordinal)
    }

    fn header(&self, buffer_bytes: usize) -> [u8; HEADER_BYTES] {
        let mut header = [0; HEADER_BYTES];
        let words = [
            (OFFSET_CURSOR, (HEADER_BYTES + self.len) as u64),
            (OFFSET_LIMIT, buffer_bytes as u64),
            (OFFSET_STATE, STATE_FULL),
            (OFFSET_ORDINAL, self.ordinal),
            (OFFSET_THREAD, u64::from(self.thread)),
        ];
        for (offset, word) in words {
            header[offset..offset + 8].copy_from_slice(&word.to_le_bytes());
        }
        header
    }
}

/// The spill zones of a trace.
#[derive(Debug)]
pub(super) struct Spill {
    file: File,
    buffer_bytes: usize,
    places: Mutex<Places>,
    /// Memory for what is read.
    memory: Mutex<Vec<Vec<u8>>>,
}

#[derive(Debug)]
struct Places {
    /// Size that all zones may have together, in bytes; 0 once there can be no further one.
    limit: u64,
    zone_bytes: u64,
    free: Vec<u64>,
    waiting: VecDeque<Spilled>,
}

impl Places {
    /// Nothing can be written into the file any more, or not so much.
    fn end(&mut self) {
        self.limit = 0;
        self.free.clear();
    }
}

impl Spill {
    /// For buffers of this size. `limit`: bytes that the zones may take together.
    ///
    /// # Errors
    /// There can be no further descriptor of the file.
    pub(super) fn new(file: &File, buffer_bytes: usize, limit: u64) -> io::Result<Self> {
        Ok(Self {
            file: file.try_clone()?,
            buffer_bytes,
            places: Mutex::new(Places {
                limit,
                zone_bytes: 0,
                free: Vec::new(),
                waiting: VecDeque::new(),
            }),
            memory: Mutex::default(),
        })
    }

    /// May there be spilled events at all?
    pub(super) fn has_room(&self) -> bool {
        self.places.lock().limit >= (PLACES * self.buffer_bytes) as u64
    }

    /// Copies the events of a full buffer; false if there is no room for them. That is no error: they can be encoded.
    pub(super) fn put(&self, buffer: &Buffer, appender: &Mutex<Appender>) -> bool {
        let events = buffer.events();
        if HEADER_BYTES + events.len() > self.buffer_bytes {
            return false;
        }
        let Some(place) = self.place(appender) else {
            return false;
        };
        let spilled = Spilled {
            place,
            thread: buffer.thread(),
            ordinal: buffer.ordinal(),
            len: events.len(),
        };
        let header = spilled.header(self.buffer_bytes);
        // The header comes last: until then the place is free for readers.
        let written = write_all_at(&self.file, events, place + HEADER_BYTES as u64)
            .and_then(|()| write_all_at(&self.file, &header, place));
        let mut places = self.places.lock();
        match written {
            Ok(()) => places.waiting.push_back(spilled),
            Err(_) => places.end(),
        }
        written.is_ok()
    }

    /// A free place; of a further zone if there is none.
    fn place(&self, appender: &Mutex<Appender>) -> Option<u64> {
        let mut places = self.places.lock();
        if places.free.is_empty() {
            let bytes = (PLACES * self.buffer_bytes) as u64;
            let all = places.zone_bytes + bytes;
            if all > places.limit {
                return None;
            }
            let mut appender = appender.lock();
            if all > growth(&self.file, appender.tail) / PART_OF_FREE {
                return None;
            }
            let Ok(zone) = appender.append_zone(self.buffer_bytes, PLACES, false) else {
                places.end();
                return None;
            };
            places.zone_bytes = all;
            let offsets = (0..zone.count).map(|no| zone.first + no * zone.buffer_bytes);
            places.free.extend(offsets.rev());
        }
        places.free.pop()
    }

    /// What waits longest.
    pub(super) fn take(&self) -> Option<Spilled> {
        self.places.lock().waiting.pop_front()
    }

    /// All that waits.
    pub(super) fn take_all(&self) -> VecDeque<Spilled> {
        std::mem::take(&mut self.places.lock().waiting)
    }

    /// Reads the events.
    ///
    /// # Errors
    /// They cannot be read, or are not there any more.
    pub(super) fn read(&self, spilled: &Spilled) -> io::Result<Vec<u8>> {
        let mut header = [0; HEADER_BYTES];
        read_exact_at(&self.file, &mut header, spilled.place)?;
        if header != spilled.header(self.buffer_bytes) {
            return Err(truncated());
        }
        let mut events = self.memory.lock().pop().unwrap_or_default();
        events.resize(spilled.len, 0);
        let place = spilled.place + HEADER_BYTES as u64;
        read_exact_at(&self.file, &mut events, place)?;
        Ok(events)
    }

    /// Takes memory back that [`Self::read`] gave.
    pub(super) fn reuse(&self, events: Vec<u8>) {
        self.memory.lock().push(events);
    }

    /// Notes that the events are in the file otherwise.
    ///
    /// # Errors
    /// That cannot be written.
    pub(super) fn free(&self, spilled: &Spilled) -> io::Result<()> {
        let state = STATE_FREE.to_le_bytes();
        write_all_at(&self.file, &state, spilled.place + OFFSET_STATE as u64)?;
        self.places.lock().free.push(spilled.place);
        Ok(())
    }
}
