//! Why a run has no page that is one file.

/// Events of a run whose page can be one file, at most: each moment has answers of its own.
pub(super) const MOST_EVENTS: u64 = 1_000;
/// Bytes of all answers, at most: a browser has them in memory.
pub(super) const MOST_BYTES: usize = 96 << 20;

/// Why there is no such page.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StillError {
    #[error(
        "the run has {events} events, too many for one file (at most {MOST_EVENTS}); leave out --html to view it"
    )]
    Events { events: u64 },
    #[error("the page takes more than {} MiB, too much for one file; leave out --html to view it", MOST_BYTES >> 20)]
    Bytes,
    #[error("the run cannot be read: {0}")]
    Run(String),
}
