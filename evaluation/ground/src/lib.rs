//! What the evaluation and the automation stand on: where the repository is and how jinsi is built ([`repository`]), what the machine has
//! ([`doctor`]), the bugs that are minimized ([`bugs`]), programs made by chance ([`made`]), and a debugger that has seen what a recording says ([`past`]).

pub mod bugs;
pub mod child;
pub mod doctor;
pub mod files;
pub mod goal;
pub mod made;
pub mod numbers;
pub mod opens;
pub mod past;
pub mod repository;
