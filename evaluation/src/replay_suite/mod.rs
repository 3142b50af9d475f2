//! Replay is right: recorded runs of our programs, of published tests and of libraries at work replay strictly at every level.

mod expanded;
mod hostile;
mod manifest;
mod record;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use jinsi_ground::report::{brief, outline, print_or};
use jinsi_ground::{commands, doctor};
use jinsi_jdk::Jdk;
use jinsi_trace::reader::Trace;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use expanded::{Expanded, Expander, Records};
use hostile::Elsewhere;
use manifest::{Manifest, RecordedRun};
use record::Recorder;

/// What has to hold of recordings of one detail.
struct Goals {
    /// Part of the levels that has to replay without divergence.
    levels: f64,
    /// Part of the runs of which the expanded recording has to have the events of a whole one.
    expanded: f64,
}

/// Of whole recordings.
const WHOLE: Goals = Goals {
    levels: 0.95,
    expanded: 0.9,
};
/// Of recordings of the boundary, of which the expanded ones have the levels.
const THIN: Goals = Goals {
    levels: 0.98,
    expanded: 0.97,
};

/// The agent's `detail=` with which a recording has all levels.
const INTERACTIONS: &str = "interactions";
/// With which it has what crosses the edge of the observed classes.
const BOUNDARY: &str = "boundary";

/// What is run, and where.
#[derive(clap::Args)]
pub struct Arguments {
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
    /// How much is recorded; at `boundary` the levels are those of the expanded recording, or, if it cannot be expanded, that of all observed classes
    #[arg(long, value_name = "DETAIL", default_value = INTERACTIONS)]
    detail: String,
    /// Do not record the runs at the boundary, too, to compare what `jinsi expand` makes of that
    #[arg(long)]
    no_expand: bool,
    /// Only expand and compare
    #[arg(long, conflicts_with = "no_expand")]
    only_expand: bool,
    /// Replay with another zone, language, character set, user and home than the program had, without network, and look which files
    /// are opened; nothing is expanded
    #[arg(long, conflicts_with = "only_expand")]
    hostile: bool,
    /// Keep the traces in this directory
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// All that was found.
#[derive(Serialize)]
struct ReplayReport {
    jdk: String,
    runs: usize,
    levels: usize,
    diverged: usize,
    /// Divergences by cause.
    causes: BTreeMap<String, usize>,
    /// Runs that were recorded at the boundary and expanded, and of which whole recordings have the same events.
    expanded: usize,
    /// Those of which that gave the same events as a whole recording.
    expanded_equal: usize,
    /// Runs of which whole recordings have different events, so that there is nothing to compare with.
    unsteady: usize,
    /// Every run.
    results: Vec<ReplayedRun>,
    seconds: f64,
}

/// One run.
#[derive(Serialize)]
struct ReplayedRun {
    name: String,
    /// Why it could not be recorded, or not be replayed at all.
    error: Option<String>,
    levels: usize,
    /// Interactions of all levels together.
    interactions: u64,
    divergences: Vec<Divergence>,
    /// What `jinsi expand` makes of a recording of its boundary.
    expanded: Option<Expanded>,
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
    levels: Vec<ReplayedLevel>,
}

#[derive(Deserialize)]
struct ReplayedLevel {
    level: String,
    interactions: u64,
    why: Option<String>,
    detail: String,
}

/// Runs the suite; false if too many levels diverged, one for an unknown cause, or a run could not be recorded.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let began = Instant::now();
    let goals = match arguments.detail.as_str() {
        INTERACTIONS => WHOLE,
        BOUNDARY => THIN,
        other => bail!("--detail is {INTERACTIONS} or {BOUNDARY}, not {other}"),
    };
    let manifest = Manifest::read()?;
    let runs = manifest.wanted(&arguments.only)?;
    let compiler = doctor::jdk_or_oldest(None)?;
    let jdk = doctor::jdk_or_oldest(arguments.java.as_deref())?;
    let jinsi = commands::jinsi(None, "release")?;
    let recorder = |detail| Recorder::new(&jinsi, detail, jdk.clone(), compiler.clone());
    let replay_jdk = match &arguments.replay_java {
        Some(path) => Jdk::find(Some(path))?,
        None => jdk.clone(),
    };
    let elsewhere = arguments
        .hostile
        .then(|| Elsewhere::new(&replay_jdk))
        .transpose()?;
    if let Some(elsewhere) = &elsewhere {
        eprintln!("{}", elsewhere.text());
    }
    let mut suite = Suite {
        arguments,
        jinsi: &jinsi,
        replay_jdk,
        elsewhere,
        whole: recorder(INTERACTIONS)?,
        boundary: recorder(BOUNDARY)?,
    };
    let mut results = Vec::new();
    for run in runs {
        results.push(suite.judged(run, &manifest)?);
    }
    let report = ReplayReport::new(
        jdk.version().to_string(),
        results,
        began.elapsed().as_secs_f64(),
    );
    print_or(&report, arguments.json, || outline(&report, &["results"]))?;
    Ok(report.holds(&goals))
}

/// What runs are recorded and replayed with.
struct Suite<'a> {
    arguments: &'a Arguments,
    jinsi: &'a Path,
    replay_jdk: Jdk,
    elsewhere: Option<Elsewhere>,
    whole: Recorder,
    boundary: Recorder,
}

impl Suite<'_> {
    /// Records and replays a run, and says what came of it.
    fn judged(&mut self, run: &RecordedRun, manifest: &Manifest) -> Result<ReplayedRun> {
        let began = Instant::now();
        let place = tempfile::tempdir()?;
        let (levels, expanded) = match self.run(run, place.path()) {
            Ok((levels, expanded)) => (Ok(levels), expanded),
            Err(error) => (Err(error), None),
        };
        let mut one = judge(manifest, &run.name, levels);
        one.expanded = expanded;
        one.seconds = began.elapsed().as_secs_f64();
        eprintln!("{}", brief(&one));
        Ok(one)
    }

    /// Records a run and replays it at all levels; and what expanding made of it, if that was asked for.
    fn run(
        &mut self,
        run: &RecordedRun,
        place: &Path,
    ) -> Result<(Vec<ReplayedLevel>, Option<Expanded>)> {
        let whole = self.whole.record(run, place)?;
        keep(&whole, self.arguments.keep.as_deref(), &run.name)?;
        if self.arguments.detail == INTERACTIONS {
            let levels = self.levels(&whole)?;
            let expanded = self.expands().then(|| self.expanded(run, place));
            return Ok((levels, expanded.transpose()?.map(|(expanded, _)| expanded)));
        }
        let (expanded, thin) = self.expanded(run, place)?;
        let boundary = self.boundary.trace(thin.path());
        let levels = self.levels(&expanded::best_in(place, &boundary))?;
        Ok((levels, Some(expanded)))
    }

    /// Replays a recording at all its levels.
    fn levels(&self, trace: &Path) -> Result<Vec<ReplayedLevel>> {
        if self.arguments.only_expand {
            return Ok(Vec::new());
        }
        let Some(elsewhere) = &self.elsewhere else {
            return replay(self.jinsi, &self.replay_jdk, trace);
        };
        let levels = replay(self.jinsi, elsewhere.jdk(), trace)?;
        let touched = elsewhere.touched(&self.replay_jdk)?;
        ensure!(
            touched.is_empty(),
            "the worker opened what is not its own: {}",
            touched.into_iter().collect::<Vec<_>>().join(", ")
        );
        Ok(levels)
    }

    fn expands(&self) -> bool {
        !self.arguments.no_expand && !self.arguments.hostile
    }

    /// Records the run of which there is a whole recording in `place` once more, at the boundary, and expands that; with the directory of that recording.
    fn expanded(&mut self, run: &RecordedRun, place: &Path) -> Result<(Expanded, TempDir)> {
        let whole = self.whole.trace(place);
        let thin = tempfile::tempdir()?;
        let boundary = self.boundary.record(run, thin.path())?;
        let directory = self.arguments.keep.as_deref();
        keep(&boundary, directory, &format!("{}-boundary", run.name))?;
        let expander = Expander {
            jinsi: self.jinsi,
            jdk: &self.replay_jdk,
        };
        let mut further = Further {
            run,
            whole: &mut self.whole,
            boundary: &mut self.boundary,
            keep: directory,
            count: 0,
        };
        let expanded = Expanded::of(&expander, &boundary, &whole, place, &mut further)?;
        let made = expanded::made_in(place);
        if made.is_file() {
            keep(&made, directory, &format!("{}-expanded", run.name))?;
        }
        Ok((expanded, thin))
    }
}

/// Further recordings of a run.
struct Further<'a> {
    run: &'a RecordedRun,
    whole: &'a mut Recorder,
    boundary: &'a mut Recorder,
    keep: Option<&'a Path>,
    /// How many there are.
    count: usize,
}

impl Further<'_> {
    fn keep(&mut self, trace: &Path, what: &str) -> Result<()> {
        self.count += 1;
        let name = format!("{}-{what}-{}", self.run.name, self.count);
        keep(trace, self.keep, &name)
    }
}

impl Records for Further<'_> {
    fn whole(&mut self, way: &str) -> Result<Trace> {
        let place = tempfile::tempdir()?;
        let trace = self.whole.record_in(self.run, place.path(), way)?;
        self.keep(&trace, "again")?;
        Ok(Trace::open(&trace)?)
    }

    fn boundary(&mut self, directory: &Path, way: &str) -> Result<PathBuf> {
        let trace = self.boundary.record_in(self.run, directory, way)?;
        self.keep(&trace, "boundary-again")?;
        Ok(trace)
    }
}

fn keep(trace: &Path, directory: Option<&Path>, name: &str) -> Result<()> {
    if let Some(directory) = directory {
        std::fs::create_dir_all(directory)?;
        std::fs::copy(trace, directory.join(format!("{name}.jinsi")))?;
    }
    Ok(())
}

/// Replays a trace at every level, in an empty directory.
fn replay(jinsi: &Path, jdk: &Jdk, trace: &Path) -> Result<Vec<ReplayedLevel>> {
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

fn judge(manifest: &Manifest, name: &str, replayed: Result<Vec<ReplayedLevel>>) -> ReplayedRun {
    let (levels, error) = match replayed {
        Ok(levels) => (levels, None),
        Err(error) => (Vec::new(), Some(format!("{error:#}"))),
    };
    ReplayedRun {
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
        expanded: None,
        seconds: 0.0,
    }
}

impl ReplayedRun {
    /// Is there something to compare the expanded recording with?
    fn is_steady(&self) -> bool {
        self.expanded.as_ref().is_some_and(|e| e.steady)
    }

    /// Was it expanded to what a whole recording has?
    fn is_expanded(&self) -> bool {
        self.expanded.as_ref().is_some_and(|e| e.equal)
    }
}

impl ReplayReport {
    fn new(jdk: String, results: Vec<ReplayedRun>, seconds: f64) -> Self {
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
            expanded: results.iter().filter(|r| r.is_steady()).count(),
            expanded_equal: results.iter().filter(|r| r.is_expanded()).count(),
            unsteady: results
                .iter()
                .filter(|r| r.expanded.as_ref().is_some_and(|e| !e.steady))
                .count(),
            results,
            seconds,
        }
    }

    fn holds(&self, goals: &Goals) -> bool {
        let replayed = (self.levels - self.diverged) as f64;
        replayed >= goals.levels * self.levels as f64
            && self.expanded_equal as f64 >= goals.expanded * self.expanded as f64
            && self
                .results
                .iter()
                .all(|r| r.error.is_none() && r.divergences.iter().all(|d| d.cause.is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(why: Option<&str>, detail: &str) -> ReplayedLevel {
        ReplayedLevel {
            level: "all".into(),
            interactions: 2,
            why: why.map(str::to_owned),
            detail: detail.into(),
        }
    }

    fn report(levels: Vec<ReplayedLevel>) -> ReplayReport {
        let manifest: Manifest = serde_json::from_str(
            r#"{"runs": [], "causes": [{"detail": ["known"], "run": null, "cause": "c"}]}"#,
        )
        .unwrap();
        let run = judge(&manifest, "r", Ok(levels));
        ReplayReport::new("17".into(), vec![run], 0.0)
    }

    #[test]
    fn few_divergences_of_known_cause_are_allowed() {
        let good = || (0..39).map(|_| level(None, ""));
        let one = |detail| good().chain([level(Some("harness"), detail)]).collect();
        assert!(report(good().collect()).holds(&WHOLE));
        let known = report(one("known"));
        assert!(known.holds(&WHOLE));
        assert_eq!(
            (known.levels, known.diverged, known.causes["c"]),
            (40, 1, 1)
        );
        assert!(!report(one("another")).holds(&WHOLE));
        let half = vec![level(None, ""), level(Some("harness"), "known")];
        assert!(!report(half).holds(&WHOLE));
    }

    #[test]
    fn a_run_that_cannot_be_recorded_is_no_success() {
        let manifest = Manifest::read().unwrap();
        let run = judge(&manifest, "r", Err(anyhow::anyhow!("no")));
        assert!(!ReplayReport::new("17".into(), vec![run], 0.0).holds(&WHOLE));
    }
}
