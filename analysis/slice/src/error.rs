//! Why there may be no slice.

use jinsi_history::failures::NoCrash;
use jinsi_trace::model::Detail;
use jinsi_trace::reader::ReadError;

use super::criterion::NoSuchPlace;

/// Why there is no slice.
#[derive(Debug, thiserror::Error)]
pub enum SliceError {
    /// The trace has no instructions.
    #[error(
        "the trace has no instructions (detail={0}), and slices need them; record with --detail instructions"
    )]
    Detail(Detail),
    /// The run did not fail, and no other criterion was given.
    #[error("no failure was recorded; name a place with --at CLASS:LINE")]
    NoFailure,
    /// If it did, that was after the recording had ended.
    #[error("{0}; or name a place with --at CLASS:LINE")]
    CutShort(NoCrash),
    /// The place is not in the recorded code.
    #[error(transparent)]
    Place(#[from] NoSuchPlace),
    /// It is, but was never run, or not so often, or the failure passed through no recorded method.
    #[error("{0} was not reached in the recorded run; 'jinsi why-not FILE --line {0}' says why")]
    NotReached(String),
    /// A dependence was chosen that is not there.
    #[error("there is no dependence {no}: the last step has {known}")]
    NoSuchDependence {
        /// Its number.
        no: usize,
        /// How many there are.
        known: usize,
    },
    /// The trace cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}
