//! What the evaluation stands on: the bugs that are minimized ([`bugs`]), programs made by chance ([`program_generator`]), and a debugger that has seen what a
//! recording says ([`past`]); beside them, where the repository is and how jinsi is built ([`repository`]), and what the machine has ([`doctor`]).

pub mod bugs;
pub mod child;
pub mod commands;
pub mod figures;
pub mod files;
pub mod manifest;
pub mod numbers;
pub mod parallel;
pub mod past;
pub mod program_generator;
pub mod published;
pub mod report;

pub use jinsi_repository::{self as repository, doctor};
