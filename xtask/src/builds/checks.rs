//! What has to hold of builds with the Gradle plugin. (That of Maven is held by the end-to-end tests.)

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
pub(super) struct Check {
    pub(super) name: String,
    pub(super) ok: bool,
    pub(super) found: String,
}

impl Check {
    pub(super) fn of(name: impl Into<String>, ok: bool, found: impl Into<String>) -> Check {
        Check {
            name: name.into(),
            ok,
            found: found.into(),
        }
    }

    /// That a list has just these, in any order.
    fn list(name: &str, found: Result<Vec<String>>, expected: &[&str]) -> Check {
        let name = format!("Gradle {VERSION}: {name}");
        match found {
            Ok(mut found) => {
                found.sort();
                Check::of(name, found == expected, found.join(", "))
            }
            Err(error) => Check::of(name, false, format!("{error:#}")),
        }
    }

    /// That a build ends so and prints `text`.
    fn says(name: &str, built: &Built, succeeds: bool, text: &str) -> Check {
        let ok = built.succeeded == succeeds && built.said.contains(text);
        let found = if ok {
            format!("{text:?}, {:.1} s", built.seconds)
        } else {
            built.said.clone()
        };
        Check::of(format!("Gradle {VERSION}: {name}"), ok, found)
    }
}

/// Builds the sample project in all the ways that count.
pub(super) fn with_gradle(gradle: &Gradle, place: &Path) -> Result<Vec<Check>> {
    let sample = project("gradle-sample", place, "gradle-sample")?;
    let mut checks = Vec::new();
    let failing = gradle.build(&sample, &["test"])?;
    checks.push(Check::says(
        "three tests fail",
        &failing,
        false,
        "6 tests completed, 3 failed",
    ));
    checks.push(Check::list(
        "each has a report, and a test that reproduces it",
        reproduced(&sample),
        &FAILING,
    ));

    let cached = ["-Ppassing", "--configuration-cache", "test"];
    let built = gradle.build(&sample, &cached)?;
    checks.push(Check::says(
        "the configuration can be cached",
        &built,
        true,
        "Configuration cache entry stored",
    ));
    checks.push(Check::list(
        "passing tests leave no trace and no report",
        left(&sample),
        &["agent.options"],
    ));
    let built = gradle.build(&sample, &cached)?;
    checks.push(Check::says(
        "the configuration comes from the cache",
        &built,
        true,
        "Configuration cache entry reused",
    ));
    checks.push(Check::says(
        "tests that passed are up to date",
        &built,
        true,
        "Task :test UP-TO-DATE",
    ));

    let cached = ["-Ppassing", "--build-cache", "clean", "test"];
    let built = gradle.build(&sample, &cached)?;
    checks.push(Check::says("tests pass", &built, true, "Task :test\n"));
    let elsewhere = project("gradle-sample", place, "gradle-elsewhere")?;
    let built = gradle.build(&elsewhere, &cached)?;
    checks.push(Check::says(
        "in another directory they come from the build cache",
        &built,
        true,
        "Task :test FROM-CACHE",
    ));
    let built = gradle.build(&sample, &["-Ppassing", "-Pjinsi.skip", "test"])?;
    checks.push(Check::says(
        "without the plugin they run again",
        &built,
        true,
        "Task :test\n",
    ));
    Ok(checks)
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
