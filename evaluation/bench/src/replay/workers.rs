//! What a second worker gains in a search that takes seconds: tests are run ahead of it.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use jinsi_analysis::report::json::Report;
use jinsi_ground::{commands, repository};
use jinsi_jdk::{Jdk, compile};
use serde::Serialize;

/// The program: 42 interactions, of which 4 are needed, and each of which takes some milliseconds.
const PROGRAM: &str = "tests/programs/mill";
/// Times that each number of workers is measured; they take turns.
const ROUNDS: usize = 3;

/// What searches took: the same one, by plain delta debugging, with one worker and with two.
#[derive(Serialize)]
pub(super) struct Workers {
    /// Tests that the search asked for.
    pub(super) tests: u64,
    /// Tests that the second worker ran in vain, in the last round.
    pub(super) tests_in_vain: u64,
    /// Wall time of the search with one worker and with two, in seconds: the shortest of some.
    pub(super) seconds: [f64; 2],
}

/// Records the program, and searches.
pub(super) fn measure(jdk: &Jdk, jinsi: &Path) -> Result<Workers> {
    let directory = tempfile::tempdir()?;
    let classes = directory.path().join("classes");
    let trace = directory.path().join("mill.jinsi");
    compile::javac(jdk, &repository::java_sources(PROGRAM)?, &[], &classes)?;
    let mut record = commands::record(jinsi, ("mill.*", "interactions"), &trace);
    record.arg(jdk.java()).arg("-cp").arg(&classes);
    let recorded = record.arg("mill.Main").output();
    let recorded = recorded.context("jinsi record")?;
    ensure!(trace.exists(), "no trace: {recorded:?}");

    let mut workers = Workers {
        tests: 0,
        tests_in_vain: 0,
        seconds: [f64::INFINITY; 2],
    };
    let out = directory.path().join("out");
    for _ in 0..ROUNDS {
        for (count, seconds) in (1u64..).zip(&mut workers.seconds) {
            let report = search(jdk, jinsi, &trace, &out, count)?;
            let [level] = &*report.levels else {
                anyhow::bail!("one level was asked for, not {}", report.levels.len())
            };
            ensure!(level.minimized == 4, "{} are left, not 4", level.minimized);
            *seconds = seconds.min(level.search_seconds);
            workers.tests = level.tests;
            workers.tests_in_vain = level.tests_in_vain;
        }
    }
    Ok(workers)
}

/// Minimizes the mill's level by plain delta debugging.
fn search(jdk: &Jdk, jinsi: &Path, trace: &Path, out: &Path, workers: u64) -> Result<Report> {
    let mut command = Command::new(jinsi);
    command
        .env("JAVA_HOME", jdk.home())
        .args(["--json", "minimize"]);
    command.arg(trace).arg("--out").arg(out);
    command.args([
        "--levels=1",
        "--search",
        "ddmin",
        "--no-slice",
        "--no-shrink",
    ]);
    let done = command.arg(format!("--workers={workers}")).output();
    let done = done.context("jinsi minimize")?;
    serde_json::from_slice(&done.stdout)
        .with_context(|| String::from_utf8_lossy(&done.stderr).into_owned())
}
