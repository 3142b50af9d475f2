//! What the evaluation and the automation stand on: where the repository is and how jinsi is built ([`repository`]), what the machine has
//! ([`doctor`]), and the bugs that are minimized ([`bugs`]).

pub mod bugs;
pub mod doctor;
pub mod repository;
