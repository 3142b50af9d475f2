//! Do the written tests pass with the release in which the bug is repaired? Only then do they ask for what is right, and are
//! worth keeping. Those that need a recording are counted apart: they may be aborted, because the repaired code asks something else.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_analysis::report::json::TestOutcome;
use jinsi_ground::bugs::Bug;
use jinsi_jdk::junit::{self, JunitResult};
use jinsi_jdk::{Jdk, compile, maven};

use super::debug::{Debugged, Debugger};
use super::surefire::class_of;

/// What the tests of a bug come to with the repaired release.
#[derive(Debug, Default)]
pub(super) struct Flips {
    /// Those that fail before and pass there.
    pub(super) passing: Vec<String>,
    /// The others that fail before: test, and what becomes of it there.
    pub(super) others: Vec<(String, String)>,
    /// Those of these that need the recording.
    pub(super) replayed: Replayed,
}

/// Tests of the replay form that run the classes of today.
#[derive(Debug, Default)]
pub(super) struct Replayed {
    pub(super) passing: Vec<String>,
    pub(super) others: Vec<(String, String)>,
}

/// Compiles and runs the tests of all levels against the repaired release; `None` if the manifest names none.
///
/// # Errors
/// The release cannot be had, or nothing can be run.
pub(super) fn flips(bug: &Bug, debugged: &Debugged, debugger: &Debugger) -> Result<Option<Flips>> {
    if bug.repaired.is_empty() {
        return Ok(None);
    }
    let levels = debugged.report.levels.iter();
    let tests = levels.filter(|l| l.test_outcome == Some(TestOutcome::Reproduces));
    let files: Vec<(&String, bool)> = tests
        .filter_map(|l| Some((l.test_file.as_ref()?, l.test_form.as_deref()? == "replay")))
        .collect();
    let mut flips = Flips::default();
    if files.is_empty() {
        return Ok(Some(flips));
    }
    let mut libraries = maven::fetch(&bug.repaired)?;
    libraries.extend(maven::fetch(&[maven::JUNIT])?);
    libraries.extend(maven::fetch(&maven::MOCKITO)?);
    // A level that observes the driver, too, calls it.
    let driver = debugged
        .directory
        .parent()
        .map(|place| place.join("driver"));
    libraries.extend(driver);
    // What the driver asserts with.
    libraries.extend(maven::fetch(&bug.beside_repaired())?);
    // Those that the comment of a test names; properties are the test's own business.
    let of_jvm = |option: &&String| !option.starts_with("-D");
    let options: Vec<String> = bug.options.iter().filter(of_jvm).cloned().collect();
    // A test of the replay form has its recording beside it.
    let mut with_extension = libraries.clone();
    with_extension.extend(["tests", "lib/jinsi-junit"].map(|part| debugged.directory.join(part)));
    for (file, replayed) in files {
        let name = class_of(file);
        let ended = with_libraries(
            &debugged.directory,
            file,
            if replayed {
                &with_extension
            } else {
                &libraries
            },
            [&debugger.compiler, &debugger.jdk],
            &options,
        )?;
        match (ended, replayed) {
            (None, false) => flips.passing.push(name),
            (Some(why), false) => flips.others.push((name, why)),
            (None, true) => flips.replayed.passing.push(name),
            (Some(why), true) => flips.replayed.others.push((name, why)),
        }
    }
    Ok(Some(flips))
}

/// Why the test in the file `file` of a report's directory does not pass with these libraries and options of the JVM, if it does not.
pub(crate) fn with_libraries(
    directory: &Path,
    file: &str,
    libraries: &[PathBuf],
    [compiler, jdk]: [&Jdk; 2],
    options: &[String],
) -> Result<Option<String>> {
    let name = &class_of(file);
    let source = directory.join(file);
    let out = tempfile::tempdir()?;
    let compiled = compile::javac(
        compiler,
        std::slice::from_ref(&source),
        libraries,
        out.path(),
    );
    if let Err(error) = compiled {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        return Ok(Some(format!("does not compile: {first}")));
    }
    let mut class_path = vec![out.path().to_path_buf()];
    class_path.extend_from_slice(libraries);
    let outcomes = junit::run(jdk, &class_path, &[name], options)?;
    let outcome = outcomes.iter().find(|o| o.class == *name);
    let outcome = outcome.with_context(|| format!("{name} was not run"))?;
    Ok(match &outcome.result {
        JunitResult::Passed => None,
        JunitResult::Failed(failure) => {
            let message = failure.message.as_deref().unwrap_or_default();
            let message = message.lines().next().unwrap_or_default();
            Some(format!("{}: {message}", failure.exception))
        }
        // An aborted test says why with its whole stack.
        JunitResult::Skipped(why) => {
            let first = why.lines().next().unwrap_or_default();
            Some(format!("skipped: {first}"))
        }
    })
}
