//! Where the written tests are compiled and run, one after the other, in JVMs that stay for the next one.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use crate::minimized::Reproduction;
use jinsi_files::{private, temporary};
use jinsi_jdk::compile::{CompileError, Warning, copy_directory};
use jinsi_jdk::maven::{self, FetchError};
use jinsi_level::modules;
use jinsi_testwriter::{Candidate, Dialect, Form, Framework, amend};

use super::Config;
use super::reproduced::{ExpectedFailure, Outcome};
use super::test_jvm::{Compilation, Compiled, OnDemand, Places};

/// Why tests cannot be run.
#[derive(Debug, thiserror::Error)]
pub(super) enum RunnerError {
    /// JUnit, TestNG, AssertJ or Mockito is not to be had.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error("cannot use {}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("cannot make a temporary directory: {0}")]
    Temporary(io::Error),
    /// The JUnit extension does not compile.
    #[error(transparent)]
    Compile(#[from] CompileError),
}

impl RunnerError {
    fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File {
            path: path.to_owned(),
            source,
        }
    }
}

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
        let _ = private::write(file, amend::suppressing(&source, &categories));
    }
}

/// What every JVM may read, with all below it. The directories of the tests are made: a rule is about a directory that is there. The program's
/// class path is among them from the beginning, for a JVM that may not read it has to make way for another one with the first test that needs it.
fn readable(
    config: &Config,
    (directories, program): (&Directories, &[PathBuf]),
    compiled: &Path,
) -> Result<BTreeSet<PathBuf>, RunnerError> {
    let of_tests = [
        &directories.tests,
        &directories.classes,
        &directories.extension,
    ];
    for directory in of_tests {
        private::create_dir_all(directory).map_err(RunnerError::file(directory))?;
    }
    let sources = config.junit_sources.iter();
    let mut all: BTreeSet<PathBuf> = sources.cloned().collect();
    all.extend(of_tests.into_iter().cloned());
    all.extend([compiled.to_owned(), config.harness.clone()]);
    all.extend(program.iter().cloned());
    // The source of a test is named in full.
    all.extend(std::path::absolute(&directories.tests).ok());
    Ok(all)
}

/// Maven coordinates of what runs the tests.
fn coordinates(framework: Framework) -> Vec<&'static str> {
    let mut coordinates = vec![maven::JUNIT];
    match framework {
        Framework::Junit5 => {}
        // It runs tests of JUnit 3, too.
        Framework::Junit3 | Framework::Junit4 => coordinates.extend(maven::JUNIT_4),
        Framework::TestNg => coordinates.extend(maven::TESTNG),
    }
    coordinates
}

/// The directories that tests are about.
pub(super) struct Directories {
    /// The classes under test.
    pub(super) classes: PathBuf,
    /// The JUnit extension, once it was needed or [`TestRunner::prepare`] was called.
    pub(super) extension: PathBuf,
    /// The sources of the tests, and what stands beside them.
    pub(super) tests: PathBuf,
    /// What tests find of the directory in which the program ran.
    pub(super) visible: Vec<PathBuf>,
}

/// The program's own classes.
pub(super) struct Program {
    /// Directory of the recorded ones.
    pub(super) recorded: PathBuf,
    /// Jars and directories of its class path.
    pub(super) class_path: Vec<PathBuf>,
    /// These have all classes that the program had. What is missing among them was missing then, and libraries ask for it.
    pub(super) has_all: bool,
    /// Options of its JVM that open modules to it.
    pub(super) jvm_options: Vec<String>,
}

/// Where tests are compiled and run.
pub(super) struct TestRunner<'a> {
    config: &'a Config,
    dialect: Dialect,
    directories: &'a Directories,
    /// JUnit, and TestNG, if it is that.
    jars: Vec<PathBuf>,
    /// AssertJ, if tests are written with it and the program has none of its own.
    assertj: Vec<PathBuf>,
    mockito: Option<Result<Vec<PathBuf>, Arc<RunnerError>>>,
    extension: Option<Result<(), Arc<RunnerError>>>,
    /// Where compiled tests are.
    compiled: temporary::Directory,
    /// Runs tests, and compiles them if its Java can.
    places: Places<'a>,
    /// The same with options of the program's JVM, once a test needed them.
    with_options: Option<Places<'a>>,
    /// What each JVM may read.
    readable: BTreeSet<PathBuf>,
    /// Compiles if the Java that runs the tests cannot.
    compiler: Option<OnDemand<'a>>,
    /// Several JVMs may run at a time.
    parallel: bool,
}

impl<'a> TestRunner<'a> {
    /// Nothing is started yet. `program`: the class path of the program.
    ///
    /// # Errors
    /// JUnit is not to be had, or a directory cannot be made.
    pub(super) fn new(
        config: &'a Config,
        dialect: Dialect,
        (directories, program): (&'a Directories, &[PathBuf]),
        parallel: bool,
    ) -> Result<Self, RunnerError> {
        let jars = maven::fetch(&coordinates(dialect.framework))?;
        let assertj = match dialect.assertj {
            true => maven::fetch(&[maven::ASSERTJ])?,
            false => Vec::new(),
        };
        let (jdk, compiler) = (&config.jdk, &config.compiler);
        let compiled = temporary::directory().map_err(RunnerError::Temporary)?;
        let readable = readable(config, (directories, program), compiled.path())?;
        let apart = || Places::compiling(config, &jars, &readable);
        Ok(Self {
            config,
            dialect,
            assertj,
            directories,
            mockito: None,
            extension: None,
            places: Places::new(config, &jars, &[], &readable).with_files(&directories.visible),
            with_options: None,
            compiler: (jdk != compiler).then(apart),
            readable,
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

    /// Compiles and runs the candidate, whose source has been written. With `program`, it meets the classes that the program had, and if it
    /// has to, what options of the program's JVM opened to it; its comment says so then.
    pub(super) fn try_out(
        &mut self,
        candidate: &Candidate,
        program: Option<&Program>,
        recorded: &ExpectedFailure,
    ) -> Outcome {
        let outcome = self.try_with(candidate, program, recorded, &[]);
        let options = program.map_or(&[][..], |program| &program.jvm_options);
        if options.is_empty() || outcome.0 == Reproduction::Reproduces {
            return outcome;
        }
        let opened = self.try_with(candidate, program, recorded, options);
        if opened.0 != Reproduction::Reproduces {
            return outcome;
        }
        let source = self.directories.tests.join(candidate.source_path());
        let said = fs::read_to_string(&source)
            .map(|text| amend::running_with(&text, options))
            .and_then(|text| private::write(&source, text));
        match said {
            Ok(()) => opened,
            Err(error) => (Reproduction::NotRun, error.to_string()),
        }
    }

    /// Does the test, whose class is to be found with `program`, still fail as recorded if `before` runs first, with the same classes?
    /// What cannot be run is no answer, and no harm.
    pub(super) fn fails_behind(
        &mut self,
        before: &Candidate,
        candidate: &Candidate,
        program: Option<&Program>,
        recorded: &ExpectedFailure,
    ) -> bool {
        let first = self.compile(before, program, recorded, &[]);
        let second = self.compile(candidate, program, recorded, &[]);
        let (Ok(first), Ok(mut second)) = (first, second) else {
            return true;
        };
        second.before = vec![first.name];
        second.libraries.extend(first.libraries);
        second.class_path.extend(first.class_path);
        let outcome = self.places.test(&second, recorded, false, false).0;
        matches!(outcome, Reproduction::Reproduces | Reproduction::NotRun)
    }

    fn try_with(
        &mut self,
        candidate: &Candidate,
        program: Option<&Program>,
        recorded: &ExpectedFailure,
        options: &[String],
    ) -> Outcome {
        let test = match self.compile(candidate, program, recorded, options) {
            Ok(test) => test,
            Err(outcome) => return outcome,
        };
        let real = candidate.real_environment;
        if options.is_empty() {
            return self.places.test(&test, recorded, real, self.parallel);
        }
        // There is but one program.
        let (config, jars, readable) = (self.config, &self.jars, &self.readable);
        let visible = &self.directories.visible;
        self.with_options
            .get_or_insert_with(|| Places::new(config, jars, options, readable).with_files(visible))
            .test(&test, recorded, real, self.parallel)
    }

    fn compile(
        &mut self,
        candidate: &Candidate,
        program: Option<&Program>,
        recorded: &ExpectedFailure,
        options: &[String],
    ) -> Result<Compiled, Outcome> {
        let not_run =
            |why: &dyn Display| (Reproduction::NotRun, format!("the test was not run: {why}"));
        let directories = self.directories;
        let directory = tempfile::tempdir_in(self.compiled.path());
        let directory = directory.map_err(|e| not_run(&e))?;
        if candidate.form == Form::Replay {
            self.extension().map_err(|e| not_run(&e))?;
        }
        let mut class_path = self.class_path(candidate, program, recorded);
        let libraries = match candidate.form {
            Form::Mockito if !program.is_some_and(|p| has_mockito(&p.class_path)) => {
                self.mockito().map_err(|e| not_run(&e))?
            }
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
            preview: modules::has_preview(options),
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
            Err(error) => return Err(not_run(&error)),
        }
        class_path.insert(0, directory.path().to_path_buf());
        if program.is_some_and(|program| program.has_all) {
            class_path.retain(|path| *path != directories.classes);
        }
        Ok(Compiled {
            name: candidate.binary_name(),
            is_plain: candidate.form == Form::Plain,
            before: Vec::new(),
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
        class_path.extend_from_slice(&self.assertj);
        if candidate.form == Form::Replay {
            class_path.push(directories.extension.clone());
        }
        if let ExpectedFailure::Predicate(directory) = recorded {
            class_path.push(directory.clone());
        }
        class_path
    }

    fn javac(&mut self, job: &Compilation<'_>) -> Result<Vec<Warning>, CompileError> {
        self.compiler
            .as_mut()
            .unwrap_or(self.places.compiler())
            .javac(job)
    }

    /// Mockito, with all it needs.
    fn mockito(&mut self) -> Result<Vec<PathBuf>, Arc<RunnerError>> {
        let fetch = || maven::fetch(&maven::MOCKITO).map_err(|e| Arc::new(e.into()));
        self.mockito.get_or_insert_with(fetch).clone()
    }

    /// Has the JUnit extension where it belongs, compiled, with all it needs but JUnit itself.
    fn extension(&mut self) -> Result<(), Arc<RunnerError>> {
        if self.extension.is_none() {
            self.extension = Some(self.compile_extension().map_err(Arc::new));
        }
        self.extension.clone().unwrap_or(Ok(()))
    }

    fn compile_extension(&mut self) -> Result<(), RunnerError> {
        let mut class_path = self.jars.clone();
        class_path.push(self.config.harness.clone());
        let other = match self.dialect.framework.of_extension() {
            Framework::Junit4 => Framework::Junit5,
            _ => Framework::Junit4,
        };
        let mut sources = self.config.junit_sources.clone();
        sources.retain(|file| file.file_stem().unwrap_or_default() != other.extension());
        let into = &self.directories.extension;
        self.javac(&Compilation {
            lint: false,
            preview: false,
            sources: &sources,
            class_path: &class_path,
            out: into,
        })?;
        // So that the extension is complete by itself. The compiler's files have the modes that the umask gives them.
        copy_directory(&self.config.harness, into)
            .and_then(|()| private::restrict(into))
            .map_err(RunnerError::file(into))
    }
}
/// Does the program have Mockito itself? Its version may stub less than the newest one, and is what runs the test among the program's.
fn has_mockito(class_path: &[PathBuf]) -> bool {
    let names = class_path
        .iter()
        .filter_map(|jar| jar.file_name()?.to_str());
    let mut mockitos = names.filter(|name| {
        let known = ["mockito-core-", "mockito-all-"];
        name.ends_with(".jar") && known.iter().any(|begin| name.starts_with(begin))
    });
    mockitos.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_own_mockito_is_taken() {
        let has = |jar: &str| has_mockito(&["/r/a.jar".into(), jar.into()]);
        assert!(has("/r/mockito-core-4.11.0.jar"));
        assert!(has("/r/mockito-all-1.10.19.jar"));
        assert!(!has("/r/mockito-core-4.11.0.pom"));
        assert!(!has("/r/mockito-junit-jupiter-5.2.0.jar"));
    }
}
