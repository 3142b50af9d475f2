//! One request fails by the library's defect: the trace of that, taken elsewhere, gives the minimal test.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use jinsi_analysis::report::json::{Report, TestOutcome};
use jinsi_jdk::process;
use serde::Serialize;

use super::site::{Server, Site};

/// Time for packing and for minimizing, far beyond what they take.
const LIMIT: Duration = Duration::from_secs(600);
/// Load before the bad order, and beside it, in seconds.
const BEFORE: f64 = 5.0;
/// Requests a second beside the bad order of the server that is killed.
const RATE: f64 = 200.0;

/// What became of a trace.
#[derive(Serialize)]
pub(super) struct Minimized {
    /// The answer's status, as far as there was one.
    status: String,
    /// Size of the file that was carried away.
    bytes: u64,
    /// Wall time of `jinsi minimize`.
    seconds: f64,
    /// The failure.
    failure: String,
    levels: Vec<Level>,
    /// Does a level's test fail as recorded?
    pub(super) reproduces: bool,
}

/// A minimized level.
#[derive(Serialize)]
struct Level {
    level: u32,
    name: String,
    interactions: u64,
    left: u64,
    strict_replay: String,
    test_form: Option<String>,
    test_outcome: Option<TestOutcome>,
}

/// The server goes on under load, an order fails, and what was recorded by then is packed.
pub(super) fn packed(site: &Site, server: Server, rate: f64) -> Result<Minimized> {
    let trace = server.trace.clone().context("the server is not recorded")?;
    let clients = site.load(&server, BEFORE, rate)?;
    thread::sleep(Duration::from_secs_f64(BEFORE / 2.0));
    let status = site.order_badly(&server)?;
    site.measured(clients)?;
    let elsewhere = tempfile::tempdir()?;
    let file = elsewhere.path().join("order.jinsi");
    let mut pack = Command::new(&site.jinsi);
    pack.arg("pack").arg(&trace).arg("-o").arg(&file);
    let done = process::run(&mut pack, LIMIT)?;
    ensure!(done.status.success(), "jinsi pack: {}", done.stderr);
    drop(server);
    minimized(site, elsewhere.path(), status)
}

/// The server is killed as soon as the answer to a bad order begins.
pub(super) fn killed(site: &Site) -> Result<Minimized> {
    let mut server = site.start_recorded("killed.jinsi")?;
    let trace = server.trace.clone().context("the server is not recorded")?;
    let mut clients = site.load(&server, BEFORE, RATE)?;
    thread::sleep(Duration::from_secs_f64(BEFORE / 2.0));
    let status = site.order_badly(&server)?;
    server.kill();
    clients.kill()?;
    clients.wait()?;
    let elsewhere = tempfile::tempdir()?;
    fs::copy(&trace, elsewhere.path().join("order.jinsi"))?;
    minimized(site, elsewhere.path(), status)
}

/// Minimizes `order.jinsi`, the only file in the directory.
fn minimized(site: &Site, directory: &Path, status: String) -> Result<Minimized> {
    let bytes = super::site::allocated(&directory.join("order.jinsi"))?;
    let mut command = Command::new(&site.jinsi);
    command
        .env("JAVA_HOME", site.jdk.home())
        .env_remove("CLASSPATH")
        .current_dir(directory)
        .args(["--json", "minimize", "order.jinsi", "--out", "report"]);
    let began = Instant::now();
    let finished = process::run(&mut command, LIMIT)?;
    let seconds = began.elapsed().as_secs_f64();
    let file = directory.join("report/report.json");
    let text = fs::read_to_string(&file).with_context(|| {
        let said = finished
            .stderr
            .lines()
            .last()
            .unwrap_or_default()
            .to_owned();
        format!("jinsi minimize: {said}")
    })?;
    let report: Report = serde_json::from_str(&text)?;
    let levels: Vec<Level> = report.levels.iter().map(level).collect();
    Ok(Minimized {
        status,
        bytes,
        seconds,
        failure: report.failure.class,
        reproduces: levels
            .iter()
            .any(|l| l.test_outcome == Some(TestOutcome::Reproduces)),
        levels,
    })
}

fn level(level: &jinsi_analysis::report::json::LevelReport) -> Level {
    Level {
        level: level.level,
        name: level.name.clone(),
        interactions: level.interactions,
        left: level.minimized,
        strict_replay: level.strict_replay.clone(),
        test_form: level.test_form.clone(),
        test_outcome: level.test_outcome,
    }
}
