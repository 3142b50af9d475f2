//! The recording of one JVM: tables, thread buffers, and the thread that encodes them.
//!
//! Application threads only ever store into a buffer and, when it is full, exchange it for an empty one; everything that takes time
//! happens on the encoder thread, as long as that keeps up. A write error stops the recording for good and leaves the program alone.
//!
//! A [`Recorder`] has three parts: the tables, the threads with their buffers, and the failures.

mod failures;
mod life;
mod tables;
mod threads;

pub use life::Recorder;
