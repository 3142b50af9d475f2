//! The worker's JVM as a child process.

use std::io::{self, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use jinsi_confine::ConfineError;

use jinsi_jdk::confined::{self, Workplace};

use super::protocol::{Reply, Request, read_reply};
use super::{Purpose, WorkerConfig, WorkerError};

/// How much of the JVM's standard error is kept, from the end.
const DIAGNOSIS_BYTES: usize = 64 * 1024;
/// How much of it goes into a message.
const DIAGNOSIS_LINES: usize = 6;
/// How long an ended JVM may take to be gone before it is killed.
const GRACE: Duration = Duration::from_millis(500);
/// How often an ending process is looked after.
const POLL: Duration = Duration::from_millis(5);

/// What came of a request.
pub(super) enum Exchange {
    /// An answer; the process goes on.
    Reply(Reply),
    /// The process is gone, or must be given up: why.
    Lost(String),
}

/// A running JVM; killed when dropped.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    stdin: ChildStdin,
    replies: Receiver<io::Result<Reply>>,
    diagnosis: Arc<Mutex<Vec<u8>>>,
    /// Fills `diagnosis` until the JVM's standard error ends.
    listener: JoinHandle<()>,
}

impl Process {
    /// Starts the JVM with nothing of this process' environment. It works in the directory `home`, and may read the directory `files`.
    pub(super) fn spawn(
        config: &WorkerConfig,
        home: &Path,
        files: &Path,
    ) -> Result<Self, WorkerError> {
        let start_error = |source| WorkerError::Start {
            java: config.java.clone(),
            source,
        };
        // The child runs in another directory: relative paths would no longer mean the same.
        let harness = std::path::absolute(&config.harness).map_err(start_error)?;
        let java = if config.java.components().count() > 1 {
            std::path::absolute(&config.java).map_err(start_error)?
        } else {
            config.java.clone()
        };
        let mut read = config.read.clone();
        read.extend([harness.clone(), files.to_owned()]);
        read.extend_from_slice(&config.visible);
        let workplace = Workplace {
            java: &java,
            home,
            write: &config.write,
            read: &read,
            disk: config.disk,
        };
        let command = command(&java, &harness, home, config);
        let mut child =
            confined::spawn(command, config.walls, &workplace).map_err(|e| match e {
                ConfineError::Start(source) => start_error(source),
                other => WorkerError::Confine(other),
            })?;
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = streams else {
            let _ = child.kill();
            let _ = child.wait();
            return Err(WorkerError::Unusable("it has no pipes".to_owned()));
        };
        let (sender, replies) = sync_channel(1);
        let diagnosis = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&diagnosis);
        thread::spawn(move || forward_replies(stdout, &sender));
        let listener = thread::spawn(move || keep_tail(stderr, &kept));
        Ok(Self {
            child,
            stdin,
            replies,
            diagnosis,
            listener,
        })
    }

    /// Its process id.
    #[cfg(test)]
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// What the JVM says first.
    pub(super) fn greeting(&mut self, timeout: Duration) -> Exchange {
        self.reply(timeout)
    }

    /// Sends a request and waits for its answer.
    pub(super) fn exchange(&mut self, request: &Request<'_>, timeout: Duration) -> Exchange {
        match request.send(&mut self.stdin) {
            Ok(()) => self.reply(timeout),
            Err(error) => Exchange::Lost(self.obituary(&format!("does not listen ({error})"))),
        }
    }

    fn reply(&mut self, timeout: Duration) -> Exchange {
        match self.replies.recv_timeout(timeout) {
            Ok(Ok(reply)) => Exchange::Reply(reply),
            Ok(Err(error)) => {
                Exchange::Lost(self.obituary(&format!("gave a malformed answer ({error})")))
            }
            Err(RecvTimeoutError::Disconnected) => Exchange::Lost(self.obituary("ended")),
            Err(RecvTimeoutError::Timeout) => {
                let _ = self.child.kill();
                Exchange::Lost(format!(
                    "no answer from the replay worker within {} s",
                    timeout.as_secs_f64()
                ))
            }
        }
    }

    /// Why the process is of no more use, with its exit status and last words.
    fn obituary(&mut self, what: &str) -> String {
        let mut text = format!("the replay worker {what}");
        if let Some(status) = self.end() {
            text.push_str(&format!(", {status}"));
            if status.code().is_some() {
                text.push_str(", perhaps by the program's own System.exit");
            }
        }
        // Its last words may still be on their way; a child of its own could keep the stream open for ever.
        let deadline = Instant::now() + GRACE;
        while !self.listener.is_finished() && Instant::now() < deadline {
            thread::sleep(POLL);
        }
        let kept = self
            .diagnosis
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let last_words = String::from_utf8_lossy(&kept);
        let lines: Vec<&str> = last_words.lines().collect();
        if !lines.is_empty() {
            let from = lines.len().saturating_sub(DIAGNOSIS_LINES);
            text.push_str(": ");
            text.push_str(&lines[from..].join(" | "));
        }
        text
    }

    /// Asks the process to end and waits for it, at most `patience`.
    pub(super) fn quit(mut self, patience: Duration) {
        let _ = Request::Quit.send(&mut self.stdin);
        self.end_within(patience);
    }

    /// Waits a moment for the process to end by itself, then kills it.
    fn end(&mut self) -> Option<ExitStatus> {
        self.end_within(GRACE)
    }

    fn end_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) => thread::sleep(POLL),
                Err(_) => break,
            }
        }
        let _ = self.child.kill();
        self.child.wait().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A JVM that waits for requests ends by itself; any other is in the middle of a test.
        let _ = Request::Quit.send(&mut self.stdin);
        self.end();
    }
}

fn command(java: &Path, harness: &Path, dir: &Path, config: &WorkerConfig) -> Command {
    let tuning: &[&str] = match config.purpose {
        Purpose::Tests => &["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"],
        Purpose::Run => &[],
    };
    let mut command = Command::new(java);
    command
        // The same on every machine; nothing of it may show in a replay, which is what this checks.
        .args([
            "-Duser.timezone=UTC",
            "-Duser.language=en",
            "-Duser.country=",
            "-Duser.variant=",
            "-Dfile.encoding=UTF-8",
            "-Djava.awt.headless=true",
            // A parallel stream runs in the thread that asks for its result: another one would be none of the recorded ones.
            "-Djava.util.concurrent.ForkJoinPool.common.parallelism=0",
        ])
        .args(tuning)
        // Frames of thrown exceptions decide outcomes: never omit them.
        .args(["-Xshare:auto", "-XX:-OmitStackTraceInFastThrow"])
        // The JVM's own warnings go to standard output if not configured otherwise, into the middle of an answer.
        .args(["-Xlog:disable", "-Xlog:all=warning:stderr"])
        // Message and cause of throwables made without constructor, and content of natural objects.
        .args([
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
        ])
        .args(confined::options(dir))
        .args(&config.jvm_args)
        .arg("-cp")
        .arg(harness)
        .arg("jinsi.replay.Worker")
        .current_dir(dir)
        .env_clear()
        // `java` alone is searched along it.
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Reads replies until the stream ends; its end closes the channel.
fn forward_replies(stdout: ChildStdout, sender: &SyncSender<io::Result<Reply>>) {
    let mut input = BufReader::new(stdout);
    loop {
        let reply = match read_reply(&mut input) {
            Ok(Some(reply)) => Ok(reply),
            Ok(None) => return,
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return,
            Err(error) => Err(error),
        };
        let last = reply.is_err();
        if sender.send(reply).is_err() || last {
            return;
        }
    }
}

fn keep_tail(mut stderr: ChildStderr, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(n @ 1..) = stderr.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..n]);
        let surplus = kept.len().saturating_sub(DIAGNOSIS_BYTES);
        kept.drain(..surplus);
    }
}
