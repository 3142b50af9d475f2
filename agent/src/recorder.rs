//! The recording of one JVM: tables, thread buffers, and the thread that encodes them.
//!
//! Application threads only ever store into a buffer and, when it is full, exchange it for an empty one; everything that takes time
//! happens on the encoder thread, as long as that keeps up. A write error stops the recording for good and leaves the program alone.
//!
//! A [`Recorder`] has three parts: the tables, the threads with their buffers, and the failures.

mod failures;
mod life;
mod numbers;
mod process;
mod tables;
mod threads;

pub(crate) use failures::any_matches;
pub use life::Recorder;
pub(crate) use life::selection;
pub use numbers::Numbers;
pub use process::{Listeners, Process};
