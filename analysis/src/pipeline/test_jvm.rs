//! JVMs that compile and run written tests, and stay for the next one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::thread;

use crate::minimized::Reproduction;
use jinsi_jdk::Jdk;
use jinsi_jdk::compile::{CompileError, LINT, Warning};
use jinsi_jdk::junit::{JunitError, JunitResult};
use jinsi_jdk::server::{ServerError, Setting, TestServer};

use super::Config;
use super::reproduced::{ExpectedFailure, Outcome, Tried, judge};

/// A time zone and a language, as options of a JVM.
type Place = [&'static str; 3];

/// Time zones and languages to run tests in: not the recorded machine's, since the environment must come from the recording.
const PLACES: [Place; 2] = [
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

/// Is this what gives Mockito the JVM's `Instrumentation`?
fn is_mockitos_agent(jar: &Path) -> bool {
    let name = jar.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("byte-buddy-agent-") && name.ends_with(".jar"))
}

/// JVMs in two places, that run tests.
pub(super) struct Places<'a> {
    here: OnDemand<'a>,
    /// In another environment.
    elsewhere: OnDemand<'a>,
}

impl<'a> Places<'a> {
    /// Nothing is started yet. The JVMs have further `options`.
    pub(super) fn new(
        config: &'a Config,
        jars: &[PathBuf],
        options: &[String],
        readable: &BTreeSet<PathBuf>,
    ) -> Self {
        let [here, elsewhere] = PLACES
            .map(|place| OnDemand::new(&config.jdk, config, jars, (place, options), readable));
        Self { here, elsewhere }
    }

    /// The same for tests that find these files in their directory.
    pub(super) fn with_files(mut self, visible: &[PathBuf]) -> Self {
        self.here.visible = visible.to_vec();
        self.elsewhere.visible = visible.to_vec();
        self
    }

    /// A JVM of the JDK that compiles.
    pub(super) fn compiling(
        config: &'a Config,
        jars: &[PathBuf],
        readable: &BTreeSet<PathBuf>,
    ) -> OnDemand<'a> {
        OnDemand::new(&config.compiler, config, jars, (PLACES[0], &[]), readable)
    }

    /// The JVM that compiles, too, if its Java can.
    pub(super) fn compiler(&mut self) -> &mut OnDemand<'a> {
        &mut self.here
    }

    /// Runs a test. If the environment has a say in its failing (`real`), it must fail the same way in another one, too; the JVMs may run at a
    /// time if that is to be `parallel`.
    pub(super) fn test(
        &mut self,
        test: &Compiled,
        recorded: &ExpectedFailure,
        real: bool,
        parallel: bool,
    ) -> Outcome {
        let Self { here, elsewhere } = self;
        if !real {
            return here.test(test, recorded);
        }
        let reproduces = |outcome: &Outcome| outcome.0 == Reproduction::Reproduces;
        if parallel {
            return thread::scope(|scope| {
                let other = scope.spawn(|| elsewhere.test(test, recorded));
                let outcome = here.test(test, recorded);
                match other.join() {
                    Ok(other) if reproduces(&outcome) => other,
                    _ => outcome,
                }
            });
        }
        let outcome = here.test(test, recorded);
        match reproduces(&outcome) {
            true => elsewhere.test(test, recorded),
            false => outcome,
        }
    }
}

/// A JVM that is started when it is needed, and again after it was lost.
pub(super) struct OnDemand<'a> {
    jdk: &'a Jdk,
    config: &'a Config,
    class_path: Vec<PathBuf>,
    options: Vec<String>,
    /// What the JVM may read.
    readable: BTreeSet<PathBuf>,
    /// What its tests find of the directory in which the program ran.
    visible: Vec<PathBuf>,
    server: Option<TestServer>,
}

impl<'a> OnDemand<'a> {
    fn new(
        jdk: &'a Jdk,
        config: &'a Config,
        jars: &[PathBuf],
        (place, options): (Place, &[String]),
        readable: &BTreeSet<PathBuf>,
    ) -> Self {
        let own = place.iter().chain(&QUICK);
        let own = own.map(|option| (*option).to_owned());
        Self {
            jdk,
            config,
            class_path: jars.to_vec(),
            options: own.chain(options.iter().cloned()).collect(),
            readable: readable.clone(),
            visible: Vec::new(),
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
        let mut options = self.options.clone();
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
            visible: &self.visible,
            read: &read,
        })
    }

    pub(super) fn javac(&mut self, job: &Compilation<'_>) -> Result<Vec<Warning>, CompileError> {
        let release = match job.preview {
            // The compiler takes what is a preview of one release only.
            true => Some(self.config.jdk.version().feature),
            false => self.config.release(),
        };
        let needed = [job.sources, job.class_path].concat();
        let server = self.server(&needed)?;
        let options = job.options();
        let done = server.javac(&options, release, job.sources, job.class_path, job.out);
        if matches!(done, Err(CompileError::Server(_))) {
            self.server = None;
        }
        done
    }

    /// Runs a test, and compares its end with the recorded failure.
    fn test(&mut self, test: &Compiled, recorded: &ExpectedFailure) -> Outcome {
        let name = test.name.as_str();
        let names: Vec<&str> = test
            .before
            .iter()
            .map(String::as_str)
            .chain([name])
            .collect();
        let needed = [&*test.libraries, &*test.class_path].concat();
        let ran = match self.server(&needed) {
            Ok(server) => server.junit(&test.libraries, &test.class_path, &names),
            Err(error) => Err(error.into()),
        };
        let all = match ran {
            Ok(all) => all,
            Err(JunitError::Server(ServerError::TimedOut(limit))) => {
                self.server = None;
                let why = format!("the test does not end within {} s", limit.as_secs());
                return (Reproduction::FailsOtherwise, why);
            }
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
            JunitResult::Failed(_) if matches!(recorded, ExpectedFailure::Endless) => true,
            JunitResult::Failed(failure) => FATAL.contains(&failure.exception.as_str()),
            _ => false,
        };
        if fatal {
            self.server = None;
        }
        let test = Tried {
            class: name,
            is_plain: test.is_plain,
            jdk: self.jdk.version().feature,
        };
        judge(&found.result, recorded, test)
    }
}

/// What is to be compiled.
pub(super) struct Compilation<'a> {
    /// Warnings are wanted.
    pub(super) lint: bool,
    /// What is but a preview may be used.
    pub(super) preview: bool,
    pub(super) sources: &'a [PathBuf],
    pub(super) class_path: &'a [PathBuf],
    pub(super) out: &'a Path,
}

impl Compilation<'_> {
    fn options(&self) -> Vec<&'static str> {
        let mut options = match self.lint {
            true => LINT.to_vec(),
            false => vec!["-nowarn"],
        };
        options.extend(self.preview.then_some("--enable-preview"));
        options
    }
}

/// A compiled test.
pub(super) struct Compiled {
    /// Binary name.
    pub(super) name: String,
    /// See [`Tried::is_plain`].
    pub(super) is_plain: bool,
    /// Binary names of tests that run before it, with the same classes.
    pub(super) before: Vec<String>,
    /// What is loaded once.
    pub(super) libraries: Vec<PathBuf>,
    /// What is loaded anew: it, and what it is about.
    pub(super) class_path: Vec<PathBuf>,
    /// Where its class files are, as long as this is there.
    pub(super) _directory: tempfile::TempDir,
}
