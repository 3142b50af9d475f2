//! How a build ended, and what the plugin left of it.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_jdk::compile::CompileError;
use jinsi_jdk::junit::{JunitError, JunitResult};
use jinsi_jdk::{Jdk, compile, junit, maven};
use serde_json::Value;

use super::project::Project;

/// What has to be the same with jinsi and without.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Outcome {
    pub(super) status: Option<i32>,
    /// How many tests ended how, by their names; parameters and order do not matter.
    pub(super) tests: BTreeMap<(String, String, &'static str), usize>,
}

impl Outcome {
    /// Reads the reports of Surefire and Failsafe.
    pub(super) fn of(project: &Project, status: Option<i32>) -> Result<Outcome> {
        let mut tests = BTreeMap::new();
        for reports in ["surefire-reports", "failsafe-reports"] {
            let apart = tempfile::tempdir()?;
            for file in reports_in(&project.tests.join("target").join(reports)) {
                fs::copy(
                    &file,
                    apart.path().join(file.file_name().unwrap_or_default()),
                )?;
            }
            for test in junit::read_reports(apart.path())? {
                let ended = match test.result {
                    JunitResult::Passed => "passed",
                    JunitResult::Failed(_) => "failed",
                    JunitResult::Skipped(_) => "skipped",
                };
                *tests.entry((test.class, test.method, ended)).or_default() += 1;
            }
        }
        Ok(Outcome { status, tests })
    }

    /// Did the three tests run, and one of them fail?
    pub(super) fn is_as_meant(&self) -> bool {
        let failed = self
            .tests
            .keys()
            .filter(|(_, _, ended)| *ended == "failed")
            .count();
        self.tests.values().sum::<usize>() == 3 && failed == 1 && self.status == Some(1)
    }

    /// In a few words.
    pub(super) fn text(&self) -> String {
        let count = |wanted| {
            let counts = self
                .tests
                .iter()
                .filter(|((_, _, ended), _)| *ended == wanted);
            counts.map(|(_, count)| count).sum::<usize>()
        };
        let status = self.status.map_or("none".to_owned(), |s| s.to_string());
        format!(
            "{} passed, {} failed, status {status}",
            count("passed"),
            count("failed")
        )
    }
}

/// One report a class. TestNG leaves files of its own beside them.
fn reports_in(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let is_report = |path: &PathBuf| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        name.starts_with("TEST-") && name.ends_with(".xml")
    };
    entries
        .map(|entry| entry.path())
        .filter(is_report)
        .collect()
}

/// What is missing of a test that is recommended, and that fails on the program and passes on the repaired one.
pub(super) enum Missing {
    Recording,
    /// There are so many failed tests, and not one.
    OneTest(usize),
    /// No test is recommended, for this reason.
    Test(String),
    Compiled(CompileError),
    Run(JunitError),
    Red,
    Green,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Recording => f.write_str("nothing was recorded"),
            Self::OneTest(count) => write!(f, "{count} failed tests are in tests.json"),
            Self::Test(why) => f.write_str(why),
            Self::Compiled(error) => write!(f, "the kept test does not compile: {error}"),
            Self::Run(error) => write!(f, "the kept test does not run: {error}"),
            Self::Red => f.write_str("the kept test does not fail on the program"),
            Self::Green => f.write_str("the kept test does not pass on the repaired program"),
        }
    }
}

/// The test that is recommended of the failed one, if there is one.
pub(super) fn kept(project: &Project) -> Result<Result<PathBuf, Missing>> {
    let directory = project.tests.join("target/jinsi");
    let file = directory.join("tests.json");
    let Ok(text) = fs::read(&file) else {
        return Ok(Err(Missing::Recording));
    };
    let report: Value = serde_json::from_slice(&text)?;
    let tests = report["tests"].as_array().map_or(&[][..], |tests| tests);
    let [test] = tests else {
        return Ok(Err(Missing::OneTest(tests.len())));
    };
    Ok(match test["keep"].as_str() {
        Some(keep) => Ok(directory.join(keep)),
        None => Err(Missing::Test(why_none(test))),
    })
}

fn why_none(test: &Value) -> String {
    let reasons = ["why_not", "keep_why_not"];
    let reason = reasons.iter().find_map(|key| test[*key].as_str());
    reason.unwrap_or("no test is recommended").to_owned()
}

/// Does a written test fail on the program, and pass on the repaired one? If not, what is missing of that.
pub(super) fn flips(
    jdk: &Jdk,
    test: &Path,
    project: &Project,
    repaired: &Path,
) -> Result<Result<(), Missing>> {
    let libraries = [
        &[maven::JUNIT][..],
        &maven::JUNIT_4,
        &maven::TESTNG,
        &maven::MOCKITO,
    ];
    let mut jars = maven::fetch(&libraries.concat())?;
    jars.push(project.tests.join("target/jinsi/lib/jinsi-junit"));
    let target = |module: &Path, name: &str| module.join("target").join(name);
    let broken = target(&project.program, "classes");
    let tests = target(&project.tests, "test-classes");
    let place = tempfile::tempdir()?;
    let text = fs::read_to_string(test)?;
    let package = text.lines().find_map(|line| line.strip_prefix("package "));
    let package = package.map(|p| p.trim_end_matches(';').to_owned());
    let simple = test
        .file_stem()
        .context("a test has a name")?
        .to_string_lossy();
    let name = package.map_or(simple.to_string(), |p| format!("{p}.{simple}"));
    let path = |program: &Path| {
        let mut path = vec![place.path().to_owned(), program.to_owned(), tests.clone()];
        path.extend(jars.iter().cloned());
        path
    };
    if let Err(error) = compile::javac(jdk, &[test.to_owned()], &path(&broken), place.path()) {
        return Ok(Err(Missing::Compiled(error)));
    }
    for (program, wanted) in [(broken.as_path(), false), (repaired, true)] {
        let outcomes = match junit::run(jdk, &path(program), &[&name], &[]) {
            Ok(outcomes) => outcomes,
            Err(error) => return Ok(Err(Missing::Run(error))),
        };
        let is_passed = |result: &JunitResult| matches!(result, JunitResult::Passed);
        let is_failed = |result: &JunitResult| matches!(result, JunitResult::Failed(_));
        let holds = match wanted {
            true => outcomes.iter().all(|o| is_passed(&o.result)),
            false => outcomes.iter().any(|o| is_failed(&o.result)),
        };
        if !holds {
            return Ok(Err(match wanted {
                true => Missing::Green,
                false => Missing::Red,
            }));
        }
    }
    Ok(Ok(()))
}
