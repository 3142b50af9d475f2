//! Programs do harmful things in many ways. Each is recorded once, and whatever jinsi does with the recording then, nothing of it is
//! done again: not while only answers from the recording stand between recorded code and the machine (the first wall), and not while only the
//! operating system does (the second). That something would be seen is shown with neither.

mod canaries;
mod check;
mod files;
mod programs;
mod report;
mod run;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, bail, ensure};
use clap::ValueEnum;
use jinsi_ground::{parallel, repository};
use jinsi_jdk::Jdk;

use canaries::{Canary, Place, Size, Way, name};
use check::{Listeners, Scene};
use programs::{Programs, Task, Traces, Walls};
use report::{HarmReport, SeenRun};
use run::Bounds;

/// Programs that are looked at at a time.
const AT_A_TIME: usize = 2;
/// What one command may take at most while only answers from the recording stand, or nothing: ordinary ones have three or four JVMs at a time,
/// and take half of the memory.
const BOUNDS: Bounds = Bounds {
    memory: 1 << 30,
    threads: 1000,
    disk: 512 << 20,
    time: Duration::from_secs(120),
    has_to_end: true,
};
/// Memory of jinsi itself, and of JVMs that do nothing harmful.
const BESIDE: u64 = 1 << 30;

/// What one may take whose JVMs are shut in: each may have 4 GiB of memory or half of the machine's, 8192 threads, and 1 GiB on the disk. One that
/// records may have half of the disk, of which no program takes that much; that nothing of it is left is seen all the same.
fn bounds_of_the_second(task: Task) -> Result<Bounds> {
    let memory = fs::read_to_string("/proc/meminfo")?;
    let total = memory
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"));
    let total = total.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok());
    let total = total.context("/proc/meminfo does not say how much memory there is")? << 10;
    let disk = match task {
        Task::Replay => 3 << 29,
        Task::Minimize => 9 << 29,
        Task::Slice | Task::Expand => 4 << 30,
    };
    Ok(Bounds {
        memory: (total / 2).max(4 << 30) + BESIDE,
        threads: 10_000,
        disk,
        ..BOUNDS
    })
}

/// Time after which `slice` and `expand` are stopped in an endless loop: they allow themselves a quarter of an hour.
const STOPPED_AFTER: Duration = Duration::from_secs(20);

/// Which programs, and how the results are printed.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only these programs, joined by ','
    #[arg(long, value_name = "CANARY/WAY", value_delimiter = ',', value_parser = pair)]
    only: Vec<(Canary, Way)>,
    /// Only with these walls standing, joined by ','
    #[arg(long, value_name = "WALLS", value_delimiter = ',')]
    walls: Vec<Walls>,
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
    /// jinsi as `cargo test` builds it, not optimized
    #[arg(long)]
    dev: bool,
    /// The JDK to use instead of JAVA_HOME or the `java` on the PATH: its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
}

/// `CANARY/WAY`.
fn pair(text: &str) -> Result<(Canary, Way)> {
    let (canary, way) = text.split_once('/').context("not CANARY/WAY")?;
    let canary = Canary::from_str(canary, false).map_err(Error::msg)?;
    Ok((canary, Way::from_str(way, false).map_err(Error::msg)?))
}

impl Arguments {
    fn pairs(&self) -> Vec<(Canary, Way)> {
        if !self.only.is_empty() {
            return self.only.clone();
        }
        let of = |canary: &Canary| {
            let canary = *canary;
            Way::value_variants().iter().map(move |way| (canary, *way))
        };
        Canary::value_variants().iter().flat_map(of).collect()
    }

    fn walls(&self) -> Vec<Walls> {
        match self.walls.is_empty() {
            true => Walls::value_variants().to_vec(),
            false => self.walls.clone(),
        }
    }
}

/// Runs everything; false if anything was done again, or would not have been seen.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let begin = Instant::now();
    let jdk = Jdk::find(arguments.java.as_deref())?;
    let profile = if arguments.dev { "dev" } else { "release" };
    let jinsi = repository::build_jinsi_in(profile)?;
    let programs = Programs::new(jdk, jinsi)?;
    let mut walls = arguments.walls();
    if !programs.second_wall {
        eprintln!("jinsi has no option --unconfined: there is no second wall");
        walls.retain(|w| !matches!(w, Walls::Both | Walls::Second));
    }
    let report = HarmReport {
        java: programs.java(),
        second_wall: programs.second_wall,
        ..HarmReport::default()
    };
    let mut report = all(&programs, &arguments.pairs(), &walls, report)?;
    report.seconds = begin.elapsed().as_secs_f64();
    report.judge(walls.contains(&Walls::None));
    jinsi_ground::report::print(&report, arguments.json)
}

/// Looks at all programs, some at a time.
fn all(
    programs: &Programs,
    pairs: &[(Canary, Way)],
    walls: &[Walls],
    report: HarmReport,
) -> Result<HarmReport> {
    let report = Mutex::new(report);
    parallel::each(pairs.len(), AT_A_TIME, |number| {
        let pair = pairs[number];
        let named = format!("{}/{}", name(pair.0), name(pair.1));
        let runs = match Program::record(programs, pair) {
            Ok(program) => Ok(program.runs(walls).with_context(|| named.clone())?),
            Err(why) => Err(format!("{named}: {why:#}")),
        };
        let mut report = report.lock().expect("no thread panics with it");
        match runs {
            Ok(runs) => report.add(pair, runs),
            Err(why) => report.not_recorded.push(why),
        }
        let (done, effects) = (report.programs, &report.effects);
        eprintln!(
            "{done} of {}: {named}; effects so far: {} and {} with a wall, {} without",
            pairs.len(),
            effects.first_on_second_off,
            effects.first_off_second_on,
            effects.both_off
        );
        Ok(())
    })?;
    Ok(report.into_inner().expect("no thread panicked"))
}

/// A program that has been recorded.
struct Program<'a> {
    programs: &'a Programs,
    pair: (Canary, Way),
    directory: tempfile::TempDir,
    place: Place,
    listeners: Listeners,
    traces: Traces,
}

impl<'a> Program<'a> {
    fn record(programs: &'a Programs, pair: (Canary, Way)) -> Result<Self> {
        let directory = tempfile::Builder::new().prefix("jinsi-harm-").tempdir()?;
        let path = directory.path();
        let token = token(path);
        let program = Self {
            place: Place::new(
                path.join("place"),
                &programs.library(),
                &programs.payload,
                &token,
            )?,
            listeners: Listeners::new(path)?,
            traces: Traces {
                whole: path.join("whole.jinsi"),
                boundary: path.join("boundary.jinsi"),
            },
            programs,
            pair,
            directory,
        };
        program.record_as("interactions", &program.traces.whole)?;
        program.record_as("boundary", &program.traces.boundary)?;
        Ok(program)
    }

    /// Records it, and sees that it did what it is for.
    fn record_as(&self, detail: &str, trace: &Path) -> Result<()> {
        let work = self.fresh("recorded")?;
        let canary = self.pair.0;
        self.place.set(canary, Size::Recorded)?;
        let before = self.place.snapshot()?;
        self.programs.record(
            self.pair,
            &self.place,
            &self.listeners,
            detail,
            &work,
            trace,
        )?;
        let done = [
            before.differences(&self.place.snapshot()?).len(),
            self.listeners.called().len(),
            fs::read_dir(&work)?.count(),
        ];
        for filler in files::fillers(&self.place.filler) {
            fs::remove_file(filler)?;
        }
        let is_outside = canary.is_seen() && !matches!(canary, Canary::Secret | Canary::Memory);
        ensure!(!is_outside || done != [0; 3], "the program does nothing");
        let recorded = check::tells(&fs::read(trace)?, Size::SECRET);
        if canary == Canary::Secret && !recorded {
            bail!("a secret that was recorded is not found in the trace");
        }
        Ok(())
    }

    /// All commands with one of the walls. With both, one command is enough; with neither, what harms only the JVM is not tried, and one command is
    /// enough for most ways.
    fn runs(&self, walls: &[Walls]) -> Result<Vec<SeenRun>> {
        let (canary, way) = self.pair;
        let mut runs = Vec::new();
        for &walls in walls {
            for task in Task::ALL {
                let one = way != Way::Direct || matches!(canary, Canary::Disk | Canary::Memory);
                let needless = match walls {
                    Walls::Both => task != Task::Replay,
                    Walls::First => false,
                    // They are stopped after a while.
                    Walls::Second => {
                        canary == Canary::Loop
                            && one
                            && !matches!(task, Task::Replay | Task::Minimize)
                    }
                    Walls::None => !canary.is_seen() || one && task != Task::Replay,
                };
                if !needless {
                    runs.push(self.run(task, walls)?);
                }
            }
        }
        Ok(runs)
    }

    fn run(&self, task: Task, walls: Walls) -> Result<SeenRun> {
        let (canary, way) = self.pair;
        let [out, temporary, work] = ["out", "temporary", "work"].map(|name| self.fresh(name));
        let (out, temporary, work) = (out?, temporary?, work?);
        // How much it is at most is seen in one way as well as in another.
        let size = match (walls, way) {
            (Walls::None, _) => Size::Seen,
            (_, Way::Direct) => Size::Full,
            _ => Size::Seen,
        };
        let mut bounds = match walls {
            Walls::Second => bounds_of_the_second(task)?,
            Walls::Both | Walls::First | Walls::None => BOUNDS,
        };
        if canary == Canary::Loop && matches!(task, Task::Slice | Task::Expand) {
            bounds.time = STOPPED_AFTER;
            bounds.has_to_end = false;
        }
        self.place.set(canary, size)?;
        let scene = Scene {
            before: self.place.snapshot()?,
            place: &self.place,
            listeners: &self.listeners,
            temporary: &temporary,
            work: &work,
            written: &out,
            bounds,
        };
        let mut command = self.programs.command(task, walls, &self.traces, &out);
        command.current_dir(&work).env("TMPDIR", &temporary);
        let directories = [temporary.as_path(), &work];
        let filler = &self.place.filler;
        let watched = run::watch(&mut command, &out, &directories, filler, bounds)?;
        let mut effects = scene.effects(&watched)?;
        let said = fs::read_to_string(out.join("stderr")).unwrap_or_default();
        if let Some(line) = said.lines().find(|line| line.contains("panicked at")) {
            effects.push(line.to_owned());
        }
        if watched.status.code() == Some(2) {
            bail!("jinsi does not understand its arguments: {said}");
        }
        Ok(SeenRun {
            task,
            walls,
            effects,
            worked: watched.worked(),
            stopped: watched.late,
            memory: watched.memory,
            threads: watched.threads,
            disk: watched.disk,
        })
    }

    /// An empty directory.
    fn fresh(&self, name: &str) -> Result<PathBuf> {
        let path = self.directory.path().join(name);
        if path.exists() {
            fs::remove_dir_all(&path)?;
        }
        fs::create_dir(&path)?;
        Ok(path)
    }
}

/// The random part of a temporary directory's name.
fn token(directory: &Path) -> String {
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    name.rsplit('-').next().unwrap_or_default().to_owned()
}
