//! The figures, as JSON and as a table.

use jinsi_jdk::Jdk;
use serde::Serialize;

use crate::slice::users::User;
use jinsi_ground::figures::median;
use jinsi_ground::report::{Figures, Goal, goal};

/// Most that recording may slow a program down, and the median of them.
const SLOWDOWN: (f64, f64) = (5.0, 3.0);
/// Instructions a second that slicing has to reach, in the median.
const SPEED: f64 = 20e6;
/// Percent that a relevant slice may take longer (Wang 2007, Section 4.4.2).
const EXTRA_PERCENT: f64 = 43.16;
/// Bugs of which a simulated user has to inspect an order of magnitude less than is in the slice.
const USERS: usize = 3;
/// Seconds and KiB that the large slice may take.
const LARGE: (f64, u64) = (10.0, 2 << 20);

/// All figures of a run.
#[derive(Serialize)]
pub(super) struct SliceFigures {
    jdk: String,
    rounds: u32,
    scale: f64,
    pub(super) programs: Vec<ProgramRow>,
    /// Of the trace of a hundred million instructions.
    pub(super) large: Option<Cost>,
    /// Of hierarchical slices of real bugs.
    pub(super) simulated_users: Vec<User>,
    median_slowdown: f64,
    /// With each program traced the way that costs less.
    median_tracing_slowdown: f64,
    median_instructions_a_second: f64,
}

/// Figures of one program.
#[derive(Serialize)]
pub(super) struct ProgramRow {
    pub(super) name: &'static str,
    pub(super) work: u64,
    pub(super) plain_seconds: f64,
    pub(super) traced_seconds: f64,
    /// Median of the rounds: of the work's time.
    pub(super) slowdown: f64,
    /// The same for the whole process: the JVM's start is in both, and in the second what is encoded when the work is done.
    pub(super) plain_whole_seconds: f64,
    pub(super) traced_whole_seconds: f64,
    pub(super) whole_slowdown: f64,
    pub(super) deferred: Deferred,
    pub(super) events: u64,
    pub(super) file_bytes: u64,
    pub(super) bits_an_instruction: f64,
    pub(super) criterion: String,
    pub(super) dynamic: Cost,
    pub(super) relevant: Cost,
    pub(super) relevant_extra_percent: f64,
    pub(super) compression: Compression,
}

impl ProgramRow {
    /// How much slower the run is that gets sliced: recorded with its instructions, or without, if its replay has the same ones.
    fn tracing_slowdown(&self) -> f64 {
        match self.deferred.replay.same_slice {
            true => self.slowdown.min(self.deferred.slowdown),
            false => self.slowdown,
        }
    }
}

/// The other way to get the instructions: `detail=boundary`, and they are recorded when that is replayed.
#[derive(Serialize)]
pub(super) struct Deferred {
    pub(super) seconds: f64,
    /// As those of the row.
    pub(super) slowdown: f64,
    pub(super) whole_slowdown: f64,
    pub(super) file_bytes: u64,
    pub(super) replay: Replay,
}

/// `jinsi expand --detail instructions`.
#[derive(Default, Serialize)]
pub(super) struct Replay {
    /// Why there are no instructions.
    pub(super) failed: Option<String>,
    pub(super) seconds: f64,
    pub(super) file_bytes: u64,
    /// Does the slice have the same lines as that of the run whose instructions were recorded at once?
    pub(super) same_slice: bool,
}

/// What a slice took: the whole process, from opening the trace on.
#[derive(Clone, Serialize)]
pub(super) struct Cost {
    pub(super) seconds: f64,
    /// Executed instructions that were walked over, and those in the slice.
    pub(super) executed: u64,
    pub(super) occurrences: u64,
    /// Different instructions in the slice.
    pub(super) instructions: u64,
    pub(super) instructions_a_second: f64,
    /// All memory, the mapped trace among it; and what no file is behind.
    pub(super) peak_kib: u64,
    pub(super) anonymous_kib: u64,
}

/// Sequences of control flow and memory references, without values, beside the thesis' tables 3.5 to 3.7.
#[derive(Serialize)]
pub(super) struct Compression {
    pub(super) plain_bytes: u64,
    /// Of 100 plain bytes.
    pub(super) rlese_percent: f64,
    pub(super) sequitur_percent: f64,
    /// Digrams that SEQUITUR looks up for one of RLESe.
    pub(super) checks_ratio: f64,
}

impl SliceFigures {
    pub(super) fn new(jdk: &Jdk, rounds: u32, scale: f64) -> Self {
        Self {
            jdk: jdk.version().to_string(),
            rounds,
            scale,
            programs: Vec::new(),
            large: None,
            simulated_users: Vec::new(),
            median_slowdown: 0.0,
            median_tracing_slowdown: 0.0,
            median_instructions_a_second: 0.0,
        }
    }

    /// With the medians over the programs.
    pub(super) fn sum_up(mut self) -> Self {
        let of =
            |figure: fn(&ProgramRow) -> f64| median(self.programs.iter().map(figure).collect());
        self.median_instructions_a_second = of(|row| row.dynamic.instructions_a_second);
        self.median_slowdown = of(|row| row.slowdown);
        self.median_tracing_slowdown = of(ProgramRow::tracing_slowdown);
        self
    }
}

impl Figures for SliceFigures {
    fn goals(&self) -> Vec<Goal> {
        let mut goals = Vec::new();
        if !self.programs.is_empty() {
            let most = |figure: fn(&ProgramRow) -> f64| {
                self.programs.iter().map(figure).fold(f64::MIN, f64::max)
            };
            goals.extend([
                goal(
                    "tracing, at once or in a replay, slows no program down more than 5 times",
                    most(ProgramRow::tracing_slowdown) <= SLOWDOWN.0,
                ),
                goal(
                    "tracing: at most 3 times in the median",
                    self.median_tracing_slowdown <= SLOWDOWN.1,
                ),
                goal(
                    "20 million instructions a second",
                    self.median_instructions_a_second >= SPEED,
                ),
                goal(
                    "relevant slices take at most 43.16 % longer",
                    most(|row| row.relevant_extra_percent) <= EXTRA_PERCENT,
                ),
            ]);
            // Left out, it is neither so nor not.
            goals.extend(self.large.as_ref().map(|cost| {
                goal(
                    "a hundred million instructions within 10 s and 2 GiB",
                    cost.seconds <= LARGE.0 && cost.peak_kib <= LARGE.1,
                )
            }));
        }
        if !self.simulated_users.is_empty() {
            let held = self.simulated_users.iter().filter(|user| user.holds);
            goals.push(goal(
                "a tenth of the slice, or less, is inspected for at least three bugs of 50 classes and more",
                held.count() >= USERS,
            ));
        }
        goals
    }
}
