//! Do the plain tests pass with the release in which the bug is repaired? Only then do they ask for what is right.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use jinsi_jdk::junit::{self, TestResult};
use jinsi_jdk::{compile, maven};

use super::debug::{Debugged, Debugger};
use super::manifest::Bug;
use super::surefire::class_of;

/// Compiles and runs the plain tests of all levels against the repaired release, if the manifest names one.
///
/// # Errors
/// A test that fails there, or cannot be run.
pub(super) fn check(bug: &Bug, debugged: &Debugged, debugger: &Debugger) -> Result<()> {
    let plain = debugged
        .report
        .levels
        .iter()
        .filter(|l| l.test_form.as_deref() == Some("plain"));
    let files: Vec<&String> = plain.filter_map(|l| l.test_file.as_ref()).collect();
    if bug.repaired.is_empty() || files.is_empty() {
        return Ok(());
    }
    let coordinates: Vec<&str> = bug.repaired.iter().map(String::as_str).collect();
    let mut class_path = maven::fetch(&coordinates)?;
    class_path.extend(maven::fetch(&[maven::JUNIT])?);
    // A level that observes the driver, too, calls it.
    class_path.extend(
        debugged
            .directory
            .parent()
            .map(|place| place.join("driver")),
    );
    let out = tempfile::tempdir()?;
    let sources: Vec<PathBuf> = files.iter().map(|f| debugged.directory.join(f)).collect();
    compile::javac(&debugger.compiler, &sources, &class_path, out.path())?;
    class_path.insert(0, out.path().to_path_buf());
    let names: Vec<String> = files.iter().map(|f| class_of(f)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let outcomes = junit::run(&debugger.jdk, &class_path, &names, &[])?;
    for name in names {
        let outcome = outcomes.iter().find(|o| o.class == name);
        let result = &outcome
            .with_context(|| format!("{name} was not run"))?
            .result;
        ensure!(*result == TestResult::Passed, "{name}: {result:?}");
    }
    Ok(())
}
