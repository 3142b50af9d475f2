//! Runs JUnit tests in a JVM of their own.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jinsi_files::{private, temporary};
use jinsi_platform::process::own_group;

use super::class_path::{absolute, join};
use super::jdk::Jdk;
pub use super::outcomes::{Failure, Frame, JunitResult, TestOutcome};
use super::process::{self, Finished, ProcessError};
use super::server::{ServerError, TestServer};
use super::surefire;

/// Time for all tests of one call.
const LIMIT: Duration = Duration::from_secs(120);
/// Time for a minimized test. It may wait or loop without end; a good one takes well under a second, and many may have to be tried.
const LIMIT_OF_MINIMIZED: Duration = Duration::from_secs(30);

/// Why the tests have no outcome.
#[derive(Debug, thiserror::Error)]
pub enum JunitError {
    /// The JVM could not be run to its end, or ran too long.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The JVM that stays failed: it must be replaced.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// A file or directory of the run could not be made or read.
    #[error("cannot use {}: {source}", path.display())]
    File {
        /// The file or directory.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The class path cannot be written as one argument: an entry holds the separator.
    #[error("the class path cannot be used: {0}")]
    ClassPath(#[from] env::JoinPathsError),
    /// The launcher or the JVM failed (test class not found, launcher not on the class path, `System.exit` in a test, …).
    #[error("the test JVM ended with {status} and without a report: {reason}")]
    NoReport {
        /// How it ended.
        status: String,
        /// The first thing it said on stderr, and the innermost cause if it printed a stack trace.
        reason: String,
    },
    /// A report is not what the launcher writes.
    #[error("cannot read the test report: {0}")]
    Report(#[from] roxmltree::Error),
    /// The classes hold no tests.
    #[error("no tests in {}", .0.join(", "))]
    NoTests(Vec<String>),
}

/// Runs all tests of the classes `tests` (binary names) in one fresh JVM and says what became of each, in the order they ran.
///
/// The class path must hold the tests, what they need, and [`super::maven::JUNIT`]. The working directory is an empty one that vanishes
/// afterwards. `jvm_args` come before everything else on the command line. That tests fail is no error here.
pub fn run(
    jdk: &Jdk,
    class_path: &[PathBuf],
    tests: &[&str],
    jvm_args: &[String],
) -> Result<Vec<TestOutcome>, JunitError> {
    let directory = temporary::directory().map_err(file_error(&env::temp_dir()))?;
    let (work, reports) = (
        directory.path().join("work"),
        directory.path().join("reports"),
    );
    private::create_dir(&work).map_err(file_error(&work))?;
    let class_path = absolute(class_path);
    let mut command = jdk.command();
    command
        .args(jvm_args)
        .arg("-cp")
        .arg(join(&class_path)?)
        .arg("org.junit.platform.console.ConsoleLauncher");
    command.args([
        "execute",
        "--disable-banner",
        "--disable-ansi-colors",
        "--details=none",
    ]);
    // Whole stack traces: which frames matter is for the caller to say.
    command.args([
        "--config",
        "junit.platform.stacktrace.pruning.enabled=false",
    ]);
    command.arg("--reports-dir").arg(&reports);
    command.args(tests.iter().flat_map(|test| ["--select-class", test]));
    // Ctrl-C is for us: it is no outcome of a test.
    let finished = process::run(own_group(&mut command).current_dir(&work), LIMIT)?;
    let files = report_files(&reports);
    // 0: all passed, 1: some failed. Anything else is the launcher's own trouble; so is an end before it wrote its reports.
    if !matches!(finished.status.code(), Some(0 | 1)) || files.is_empty() {
        return Err(no_report(&finished));
    }
    some(read_reports(&reports)?, tests)
}

impl TestServer {
    /// Runs all tests of the classes `tests` (binary names), and says what became of each. They are loaded anew from `class_path`; what
    /// is in `libraries` is loaded once, as long as these are the same. That tests fail is no error here.
    ///
    /// # Errors
    /// See [`JunitError`]. After [`JunitError::Server`], this is of no more use.
    pub fn junit(
        &mut self,
        libraries: &[PathBuf],
        class_path: &[PathBuf],
        tests: &[&str],
    ) -> Result<Vec<TestOutcome>, JunitError> {
        let reports = self.directory()?;
        let mut arguments = vec![
            reports.clone().into(),
            env::join_paths(absolute(libraries))?,
            env::join_paths(absolute(class_path))?,
        ];
        arguments.extend(tests.iter().map(OsString::from));
        let reply = self.ask("test", &arguments, LIMIT_OF_MINIMIZED)?;
        if !reply.done {
            return Err(JunitError::NoReport {
                status: "an exception".to_owned(),
                reason: reason_in(&reply.text),
            });
        }
        some(read_reports(&reports)?, tests)
    }
}

/// The outcomes, of which there must be some.
fn some(outcomes: Vec<TestOutcome>, tests: &[&str]) -> Result<Vec<TestOutcome>, JunitError> {
    if outcomes.is_empty() {
        let names = tests.iter().map(|&test| test.to_owned());
        return Err(JunitError::NoTests(names.collect()));
    }
    Ok(outcomes)
}

/// What the reports in a directory say, as the console launcher and Maven Surefire write them; nothing if there are none.
///
/// # Errors
/// A report cannot be read.
pub fn read_reports(directory: &Path) -> Result<Vec<TestOutcome>, JunitError> {
    let mut outcomes = Vec::new();
    for file in report_files(directory) {
        let xml = fs::read_to_string(&file).map_err(file_error(&file))?;
        outcomes.extend(surefire::parse(&xml)?);
    }
    Ok(outcomes)
}

/// The reports, one a test engine; none if the launcher did not come to writing them.
fn report_files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| is_report(path))
        .collect();
    files.sort();
    files
}

/// TestNG leaves suites and reports of its own kind beside those of Surefire.
fn is_report(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("TEST-") && name.ends_with(".xml")
}

fn no_report(finished: &Finished) -> JunitError {
    JunitError::NoReport {
        status: finished.status.to_string(),
        reason: reason_in(&finished.stderr),
    }
}

/// The first line of what was said, and the innermost cause if there is a stack trace in it.
fn reason_in(said: &str) -> String {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines().next().unwrap_or("it said nothing");
    match lines().rfind(|line| line.starts_with("Caused by: ")) {
        Some(cause) => format!("{first} ({cause})"),
        None => first.to_owned(),
    }
}

fn file_error(path: &Path) -> impl FnOnce(io::Error) -> JunitError {
    let path = path.to_owned();
    move |source| JunitError::File { path, source }
}
