//! Where the written tests are compiled and run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use crate::jvm::compile::{CompileError, Warning};
use crate::jvm::junit::{self, TestResult};
use crate::jvm::maven;
use crate::level::CrashPredicate;
use crate::oracle::assertion;
use crate::report::json::TestOutcome;
use crate::testwriter::{self, Candidate, Form, Junit};

use super::Config;
use super::tests_of_levels::{Attempt, Recorded};

/// Time zones and languages to run tests in: not the recorded machine's, since the environment must come from the recording.
const PLACES: [[&str; 3]; 2] = [
    [
        "-Duser.timezone=UTC",
        "-Duser.language=en",
        "-Duser.country=US",
    ],
    [
        "-Duser.timezone=America/St_Johns",
        "-Duser.language=tr",
        "-Duser.country=TR",
    ],
];
/// Options for a quick start.
const QUICK: [&str; 2] = ["-Xshare:auto", "-XX:TieredStopAtLevel=1"];

/// Copies a directory of classes, so that the extension is complete by itself.
fn copy_classes(from: &Path, into: &Path) -> std::io::Result<()> {
    fs::create_dir_all(into)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let Some(name) = path.file_name() else {
            continue;
        };
        if path.is_dir() {
            copy_classes(&path, &into.join(name))?;
        } else {
            fs::copy(&path, into.join(name))?;
        }
    }
    Ok(())
}

/// Has the tests say that what the compiler warns of is meant: raw types stand where the recording has no type arguments, and what
/// is deprecated was called.
fn suppress_all(warnings: &[Warning]) {
    let mut by_file: BTreeMap<&Path, BTreeSet<&str>> = BTreeMap::new();
    for warning in warnings {
        let categories = by_file.entry(&warning.file).or_default();
        categories.insert(&warning.category);
    }
    for (file, categories) in by_file {
        // A test with warnings is still a test.
        if let Ok(source) = fs::read_to_string(file) {
            let _ = fs::write(file, testwriter::suppressing(&source, &categories));
        }
    }
}

/// Compiles the JUnit extension into the directory `into`, with all it needs but JUnit itself.
pub(super) fn extension(config: &Config, junit: Junit, into: &Path) -> Result<(), String> {
    let jars = maven::fetch(&coordinates(junit)).map_err(|e| e.to_string())?;
    let class_path: Vec<PathBuf> = jars.into_iter().chain([config.harness.clone()]).collect();
    let other = match junit {
        Junit::Four => Junit::Five,
        Junit::Five => Junit::Four,
    };
    let wanted = |file: &&PathBuf| {
        let stem = file.file_stem().unwrap_or_default();
        stem != other.extension()
    };
    let sources: Vec<PathBuf> = config
        .junit_sources
        .iter()
        .filter(wanted)
        .cloned()
        .collect();
    config
        .javac(&sources, &class_path, into)
        .map_err(|e| e.to_string())?;
    copy_classes(&config.harness, into).map_err(|e| format!("{}: {e}", into.display()))
}

/// Maven coordinates of what runs the tests.
fn coordinates(junit: Junit) -> Vec<&'static str> {
    let mut coordinates = vec![maven::JUNIT];
    if junit == Junit::Four {
        coordinates.extend(maven::JUNIT_4);
    }
    coordinates
}

/// May a test of this form be tried?
pub(super) fn uses(attempts: &[Attempt], form: Form) -> bool {
    attempts
        .iter()
        .any(|a| a.candidates.iter().any(|c| c.form == form))
}

/// What became of tests: outcome and, unless it reproduces, why; by the index of their level.
type Outcomes = BTreeMap<usize, (TestOutcome, String)>;

/// Where tests are compiled and run.
pub(super) struct Bench<'a> {
    config: &'a Config,
    class_path: Vec<PathBuf>,
    /// Several JVMs may run at a time.
    parallel: bool,
}

impl<'a> Bench<'a> {
    /// `classes` is the directory of the classes under test, `extension` that of the extension if a test needs it.
    pub(super) fn prepare(
        config: &'a Config,
        junit: Junit,
        attempts: &[Attempt],
        classes: &Path,
        extension: Option<&Path>,
        parallel: bool,
    ) -> Result<Self, String> {
        let mut coordinates = coordinates(junit);
        if uses(attempts, Form::Mockito) {
            coordinates.extend(maven::MOCKITO);
        }
        let jars = maven::fetch(&coordinates).map_err(|e| e.to_string())?;
        let mut class_path = vec![classes.to_path_buf()];
        class_path.extend(extension.map(Path::to_path_buf));
        class_path.extend(jars);
        Ok(Self {
            config,
            class_path,
            parallel,
        })
    }

    /// Compiles and runs every attempt's current candidate.
    pub(super) fn try_all(&self, attempts: &[Attempt], tests: &Path) -> Outcomes {
        let mut outcomes = BTreeMap::new();
        let mut left: Vec<&Attempt> = attempts.iter().filter(|a| a.current().is_some()).collect();
        let Ok(compiled) = tempfile::tempdir() else {
            let why = || (TestOutcome::NotRun, "no temporary directory".to_owned());
            return left.iter().map(|a| (a.index, why())).collect();
        };
        // Sources with errors go one round, the rest must then compile.
        while !left.is_empty() {
            let sources: Vec<PathBuf> = left
                .iter()
                .filter_map(|a| Some(tests.join(a.current()?.source_path())))
                .collect();
            match self
                .config
                .javac_linted(&sources, &self.class_path, compiled.path())
            {
                Ok(warnings) => {
                    suppress_all(&warnings);
                    break;
                }
                Err(error) => self.reject(&error, &mut left, tests, &mut outcomes),
            }
        }
        outcomes.extend(self.run_everywhere(&left, tests, compiled.path()));
        outcomes
    }

    /// Runs the tests; those in whose failing the environment has a say must fail the same way in another one, too.
    fn run_everywhere(&self, left: &[&Attempt], tests: &Path, compiled: &Path) -> Outcomes {
        let run = |which: &[&Attempt], place| self.run(which, tests, compiled, place);
        let elsewhere = |a: &&Attempt| a.current().is_some_and(|c| c.real_environment);
        let dependent: Vec<&Attempt> = left.iter().copied().filter(elsewhere).collect();
        let reproduces = |outcomes: &Outcomes, a: &Attempt| {
            matches!(outcomes.get(&a.index), Some((TestOutcome::Reproduces, _)))
        };
        let (mut outcomes, mut others) = if self.parallel {
            thread::scope(|scope| {
                let others = scope.spawn(|| run(&dependent, &PLACES[1]));
                let outcomes = run(left, &PLACES[0]);
                (outcomes, others.join().unwrap_or_default())
            })
        } else {
            let outcomes = run(left, &PLACES[0]);
            let mut again = dependent.clone();
            again.retain(|a| reproduces(&outcomes, a));
            let others = run(&again, &PLACES[1]);
            (outcomes, others)
        };
        for attempt in dependent {
            if reproduces(&outcomes, attempt)
                && let Some(other) = others.remove(&attempt.index)
            {
                outcomes.insert(attempt.index, other);
            }
        }
        outcomes
    }

    /// Takes out the attempts whose source the compiler complains about; all of them if it does not say which.
    fn reject(
        &self,
        error: &CompileError,
        left: &mut Vec<&Attempt>,
        tests: &Path,
        outcomes: &mut Outcomes,
    ) {
        let blamed = |a: &Attempt| -> Option<String> {
            let CompileError::Rejected { diagnostics, .. } = error else {
                return Some(error.to_string());
            };
            let source = tests.join(a.current()?.source_path());
            let mine = diagnostics.iter().find(|d| d.file == source);
            match mine {
                Some(diagnostic) => {
                    Some(format!("line {}: {}", diagnostic.line, diagnostic.message))
                }
                None => diagnostics.is_empty().then(|| error.to_string()),
            }
        };
        let before = left.len();
        left.retain(|a| match blamed(a) {
            Some(why) => {
                outcomes.insert(
                    a.index,
                    (
                        TestOutcome::DoesNotCompile,
                        format!("the test does not compile: {why}"),
                    ),
                );
                false
            }
            None => true,
        });
        if left.len() == before {
            // Complaints about something else, such as a class on the class path: nobody can go on.
            for a in left.drain(..) {
                outcomes.insert(a.index, (TestOutcome::DoesNotCompile, error.to_string()));
            }
        }
    }

    fn run(&self, left: &[&Attempt], tests: &Path, compiled: &Path, place: &[&str]) -> Outcomes {
        let mut outcomes = BTreeMap::new();
        if left.is_empty() {
            return outcomes;
        }
        // Compiled tests first, then the tests' own directory for the scripts beside the sources.
        let mut class_path = vec![compiled.to_path_buf(), tests.to_path_buf()];
        class_path.extend(self.class_path.iter().cloned());
        let names: Vec<String> = left
            .iter()
            .filter_map(|a| Some(a.current()?.binary_name()))
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let args: Vec<String> = place
            .iter()
            .chain(&QUICK)
            .map(|a| (*a).to_owned())
            .collect();
        let ran = junit::run(&self.config.jdk, &class_path, &names, &args);
        for attempt in left {
            let name = attempt
                .current()
                .map(Candidate::binary_name)
                .unwrap_or_default();
            let outcome = match &ran {
                Err(e) => (TestOutcome::NotRun, e.to_string()),
                Ok(all) => match all.iter().find(|t| t.class == name) {
                    None => (
                        TestOutcome::NotRun,
                        "the launcher did not run the test".into(),
                    ),
                    Some(test) => judge(&test.result, &attempt.failure),
                },
            };
            outcomes.insert(attempt.index, outcome);
        }
        outcomes
    }
}

/// Is this the recorded failure?
fn judge(result: &TestResult, recorded: &Recorded) -> (TestOutcome, String) {
    let TestResult::Failed(failure) = result else {
        return (TestOutcome::Passes, "the test passes".into());
    };
    let top = failure
        .frames
        .iter()
        .find(|f| !f.method.starts_with("jinsi$"));
    let same = match recorded {
        Recorded::Exception(predicate) => is_exception(failure, top, predicate),
        Recorded::Value(actual) => is_about(failure, actual.as_deref()),
        Recorded::Endless => failure
            .message
            .as_ref()
            .is_some_and(|m| m.contains("timed out")),
    };
    if same {
        return (TestOutcome::Reproduces, String::new());
    }
    let place = top.map_or_else(String::new, |f| {
        format!(" at {}.{}:{}", f.class, f.method, f.line)
    });
    let message = failure.message.as_deref().unwrap_or("no message");
    (
        TestOutcome::FailsOtherwise,
        format!(
            "the test fails with {} ({message}){place}",
            failure.exception
        ),
    )
}

/// Type, message and throwing place are compared, as in the replay.
fn is_exception(
    failure: &junit::Failure,
    top: Option<&junit::Frame>,
    predicate: &CrashPredicate,
) -> bool {
    // A test shows what `getMessage()` gives, the predicate is what is stored; a class of the program may put more around it.
    let shows = |stored: &String| failure.message.as_ref().is_some_and(|m| m.contains(stored));
    let same_message = predicate.message.as_ref().is_none_or(shows);
    let anywhere = predicate.at_class.is_empty();
    let same_place = anywhere
        || top.is_some_and(|f| {
            let line = predicate.at_line <= 0 || f.line <= 0 || f.line == predicate.at_line;
            f.class == predicate.at_class && f.method == predicate.at_method && line
        });
    failure.exception == predicate.class && same_message && same_place
}

/// Is it an assertion, and about a value that reads `actual`?
fn is_about(failure: &junit::Failure, actual: Option<&str>) -> bool {
    let text = failure.message.as_deref().unwrap_or_default();
    let same = actual.is_none_or(|actual| {
        let frames = failure.frames.iter();
        let frames = frames.map(|f| (f.class.as_str(), f.method.as_str()));
        assertion::is_about(text, frames, actual)
    });
    assertion::is_assertion(&failure.exception) && same
}
