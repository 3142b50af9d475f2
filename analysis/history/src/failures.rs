//! Which of the recorded failures counts, and why there may be none.

use jinsi_trace::model::{Failure, FailureKind, LossKind, ObjectId};
use jinsi_trace::reader::Trace;

/// Why there is no crash to work on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoCrash {
    /// The run did not fail.
    #[error("no failure was recorded")]
    NoFailure,
    /// If it did, that was after the recording had ended.
    #[error(
        "no failure was recorded, and the recording ended before the program did; record again with a larger max-size, with at-max=window, or fewer classes"
    )]
    CutShort,
    /// The failure names a throwable that is not in the table.
    #[error(
        "the trace is damaged: the exception of the failure (object {0}) is missing; record again"
    )]
    UnknownThrowable(ObjectId),
    /// The exception passed through no observed activation of this thread.
    #[error(
        "the failure passed through no observed method; observe the classes of its stack trace (--observe)"
    )]
    NotObserved,
    /// What was named as wrong does not occur.
    #[error("no recorded call or output matches what you named as wrong")]
    NotRecorded,
    /// A test ended by an exception that passed through no observed activation, nor did its causes.
    #[error(
        "no minimal test: unrecorded code threw the exception, or the asserted value comes from no recorded call"
    )]
    InTest,
}

/// The failure that counts: the first that ended its thread, else the last one listed.
pub fn pick(failures: &[Failure]) -> Option<&Failure> {
    failures
        .iter()
        .find(|f| f.kind == FailureKind::Uncaught)
        .or_else(|| failures.last())
}

/// Why a trace has no failure, if it has none.
pub fn none_in(trace: &Trace) -> NoCrash {
    let mut losses = trace.skipped().iter();
    match losses.any(|loss| matches!(loss.kind, LossKind::Events | LossKind::Unwritten)) {
        true => NoCrash::CutShort,
        false => NoCrash::NoFailure,
    }
}
