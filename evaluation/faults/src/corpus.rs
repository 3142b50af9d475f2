//! Bugs of the corpus whose repair is known: the rank of a repaired line, of one run alone.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_analysis::report::json::Report;
use jinsi_analysis::report::suspects;
use jinsi_ground::bugs::{self, CHOSEN};
use jinsi_jdk::{compile, maven, process};
use jinsi_locate::Place;
use jinsi_locate::coverage::Coverage;
use jinsi_locate::look::{Question, Recording, look};
use jinsi_locate::rank::{Clue, Weights};
use jinsi_locate::spans::Span;
use jinsi_steps::code::Program;
use jinsi_trace::reader::Trace;

use super::{Case, Ground};

/// Time for a bug.
const LIMIT: Duration = Duration::from_secs(300);

/// What came of a bug.
pub(super) struct Bug {
    pub(super) id: String,
    pub(super) case: Option<Case>,
    /// By Ochiai of the one run: all lines that it covered are alike.
    pub(super) ochiai: usize,
    pub(super) why_not: Option<String>,
}

/// All bugs whose repaired lines are known.
pub(super) fn bugs(ground: &Ground) -> Result<Vec<Bug>> {
    let feature = ground.jdk.version().feature;
    let known = bugs::Bug::all(CHOSEN)?.into_iter();
    let known = known.filter(|bug| !bug.fixed.is_empty() && bug.java.has(feature));
    let looked = known.map(|bug| match one(ground, &bug) {
        Ok((case, ochiai)) => Bug {
            id: bug.id,
            case: Some(case),
            ochiai,
            why_not: None,
        },
        Err(why) => Bug {
            id: bug.id,
            case: None,
            ochiai: 0,
            why_not: Some(format!("{why:#}")),
        },
    });
    Ok(looked.collect())
}

fn one(ground: &Ground, bug: &bugs::Bug) -> Result<(Case, usize)> {
    let place = ground.work.path().join(bug.package());
    let driver = place.join("driver");
    let coordinates: Vec<&str> = bug.coordinates.iter().map(String::as_str).collect();
    let jars = maven::fetch(&coordinates)?;
    compile::javac(&ground.jdk, &bug.driver()?, &jars, &driver)?;
    let mut class_path = vec![driver];
    class_path.extend(jars);
    let trace = place.join("run.jinsi");
    let recorded = ["record", "--detail", "instructions", "-o"];
    jinsi(ground, bug, (&recorded, &trace), &class_path)?;
    let report = place.join("report");
    let debugged = ["debug", "--out"];
    let minimized = jinsi(ground, bug, (&debugged, &report), &class_path);
    let minimized = minimized.and_then(|()| Ok(Report::read(&report.join("report.json"))?));
    let clues = minimized.map_or_else(|_| Vec::new(), |report| suspects::clues(&report));
    let trace = Trace::open(&trace)?;
    let main = bug.main.as_str();
    let of_driver = bug.package();
    let is_driver = |class: &str| !bug.is_own() && class.split('.').next() == Some(of_driver);
    let whole = Span::whole(&trace, main).context("nothing ran")?;
    ensure!(whole.failed.is_some(), "no failure was recorded");
    let mut coverage = Coverage::new();
    coverage.add(&trace, &Program::of(&trace), std::slice::from_ref(&whole))?;
    let covered = coverage.finish().0.lines_only();
    let covered = covered
        .elements
        .iter()
        .filter(|element| !is_driver(&element.class));
    let covered = covered.count();
    let findings = look(Question {
        failing: Recording {
            trace: &trace,
            spans: vec![whole],
        },
        which: 0,
        criterion: None,
        others: Vec::new(),
        clues,
        spectra: None,
        weights: Weights::default(),
    })?;
    let files: std::collections::HashMap<Place, Option<String>> = (findings.lines.iter())
        .map(|line| (line.ranked.place.clone(), line.file.clone()))
        .collect();
    let lines = findings.lines.iter();
    let lines = lines.filter(|line| !is_driver(&line.ranked.place.class));
    let clues = lines.flat_map(|line| line.ranked.clues.iter().cloned());
    let clues: Vec<Clue> = clues.collect();
    let is_fixed = |place: &Place| {
        let file = files.get(place).and_then(|file| file.as_deref());
        let file = file.map(|file| format!("{file}:{}", place.line));
        file.is_some_and(|at| bug.fixed.contains(&at))
    };
    Ok((Case::new(clues, is_fixed, covered), covered))
}

/// Has jinsi run the bug's program.
fn jinsi(
    ground: &Ground,
    bug: &bugs::Bug,
    (arguments, out): (&[&str], &PathBuf),
    class_path: &[PathBuf],
) -> Result<()> {
    let mut command = Command::new(&ground.jinsi);
    command
        .env("JAVA_HOME", ground.jdk.home())
        .env_remove("CLASSPATH")
        .args(arguments)
        .arg(out)
        .args(["--observe", &bug.observe])
        .arg("--")
        .arg(ground.jdk.java())
        .args(bug.jvm_options())
        .arg("-cp")
        .arg(std::env::join_paths(class_path)?)
        .arg(&bug.main);
    let done = process::run(&mut command, LIMIT)?;
    let last = done.stderr.lines().last().unwrap_or_default();
    ensure!(out.exists(), "jinsi {}: {last}", arguments[0]);
    Ok(())
}
