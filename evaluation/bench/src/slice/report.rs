//! The figures, as JSON and as a table.

use jinsi_jdk::Jdk;
use serde::Serialize;

use crate::slice::users::{self, User};
use jinsi_ground::goal::Goal;

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
pub(super) struct Report {
    jdk: String,
    rounds: u32,
    scale: f64,
    pub(super) programs: Vec<Row>,
    /// Of the trace of a hundred million instructions.
    pub(super) large: Option<Cost>,
    /// Of hierarchical slices of real bugs.
    pub(super) simulated_users: Vec<User>,
    median_slowdown: f64,
    /// With each program traced the way that costs less.
    median_tracing_slowdown: f64,
    median_instructions_a_second: f64,
    /// Whether each figure is as it has to be, and all.
    goals: Vec<Goal>,
    pub(super) holds: bool,
}

/// Figures of one program.
#[derive(Serialize)]
pub(super) struct Row {
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

impl Row {
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

impl Report {
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
            goals: Vec::new(),
            holds: false,
        }
    }

    /// Compares with what has to be reached.
    pub(super) fn sum_up(&mut self) {
        if !self.programs.is_empty() {
            self.sum_up_programs();
        }
        if !self.simulated_users.is_empty() {
            let held = self.simulated_users.iter().filter(|user| user.holds);
            self.goals.push(goal(
                "a tenth of the slice, or less, is inspected for at least three bugs of 50 classes and more",
                held.count() >= USERS,
            ));
        }
        self.holds = self.goals.iter().all(|goal| goal.holds);
    }

    fn sum_up_programs(&mut self) {
        let all = |figure: fn(&Row) -> f64| self.programs.iter().map(figure).collect::<Vec<f64>>();
        let most = |figures: &[f64]| figures.iter().copied().fold(f64::MIN, f64::max);
        let tracing = all(Row::tracing_slowdown);
        let extra = most(&all(|row| row.relevant_extra_percent));
        self.median_instructions_a_second = median(all(|row| row.dynamic.instructions_a_second));
        let worst = most(&tracing);
        self.median_slowdown = median(all(|row| row.slowdown));
        self.median_tracing_slowdown = median(tracing);
        self.goals.extend([
            goal(
                "tracing, at once or in a replay, slows no program down more than 5 times",
                worst <= SLOWDOWN.0,
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
                extra <= EXTRA_PERCENT,
            ),
        ]);
        // Left out, it is neither so nor not.
        self.goals.extend(self.large.as_ref().map(|cost| {
            goal(
                "a hundred million instructions within 10 s and 2 GiB",
                cost.seconds <= LARGE.0 && cost.peak_kib <= LARGE.1,
            )
        }));
    }

    /// Prints a table.
    pub(super) fn print(&self) {
        if !self.programs.is_empty() {
            self.print_programs();
        }
        if !self.simulated_users.is_empty() {
            users::print(&self.simulated_users);
        }
        for goal in &self.goals {
            println!(
                "{} {}",
                if goal.holds {
                    "holds:        "
                } else {
                    "DOES NOT HOLD:"
                },
                goal.what
            );
        }
    }

    fn print_programs(&self) {
        println!(
            "Java {}, median of {}, scale {}\n",
            self.jdk, self.rounds, self.scale
        );
        println!(
            "{:<9} {:>10} {:>9} {:>9} {:>8} {:>7} {:>7} {:>8} {:>9} {:>8} {:>8} {:>8} {:>8} {:>7}",
            "",
            "executed",
            "plain s",
            "traced s",
            "slower",
            "whole",
            "bits",
            "slice s",
            "M instr/s",
            "MiB",
            "rel. +%",
            "RLESe %",
            "SEQ. %",
            "checks"
        );
        for row in &self.programs {
            println!(
                "{:<9} {:>10} {:>9.3} {:>9.3} {:>7.1}x {:>6.1}x {:>7.2} {:>8.2} {:>9.1} {:>8.0} {:>8.1} {:>8.3} {:>8.3} {:>7.1}",
                row.name,
                row.dynamic.executed,
                row.plain_seconds,
                row.traced_seconds,
                row.slowdown,
                row.whole_slowdown,
                row.bits_an_instruction,
                row.dynamic.seconds,
                row.dynamic.instructions_a_second / 1e6,
                row.dynamic.peak_kib as f64 / 1024.0,
                row.relevant_extra_percent,
                row.compression.rlese_percent,
                row.compression.sequitur_percent,
                row.compression.checks_ratio
            );
        }
        self.print_deferred();
        if let Some(large) = &self.large {
            println!(
                "\n{} instructions: {:.2} s, {:.0} MiB, {:.0} of them no file's",
                large.executed,
                large.seconds,
                large.peak_kib as f64 / 1024.0,
                large.anonymous_kib as f64 / 1024.0
            );
        }
    }
}

impl Report {
    fn print_deferred(&self) {
        println!(
            "\n{:<9} {:>9} {:>8} {:>7} {:>9} {:>9} {:>9} {:>6}",
            "boundary", "s", "slower", "whole", "KiB", "replay s", "KiB", "slice"
        );
        for row in &self.programs {
            let (thin, replay) = (&row.deferred, &row.deferred.replay);
            print!(
                "{:<9} {:>9.3} {:>7.1}x {:>6.1}x {:>9}",
                row.name,
                thin.seconds,
                thin.slowdown,
                thin.whole_slowdown,
                thin.file_bytes >> 10
            );
            match &replay.failed {
                Some(why) => println!(" {why}"),
                None => println!(
                    " {:>9.1} {:>9} {:>6}",
                    replay.seconds,
                    replay.file_bytes >> 10,
                    if replay.same_slice { "same" } else { "OTHER" }
                ),
            }
        }
    }
}

fn goal(what: &'static str, holds: bool) -> Goal {
    Goal { what, holds }
}

/// The middle one of these figures; 0 if there is none.
pub(crate) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(0.0)
}
