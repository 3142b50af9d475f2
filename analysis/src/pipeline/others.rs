//! The other failures of a recording: those that are not the chosen one, nor alike.

use std::collections::HashSet;
use std::path::Path;

use jinsi_level::program::is_the_programs;
use jinsi_trace::model::{FailureKind, ObjectId, ThrowableDef};
use jinsi_trace::reader::Trace;

use super::root_cause::causes;
use super::run::Run;
use super::{PipelineError, save, short_frame};
use crate::minimized::{MinimizedRun, OtherFailure};
use crate::report::json::Report;

/// What makes failures alike: the class of the exception at the root, and the place in the program out of which it came.
type Kind = (String, String);

impl Run {
    /// Of the failures of other kinds than the chosen one the first of each kind, in the order in which they were recorded. Failed tests are
    /// not among them: [`Run::failed_tests`].
    pub fn other_failures(&self) -> Vec<OtherFailure> {
        let chosen = self.crash.as_ref().ok();
        let chosen = chosen.and_then(|crash| kind(&self.trace, crash.throwable));
        let mut seen: HashSet<Kind> = chosen.into_iter().collect();
        let failures = self.trace.failures().iter().enumerate();
        failures
            .filter(|(_, failure)| failure.kind != FailureKind::Test)
            .filter_map(|(at, failure)| {
                let new = seen.insert(kind(&self.trace, failure.throwable)?);
                let thrown = self.trace.throwable(failure.throwable).filter(|_| new)?;
                Some(OtherFailure::of(at + 1, thrown))
            })
            .collect()
    }
}

impl OtherFailure {
    fn of(number: usize, thrown: &ThrowableDef) -> Self {
        Self {
            number,
            class: thrown.class.clone(),
            message: thrown.text.clone(),
            at: thrown.frames.first().map(short_frame).unwrap_or_default(),
            ..Self::default()
        }
    }

    /// The directory for its report, beside that of the chosen one.
    pub fn directory(&self) -> String {
        format!("failure-{}", self.number)
    }

    /// The same, with what came of it.
    pub fn minimized(self, run: &MinimizedRun) -> Self {
        let directory = self.directory();
        let keep = run.keep();
        Self {
            class: run.failure.class.clone(),
            message: run.failure.message.clone(),
            at: run.failure.at.clone(),
            keep: keep.map(|(_, test)| format!("{directory}/{}", test.file)),
            directory: Some(directory),
            ..self
        }
    }

    /// The same, which could not be minimized.
    pub fn left(self, why: &PipelineError) -> Self {
        Self {
            why_not: Some(why.to_string()),
            ..self
        }
    }
}

impl MinimizedRun {
    /// Writes the reports once more, with what came of the recording's other failures.
    ///
    /// # Errors
    /// They cannot be written to the directory `out`.
    pub fn save_with(
        &mut self,
        others: Vec<OtherFailure>,
        out: &Path,
    ) -> Result<(), PipelineError> {
        self.others = others;
        save(&Report::of(self), out)
    }
}

fn kind(trace: &Trace, throwable: ObjectId) -> Option<Kind> {
    let root = causes(trace, throwable).into_iter().next_back()?;
    let thrown = trace.throwable(root)?;
    let frames = &thrown.frames;
    let own = frames.iter().find(|frame| is_the_programs(&frame.class));
    let place = own.or(frames.first()).map(short_frame);
    Some((thrown.class.clone(), place.unwrap_or_default()))
}
