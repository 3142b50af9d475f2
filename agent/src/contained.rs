//! Faults of jinsi's own, kept from the program: a panic must not cross into Java. Each is counted, and the trace tells of them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

static FAULTS: AtomicU64 = AtomicU64::new(0);

/// What `body` gives, or `or` if it panics.
pub(crate) fn contained<T>(or: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| {
        FAULTS.fetch_add(1, Ordering::Relaxed);
        or
    })
}

/// How many faults there were so far.
pub(crate) fn faults() -> u64 {
    FAULTS.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_kept_in_and_counted() {
        let before = faults();
        assert_eq!(contained(1, || 2), 2);
        assert_eq!(contained(1, || panic!("a fault, as the test wants it")), 1);
        assert!(faults() > before);
    }
}
