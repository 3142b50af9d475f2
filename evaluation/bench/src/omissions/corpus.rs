//! Bugs of the corpus: does one who knows only that it failed come to the place of the repair?
//!
//! Of each bug that is an omission (`tests/omissions`): where among the answers of `jinsi why-not --failure` is the first in the method of the
//! repair, beside how many there are without an order, and how large the relevant slice is. Of as many that are none: how many answers there are.

pub(crate) mod list;
mod sums;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_ground::bugs::{BLIND, Bug, CHOSEN};
use jinsi_ground::commands;
use jinsi_jdk::Jdk;
use serde::Serialize;
use serde_json::Value;

use crate::recorded::Recorded;
use jinsi_ground::child::{self, Ending, Limits};
use jinsi_ground::report::{self, Judged};
use list::{Entry, List};
use sums::CorpusFigures;

/// Of a command.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(120),
    disk: 8 << 30,
};
/// Answers that are looked at.
const MOST: usize = 500;
/// So far from a repaired line an answer may be.
const LINES: u32 = 5;

/// What came of a bug.
#[derive(Clone, Debug, Default, Serialize)]
struct Row {
    id: String,
    /// Is it an omission?
    omission: bool,
    /// Place of the first answer in a method of the repair, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<usize>,
    /// Of the first one within some lines of the repair.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// Answers.
    answers: usize,
    /// Answers that are not shown, for they do not speak for themselves.
    hidden: usize,
    /// Answers without an order or a trial: all that are known.
    unranked: usize,
    /// Of these, those in a method of the repair.
    unranked_there: usize,
    /// Lines of the relevant slice.
    slice: usize,
    /// The first answers: place, and what came of turning it.
    first: Vec<String>,
    seconds: f64,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Measures and prints; `false` if a median is not what it has to be.
pub(super) fn run(only: &[String], jinsi: Option<&Path>, as_json: bool) -> Result<bool> {
    let list = List::read()?;
    let jdk = Jdk::find(None)?;
    let jinsi = commands::jinsi(jinsi, "release")?;
    let mut bugs = Bug::all(CHOSEN)?;
    bugs.extend(Bug::all(BLIND)?);
    let work = tempfile::tempdir()?;
    let ground = EvaluationSetup {
        jdk,
        jinsi,
        work: work.path().to_owned(),
    };
    let mut rows = Vec::new();
    for (entry, omission) in list.all() {
        let is_it = |name: &String| name.eq_ignore_ascii_case(&entry.id);
        if !only.is_empty() && !only.iter().any(is_it) {
            continue;
        }
        let bug = bugs.iter().find(|bug| bug.id == entry.id);
        let bug = bug.with_context(|| format!("no bug is called {}", entry.id))?;
        let mut row = ground.asked(bug, entry).unwrap_or_else(|error| Row {
            error: Some(format!("{error:#}")),
            ..Row::default()
        });
        row.id.clone_from(&entry.id);
        row.omission = omission;
        eprintln!("{}", report::brief(&row));
        rows.push(row);
    }
    let figures = CorpusFigures::of(ground.jdk.version().to_string(), rows);
    report::print(&Judged::of(figures), as_json)
}

/// What all of it needs.
struct EvaluationSetup {
    jdk: Jdk,
    jinsi: PathBuf,
    work: PathBuf,
}

impl EvaluationSetup {
    fn asked(&self, bug: &Bug, entry: &Entry) -> Result<Row> {
        let ends = matches!(bug.failure.kind.as_str(), "exception" | "assertion");
        ensure!(ends, "no exception to ask about: {}", bug.failure.kind);
        let place = self.work.join(bug.package());
        let trace = Recorded::of(bug, (&self.jinsi, &self.jdk), (&place, LIMITS), "states")?.trace;
        let mut why_not = Command::new(&self.jinsi);
        why_not
            .env("JAVA_HOME", self.jdk.home())
            .args(["--json", "why-not", "--failure", "--limit"])
            .arg(MOST.to_string())
            .arg(&trace);
        let (answer, seconds) = document(&mut why_not, &place)?;
        let mut all = Command::new(&self.jinsi);
        all.args([
            "--json",
            "why-not",
            "--failure",
            "--no-flip",
            "--all",
            "--limit",
        ])
        .arg(MOST.to_string())
        .arg(&trace);
        let (all, _) = document(&mut all, &place)?;
        let mut slice = Command::new(&self.jinsi);
        slice.args(["--json", "slice", "--relevant"]).arg(&trace);
        let (slice, _) = document(&mut slice, &place)?;
        fs::remove_dir_all(&place).context("cannot empty the place")?;
        let mut row = Row::of(&answer, entry);
        row.unranked_of(&all, entry);
        row.slice = slice["lines"].as_array().map_or(0, Vec::len);
        row.seconds = seconds;
        Ok(row)
    }
}

/// What a command of jinsi prints, and the seconds that it takes.
fn document(command: &mut Command, place: &Path) -> Result<(Value, f64)> {
    let run = child::run(command, place, LIMITS)?;
    let answered =
        matches!(&run.end, Ending::Exited(status) if matches!(status.code(), Some(0 | 1)));
    let said = run.stderr.lines().last().unwrap_or_default().to_owned();
    ensure!(answered, "{said}");
    let document = serde_json::from_str(&run.stdout).with_context(|| said)?;
    Ok((document, run.whole.as_secs_f64()))
}

impl Row {
    fn of(answer: &Value, entry: &Entry) -> Self {
        let all = answer["suggestions"].as_array();
        let all: &[Value] = all.map_or(&[], Vec::as_slice);
        let shown: Vec<&Value> = all.iter().collect();
        let hidden = answer["others_hidden"].as_u64().unwrap_or(0) as usize;
        let more = answer["more"].as_u64().unwrap_or(0) as usize;
        let is_there = |one: &&Value| entry.is_in_method(place_of(one));
        let is_near = |one: &&Value| {
            let file = one["file"].as_str().unwrap_or_default();
            let line = one["line"].as_u64().unwrap_or(0);
            entry.is_near(file, line as u32, LINES)
        };
        let rank = |fits: &dyn Fn(&&Value) -> bool| shown.iter().position(fits).map(|at| at + 1);
        let first = shown.iter().take(5).map(|one| {
            let came = one["flip"]["failure"].as_str().unwrap_or("not turned");
            format!("{}: {came}", place_of(one))
        });
        Self {
            method: rank(&is_there),
            line: rank(&is_near),
            answers: shown.len() + more,
            hidden,
            first: first.collect(),
            ..Self::default()
        }
    }
}

impl Row {
    /// What there is without an order.
    fn unranked_of(&mut self, all: &Value, entry: &Entry) {
        let listed = all["suggestions"].as_array();
        let listed: &[Value] = listed.map_or(&[], Vec::as_slice);
        let more = all["more"].as_u64().unwrap_or(0) as usize;
        self.unranked = listed.len() + more;
        let there = listed
            .iter()
            .filter(|one| entry.is_in_method(place_of(one)));
        self.unranked_there = there.count();
    }
}

/// Class, method and line of an answer.
fn place_of(answer: &Value) -> &str {
    answer["place"].as_str().unwrap_or_default()
}
