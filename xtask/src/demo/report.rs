//! What the demonstration reads of `report.json`, as anyone may who has a report: fields are added to it, never renamed or removed.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The report, as far as it is checked or printed.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(super) struct Report {
    pub(super) failure: Failure,
    pub(super) capture: Capture,
    pub(super) levels: Vec<LevelReport>,
    /// Path of the trace file.
    pub(super) trace: String,
    /// Wall time of each part, in order.
    pub(super) parts: Vec<Part>,
}

/// The recorded failure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Failure {
    /// Binary name of the exception's class.
    #[serde(rename = "type")]
    pub(super) class: String,
    pub(super) message: Option<String>,
    /// The throwing place, `Class.method(File.java:348)`.
    pub(super) at: String,
    /// The recorded stack trace, topmost frame first.
    pub(super) stack: Vec<StackFrame>,
    /// All else that is said of it.
    #[serde(flatten)]
    pub(super) further: Map<String, Value>,
}

/// A frame of the failure's stack trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct StackFrame {
    /// `package.Class.method(File.java:348)`.
    pub(super) text: String,
    /// The level whose object runs in this frame, if any.
    pub(super) level: Option<u32>,
}

/// How the recording went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Capture {
    /// Why the program was run once more, if it was.
    #[serde(default)]
    pub(super) recorded_once_more: Option<String>,
}

/// One level.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(super) struct LevelReport {
    /// 1 is the lowest.
    pub(super) level: u32,
    /// Binary name of the class that joins on this level.
    pub(super) name: String,
    /// Binary names of the observed classes.
    pub(super) observed: Vec<String>,
    /// Interactions recorded.
    pub(super) interactions: u64,
    /// Of these, in the event slice.
    pub(super) after_event_slice: u64,
    /// Of these, left by the search.
    pub(super) minimized: u64,
    /// Those that are left.
    pub(super) kept: Vec<Kept>,
    /// Tests of the search.
    pub(super) tests: u64,
    /// Wall time.
    pub(super) seconds: f64,
    /// The unit test's source file, relative to the report.
    pub(super) test_file: Option<String>,
    /// What compiling and running the unit test gave.
    pub(super) test_outcome: Option<String>,
    /// `reproduced`, or why not.
    pub(super) strict_replay: String,
}

/// The outcome of a written test that fails as recorded.
pub(super) const REPRODUCES: &str = "reproduces";

/// An interaction that is left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Kept {
    /// Its place among the level's interactions, from 1.
    pub(super) number: u64,
    /// The interaction as text.
    pub(super) text: String,
}

/// Wall time of a part of the work.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) seconds: f64,
}
