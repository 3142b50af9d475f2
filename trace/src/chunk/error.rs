//! Why a chunk cannot be read.

use thiserror::Error;

use crate::model::SiteNo;
use crate::raw::RawError;
use jinsi_rlese::GrammarError;

/// Why a chunk cannot be read, although its checksum is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ChunkError {
    /// The front of the chunk.
    #[error("malformed chunk header")]
    Header,
    /// The control stream.
    #[error("malformed control stream: {0}")]
    Control(#[from] GrammarError),
    /// The control stream, where it is a block.
    #[error("malformed control block")]
    Block,
    /// The compressed body.
    #[error("chunk body cannot be decompressed")]
    Zstd,
    /// The directory of columns and strings.
    #[error("malformed column directory")]
    Directory,
    /// A symbol that is no event.
    #[error("control symbol {0:#x} is no event")]
    Symbol(u64),
    /// A site that does not fit.
    #[error("{0}")]
    Site(#[from] RawError),
    /// A column has fewer values than events need, or one that is no value.
    #[error("values of site {site} are missing or malformed")]
    Values {
        /// Number of the site; 0 for events without.
        site: u32,
    },
}

impl ChunkError {
    /// Values of the events of this site.
    pub(super) fn values(site: Option<SiteNo>) -> Self {
        Self::Values {
            site: SiteNo::written(site),
        }
    }
}
