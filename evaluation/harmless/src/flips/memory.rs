//! How much memory is allocated. Nothing is counted before [`count`] is called, so that other tasks do not pay for it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static COUNTS: AtomicBool = AtomicBool::new(false);
static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: forwards to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if COUNTS.load(Ordering::Relaxed) {
            let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
            PEAK.fetch_max(now, Ordering::Relaxed);
        }
        // SAFETY: forwarded.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if COUNTS.load(Ordering::Relaxed) {
            NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        }
        // SAFETY: `memory` came from `alloc` above, so from the system's allocator, with this layout.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What is freed later was not counted when it was allocated; half of all numbers are room for that.
const OFFSET: usize = usize::MAX / 2;

/// Counts from now on.
pub(super) fn count() {
    NOW.store(OFFSET, Ordering::Relaxed);
    COUNTS.store(true, Ordering::Relaxed);
}

/// What is allocated at most while `work` runs, beyond what there was, in bytes.
pub(super) fn peak_of(work: impl FnOnce()) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    work();
    PEAK.load(Ordering::Relaxed).saturating_sub(before)
}
