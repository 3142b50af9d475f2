//! Storing events into a thread buffer, as a probe does.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::raw::{OFFSET_CURSOR, OFFSET_LIMIT};

/// A buffer that this owns until it is handed over.
#[derive(Debug)]
pub(super) struct Feed(*mut u8);

impl Feed {
    /// `address` comes from [`crate::writer::TraceWriter::acquire`] and is used by nobody else.
    pub(super) fn new(address: *mut u8) -> Self {
        Self(address)
    }

    pub(super) fn address(&self) -> *mut u8 {
        self.0
    }

    fn word(&self, offset: usize) -> &AtomicU64 {
        // SAFETY: an acquired buffer begins with an aligned header and is mapped for the rest of the process.
        unsafe { AtomicU64::from_ptr(self.0.add(offset).cast()) }
    }

    /// Appends a whole event and moves the cursor; false if there is no room.
    pub(super) fn push(&mut self, event: &[u8]) -> bool {
        let cursor = self.word(OFFSET_CURSOR).load(Ordering::Relaxed);
        let end = cursor + event.len() as u64;
        if end > self.word(OFFSET_LIMIT).load(Ordering::Relaxed) {
            return false;
        }
        // SAFETY: the range lies between cursor and limit of a buffer that only this writes to.
        unsafe {
            std::ptr::copy_nonoverlapping(event.as_ptr(), self.0.add(cursor as usize), event.len());
        }
        self.word(OFFSET_CURSOR).store(end, Ordering::Release);
        true
    }
}
