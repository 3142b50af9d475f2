//! After the run: history, replay, search, reports. Starts other programs only through [`jvm`].
pub mod history;
pub mod jvm;
pub mod level;
pub mod natural;
pub mod search;
