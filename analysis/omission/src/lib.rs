//! What could have been done in a recorded run, and was not: which branches kept it from happening (Sakurai and Masuhara, "The Omission
//! Finder", 2015).
//!
//! [`Code`] is the recorded code with the [`values`] that its instructions work on. [`Finder`] crosses a static analysis of it ([`points`]: which
//! objects get where, and who calls whom) with what ran ([`gather`]): a [`Question`] is turned into instructions, these into [`chains`] of
//! calls from methods that ran, and these into the [`jumps`] that went another way. [`suggestions()`] puts the most likely first.

pub mod births;
pub mod chains;
pub mod code;
pub mod dynamic;
mod error;
mod failure;
mod finder;
mod found;
pub mod gather;
pub mod jumps;
mod occurrences;
mod place;
pub mod points;
mod question;
mod reach;
mod suggestions;
mod uses;
pub mod values;

pub use code::Code;
pub use error::OmissionError;
pub use failure::{Failed, of_failure};
pub use jinsi_steps::code::MethodNo;
pub use place::Place;
pub use question::{Question, words};

pub use finder::{Finder, Options};
pub use found::{Found, Omission};
pub use reach::Source;

pub use occurrences::{Occurrence, Occurrences, occurrences};
pub use suggestions::{Hand, Suggestion, suggestions};
pub use uses::Target;
