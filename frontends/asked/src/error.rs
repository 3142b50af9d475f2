//! Why a session of questions does not go on.

use std::io;
use std::path::PathBuf;

use jinsi_inspect::{BadPath, InspectError};
use jinsi_slice::SliceError;
use jinsi_trace::reader::ReadError;

/// Why a session of questions does not go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum AskedError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Inspect(#[from] InspectError),
    #[error(transparent)]
    Slice(#[from] SliceError),
    #[error(transparent)]
    Path(#[from] BadPath),
    #[error("nothing was recorded: the trace has no thread")]
    NoThread,
    #[error("the thread has no recorded call; choose another one with --thread")]
    NoCalls,
    #[error("{part} is what the call was given; name something that it returned or changed")]
    NotAPart { part: String },
    #[error("cannot read the answers in {}: {source}", path.display())]
    Open { path: PathBuf, source: io::Error },
    #[error("{} has no answers: {source}; --fresh begins anew", path.display())]
    NoAnswers {
        path: PathBuf,
        source: serde_json::Error,
    },
    #[error("{} was written by another version of jinsi; --fresh begins anew", path.display())]
    Version { path: PathBuf },
    #[error("cannot write the answers to {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// What is not an [`AskedError`].
pub(crate) type Result<T, E = AskedError> = std::result::Result<T, E>;
