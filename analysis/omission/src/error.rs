//! Why a question has no answer.

use jinsi_trace::model::{Detail, ObjectId};
use jinsi_trace::reader::ReadError;

use crate::question::{Question, words};

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum OmissionError {
    /// The trace cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The trace does not say which instructions ran.
    #[error(
        "the trace was recorded with detail={}: which instructions ran is known with instructions or states",
        .0.name()
    )]
    Detail(Detail),
    /// There is no such object.
    #[error("there is no object #{0} in the trace")]
    NoObject(ObjectId),
    /// No recorded code has met the object.
    #[error("no recorded code has met object #{0}")]
    NeverMet(ObjectId),
    /// Nothing in the recorded code does what is asked about.
    #[error("nothing in the recorded classes does that: {}", words(.0))]
    Nowhere(Question),
}
