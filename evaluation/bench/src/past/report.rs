//! The figures of the past, and what has to hold of them.

use std::time::Duration;

use serde::Serialize;

use jinsi_ground::report::{Figures, Goal, goal};

/// Goals of a trace of [`LARGE`] events.
const LARGE: f64 = 1e8;
const INDEX_SECONDS: f64 = 60.0;
const INDEX_KIB: u64 = 1 << 20;
/// Goal at every size: of the bytes of the trace.
const INDEX_PART: f64 = 0.05;
/// Goals at every size, in milliseconds.
const STATE: f64 = 50.0;
const WRITER: f64 = 100.0;

/// All figures.
#[derive(Serialize)]
pub(super) struct PastFigures {
    pub(super) java: String,
    pub(super) costs: Vec<Cost>,
    pub(super) rows: Vec<TraceRow>,
}

/// What recording costs: times as long as the program's work takes, and bytes of its trace.
#[derive(Serialize)]
pub(super) struct Cost {
    pub(super) program: &'static str,
    pub(super) instructions: f64,
    pub(super) states: f64,
    pub(super) instructions_bytes: u64,
    pub(super) states_bytes: u64,
}

/// A trace.
#[derive(Serialize)]
pub(super) struct TraceRow {
    pub(super) program: &'static str,
    pub(super) events: u64,
    pub(super) trace_bytes: u64,
    pub(super) index_bytes: u64,
    /// All events of all threads, one after the other, on one core.
    pub(super) events_decoded_a_second: f64,
    pub(super) trace_open_seconds: f64,
    /// A process that makes the index, and one that reads it; each is asked for one state.
    pub(super) index_made: Process,
    pub(super) index_read: Process,
    /// States at random moments.
    pub(super) states: Questions,
    /// Who had written what a random variable held.
    pub(super) writers: Questions,
}

/// What a process took.
#[derive(Serialize)]
pub(super) struct Process {
    pub(super) seconds: f64,
    pub(super) peak_kib: u64,
}

/// Times of questions, in milliseconds.
#[derive(Serialize)]
pub(super) struct Questions {
    asked: usize,
    median_ms: f64,
    p95_ms: f64,
    most_ms: f64,
}

impl Questions {
    pub(super) fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |part: f64| {
            let place = (times.len() as f64 * part) as usize;
            let time = times.get(place.min(times.len().saturating_sub(1)));
            time.map_or(0.0, |time| time.as_secs_f64() * 1e3)
        };
        Self {
            asked: times.len(),
            median_ms: at(0.5),
            p95_ms: at(0.95),
            most_ms: at(1.0),
        }
    }
}

impl Figures for PastFigures {
    fn goals(&self) -> Vec<Goal> {
        // So many events for each of the goal's.
        let part = |row: &TraceRow| (row.events as f64 / LARGE).max(0.1);
        let all =
            |holds: fn(&TraceRow, f64) -> bool| self.rows.iter().all(|row| holds(row, part(row)));
        vec![
            goal(
                "the index of 10^8 events takes at most 60 s, and less of fewer",
                all(|row, part| row.index_made.seconds <= INDEX_SECONDS * part),
            ),
            goal(
                "it takes at most 1 GiB",
                all(|row, _| row.index_made.peak_kib <= INDEX_KIB),
            ),
            goal(
                "it has at most 5 % of the bytes of the trace",
                all(|row, _| row.index_bytes as f64 <= row.trace_bytes as f64 * INDEX_PART),
            ),
            goal(
                "a state takes at most 50 ms (p95)",
                all(|row, _| row.states.p95_ms <= STATE),
            ),
            goal(
                "a last writer takes at most 100 ms (p95)",
                all(|row, _| row.writers.p95_ms <= WRITER),
            ),
        ]
    }
}
