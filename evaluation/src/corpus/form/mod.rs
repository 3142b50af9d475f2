//! The form of written tests: what a project's own checks would say of them.

mod lines;
mod tools;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_analysis::report::json::{LevelReport, TestOutcome};
use jinsi_ground::bugs::Bug;
use jinsi_ground::report::{Goal, all_hold, goal};
use jinsi_jdk::{Jdk, maven};
use jinsi_testwriter::placed;
use serde::Serialize;

use super::debug::Debugged;
use jinsi_ground::figures::median;
use tools::Said;

/// Google's indentation, in which a test is put into a project that has it.
const GOOGLES: &str = "  ";
/// Lines that the body of a recommended test may have, in the median.
const LINES: f64 = 15.0;

/// The tests of a bug.
#[derive(Debug, Default, Serialize)]
pub(super) struct FormRow {
    /// Those that fail as recorded.
    tests: usize,
    /// Those that compile with `-Xlint:all -Werror`, by release of Java.
    compiling: BTreeMap<u32, usize>,
    /// Those with which Checkstyle finds no fault.
    checkstyle: usize,
    /// Those that google-java-format would leave as they are, but for width.
    formatted: usize,
    /// What Checkstyle says of names that are the program's; it does not count.
    names: usize,
    /// What is said of the others.
    complaints: Vec<String>,
}

/// Over all bugs.
#[derive(Debug, Default, Serialize)]
pub(super) struct Form {
    tests: usize,
    compiling: BTreeMap<u32, usize>,
    checkstyle: usize,
    formatted: usize,
    names: usize,
    /// Lines of the bodies of the recommended tests.
    median_lines: f64,
    pub(super) holds: bool,
}

/// Looks at the tests of a bug, with the compilers of `jdks`; the first runs the other tools.
pub(super) fn check(bug: &Bug, debugged: &Debugged, jdks: &[Jdk]) -> Result<FormRow> {
    let report = &debugged.report;
    let levels = report.levels.iter();
    let levels = levels.chain(report.chain.iter().map(|link| &link.level));
    let reproducing = |level: &&LevelReport| level.test_outcome == Some(TestOutcome::Reproduces);
    let mut names: Vec<&String> = levels
        .filter(reproducing)
        .filter_map(|level| level.test_file.as_ref())
        .collect();
    names.sort_unstable();
    names.dedup();
    let files: Vec<PathBuf> = names
        .iter()
        .map(|name| debugged.directory.join(name))
        .collect();
    let mut row = FormRow {
        tests: files.len(),
        ..FormRow::default()
    };
    let Some(first) = jdks.first().filter(|_| !files.is_empty()) else {
        return Ok(row);
    };
    let class_path = class_path(bug, debugged)?;
    for jdk in jdks {
        let said = tools::lint(jdk, &files, &class_path)?;
        let release = jdk.version().feature;
        row.compiling.insert(release, files.len() - said.len());
        row.complain(&format!("javac {release}"), said);
    }
    let (said, names) = tools::checkstyle(first, &placed(&files, debugged)?)?;
    row.checkstyle = files.len() - said.len();
    row.names = names;
    row.complain("Checkstyle", said);
    let said = tools::formatted(first, &files)?;
    row.formatted = files.len() - said.len();
    row.complain("google-java-format", said);
    Ok(row)
}

/// The tests as a project of Google's has them.
fn placed(files: &[PathBuf], debugged: &Debugged) -> Result<Vec<PathBuf>> {
    let directory = debugged
        .directory
        .parent()
        .context("a report is in a directory")?;
    let directory = directory.join("form");
    let place = |file: &PathBuf| -> Result<PathBuf> {
        let to = directory.join(file.strip_prefix(&debugged.directory)?);
        fs::create_dir_all(to.parent().unwrap_or(Path::new("")))?;
        fs::write(&to, placed::indented(&fs::read_to_string(file)?, GOOGLES))?;
        Ok(to)
    };
    files.iter().map(place).collect()
}

/// What the tests are compiled against.
fn class_path(bug: &Bug, debugged: &Debugged) -> Result<Vec<PathBuf>> {
    let place = debugged
        .directory
        .parent()
        .context("a report is in a directory")?;
    let mut class_path = vec![place.join("driver")];
    class_path.extend(bug.jars()?);
    let of_tests = [&[maven::JUNIT], &maven::JUNIT_4[..], &maven::MOCKITO].concat();
    class_path.extend(maven::fetch(&of_tests)?);
    let of_report = ["classes", "lib/jinsi-junit"].map(|name| debugged.directory.join(name));
    class_path.extend(of_report.into_iter().filter(|path| path.is_dir()));
    Ok(class_path)
}

impl FormRow {
    fn complain(&mut self, by: &str, said: Said) {
        for (file, all) in said {
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            let all = all.iter().map(|what| format!("{name}: {by}: {what}"));
            self.complaints.extend(all);
        }
    }

    /// For people: a line for each complaint.
    pub(super) fn text(&self) -> String {
        let lines = self.complaints.iter().map(|what| format!("    {what}\n"));
        lines.collect()
    }
}

impl Form {
    /// Of the rows that were looked at; `None` if none was. `lines`: how many the recommended tests have.
    pub(super) fn of(rows: &[&FormRow], lines: Vec<f64>) -> Option<Self> {
        if rows.is_empty() {
            return None;
        }
        let mut form = Self::default();
        for row in rows {
            form.tests += row.tests;
            form.checkstyle += row.checkstyle;
            form.formatted += row.formatted;
            form.names += row.names;
            for (release, compiling) in &row.compiling {
                *form.compiling.entry(*release).or_default() += compiling;
            }
        }
        form.median_lines = median(lines);
        form.holds = all_hold(&form.goals());
        Some(form)
    }

    /// What has to hold of all tests.
    pub(super) fn goals(&self) -> [Goal; 4] {
        let all = |count: usize| count == self.tests;
        let compiling = self.compiling.values().all(|&count| all(count));
        [
            goal(
                "the tests compile without a warning",
                self.tests > 0 && compiling,
            ),
            goal(
                "Checkstyle has nothing to say of them",
                all(self.checkstyle),
            ),
            goal(
                "google-java-format changes no more than their width",
                all(self.formatted),
            ),
            goal(
                "recommended tests have at most 15 lines in the median",
                self.median_lines <= LINES,
            ),
        ]
    }
}
