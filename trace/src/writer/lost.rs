//! Staging pages whose file is gone.
//!
//! A page of a mapping raises SIGBUS on access when it lies behind the end of its file, because somebody truncated it, or when the
//! disk is full and its space could not be reserved. The program that is recorded must not die of that: [`heal`], called by a handler of
//! the signal, puts memory in the page's place, and the writer ends the recording.

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

use jinsi_platform::memory::replace_page;

use crate::raw::{HEADER_BYTES, OFFSET_CURSOR, OFFSET_LIMIT, OFFSET_SCRATCH};

/// Bytes in a page of memory.
pub(super) const PAGE: usize = 4096;

/// A mapped staging zone. Zones stay mapped for the rest of the process, and so does this.
struct Zone {
    base: usize,
    bytes: usize,
    buffer_bytes: usize,
    lost: Arc<AtomicBool>,
    next: *const Zone,
}

/// The zone that was mapped last; a list that only grows, so that a signal handler can walk it.
static ZONES: AtomicPtr<Zone> = AtomicPtr::new(ptr::null_mut());

/// From now on [`heal`] knows the zone; it sets `lost` when it has to replace one of its pages.
pub(super) fn watch(base: usize, buffer_bytes: usize, count: usize, lost: Arc<AtomicBool>) {
    let known = Box::into_raw(Box::new(Zone {
        base,
        bytes: buffer_bytes * count,
        buffer_bytes,
        lost,
        next: ptr::null(),
    }));
    let mut head = ZONES.load(Ordering::Acquire);
    loop {
        // SAFETY: nobody else has the pointer before the exchange succeeds.
        unsafe { (*known).next = head };
        match ZONES.compare_exchange_weak(head, known, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return,
            Err(now) => head = now,
        }
    }
}

fn zone_of(address: usize) -> Option<&'static Zone> {
    let mut next: *const Zone = ZONES.load(Ordering::Acquire);
    // SAFETY: what is in the list is never freed, and never changed after it was put there.
    while let Some(zone) = unsafe { next.as_ref() } {
        if (zone.base..zone.base + zone.bytes).contains(&address) {
            return Some(zone);
        }
        next = zone.next;
    }
    None
}

/// Puts a fresh page of memory at `address`, if that lies in a staging zone of this process; false if it does not, or if there is no
/// memory. The writer of that zone takes nothing more. What was in the page is lost. The first page of a buffer says that the buffer is
/// full, so that whoever is storing into it asks for another.
///
/// May be called in a signal handler: it takes no lock and allocates nothing but the page.
pub fn heal(address: usize) -> bool {
    let Some(zone) = zone_of(address) else {
        return false;
    };
    zone.lost.store(true, Ordering::Release);
    let page = address & !(PAGE - 1);
    let is_first = (page - zone.base).is_multiple_of(zone.buffer_bytes);
    let prepare = |fresh: *mut u8| {
        if !is_first {
            return;
        }
        for offset in [OFFSET_CURSOR, OFFSET_LIMIT, OFFSET_SCRATCH] {
            // SAFETY: the page is this call's alone, and the offset is that of an aligned word in it.
            let word = unsafe { AtomicU64::from_ptr(fresh.add(offset).cast()) };
            word.store(HEADER_BYTES as u64, Ordering::Relaxed);
        }
    };
    // In one step, so that no thread sees the page without its header.
    // SAFETY: zones begin at a page and are mapped for ever, so the page is one of theirs; the closure stores into the page and nothing else.
    unsafe { replace_page(page, prepare) }
}
