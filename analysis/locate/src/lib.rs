//! Where to look first: what a failing run did otherwise than passing ones, what failing tests cover, and one ranking of source lines by all that
//! speaks for them.
//!
//! [`align`] compares runs, which [`record`] makes of traces; [`generate`] makes passing ones, of which [`solver`]
//! knows whether they may be gone. [`spectra`] counts what tests cover, which [`coverage`] reads
//! off traces. [`rank`] weighs clues of all kinds, and [`look`] gathers them.

pub mod align;
pub mod coverage;
pub mod covered;
pub mod forms;
pub mod generate;
pub mod graph;
pub mod look;
mod place;
pub mod rank;
mod reason;
pub mod record;
pub mod run;
pub mod solver;
pub mod spans;
pub mod spectra;
pub mod statements;

pub use place::{Place, Source};
