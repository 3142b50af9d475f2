//! The rows of a bug's levels in the tables.

use jinsi_analysis::report::json::{LevelReport, TestOutcome};
use serde::Serialize;

/// What the search came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Counts {
    pub(super) interactions: u64,
    /// Of these, those in the event slice.
    pub(super) after_event_slice: u64,
    /// Of these, those left.
    pub(super) minimized: u64,
    pub(super) tests: u64,
    pub(super) failing: u64,
    pub(super) passing: u64,
    pub(super) unresolved: u64,
}

impl Counts {
    fn of(level: &LevelReport) -> Self {
        Self {
            interactions: level.interactions,
            after_event_slice: level.after_event_slice,
            minimized: level.minimized,
            tests: level.tests,
            failing: level.failing,
            passing: level.passing,
            unresolved: level.unresolved,
        }
    }
}

impl std::iter::Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |a, b| Self {
            interactions: a.interactions + b.interactions,
            after_event_slice: a.after_event_slice + b.after_event_slice,
            minimized: a.minimized + b.minimized,
            tests: a.tests + b.tests,
            failing: a.failing + b.failing,
            passing: a.passing + b.passing,
            unresolved: a.unresolved + b.unresolved,
        })
    }
}

/// A level of a bug.
#[derive(Serialize)]
pub(super) struct LevelRow {
    pub(super) level: u32,
    pub(super) joins: String,
    #[serde(flatten)]
    pub(super) counts: Counts,
    /// Of what is left, the interactions with the level's own classes.
    pub(super) minimized_of_observed: u64,
    /// `direct` or `replay`.
    pub(super) engine: String,
    /// Why not `direct`.
    pub(super) not_direct: Option<String>,
    pub(super) seconds: f64,
    pub(super) lines_recorded: Option<u64>,
    pub(super) lines_executed: Option<u64>,
    pub(super) ddmin_tests: Option<u64>,
    pub(super) ddmin_seconds: Option<f64>,
    pub(super) probdd_tests: Option<u64>,
    pub(super) probdd_seconds: Option<f64>,
    pub(super) widened: bool,
    pub(super) resynchronized: bool,
    /// `plain`, `mockito` or `replay`; `null` without a test.
    pub(super) form: Option<String>,
    /// `reproduces`, or why it does not.
    pub(super) outcome: String,
    /// Removing each remaining interaction once more made the failure go away; `null`: not checked.
    pub(super) minimal: Option<bool>,
    /// What Maven Surefire came to, `fails rightly` or another end; `null`: not checked, or no test.
    pub(super) surefire: Option<String>,
}

impl LevelRow {
    pub(super) fn new(level: &LevelReport, minimal: Option<bool>) -> Self {
        Self {
            level: level.level,
            joins: level.name.clone(),
            counts: Counts::of(level),
            minimized_of_observed: level.minimized_of_observed,
            engine: level.engine.clone(),
            not_direct: level.not_direct.clone(),
            seconds: level.seconds,
            lines_recorded: level.lines_recorded,
            lines_executed: level.lines_executed,
            ddmin_tests: level.tests_of_ddmin,
            ddmin_seconds: level.seconds_of_ddmin,
            probdd_tests: level.tests_of_probdd,
            probdd_seconds: level.seconds_of_probdd,
            widened: level.widened,
            resynchronized: level.resynchronized,
            form: level.test_form.clone(),
            outcome: outcome(level),
            minimal,
            surefire: None,
        }
    }

    /// For people: a line for all that is not as it should be.
    pub(super) fn complaints(&self) -> String {
        let mut text = String::new();
        let mut complain =
            |what: &str| text += &format!("    {} {}: {what}\n", self.level, self.joins);
        if !self.reproduces() {
            complain(&self.outcome);
        }
        if let Some(surefire) = self.surefire.as_ref().filter(|_| self.fails_wrongly()) {
            complain(&format!("Surefire: {surefire}"));
        }
        if self.minimal == Some(false) {
            complain("NOT 1-MINIMAL");
        }
        text
    }

    /// Surefire has run a test that reproduces, and it did not fail as recorded. Of one that does not, that is known.
    pub(super) fn fails_wrongly(&self) -> bool {
        let wrongly = self
            .surefire
            .as_deref()
            .is_some_and(|s| s != "fails rightly");
        wrongly && self.reproduces()
    }

    pub(super) fn reproduces(&self) -> bool {
        self.outcome == "reproduces"
    }
}

fn outcome(level: &LevelReport) -> String {
    if level.strict_replay != "reproduced" {
        return format!("not replayable: {}", level.strict_replay);
    }
    let last = level.notes.last().map_or("", String::as_str);
    match level.test_outcome {
        Some(TestOutcome::Reproduces) => "reproduces".into(),
        Some(TestOutcome::FailsOtherwise) => format!("the test fails otherwise: {last}"),
        Some(TestOutcome::Passes) => format!("the test passes: {last}"),
        Some(TestOutcome::DoesNotCompile) => format!("the test does not compile: {last}"),
        Some(TestOutcome::NotRun) => format!("the test was not run: {last}"),
        None => format!("no test was written: {last}"),
    }
}
