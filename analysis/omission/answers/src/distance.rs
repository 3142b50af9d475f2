//! How near what was found is to the failure.

use std::collections::HashMap;

use jinsi_history::failures;
use jinsi_omission::{Code, Place};
use jinsi_slice::Kind;
use jinsi_slice::criterion::Criterion;
use jinsi_trace::reader::Trace;

/// How far lines are from what made the run fail, in its relevant slice.
#[derive(Default)]
pub struct Distances(HashMap<(String, u16), u32>);

impl Distances {
    /// Those of a trace; none if nothing failed, or that cannot be sliced.
    pub fn in_trace(trace: &Trace) -> Self {
        let failure = failures::pick(trace.failures());
        let slice = failure.and_then(|failure| {
            let criterion = Criterion::Failure(failure.throwable);
            jinsi_slice::slice(trace, Some(criterion), Kind::Relevant).ok()
        });
        let lines = slice.into_iter().flat_map(|slice| slice.lines);
        let lines = lines.filter_map(|line| Some(((line.class, line.line), line.distance?)));
        Self(lines.collect())
    }

    /// That of the line at a place.
    pub fn of(&self, code: &Code<'_>, place: Place) -> Option<u32> {
        let class = code.method(place.method).owner.replace('/', ".");
        let line = code.instruction(place)?.line;
        self.0.get(&(class, line)).copied()
    }
}
