//! What has to hold of builds with the Gradle plugin. (That of Maven is held by the end-to-end tests.)

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value;

use super::gradle::{Gradle, VERSION};
use super::{Built, project};

/// Tests of `tests/gradle-sample` that fail.
const FAILING: [&str; 3] = [
    "sample.MatricesTest.highFails",
    "sample.MatricesTest.wideFails",
    "sample.MediansTest.fewDegreesFails",
];
/// Where the plugin leaves what it makes of the task `test`.
const LEFT: &str = "build/jinsi/test";

/// One statement.
#[derive(Serialize)]
pub(crate) struct Check {
    name: String,
    ok: bool,
    found: String,
}

impl Check {
    /// A statement, whether it holds, and what was found.
    pub(crate) fn of(name: impl Into<String>, ok: bool, found: impl Into<String>) -> Check {
        Check {
            name: name.into(),
            ok,
            found: found.into(),
        }
    }

    pub(crate) fn holds(&self) -> bool {
        self.ok
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.ok { "holds" } else { "VIOLATED" };
        write!(f, "{verdict}: {} ({})", self.name, self.found)
    }
}

/// What was found of the builds so far.
#[derive(Default)]
struct Checks(Vec<Check>);

impl Checks {
    /// That a build ends so and prints `text`.
    fn says(&mut self, name: &str, built: &Built, succeeds: bool, text: &str) {
        let ok = built.succeeded == succeeds && built.said.contains(text);
        let found = match ok {
            true => format!("{text:?}, {:.1} s", built.seconds),
            false => built.said.clone(),
        };
        self.add(name, ok, found);
    }

    /// That a list has just these, in any order.
    fn lists(&mut self, name: &str, found: Result<Vec<String>>, expected: &[&str]) {
        match found {
            Ok(mut found) => {
                found.sort();
                self.add(name, found == expected, found.join(", "));
            }
            Err(error) => self.add(name, false, format!("{error:#}")),
        }
    }

    fn add(&mut self, name: &str, ok: bool, found: String) {
        let name = format!("Gradle {VERSION}: {name}");
        self.0.push(Check::of(name, ok, found));
    }
}

/// Builds the sample project in all the ways that count.
pub(super) fn with_gradle(gradle: &Gradle, place: &Path) -> Result<Vec<Check>> {
    let sample = project("gradle-sample", place, "gradle-sample")?;
    let mut checks = Checks::default();
    let built = gradle.build(&sample, &["test"])?;
    checks.says(
        "three tests fail",
        &built,
        false,
        "6 tests completed, 3 failed",
    );
    let name = "each has a report, and a test that reproduces it";
    checks.lists(name, reproduced(&sample), &FAILING);

    let words = ["-Ppassing", "--configuration-cache", "test"];
    let built = gradle.build(&sample, &words)?;
    let name = "the configuration can be cached";
    checks.says(name, &built, true, "Configuration cache entry stored");
    let name = "passing tests leave no trace and no report";
    checks.lists(name, left(&sample), &["agent.options"]);
    let built = gradle.build(&sample, &words)?;
    let name = "the configuration comes from the cache";
    checks.says(name, &built, true, "Configuration cache entry reused");
    let name = "tests that passed are up to date";
    checks.says(name, &built, true, "Task :test UP-TO-DATE");

    let words = ["-Ppassing", "--build-cache", "clean", "test"];
    let built = gradle.build(&sample, &words)?;
    checks.says("tests pass", &built, true, "Task :test\n");
    let elsewhere = project("gradle-sample", place, "gradle-elsewhere")?;
    let built = gradle.build(&elsewhere, &words)?;
    let name = "in another directory they come from the build cache";
    checks.says(name, &built, true, "Task :test FROM-CACHE");
    let built = gradle.build(&sample, &["-Ppassing", "-Pjinsi.skip", "test"])?;
    let name = "without the plugin they run again";
    checks.says(name, &built, true, "Task :test\n");
    Ok(checks.0)
}

/// Failed tests that have a report, and a written test that reproduces.
fn reproduced(project: &Path) -> Result<Vec<String>> {
    let directory = project.join(LEFT);
    let path = directory.join("tests.json");
    let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let report: Value = serde_json::from_slice(&text)?;
    let tests = report["tests"].as_array().context("no list of tests")?;
    let whole = tests.iter().filter(|test| {
        let written = test["test_files"][0].as_str().map(|n| directory.join(n));
        let report = test["directory"].as_str();
        let report = report.map(|n| directory.join(n).join("report.html"));
        let is_file = |path: Option<PathBuf>| path.is_some_and(|p| p.is_file());
        test["reproduces"] == true && is_file(written) && is_file(report)
    });
    Ok(whole
        .filter_map(|test| test["test"].as_str().map(str::to_owned))
        .collect())
}

/// Names of what the plugin left.
fn left(project: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(project.join(LEFT))?;
    entries
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect()
}
