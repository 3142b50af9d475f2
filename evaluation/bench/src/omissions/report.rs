//! What came out, and what has to hold of it.

use jinsi_jdk::Jdk;
use jinsi_trace::reader::Trace;
use serde::Serialize;
use serde_json::Value;

use crate::slice::count;
use jinsi_ground::child::Run;
use jinsi_ground::report::{Figures, Goal, goal};

/// Goals.
const RANK: usize = 3;
const SECONDS: f64 = 10.0;
const KIB: u64 = 3 << 19;
/// The loop that puts the patterns of one set into another did not run: the guard.
const GUARD: &str = "org.apache.tools.ant.types.PatternSet.append";
/// What leads there from what is seen: the test that each file passes.
const TEST: &str = "org.apache.tools.ant.DirectoryScanner.scandir";

/// All of it.
#[derive(Serialize)]
pub(super) struct OmissionFigures {
    java: String,
    events: u64,
    pub(super) asked: Vec<Asked>,
    /// Published: suggestions without an order, and conditionals that would have had to be looked at.
    published_suggestions: u32,
    published_conditionals: u32,
}

/// A question.
#[derive(Serialize)]
pub(super) struct Asked {
    what: &'static str,
    suggestions: usize,
    uses: usize,
    /// Places of the first ones.
    first: Vec<String>,
    /// Place of the test of each file, and of the guard, from 1.
    test: Option<usize>,
    guard: Option<usize>,
    /// Place of the guard among what is behind the first suggestion.
    guard_behind: Option<usize>,
    seconds: f64,
    peak_kib: u64,
}

impl Asked {
    pub(super) fn of(what: &'static str, document: &Value, run: &Run) -> Self {
        let list = |key: &str| document[key].as_array().cloned().unwrap_or_default();
        let places_of = |suggestions: &[Value]| -> Vec<String> {
            let places = suggestions.iter().map(|s| s["place"].as_str());
            places.map(|p| p.unwrap_or_default().to_owned()).collect()
        };
        let places = places_of(&list("suggestions"));
        let behind = list("behind");
        let behind = behind.iter().filter_map(|b| b["suggestions"].as_array());
        let behind: Vec<String> = behind.flat_map(|all| places_of(all)).collect();
        let rank = |places: &[String], method: &str| {
            let begins = |place: &String| {
                place
                    .strip_prefix(method)
                    .is_some_and(|rest| rest.starts_with(':'))
            };
            places.iter().position(begins).map(|at| at + 1)
        };
        Self {
            what,
            suggestions: places.len(),
            uses: list("uses").len(),
            test: rank(&places, TEST),
            guard: rank(&places, GUARD),
            guard_behind: rank(&behind, GUARD),
            first: places.into_iter().take(5).collect(),
            seconds: run.whole.as_secs_f64(),
            peak_kib: run.memory.peak_kib,
        }
    }
}

impl OmissionFigures {
    pub(super) fn new(jdk: &Jdk, trace: &Trace) -> Self {
        Self {
            java: jdk.version().to_string(),
            events: count(trace),
            asked: Vec::new(),
            published_suggestions: 13,
            published_conditionals: 134,
        }
    }
}

impl Figures for OmissionFigures {
    fn goals(&self) -> Vec<Goal> {
        let within = |rank: Option<usize>| rank.is_some_and(|rank| rank <= RANK);
        let all = &self.asked;
        vec![
            goal(
                "the test that each file passes is among the first three",
                all.first().is_some_and(|asked| within(asked.test)),
            ),
            goal(
                "the guard is among the first three",
                all.last().is_some_and(|asked| within(asked.guard)),
            ),
            goal(
                "an answer takes at most 10 s",
                all.iter().all(|asked| asked.seconds <= SECONDS),
            ),
            goal(
                "it takes at most 1.5 GiB",
                all.iter().all(|asked| asked.peak_kib <= KIB),
            ),
        ]
    }
}
