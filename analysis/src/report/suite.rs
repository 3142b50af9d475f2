//! What became of the failed tests of a recorded suite: `tests.json`, beside the directories of the tests.

use serde::{Deserialize, Serialize};

use super::json::Failure;
use super::second_try::SecondTry;
use crate::minimized::MinimizedRun;
use jinsi_history::damage::Entry;

/// Name of the file.
pub const FILE: &str = "tests.json";

/// Name of the page over them, for people.
pub const PAGE: &str = "index.html";

/// The failed tests, in the order of their failures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuiteReport {
    /// The tests that failed.
    pub tests: Vec<TestReport>,
    /// Wall time of everything.
    pub seconds: f64,
    /// What of the traces is damaged; empty if nothing is.
    #[serde(default)]
    pub damage: Vec<Entry>,
    /// Failed tests without a test to keep that were not run once more, because there were too many of them.
    #[serde(default)]
    pub second_tries_left_out: u64,
}

/// A failed test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TestReport {
    /// Class and method, `com.foo.BarTest.adds`, and `[2]` behind it of the second run of a test that is run several times.
    pub test: String,
    /// Path of the trace file.
    pub trace: String,
    /// Is there a written test that fails as this one did?
    pub reproduces: bool,
    /// The failure in one line, by the program's own frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Path of the test that is best kept, relative to this file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<String>,
    /// What that test is good for: a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_words: Option<String>,
    /// The level that it is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_level: Option<u32>,
    /// Why no test is recommended, though there is a report: a sentence; absent if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_why_not: Option<String>,
    /// Interactions left at the lowest level that has such a test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimized: Option<u64>,
    /// Paths of the written tests that reproduce, relative to this file, lowest level first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub test_files: Vec<String>,
    /// Directory of its `report.json` and `report.html`, relative to this file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Why there is no report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
    /// What of the trace is damaged; empty if nothing is.
    #[serde(default)]
    pub damage: Vec<Entry>,
    /// Something may be missing before the failure.
    #[serde(default)]
    pub incomplete: bool,
    /// An earlier run of the same test that failed alike, and has the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// The test was run once more, because its light recording gave no test to keep: what became of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_try: Option<SecondTry>,
}

impl TestReport {
    /// A test without report.
    pub fn without(test: &str, why: String) -> Self {
        Self {
            test: test.into(),
            why_not: Some(why),
            ..Self::default()
        }
    }

    /// A test whose report is in `directory`.
    pub fn of(test: &str, run: &MinimizedRun, directory: &str) -> Self {
        let keep = run.keep();
        Self {
            test: test.into(),
            failure: Some(Failure::of(&run.failure).line()),
            keep: keep.map(|(_, test)| format!("{directory}/{}", test.file)),
            keep_words: keep.map(|(_, test)| test.words()),
            keep_level: keep.map(|(level, _)| level.result.spec.level),
            keep_why_not: run.not_kept().map(|why| why.to_string()),
            reproduces: run.reproduced().next().is_some(),
            minimized: run
                .reproduced()
                .next()
                .map(|(level, _)| level.kept.len() as u64),
            test_files: run
                .reproduced()
                .map(|(_, test)| format!("{directory}/{}", test.file))
                .collect(),
            directory: Some(directory.into()),
            damage: run.damage.entries.clone(),
            incomplete: run.damage.incomplete && !run.levels.is_empty(),
            ..Self::default()
        }
    }
}
