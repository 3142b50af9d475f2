//! Bugs of the corpus whose repair is known: the rank of a repaired line, of one run alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_ground::bugs::{self, BLIND, CHOSEN};
use jinsi_ground::repository;
use jinsi_jdk::{compile, process};
use jinsi_locate::coverage::first_ran;
use jinsi_locate::rank::Clue;
use jinsi_locate::spans::Span;
use jinsi_steps::code::Program;
use jinsi_trace::reader::Trace;
use serde::Deserialize;

use super::where_report::WhereReport;
use super::{Case, EvaluationSetup};

/// Time for a bug.
const LIMIT: Duration = Duration::from_secs(300);
/// Where the lines of omissions are, by the rule beside it.
const OMISSIONS: &str = "tests/omissions/list.json";
/// Those of other bugs.
const OTHERS: &str = "tests/repairs/lines.json";

/// What came of a bug.
pub(super) struct Bug {
    pub(super) id: String,
    pub(super) library: String,
    /// Was it drawn by a rule?
    pub(super) blind: bool,
    pub(super) case: Option<Case>,
    /// By Ochiai of the one run: all lines that it covered are alike.
    pub(super) ochiai: usize,
    pub(super) why_not: Option<String>,
}

/// Repaired lines, by bug: those of its manifest, else those of the lists.
fn repaired(bugs: &[bugs::Bug]) -> Result<BTreeMap<String, Vec<String>>> {
    #[derive(Deserialize)]
    struct List {
        omissions: Vec<Entry>,
    }
    #[derive(Deserialize)]
    struct Entry {
        id: String,
        lines: Vec<String>,
    }
    let read = |file: &str| {
        let file = repository::root().join(file);
        fs::read_to_string(&file).with_context(|| file.display().to_string())
    };
    let mut all: BTreeMap<String, Vec<String>> = serde_json::from_str(&read(OTHERS)?)?;
    let list: List = serde_json::from_str(&read(OMISSIONS)?)?;
    all.extend(list.omissions.into_iter().map(|of| (of.id, of.lines)));
    for bug in bugs.iter().filter(|bug| !bug.fixed.is_empty()) {
        all.insert(bug.id.clone(), bug.fixed.clone());
    }
    Ok(all)
}

/// All bugs whose repaired lines are known.
pub(super) fn bugs(ground: &EvaluationSetup) -> Result<Vec<Bug>> {
    let feature = ground.jdk.version().feature;
    let (chosen, drawn) = (bugs::Bug::all(CHOSEN)?, bugs::Bug::all(BLIND)?);
    let first_drawn = chosen.len();
    let all: Vec<bugs::Bug> = chosen.into_iter().chain(drawn).collect();
    let repaired = repaired(&all)?;
    let known = all.iter().enumerate();
    let known = known.filter(|(_, bug)| bug.java.has(feature));
    let looked = known.filter_map(|(no, bug)| {
        let lines = repaired.get(&bug.id).filter(|lines| !lines.is_empty())?;
        let blind = no >= first_drawn;
        let (id, library) = (bug.id.clone(), bug.library.clone());
        Some(match one(ground, bug, lines) {
            Ok((case, ochiai)) => Bug {
                id,
                library,
                blind,
                case: Some(case),
                ochiai,
                why_not: None,
            },
            Err(why) => Bug {
                id,
                library,
                blind,
                case: None,
                ochiai: 0,
                why_not: Some(format!("{why:#}")),
            },
        })
    });
    Ok(looked.collect())
}

fn one(ground: &EvaluationSetup, bug: &bugs::Bug, repaired: &[String]) -> Result<(Case, usize)> {
    let place = ground.work.join("corpus").join(bug.package());
    let (file, report) = (place.join("run.jinsi"), place.join("report"));
    if !file.exists() {
        record(ground, bug, &place, (&file, &report))?;
    }
    let trace = Trace::open(&file)?;
    let of_driver = bug.package();
    let is_driver = |class: &str| !bug.is_own() && class.split('.').next() == Some(of_driver);
    let whole = Span::whole(&trace, &bug.main).context("nothing ran")?;
    ensure!(whole.failed.is_some(), "no failure was recorded");
    let program = Program::of(&trace);
    // Lines of all classes that were loaded, and those that ran.
    let methods = program.methods().iter();
    let methods = methods.filter(|method| !is_driver(&method.owner.replace('/', ".")));
    let lines = methods.flat_map(|method| {
        let instructions = method.body.iter().flat_map(|body| &body.instructions);
        let lines = instructions.map(|i| i.line).filter(|line| *line != 0);
        lines.map(|line| (method.owner.clone(), method.file.clone(), line))
    });
    let all: std::collections::BTreeSet<_> = lines.collect();
    let is_repaired = |file: Option<&str>, line: u16| {
        file.is_some_and(|file| repaired.contains(&format!("{file}:{line}")))
    };
    let wrong_ran = |class: &str, line: u16| {
        let of_line = |(owner, _, no): &&(String, Option<String>, u16)| {
            *no == line && owner.replace('/', ".") == class
        };
        let found = all.iter().find(of_line);
        found.is_some_and(|(_, file, line)| is_repaired(file.as_deref(), *line))
    };
    let ran = first_ran(&trace, &program, &whole)?;
    let mut ran: Vec<_> = ran.into_iter().map(|line| line.place).collect();
    ran.retain(|place| !is_driver(&place.class));
    ran.sort();
    ran.dedup();
    let covers = ran.iter().any(|at| wrong_ran(&at.class, at.line));
    let ochiai = if covers { ran.len() } else { all.len() };
    let report = Some(report.as_path()).filter(|report| report.join("report.json").exists());
    let reported = WhereReport::of(ground, &file, report)?;
    let lines = reported.lines.iter().filter(|line| !is_driver(&line.class));
    let wrong: std::collections::BTreeSet<_> = lines
        .clone()
        .filter(|line| is_repaired(line.file.as_deref(), line.line))
        .map(|line| line.place())
        .collect();
    let clues: Vec<Clue> = lines.flat_map(|line| line.clues()).collect();
    let case = Case::new(clues, |place| wrong.contains(place), all.len());
    Ok((case, ochiai))
}

/// Records the run, and has it minimized.
fn record(
    ground: &EvaluationSetup,
    bug: &bugs::Bug,
    place: &Path,
    (file, report): (&Path, &Path),
) -> Result<()> {
    let driver = place.join("driver");
    let jars = bug.jars()?;
    compile::javac(&ground.jdk, &bug.driver()?, &jars, &driver)?;
    let mut class_path = vec![driver];
    class_path.extend(jars);
    let limit = bug.time_limit.map(|limit| format!("--time-limit={limit}"));
    let mut debugged = vec!["debug"];
    debugged.extend(limit.as_deref());
    debugged.extend(bug.oracle.iter().map(String::as_str));
    debugged.push("--out");
    // Without a report there is less to go by.
    let _ = jinsi(ground, bug, (&debugged, report), &class_path);
    let recorded = ["record", "--detail", "instructions", "-o"];
    jinsi(ground, bug, (&recorded, file), &class_path)
}

/// Has jinsi run the bug's program.
fn jinsi(
    ground: &EvaluationSetup,
    bug: &bugs::Bug,
    (arguments, out): (&[&str], &Path),
    class_path: &[PathBuf],
) -> Result<()> {
    // One that does not end is stopped, and the JVM that it has begun with it.
    let limit = bug.time_limit.map(|limit| 10 * u64::from(limit));
    let mut command = Command::new("timeout");
    command
        .env("JAVA_HOME", ground.jdk.home())
        .env_remove("CLASSPATH")
        .arg(limit.unwrap_or(LIMIT.as_secs()).to_string())
        .arg(&ground.jinsi)
        .args(arguments)
        .arg(out)
        .args(["--observe", &bug.observe])
        .arg("--")
        .arg(ground.jdk.java())
        .args(bug.jvm_options())
        .arg("-cp")
        .arg(std::env::join_paths(class_path)?)
        .arg(&bug.main);
    let done = process::run(&mut command, 4 * LIMIT)?;
    let last = done.stderr.lines().last().unwrap_or_default();
    ensure!(out.exists(), "jinsi {}: {last}", arguments[0]);
    Ok(())
}
