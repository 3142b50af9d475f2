//! What recording costs: programs as they are, with jinsi, and with its peers, side by side in one run.

pub(super) mod armed;
pub(super) mod programs;
mod report;
mod steady;
mod tools;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_ground::commands;
use jinsi_jdk::Jdk;
use jinsi_jdk::maven::{self, FetchError};

use jinsi_ground::child::{self, Ending, Limits, Memory, Run};
use jinsi_ground::figures::median;
use programs::{Compiled, PROGRAMS, Program, SCALING};
use report::{
    CaptureFigures, Machine, Measured, ProgramReport, Scaling, Status, ToolRow, Unobtainable,
};
use tools::{Expanded, Recorded, Tool, Toolbox, UNFIT, WANTED};

/// Runs of a program without work in a round: it is short.
const RUNS_OF_START: usize = 4;

/// A run that writes more bytes is stopped, and said to be.
const MOST_WRITTEN: u64 = 16 << 30;

/// What is measured, and how often.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
    /// Only these programs (repeat it for several)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Rounds; in each, every program runs with every tool, and medians are reported
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// Little work, one round, jinsi not optimized: a smoke test whose figures mean nothing
    #[arg(long)]
    quick: bool,
    /// Only the steady state: the second half of much work, when compilers are done; with fewer tools
    #[arg(long)]
    steady: bool,
    /// Multiply the work by this
    #[arg(long, value_name = "F", default_value_t = 1.0)]
    scale: f64,
    /// A run that takes longer is stopped, and said to be
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    time_limit: u64,
    /// The JDK to use instead of JAVA_HOME or the `java` on the PATH: its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
}

/// Runs everything; false if a program failed or computed something else with jinsi.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    ensure!(
        arguments.scale > 0.0 && arguments.scale <= 1000.0,
        "--scale takes a number above 0 and up to 1000"
    );
    for name in &arguments.only {
        ensure!(
            PROGRAMS.iter().any(|program| program.name == name),
            "no program is called {name}: there are {}",
            PROGRAMS
                .iter()
                .map(|p| p.name)
                .collect::<Vec<_>>()
                .join(", ")
        );
    }
    let jdk = Jdk::find(arguments.java.as_deref())?;
    let profile = if arguments.quick { "dev" } else { "release" };
    let bench = Bench {
        toolbox: Toolbox {
            jinsi: commands::jinsi(None, profile)?,
        },
        arguments,
        jdk,
    };
    if arguments.steady {
        return steady::run(&bench);
    }
    let mut report = CaptureFigures {
        machine: Machine::this(&bench.jdk),
        runs: bench.rounds(),
        scale: arguments.scale,
        programs: Vec::new(),
        scaling: Vec::new(),
        unobtainable: unobtainable(),
    };
    for program in PROGRAMS.iter().filter(|p| bench.is_wanted(p)) {
        report.programs.push(bench.measure(program)?);
    }
    report.scaling = scaling(&report.programs);
    jinsi_ground::report::print(&report, arguments.json)
}

/// The peers that would be measured, were they to be had.
fn unobtainable() -> Vec<Unobtainable> {
    let missing = WANTED.iter().filter_map(|(tool, coordinates)| {
        let error = maven::fetch(&[coordinates]).err()?.to_string();
        Some(Unobtainable {
            tool,
            coordinates,
            error,
        })
    });
    let unfit = UNFIT.iter().map(|(tool, coordinates, why)| Unobtainable {
        tool,
        coordinates,
        error: (*why).to_owned(),
    });
    missing.chain(unfit).collect()
}

/// Two threads beside one, where both were measured with the same work.
fn scaling(programs: &[ProgramReport]) -> Vec<Scaling> {
    let [one, two] = SCALING.map(|name| programs.iter().find(|p| p.name == name));
    let Some((one, two)) = one.zip(two) else {
        return Vec::new();
    };
    let compared = two.rows.iter().filter_map(|row| {
        let two = row.measured.as_ref()?.work_seconds?;
        let one = one.measured(row.tool, row.work)?.work_seconds?;
        Some(Scaling {
            tool: row.tool,
            throughput_per_thread: one / two,
        })
    });
    compared.collect()
}

struct Bench<'a> {
    arguments: &'a Arguments,
    jdk: Jdk,
    toolbox: Toolbox,
}

/// A tool with so much work, while it is measured.
struct Series {
    tool: Tool,
    work: u64,
    samples: Vec<Sample>,
    recorded: Option<Recorded>,
    expanded: Option<Expanded>,
    /// Why there are no more.
    end: Option<(Status, String)>,
    checksum: Option<String>,
}

/// One run.
struct Sample {
    work_seconds: Option<f64>,
    whole_seconds: f64,
    memory: Memory,
}

impl Bench<'_> {
    fn is_wanted(&self, program: &Program) -> bool {
        let only = &self.arguments.only;
        only.is_empty() || only.iter().any(|name| name == program.name)
    }

    fn rounds(&self) -> usize {
        if self.arguments.quick {
            1
        } else {
            usize::from(self.arguments.runs)
        }
    }

    fn work(&self, program: &Program, tool: Tool) -> u64 {
        if program.work == 0 {
            return 0;
        }
        let full = if self.arguments.quick {
            program.quick as f64
        } else {
            program.work as f64 * self.arguments.scale / tool.divisor() as f64
        };
        (full.round() as u64).max(1)
    }

    /// Runs the program with every tool in turn, as often as there are rounds: what changes on the machine meets all of them.
    fn measure(&self, program: &Program) -> Result<ProgramReport> {
        let compiled = program.compile(&self.jdk)?;
        let mut all = self.series(program);
        let rounds = if program.work == 0 && !self.arguments.quick {
            RUNS_OF_START * self.rounds()
        } else {
            self.rounds()
        };
        for round in 0..rounds {
            for series in &mut all {
                if series.end.is_none() {
                    self.sample(program, &compiled, series)?;
                }
            }
            eprintln!("{}: round {} of {rounds}", program.name, round + 1);
        }
        let mut report = ProgramReport {
            name: program.name,
            what: program.what,
            threads: program.threads,
            application: program.application,
            package: program.package,
            rows: all.into_iter().map(Series::row).collect(),
        };
        relate(&mut report);
        Ok(report)
    }

    /// Every tool, and the program without a tool for each amount of work.
    fn series(&self, program: &Program) -> Vec<Series> {
        let mut all: Vec<Series> = Vec::new();
        for tool in Tool::ALL.into_iter().filter(|tool| tool.is_for(program)) {
            let work = self.work(program, tool);
            let plain = |series: &Series| series.tool == Tool::Plain && series.work == work;
            if tool != Tool::Plain && !all.iter().any(plain) {
                all.push(Series::new(Tool::Plain, work));
            }
            all.push(Series::new(tool, work));
        }
        all
    }

    fn limits(&self) -> Limits {
        Limits {
            time: Duration::from_secs(self.arguments.time_limit),
            disk: MOST_WRITTEN,
        }
    }

    /// One run of one tool in a directory, or why it is none to measure.
    fn once(
        &self,
        (program, compiled): (&Program, &Compiled),
        tool: Tool,
        work: u64,
        directory: &Path,
    ) -> Result<std::result::Result<Run, (Status, String)>> {
        let options = match self.toolbox.options(tool, program, directory) {
            Ok(options) => options,
            Err(error) if error.downcast_ref::<FetchError>().is_some() => {
                return Ok(Err((Status::Unobtainable, error.to_string())));
            }
            Err(error) => return Err(error),
        };
        let mut command = compiled.command(&self.jdk, &options, work, directory)?;
        let run = child::run(&mut command, directory, self.limits())?;
        Ok(match failure(&run) {
            Some(end) => Err(end),
            None => Ok(run),
        })
    }

    /// One run of a series, in a directory that is gone afterwards.
    fn sample(&self, program: &Program, compiled: &Compiled, series: &mut Series) -> Result<()> {
        let directory = tempfile::tempdir()?;
        let path = directory.path();
        match self.once((program, compiled), series.tool, series.work, path)? {
            Ok(run) => series.take(&run),
            Err(end) => series.end = Some(end),
        }
        if series.recorded.is_none() && series.end.is_none() {
            let recorded = self.toolbox.recorded(series.tool, path);
            series.recorded =
                Some(recorded.with_context(|| format!("the records of {}", series.tool.name()))?);
            if series.tool.is_at_boundary() && program.work > 0 && program.threads == 1 {
                series.expanded = Some(self.toolbox.expand(&self.jdk, path, self.limits())?);
            }
        }
        Ok(())
    }
}

/// Why a run is none to measure.
fn failure(run: &Run) -> Option<(Status, String)> {
    let status = match &run.end {
        Ending::Stopped(why) => return Some((Status::Stopped, why.clone())),
        Ending::Exited(status) if status.success() => return None,
        Ending::Exited(status) => status,
    };
    let refused =
        run.stdout.contains("agent library failed") || run.stderr.contains("agent library failed");
    let ours = run
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("jinsi: "));
    if let (true, Some(why)) = (refused, ours) {
        return Some((Status::Unsupported, why.to_owned()));
    }
    let last = [&run.stderr, &run.stdout]
        .into_iter()
        .find_map(|text| text.lines().rfind(|line| !line.trim().is_empty()));
    Some((
        Status::Failed,
        format!("{status}: {}", last.unwrap_or_default()),
    ))
}

/// A time that the program prints behind `key`, in nanoseconds.
fn printed_seconds(run: &Run, key: &str) -> Option<f64> {
    let printed = run.stdout.lines().find_map(|line| line.strip_prefix(key));
    Some(printed?.parse::<f64>().ok()? / 1e9)
}

/// Compares each row with the one of the same work without a tool.
fn relate(report: &mut ProgramReport) {
    let plain: Vec<(u64, Option<String>, Option<Measured>)> = report
        .rows
        .iter()
        .filter(|row| row.tool == Tool::Plain.name())
        .map(|row| (row.work, row.checksum.clone(), row.measured.clone()))
        .collect();
    let threads = report.threads;
    for row in &mut report.rows {
        let Some((_, checksum, Some(plain))) = plain.iter().find(|(work, ..)| *work == row.work)
        else {
            continue;
        };
        if let Some(measured) = &mut row.measured {
            measured.compare(plain, threads);
            if row.checksum != *checksum {
                row.status = Status::WrongResult;
                row.reason =
                    Some("the checksum is not that of the program without a tool".to_owned());
            }
        }
    }
}

impl Series {
    fn new(tool: Tool, work: u64) -> Series {
        Series {
            tool,
            work,
            samples: Vec::new(),
            recorded: None,
            expanded: None,
            end: None,
            checksum: None,
        }
    }

    /// Takes in what a run printed that ended well.
    fn take(&mut self, run: &Run) {
        let value = |key: &str| run.stdout.lines().find_map(|line| line.strip_prefix(key));
        let work_seconds = printed_seconds(run, "work-ns ");
        let checksum = value("checksum ").map(str::to_owned);
        if self.work > 0 && (work_seconds.is_none() || checksum.is_none()) {
            self.end = Some((
                Status::Failed,
                "it printed no time, or no checksum".to_owned(),
            ));
            return;
        }
        if !self.samples.is_empty() && self.checksum != checksum {
            let reason = "it does not print the same checksum in each run".to_owned();
            self.end = Some((Status::WrongResult, reason));
            return;
        }
        self.checksum = checksum;
        self.samples.push(Sample {
            work_seconds,
            whole_seconds: run.whole.as_secs_f64(),
            memory: run.memory,
        });
    }

    fn row(self) -> ToolRow {
        let (status, reason) = match self.end {
            Some((status, reason)) => (status, Some(reason)),
            None => (Status::Measured, None),
        };
        let measured = (status == Status::Measured)
            .then(|| measured(&self.samples, self.recorded, self.expanded));
        ToolRow {
            tool: self.tool.name(),
            status,
            reason,
            work: self.work,
            checksum: self.checksum,
            measured,
        }
    }
}

/// Medians of the runs; what is relative is not yet known.
fn measured(
    samples: &[Sample],
    recorded: Option<Recorded>,
    expanded: Option<Expanded>,
) -> Measured {
    let of = |value: &dyn Fn(&Sample) -> f64| median(samples.iter().map(value).collect());
    let work: Option<Vec<f64>> = samples.iter().map(|s| s.work_seconds).collect();
    let whole = samples.iter().map(|s| s.whole_seconds);
    let kib = |value: fn(&Memory) -> u64| of(&|s| value(&s.memory) as f64) as u64;
    Measured {
        runs: samples.len(),
        work_seconds: work.map(median),
        whole_seconds: of(&|s| s.whole_seconds),
        whole_seconds_range: [
            whole.clone().fold(f64::INFINITY, f64::min),
            whole.fold(0.0, f64::max),
        ],
        work_slowdown: None,
        whole_slowdown: None,
        added_seconds: None,
        memory: Memory {
            peak_kib: kib(|m| m.peak_kib),
            anonymous_kib: kib(|m| m.anonymous_kib),
            mapped_kib: kib(|m| m.mapped_kib),
        },
        recorded: recorded.unwrap_or_default(),
        expanded,
        bytes_per_event: None,
        ns_per_event_on_thread: None,
        ns_per_event_whole: None,
    }
}
