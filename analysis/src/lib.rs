//! From a recorded failure to tests, slices and report: what puts the other crates of the analysis together. Starts other programs only
//! through [`jinsi_jdk`], and the JVM that replays through [`jinsi_replay::worker`].

pub mod job;
pub mod minimized;
pub mod pipeline;
pub mod replayed;
pub mod report;
