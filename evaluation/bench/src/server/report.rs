//! The figures, as JSON and as text.

use serde::Serialize;

use super::endurance::Endurance;
use super::failure::Minimized;
use super::pairs::Pairs;
use super::site::{ARTIFACTS, OPTIONS, Site};
use jinsi_ground::report::{Figures, Goal, goal};

/// Least part of the plain server's throughput that is to be left, and most by which latency may be longer.
const THROUGHPUT: f64 = 0.85;
const P99: f64 = 1.25;

/// All figures of a run.
#[derive(Serialize)]
pub(super) struct ServerFigures {
    java: String,
    artifacts: [&'static str; 3],
    options: &'static str,
    pairs: Pairs,
    endurance: Endurance,
    /// From the packed trace, in an empty directory.
    failed: Minimized,
    /// From the trace of a server that was killed while the request failed.
    killed: Minimized,
}

impl ServerFigures {
    pub(super) fn new(
        site: &Site,
        pairs: Pairs,
        endurance: Endurance,
        failed: Minimized,
        killed: Minimized,
    ) -> Self {
        Self {
            java: site.jdk.version().to_string(),
            artifacts: ARTIFACTS,
            options: OPTIONS,
            pairs,
            endurance,
            failed,
            killed,
        }
    }
}

impl Figures for ServerFigures {
    const LONG: &'static [&'static str] = &["endurance.samples"];

    fn goals(&self) -> Vec<Goal> {
        let (pairs, endurance) = (&self.pairs, &self.endurance);
        vec![
            goal(
                "throughput: at least 0.85 of the plain server's",
                pairs.throughput_ratio >= THROUGHPUT,
            ),
            goal(
                "p99: at most 1.25 times the plain server's",
                pairs.p99_ratio <= P99,
            ),
            goal(
                "no request fails that should not",
                pairs.errors == 0 && endurance.load.errors == 0,
            ),
            goal("memory does not grow", endurance.memory_is_bounded),
            goal(
                "the trace stays within its bound",
                endurance.trace_is_bounded,
            ),
            goal("the packed trace gives a test", self.failed.reproduces),
            goal("so does that of a killed server", self.killed.reproduces),
        ]
    }
}
