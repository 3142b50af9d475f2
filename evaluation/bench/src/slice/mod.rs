//! `cargo xtask bench slice`: what recording instructions costs, and how fast and small slices are (Wang 2007, Sections 3.3
//! and 4.4).

mod report;
pub(super) mod subjects;
mod users;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use jinsi_classfile::cfg::BlockNo;
use jinsi_ground::{doctor, repository};
use jinsi_jdk::Jdk;
use jinsi_steps::code::{MethodNo, Program};
use jinsi_steps::walk::{EventOperands, Location, Met, Opening, Step, Visitor, Walker};
use jinsi_trace::model::ObjectId;
use jinsi_trace::reader::Trace;

use super::trace::codecs::{self, Codec};
use super::trace::columns::{self, Share};
use jinsi_ground::child::{self, Ending, Limits, Run};
use jinsi_ground::commands::agent;

use jinsi_ground::figures::median;
use jinsi_ground::report::{Judged, print};
use report::{Compression, Cost, Deferred, ProgramRow, Replay, SliceFigures};
use subjects::Subject;

/// Options of the benchmark.
#[derive(Args)]
pub struct Arguments {
    /// Print one JSON document on stdout instead of the table
    #[arg(long)]
    json: bool,
    /// How often everything is measured; figures are medians
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Only this program; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// The amount of work as a part of the full one
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
    /// Leave out the trace of a hundred million instructions
    #[arg(long)]
    no_large: bool,
    /// Leave out the simulated users of hierarchical slices
    #[arg(long)]
    no_users: bool,
    /// Only the simulated users of hierarchical slices
    #[arg(long, conflicts_with_all = ["no_users", "only"])]
    only_users: bool,
}

/// Longest run of a program, or slice.
pub(super) const LIMITS: Limits = Limits {
    time: Duration::from_secs(600),
    disk: 8 << 30,
};
/// Instructions of the large trace.
const LARGE: u64 = 100_000_000;

/// Measures and prints; `false` if something is worse than it has to be.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let bench = Bench {
        jdk: doctor::check(None, &doctor::FOR_DEMO)?,
        jinsi: repository::build_jinsi()?,
        rounds: arguments.rounds,
    };
    let mut figures = SliceFigures::new(&bench.jdk, arguments.rounds, arguments.scale);
    if !arguments.only_users {
        bench.programs(arguments, &mut figures)?;
    }
    if !arguments.no_users {
        figures.simulated_users = users::all(&bench.jdk, &bench.jinsi)?;
    }
    print(&Judged::of(figures.sum_up()), arguments.json)
}

/// What a program took.
pub(super) struct Seconds {
    /// Its work.
    pub(super) work: f64,
    /// The process, with the JVM's start and all that is encoded at the end.
    whole: f64,
}

/// What is needed to measure.
pub(super) struct Bench {
    pub(super) jdk: Jdk,
    pub(super) jinsi: std::path::PathBuf,
    pub(super) rounds: u32,
}

/// All events of a trace.
pub(crate) fn count(trace: &Trace) -> u64 {
    let threads = trace.threads().iter();
    threads.map(|thread| trace.event_count(thread.no)).sum()
}

impl Bench {
    /// Records so much work that the trace `file` has about so many events; how many it has.
    pub(super) fn record_about(
        &self,
        subject: &Subject,
        events: u64,
        place: &Path,
        (detail, file): (&str, &Path),
    ) -> Result<u64> {
        let record = |work| -> Result<u64> {
            self.seconds(subject, work, place, Some((detail, file)))?;
            Ok(count(&Trace::open(file)?))
        };
        let (small, full) = (subject.work(0.05), subject.work(0.1));
        let (at_small, at_full) = (record(small)?, record(full)?);
        let each = (at_full.saturating_sub(at_small)) as f64 / (full - small).max(1) as f64;
        record(subject.rounded((events as f64 / each.max(1e-9)) as u64))
    }

    /// All figures of the programs, and those of the large trace.
    fn programs(&self, arguments: &Arguments, figures: &mut SliceFigures) -> Result<()> {
        let subjects = subjects::chosen(&self.jdk, &arguments.only)?;
        for subject in &subjects {
            let work = subject.work(arguments.scale);
            eprintln!("{} {work}", subject.name);
            figures.programs.push(self.row(subject, work)?);
        }
        if !arguments.no_large {
            figures.large = Some(self.large(&subjects[0], &figures.programs[0])?);
        }
        Ok(())
    }

    /// All figures of a program.
    fn row(&self, subject: &Subject, work: u64) -> Result<ProgramRow> {
        let place = tempfile::tempdir()?;
        let file = place.path().join("run.jinsi");
        let thin = place.path().join("thin.jinsi");
        let (mut plain, mut traced, mut deferred) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..self.rounds {
            let seconds = |trace| self.seconds(subject, work, place.path(), trace);
            plain.push(seconds(None)?);
            traced.push(seconds(Some(("instructions", &file)))?);
            deferred.push(seconds(Some(("boundary", &thin)))?);
        }
        let of = |times: &[Seconds], which: fn(&Seconds) -> f64| {
            median(times.iter().map(which).collect())
        };
        let slowdown = |recorded: &[Seconds], which: fn(&Seconds) -> f64| {
            let rounds = plain.iter().zip(recorded);
            median(rounds.map(|(p, t)| which(t) / which(p)).collect())
        };
        let trace = Trace::open(&file)?;
        ensure!(trace.damage().is_empty(), "{:?}", trace.damage());
        let criterion = last_result(&trace)?;
        let (dynamic, relevant) = (
            self.slices(&file, &criterion, false)?,
            self.slices(&file, &criterion, true)?,
        );
        let bits = trace.file_bytes() as f64 * 8.0 / dynamic.executed.max(1) as f64;
        Ok(ProgramRow {
            name: subject.name,
            work,
            plain_seconds: of(&plain, |time| time.work),
            traced_seconds: of(&traced, |time| time.work),
            slowdown: slowdown(&traced, |time| time.work),
            plain_whole_seconds: of(&plain, |time| time.whole),
            traced_whole_seconds: of(&traced, |time| time.whole),
            whole_slowdown: slowdown(&traced, |time| time.whole),
            deferred: Deferred {
                seconds: of(&deferred, |time| time.work),
                slowdown: slowdown(&deferred, |time| time.work),
                whole_slowdown: slowdown(&deferred, |time| time.whole),
                file_bytes: std::fs::metadata(&thin)?.len(),
                replay: self.deferred(&thin, &file, &criterion)?,
            },
            events: trace.kind_stats().values().map(|s| s.events).sum(),
            file_bytes: trace.file_bytes(),
            bits_an_instruction: bits,
            criterion,
            relevant_extra_percent: (relevant.seconds / dynamic.seconds - 1.0) * 100.0,
            compression: compression(&trace)?,
            dynamic,
            relevant,
        })
    }

    /// The instructions of a recording of the boundary: what its replay takes, and whether their slice is that of the whole recording.
    fn deferred(&self, thin: &Path, whole: &Path, criterion: &str) -> Result<Replay> {
        let place = tempfile::tempdir()?;
        let steps = place.path().join("steps.jinsi");
        let mut command = Command::new(&self.jinsi);
        command
            .args(["expand", "--detail", "instructions"])
            .arg(thin);
        command.arg("-o").arg(&steps);
        command.env("JAVA_HOME", self.jdk.home());
        let run = child::run(&mut command, place.path(), LIMITS)?;
        let succeeded = matches!(&run.end, Ending::Exited(status) if status.success());
        if !succeeded {
            return Ok(Replay {
                failed: Some(run.stderr.trim().to_owned()),
                ..Replay::default()
            });
        }
        let lines = |file: &Path| -> Result<Vec<_>> {
            let slice = self.slice(file, criterion, false, place.path())?;
            let slice: serde_json::Value = serde_json::from_str(&slice.stdout)?;
            let lines = slice["lines"].as_array().into_iter().flatten();
            let place = |line: &serde_json::Value| (line["class"].clone(), line["line"].clone());
            Ok(lines.map(place).collect())
        };
        Ok(Replay {
            failed: None,
            seconds: run.whole.as_secs_f64(),
            file_bytes: std::fs::metadata(&steps)?.len(),
            same_slice: lines(whole)? == lines(&steps)?,
        })
    }

    /// A slice, in a process of its own.
    fn slice(&self, file: &Path, criterion: &str, relevant: bool, place: &Path) -> Result<Run> {
        let mut command = Command::new(&self.jinsi);
        command
            .args(["--json", "slice", "--at", criterion])
            .arg(file);
        command.args(relevant.then_some("--relevant"));
        ended(child::run(&mut command, place, LIMITS)?, "jinsi slice")
    }

    /// Time of the program, recorded with a detail or not.
    pub(super) fn seconds(
        &self,
        subject: &Subject,
        work: u64,
        place: &Path,
        trace: Option<(&str, &Path)>,
    ) -> Result<Seconds> {
        let options = match trace {
            None => Vec::new(),
            Some((detail, file)) => {
                if file.exists() {
                    std::fs::remove_file(file)?;
                }
                let options = format!("observe={},detail={detail}", subject.observe);
                vec![agent(&self.jinsi, &options, file)]
            }
        };
        let mut command = subject.command(&self.jdk, &options, work, place)?;
        let run = ended(child::run(&mut command, place, LIMITS)?, subject.name)?;
        let nanos = run
            .stdout
            .lines()
            .find_map(|line| line.strip_prefix("work-ns "));
        let nanos: f64 = nanos
            .context("the program does not print its time")?
            .parse()?;
        Ok(Seconds {
            work: nanos / 1e9,
            whole: run.whole.as_secs_f64(),
        })
    }

    /// Time and memory of a slice.
    fn slices(&self, file: &Path, criterion: &str, relevant: bool) -> Result<Cost> {
        let place = tempfile::tempdir()?;
        let mut samples: Vec<Cost> = Vec::new();
        for _ in 0..self.rounds {
            let run = self.slice(file, criterion, relevant, place.path())?;
            let slice: serde_json::Value = serde_json::from_str(&run.stdout)?;
            let count = |key: &str| slice[key].as_u64().unwrap_or(0);
            let seconds = run.whole.as_secs_f64();
            samples.push(Cost {
                seconds,
                executed: count("executed"),
                occurrences: count("occurrences"),
                instructions: count("instructions"),
                instructions_a_second: count("executed") as f64 / seconds,
                peak_kib: run.memory.peak_kib,
                anonymous_kib: run.memory.anonymous_kib,
            });
        }
        samples.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        Ok(samples.swap_remove(samples.len() / 2))
    }

    /// The dynamic slice of a trace of [`LARGE`] instructions and more.
    fn large(&self, subject: &Subject, measured: &ProgramRow) -> Result<Cost> {
        let place = tempfile::tempdir()?;
        let file = place.path().join("large.jinsi");
        let each = measured.dynamic.executed as f64 / measured.work as f64;
        let work = subject.rounded((LARGE as f64 * 1.05 / each) as u64);
        eprintln!("{} {work}: the large trace", subject.name);
        self.seconds(subject, work, place.path(), Some(("instructions", &file)))?;
        let criterion = last_result(&Trace::open(&file)?)?;
        self.slices(&file, &criterion, false)
    }
}

/// A run that ended well.
pub(super) fn ended(run: Run, what: &str) -> Result<Run> {
    match &run.end {
        Ending::Exited(status) if status.success() => Ok(run),
        Ending::Exited(status) => bail!("{what}: {status}\n{}", run.stderr),
        Ending::Stopped(why) => bail!("{what}: {why}"),
    }
}

/// RLESe beside SEQUITUR on all that the thesis would record of it.
fn compression(trace: &Trace) -> Result<Compression> {
    let recorded = columns::take_apart(trace)?;
    let of_thesis: Vec<_> = (recorded.columns.into_iter())
        .filter(|column| column.share != Share::Value)
        .collect();
    let plain: u64 = of_thesis.iter().map(|column| column.plain_bytes).sum();
    let costs = codecs::measure(&of_thesis, 1)?;
    let sum = |codec: Codec| {
        let shares = costs[&codec].values();
        let (bytes, checks) = shares.fold((0, 0), |(bytes, checks), cost| {
            (bytes + cost.bytes, checks + cost.digram_checks)
        });
        (bytes as f64 * 100.0 / plain.max(1) as f64, checks)
    };
    let (rlese, sequitur) = (sum(Codec::Rlese), sum(Codec::Sequitur));
    Ok(Compression {
        plain_bytes: plain,
        rlese_percent: rlese.0,
        sequitur_percent: sequitur.0,
        checks_ratio: sequitur.1 as f64 / rlese.1.max(1) as f64,
    })
}

/// `CLASS:LINE` of the last instruction that stored anything.
fn last_result(trace: &Trace) -> Result<String> {
    let program = Program::of(trace);
    let thread = trace.threads().iter().map(|thread| thread.no);
    let thread = thread
        .max_by_key(|no| trace.event_count(*no))
        .context("no thread")?;
    let mut last = LastStore::default();
    Walker::new(trace, &program, thread).run(&mut last)?;
    let (method, line) = last.found.context("nothing is stored")?;
    let owner = program.get(method).owner.replace('/', ".");
    Ok(format!("{owner}:{line}"))
}

/// Finds the newest store.
#[derive(Default)]
struct LastStore {
    open: Vec<MethodNo>,
    found: Option<(MethodNo, u16)>,
}

impl Visitor for LastStore {
    fn opened(&mut self, opening: &Opening) {
        self.open.push(opening.method);
    }

    fn stepped(&mut self, step: &Step<'_>) {
        use jinsi_classfile::effect::Access;
        let access = step.instruction.effect.access;
        let stores = matches!(access, Access::ArrayStore | Access::PutField(_));
        if let (true, Some(method)) = (stores && step.instruction.line != 0, self.open.last()) {
            self.found.get_or_insert((*method, step.instruction.line));
        }
    }

    fn call_ended(&mut self, _step: &Step<'_>) {}

    fn call_began(&mut self, _at: usize, _operands: EventOperands<'_>) {}

    fn caught(&mut self, _handler: BlockNo, _from: usize, _throwable: ObjectId) {}

    fn began(&mut self) {
        self.open.pop();
    }

    fn lost(&mut self, _why: &'static str) {}

    fn unexplained(&mut self, _event: Met<'_>, _location: Option<Location>) {}

    fn resumed(&mut self, _at: usize) {}

    fn outside(&mut self, _event: Met<'_>, _location: Location) {}

    fn done(&self) -> bool {
        self.found.is_some()
    }
}
