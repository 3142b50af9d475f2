//! What comes of minimizing a recorded failure. [`crate::report::json`] gives it the form of `report.json`.

mod keep;
mod past;
mod sides;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;

use jinsi_history::damage::Damaged;
use jinsi_history::{History, NodeKind, NodeNo};
use jinsi_level::{Interaction, Level, Operation, Outcome};
use jinsi_omission_answers::Sentence;
use jinsi_oracle::Oracle;
use jinsi_search::ddmin::Verdict;
use jinsi_search::levels::{LevelResult, StrictReplay};
use jinsi_search::stop;
use jinsi_slice::Slice;
use jinsi_slice::sources::Sources;
use jinsi_testwriter::measure::Measure;
use jinsi_testwriter::{Form, Promise};
use jinsi_trace::model::{MarkNo, Prim, Value};
use serde::{Deserialize, Serialize};

pub use keep::NotKept;
pub use sides::Sides;

/// Left-out interactions of a level that are described one by one. A level can have tens of thousands; the ranges name the rest.
pub const DESCRIBED: usize = 500;

/// A recorded failure, and what is left of it at each level.
#[derive(Debug)]
pub struct MinimizedRun {
    /// The failure.
    pub failure: RecordedFailure,
    /// How the recording went.
    pub capture: Capture,
    /// The levels, lowest first.
    pub levels: Vec<MinimizedLevel>,
    /// How the failure came about.
    pub chain: CauseChain,
    /// Why it came to it, in sentences, if there is a decision after which it is gone.
    pub explanation: Option<Explanation>,
    /// Wall time of each part of the work, in order.
    pub timings: Vec<Timing>,
    /// Wall time of everything, in seconds.
    pub seconds: f64,
    /// Path of the trace file.
    pub trace: PathBuf,
    /// What of the trace is damaged.
    pub damage: Damaged,
    /// Why the recording does not reach to the end of the program, or no longer to its beginning; empty if it does.
    pub recording_cut: Vec<String>,
    /// What has to be known of results from a recording of which the beginning was dropped; `None` of others.
    pub of_window: Option<String>,
    /// Why not all was done, if it was not: further levels are missing then.
    pub stopped: Option<stop::StopReason>,
    /// The recording's failures of other kinds; empty if they were not looked at.
    pub others: Vec<OtherFailure>,
}

/// Another failure of the same recording, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OtherFailure {
    /// Its number, as `jinsi info` counts them, from 1.
    pub number: usize,
    /// Binary name of the exception's class.
    #[serde(rename = "type")]
    pub class: String,
    /// The message as a person reads it, `null` if it has none.
    pub message: Option<String>,
    /// The throwing place, `Class.method(File.java:348)`.
    pub at: String,
    /// The directory of its own report, relative to this one; `null` if it was not minimized.
    pub directory: Option<String>,
    /// Source file of the test that is best kept, relative to this report; `null` if none is recommended.
    pub keep: Option<String>,
    /// Why it was not minimized, if it was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}

impl MinimizedRun {
    /// The level at this index, those of the links of the chain being counted behind the levels.
    pub fn level_mut(&mut self, index: usize) -> Option<&mut MinimizedLevel> {
        match index.checked_sub(self.levels.len()) {
            None => self.levels.get_mut(index),
            Some(link) => self.chain.links.get_mut(link).map(|link| &mut link.level),
        }
    }
}

/// The recorded failure.
#[derive(Clone, Debug)]
pub struct RecordedFailure {
    /// What makes a run a failing one: tells of which kind the failure is.
    pub oracle: Oracle,
    /// Binary name of the exception's class; empty if it is no exception.
    pub class: String,
    /// The message as a person reads it.
    pub message: Option<String>,
    /// The place where it shows, `Class.method(File.java:348)`.
    pub at: String,
    /// The recorded stack trace, topmost frame first: each frame as text, with the level whose object runs in it, if any.
    pub stack: Vec<(String, Option<u32>)>,
    /// The test that failed, if the recorded program was a test suite.
    pub test: Option<String>,
    /// Which recorded classes are the test's, and which the program's; `None` if no test failed.
    pub sides: Option<Sides>,
}

/// A failure explained by a decision that was turned, and it was gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Index of the level in what is left of which that was tried; `None`: it was the whole run.
    pub level: Option<usize>,
    /// The explanation.
    pub sentences: Vec<Sentence>,
}

/// How the recording went.
#[derive(Clone, Debug, Default)]
pub struct Capture {
    /// Events in the trace that was minimized.
    pub events: u64,
    /// Size of its file in bytes.
    pub bytes: u64,
    /// Wall time of the recorded run in seconds; 0 if the trace does not say (the program was killed).
    pub seconds: f64,
    /// Classes rewritten by the agent.
    pub classes_rewritten: u64,
    /// Binary names of the classes that matched `observe=` and were left alone.
    pub classes_skipped: Vec<String>,
    /// Exit status of the program; `None` if a signal ended it, or if it was recorded earlier.
    pub exit_status: Option<i32>,
    /// Of a recording at the boundary: what became of the attempt to expand it.
    pub expansion: Option<Expansion>,
    /// The program was recorded at the boundary before, and that could not be expanded: why.
    pub once_more: Option<String>,
}

/// A recording at the boundary was to be expanded, so that it has all levels.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// Events in the recording.
    pub events: u64,
    /// Size of its file in bytes.
    pub bytes: u64,
    /// Why it is minimized as it was recorded, at the one level of all observed classes; `None` if it was expanded.
    pub failed: Option<String>,
    /// What of the recording is damaged.
    pub damage: Damaged,
    /// If only the event slice of the failure was expanded: what has to be known of results from it.
    pub sliced: Option<String>,
    /// Failed tests that are not in it, because the replay diverged with them: how.
    pub left_out: BTreeMap<MarkNo, String>,
}

/// Wall time of a part of the work.
#[derive(Clone, Debug)]
pub struct Timing {
    /// What was done.
    pub part: String,
    /// How long it took.
    pub seconds: f64,
}

/// What is left of one level.
#[derive(Debug)]
pub struct MinimizedLevel {
    /// What the search came to. The interactions of its level are gone: there may have been millions.
    pub result: LevelResult,
    /// Driven interactions that the level had.
    pub interactions: u64,
    /// The interactions that are left, in order; none of a level that cannot be replayed.
    pub kept: Vec<KeptInteraction>,
    /// Those that are not.
    pub left_out: LeftOut,
    /// The dynamic slice of what is left; `None` if there is none, or none was asked for.
    pub slice: Option<LevelSlice>,
    /// Why there is no slice, though one was asked for, as the report says it.
    pub not_sliced: Option<String>,
    /// Why no test could be written, if none could.
    pub not_written: Option<String>,
    /// The unit test, if one was written.
    pub test: Option<WrittenTest>,
}

impl MinimizedLevel {
    /// What the search came to, with each interaction described by `describe`.
    pub fn new(mut result: LevelResult, describe: &dyn Fn(&Interaction, &Level) -> String) -> Self {
        let interactions = std::mem::take(&mut result.level.interactions);
        let mut level = Self {
            interactions: interactions.len() as u64,
            result,
            kept: Vec::new(),
            left_out: LeftOut::default(),
            slice: None,
            not_sliced: None,
            not_written: None,
            test: None,
        };
        if !matches!(level.result.strict_replay, StrictReplay::NotReplayable(_)) {
            level.tell_apart(&interactions, describe);
        }
        level
    }

    /// Says which calls of the recorded run they are that are left.
    pub fn locate(&mut self, history: &History) {
        let nodes: Vec<NodeNo> = self.kept.iter().map(|kept| kept.node).collect();
        for (kept, call) in self.kept.iter_mut().zip(past::calls(history, &nodes)) {
            kept.call = call;
            let is_activation = |n: &NodeNo| history.node(*n).kind == NodeKind::Activation;
            let below = history.below(kept.node);
            kept.is_check &= is_activation(&kept.node)
                && !below
                    .into_iter()
                    .any(|n| is_activation(&n) && !history.is_constructor(n));
        }
    }

    /// Says which interactions are left, and which are not, and why.
    fn tell_apart(
        &mut self,
        interactions: &[Interaction],
        describe: &dyn Fn(&Interaction, &Level) -> String,
    ) {
        let result = &self.result;
        // Both lists are in order.
        let among = |list: &[u32], no: &u32| list.binary_search(no).is_ok();
        for (number, interaction) in (1..).zip(interactions) {
            let no = &interaction.no;
            if let Ok(at) = result.kept.binary_search(no) {
                self.kept.push(KeptInteraction {
                    number,
                    node: interaction.node,
                    call: None,
                    text: describe(interaction, &result.level),
                    without: result.removals.get(at).map(|removal| removal.verdict),
                    class: interaction.target_class.replace('/', "."),
                    declared_in: interaction.member.owner.replace('/', "."),
                    is_call: matches!(
                        interaction.op,
                        Operation::Construct | Operation::Call | Operation::CallStatic
                    ),
                    is_main: interaction.member.name == "main"
                        && matches!(
                            interaction.member.desc.as_str(),
                            "([Ljava/lang/String;)V" | "()V"
                        ),
                    is_of_observed: result.spec.observed.contains(&interaction.target_class),
                    is_given_null: interaction.args.contains(&Value::Null),
                    is_check: is_told_what_to_throw(interaction),
                });
                continue;
            }
            let by = match among(&result.sliced, no) {
                true => LeftOutBy::Minimization,
                false => LeftOutBy::EventSlice,
            };
            self.left_out
                .push(number, by, || describe(interaction, &result.level));
        }
    }

    /// Takes the slice of what is left, with the text of its lines where `sources` have it.
    pub fn sliced(&mut self, slice: Slice, sources: &mut Sources<'_>) {
        let text = |line| sources.text(line).map(|text| text.trim().to_owned());
        let texts = slice.lines.iter().map(text).collect();
        self.slice = Some(LevelSlice { slice, texts });
    }
}

/// An interaction that is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptInteraction {
    /// Its place among the level's driven interactions, from 1.
    pub number: u64,
    node: NodeNo,
    /// The call in the recorded run: its method, as `com.foo.Bar.name(I)V`, and behind `@` which call of it; `None`: it is none, or there are
    /// several threads, so that others would count otherwise.
    pub call: Option<String>,
    /// The interaction in words.
    pub text: String,
    /// What happens without it, if that is known.
    pub without: Option<Verdict>,
    /// Binary name of the class that it is about.
    pub class: String,
    /// Binary name of the class that declares its member.
    pub declared_in: String,
    /// It is a call of a method or a constructor.
    pub is_call: bool,
    /// It is a call of a `main` method.
    pub is_main: bool,
    /// Its target is one of the level's observed classes. What is run for real also makes the objects that these meet.
    pub is_of_observed: bool,
    /// One of its arguments is `null`.
    pub is_given_null: bool,
    /// It throws by itself, and what it was given says so: `checkState(false, "closed")`.
    pub is_check: bool,
}

/// Is it a static call that throws, with arguments that are no objects, and one of them a condition or `null`?
fn is_told_what_to_throw(interaction: &Interaction) -> bool {
    let is_plain = |value: &Value| !matches!(value, Value::Object(_));
    let decides = |value: &Value| matches!(value, Value::Null | Value::Prim(Prim::Boolean(_)));
    interaction.op == Operation::CallStatic
        && matches!(interaction.outcome, Outcome::Throw(_))
        && interaction.args.iter().all(is_plain)
        && interaction.args.iter().any(decides)
}

/// What an interaction was left out by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutBy {
    /// It could not have influenced the failure.
    EventSlice,
    /// The failure occurs without it.
    Minimization,
}

impl LeftOutBy {
    /// Stable name, as in `report.json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::EventSlice => "event_slice",
            Self::Minimization => "minimization",
        }
    }
}

/// The interactions that are not left.
#[derive(Clone, Debug, Default)]
pub struct LeftOut {
    /// The first [`DESCRIBED`] of them: number, from 1, the interaction in words, and what it was left out by.
    pub described: Vec<(u64, String, LeftOutBy)>,
    /// All of them, as ranges (first, last) of numbers that were left out by the same, in order.
    pub ranges: Vec<(u64, u64, LeftOutBy)>,
}

impl LeftOut {
    /// Adds the next one.
    fn push(&mut self, number: u64, by: LeftOutBy, text: impl FnOnce() -> String) {
        match self.ranges.last_mut() {
            Some((_, last, same)) if *same == by && *last + 1 == number => *last = number,
            _ => self.ranges.push((number, number, by)),
        }
        if self.described.len() < DESCRIBED {
            self.described.push((number, text(), by));
        }
    }
}

/// The slice of what is left of a level.
#[derive(Debug)]
pub struct LevelSlice {
    /// The slice.
    pub slice: Slice,
    /// For each of its lines what it says, if its source was found.
    pub texts: Vec<Option<String>>,
}

/// A written unit test.
#[derive(Clone, Debug)]
pub struct WrittenTest {
    /// Its source file, relative to the report.
    pub file: String,
    /// What it needs.
    pub form: Form,
    /// What compiling and running it gave.
    pub outcome: Reproduction,
    /// Why it does not reproduce the failure; empty if it does.
    pub why: String,
    /// How much there is to read.
    pub measure: Measure,
    /// What it needs whatever its form is, for people.
    pub runs_with: String,
    /// What it promises.
    pub promise: Promise,
    /// Binary names of the run-time classes of the recorded objects that something stands in for.
    pub stands_in_for: BTreeSet<String>,
    /// What it expects was right at one moment, or for one draw, alone.
    pub by_chance: bool,
}

/// What compiling and running a written unit test gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reproduction {
    /// It fails with the recorded failure.
    Reproduces,
    /// It fails with another one.
    FailsOtherwise,
    /// It passes.
    Passes,
    /// It does not compile.
    DoesNotCompile,
    /// It was not run (no compiler, no JUnit).
    NotRun,
}

/// How a failure came about: the observable failure first, then the states that led to it, back to where the state first goes wrong.
#[derive(Debug, Default)]
pub struct CauseChain {
    /// Its links; none if nothing was found.
    pub links: Vec<ChainLink>,
    /// Why it ends, or why there is none; `None` if none was looked for.
    pub end: Option<ChainEnd>,
}

/// A link of a cause-effect chain.
#[derive(Debug)]
pub struct ChainLink {
    /// What is wrong: `field content contains "#38;"`; of the first link, the failure.
    pub predicate: String,
    /// The object whose state it is, `XMLElement#2`, or the class, if it is that of a static field; `None` for the failure.
    pub object: Option<String>,
    /// Binary name of its class.
    pub class: Option<String>,
    /// The interaction without which the state is not wrong, in words; `None` for the failure.
    pub by: Option<String>,
    /// What is left of the run, as the window of classes saw it in which this was found.
    pub level: MinimizedLevel,
}

/// Why a chain ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainEnd {
    /// No state before is another one in a run that passes.
    NoOtherState,
    /// The time or the number of windows for it was used up.
    Over,
    /// The levels needed no answers of classes that are not on the stack: they tell all.
    OnTheStack,
    /// There is nothing to begin with.
    NothingShows,
}

impl fmt::Display for ChainEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoOtherState => {
                "no further state was found to be another one in a run that passes"
            }
            Self::Over => "the time or the number of windows for it was used up",
            Self::OnTheStack => "the levels needed no answers of classes that are not on the stack",
            Self::NothingShows => "no object or class shows the failure",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_end_where_something_is_kept_or_the_reason_changes() {
        use LeftOutBy::{EventSlice as A, Minimization as B};
        let mut left_out = LeftOut::default();
        for (number, by) in [(1, A), (2, A), (3, B), (5, B), (6, B), (7, A)] {
            left_out.push(number, by, || number.to_string());
        }
        assert_eq!(
            left_out.ranges,
            [(1, 2, A), (3, 3, B), (5, 6, B), (7, 7, A)]
        );
        assert_eq!(left_out.described[3], (5, "5".into(), B));
    }

    #[test]
    fn names_are_those_of_the_json_form() {
        for by in [LeftOutBy::EventSlice, LeftOutBy::Minimization] {
            assert_eq!(serde_json::to_value(by).unwrap(), by.name());
        }
    }
}
