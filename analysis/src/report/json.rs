//! `report.json`. The format is a contract: fields may be added, never renamed or removed.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use jinsi_files::private;
use jinsi_history::damage::Entry;
pub use jinsi_omission_answers::Sentence;

use super::second_try::SecondTry;
pub use crate::minimized::{DESCRIBED, OtherFailure, Reproduction as TestOutcome};

/// The whole report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The recorded failure.
    pub failure: Failure,
    /// How the recording went.
    pub capture: Capture,
    /// The levels, lowest first.
    pub levels: Vec<LevelReport>,
    /// Source file of the test that is best kept, relative to the report; `null` if none is recommended.
    #[serde(default)]
    pub keep: Option<String>,
    /// Why that is the best one: a sentence.
    #[serde(default)]
    pub keep_why: Option<String>,
    /// What that test is good for, by its form: a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_words: Option<String>,
    /// The level that it is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_level: Option<u32>,
    /// Why no test is recommended: a sentence; absent if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_why_not: Option<String>,
    /// Of a failure that is no exception: how it came about, the observable failure first, then the states that led to it, back to
    /// where the state first goes wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<Link>,
    /// Why the chain ends where it does, or why there is none; absent if none was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain_end: Option<String>,
    /// Where something was left undone, which is why the chain ends: a decision after which the failure is gone. Absent if none is known, or
    /// there is no chain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain_undone: Option<Sentence>,
    /// Why it came to the failure, if there is a decision in what is left of a level after which it is gone, had that gone the other way;
    /// absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// The failed test was run once more, because its light recording gave no test to keep: what became of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_try: Option<SecondTry>,
    /// Wall time of everything.
    pub seconds: f64,
    /// Path of the trace file.
    #[serde(default)]
    pub trace: String,
    /// Wall time of each part, in order.
    #[serde(default)]
    pub parts: Vec<WallTime>,
    /// What of the trace is damaged; empty if nothing is.
    #[serde(default)]
    pub damage: Vec<Entry>,
    /// Why the recording does not reach to the end of the program, or no longer to its beginning; empty if it does.
    #[serde(default)]
    pub recording_cut: Vec<String>,
    /// Why not all was done: `interrupted`, or `budget` (the time was over); `null`: it was. Further levels are missing then.
    #[serde(default)]
    pub stopped: Option<String>,
    /// The recording's failures of other kinds, each with a directory of its own; absent if there are none or they were not looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_failures: Vec<OtherFailure>,
    /// The lines to look at first, by slices and stack trace; absent if no level was sliced.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspects: Vec<Suspect>,
}

/// The recorded failure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// `exception`; `assertion`: a test found a value to be wrong; or what the user named: `value`, `output`, `exit`, `hang`
    /// (`docs/oracles.md`).
    pub kind: String,
    /// Binary name of the exception's class.
    #[serde(rename = "type")]
    pub class: String,
    /// The message as a person reads it, `null` if it has none.
    pub message: Option<String>,
    /// The throwing place, `Class.method(File.java:348)`.
    pub at: String,
    /// The innermost place in the program's own code, in the same form; absent if no frame is the program's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_program: Option<String>,
    /// The recorded stack trace, topmost frame first.
    #[serde(default)]
    pub stack: Vec<StackFrame>,
    /// The test that failed, if the recorded program was a test suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// Of an assertion: the value that should have been, as it shows it; of an output or an exit status, what should have been in its place.
    /// Absent if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What was, of the same. Absent if it is not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    /// Of an assertion, how the interaction was found that delivered the wrong value: `shown`, it returned what the assertion shows;
    /// `source`, that was taken out of what it returned; `last`, it was the last one that returned anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
}

impl Failure {
    /// The failure in one line, by the program's own frame.
    pub fn line(&self) -> String {
        let message = self.message.as_deref().and_then(first_words);
        let message = match (message, &self.actual, &self.expected) {
            (Some(message), ..) => format!(": {message}"),
            (None, Some(actual), Some(expected)) => format!(": {actual} instead of {expected}"),
            (None, Some(actual), None) => format!(": {actual}"),
            (None, None, _) => String::new(),
        };
        let at = self.place();
        let name = match self.name() {
            "value" => "wrong value",
            name => name,
        };
        format!("{name}{message}, at {at}")
    }

    /// Where it was: the program's own frame, if there is one.
    pub fn place(&self) -> &str {
        self.in_program.as_deref().unwrap_or(&self.at)
    }

    /// What it is called: the exception's class, or what else it is.
    pub fn name(&self) -> &str {
        match self.class.as_str() {
            "" => &self.kind,
            class => class,
        }
    }
}

/// The first line of a message that says something. What matchers say of an expected value goes on in the next one.
fn first_words(message: &str) -> Option<String> {
    let mut lines = message
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let first = lines.next()?;
    let second = lines.next().filter(|_| first.starts_with("Expected: "));
    Some(match second {
        Some(second) => format!("{first}, {second}"),
        None => first.to_owned(),
    })
}

impl Report {
    /// The level of the test that is best kept: the one that headlines are about.
    pub fn kept_level(&self) -> Option<&LevelReport> {
        let number = self.keep_level?;
        self.levels.iter().find(|level| level.level == number)
    }
}

/// A failure explained.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The level in what is left of which the decision was turned; `null`: it was the whole run.
    pub level: Option<u32>,
    /// The sentences: from where it failed back to the decision, and what came of turning that.
    pub sentences: Vec<Sentence>,
}

/// A link of a cause-effect chain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// What is wrong: `field content contains "#38;"`; of the first link, the failure.
    pub predicate: String,
    /// The object whose state it is, `XMLElement#2`, or the class, if it is that of a static field; `null` for the failure.
    pub object: Option<String>,
    /// Binary name of its class.
    pub class: Option<String>,
    /// The interaction without which the state is not wrong, in words; `null` for the failure.
    pub by: Option<String>,
    /// What is left of the run, as the window of classes saw it in which this was found. Its number is that of the window.
    pub level: LevelReport,
}

/// A frame of the failure's stack trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StackFrame {
    /// `package.Class.method(File.java:348)`.
    pub text: String,
    /// The level whose object runs in this frame, if any.
    pub level: Option<u32>,
}

/// How the recording went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Capture {
    /// Events in the trace.
    pub events: u64,
    /// Size of the trace file.
    pub bytes: u64,
    /// Wall time of the recorded run; 0 if the trace does not say (the program was killed).
    pub seconds: f64,
    /// Classes rewritten by the agent.
    pub classes_rewritten: u64,
    /// Classes that matched `observe=` and were left alone.
    pub classes_skipped: Vec<String>,
    /// Exit status of the program; `null` if a signal ended it, or if it was recorded earlier.
    #[serde(default)]
    pub exit_status: Option<i32>,
    /// Events of the trace that a recording at the boundary was expanded to; its own are in `events`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expanded_events: Option<u64>,
    /// Why a recording at the boundary was not expanded: it has one level only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_expanded: Option<String>,
    /// Why a recording at the boundary could not be expanded, so that the program was run once more, with all interactions recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_once_more: Option<String>,
}

/// One level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LevelReport {
    /// 1 is the lowest: only the topmost object of the stack.
    pub level: u32,
    /// Binary names of the observed classes.
    pub observed: Vec<String>,
    /// Driven interactions recorded.
    pub interactions: u64,
    /// Of these, in the event slice.
    pub after_event_slice: u64,
    /// Of these, left by the search.
    pub minimized: u64,
    /// Of these, those with observed classes. The others make the objects that these meet, where the level was run for real.
    #[serde(default)]
    pub minimized_of_observed: u64,
    /// Tests of the search. If the level was tried with two observed sets, those of the
    /// one that counts; see `tests_of_other_attempt`.
    pub tests: u64,
    /// Tests that failed as recorded.
    pub failing: u64,
    /// Tests that passed.
    pub passing: u64,
    /// Tests that were unresolved.
    pub unresolved: u64,
    /// The final run needed re-synchronization.
    pub resynchronized: bool,
    /// Wall time.
    pub seconds: f64,
    /// The unit test's source file, relative to the report; `null` if none was written.
    pub test_file: Option<String>,
    /// Objects in the test that only the recording can make; `null` without a test.
    #[serde(default)]
    pub test_opaque: Option<u64>,
    /// Lines of the test's body, without remarks; `null` without a test.
    #[serde(default)]
    pub test_lines: Option<u64>,
    /// Different source lines of the observed classes, and of what they inherit, that the final run executes; `null`: not measured,
    /// since some of them have no line numbers, or the search was stopped.
    pub lines_executed: Option<u64>,
    /// Of these, lines in its dynamic slice; `null`: not measured.
    pub lines_in_slice: Option<u64>,
    /// Binary name of the class that joins on this level.
    #[serde(default)]
    pub name: String,
    /// What ran its interactions: `direct`, the classes themselves with nothing answered from the recording; or `replay`.
    #[serde(default)]
    pub engine: String,
    /// Why they were replayed, and not run for real; `null` if they were run, or that was not tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_direct: Option<String>,
    /// Binary names of classes that were taken for callers of the level, too, since what they do cannot be done once more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further_callers: Vec<String>,
    /// The observed set was widened beyond the stack's objects.
    #[serde(default)]
    pub widened: bool,
    /// Tests of the attempt with the other observed set, 0 if there was none.
    #[serde(default)]
    pub tests_of_other_attempt: u64,
    /// `reproduced`; or why the level could not be replayed, or not as a whole: then something is left of it all the same.
    #[serde(default)]
    pub strict_replay: String,
    /// If it was not reproduced, the same as a stable name: `divergence`, the program did something else than was recorded; `harness`, the
    /// replay itself failed, which is a fault of jinsi's; `passing`; `nothing_recorded`; or another situation of an unresolved test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict_replay_reason: Option<String>,
    /// Unresolved tests by situation.
    #[serde(default)]
    pub unresolved_by_reason: BTreeMap<String, u64>,
    /// What compiling and running the unit test gave; `null` if none was written.
    #[serde(default)]
    pub test_outcome: Option<TestOutcome>,
    /// Why it does not fail as recorded; absent if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_why: Option<String>,
    /// `plain`, `mockito` or `replay`; `null` if no test was written.
    #[serde(default)]
    pub test_form: Option<String>,
    /// The interactions that are left.
    #[serde(default)]
    pub kept: Vec<Kept>,
    /// The interactions that are not, in order: the first [`DESCRIBED`] of them.
    #[serde(default)]
    pub removed: Vec<Removed>,
    /// All interactions that are not, as ranges of numbers that were left out for the same reason, in order.
    #[serde(default)]
    pub removed_ranges: Vec<RemovedRange>,
    /// Remarks.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Values that are smaller than they were recorded, in what is left.
    #[serde(default)]
    pub shrunk: Vec<ShrunkValue>,
    /// Tests that making them smaller took.
    #[serde(default)]
    pub tests_of_shrinking: u64,
    /// Wall time of the tests alone.
    #[serde(default)]
    pub search_seconds: f64,
    /// Tests that were run ahead of the search, on further workers, and not asked for: `tests` has none of them.
    #[serde(default)]
    pub tests_in_vain: u64,
    /// Tests that plain delta debugging needs for the same; `null`: not asked for (`--search both` or `all`).
    #[serde(default)]
    pub tests_of_ddmin: Option<u64>,
    /// Interactions that it leaves.
    #[serde(default)]
    pub minimized_by_ddmin: Option<u64>,
    /// Wall time of its tests.
    #[serde(default)]
    pub seconds_of_ddmin: Option<f64>,
    /// It was stopped after half a minute: the three figures are not the whole of it.
    #[serde(default)]
    pub ddmin_stopped: bool,
    /// Tests that probabilistic delta debugging needs for the same; `null`: not asked for (`--search all`).
    #[serde(default)]
    pub tests_of_probdd: Option<u64>,
    /// Interactions that it leaves.
    #[serde(default)]
    pub minimized_by_probdd: Option<u64>,
    /// Wall time of its tests.
    #[serde(default)]
    pub seconds_of_probdd: Option<f64>,
    /// As `ddmin_stopped`.
    #[serde(default)]
    pub probdd_stopped: bool,
    /// Answers out of the recorded environment that the final run uses; `null` if the level was not minimized.
    #[serde(default)]
    pub answers: Option<u64>,
    /// As `lines_executed`, of all recorded interactions together.
    #[serde(default)]
    pub lines_recorded: Option<u64>,
    /// The lines in its dynamic slice, the nearest to the failure first.
    #[serde(default)]
    pub slice_lines: Vec<SliceLine>,
    /// What that slice could not follow.
    #[serde(default)]
    pub slice_crossings: Vec<String>,
    /// Why the search was stopped, as in the report; what is left fails as recorded then, but more of it could perhaps go.
    #[serde(default)]
    pub stopped: Option<String>,
    /// The trace is damaged, and something may be missing before the failure: what is said here rests on the rest.
    #[serde(default)]
    pub incomplete: bool,
}

/// A line that made what is left of a level fail.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SliceLine {
    /// Binary name of the class.
    pub class: String,
    /// Source file, if the class file names it.
    #[serde(default)]
    pub file: Option<String>,
    /// Line, from 1.
    pub line: u64,
    /// How many dependences it is away from the failure; `null`: not known.
    #[serde(default)]
    pub distance: Option<u64>,
    /// What the line says, if its source was found.
    #[serde(default)]
    pub text: Option<String>,
    /// What its variables held: `name = value`.
    #[serde(default)]
    pub values: Vec<String>,
}

/// A value that was made smaller.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShrunkValue {
    /// Number of the interaction, from 1.
    pub number: u64,
    /// Place among its arguments, from 1.
    pub argument: u32,
    /// The recorded value.
    pub recorded: String,
    /// The smaller one.
    pub shrunk: String,
}

/// A kept interaction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Its place among the level's driven interactions, from 1.
    pub number: u64,
    /// The interaction as text.
    pub text: String,
    /// Which call of the recorded run it is: `com.foo.Bar.name(I)V@2`, the second call of the method. `null`: it is no call, or the run had
    /// several threads.
    #[serde(default)]
    pub call: Option<String>,
    /// What happens without it: `passing`, `failing`, or the situation in which the replay gets stuck; `stopped` if that was not tried.
    pub without: String,
}

/// An interaction that was left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    /// Its place among the level's driven interactions, from 1.
    pub number: u64,
    /// The interaction as text.
    pub text: String,
    /// `event_slice` or `minimization`.
    pub by: String,
}

/// Consecutive interactions that were left out for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedRange {
    /// Number of the first one, from 1.
    pub from: u64,
    /// Number of the last one.
    pub to: u64,
    /// `event_slice` or `minimization`.
    pub by: String,
}

impl RemovedRange {
    /// How many interactions it stands for.
    pub fn count(&self) -> u64 {
        (self.to + 1).saturating_sub(self.from)
    }
}

/// Wall time of a part of the work.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WallTime {
    /// What was done.
    pub name: String,
    /// How long it took.
    pub seconds: f64,
}

impl Report {
    /// Reads a report that was written.
    ///
    /// # Errors
    /// The file cannot be read, or is none.
    pub fn read(path: &Path) -> std::io::Result<Self> {
        Ok(serde_json::from_slice(&std::fs::read(path)?)?)
    }

    /// Writes the report, readable, with a newline at its end.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        private::write(path, text)
    }
}

/// A line to look at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Suspect {
    /// How many lines have to be looked at until this one has been, at worst.
    pub rank: u64,
    /// Binary name of the class.
    pub class: String,
    /// Source file, if known.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: u64,
    /// What the line says, if its source was found.
    pub text: Option<String>,
    /// What speaks for it.
    pub why: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The contract's names, in the contract's order.
    #[test]
    fn the_contract_holds() {
        let report = Report {
            levels: vec![LevelReport::default()],
            ..Report::default()
        };
        let text = serde_json::to_string(&report).unwrap();
        let mut from = 0;
        for name in [
            "failure",
            "kind",
            "type",
            "message",
            "at",
            "capture",
            "events",
            "bytes",
            "seconds",
            "classes_rewritten",
            "classes_skipped",
            "levels",
            "level",
            "observed",
            "interactions",
            "after_event_slice",
            "minimized",
            "tests",
            "failing",
            "passing",
            "unresolved",
            "resynchronized",
            "seconds",
            "test_file",
            "lines_executed",
            "lines_in_slice",
            "seconds",
        ] {
            let key = format!("\"{name}\":");
            let at = text[from..]
                .find(&key)
                .unwrap_or_else(|| panic!("{name} is missing or out of order in {text}"));
            from += at + key.len();
        }
        assert!(text.contains("\"lines_executed\":null"));
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
    }

    #[test]
    fn an_earlier_report_without_added_fields_is_read() {
        let text = r#"{"failure":{"kind":"exception","type":"T","message":null,"at":"a"},
            "capture":{"events":1,"bytes":2,"seconds":0.5,"classes_rewritten":3,"classes_skipped":[]},
            "levels":[{"level":1,"observed":[],"interactions":1,"after_event_slice":1,"minimized":1,"tests":2,"failing":1,
            "passing":1,"unresolved":0,"resynchronized":false,"seconds":0.1,"test_file":null,"lines_executed":7,
            "lines_in_slice":3}],"seconds":1.0,"trace":"t","parts":[]}"#;
        let report: Report = serde_json::from_str(text).unwrap();
        assert_eq!(report.levels[0].lines_executed, Some(7));
        assert!(!report.levels[0].widened);
    }

    #[test]
    fn outcomes_have_stable_names() {
        let names = [
            TestOutcome::Reproduces,
            TestOutcome::FailsOtherwise,
            TestOutcome::DoesNotCompile,
        ];
        assert_eq!(
            serde_json::to_string(&names).unwrap(),
            r#"["reproduces","fails_otherwise","does_not_compile"]"#
        );
    }
}
