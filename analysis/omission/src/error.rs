//! Why a question has no answer.

use jinsi_history::failures::NoCrash;
use jinsi_slice::SliceError;
use jinsi_trace::model::{Detail, ObjectId};
use jinsi_trace::reader::ReadError;

use crate::question::{Question, words};

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum OmissionError {
    /// Nothing failed.
    #[error(transparent)]
    NoFailure(#[from] NoCrash),
    /// What failed cannot be followed back.
    #[error(transparent)]
    Slice(#[from] SliceError),
    /// The trace cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The trace does not say which instructions ran.
    #[error(
        "the trace has no instructions (detail={}); record with --detail states",
        .0.name()
    )]
    Detail(Detail),
    /// There is no such object.
    #[error("the recording has no object #{0}; 'jinsi events FILE' shows the numbers of objects")]
    NoObject(ObjectId),
    /// No recorded code has met the object.
    #[error("recorded code never used object #{0}")]
    NeverMet(ObjectId),
    /// Nothing in the recorded code does what is asked about.
    #[error("nothing in the recorded classes could {}", words(.0))]
    Nowhere(Question),
}
