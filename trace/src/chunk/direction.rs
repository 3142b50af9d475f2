//! Which way a chunk is read.

/// Which way a chunk is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Oldest event first.
    Forward,
    /// Newest event first.
    Backward,
}
