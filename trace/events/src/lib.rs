//! What a trace says: the event [`model`], the [`raw`] form in which probes store events, and the [`order`] of events between threads. How events are kept in
//! a file is `jinsi-trace`'s, which has all of this under its own name, too.

#[cfg(any(test, feature = "testing"))]
pub mod arbitrary;
pub mod model;
pub mod number;
pub mod order;
pub mod raw;
