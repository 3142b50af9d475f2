//! The words of a buffer that say how far it is written, and how far it may be.

use std::sync::atomic::Ordering;

use crate::word::Word;

/// In a buffer's limit: no further event is to be begun in it.
const CLOSED: u64 = 0;

/// Makes all that was stored in front of `end` part of the trace. Only the buffer's owner does that. Probes do it by `putLongRelease`.
pub fn publish(cursor: &impl Word, end: u64) {
    cursor.store(end, Ordering::Release);
}

/// How far the buffer is written; the events in front of that are whole. Anybody may ask, at any time.
pub fn published(cursor: &impl Word) -> u64 {
    cursor.load(Ordering::Acquire)
}

/// Has no further event begun in the buffer, whatever its owner does just now.
pub fn close(limit: &impl Word) {
    limit.store(CLOSED, Ordering::Release);
}
