//! Where the written tests are compiled and run, one after the other, in JVMs that stay for the next one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use crate::minimized::Reproduction;
use jinsi_files::{private, temporary};
use jinsi_jdk::Jdk;
use jinsi_jdk::compile::{CompileError, Warning, copy_directory};
use jinsi_jdk::junit::{self, TestResult};
use jinsi_jdk::server::{ServerError, Setting, TestServer};
use jinsi_jdk::{maven, surefire};
use jinsi_level::CrashPredicate;
use jinsi_level::program::is_the_programs;
use jinsi_oracle::assertion;
use jinsi_testwriter::{Candidate, Form, Junit};

use super::Config;

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
/// Options for a quick start, and short lives.
const QUICK: [&str; 3] = [
    "-Xshare:auto",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
];
/// Exceptions after which a JVM had better not be given another test: classes of its own may have failed to load.
const FATAL: [&str; 3] = [
    "java.lang.StackOverflowError",
    "java.lang.OutOfMemoryError",
    "java.lang.InternalError",
];

/// Has a test say that what the compiler warns of is meant: raw types stand where the recording has no type arguments, and what
/// is deprecated was called.
fn suppress_all(warnings: &[Warning], file: &Path) {
    let about = warnings.iter().filter(|w| w.file == file);
    let categories: BTreeSet<&str> = about.map(|w| w.category.as_str()).collect();
    if categories.is_empty() {
        return;
    }
    // A test with warnings is still a test.
    if let Ok(source) = fs::read_to_string(file) {
        let _ = private::write(file, jinsi_testwriter::suppressing(&source, &categories));
    }
}

/// What every JVM may read, with all below it. The directories of the tests are made: a rule is about a directory that is there.
fn readable(
    config: &Config,
    directories: &Directories,
    compiled: &Path,
) -> Result<BTreeSet<PathBuf>, String> {
    let of_tests = [
        &directories.tests,
        &directories.classes,
        &directories.extension,
    ];
    for directory in of_tests {
        private::create_dir_all(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    }
    let sources = config.junit_sources.iter();
    let mut all: BTreeSet<PathBuf> = sources.cloned().collect();
    all.extend(of_tests.into_iter().cloned());
    all.extend([compiled.to_owned(), config.harness.clone()]);
    // The source of a test is named in full.
    all.extend(std::path::absolute(&directories.tests).ok());
    Ok(all)
}

/// Is this what gives Mockito the JVM's `Instrumentation`?
fn is_mockitos_agent(jar: &Path) -> bool {
    let name = jar.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("byte-buddy-agent-") && name.ends_with(".jar"))
}

/// Maven coordinates of what runs the tests.
fn coordinates(junit: Junit) -> Vec<&'static str> {
    let mut coordinates = vec![maven::JUNIT];
    if junit == Junit::Four {
        coordinates.extend(maven::JUNIT_4);
    }
    coordinates
}

/// A JVM that is started when it is needed, and again after it was lost.
struct OnDemand<'a> {
    jdk: &'a Jdk,
    config: &'a Config,
    class_path: Vec<PathBuf>,
    options: Vec<&'static str>,
    /// What the JVM may read.
    readable: BTreeSet<PathBuf>,
    server: Option<TestServer>,
}

impl<'a> OnDemand<'a> {
    fn new(
        jdk: &'a Jdk,
        config: &'a Config,
        jars: &[PathBuf],
        place: &[&'static str],
        readable: &BTreeSet<PathBuf>,
    ) -> Self {
        Self {
            jdk,
            config,
            class_path: jars.to_vec(),
            options: place.iter().chain(&QUICK).copied().collect(),
            readable: readable.clone(),
            server: None,
        }
    }

    /// The JVM, which may read all of these. What it may read is settled when it starts, so there may have to be another one.
    fn server(&mut self, needed: &[PathBuf]) -> Result<&mut TestServer, ServerError> {
        let within = |path: &PathBuf| path.ancestors().any(|up| self.readable.contains(up));
        let further: Vec<PathBuf> = needed.iter().filter(|p| !within(p)).cloned().collect();
        if !further.is_empty() {
            self.readable.extend(further);
            self.server = None;
        }
        let server = match self.server.take() {
            Some(server) => server,
            None => self.start()?,
        };
        Ok(self.server.insert(server))
    }

    fn start(&self) -> Result<TestServer, ServerError> {
        let mut options: Vec<String> = self.options.iter().map(ToString::to_string).collect();
        // Mockito would have another process attach its agent, and may start none.
        let agent = self.readable.iter().find(|jar| is_mockitos_agent(jar));
        options.extend(agent.map(|jar| format!("-javaagent:{}", jar.display())));
        let read: Vec<PathBuf> = self.readable.iter().cloned().collect();
        TestServer::start(&Setting {
            jdk: self.jdk,
            classes: &self.config.test_server,
            class_path: &self.class_path,
            jvm_args: &options,
            walls: self.config.walls,
            read: &read,
        })
    }

    fn javac(&mut self, job: &Compilation<'_>) -> Result<Vec<Warning>, CompileError> {
        let release = self.config.release();
        let needed = [job.sources, job.class_path].concat();
        let server = self.server(&needed)?;
        let done = server.javac(job.lint, release, job.sources, job.class_path, job.out);
        if matches!(done, Err(CompileError::Server(_))) {
            self.server = None;
        }
        done
    }

    /// Runs a test, and compares its end with the recorded failure.
    fn test(&mut self, test: &Compiled, recorded: &ExpectedFailure) -> Outcome {
        let name = test.name.as_str();
        let needed = [&*test.libraries, &*test.class_path].concat();
        let ran = match self.server(&needed) {
            Ok(server) => server.junit(&test.libraries, &test.class_path, &[name]),
            Err(error) => Err(error.into()),
        };
        let all = match ran {
            Ok(all) => all,
            Err(error) => {
                self.server = None;
                return (Reproduction::NotRun, error.to_string());
            }
        };
        let Some(found) = all.iter().find(|t| t.class == name) else {
            let why = "the launcher did not run the test".to_owned();
            return (Reproduction::NotRun, why);
        };
        let fatal = match &found.result {
            // What timed out goes on, on a thread that nobody can stop.
            TestResult::Failed(_) if matches!(recorded, ExpectedFailure::Endless) => true,
            TestResult::Failed(failure) => FATAL.contains(&failure.exception.as_str()),
            _ => false,
        };
        if fatal {
            self.server = None;
        }
        judge(&found.result, recorded, name, self.jdk.version().feature)
    }
}

/// What is to be compiled.
struct Compilation<'a> {
    lint: bool,
    sources: &'a [PathBuf],
    class_path: &'a [PathBuf],
    out: &'a Path,
}

/// A compiled test.
struct Compiled {
    /// Binary name.
    name: String,
    /// What is loaded once.
    libraries: Vec<PathBuf>,
    /// What is loaded anew: it, and what it is about.
    class_path: Vec<PathBuf>,
    /// Where its class files are, as long as this is there.
    _directory: tempfile::TempDir,
}

/// The recorded failure as a level has it.
#[derive(Clone)]
pub(super) enum ExpectedFailure {
    /// An exception.
    Exception(CrashPredicate),
    /// An exception, or an assertion that another one should have come in its place.
    Instead(CrashPredicate),
    /// An assertion about a value that reads so, if that is known.
    Value(Option<String>),
    /// An assertion, or an exception of this class out of the test's own code.
    InTest(String),
    /// An assertion that asks a predicate, whose class is in this directory.
    Predicate(PathBuf),
    /// A time-out.
    Endless,
}

/// What became of a test; and, unless it reproduces, why.
pub(super) type Outcome = (Reproduction, String);

/// The directories that tests are about.
pub(super) struct Directories {
    /// The classes under test.
    pub(super) classes: PathBuf,
    /// The JUnit extension, once it was needed or [`Bench::prepare`] was called.
    pub(super) extension: PathBuf,
    /// The sources of the tests, and what stands beside them.
    pub(super) tests: PathBuf,
}

/// The program's own classes.
pub(super) struct Program {
    /// Directory of the recorded ones.
    pub(super) recorded: PathBuf,
    /// Jars and directories of its class path.
    pub(super) class_path: Vec<PathBuf>,
}

/// Where tests are compiled and run.
pub(super) struct Bench<'a> {
    config: &'a Config,
    junit: Junit,
    directories: &'a Directories,
    /// JUnit.
    jars: Vec<PathBuf>,
    mockito: Option<Result<Vec<PathBuf>, String>>,
    extension: Option<Result<(), String>>,
    /// Where compiled tests are.
    compiled: temporary::Directory,
    /// Runs tests, and compiles them if its Java can.
    here: OnDemand<'a>,
    /// Runs tests in another environment.
    elsewhere: OnDemand<'a>,
    /// Compiles if the Java that runs the tests cannot.
    compiler: Option<OnDemand<'a>>,
    /// Several JVMs may run at a time.
    parallel: bool,
}

impl<'a> Bench<'a> {
    /// Nothing is started yet.
    ///
    /// # Errors
    /// JUnit is not to be had, or a directory cannot be made.
    pub(super) fn new(
        config: &'a Config,
        junit: Junit,
        directories: &'a Directories,
        parallel: bool,
    ) -> Result<Self, String> {
        let jars = maven::fetch(&coordinates(junit)).map_err(|e| e.to_string())?;
        let (jdk, compiler) = (&config.jdk, &config.compiler);
        let compiled = temporary::directory().map_err(|e| e.to_string())?;
        let readable = readable(config, directories, compiled.path())?;
        let with = |jdk, place| OnDemand::new(jdk, config, &jars, place, &readable);
        Ok(Self {
            config,
            junit,
            directories,
            mockito: None,
            extension: None,
            here: with(jdk, &PLACES[0]),
            elsewhere: with(jdk, &PLACES[1]),
            compiler: (jdk != compiler).then(|| with(compiler, &PLACES[0])),
            parallel,
            compiled,
            jars,
        })
    }

    /// A directory that tests may be given classes in; it goes with the bench.
    pub(super) fn directory(&self) -> &Path {
        self.compiled.path()
    }

    /// Compiles the JUnit extension before it is needed. It warms the compiler, too.
    pub(super) fn prepare(&mut self) {
        let _ = self.extension();
    }

    /// Compiles and runs the candidate, whose source has been written. With `program`, it meets the classes that the program had.
    pub(super) fn try_out(
        &mut self,
        candidate: &Candidate,
        program: Option<&Program>,
        recorded: &ExpectedFailure,
    ) -> Outcome {
        let test = match self.compile(candidate, program, recorded) {
            Ok(test) => test,
            Err(outcome) => return outcome,
        };
        let (here, elsewhere) = (&mut self.here, &mut self.elsewhere);
        // The environment has a say in its failing: it must fail the same way in another one, too.
        if !candidate.real_environment {
            return here.test(&test, recorded);
        }
        let reproduces = |outcome: &Outcome| outcome.0 == Reproduction::Reproduces;
        if self.parallel {
            return thread::scope(|scope| {
                let other = scope.spawn(|| elsewhere.test(&test, recorded));
                let outcome = here.test(&test, recorded);
                match other.join() {
                    Ok(other) if reproduces(&outcome) => other,
                    _ => outcome,
                }
            });
        }
        let outcome = here.test(&test, recorded);
        match reproduces(&outcome) {
            true => elsewhere.test(&test, recorded),
            false => outcome,
        }
    }

    fn compile(
        &mut self,
        candidate: &Candidate,
        program: Option<&Program>,
        recorded: &ExpectedFailure,
    ) -> Result<Compiled, Outcome> {
        let not_run = |why: String| (Reproduction::NotRun, format!("the test was not run: {why}"));
        let directories = self.directories;
        let directory = tempfile::tempdir_in(self.compiled.path());
        let directory = directory.map_err(|e| not_run(e.to_string()))?;
        if candidate.form == Form::Replay {
            self.extension().map_err(not_run)?;
        }
        let mut class_path = self.class_path(candidate, program, recorded);
        let libraries = match candidate.form {
            Form::Mockito => self.mockito().map_err(not_run)?,
            _ => Vec::new(),
        };
        let to_compile: Vec<PathBuf> = class_path[1..]
            .iter()
            .chain(&self.jars)
            .chain(&libraries)
            .cloned()
            .collect();
        // As the compiler names it when it complains.
        let source = directories.tests.join(candidate.source_path());
        let source = std::path::absolute(&source).unwrap_or(source);
        let compiled = self.javac(&Compilation {
            lint: true,
            sources: std::slice::from_ref(&source),
            class_path: &to_compile,
            out: directory.path(),
        });
        match compiled {
            Ok(warnings) => suppress_all(&warnings, &source),
            Err(CompileError::Rejected { diagnostics, text }) => {
                let why = match diagnostics.first() {
                    Some(first) => format!("line {}: {}", first.line, first.message),
                    None => text,
                };
                let why = format!("the test does not compile: {why}");
                return Err((Reproduction::DoesNotCompile, why));
            }
            Err(error) => return Err(not_run(error.to_string())),
        }
        class_path.insert(0, directory.path().to_path_buf());
        Ok(Compiled {
            name: candidate.binary_name(),
            libraries,
            class_path,
            _directory: directory,
        })
    }

    /// What a test runs with, but for libraries; the directory of the tests comes first.
    fn class_path(
        &self,
        candidate: &Candidate,
        program: Option<&Program>,
        recorded: &ExpectedFailure,
    ) -> Vec<PathBuf> {
        let directories = self.directories;
        let mut class_path = vec![directories.tests.clone()];
        // Real classes before those that have no code.
        if let Some(program) = program {
            class_path.push(program.recorded.clone());
            class_path.extend_from_slice(&program.class_path);
        }
        class_path.push(directories.classes.clone());
        if candidate.form == Form::Replay {
            class_path.push(directories.extension.clone());
        }
        if let ExpectedFailure::Predicate(directory) = recorded {
            class_path.push(directory.clone());
        }
        class_path
    }

    fn javac(&mut self, job: &Compilation<'_>) -> Result<Vec<Warning>, CompileError> {
        self.compiler.as_mut().unwrap_or(&mut self.here).javac(job)
    }

    /// Mockito, with all it needs.
    fn mockito(&mut self) -> Result<Vec<PathBuf>, String> {
        let fetch = || maven::fetch(&maven::MOCKITO).map_err(|e| e.to_string());
        self.mockito.get_or_insert_with(fetch).clone()
    }

    /// Has the JUnit extension where it belongs, compiled, with all it needs but JUnit itself.
    fn extension(&mut self) -> Result<(), String> {
        if self.extension.is_none() {
            self.extension = Some(self.compile_extension());
        }
        self.extension.clone().unwrap_or(Ok(()))
    }

    fn compile_extension(&mut self) -> Result<(), String> {
        let mut class_path = self.jars.clone();
        class_path.push(self.config.harness.clone());
        let other = match self.junit {
            Junit::Four => Junit::Five,
            Junit::Five => Junit::Four,
        };
        let mut sources = self.config.junit_sources.clone();
        sources.retain(|file| file.file_stem().unwrap_or_default() != other.extension());
        let into = &self.directories.extension;
        self.javac(&Compilation {
            lint: false,
            sources: &sources,
            class_path: &class_path,
            out: into,
        })
        .map_err(|e| e.to_string())?;
        // So that the extension is complete by itself. The compiler's files have the modes that the umask gives them.
        copy_directory(&self.config.harness, into)
            .and_then(|()| private::restrict(into))
            .map_err(|e| format!("{}: {e}", into.display()))
    }
}

/// Is this the recorded failure? `test`: binary name of the test's class; `jdk`: feature release of the JVM that ran it.
fn judge(
    result: &TestResult,
    recorded: &ExpectedFailure,
    test: &str,
    jdk: u32,
) -> (Reproduction, String) {
    let TestResult::Failed(failure) = result else {
        return (Reproduction::Passes, "the test passes".into());
    };
    let top = failure
        .frames
        .iter()
        .find(|f| !f.method.starts_with("jinsi$"));
    let same = match recorded {
        ExpectedFailure::Exception(predicate) => is_exception(failure, predicate, jdk),
        ExpectedFailure::Instead(predicate) => {
            is_exception(failure, predicate, jdk) || is_about(failure, Some(&predicate.class))
        }
        ExpectedFailure::Value(actual) => is_about(failure, actual.as_deref()),
        ExpectedFailure::InTest(class) => {
            is_about(failure, None) || is_thrown_in(failure, class, test)
        }
        ExpectedFailure::Predicate(_) => is_about(failure, None),
        ExpectedFailure::Endless => failure
            .message
            .as_ref()
            .is_some_and(|m| m.contains("timed out")),
    };
    if same {
        return (Reproduction::Reproduces, String::new());
    }
    let place = top.map_or_else(String::new, |f| {
        format!(" at {}.{}:{}", f.class, f.method, f.line)
    });
    let message = failure.message.as_deref().unwrap_or("no message");
    (
        Reproduction::FailsOtherwise,
        format!(
            "the test fails with {} ({message}){place}",
            failure.exception
        ),
    )
}

/// Is it the recorded exception, or one that was caused by it?
fn is_exception(failure: &junit::Failure, predicate: &CrashPredicate, jdk: u32) -> bool {
    std::iter::once(failure)
        .chain(&surefire::causes(&failure.trace))
        .any(|failure| is_this(failure, predicate, jdk))
}

/// Type, message and throwing place are compared, as in the replay.
fn is_this(failure: &junit::Failure, predicate: &CrashPredicate, jdk: u32) -> bool {
    // A test shows what `getMessage()` gives, the predicate is what is stored; a class of the program may put more around it.
    let shows = |stored: &String| failure.message.as_ref().is_some_and(|m| m.contains(stored));
    let worded_alike = predicate
        .message_of_jdk
        .is_none_or(|release| release == jdk);
    // AssertJ makes an error of JUnit's own kind, in other words, where it finds JUnit.
    let asserts_otherwise = failure.exception != predicate.class
        && assertion::is_assertion(&failure.exception)
        && assertion::is_assertion(&predicate.class);
    let same_message =
        !worded_alike || asserts_otherwise || predicate.message.as_ref().is_none_or(shows);
    let anywhere = predicate.at_class.is_empty();
    let own = failure.frames.iter().find(|f| {
        let class = &f.class;
        !f.method.starts_with("jinsi$") && (*class == predicate.at_class || is_the_programs(class))
    });
    let same_place = anywhere
        || own.is_some_and(|f| {
            let line = predicate.at_line <= 0 || f.line <= 0 || f.line == predicate.at_line;
            f.class == predicate.at_class && f.method == predicate.at_method && line
        });
    let same_class = failure.exception == predicate.class || asserts_otherwise;
    same_class && same_message && same_place
}

/// Is it an exception of this class that the code of the test threw, or what it called that is no code of the program's?
fn is_thrown_in(failure: &junit::Failure, class: &str, test: &str) -> bool {
    let mut own = failure.frames.iter().filter(|f| is_the_programs(&f.class));
    failure.exception == class && own.next().is_some_and(|f| f.class == test)
}

/// Is it an assertion, and about a value that reads `actual`?
fn is_about(failure: &junit::Failure, actual: Option<&str>) -> bool {
    let text = failure.message.as_deref().unwrap_or_default();
    let same = actual.is_none_or(|actual| {
        let frames = failure.frames.iter();
        let frames = frames.map(|f| (f.class.as_str(), f.method.as_str()));
        assertion::is_about(text, frames, actual)
    });
    // That the replay of a test cannot go on is no finding of the test's.
    let of_replay = text.starts_with("replay: ");
    assertion::is_assertion(&failure.exception) && same && !of_replay
}
