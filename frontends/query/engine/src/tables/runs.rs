//! The table `runs`.

use jinsi_history::failures;
use jinsi_trace::model::{Frame, ThrowableDef};

use crate::cell::Cell;
use crate::rows::Rows;
use crate::run::Run;

/// Longest chain of causes that is followed; a damaged table may hold a cycle.
const DEEPEST: usize = 64;

pub(crate) fn tell(run: &Run, rows: &mut Rows<'_>) {
    let trace = &run.trace;
    let failure = failures::pick(trace.failures());
    let thrown = failure.and_then(|failure| trace.throwable(failure.throwable));
    let root = thrown.map(|thrown| {
        let causes = std::iter::successors(Some(thrown), |def| trace.throwable(def.cause));
        causes.take(DEEPEST).last().unwrap_or(thrown)
    });
    let test = failure.and_then(|failure| trace.test_of(failure));
    let test = test.map(|mark| mark.full_name());
    let threads = trace.threads();
    let events: u64 = threads.iter().map(|t| trace.event_count(t.no)).sum();
    rows.push([
        run.name.as_str().into(),
        run.label.version.clone().into(),
        run.label.test.clone().or(test).into(),
        outcome(run).into(),
        file(run).into(),
        thrown.map(|def| def.class.clone()).into(),
        thrown.and_then(message).into(),
        thrown.and_then(place).into(),
        root.map(|def| def.class.clone()).into(),
        root.and_then(place).into(),
        run.label.minimal_test.clone().into(),
        trace.meta().started_ms.into(),
        trace.end().map(|end| end.seconds).into(),
        trace.meta().java_version.as_str().into(),
        trace.meta().detail.to_string().into(),
        Cell::from(threads.len() as u64),
        events.into(),
    ]);
}

/// Where the trace is, from wherever it is asked.
fn file(run: &Run) -> String {
    let file = std::path::absolute(&run.file);
    let file = file.unwrap_or_else(|_| run.file.clone());
    file.display().to_string()
}

/// How the run ended.
pub(crate) fn outcome(run: &Run) -> &'static str {
    match (run.trace.failures().is_empty(), run.trace.end()) {
        (false, _) => "failed",
        (true, Some(_)) => "passed",
        (true, None) => "killed",
    }
}

/// The message of an exception as a person reads it.
pub(crate) fn message(def: &ThrowableDef) -> Option<String> {
    def.text.clone().or_else(|| def.message.clone())
}

/// Where an exception was made.
pub(crate) fn place(def: &ThrowableDef) -> Option<String> {
    def.frames.first().map(written)
}

fn written(frame: &Frame) -> String {
    let Frame {
        class,
        method,
        file,
        line,
    } = frame;
    let file = file.as_deref().unwrap_or("Unknown Source");
    match line {
        1.. => format!("{class}.{method}({file}:{line})"),
        _ => format!("{class}.{method}({file})"),
    }
}
