//! `cargo xtask bench replay`: how many tests a warm worker runs in a second, what a second one gains, and how fast event slices are.

mod slices;
mod workers;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use jinsi_analysis::pipeline::{Config, Replay, Run};
use jinsi_ground::report::Findings;
use jinsi_ground::{commands, doctor, repository};
use jinsi_jdk::{Jdk, Walls, compile};
use jinsi_level::verdict::TestOutcome;
use jinsi_natural::Natural;
use jinsi_natural::pattern::Pattern;
use serde::Serialize;

/// The replay worker.
const HARNESS: &str = "java-harness/replay/jinsi";
/// The program: ten interactions with three classes.
const PROGRAM: &str = "tests/programs/small";
const CLASSES: [&str; 3] = ["small.Cart", "small.Item", "small.Coupon"];
/// The level that observes these, of those along the failure's stack.
const LEVEL: u32 = 2;
/// Tests a second that there have to be: replayed, and run for real.
const GOALS: [f64; 2] = [500.0, 300.0];
/// Tests before the clock runs.
const WARM_UP: usize = 300;

/// Options of the benchmark.
#[derive(Args)]
pub struct Arguments {
    /// Print one JSON document on stdout instead of text
    #[arg(long)]
    json: bool,
    /// How long tests are run, in seconds
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Interactions of the log that is sliced
    #[arg(long, default_value_t = 10_000_000)]
    interactions: u32,
}

/// What was measured.
#[derive(Serialize)]
struct ReplayFigures {
    java: String,
    /// Interactions of the level.
    interactions: usize,
    /// Time from the start of the worker until the first test has its result.
    seconds_to_first_test: f64,
    /// Tests of the whole level a second, one worker, warm.
    tests_a_second: f64,
    /// The same if the level is run for real.
    tests_a_second_for_real: f64,
    workers: workers::Workers,
    slices: slices::Slices,
}

/// Measures and prints; `false` if something is slower than it has to be.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let jdk = doctor::check(None, &doctor::FOR_DEMO)?;
    let slices = slices::measure(arguments.interactions);
    let report = measure(&jdk, Duration::from_secs(arguments.seconds), slices)?;
    jinsi_ground::report::print(&report, arguments.json)
}

impl Findings for ReplayFigures {
    fn holds(&self) -> bool {
        let reached = [self.tests_a_second, self.tests_a_second_for_real];
        let mut goals = reached.iter().zip(GOALS);
        goals.all(|(found, goal)| *found >= goal)
    }
}

/// Records the program.
fn record(jdk: &Jdk, jinsi: &Path, program: &Path, trace: &Path) -> Result<()> {
    let recorded = commands::record(jinsi, ("small.*", "interactions"), trace)
        .arg(jdk.java())
        .arg("-cp")
        .arg(program)
        .arg("small.Main")
        .output()
        .context("jinsi record")?;
    ensure!(trace.exists(), "no trace: {recorded:?}");
    Ok(())
}

fn measure(jdk: &Jdk, time: Duration, slices: slices::Slices) -> Result<ReplayFigures> {
    let directory = tempfile::tempdir()?;
    let (worker, program) = (
        directory.path().join("worker"),
        directory.path().join("program"),
    );
    compile::javac(jdk, &repository::java_sources(HARNESS)?, &[], &worker)?;
    compile::javac(jdk, &repository::java_sources(PROGRAM)?, &[], &program)?;
    let trace = directory.path().join("small.jinsi");
    let jinsi = repository::build_jinsi()?;
    record(jdk, &jinsi, &program, &trace)?;
    let config = Config {
        jdk: jdk.clone(),
        compiler: jdk.clone(),
        harness: worker,
        test_server: PathBuf::new(),
        junit_sources: Vec::new(),
        natural: Natural::default(),
        walls: Walls::Confined,
    };
    let run = Run::open(&trace)?;
    let patterns = CLASSES.map(Pattern::new);
    let began = Instant::now();
    let mut replay = run.replay(&config, Some(&patterns))?;
    let strict = replay.strict()?;
    ensure!(strict.outcome == TestOutcome::Failing, "{strict:?}");
    let seconds_to_first_test = began.elapsed().as_secs_f64();
    let interactions = replay.level().interactions.len();
    let replayed = tests_a_second(&mut replay, time)?;
    replay.load_for_real(LEVEL, &[])?;
    let for_real = tests_a_second(&mut replay, time)?;
    // Its worker is not to share the cores with others.
    drop(replay);
    let workers = workers::measure(jdk, &jinsi)?;
    Ok(ReplayFigures {
        java: jdk.version().to_string(),
        interactions,
        seconds_to_first_test,
        tests_a_second: replayed,
        tests_a_second_for_real: for_real,
        workers,
        slices,
    })
}

/// Runs the whole level again and again for so long, once it is warm.
fn tests_a_second(replay: &mut Replay<'_>, time: Duration) -> Result<f64> {
    let all: Vec<u32> = replay.level().interactions.iter().map(|i| i.no).collect();
    for _ in 0..WARM_UP {
        let result = replay.subset(&all)?;
        ensure!(result.outcome == TestOutcome::Failing, "{result:?}");
    }
    let began = Instant::now();
    let mut tests = 0u32;
    while began.elapsed() < time {
        replay.subset(&all)?;
        tests += 1;
    }
    Ok(f64::from(tests) / began.elapsed().as_secs_f64())
}
