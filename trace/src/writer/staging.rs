//! Staging zones: thread buffers that are pages of the trace file. Here and in `lost` is the only unsafe code of the crate.
//!
//! A zone is mapped once and stays mapped for the rest of the process: application threads may hold a buffer at any time,
//! even after the recording has ended. The file never shrinks while it is mapped (closing writes a new one), so that their
//! stores stay valid.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use jinsi_handover::cursor::{publish, published};
use jinsi_platform::memory::map_shared;

use super::lost;
use crate::model::ThreadNo;
use crate::raw::{
    HEADER_BYTES, OFFSET_CURSOR, OFFSET_LIMIT, OFFSET_ORDINAL, OFFSET_STATE, OFFSET_THREAD,
    TAIL_BYTES, USUAL_BYTES,
};
use crate::segment::Zone;

/// A mapped staging zone.
#[derive(Debug)]
pub(super) struct MappedZone {
    base: *mut u8,
    buffer_bytes: usize,
    count: usize,
}

// SAFETY: the mapping is shared memory that is never unmapped; header words are only accessed atomically, and the events of
// a buffer only by the thread that owns it until it is handed over (see `Buffer::events`).
unsafe impl Send for MappedZone {}
// SAFETY: as above.
unsafe impl Sync for MappedZone {}

impl MappedZone {
    /// Maps the buffers of `zone`, which must lie within the file.
    ///
    /// # Errors
    /// The mapping fails, or the file is too short: a page behind its end would kill the process on access.
    pub(super) fn map(file: &File, zone: Zone) -> io::Result<Self> {
        let invalid = || io::Error::from(io::ErrorKind::InvalidInput);
        let buffer_bytes = usize::try_from(zone.buffer_bytes).map_err(|_| invalid())?;
        let count = usize::try_from(zone.count).map_err(|_| invalid())?;
        let len = buffer_bytes.checked_mul(count).ok_or_else(invalid)?;
        if buffer_bytes % HEADER_BYTES != 0 || file.metadata()?.len() < zone.first + len as u64 {
            return Err(invalid());
        }
        Ok(Self {
            base: map_shared(file, zone.first, len)?,
            buffer_bytes,
            count,
        })
    }

    /// Has pages that are gone from the file replaced when a signal tells of them, and `lost` set.
    pub(super) fn watch(&self, lost: Arc<AtomicBool>) {
        lost::watch(self.base.addr(), self.buffer_bytes, self.count, lost);
    }

    /// Size of a buffer.
    pub(super) fn buffer_bytes(&self) -> usize {
        self.buffer_bytes
    }

    /// The buffer at a place of the zone.
    pub(super) fn buffer(&self, place: usize) -> Option<Buffer> {
        (place < self.count).then(|| Buffer {
            // The product is below the length of the mapping.
            base: self.base.wrapping_add(place * self.buffer_bytes),
            bytes: self.buffer_bytes,
        })
    }

    /// The place of the buffer that begins at `address`, if it is one of the zone's.
    pub(super) fn place(&self, address: *mut u8) -> Option<usize> {
        let distance = address.addr().checked_sub(self.base.addr())?;
        let place = distance / self.buffer_bytes;
        (place < self.count && distance % self.buffer_bytes == 0).then_some(place)
    }

    /// Number of buffers.
    pub(super) fn count(&self) -> usize {
        self.count
    }
}

/// A buffer of a mapped zone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buffer {
    base: *mut u8,
    bytes: usize,
}

// SAFETY: as for `MappedZone`, of which it is a part.
unsafe impl Send for Buffer {}

impl Buffer {
    /// Its first byte, for the probes.
    pub(super) fn address(self) -> *mut u8 {
        self.base
    }

    fn word(&self, offset: usize) -> &AtomicU64 {
        debug_assert!(offset < HEADER_BYTES && offset.is_multiple_of(8));
        // SAFETY: the buffer is at least HEADER_BYTES long, aligned to HEADER_BYTES and mapped for the rest of the process
        // (`MappedZone`); all access to its header words, here and in the probes, is of single aligned words.
        unsafe { AtomicU64::from_ptr(self.base.add(offset).cast()) }
    }

    /// State word.
    pub(super) fn state(&self) -> u64 {
        self.word(OFFSET_STATE).load(Ordering::Acquire)
    }

    /// Sets the state word, after everything stored before.
    pub(super) fn set_state(&self, state: u64) {
        self.word(OFFSET_STATE).store(state, Ordering::Release);
    }

    /// Ordinal of the last acquisition.
    pub(super) fn ordinal(&self) -> u64 {
        self.word(OFFSET_ORDINAL).load(Ordering::Relaxed)
    }

    /// Thread of the last acquisition.
    pub(super) fn thread(&self) -> ThreadNo {
        self.word(OFFSET_THREAD).load(Ordering::Relaxed) as ThreadNo
    }

    /// Prepares the header, and what the probe keeps at the end, for a new owner; the state stays free.
    pub(super) fn begin(&self, thread: ThreadNo, ordinal: u64) {
        let limit = match self.bytes == USUAL_BYTES {
            true => USUAL_BYTES - TAIL_BYTES,
            false => self.bytes,
        };
        // SAFETY: the range lies within the buffer, which is never unmapped; it has no owner, and no events lie behind the limit.
        unsafe { std::ptr::write_bytes(self.base.add(limit), 0, self.bytes - limit) };
        let words = [
            (OFFSET_CURSOR, HEADER_BYTES as u64),
            (OFFSET_LIMIT, limit as u64),
            (OFFSET_ORDINAL, ordinal),
            (OFFSET_THREAD, u64::from(thread)),
        ];
        for (offset, word) in words {
            self.word(offset).store(word, Ordering::Relaxed);
        }
    }

    /// The whole events of the buffer. The caller knows that the buffer is not free and that nobody else takes it into use
    /// while the slice lives.
    pub(super) fn events(&self) -> &[u8] {
        let cursor = published(self.word(OFFSET_CURSOR));
        let cursor = usize::try_from(cursor).map_or(self.bytes, |c| c.min(self.bytes));
        let len = cursor.saturating_sub(HEADER_BYTES);
        // SAFETY: the range lies within the buffer, which is never unmapped. Events in front of the cursor are not written
        // any more: the owner writes behind the cursor only, and the buffer gets no other owner before it is freed, which
        // happens after the last use of this slice (`TraceWriter::encode`).
        unsafe { std::slice::from_raw_parts(self.base.add(HEADER_BYTES), len) }
    }
}

impl Buffer {
    /// Appends a whole event and moves the cursor, as a probe does; false if there is no room. For traces made without a
    /// JVM: the caller is the buffer's only owner.
    pub(super) fn store(&self, event: &[u8]) -> bool {
        let cursor = self.word(OFFSET_CURSOR).load(Ordering::Relaxed);
        let Ok(start) = usize::try_from(cursor) else {
            return false;
        };
        if start < HEADER_BYTES || start > self.bytes || event.len() > self.bytes - start {
            return false;
        }
        // SAFETY: the range lies within the buffer, which is never unmapped, and behind the cursor, where only the owner,
        // here the caller, writes and nobody reads.
        unsafe {
            std::ptr::copy_nonoverlapping(event.as_ptr(), self.base.add(start), event.len());
        }
        let end = start + event.len();
        publish(self.word(OFFSET_CURSOR), end as u64);
        true
    }
}
