//! Why what a run did not do is not written.

use jinsi_inspect::InspectError;
use jinsi_omission::OmissionError;
use jinsi_slice::SliceError;
use jinsi_trace::reader::ReadError;

/// Why what a run did not do is not written.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum AnswersError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Inspect(#[from] InspectError),
    #[error(transparent)]
    Slice(#[from] SliceError),
    #[error(transparent)]
    Omission(#[from] OmissionError),
}

/// What is not an [`AnswersError`].
pub(crate) type Result<T, E = AnswersError> = std::result::Result<T, E>;
