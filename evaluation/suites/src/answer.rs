//! What `jinsi minimize` leaves for one failed test: its entry in `tests.json`, and its `report.json`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;

/// The recording of a test's second run, in the directory of its report.
const SECOND: &str = "second-try.jinsi";
/// How the name of a directory ends that is put aside meanwhile.
const FIRST: &str = "first";

/// What became of one failed test.
#[derive(Debug, Default)]
pub(crate) struct Minimized {
    /// The recommended test.
    pub(crate) keep: Option<Keep>,
    /// The test was run a second time: what there is comes from that.
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
    keep_why_not: Option<String>,
    same_as: Option<String>,
    #[serde(default)]
    second_try: Value,
}

/// Of `report.json`, the same.
#[derive(Default, Deserialize)]
struct AnswerReport {
    #[serde(default)]
    failure: Failure,
    #[serde(default)]
    levels: Vec<Level>,
    keep: Option<String>,
    keep_level: Option<u64>,
    keep_why_not: Option<String>,
    #[serde(default)]
    second_try: Value,
}

#[derive(Default, Deserialize)]
struct Failure {
    test: Option<String>,
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

impl Minimized {
    /// There is no test, and why.
    pub(crate) fn without(why: &str) -> Self {
        Self {
            why_not: Some(why.to_owned()),
            ..Self::default()
        }
    }
}

/// Is there a report of the test?
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Progress {
    Nothing,
    /// It recommends no test.
    Report,
    Test,
}

/// How far a test is.
pub(crate) fn progress(directory: &Path, test: &str) -> Progress {
    match report_of_test(directory, test) {
        None => Progress::Nothing,
        Some((place, report)) => {
            // What is known of a second run comes to its report last.
            let is_whole = !report.second_try.is_null() || !place.join(SECOND).exists();
            match report.keep.is_some() && is_whole {
                true => Progress::Test,
                false => Progress::Report,
            }
        }
    }
}

/// What is there of a test, in which directory.
fn report_of_test(directory: &Path, test: &str) -> Option<(PathBuf, AnswerReport)> {
    let entries = fs::read_dir(directory).ok()?.flatten();
    entries.map(|entry| entry.path()).find_map(|place| {
        if place.extension().is_some_and(|e| e == FIRST) {
            return None;
        }
        let report = read_report(&place)?;
        let named = report.failure.test.as_deref();
        named
            .is_some_and(|t| is_same(t, test))
            .then_some((place, report))
    })
}

/// What comes of a test, by what a command that began at `start` has left; `None` if it has left nothing.
pub(crate) fn read(directory: &Path, test: &str, start: SystemTime) -> Result<Option<Minimized>> {
    let entry = match fs::read_to_string(directory.join("tests.json")) {
        Ok(text) => {
            let tests: Tests = serde_json::from_str(&text).context("tests.json")?;
            match entry_of(&tests.tests, test) {
                Some(entry) => entry,
                None => {
                    return Ok(Some(Minimized::without(
                        "the failed test is not in tests.json",
                    )));
                }
            }
        }
        Err(_) => match report_of_test(directory, test) {
            Some((place, report)) => entry_from(directory, &place, &report, test),
            None => return Ok(None),
        },
    };
    let second_try = entry.second_try["ran"] == true;
    let place = entry.directory.as_ref().map(|d| directory.join(d));
    let report = place.and_then(|p| read_report(&p)).unwrap_or_default();
    let Some(file) = &entry.keep else {
        return Ok(Some(Minimized {
            second_try,
            ..Minimized::without(&why_not(&entry, &report))
        }));
    };
    let source = directory.join(file);
    let written = fs::metadata(&source).and_then(|m| m.modified());
    let written = written.with_context(|| format!("{} is missing", source.display()))?;
    let levels = report.levels.iter();
    let level = levels.clone().find(|l| Some(l.level) == entry.keep_level);
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

/// The entry that a test will have in `tests.json`.
fn entry_from(directory: &Path, place: &Path, report: &AnswerReport, test: &str) -> Entry {
    let below = place.strip_prefix(directory).unwrap_or(place).display();
    Entry {
        test: test.to_owned(),
        keep: report.keep.as_ref().map(|file| format!("{below}/{file}")),
        keep_level: report.keep_level,
        keep_why_not: report.keep_why_not.clone(),
        directory: Some(below.to_string()),
        second_try: report.second_try.clone(),
        ..Entry::default()
    }
}

fn read_report(place: &Path) -> Option<AnswerReport> {
    let text = fs::read_to_string(place.join("report.json")).ok()?;
    serde_json::from_str(&text).ok()
}

/// Directory of a test's report, in which `tests` and `lib` are.
fn source_root(source: &Path, directory: &Path) -> PathBuf {
    let mut above = source.ancestors();
    let root = above.find(|place| place.file_name().is_some_and(|name| name == "tests"));
    let root = root.and_then(Path::parent);
    root.map_or_else(|| directory.to_owned(), Path::to_owned)
}

/// Seconds from one time to another.
pub(crate) fn seconds_since(start: SystemTime, end: SystemTime) -> f64 {
    end.duration_since(start).unwrap_or_default().as_secs_f64()
}

/// The entry of a test; of one that failed as an earlier one did, that one's.
fn entry_of(tests: &[Entry], test: &str) -> Option<Entry> {
    let named = |name: &str| tests.iter().find(|e| e.test == name);
    let entry = named(test).or_else(|| tests.iter().find(|e| is_same(&e.test, test)))?;
    match &entry.same_as {
        Some(earlier) if entry.keep.is_none() => named(earlier).or(Some(entry)).cloned(),
        _ => Some(entry.clone()),
    }
}

/// Do both name the same test? A run of several may have a number, or a text, behind its name.
fn is_same(one: &str, other: &str) -> bool {
    let rest = one.strip_prefix(other).or_else(|| other.strip_prefix(one));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '(', ' ']))
}

/// Why there is no recommended test: what the entry says, else what the lowest level says.
fn why_not(entry: &Entry, report: &AnswerReport) -> String {
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
        _ => match &entry.keep_why_not {
            Some(why) => format!("no test is recommended: {why}"),
            None => "no test is recommended".into(),
        },
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
        let level = |outcome: Option<&str>, replay: &str| AnswerReport {
            levels: vec![Level {
                test_outcome: outcome.map(str::to_owned),
                strict_replay: replay.into(),
                ..Level::default()
            }],
            ..AnswerReport::default()
        };
        let said = |report: &AnswerReport| why_not(&Entry::default(), report);
        assert_eq!(
            said(&level(Some("passes"), "reproduced")),
            "the written test: passes"
        );
        assert_eq!(
            said(&level(None, "divergence")),
            "run for real: not tried; replayed: divergence"
        );
        assert_eq!(said(&AnswerReport::default()), "the report has no level");
        let small = Entry {
            keep_why_not: Some("It is small already.".into()),
            ..Entry::default()
        };
        assert_eq!(
            why_not(&small, &level(Some("reproduces"), "reproduced")),
            "no test is recommended: It is small already."
        );
    }

    #[test]
    fn a_written_test_lies_below_its_report() {
        let file = Path::new("/o/T.adds/tests/a/ATest.java");
        assert_eq!(source_root(file, Path::new("/o")), Path::new("/o/T.adds"));
    }

    /// A directory with these files.
    fn left(files: &[(&str, &str)]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let file = directory.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        directory
    }

    const REPORT: &str = r#"{"failure": {"test": "a.T.adds"}, "keep": "tests/a/T1Test.java", "keep_level": 2, "levels":
        [{"level": 1, "minimized": 9}, {"level": 2, "minimized": 3, "test_form": "plain", "test_lines": 4}]}"#;

    #[test]
    fn a_test_that_is_done_is_read_before_the_others_are() {
        let source = ("x/tests/a/T1Test.java", "");
        let directory = left(&[("x/report.json", REPORT), source]);
        let place = directory.path();
        assert!(matches!(progress(place, "a.T.adds"), Progress::Test));
        assert!(matches!(progress(place, "a.T.other"), Progress::Nothing));
        let start = SystemTime::now();
        assert!(read(place, "a.T.other", start).unwrap().is_none());
        let keep = read(place, "a.T.adds", start).unwrap().unwrap().keep;
        let keep = keep.unwrap();
        assert_eq!((&*keep.form, keep.calls, keep.lines), ("plain", 3, 4));
        assert_eq!(keep.source, place.join(source.0));
    }

    #[test]
    fn the_list_of_tests_has_the_last_word() {
        let list = r#"{"tests": [{"test": "a.T.adds", "why_not": "for want of luck", "second_try": {"ran": true}}]}"#;
        let directory = left(&[("x/report.json", REPORT), ("tests.json", list)]);
        let read = |test: &str| {
            let minimized = read(directory.path(), test, SystemTime::now());
            minimized.unwrap().unwrap()
        };
        let found = read("a.T.adds");
        assert!(found.keep.is_none() && found.second_try);
        assert_eq!(found.why_not.as_deref(), Some("for want of luck"));
        let missing = read("a.T.subtracts").why_not.unwrap();
        assert!(missing.contains("not in tests.json"), "{missing}");
    }
}
