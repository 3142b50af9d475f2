//! The written tests: each is compiled and run, and only one that fails as recorded counts.
//!
//! A level has several candidates, best form first. One that does not reproduce the failure makes way for the next, until the level has
//! its test or has none left.

use std::fs;
use std::path::Path;
use std::sync::mpsc::Sender;

use jinsi_classfile::ClassFile;
use jinsi_trace::model::ClassOrigin;

use crate::minimized::{Reproduction, WrittenTest};
use crate::report::json::Report;
use jinsi_files::private;
use jinsi_level::Engine;
use jinsi_oracle::{FoundBy, Instead, Oracle};
use jinsi_replay::session::{ClassKind, Numbered, SessionClass, placeholders, script_session};
use jinsi_search::levels::LevelResult;
use jinsi_testwriter::classes::ClassTable;
use jinsi_testwriter::{Candidate, Dialect, Form, Request, Written};

use super::adapters::WorkerReplayer;
use super::kept::is_plain;
use super::reproduced::ExpectedFailure;
use super::test_runner::{Directories, Program, RunnerError, TestRunner};
use super::{Case, Config, PipelineError, Run, Wanted, file_error, harmless};

/// Directory of the tests below the report's.
const TESTS: &str = "tests";
/// The release of Java that has `var`.
const VAR: u32 = 10;
/// Directory of the observed classes' original bytes, against which the tests compile.
const CLASSES: &str = "classes";
/// Directory of the JUnit extension, with all it needs but JUnit itself.
const EXTENSION: &str = "lib/jinsi-junit";

/// Sources of the report's tests, in the order of its levels, behind them of the links of its chain; absent where there is none.
pub(super) fn sources(report: &Report, out: &Path) -> Vec<Option<String>> {
    let read = |file: &String| fs::read_to_string(out.join(file)).ok();
    let links = report.chain.iter().map(|link| &link.level);
    let levels = report.levels.iter().chain(links);
    levels
        .map(|l| l.test_file.as_ref().and_then(read))
        .collect()
}

/// Why a level has no test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoTest {
    #[error("no test: no recorded call is left")]
    NothingLeft,
    #[error("no test {with}: {why}")]
    Inexpressible { with: &'static str, why: String },
    #[error("no test in plain Java: it would need the recording")]
    NotPlain,
}

/// What a test of this form is written with.
fn with(form: Form) -> &'static str {
    match form {
        Form::Plain => "in plain Java",
        Form::Mockito => "with Mockito",
        Form::Replay => "with the recording",
    }
}

/// What a test is written for.
pub(super) struct Subject<'a> {
    /// Index of the level in the report; that of a link of the chain is counted behind the levels.
    pub(super) index: usize,
    pub(super) class_name: String,
    /// Only a test of this form is wanted.
    pub(super) form: Option<Form>,
    pub(super) dialect: Dialect,
    pub(super) oracle: &'a Oracle,
    /// The failure for people.
    pub(super) message: Option<String>,
}

/// The tests that a level may have.
pub(super) struct Attempt {
    /// Index of the level in the report.
    index: usize,
    /// Best form first.
    preferred: Vec<Candidate>,
    /// The one that is taken if none of the others reproduces the failure.
    last: Candidate,
    script: Option<Vec<u8>>,
    /// What ran the level.
    engine: Engine,
    /// Where to say whether a test fails as recorded, if somebody waits for that.
    reply: Option<Sender<Reply>>,
    /// How it must fail.
    failure: ExpectedFailure,
}

impl Attempt {
    /// The same; of a level that was run for real, `reply` gets what became of it.
    pub(super) fn answering(self, reply: Option<&Sender<Reply>>) -> Self {
        let reply = reply.filter(|_| self.engine == Engine::Direct).cloned();
        Self { reply, ..self }
    }

    /// Is one of its tests run with the program's own classes?
    fn has_real_classes(&self) -> bool {
        let mut all = self.preferred.iter().chain([&self.last]);
        self.engine == Engine::Direct || all.any(|c| c.form == Form::Mockito)
    }
}

/// Index of a level, and why no test of it fails as recorded, if none does.
pub(super) type Reply = (usize, Option<String>);

/// What became of a level's tests: which one is the level's.
pub(super) struct Tried {
    /// Index of the level in the report.
    pub(super) index: usize,
    pub(super) test: WrittenTest,
}

impl Tried {
    /// Is the level's test one that needs the JUnit extension?
    pub(super) fn needs_extension(&self) -> bool {
        self.test.form == Form::Replay
    }
}

/// Tries the tests of one level after the other.
pub(super) struct Trial<'a> {
    case: &'a Case<'a>,
    config: &'a Config,
    directories: &'a Directories,
    /// Why tests cannot be run, if they cannot.
    bench: Result<TestRunner<'a>, RunnerError>,
    /// The program's classes, once there was a test that needs them.
    program: Option<Program>,
    /// The classes under test are where they belong, and what was there of other tests is gone.
    begun: bool,
    /// The tests that fail as recorded, so far.
    settled: Vec<Settled>,
}

/// A level that has a test which fails as recorded.
struct Settled {
    attempt: Attempt,
    /// Which of the preferred candidates it is; the last one, if none of them.
    no: Option<usize>,
}

impl Settled {
    fn candidate(&self) -> &Candidate {
        self.no
            .map_or(&self.attempt.last, |no| &self.attempt.preferred[no])
    }
}

impl<'a> Trial<'a> {
    pub(super) fn new(
        case: &'a Case<'a>,
        config: &'a Config,
        wanted: &Wanted,
        directories: &'a Directories,
    ) -> Self {
        let program = case.run.class_path();
        let places = (directories, program.as_slice());
        Self {
            case,
            config,
            directories,
            bench: TestRunner::new(config, wanted.dialect, places, wanted.workers > 1),
            program: None,
            begun: false,
            settled: Vec::new(),
        }
    }

    /// Does what can be done before there is a test.
    pub(super) fn prepare(&mut self) {
        if let Ok(bench) = &mut self.bench {
            bench.prepare();
        }
    }

    /// Tries a level's candidates, until one reproduces the failure; if none does, the last one is the level's test. Tests of earlier levels
    /// that would have this one fail otherwise are replaced; they come behind it.
    pub(super) fn of_level(&mut self, mut attempt: Attempt) -> Result<Vec<Tried>, PipelineError> {
        if !self.begun {
            self.begin()?;
            self.begun = true;
        }
        // Of what is replayed, too: what is stood in for, and the annotations on it, need their own classes.
        if attempt.has_real_classes() && self.program.is_none() {
            self.program = self.program()?;
        }
        let (tried, no) = self.best_of(&attempt, 0)?;
        // Whoever waits for replies waits until nobody can give any.
        if let Some(reply) = attempt.reply.take() {
            let test = &tried.test;
            let good = matches!(
                test.outcome,
                Reproduction::Reproduces | Reproduction::NotRun
            );
            // Whoever does not wait any more does not want to know.
            let _ = reply.send((attempt.index, (!good).then(|| test.why.clone())));
        }
        let mut all = vec![tried];
        if all[0].test.outcome == Reproduction::Reproduces {
            all.extend(self.settle(Settled { attempt, no })?);
        }
        Ok(all)
    }

    /// The first candidate, from this one on, that reproduces the failure and does not disturb the tests of earlier levels.
    fn best_of(
        &mut self,
        attempt: &Attempt,
        from: usize,
    ) -> Result<(Tried, Option<usize>), PipelineError> {
        for (no, candidate) in attempt.preferred.iter().enumerate().skip(from) {
            let tried = self.of(candidate, attempt)?;
            let good = match tried.test.outcome {
                Reproduction::Reproduces => !self.disturbs(candidate),
                outcome => outcome == Reproduction::NotRun,
            };
            if good {
                return Ok((tried, Some(no)));
            }
            remove(candidate, &self.directories.tests);
        }
        Ok((self.of(&attempt.last, attempt)?, None))
    }

    /// Would one of the settled tests fail otherwise behind this one? People run all of a project's tests in one JVM.
    fn disturbs(&mut self, candidate: &Candidate) -> bool {
        let Ok(bench) = &mut self.bench else {
            return false;
        };
        let program = self.program.as_ref();
        candidate.stubs_statics
            && self.settled.iter().any(|other| {
                let (real, failure) = (other.candidate(), &other.attempt.failure);
                other.attempt.engine == Engine::Direct
                    && !bench.fails_behind(candidate, real, program, failure)
            })
    }

    /// Keeps a test that fails as recorded. Those that it would not fail as recorded behind are tried anew.
    fn settle(&mut self, settled: Settled) -> Result<Vec<Tried>, PipelineError> {
        let mut replaced = Vec::new();
        for earlier in std::mem::take(&mut self.settled) {
            if self.still_fails(&settled, &earlier) {
                self.settled.push(earlier);
                continue;
            }
            remove(earlier.candidate(), &self.directories.tests);
            let attempt = earlier.attempt;
            let next = earlier.no.map_or(usize::MAX, |no| no + 1);
            let (tried, no) = self.best_of(&attempt, next)?;
            if tried.test.outcome == Reproduction::Reproduces {
                self.settled.push(Settled { attempt, no });
            }
            replaced.push(tried);
        }
        self.settled.push(settled);
        Ok(replaced)
    }

    /// Does `later`, if it runs for real, fail as recorded behind `earlier`?
    fn still_fails(&mut self, later: &Settled, earlier: &Settled) -> bool {
        let first = earlier.candidate();
        let real = later.attempt.engine == Engine::Direct;
        let (program, failure) = (self.program.as_ref(), &later.attempt.failure);
        match &mut self.bench {
            Ok(bench) if real && first.stubs_statics && earlier.no.is_some() => {
                bench.fails_behind(first, later.candidate(), program, failure)
            }
            _ => true,
        }
    }

    fn of(&mut self, candidate: &Candidate, attempt: &Attempt) -> Result<Tried, PipelineError> {
        let script = attempt.script.as_deref();
        save(candidate, script, &self.directories.tests)?;
        let (outcome, why) = match &mut self.bench {
            Ok(bench) => {
                // What is stood in for has its own class there, too, and what is not stood in for its code.
                let real = attempt.engine == Engine::Direct || candidate.form == Form::Mockito;
                let program = self.program.as_ref().filter(|_| real);
                bench.try_out(candidate, program, &attempt.failure)
            }
            Err(why) => (Reproduction::NotRun, format!("the test was not run: {why}")),
        };
        Ok(Tried {
            index: attempt.index,
            test: WrittenTest {
                file: format!("{TESTS}/{}", candidate.source_path()),
                form: candidate.form,
                outcome,
                why,
                measure: candidate.measure,
                runs_with: candidate.runs_with.clone(),
                promise: candidate.promise,
                stands_in_for: candidate.stands_in_for.clone(),
                by_chance: candidate.by_chance,
            },
        })
    }

    /// Has the recorded classes where tests find them before all others.
    fn program(&self) -> Result<Option<Program>, PipelineError> {
        let Ok(bench) = &self.bench else {
            return Ok(None);
        };
        let recorded = bench.directory().join(CLASSES);
        let with_code = |origin| origin != ClassOrigin::Skeleton;
        for class in classes_of(self.case, Engine::Direct, with_code) {
            write_class(&recorded, &class)?;
        }
        Ok(Some(Program {
            recorded,
            class_path: self.case.run.class_path(),
            has_all: self.case.run.has_all_classes(),
            jvm_options: self.case.run.jvm_options(&self.config.jdk),
        }))
    }

    fn begin(&self) -> Result<(), PipelineError> {
        let tests = &self.directories.tests;
        empty(tests).map_err(file_error(tests))?;
        write_classes(self.case, &self.directories.classes)
    }
}

/// Removes all that is in a directory, which may be missing. The directory stays: what may be read is settled by directories that are there.
fn empty(directory: &Path) -> std::io::Result<()> {
    let entries = match fs::read_dir(directory) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}

/// Where tests of a run, and what they need, belong in the report's directory.
pub(super) fn directories(run: &Run, out: &Path) -> Directories {
    Directories {
        visible: run.visible_files(),
        classes: out.join(CLASSES),
        extension: out.join(EXTENSION),
        tests: out.join(TESTS),
    }
}

/// The tests that a minimized level may have, or why there is none.
pub(super) fn candidates(
    case: &Case<'_>,
    config: &Config,
    replayer: &WorkerReplayer<'_>,
    table: &ClassTable,
    result: &LevelResult,
    subject: &Subject<'_>,
) -> Result<Result<Attempt, NoTest>, PipelineError> {
    if result.kept.is_empty() {
        return Ok(Err(NoTest::NothingLeft));
    }
    let oracle = asserted(result, subject.oracle);
    let mut written = written(case, config, table, result, subject, oracle);
    let replays = written.candidates.iter().any(|c| c.form == Form::Replay);
    let script = match replays {
        true => Some(script(case, replayer, result, oracle)?),
        false => None,
    };
    let Some(last) = written.candidates.pop() else {
        return Ok(Err(why_none(written, subject.form)));
    };
    Ok(Ok(Attempt {
        index: subject.index,
        preferred: written.candidates,
        last,
        script,
        engine: result.level.engine,
        reply: None,
        failure: expected_failure(case, result, oracle),
    }))
}

/// What the level's test asserts: a level that observes the test itself has the exception.
fn asserted<'a>(result: &LevelResult, wrong: &'a Oracle) -> &'a Oracle {
    let shows = wrong.interaction(&result.level).map(|i| i.node);
    match wrong {
        Oracle::Value(value) if shows != Some(value.node) => &Oracle::Exception,
        other => other,
    }
}

/// The level's test, written in each form that it can have.
fn written(
    case: &Case<'_>,
    config: &Config,
    table: &ClassTable,
    result: &LevelResult,
    subject: &Subject<'_>,
    oracle: &Oracle,
) -> Written {
    let numbered = Numbered::new(&result.level);
    let used = result.used_answers.iter();
    let answers: Vec<_> = used.filter_map(|&no| numbered.get(no)).collect();
    let mut written = jinsi_testwriter::write(&Request {
        level: &result.level,
        kept: &result.kept,
        answers: &answers,
        real_environment: may_run_for_real(case, config, result),
        predicate: case.predicate(),
        oracle,
        wanted: wanted(case, result, oracle).map(|w| &w.exception),
        message: subject.message.as_deref(),
        classes: table,
        class_name: &subject.class_name,
        by_test: result.spec.by_test,
        dialect: subject.dialect,
        infers_types: case.run.release() >= VAR,
    });
    if result.level.engine == Engine::Direct {
        // What was run for real is written as such, or not at all.
        written.candidates.retain(|c| c.form == Form::Plain);
    }
    let wanted = |form: Form| subject.form.is_none_or(|wanted| wanted == form);
    written.candidates.retain(|c| wanted(c.form));
    written
}

/// Why a level has no test: what is in the way of one of the form that is asked for, else of one in plain Java.
fn why_none(written: Written, asked: Option<Form>) -> NoTest {
    let asked = asked.unwrap_or(Form::Plain);
    let mut refused = written.refused.into_iter();
    match refused.find(|(form, _)| *form == asked) {
        Some((form, why)) => NoTest::Inexpressible {
            with: with(form),
            why,
        },
        None => NoTest::NotPlain,
    }
}

/// May what is left of the level run with its environment, as nothing that it asks does harm?
fn may_run_for_real(case: &Case<'_>, config: &Config, result: &LevelResult) -> bool {
    result.level.engine == Engine::Direct
        || harmless::may_run(
            &case.run.history,
            &config.natural,
            &case.run.recorded(),
            &result.level,
            &result.kept,
        )
}

/// The session of the level's tests in the replay form.
fn script(
    case: &Case<'_>,
    replayer: &WorkerReplayer<'_>,
    result: &LevelResult,
    oracle: &Oracle,
) -> Result<Vec<u8>, PipelineError> {
    let mut code = replayer.code(&result.level)?;
    if *oracle != Oracle::Exception {
        // The test asserts by itself.
        code.classes
            .retain(|c| c.kind == ClassKind::Code || !is_of_the_bench(&c.name.replace('.', "/")));
    }
    let recording = replayer.recording();
    let (kept, used) = (&result.kept, &result.used_answers);
    let session = script_session(
        recording,
        &code,
        &result.level,
        kept,
        used,
        case.predicate(),
    );
    Ok(session?)
}

/// The exception that the level's test has to demand in place of the recorded one. Code that demands it is on no level of its own.
fn wanted<'a>(case: &'a Case<'_>, result: &LevelResult, oracle: &Oracle) -> Option<&'a Instead> {
    let wanted = case.crash.wanted.as_ref();
    wanted
        .filter(|wanted| *oracle == Oracle::Exception && !result.spec.observed.contains(&wanted.by))
}

/// How a test has to fail.
fn expected_failure(case: &Case<'_>, result: &LevelResult, oracle: &Oracle) -> ExpectedFailure {
    match oracle {
        Oracle::Value(wrong) if wrong.found == FoundBy::Used => {
            ExpectedFailure::InTest(case.predicate().class.clone())
        }
        Oracle::Value(wrong) => ExpectedFailure::Value(wrong.actual().map(str::to_owned)),
        Oracle::Assertion(failed) => ExpectedFailure::Value(failed.assertion.actual.clone()),
        Oracle::State(_) | Oracle::Output(_) => ExpectedFailure::Value(None),
        Oracle::Predicate(wrong) => ExpectedFailure::Predicate(wrong.predicate.directory.clone()),
        Oracle::Exit { status, .. } => ExpectedFailure::Value(Some(status.to_string())),
        Oracle::Endless { .. } => ExpectedFailure::Endless,
        Oracle::Exception if let Some(wanted) = wanted(case, result, oracle) => {
            let predicate = case.predicate().clone();
            match wanted.exception.further.is_empty() {
                true => ExpectedFailure::Instead(predicate),
                false => ExpectedFailure::OfException(predicate),
            }
        }
        Oracle::Exception => ExpectedFailure::Exception(case.predicate().clone()),
    }
}

/// The recorded classes as they were loaded, and empty ones in place of those they name that were not, so that tests compile and run where
/// the library is not at hand.
fn write_classes(case: &Case<'_>, into: &Path) -> Result<(), PipelineError> {
    let classes = classes_of(case, Engine::Replay, |_| true);
    let missing = placeholders::missing(case.run.trace.throwables());
    let missing = placeholders::of(&classes, &missing);
    let missing = missing.iter().filter(|c| {
        let internal = c.name.replace('.', "/");
        is_plain(&internal) && !is_of_the_bench(&internal)
    });
    let mut all = classes.iter().chain(missing);
    all.try_for_each(|class| {
        // Skeletons have to be loaded: stand-ins are of them.
        let loadable = jinsi_classfile::skeleton::loadable(&class.bytes);
        let class = SessionClass {
            bytes: loadable.unwrap_or_else(|_| class.bytes.clone()),
            ..class.clone()
        };
        write_class(into, &class)
    })
}

/// The classes of the trace whose origin is wanted, as an engine runs them, but for those without code that tests are run with.
fn classes_of(
    case: &Case<'_>,
    engine: Engine,
    wanted: impl Fn(ClassOrigin) -> bool,
) -> Vec<SessionClass> {
    let originals = case.run.originals().of(engine);
    let classes = case.run.trace.classes().iter();
    let classes = classes
        .filter(|c| !c.bytes.is_empty() && wanted(c.origin))
        .filter(|c| c.origin != ClassOrigin::Skeleton || !is_of_the_bench(&c.name));
    // The name in the file decides where it goes, so it must be one that stays below the directory.
    let named = classes.filter(|class| {
        is_plain(&class.name)
            && ClassFile::parse(&class.bytes)
                .is_ok_and(|f| f.name().is_ok_and(|n| n == class.name.as_str()))
    });
    let of_session = named.map(|class| SessionClass {
        name: class.name.replace('/', "."),
        kind: ClassKind::Code,
        bytes: originals.get(&class.name).unwrap_or(&class.bytes).to_vec(),
    });
    of_session.collect()
}

fn write_class(into: &Path, class: &SessionClass) -> Result<(), PipelineError> {
    let path = into.join(format!("{}.class", class.name.replace('.', "/")));
    write_file(&path, &class.bytes)
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

fn write_file(path: &Path, bytes: &[u8]) -> Result<(), PipelineError> {
    if let Some(parent) = path.parent() {
        private::create_dir_all(parent).map_err(file_error(parent))?;
    }
    private::write(path, bytes).map_err(file_error(path))
}

fn save(candidate: &Candidate, script: Option<&[u8]>, tests: &Path) -> Result<(), PipelineError> {
    let source = tests.join(candidate.source_path());
    write_file(&source, candidate.source.as_bytes())?;
    if let (Some(path), Some(script)) = (candidate.script_path(), script) {
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
