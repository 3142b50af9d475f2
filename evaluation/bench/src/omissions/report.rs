//! What came out, and what has to hold of it.

use jinsi_jdk::Jdk;
use jinsi_trace::reader::Trace;
use serde::Serialize;
use serde_json::Value;

use jinsi_ground::child::Run;
use jinsi_ground::goal::Goal;

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
pub(super) struct Report {
    java: String,
    events: u64,
    pub(super) asked: Vec<Asked>,
    /// Published: suggestions without an order, and conditionals that would have had to be looked at.
    published_suggestions: u32,
    published_conditionals: u32,
    goals: Vec<Goal>,
    pub(super) holds: bool,
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

impl Report {
    pub(super) fn new(jdk: &Jdk, trace: &Trace) -> Self {
        let threads = trace.threads().iter();
        Self {
            java: jdk.version().to_string(),
            events: threads.map(|thread| trace.event_count(thread.no)).sum(),
            asked: Vec::new(),
            published_suggestions: 13,
            published_conditionals: 134,
            goals: Vec::new(),
            holds: true,
        }
    }

    /// Says what holds.
    pub(super) fn sum_up(&mut self) {
        let within = |rank: Option<usize>| rank.is_some_and(|rank| rank <= RANK);
        let all = &self.asked;
        self.goals = vec![
            Goal {
                what: "the test that each file passes is among the first three",
                holds: all.first().is_some_and(|asked| within(asked.test)),
            },
            Goal {
                what: "the guard is among the first three",
                holds: all.last().is_some_and(|asked| within(asked.guard)),
            },
            Goal {
                what: "an answer takes at most 10 s",
                holds: all.iter().all(|asked| asked.seconds <= SECONDS),
            },
            Goal {
                what: "it takes at most 1.5 GiB",
                holds: all.iter().all(|asked| asked.peak_kib <= KIB),
            },
        ];
        self.holds = self.goals.iter().all(|goal| goal.holds);
    }

    pub(super) fn print(&self) {
        println!("Java {}, {} events", self.java, self.events);
        println!(
            "published: {} suggestions without an order, instead of {} conditionals",
            self.published_suggestions, self.published_conditionals
        );
        let rank = |rank: Option<usize>| rank.map_or_else(|| "-".to_owned(), |no| no.to_string());
        for asked in &self.asked {
            println!(
                "{}: {} suggestions of {} uses; test of each file {}, guard {}, behind the first {}; {:.1} s, {} MiB",
                asked.what,
                asked.suggestions,
                asked.uses,
                rank(asked.test),
                rank(asked.guard),
                rank(asked.guard_behind),
                asked.seconds,
                asked.peak_kib >> 10
            );
            for (no, place) in (1..).zip(&asked.first) {
                println!("  {no}. {place}");
            }
        }
        for goal in &self.goals {
            let verdict = if goal.holds { "holds   " } else { "VIOLATED" };
            println!("{verdict} {}", goal.what);
        }
    }
}
