//! A JVM that stays, and compiles sources and runs JUnit tests on request (`java-harness/server`): the second of each takes a tenth of
//! what the first takes, most of which is for the JVM to start and to get warm.
//!
//! A request goes to its standard input, and the reply is a file that appears. So nothing that a test prints comes between.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use jinsi_confine::ConfineError;

use jinsi_files::{private, temporary};
use jinsi_platform::files::bytes_of;

use super::class_path::{absolute, join};
use super::confined::{self, DISK_OF_TESTS, Walls, Workplace};
use super::jdk::Jdk;
use super::workdir;

/// How often a reply is looked for.
const POLL: Duration = Duration::from_millis(3);
/// How much of what the JVM said last on stderr goes into a message, in bytes.
const LAST_WORDS: u64 = 2_000;

/// Why there is no reply.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The JVM cannot be started.
    #[error("cannot start {}: {source}", java.display())]
    Start {
        /// Its launcher.
        java: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// The JVM cannot be shut in.
    #[error(transparent)]
    Confine(ConfineError),
    /// The class path cannot be written as one argument: an entry holds the separator.
    #[error("the class path cannot be used: {0}")]
    ClassPath(#[from] std::env::JoinPathsError),
    /// The JVM ended, by a test or otherwise.
    #[error("the test JVM ended with {status} and without a reply: {last_words}")]
    Ended {
        /// How it ended.
        status: String,
        /// The first line of what it said last on stderr.
        last_words: String,
    },
    /// It was ended because it took too long.
    #[error("the test JVM did not reply within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// A file of the exchange cannot be used.
    #[error("cannot exchange files with the test JVM: {0}")]
    File(#[source] io::Error),
}

/// What a request came to.
#[derive(Debug)]
pub(super) struct Reply {
    /// It worked out.
    pub(super) done: bool,
    /// What there is to read.
    pub(super) text: String,
}

/// What a test JVM is started with.
#[derive(Debug)]
pub struct Setting<'a> {
    /// Its Java.
    pub jdk: &'a Jdk,
    /// Directory of `jinsi.server`.
    pub classes: &'a Path,
    /// What its tests share, JUnit in particular.
    pub class_path: &'a [PathBuf],
    /// Further options of the JVM.
    pub jvm_args: &'a [String],
    /// Is it shut in?
    pub walls: Walls,
    /// What is to be found in the JVM's directory of that in which the program ran ([`workdir::visible`]).
    pub visible: &'a [PathBuf],
    /// Directories and files that it may read besides: sources, and class paths of requests. Those that do not exist yet cannot be read later.
    pub read: &'a [PathBuf],
}

/// The JVM; it is ended when dropped. After an error it is of no more use.
#[derive(Debug)]
pub struct TestServer {
    child: Child,
    requests: ChildStdin,
    stderr: File,
    /// Its working directory, empty at first, and the replies: all that it can write.
    directory: temporary::Directory,
    replies: u32,
}

impl TestServer {
    /// Starts the JVM.
    ///
    /// # Errors
    /// See [`ServerError`]; that the JVM does not come to itself, the first request tells.
    pub fn start(setting: &Setting<'_>) -> Result<Self, ServerError> {
        let directory = temporary::directory().map_err(ServerError::File)?;
        let work = directory.path().join("work");
        private::create_dir(&work).map_err(ServerError::File)?;
        workdir::furnish(&work, setting.visible).map_err(ServerError::File)?;
        let stderr = tempfile::tempfile().map_err(ServerError::File)?;
        let mut whole = vec![setting.classes.to_path_buf()];
        whole.extend_from_slice(setting.class_path);
        let whole = absolute(&whole);
        let mut command = setting.jdk.command();
        command
            .args(confined::options(&work))
            .args(setting.jvm_args)
            .arg("-cp")
            .arg(join(&whole)?)
            .arg("jinsi.server.TestServer")
            .current_dir(&work)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(stderr.try_clone().map_err(ServerError::File)?);
        let java = setting.jdk.java();
        let start_error = |source| ServerError::Start {
            java: java.clone(),
            source,
        };
        let mut read = whole;
        read.extend(absolute(setting.read));
        read.extend_from_slice(setting.visible);
        let workplace = Workplace {
            java: &java,
            home: directory.path(),
            write: &[],
            read: &read,
            disk: DISK_OF_TESTS,
        };
        let child = confined::spawn(command, setting.walls, &workplace);
        let mut child = child.map_err(|e| match e {
            ConfineError::Start(source) => start_error(source),
            other => ServerError::Confine(other),
        })?;
        let Some(requests) = child.stdin.take() else {
            return Err(start_error(io::Error::other("it has no standard input")));
        };
        Ok(Self {
            child,
            requests,
            stderr,
            directory,
            replies: 0,
        })
    }

    /// Has the command carried out, within `limit`.
    pub(super) fn ask(
        &mut self,
        command: &str,
        arguments: &[OsString],
        limit: Duration,
    ) -> Result<Reply, ServerError> {
        self.replies += 1;
        let file = self.directory.path().join(self.replies.to_string());
        let mut request = Vec::new();
        let texts = [file.as_os_str(), OsStr::new(command)];
        let texts = texts
            .into_iter()
            .chain(arguments.iter().map(OsString::as_os_str));
        put_number(&mut request, 2 + arguments.len());
        for text in texts {
            put_number(&mut request, text.len());
            request.extend_from_slice(bytes_of(text));
        }
        let sent = self.requests.write_all(&request);
        if sent.and_then(|()| self.requests.flush()).is_err() {
            return Err(self.ended());
        }
        self.reply(&file, limit)
    }

    fn reply(&mut self, file: &Path, limit: Duration) -> Result<Reply, ServerError> {
        let asked = Instant::now();
        loop {
            // Looked at before the file: a reply may be the last thing that it did.
            let gone = self.child.try_wait().map_err(ServerError::File)?.is_some();
            match fs::read(file) {
                Ok(bytes) => {
                    let text = String::from_utf8_lossy(&bytes);
                    let (status, text) = text.split_once('\n').unwrap_or((&text, ""));
                    return Ok(Reply {
                        done: status == "0",
                        text: text.to_owned(),
                    });
                }
                Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(ServerError::File(e)),
                Err(_) if gone => return Err(self.ended()),
                Err(_) if asked.elapsed() > limit => {
                    let _ = self.child.kill();
                    return Err(ServerError::TimedOut(limit));
                }
                Err(_) => thread::sleep(POLL),
            }
        }
    }

    /// How it ended, and its last words.
    fn ended(&mut self) -> ServerError {
        let _ = self.child.kill();
        let status = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let mut words = Vec::new();
        let end = self.stderr.seek(SeekFrom::End(0)).unwrap_or(0);
        let from = SeekFrom::Start(end.saturating_sub(LAST_WORDS));
        let _ = self.stderr.seek(from);
        let _ = self.stderr.read_to_end(&mut words);
        let words = String::from_utf8_lossy(&words);
        let mut lines = words.lines().map(str::trim).filter(|l| !l.is_empty());
        ServerError::Ended {
            status,
            last_words: lines.next().unwrap_or("it said nothing").to_owned(),
        }
    }

    /// A new empty directory that goes with this.
    pub(super) fn directory(&self) -> Result<PathBuf, ServerError> {
        let directory = self.directory.path().join(format!("d{}", self.replies));
        private::create_dir(&directory).map_err(ServerError::File)?;
        Ok(directory)
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A number as Java's `DataInputStream` reads it.
fn put_number(to: &mut Vec<u8>, number: usize) {
    let number = i32::try_from(number).unwrap_or(i32::MAX);
    to.extend_from_slice(&number.to_be_bytes());
}
