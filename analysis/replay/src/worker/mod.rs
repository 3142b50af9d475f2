//! The replay worker: one warm JVM that answers "run this subset of the interactions".
//!
//! [`Worker`] keeps the session it was given. A JVM that dies or does not answer in time costs the one test it was
//! running: the next test starts another and loads the session again.

mod process;
mod protocol;

#[cfg(any(test, feature = "testing"))]
pub mod setting;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jinsi_confine::ConfineError;

use crate::codes;
use jinsi_files::{private, temporary};
use jinsi_jdk::confined::DISK_OF_TESTS;
use jinsi_jdk::{Walls, workdir};
use jinsi_level::verdict::{Mode, TestResult};

use process::{Exchange, Process};
use protocol::{Reply, Request};

/// Version of the protocol that this module speaks.
pub const PROTOCOL: u32 = codes::PROTOCOL_VERSION as u32;

/// What a worker is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Thousands of short tests: it starts, compiles and collects garbage the quick way.
    #[default]
    Tests,
    /// One replay of a whole run, by a JVM as the program had. Class objects of the JDK's then have the identity hash codes of its
    /// archive, as in the program: HotSpot has an archive for its default collector.
    Run,
}

/// Where to find what a worker consists of, and its limits.
#[derive(Clone, Debug)]
pub struct WorkerConfig {
    /// The `java` launcher.
    pub java: PathBuf,
    /// Jar or directory with the classes of `jinsi.replay`.
    pub harness: PathBuf,
    /// What it is for.
    pub purpose: Purpose,
    /// Further options for the JVM, behind ours, so that they win.
    pub jvm_args: Vec<String>,
    /// Longest wait for the JVM's greeting, for a session to be loaded, and for a test's result; of a large session or test, as much
    /// longer as its size justifies.
    pub timeout: Duration,
    /// Is it shut in?
    pub walls: Walls,
    /// What it may read besides its JDK and `harness`.
    pub read: Vec<PathBuf>,
    /// Directories, of its own alone, that it may write into besides its working directory.
    pub write: Vec<PathBuf>,
    /// What is to be found in the worker's directory of that in which the program ran ([`workdir::visible`]).
    pub visible: Vec<PathBuf>,
    /// Bytes that it may write.
    pub disk: u64,
}

impl WorkerConfig {
    /// A configuration with no further options and ten seconds a test, shut in.
    pub fn new(java: impl Into<PathBuf>, harness: impl Into<PathBuf>) -> Self {
        Self {
            java: java.into(),
            harness: harness.into(),
            purpose: Purpose::Tests,
            jvm_args: Vec::new(),
            timeout: Duration::from_secs(10),
            walls: Walls::Confined,
            read: Vec::new(),
            write: Vec::new(),
            visible: Vec::new(),
            disk: DISK_OF_TESTS,
        }
    }
}

/// What tests tell besides their outcome, as text ([`TestResult::watched`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// Nothing.
    #[default]
    Nothing,
    /// Receiver, arguments and result of a driven interaction, each with all that can be reached from it: the first ones as they were before it.
    Result {
        /// Its number.
        interaction: u32,
        /// Numbers of others whose results come before that.
        beside: Vec<u32>,
    },
    /// The state of an object when all interactions have run. Replay knows objects that cross the edge of the level; if this one does not,
    /// the states of all objects of its class are reported, one behind the other.
    State {
        /// The object.
        object: u64,
        /// Binary name of its class; `None`: then nothing is reported.
        class: Option<String>,
    },
    /// The state of the class with this binary name, that is, of its static fields, when all interactions have run.
    Class(String),
    /// What observed code had its environment write, one text behind the other.
    Output,
    /// Where code goes when the jump with this number is turned, that time; time 0 turns none. See [`super::rewrite::FlipSite`].
    Flip {
        /// Number of the jump.
        site: u32,
        /// Which time it runs, from 1.
        time: u64,
    },
    /// Nothing, but a test that ends the program with this status fails; one that does with another passes.
    Exit(i32),
    /// Nothing, but tests take no more backward branches than so many.
    Steps(u64),
    /// `true` or `false`: does a predicate of the user's hold of an object when all interactions have run?
    Predicate {
        /// Binary name of its class.
        class: String,
        /// Where that is.
        directory: String,
    },
}

/// A worker that cannot be had, or that refuses a session.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The JVM cannot be started.
    #[error("cannot start {}: {source}", java.display())]
    Start {
        /// The launcher.
        java: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The JVM cannot be shut in.
    #[error(transparent)]
    Confine(ConfineError),
    /// The JVM ended, or fell silent, before it could be used.
    #[error("the JVM for replays does not start: {0}")]
    Unusable(String),
    /// The JVM speaks another version of the protocol.
    #[error(
        "the replay classes are of another version of jinsi (protocol {0}, not {PROTOCOL}); reinstall jinsi"
    )]
    Protocol(u32),
    /// The worker cannot load the session.
    #[error("the JVM for replays cannot load the recording: {0}")]
    Refused(String),
    /// A test was asked for before a session was loaded.
    #[error("internal error, please report it: nothing is loaded for the replay")]
    NoSession,
    /// The session cannot be handed over.
    #[error("cannot write the file for the replay: {0}")]
    SessionFile(#[source] io::Error),
}

/// The JVM's working directory, below the worker's.
const HOME: &str = "home";
/// A busy machine may take long to start a JVM, of which there are few: so many times what a test may take.
const PATIENCE: u32 = 6;
/// Interactions of a test for which a second more is granted. Mostly it takes some microseconds an interaction.
const INTERACTIONS_A_SECOND: u32 = 20_000;
/// Bytes of a session for which a second more is granted.
const BYTES_A_SECOND: u64 = 20 << 20;

/// A JVM that replays subsets of one level at a time.
#[derive(Debug)]
pub struct Worker {
    config: WorkerConfig,
    /// Holds the session file, and the JVM's working directory, the only place below which it writes; goes with the worker.
    dir: temporary::Directory,
    process: Option<Process>,
    has_session: bool,
    /// Changes that hold for the session.
    changes: Vec<u8>,
    /// What is watched in the session.
    watch: Watch,
    restarts: u32,
}

impl Worker {
    /// Starts the JVM.
    ///
    /// # Errors
    /// [`WorkerError::Start`], [`WorkerError::Unusable`], [`WorkerError::Protocol`]; [`WorkerError::SessionFile`] if no
    /// temporary directory can be made.
    pub fn start(config: &WorkerConfig) -> Result<Self, WorkerError> {
        let dir = temporary::directory().map_err(WorkerError::SessionFile)?;
        let home = dir.path().join(HOME);
        private::create_dir(&home).map_err(WorkerError::SessionFile)?;
        workdir::furnish(&home, &config.visible).map_err(WorkerError::SessionFile)?;
        let mut worker = Self {
            config: config.clone(),
            dir,
            process: None,
            has_session: false,
            changes: Vec::new(),
            watch: Watch::Nothing,
            restarts: 0,
        };
        worker.process = Some(worker.launch()?);
        Ok(worker)
    }

    /// Makes `session` (the bytes of a session file) the one that tests are about.
    ///
    /// # Errors
    /// The worker's refusal, or that of a new JVM to start if the old one was lost.
    pub fn load(&mut self, session: &[u8]) -> Result<(), WorkerError> {
        let file = self.session_file();
        // A new file each time: who shares the old one keeps it.
        discard(&file).map_err(WorkerError::SessionFile)?;
        private::write(&file, session).map_err(WorkerError::SessionFile)?;
        self.load_session()
    }

    /// As [`Self::load`], of a session that another worker has shared.
    ///
    /// # Errors
    /// Those of [`Self::load`].
    pub fn load_file(&mut self, session: &Path) -> Result<(), WorkerError> {
        share(session, &self.session_file()).map_err(WorkerError::SessionFile)?;
        self.load_session()
    }

    /// Makes `file` the session that is loaded. It stays so when another one is loaded here.
    ///
    /// # Errors
    /// [`WorkerError::NoSession`], [`WorkerError::SessionFile`].
    pub fn share_session(&self, file: &Path) -> Result<(), WorkerError> {
        if !self.has_session {
            return Err(WorkerError::NoSession);
        }
        share(&self.session_file(), file).map_err(WorkerError::SessionFile)
    }

    fn load_session(&mut self) -> Result<(), WorkerError> {
        self.has_session = false;
        self.changes.clear();
        self.watch = Watch::Nothing;
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.relaunch()?,
        };
        self.load_into(&mut process)?;
        self.process = Some(process);
        self.has_session = true;
        Ok(())
    }

    /// From now on tests run with these changes ([`super::session::changes`]) and no others, until the next session.
    ///
    /// # Errors
    /// The worker's refusal, or that of a new JVM to start if the old one was lost.
    pub fn vary(&mut self, changes: &[u8]) -> Result<(), WorkerError> {
        if !self.has_session {
            return Err(WorkerError::NoSession);
        }
        self.changes = changes.to_vec();
        let mut process = self.with_session()?;
        self.change(&mut process)?;
        self.process = Some(process);
        Ok(())
    }

    /// From now on tests tell this ([`TestResult::watched`]), until the next session.
    ///
    /// # Errors
    /// The worker's refusal, or that of a new JVM to start if the old one was lost.
    pub fn watch(&mut self, watch: Watch) -> Result<(), WorkerError> {
        if !self.has_session {
            return Err(WorkerError::NoSession);
        }
        self.watch = watch;
        let mut process = self.with_session()?;
        self.hand_over_watch(&mut process)?;
        self.process = Some(process);
        Ok(())
    }

    fn hand_over_watch(&self, process: &mut Process) -> Result<(), WorkerError> {
        acknowledged(process.exchange(&Request::Watch(&self.watch), self.config.timeout))
    }

    /// The JVM, or another in place of a lost one, which gets what that one got.
    fn with_session(&mut self) -> Result<Process, WorkerError> {
        if let Some(process) = self.process.take() {
            return Ok(process);
        }
        let mut process = self.relaunch()?;
        self.load_into(&mut process)?;
        if !self.changes.is_empty() {
            self.change(&mut process)?;
        }
        if self.watch != Watch::Nothing {
            self.hand_over_watch(&mut process)?;
        }
        Ok(process)
    }

    fn change(&self, process: &mut Process) -> Result<(), WorkerError> {
        let request = Request::Vary {
            changes: &self.changes,
        };
        acknowledged(process.exchange(&request, self.config.timeout))
    }

    /// Runs the interactions with these numbers, in recorded order, and says what came of it. Numbers are those of
    /// `Interaction::no`; a number that the level does not have is a failure of the harness.
    ///
    /// # Errors
    /// None of the test's own: only that no session is loaded, or that a lost JVM cannot be replaced.
    pub fn test(&mut self, interactions: &[u32], mode: Mode) -> Result<TestResult, WorkerError> {
        if !self.has_session {
            return Err(WorkerError::NoSession);
        }
        let mut process = self.with_session()?;
        let request = Request::Test { mode, interactions };
        let count = u32::try_from(interactions.len()).unwrap_or(u32::MAX);
        let timeout =
            self.config.timeout + Duration::from_secs(u64::from(count / INTERACTIONS_A_SECOND));
        match process.exchange(&request, timeout) {
            Exchange::Reply(Reply::Result(result)) => {
                self.process = Some(process);
                Ok(*result)
            }
            Exchange::Reply(Reply::Refused(reason)) => {
                self.process = Some(process);
                Ok(TestResult::harness(reason))
            }
            Exchange::Reply(other) => Ok(TestResult::harness(format!(
                "the replay worker answered out of turn: {}",
                other.name()
            ))),
            Exchange::Lost(why) => Ok(TestResult::harness(why)),
        }
    }

    /// Lets the JVM end by itself, for at most `patience`: an agent in it may have something left to write.
    pub fn quit(mut self, patience: Duration) {
        if let Some(process) = self.process.take() {
            process.quit(patience);
        }
    }

    /// How often a lost JVM was replaced.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    fn session_file(&self) -> PathBuf {
        self.dir.path().join("session.jinsi")
    }

    fn relaunch(&mut self) -> Result<Process, WorkerError> {
        self.restarts += 1;
        self.launch()
    }

    fn launch(&self) -> Result<Process, WorkerError> {
        let directory = self.dir.path();
        let mut process = Process::spawn(&self.config, &directory.join(HOME), directory)?;
        match process.greeting(self.config.timeout * PATIENCE) {
            Exchange::Reply(Reply::Hello(PROTOCOL)) => Ok(process),
            Exchange::Reply(Reply::Hello(version)) => Err(WorkerError::Protocol(version)),
            Exchange::Reply(other) => Err(WorkerError::Unusable(format!(
                "it began with {}",
                other.name()
            ))),
            Exchange::Lost(why) => Err(WorkerError::Unusable(why)),
        }
    }

    fn load_into(&self, process: &mut Process) -> Result<(), WorkerError> {
        let file = self.session_file();
        let request = Request::Load {
            path: Path::new(&file),
        };
        let bytes = std::fs::metadata(&file).map_or(0, |m| m.len());
        let timeout = self.config.timeout * PATIENCE + Duration::from_secs(bytes / BYTES_A_SECOND);
        acknowledged(process.exchange(&request, timeout))
    }
}

/// Removes a file that may be there.
fn discard(file: &Path) -> io::Result<()> {
    match std::fs::remove_file(file) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}

/// Makes `to` the same file as `from`, or a copy of it where a file has one name only.
fn share(from: &Path, to: &Path) -> io::Result<()> {
    discard(to)?;
    std::fs::hard_link(from, to).or_else(|_| private::copy(from, to))
}

/// The answer to a session, or to changes of it.
fn acknowledged(answer: Exchange) -> Result<(), WorkerError> {
    match answer {
        Exchange::Reply(Reply::Loaded) => Ok(()),
        Exchange::Reply(Reply::Refused(reason)) => Err(WorkerError::Refused(reason)),
        Exchange::Reply(other) => Err(WorkerError::Unusable(format!(
            "it answered a session with {}",
            other.name()
        ))),
        Exchange::Lost(why) => Err(WorkerError::Unusable(why)),
    }
}
