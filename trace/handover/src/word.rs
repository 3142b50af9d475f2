//! A word of memory that several threads use.

use std::sync::atomic::{AtomicU64, Ordering, fence};

/// A word of memory that several threads use: the standard library's, or loom's.
pub trait Word {
    /// Reads it.
    fn load(&self, order: Ordering) -> u64;
    /// Writes it.
    fn store(&self, value: u64, order: Ordering);
    /// Writes it; what it was.
    fn swap(&self, value: u64, order: Ordering) -> u64;
    /// Makes it at least this.
    fn fetch_max(&self, value: u64, order: Ordering) -> u64;
    /// Writes `new` if it is `current`; whether it was. If not, nothing is ordered.
    fn replace(&self, current: u64, new: u64, order: Ordering) -> bool;
    /// What this thread has written before, and what it reads afterwards, has a place in the one order of all such fences.
    fn fence();
}

impl Word for AtomicU64 {
    fn load(&self, order: Ordering) -> u64 {
        self.load(order)
    }

    fn store(&self, value: u64, order: Ordering) {
        self.store(value, order);
    }

    fn swap(&self, value: u64, order: Ordering) -> u64 {
        self.swap(value, order)
    }

    fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        self.fetch_max(value, order)
    }

    fn replace(&self, current: u64, new: u64, order: Ordering) -> bool {
        self.compare_exchange(current, new, order, Ordering::Relaxed)
            .is_ok()
    }

    fn fence() {
        fence(Ordering::SeqCst);
    }
}
