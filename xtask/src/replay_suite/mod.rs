//! Replay is right: recorded runs of our programs, of published tests and of libraries at work replay strictly at every level.

mod manifest;
mod record;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use jinsi_analysis::jvm::Jdk;
use serde::{Deserialize, Serialize};

use crate::transparency::oldest;
use crate::{doctor, repository};
use manifest::Manifest;
use record::Recorder;

/// Part of the levels that has to replay without divergence.
const GOAL: f64 = 0.95;

/// What is run, and where.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
    /// Only these runs (repeat it for several)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// JDK to record with (default: the oldest found): its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
    /// JDK to replay with (default: the one that records)
    #[arg(long, value_name = "PATH")]
    replay_java: Option<PathBuf>,
    /// How much is recorded; at `boundary` there is but the level of all observed classes
    #[arg(long, value_name = "DETAIL", default_value = "interactions")]
    detail: String,
    /// Keep the traces in this directory
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// All that was found.
#[derive(Serialize)]
struct Report {
    jdk: String,
    runs: usize,
    levels: usize,
    diverged: usize,
    /// Divergences by cause.
    causes: BTreeMap<String, usize>,
    /// Every run.
    results: Vec<RunReport>,
    seconds: f64,
}

/// One run.
#[derive(Serialize)]
struct RunReport {
    name: String,
    /// Why it could not be recorded, or not be replayed at all.
    error: Option<String>,
    levels: usize,
    /// Interactions of all levels together.
    interactions: u64,
    divergences: Vec<Divergence>,
    seconds: f64,
}

/// A level that did not replay as recorded.
#[derive(Serialize)]
struct Divergence {
    level: String,
    why: String,
    detail: String,
    /// The known cause; `null` if it has not been looked into.
    cause: Option<String>,
}

/// What `jinsi replay --levels --json` says.
#[derive(Deserialize)]
struct Replayed {
    levels: Vec<Level>,
}

#[derive(Deserialize)]
struct Level {
    level: String,
    interactions: u64,
    why: Option<String>,
    detail: String,
}

/// Runs the suite; false if too many levels diverged, one for an unknown cause, or a run could not be recorded.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let began = Instant::now();
    let manifest = Manifest::read()?;
    let runs = manifest.wanted(&arguments.only)?;
    let compiler = oldest(&doctor::usable_jdks()?)?;
    let jdk = match &arguments.java {
        Some(path) => Jdk::find(Some(path))?,
        None => compiler.clone(),
    };
    let jinsi = repository::build_jinsi()?;
    let mut recorder = Recorder::new(&jinsi, &arguments.detail, jdk.clone(), compiler)?;
    let replay_jdk = match &arguments.replay_java {
        Some(path) => Jdk::find(Some(path))?,
        None => jdk.clone(),
    };
    let mut results = Vec::new();
    for run in runs {
        let began = Instant::now();
        let place = tempfile::tempdir()?;
        let replayed = recorder.record(run, place.path()).and_then(|trace| {
            keep(&trace, arguments.keep.as_deref(), &run.name)?;
            replay(&jinsi, &replay_jdk, &trace)
        });
        let one = judge(
            &manifest,
            &run.name,
            replayed,
            began.elapsed().as_secs_f64(),
        );
        eprintln!("{}", one.text());
        results.push(one);
    }
    let report = Report::new(
        jdk.version().to_string(),
        results,
        began.elapsed().as_secs_f64(),
    );
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{}", report.text());
    }
    Ok(report.holds())
}

fn keep(trace: &Path, directory: Option<&Path>, name: &str) -> Result<()> {
    if let Some(directory) = directory {
        std::fs::create_dir_all(directory)?;
        std::fs::copy(trace, directory.join(format!("{name}.jinsi")))?;
    }
    Ok(())
}

/// Replays a trace at every level, in an empty directory.
fn replay(jinsi: &Path, jdk: &Jdk, trace: &Path) -> Result<Vec<Level>> {
    let empty = tempfile::tempdir()?;
    let output = Command::new(jinsi)
        .current_dir(empty.path())
        .args(["--json", "replay", "--levels", "--java-home"])
        .arg(jdk.home())
        .arg(trace)
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let replayed: Replayed = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("jinsi replay: {}", said.trim()))?;
    ensure!(!replayed.levels.is_empty(), "the recording has no level");
    Ok(replayed.levels)
}

fn judge(manifest: &Manifest, name: &str, replayed: Result<Vec<Level>>, seconds: f64) -> RunReport {
    let (levels, error) = match replayed {
        Ok(levels) => (levels, None),
        Err(error) => (Vec::new(), Some(format!("{error:#}"))),
    };
    RunReport {
        name: name.to_owned(),
        error,
        levels: levels.len(),
        interactions: levels.iter().map(|l| l.interactions).sum(),
        divergences: levels
            .into_iter()
            .filter_map(|l| {
                Some(Divergence {
                    level: l.level,
                    why: l.why?,
                    cause: manifest.cause(name, &l.detail).map(str::to_owned),
                    detail: l.detail,
                })
            })
            .collect(),
        seconds,
    }
}

impl RunReport {
    /// For people: a line, and one more for each divergence of unknown cause.
    fn text(&self) -> String {
        let mut text = format!(
            "{:<28} {:>4} levels {:>8} interactions {:>4} diverged {:>6.1} s",
            self.name,
            self.levels,
            self.interactions,
            self.divergences.len(),
            self.seconds
        );
        if let Some(error) = &self.error {
            text += &format!("\n  ERROR: {error}");
        }
        for d in self.divergences.iter().filter(|d| d.cause.is_none()) {
            text += &format!("\n  {} ({}): {}", d.level, d.why, d.detail);
        }
        text
    }
}

impl Report {
    fn new(jdk: String, results: Vec<RunReport>, seconds: f64) -> Self {
        let mut causes = BTreeMap::new();
        for d in results.iter().flat_map(|r| &r.divergences) {
            let cause = d.cause.clone().unwrap_or_else(|| "not known".into());
            *causes.entry(cause).or_default() += 1;
        }
        Self {
            jdk,
            runs: results.len(),
            levels: results.iter().map(|r| r.levels).sum(),
            diverged: causes.values().sum(),
            causes,
            results,
            seconds,
        }
    }

    fn holds(&self) -> bool {
        let replayed = (self.levels - self.diverged) as f64;
        replayed >= GOAL * self.levels as f64
            && self
                .results
                .iter()
                .all(|r| r.error.is_none() && r.divergences.iter().all(|d| d.cause.is_some()))
    }

    fn text(&self) -> String {
        let mut text = format!(
            "{} runs, {} levels, {} diverged, Java {}, {:.0} s\n",
            self.runs, self.levels, self.diverged, self.jdk, self.seconds
        );
        for (cause, count) in &self.causes {
            text += &format!("{count:>6}  {cause}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(why: Option<&str>, detail: &str) -> Level {
        Level {
            level: "all".into(),
            interactions: 2,
            why: why.map(str::to_owned),
            detail: detail.into(),
        }
    }

    fn report(levels: Vec<Level>) -> Report {
        let manifest: Manifest = serde_json::from_str(
            r#"{"runs": [], "causes": [{"detail": ["known"], "run": null, "cause": "c"}]}"#,
        )
        .unwrap();
        let run = judge(&manifest, "r", Ok(levels), 0.0);
        Report::new("17".into(), vec![run], 0.0)
    }

    #[test]
    fn few_divergences_of_known_cause_are_allowed() {
        let good = || (0..39).map(|_| level(None, ""));
        let one = |detail| good().chain([level(Some("harness"), detail)]).collect();
        assert!(report(good().collect()).holds());
        let known = report(one("known"));
        assert!(known.holds());
        assert_eq!(
            (known.levels, known.diverged, known.causes["c"]),
            (40, 1, 1)
        );
        assert!(!report(one("another")).holds());
        let half = vec![level(None, ""), level(Some("harness"), "known")];
        assert!(!report(half).holds());
    }

    #[test]
    fn a_run_that_cannot_be_recorded_is_no_success() {
        let manifest = Manifest::read().unwrap();
        let run = judge(&manifest, "r", Err(anyhow::anyhow!("no")), 0.0);
        assert!(!Report::new("17".into(), vec![run], 0.0).holds());
    }
}
