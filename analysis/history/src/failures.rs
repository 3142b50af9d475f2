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
        "no failure was recorded, but the recording ended before the program did ('jinsi info' says when): a failure after that is not in the trace; record with a larger max-size, with at-max=window, or fewer classes"
    )]
    CutShort,
    /// The failure names a throwable that is not in the table.
    #[error("the failure's exception (object {0}) is not in the trace")]
    UnknownThrowable(ObjectId),
    /// The exception passed through no observed activation of this thread.
    #[error("the failure passed through no observed method on its thread")]
    NotObserved,
    /// What was named as wrong does not occur.
    #[error("no recorded call or output matches what you named as wrong")]
    NotRecorded,
    /// A test ended by an exception that passed through no observed activation, nor did its causes.
    #[error(
        "no minimal test: the failure is an exception out of code that was not recorded, or an assertion of the test about a value that no recorded call returned"
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
