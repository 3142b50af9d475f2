//! After the run: history, replay, search, reports. Starts other programs only through [`jvm`], and the JVM that replays through
//! [`replay::worker`].
pub mod chain;
pub mod damage;
pub mod describe;
pub mod event_slice;
pub mod expand;
pub mod history;
pub mod info;
pub mod jvm;
pub mod level;
pub mod losses;
pub mod oracle;
pub mod pipeline;
pub mod private;
pub mod project;
pub mod replay;
pub mod report;
pub mod search;
pub mod slice;
pub mod temporary;
pub mod testwriter;

pub use jinsi_trace::natural;
