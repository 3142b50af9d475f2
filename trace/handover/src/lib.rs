//! How buffers go from the threads that fill them to those that read them, with the orders of memory that this needs.
//!
//! Threads of the recorded program write events into buffers; threads of ours take the buffers away, close them and read them. Neither waits for the other, so
//! what one of them sees of the other's stores is said here, and nowhere else:
//!
//! - **Events are whole.** A probe stores an event and then moves the [`cursor`]. Who reads the cursor sees all events before it.
//! - **A buffer has one owner.** Whoever [takes](Slots::take) it out of the thread's slot has it; all others find nothing.
//! - **A new epoch closes buffers.** Who sees the new epoch sees that its buffer is closed ([`Slots::begin_epoch`]).
//! - **Nobody slips through.** A thread that is given a buffer while all are closed, or taken away, notices that itself, or is noticed ([`Flag`]).
//!
//! Java's probes take part: they move the cursor by `Unsafe.putLongRelease`, and read the epoch by `getLongAcquire`. On x86-64 these are plain stores
//! and loads.
//!
//! All of it is written over [`Word`], so that `tests/orders.rs` has loom (after Norris and Demsky, CDSChecker, OOPSLA 2013) run it in all
//! orders that the memory model allows, and shows that it fails with each order weakened.

pub mod cursor;
mod flag;
mod slots;
mod word;

pub use flag::Flag;
pub use slots::{Places, REFUSED, Slots};
pub use word::Word;
