//! What was measured, as JSON and as tables. The keys of the JSON document are the names of the fields here; they stay as they are.

use std::fs;

use jinsi_jdk::Jdk;
use serde::Serialize;

use super::tools::{Expanded, Recorded, Tool};
use jinsi_ground::child::Memory;
use jinsi_ground::report::Findings;

/// The whole document.
#[derive(Serialize)]
pub(super) struct CaptureFigures {
    pub(super) machine: Machine,
    /// Rounds; in each, every program runs with every tool once (four times if it is for its start-up). Figures are medians.
    pub(super) runs: usize,
    /// By what the work was multiplied.
    pub(super) scale: f64,
    pub(super) programs: Vec<ProgramReport>,
    /// Two threads beside one.
    pub(super) scaling: Vec<Scaling>,
    /// Peers that could not be measured, and why.
    pub(super) unobtainable: Vec<Unobtainable>,
}

/// Where it was measured.
#[derive(Serialize)]
pub(super) struct Machine {
    processor: String,
    cpus: usize,
    memory_kib: u64,
    kernel: String,
    java: String,
}

/// A peer that was not measured.
#[derive(Serialize)]
pub(super) struct Unobtainable {
    pub(super) tool: &'static str,
    /// Its coordinates.
    pub(super) coordinates: &'static str,
    /// Why.
    pub(super) error: String,
}

/// A program with every tool.
#[derive(Serialize)]
pub(super) struct ProgramReport {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    /// Threads that do the work.
    pub(super) threads: u32,
    /// Packages of the application, `jinsi interactions` observes them.
    pub(super) application: &'static str,
    /// The one package that the rows `…, one package` observe.
    pub(super) package: &'static str,
    pub(super) rows: Vec<ToolRow>,
}

/// How it went with a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    /// All runs ended as without the tool.
    Measured,
    /// The tool refuses the option.
    Unsupported,
    /// Its jar cannot be fetched.
    Unobtainable,
    /// It took too much time or space.
    Stopped,
    /// The program failed.
    Failed,
    /// The program computed something else than without the tool.
    WrongResult,
}

/// One program with one tool.
#[derive(Serialize)]
pub(super) struct ToolRow {
    pub(super) tool: &'static str,
    pub(super) status: Status,
    /// Why it is not measured: the words of the tool, of the JVM, or the limit.
    pub(super) reason: Option<String>,
    /// The program's argument. All rows of the same work have the same checksum.
    pub(super) work: u64,
    /// What the program computed.
    pub(super) checksum: Option<String>,
    /// All else; `null` unless measured.
    pub(super) measured: Option<Measured>,
}

/// Medians of the runs of a row. Ratios and differences are against `plain` of the same work; `null` where there is no work or no event.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Measured {
    /// How often it ran.
    pub(super) runs: usize,
    /// Time of the work on the application's threads, which the program measures itself.
    pub(super) work_seconds: Option<f64>,
    /// Time of the process from its start to its end, with start-up, encoding and shutdown.
    pub(super) whole_seconds: f64,
    /// Shortest and longest of these.
    pub(super) whole_seconds_range: [f64; 2],
    /// `work_seconds`, ratio.
    pub(super) work_slowdown: Option<f64>,
    /// `whole_seconds`, ratio.
    pub(super) whole_slowdown: Option<f64>,
    /// `whole_seconds`, difference: of programs without work the start-up that is added.
    pub(super) added_seconds: Option<f64>,
    /// Peaks of memory.
    pub(super) memory: Memory,
    /// What was written, in the first run.
    pub(super) recorded: Recorded,
    /// ... at the boundary, and what replay makes of it; `null` of all else.
    pub(super) expanded: Option<Expanded>,
    /// Bytes written by the tool, over events.
    pub(super) bytes_per_event: Option<f64>,
    /// Difference of `work_seconds` over events, times the threads that work: what an event costs on the application's thread.
    pub(super) ns_per_event_on_thread: Option<f64>,
    /// Difference of `whole_seconds` over events: with the time of the encoder.
    pub(super) ns_per_event_whole: Option<f64>,
}

/// Two threads beside one, with a tool.
#[derive(Serialize)]
pub(super) struct Scaling {
    pub(super) tool: &'static str,
    /// Work a second and thread with two threads, over that with one. 1 is best.
    pub(super) throughput_per_thread: f64,
}

impl Machine {
    pub(super) fn this(jdk: &Jdk) -> Machine {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let value = |path: &str, key: &str| {
            let text = read(path);
            let line = text.lines().find(|line| line.starts_with(key));
            let value = line.and_then(|line| line.split_once(':'));
            value.map_or_else(String::new, |(_, value)| value.trim().to_owned())
        };
        let memory = value("/proc/meminfo", "MemTotal");
        Machine {
            processor: value("/proc/cpuinfo", "model name"),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            memory_kib: memory.trim_end_matches(" kB").parse().unwrap_or(0),
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            java: jdk.version().to_string(),
        }
    }
}

impl Measured {
    /// Fills in what is relative to the program without a tool.
    pub(super) fn compare(&mut self, plain: &Measured, threads: u32) {
        let works = self.work_seconds.zip(plain.work_seconds);
        self.work_slowdown = works.map(|(with, without)| with / without);
        self.whole_slowdown = Some(self.whole_seconds / plain.whole_seconds);
        let added = self.whole_seconds - plain.whole_seconds;
        self.added_seconds = Some(added);
        let events = self.recorded.events.filter(|n| *n > 0).map(|n| n as f64);
        self.bytes_per_event = events.map(|n| self.recorded.bytes as f64 / n);
        if let (Some(n), Some((with, without))) = (events, works) {
            self.ns_per_event_on_thread = Some((with - without) * 1e9 * f64::from(threads) / n);
            self.ns_per_event_whole = Some(added * 1e9 / n);
        }
        if let (Some(expanded), Some((with, without))) = (&mut self.expanded, works) {
            let events = expanded.events.filter(|n| *n > 0).map(|n| n as f64);
            expanded.ns_per_event_on_thread =
                events.map(|n| (with - without) * 1e9 * f64::from(threads) / n);
        }
    }
}

impl ProgramReport {
    /// The row of a tool, if it was measured with this work.
    pub(super) fn measured(&self, tool: &str, work: u64) -> Option<&Measured> {
        let row = self
            .rows
            .iter()
            .find(|row| row.tool == tool && row.work == work)?;
        row.measured.as_ref()
    }
}

impl Findings for CaptureFigures {
    /// Everything of ours ended well.
    fn holds(&self) -> bool {
        let ended_well = |row: &ToolRow| {
            let ours = row.tool == Tool::Plain.name() || row.tool.starts_with("jinsi");
            !ours || !matches!(row.status, Status::Failed | Status::WrongResult)
        };
        self.programs.iter().flat_map(|p| &p.rows).all(ended_well)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(work: Option<f64>, whole: f64, events: Option<u64>) -> Measured {
        Measured {
            runs: 1,
            work_seconds: work,
            whole_seconds: whole,
            whole_seconds_range: [whole; 2],
            work_slowdown: None,
            whole_slowdown: None,
            added_seconds: None,
            memory: Memory::default(),
            recorded: Recorded {
                bytes: 500,
                events,
                lost: Vec::new(),
            },
            expanded: None,
            bytes_per_event: None,
            ns_per_event_on_thread: None,
            ns_per_event_whole: None,
        }
    }

    #[test]
    fn an_event_costs_what_is_added() {
        let plain = measured(Some(1.0), 2.0, None);
        let mut with = measured(Some(3.0), 5.0, Some(1_000));
        with.compare(&plain, 2);
        assert_eq!(
            (with.work_slowdown, with.whole_slowdown),
            (Some(3.0), Some(2.5))
        );
        assert_eq!(with.bytes_per_event, Some(0.5));
        assert_eq!(with.ns_per_event_on_thread, Some(4e6));
        assert_eq!(with.ns_per_event_whole, Some(3e6));
        with.expanded = Some(Expanded {
            events: Some(8_000),
            ..Expanded::default()
        });
        with.compare(&plain, 2);
        let of_expanded = with.expanded.and_then(|e| e.ns_per_event_on_thread);
        assert_eq!(of_expanded, Some(5e5));
        let mut start = measured(None, 5.0, Some(0));
        start.compare(&measured(None, 4.5, None), 1);
        assert_eq!(
            (start.added_seconds, start.work_slowdown),
            (Some(0.5), None)
        );
        assert_eq!(
            (start.bytes_per_event, start.ns_per_event_whole),
            (None, None)
        );
    }
}
