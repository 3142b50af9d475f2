//! After the run: history, replay, search, reports. Starts a JVM only through [`replay::worker`].
pub mod level;
pub mod natural;
pub mod search;
