//! The written tests: each is compiled and run, and only one that fails as recorded counts (DESIGN D9).
//!
//! A level has several candidates, best form first. All levels' current candidates are compiled and run together; those that do not
//! reproduce the failure make way for their level's next one, until every level has its test or has none left.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use jinsi_classfile::ClassFile;
use jinsi_trace::model::ClassOrigin;

use crate::jvm::compile::{CompileError, Warning};
use crate::jvm::junit::{self, TestResult};
use crate::jvm::maven;
use crate::level::CrashPredicate;
use crate::replay::session::{ClassKind, Numbered, SessionClass, placeholders, script_session};
use crate::report::json::{Report, TestOutcome};
use crate::search::levels::LevelResult;
use crate::testwriter::classes::ClassTable;
use crate::testwriter::{self, Candidate, Form, Junit, Request};

use super::adapters::WorkerReplayer;
use super::{Case, Config, PipelineError, file_error, harmless};

/// Directory of the tests below the report's.
const TESTS: &str = "tests";
/// Directory of the observed classes' original bytes, against which the tests compile.
const CLASSES: &str = "classes";
/// Directory of the JUnit extension, with all it needs but JUnit itself.
const EXTENSION: &str = "lib/jinsi-junit";

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

/// Sources of the report's tests, in the order of its levels; absent where there is none.
pub(super) fn sources(report: &Report, out: &Path) -> Vec<Option<String>> {
    let read = |file: &String| fs::read_to_string(out.join(file)).ok();
    report
        .levels
        .iter()
        .map(|l| l.test_file.as_ref().and_then(read))
        .collect()
}

/// A level's way through its candidates.
pub(super) struct Attempt {
    /// Index of the level in the report.
    index: usize,
    candidates: Vec<Candidate>,
    script: Option<Vec<u8>>,
    next: usize,
}

impl Attempt {
    fn current(&self) -> Option<&Candidate> {
        self.candidates.get(self.next)
    }
}

/// Compiles and runs the tests of all levels; what became of each goes into `report`.
pub(super) fn try_out(
    case: &Case<'_>,
    config: &Config,
    junit: Junit,
    attempts: &mut [Attempt],
    out: &Path,
    report: &mut Report,
) -> Result<(), PipelineError> {
    if attempts.is_empty() {
        return Ok(());
    }
    let tests = out.join(TESTS);
    if tests.exists() {
        fs::remove_dir_all(&tests).map_err(file_error(&tests))?;
    }
    let classes = out.join(CLASSES);
    write_classes(case, &classes)?;
    let bench = match Bench::prepare(config, junit, attempts, &classes, &out.join(EXTENSION)) {
        Ok(bench) => Some(bench),
        Err(why) => {
            report
                .levels
                .iter_mut()
                .for_each(|l| l.notes.push(format!("the test was not run: {why}")));
            None
        }
    };
    // A test that needs the environment replaced comes first in no level: see the order of `testwriter::write`.
    while attempts.iter().any(|a| a.current().is_some()) {
        for attempt in attempts.iter().filter(|a| a.current().is_some()) {
            save(attempt, &tests)?;
        }
        let outcomes = match &bench {
            Some(bench) => bench.try_all(attempts, &tests, case.predicate()),
            None => attempts
                .iter()
                .map(|a| (a.index, (TestOutcome::NotRun, String::new())))
                .collect(),
        };
        for attempt in attempts.iter_mut() {
            let Some(candidate) = attempt.current() else {
                continue;
            };
            let (outcome, why) = outcomes
                .get(&attempt.index)
                .cloned()
                .unwrap_or((TestOutcome::NotRun, String::new()));
            let level = &mut report.levels[attempt.index];
            let good = matches!(outcome, TestOutcome::Reproduces | TestOutcome::NotRun);
            let last = attempt.next + 1 == attempt.candidates.len();
            if good || last {
                level.test_file = Some(format!("{TESTS}/{}", candidate.source_path()));
                level.test_form = Some(candidate.form.name().into());
                level.test_outcome = Some(outcome);
                if !why.is_empty() {
                    level.notes.push(why);
                }
                attempt.next = attempt.candidates.len();
            } else {
                remove(candidate, &tests);
                attempt.next += 1;
            }
        }
    }
    Ok(())
}

/// The tests that a minimized level may have; none if nothing of it is left. `place`: its index in the report, how many levels
/// there are, and the JUnit that runs the tests.
pub(super) fn candidates(
    case: &Case<'_>,
    config: &Config,
    replayer: &WorkerReplayer<'_>,
    table: &ClassTable,
    result: &LevelResult,
    (index, of, junit): (usize, u32, Junit),
) -> Result<Option<Attempt>, PipelineError> {
    if result.kept.is_empty() {
        return Ok(None);
    }
    let throwable = case.run.trace.throwable(case.crash.throwable);
    let numbered = Numbered::new(&result.level);
    let answers: Vec<_> = result
        .used_answers
        .iter()
        .filter_map(|&no| numbered.get(no))
        .collect();
    let written = testwriter::write(&Request {
        level: &result.level,
        kept: &result.kept,
        answers: &answers,
        real_environment: harmless::may_run(
            &case.run.history,
            &config.natural,
            &case.run.recorded(),
            &result.level,
            &result.kept,
        ),
        predicate: case.predicate(),
        message: throwable.and_then(|t| t.text.as_deref()),
        classes: table,
        class_name: &testwriter::class_name(&result.spec.joins, result.spec.level),
        level_no: (result.spec.level, of),
        junit,
    });
    let script = if written.candidates.iter().any(|c| c.form == Form::Replay) {
        let code = replayer.code(&result.level)?;
        let (kept, used) = (&result.kept, &result.used_answers);
        Some(script_session(
            replayer.recording(),
            &code,
            &result.level,
            kept,
            used,
            case.predicate(),
        )?)
    } else {
        None
    };
    Ok((!written.candidates.is_empty()).then_some(Attempt {
        index,
        candidates: written.candidates,
        script,
        next: 0,
    }))
}

/// The recorded classes as they were loaded, and empty ones in place of those they name that were not, so that tests compile and run where
/// the library is not at hand.
fn write_classes(case: &Case<'_>, into: &Path) -> Result<(), PipelineError> {
    let mut classes = Vec::new();
    for class in case
        .run
        .trace
        .classes()
        .iter()
        .filter(|c| !c.bytes.is_empty())
        .filter(|c| c.origin != ClassOrigin::Skeleton || !is_of_the_bench(&c.name))
    {
        // The name in the file decides where it goes, so it must be one that stays below the directory.
        let named = ClassFile::parse(&class.bytes)
            .is_ok_and(|f| f.name().is_ok_and(|n| n == class.name.as_str()));
        if named && is_plain(&class.name) {
            let name = class.name.replace('/', ".");
            classes.push(SessionClass {
                name,
                kind: ClassKind::Code,
                bytes: class.bytes.to_vec(),
            });
        }
    }
    let missing = placeholders::of(&classes);
    let missing = missing.iter().filter(|c| {
        let internal = c.name.replace('.', "/");
        is_plain(&internal) && !is_of_the_bench(&internal)
    });
    for class in classes.iter().chain(missing) {
        write_file(
            &into.join(format!("{}.class", class.name.replace('.', "/"))),
            &class.bytes,
        )?;
    }
    Ok(())
}

/// Packages of what the tests are run with. A recorded test suite has them, too, but for the code.
const BENCH: [&str; 9] = [
    "junit/",
    "org/junit/",
    "org/opentest4j/",
    "org/apiguardian/",
    "org/hamcrest/",
    "org/mockito/",
    "net/bytebuddy/",
    "org/objenesis/",
    "jinsi/",
];

/// Would a class of this internal name, without code, stand in the way of one that the tests are run with?
fn is_of_the_bench(internal: &str) -> bool {
    BENCH.iter().any(|package| internal.starts_with(package))
}

/// Is this a path that stays below the directory it is joined to?
fn is_plain(internal: &str) -> bool {
    internal
        .split('/')
        .all(|part| !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', '\0']))
}

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), PipelineError> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(file_error(parent))?;
    }
    fs::write(path, bytes).map_err(file_error(path))
}

fn save(attempt: &Attempt, tests: &Path) -> Result<(), PipelineError> {
    let Some(candidate) = attempt.current() else {
        return Ok(());
    };
    write_file(
        &tests.join(candidate.source_path()),
        candidate.source.as_bytes(),
    )?;
    if let (Some(path), Some(script)) = (candidate.script_path(), &attempt.script) {
        write_file(&tests.join(path), script)?;
    }
    Ok(())
}

fn remove(candidate: &Candidate, tests: &Path) {
    // The next candidate may have another package; a file that stays would only confuse.
    let _ = fs::remove_file(tests.join(candidate.source_path()));
    if let Some(script) = candidate.script_path() {
        let _ = fs::remove_file(tests.join(script));
    }
}

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

/// Where tests are compiled and run.
struct Bench<'a> {
    config: &'a Config,
    class_path: Vec<PathBuf>,
}

impl<'a> Bench<'a> {
    fn prepare(
        config: &'a Config,
        junit: Junit,
        attempts: &[Attempt],
        classes: &Path,
        extension: &Path,
    ) -> Result<Self, String> {
        let uses = |form| {
            attempts
                .iter()
                .any(|a| a.candidates.iter().any(|c| c.form == form))
        };
        let mut coordinates = vec![maven::JUNIT];
        if junit == Junit::Four {
            coordinates.extend(maven::JUNIT_4);
        }
        if uses(Form::Mockito) {
            coordinates.extend(maven::MOCKITO);
        }
        let jars = maven::fetch(&coordinates).map_err(|e| e.to_string())?;
        let mut class_path = vec![classes.to_path_buf()];
        if uses(Form::Replay) {
            let mut path = jars.clone();
            path.push(config.harness.clone());
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
                .javac(&sources, &path, extension)
                .map_err(|e| e.to_string())?;
            copy_classes(&config.harness, extension)
                .map_err(|e| format!("{}: {e}", extension.display()))?;
            class_path.push(extension.to_path_buf());
        }
        class_path.extend(jars);
        Ok(Self { config, class_path })
    }

    /// Compiles and runs every attempt's current candidate; outcome and, unless it reproduces, why, by level index.
    fn try_all(
        &self,
        attempts: &[Attempt],
        tests: &Path,
        predicate: &CrashPredicate,
    ) -> BTreeMap<usize, (TestOutcome, String)> {
        let mut outcomes = BTreeMap::new();
        let mut left: Vec<&Attempt> = attempts.iter().filter(|a| a.current().is_some()).collect();
        let Ok(compiled) = tempfile::tempdir() else {
            return left
                .iter()
                .map(|a| {
                    (
                        a.index,
                        (TestOutcome::NotRun, "no temporary directory".into()),
                    )
                })
                .collect();
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
        if !left.is_empty() {
            self.run(
                &left,
                tests,
                compiled.path(),
                predicate,
                &PLACES[0],
                &mut outcomes,
            );
        }
        // What the environment has a say in must come out the same in another one.
        left.retain(|a| {
            let reproduced = matches!(outcomes.get(&a.index), Some((TestOutcome::Reproduces, _)));
            reproduced && a.current().is_some_and(|c| c.real_environment)
        });
        if !left.is_empty() {
            self.run(
                &left,
                tests,
                compiled.path(),
                predicate,
                &PLACES[1],
                &mut outcomes,
            );
        }
        outcomes
    }

    /// Takes out the attempts whose source the compiler complains about; all of them if it does not say which.
    fn reject(
        &self,
        error: &CompileError,
        left: &mut Vec<&Attempt>,
        tests: &Path,
        outcomes: &mut BTreeMap<usize, (TestOutcome, String)>,
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

    fn run(
        &self,
        left: &[&Attempt],
        tests: &Path,
        compiled: &Path,
        predicate: &CrashPredicate,
        place: &[&str],
        outcomes: &mut BTreeMap<usize, (TestOutcome, String)>,
    ) {
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
                    Some(test) => judge(&test.result, predicate),
                },
            };
            outcomes.insert(attempt.index, outcome);
        }
    }
}

/// Is this the recorded failure? Type, message and throwing place, as in the replay.
fn judge(result: &TestResult, predicate: &CrashPredicate) -> (TestOutcome, String) {
    let TestResult::Failed(failure) = result else {
        return (TestOutcome::Passes, "the test passes".into());
    };
    let top = failure
        .frames
        .iter()
        .find(|f| !f.method.starts_with("jinsi$"));
    // A test shows what `getMessage()` gives, the predicate is what is stored; a class of the program may put more around it.
    let shows = |stored: &String| failure.message.as_ref().is_some_and(|m| m.contains(stored));
    let same_message = predicate.message.as_ref().is_none_or(shows);
    let anywhere = predicate.at_class.is_empty();
    let same_place = anywhere
        || top.is_some_and(|f| {
            let line = predicate.at_line <= 0 || f.line <= 0 || f.line == predicate.at_line;
            f.class == predicate.at_class && f.method == predicate.at_method && line
        });
    if failure.exception == predicate.class && same_message && same_place {
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
