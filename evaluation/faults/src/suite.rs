//! A suite of thousands of tests: what recording it for `jinsi where` takes, and then the ranking.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use jinsi_jdk::compile;
use serde::Serialize;

use super::EvaluationSetup;
use super::faults;
use super::siemens::{PROGRAMS, java, run, text};
use jinsi_ground::child::{self, Ending, Limits};

/// The program and the fault.
const PROGRAM: &str = "replace";
const FAULT: &str = "v1";
/// How many tests.
const TESTS: usize = 5_000;
/// Far beyond what it may take.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(900),
    disk: 4 << 30,
};

/// What came of it.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Suite {
    tests: usize,
    plain_seconds: f64,
    recorded_seconds: f64,
    trace_bytes: u64,
    ranking_seconds: f64,
    pub(super) ranking_peak_kib: u64,
}

impl Suite {
    /// What is added to its own time.
    pub(super) fn added(&self) -> f64 {
        self.recorded_seconds - self.plain_seconds + self.ranking_seconds
    }
}

/// Runs, records and ranks.
pub(super) fn suite(ground: &EvaluationSetup) -> Result<Suite> {
    let mut programs = PROGRAMS.iter();
    let program = programs.find(|program| program.package == PROGRAM);
    let program = program.context("no such program")?;
    let (source, faults) = program.read()?;
    let faults = faults::parse(&faults)?;
    let fault = faults.iter().find(|fault| fault.id == FAULT);
    let faulty = fault.context("no such fault")?.apply(&source)?;
    let place = ground.work.join("suite");
    fs::create_dir_all(&place)?;
    let file = place.join(
        program
            .source()
            .file_name()
            .context("a source has a name")?,
    );
    fs::write(&file, &faulty.text)?;
    let right = ground.work.join("right");
    let classes = place.join("classes");
    compile::javac(&ground.jdk, &[file], std::slice::from_ref(&right), &classes)?;
    let expected = text(&place.join("expected"));
    run(ground, &[&right], &["expect", PROGRAM, &expected])?;
    let count = TESTS.to_string();
    let arguments = java(
        ground,
        &[&classes, &right],
        &["suite", PROGRAM, &expected, &count],
    )?;
    let plain = timed(ground.jdk.command().args(&arguments))?;
    let trace = place.join("suite.jinsi");
    let mut record = Command::new(&ground.jinsi);
    record
        .args(["record", "--detail", "instructions", "--observe"])
        .arg(format!("siemens.{PROGRAM}.*:siemens.Driver"))
        .args(["--exclude", &format!("siemens.{PROGRAM}.Inputs"), "-o"])
        .arg(&trace)
        .arg("--")
        .arg(ground.jdk.java())
        .args(&arguments);
    let recorded = timed(&mut record)?;
    let mut ranking = Command::new(&ground.jinsi);
    ranking.args(["--json", "where"]).arg(&trace);
    let ranked = child::run(&mut ranking, &place, LIMITS)?;
    let ended = matches!(&ranked.end, Ending::Exited(status) if status.success());
    ensure!(ended, "jinsi where: {}", ranked.stderr);
    Ok(Suite {
        tests: TESTS,
        plain_seconds: plain,
        recorded_seconds: recorded,
        trace_bytes: fs::metadata(&trace)?.len(),
        ranking_seconds: ranked.whole.as_secs_f64(),
        ranking_peak_kib: ranked.memory.peak_kib,
    })
}

fn timed(command: &mut Command) -> Result<f64> {
    let began = Instant::now();
    let output = command.output().context("cannot be started")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{said}");
    Ok(began.elapsed().as_secs_f64())
}
