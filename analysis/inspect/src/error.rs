//! Why a question has no answer.

use jinsi_trace::model::{Detail, EventId, ThreadNo};
use jinsi_trace::reader::ReadError;

use jinsi_steps::moment::Moment;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum InspectError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(
        "the trace was recorded with detail={0}, which does not tell every instruction: ask with --replayed, or record with detail=states"
    )]
    Detail(Detail),
    #[error("the trace has no thread {0}")]
    NoThread(ThreadNo),
    #[error("the thread has no instruction at {0} or later")]
    NoMoment(Moment),
    #[error("no activation begins with event {0}")]
    NoActivation(EventId),
    #[error("{0}")]
    NoSuch(String),
}
