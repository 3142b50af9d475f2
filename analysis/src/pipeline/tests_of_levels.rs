//! The written tests: each is compiled and run, and only one that fails as recorded counts (DESIGN D9).
//!
//! A level has several candidates, best form first. All levels' current candidates are compiled and run together; those that do not
//! reproduce the failure make way for their level's next one, until every level has its test or has none left.

use std::fs;
use std::path::{Path, PathBuf};

use jinsi_classfile::ClassFile;
use jinsi_trace::model::ClassOrigin;

use crate::level::CrashPredicate;
use crate::oracle::Oracle;
use crate::replay::session::{ClassKind, Numbered, SessionClass, placeholders, script_session};
use crate::report::json::{Report, TestOutcome};
use crate::search::levels::LevelResult;
use crate::testwriter::classes::ClassTable;
use crate::testwriter::{self, Candidate, Form, Junit, Request};

use super::adapters::WorkerReplayer;
use super::bench::{self, Bench};
use super::{Case, Config, PipelineError, Wanted, file_error, harmless};

/// Directory of the tests below the report's.
const TESTS: &str = "tests";
/// Directory of the observed classes' original bytes, against which the tests compile.
const CLASSES: &str = "classes";
/// Directory of the JUnit extension, with all it needs but JUnit itself.
const EXTENSION: &str = "lib/jinsi-junit";

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
    pub(super) index: usize,
    pub(super) candidates: Vec<Candidate>,
    script: Option<Vec<u8>>,
    next: usize,
    /// How it must fail.
    pub(super) failure: Recorded,
}

/// The recorded failure as a level has it.
#[derive(Clone)]
pub(super) enum Recorded {
    /// An exception.
    Exception(CrashPredicate),
    /// An assertion about a value that reads so, if that is known.
    Value(Option<String>),
    /// A time-out.
    Endless,
}

impl Attempt {
    pub(super) fn current(&self) -> Option<&Candidate> {
        self.candidates.get(self.next)
    }
}

/// Where the JUnit extension belongs in the report's directory.
pub(super) fn extension_in(out: &Path) -> PathBuf {
    out.join(EXTENSION)
}

/// Compiles and runs the tests of all levels; what became of each goes into `report`. `extension` is called if a test may need the JUnit
/// extension, and puts it where [`extension_in`] says.
pub(super) fn try_out(
    case: &Case<'_>,
    config: &Config,
    wanted: &Wanted,
    extension: impl FnOnce() -> Result<(), String>,
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
    let directory = extension_in(out);
    let mut bench = Ok(());
    if bench::uses(attempts, Form::Replay) {
        bench = extension();
    }
    let bench = bench.and_then(|()| {
        let extension = Some(directory.as_path()).filter(|d| d.is_dir());
        Bench::prepare(
            config,
            wanted.junit,
            attempts,
            &classes,
            extension,
            wanted.workers > 1,
        )
    });
    let bench = match bench {
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
            Some(bench) => bench.try_all(attempts, &tests),
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
    let message = case.message();
    let wrong = &case.crash.oracle;
    // A level that observes the test itself has the exception.
    let shows = wrong.interaction(&result.level).map(|i| i.node);
    let oracle = match wrong {
        Oracle::Value(value) if shows != Some(value.node) => &Oracle::Exception,
        other => other,
    };
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
        oracle,
        message: message.as_deref(),
        classes: table,
        class_name: &testwriter::class_name(&result.spec.joins, result.spec.level),
        level_no: (result.spec.level, of),
        junit,
    });
    let script = if written.candidates.iter().any(|c| c.form == Form::Replay) {
        let mut code = replayer.code(&result.level)?;
        if *oracle != Oracle::Exception {
            // The test asserts by itself.
            code.classes.retain(|c| {
                c.kind == ClassKind::Code || !is_of_the_bench(&c.name.replace('.', "/"))
            });
        }
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
        failure: match oracle {
            Oracle::Value(wrong) => Recorded::Value(wrong.actual().map(str::to_owned)),
            Oracle::Endless { .. } => Recorded::Endless,
            _ => Recorded::Exception(case.predicate().clone()),
        },
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
