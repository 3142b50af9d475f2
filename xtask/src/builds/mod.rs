//! `cargo xtask builds`: the sample projects, built by Maven and Gradle with the plugins as a user has them, and the matrix of Maven builds.

mod checks;
mod gradle;
mod matrix;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use jinsi_jdk::{Jdk, process};
use serde::Serialize;

use crate::maven_plugin;
pub(crate) use checks::Check;
pub(crate) use gradle::Gradle;
use jinsi_repository::{self as repository, doctor};

/// Longest time for one build.
const LIMIT: Duration = Duration::from_secs(600);
/// What a build that passes may take, of its time without the plugin.
const GOAL: f64 = 1.3;
/// How a build is told to leave the plugin out.
const SKIP: [&str; 2] = ["-Djinsi.skip", "-Pjinsi.skip"];

/// Options of `cargo xtask gradle`.
#[derive(clap::Args)]
pub(crate) struct LayOut {
    /// Where it goes
    directory: PathBuf,
}

/// Lays Gradle out, and prints the path of the script that runs it.
pub(crate) fn lay_out(arguments: &LayOut) -> Result<bool> {
    let jdk = doctor::check(None, &doctor::FOR_DEMO)?;
    fs::create_dir_all(&arguments.directory)?;
    let directory = arguments.directory.canonicalize()?;
    let gradle = Gradle::lay_out(&jdk, &directory)?;
    println!("{}", gradle.program().display());
    Ok(true)
}

/// Options of the command.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
    /// Pairs of passing builds that are timed
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    #[command(flatten)]
    selection: matrix::Selection,
    /// Take the plugins that are in the local Maven repository, instead of building them
    #[arg(long)]
    installed: bool,
}

/// A build that has ended.
pub(crate) struct Built {
    seconds: f64,
    pub(crate) succeeded: bool,
    /// What it printed.
    pub(crate) said: String,
}

/// Time of passing builds: medians, in seconds.
#[derive(Serialize)]
struct Passing {
    tool: &'static str,
    without: f64,
    with: f64,
    /// Median of the ratios of the pairs.
    ratio: f64,
}

#[derive(Serialize)]
struct Report {
    checks: Vec<Check>,
    passing: Vec<Passing>,
    /// The matrix.
    builds: Vec<matrix::Build>,
    totals: matrix::Totals,
    /// Is everything as it has to be?
    holds: bool,
}

/// Builds and prints; `false` if something is not as it has to be. A part of the matrix is made without the sample projects.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let jdk = doctor::check(None, &doctor::FOR_DEMO)?;
    let place = repository::root().join("target/builds");
    let is_partial = arguments.selection.is_partial();
    match arguments.installed {
        true => {}
        false if is_partial => maven_plugin::install_for_maven()?,
        false => maven_plugin::install_all()?,
    }
    let (checks, passing) = match is_partial {
        true => (vec![], vec![]),
        false => samples(&jdk, &place, arguments.rounds)?,
    };
    let builds = matrix::run(&arguments.selection, &place.join("matrix"), |build| {
        let verdict = if build.same { "same" } else { "NOT THE SAME" };
        let why = build.why_not.as_deref().unwrap_or_default();
        eprintln!("{}: {verdict} {why}", build.name);
    })?;
    let totals = matrix::Totals::of(&builds);
    let report = Report {
        holds: checks.iter().all(Check::holds) && totals.hold(),
        checks,
        passing,
        builds,
        totals,
    };
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print(&report);
    }
    Ok(report.holds)
}

/// The sample projects: what has to hold of them, and the time of passing builds.
fn samples(jdk: &Jdk, place: &Path, rounds: u32) -> Result<(Vec<Check>, Vec<Passing>)> {
    let gradle = Gradle::lay_out(jdk, &place.join("gradle"))?;
    let mut checks = checks::with_gradle(&gradle, place)?;
    let passing = vec![
        passing_maven(place, rounds)?,
        passing_gradle(&gradle, place, rounds)?,
    ];
    checks.extend(passing.iter().map(|p| {
        let name = format!(
            "{}: a passing build takes at most {GOAL} of its time",
            p.tool
        );
        Check::of(name, p.ratio <= GOAL, format!("{:.2}", p.ratio))
    }));
    Ok((checks, passing))
}

fn print(report: &Report) {
    for check in &report.checks {
        println!("{check}");
    }
    for passing in &report.passing {
        println!(
            "{}: {:.2} s, with jinsi {:.2} s, median ratio {:.2}",
            passing.tool, passing.without, passing.with, passing.ratio
        );
    }
    println!("matrix: {}", report.totals);
}

/// A fresh copy of the project `name` of `tests`, as `place/copy`.
pub(crate) fn project(name: &str, place: &Path, copy: &str) -> Result<PathBuf> {
    let to = place.join(copy);
    if to.exists() {
        fs::remove_dir_all(&to).with_context(|| format!("cannot remove {}", to.display()))?;
    }
    fs::create_dir_all(place)?;
    let from = repository::root().join("tests").join(name);
    repository::run(Command::new("cp").arg("-r").args([&from, &to]))?;
    Ok(to)
}

/// Tests of `tests/maven-sample` that pass, in a warm local repository.
fn passing_maven(place: &Path, rounds: u32) -> Result<Passing> {
    let project = project("maven-sample", place, "maven-passing")?;
    let build = |further: &[&str]| {
        let mut mvn = Command::new("mvn");
        mvn.current_dir(&project).env_remove("JAVA_TOOL_OPTIONS");
        mvn.args(["-B", "test"]);
        mvn.arg("-Dtest=ColumnTest#fills*,TableTest#hasRows+keeps*");
        let began = Instant::now();
        let finished = process::run(mvn.args(further), LIMIT)?;
        Ok(Built {
            seconds: began.elapsed().as_secs_f64(),
            succeeded: finished.status.success(),
            said: finished.stdout + &finished.stderr,
        })
    };
    passing("Maven", rounds, |with| {
        build(if with { &[] } else { &SKIP[..1] })
    })
}

/// Tests of `tests/gradle-sample` that pass.
fn passing_gradle(gradle: &Gradle, place: &Path, rounds: u32) -> Result<Passing> {
    let project = project("gradle-sample", place, "gradle-passing")?;
    passing("Gradle", rounds, |with| {
        let words = ["-Ppassing", "cleanTest", "test", SKIP[1]];
        gradle.build(&project, &words[..if with { 3 } else { 4 }])
    })
}

/// Builds with and without the plugin in turn, after one of each that does not count.
fn passing(
    tool: &'static str,
    rounds: u32,
    mut build: impl FnMut(bool) -> Result<Built>,
) -> Result<Passing> {
    let mut times = [Vec::new(), Vec::new()];
    let mut ratios = Vec::new();
    for round in 0..=rounds {
        let mut pair = [0.0; 2];
        for with in [false, true] {
            let built = build(with)?;
            anyhow::ensure!(built.succeeded, "a build fails:\n{}", built.said);
            pair[usize::from(with)] = built.seconds;
        }
        if round > 0 {
            times[0].push(pair[0]);
            times[1].push(pair[1]);
            ratios.push(pair[1] / pair[0]);
        }
    }
    let [without, with] = times.map(|mut times| median(&mut times));
    Ok(Passing {
        tool,
        without,
        with,
        ratio: median(&mut ratios),
    })
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
