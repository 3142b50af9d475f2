//! A failing test class, recorded and minimized as a build with the Maven plugin does it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, ensure};
use jinsi_jdk::{Jdk, process};
use serde::Deserialize;
use serde_json::Value;

use crate::site::{Site, packages};

/// What the plugin gives `jinsi minimize` for all tests of a project.
const LIMIT: Duration = Duration::from_secs(20 * 60);
/// How the names of those traces begin that the command itself makes.
const EXPANDED: &str = "expanded";
const SECOND_TRY: &str = "--second-try";

/// The command, and the agent beside it.
pub(crate) struct Jinsi {
    command: PathBuf,
    agent: PathBuf,
    detail: String,
    /// Can the command run a test once more by itself?
    second_try: bool,
}

/// What became of one failed test.
#[derive(Debug, Default)]
pub(crate) struct Minimized {
    /// The recommended test.
    pub(crate) keep: Option<Keep>,
    /// It comes from a second run of the test.
    pub(crate) second_try: bool,
    /// Why there is no recommended test.
    pub(crate) why_not: Option<String>,
    /// From the failure until the test was there.
    pub(crate) seconds: f64,
}

/// A recommended test.
#[derive(Debug)]
pub(crate) struct Keep {
    pub(crate) source: PathBuf,
    /// The directory of the traces, in which there are classes that tests need.
    pub(crate) reports: PathBuf,
    pub(crate) form: String,
    pub(crate) calls: u64,
    pub(crate) lines: u64,
}

/// Of `tests.json`, what is looked at.
#[derive(Deserialize)]
struct Tests {
    tests: Vec<Entry>,
}

/// A failed test.
#[derive(Clone, Default, Deserialize)]
struct Entry {
    test: String,
    keep: Option<String>,
    keep_level: Option<u64>,
    directory: Option<String>,
    why_not: Option<String>,
    same_as: Option<String>,
    #[serde(default)]
    second_try: Value,
}

/// Of `report.json`, the same.
#[derive(Default, Deserialize)]
struct Report {
    #[serde(default)]
    levels: Vec<Level>,
}

#[derive(Default, Deserialize)]
struct Level {
    level: u64,
    minimized: u64,
    test_form: Option<String>,
    test_lines: Option<u64>,
    test_outcome: Option<String>,
    test_why: Option<String>,
    #[serde(default)]
    strict_replay: String,
    not_direct: Option<String>,
}

impl Jinsi {
    /// The command and the agent beside it, which records in this detail.
    pub(crate) fn of(command: PathBuf, detail: &str) -> Result<Jinsi> {
        let agent = command.with_file_name("libjinsi.so");
        ensure!(agent.is_file(), "{} is not built", agent.display());
        let mut help = Command::new(&command);
        let help = process::run(help.args(["minimize", "--help"]), Duration::from_secs(60))?;
        Ok(Jinsi {
            second_try: help.stdout.contains(SECOND_TRY),
            command,
            agent,
            detail: detail.to_owned(),
        })
    }

    /// Prepares a recording of tests; what the JVM is to be started with.
    pub(crate) fn option(&self, site: &Site, directory: &Path) -> Result<String> {
        fs::create_dir_all(directory)?;
        let mut lines: Vec<String> = packages(site.own.iter().chain(&site.of_tests))
            .iter()
            .map(|pattern| format!("observe={pattern}"))
            .collect();
        lines.push(format!("detail={}", self.detail));
        for line in ["on=failure", "keep-classes=64M", "max-size=4G"] {
            lines.push(line.to_owned());
        }
        let place = directory.display().to_string().replace('%', "%%");
        lines.push(format!("out={place}/test-%p.jinsi"));
        let file = directory.join("agent.options");
        fs::write(&file, lines.join("\n") + "\n")?;
        Ok(format!(
            "-agentpath:{}=config={}",
            self.agent.display(),
            file.display()
        ))
    }

    /// What comes of the failed test `test` of the traces in a directory, by one call for all that failed.
    pub(crate) fn minimize(&self, jdk: &Jdk, directory: &Path, test: &str) -> Result<Minimized> {
        let traces = traces(directory)?;
        if traces.is_empty() {
            return Ok(without("no trace: the failed test was not noticed"));
        }
        let mut command = Command::new(&self.command);
        command.env("JAVA_HOME", jdk.home()).arg("minimize");
        if self.second_try {
            command.arg(SECOND_TRY);
        }
        command
            .arg("--java-home")
            .arg(jdk.home())
            .arg("--out")
            .arg(directory)
            .arg("--markdown")
            .arg(directory.join("comment.md"))
            .args(&traces);
        let start = SystemTime::now();
        let finished = process::run(&mut command, LIMIT)?;
        let whole = seconds_since(start, SystemTime::now());
        fs::write(
            directory.join("minimize.log"),
            finished.stdout + &finished.stderr,
        )?;
        let mut minimized = match self.read(directory, test, start)? {
            Some(minimized) => minimized,
            None => without("the failed test is not in tests.json"),
        };
        // Without a test, it is clear only at the end that there is none.
        if minimized.keep.is_none() {
            minimized.seconds = whole;
        }
        Ok(minimized)
    }

    fn read(&self, directory: &Path, test: &str, start: SystemTime) -> Result<Option<Minimized>> {
        let Ok(text) = fs::read_to_string(directory.join("tests.json")) else {
            return Ok(Some(without("jinsi minimize left no tests.json")));
        };
        let tests: Tests = serde_json::from_str(&text).context("tests.json")?;
        let Some(entry) = entry_of(&tests.tests, test) else {
            return Ok(None);
        };
        let second_try = !matches!(entry.second_try, Value::Null | Value::Bool(false));
        let report = report_of(directory, &entry);
        let Some(file) = &entry.keep else {
            return Ok(Some(Minimized {
                second_try,
                ..without(&why_not(&entry, &report))
            }));
        };
        let source = directory.join(file);
        let written = fs::metadata(&source).and_then(|m| m.modified());
        let written = written.with_context(|| format!("{} is missing", source.display()))?;
        let level = report
            .levels
            .iter()
            .find(|l| Some(l.level) == entry.keep_level);
        let keep = Keep {
            reports: source_root(&source, directory),
            source,
            form: level.and_then(|l| l.test_form.clone()).unwrap_or_default(),
            calls: level.map_or(0, |l| l.minimized),
            lines: level.and_then(|l| l.test_lines).unwrap_or_default(),
        };
        Ok(Some(Minimized {
            keep: Some(keep),
            second_try,
            why_not: None,
            seconds: seconds_since(start, written),
        }))
    }
}

/// Directory of a test's report, in which `tests` and `lib` are.
fn source_root(source: &Path, directory: &Path) -> PathBuf {
    let mut above = source.ancestors();
    let root = above.find(|place| place.file_name().is_some_and(|name| name == "tests"));
    let root = root.and_then(Path::parent);
    root.map_or_else(|| directory.to_owned(), Path::to_owned)
}

fn without(why: &str) -> Minimized {
    Minimized {
        why_not: Some(why.to_owned()),
        ..Minimized::default()
    }
}

fn seconds_since(start: SystemTime, end: SystemTime) -> f64 {
    end.duration_since(start).unwrap_or_default().as_secs_f64()
}

fn traces(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut traces = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".jinsi") && !name.starts_with(EXPANDED) {
            traces.push(path);
        }
    }
    traces.sort_unstable();
    Ok(traces)
}

/// The entry of a test; of one that failed as an earlier one did, that one's.
fn entry_of(tests: &[Entry], test: &str) -> Option<Entry> {
    let named = |name: &str| tests.iter().find(|e| e.test == name);
    // A run of several may have a text behind its number.
    let runs_of = |e: &&Entry| {
        let rest = test.strip_prefix(e.test.as_str());
        rest.or_else(|| e.test.strip_prefix(test))
            .is_some_and(|rest| rest.starts_with(['[', '(', ' ']))
    };
    let entry = named(test).or_else(|| tests.iter().find(runs_of))?;
    match &entry.same_as {
        Some(earlier) if entry.keep.is_none() => named(earlier).or(Some(entry)).cloned(),
        _ => Some(entry.clone()),
    }
}

fn report_of(directory: &Path, entry: &Entry) -> Report {
    let file = entry
        .directory
        .as_ref()
        .map(|d| directory.join(d).join("report.json"));
    let text = file.and_then(|file| fs::read_to_string(file).ok());
    text.and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default()
}

/// Why there is no recommended test: what the entry says, else what the lowest level says.
fn why_not(entry: &Entry, report: &Report) -> String {
    if let Some(why) = &entry.why_not {
        return why.clone();
    }
    let Some(level) = report.levels.first() else {
        return "the report has no level".into();
    };
    if let Some(why) = &level.test_why {
        return format!("the written test was refused: {why}");
    }
    match &level.test_outcome {
        Some(outcome) if outcome != "reproduces" => format!("the written test: {outcome}"),
        _ if level.strict_replay != "reproduced" => {
            let direct = level.not_direct.as_deref().unwrap_or("not tried");
            format!("run for real: {direct}; replayed: {}", level.strict_replay)
        }
        _ => "no test is recommended".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(test: &str, keep: Option<&str>, same_as: Option<&str>) -> Entry {
        Entry {
            test: test.into(),
            keep: keep.map(str::to_owned),
            same_as: same_as.map(str::to_owned),
            ..Entry::default()
        }
    }

    #[test]
    fn a_test_is_found_by_its_name() {
        let tests = [
            entry("a.T.adds", Some("x"), None),
            entry("a.T.addsAll[2]", Some("y"), None),
            entry("a.T.subtracts", None, Some("a.T.adds")),
        ];
        let keep = |test: &str| entry_of(&tests, test).and_then(|e| e.keep);
        assert_eq!(keep("a.T.adds").as_deref(), Some("x"));
        assert_eq!(keep("a.T.addsAll[2]").as_deref(), Some("y"));
        assert_eq!(keep("a.T.addsAll").as_deref(), Some("y"));
        assert_eq!(keep("a.T.subtracts").as_deref(), Some("x"));
        assert!(entry_of(&tests, "a.T.add").is_none());
    }

    #[test]
    fn the_lowest_level_says_why_not() {
        let level = |outcome: Option<&str>, replay: &str| Report {
            levels: vec![Level {
                test_outcome: outcome.map(str::to_owned),
                strict_replay: replay.into(),
                ..Level::default()
            }],
        };
        let said = |report: &Report| why_not(&Entry::default(), report);
        assert_eq!(
            said(&level(Some("passes"), "reproduced")),
            "the written test: passes"
        );
        assert_eq!(
            said(&level(None, "divergence")),
            "run for real: not tried; replayed: divergence"
        );
        assert_eq!(said(&Report::default()), "the report has no level");
    }

    #[test]
    fn a_written_test_lies_below_its_report() {
        let file = Path::new("/o/T.adds/tests/a/ATest.java");
        assert_eq!(source_root(file, Path::new("/o")), Path::new("/o/T.adds"));
    }
}
