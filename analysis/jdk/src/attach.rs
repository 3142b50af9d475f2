//! A word to the agent in a running program, by HotSpot's attach mechanism: a file that says who wants something, a signal at which the
//! JVM opens a socket, and the request to load the agent's library, which is loaded already and so only takes the options.
//!
//! It opens no port: the socket is a file that only the program's own user may use. The signal would end a program that is no JVM, so
//! the memory map of the process is looked at first.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How long the JVM may take to open its socket, and to answer: it does so when all threads stand still.
const PATIENCE: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(20);
/// Longest text: the JVM takes 1,024 bytes a word of a request.
const LONGEST: usize = 900;

/// Why a program was not told.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// There is no such process, or it is another user's.
    #[error("cannot look at process {pid}: {source}")]
    Process {
        /// Which one.
        pid: u32,
        /// What the operating system says.
        source: io::Error,
    },
    /// It runs no JVM.
    #[error("process {0} is no Java program")]
    NoJvm(u32),
    /// It is not being recorded.
    #[error("process {0} is not being recorded: it was started without jinsi's agent")]
    NoAgent(u32),
    /// The JVM did not open its socket, or answer, in time.
    #[error(
        "the JVM of process {0} does not answer; was it started with -XX:+DisableAttachMechanism?"
    )]
    Silent(u32),
    /// The JVM or the agent refused.
    #[error("process {pid} refused: {answer}")]
    Refused {
        /// Which one.
        pid: u32,
        /// What it said.
        answer: String,
    },
    /// The text is too long.
    #[error("the text may have {LONGEST} bytes, this one has {0}")]
    TooLong(usize),
    /// Talking to the JVM failed.
    #[error("cannot talk to the JVM of process {pid}: {source}")]
    Talk {
        /// Which one.
        pid: u32,
        /// What the operating system says.
        source: io::Error,
    },
}

/// Tells the agent in process `pid` that something is wrong now; `text` comes into the trace, which is kept.
///
/// # Errors
/// See [`AttachError`]. The program runs on as it was.
pub fn mark(pid: u32, text: &str) -> Result<(), AttachError> {
    if text.len() > LONGEST {
        return Err(AttachError::TooLong(text.len()));
    }
    let library = library(pid)?;
    let text = text.replace('\0', " ");
    let words = ["1", "load", &library, "true", &format!("mark={text}")];
    let request: Vec<u8> = words
        .iter()
        .flat_map(|word| word.bytes().chain([0]))
        .collect();
    let answer = ask(pid, &request)?;
    match is_granted(&answer) {
        true => Ok(()),
        false => Err(AttachError::Refused {
            pid,
            answer: answer.split_whitespace().collect::<Vec<_>>().join(" "),
        }),
    }
}

/// The first line is the JVM's own result; the last number is the agent's, "return code: 0" since Java 9.
fn is_granted(answer: &str) -> bool {
    let mut lines = answer.lines().map(str::trim).filter(|l| !l.is_empty());
    let first = lines.next();
    let last = lines.next_back().or(first);
    first == Some("0") && last.is_some_and(|l| l.rsplit(' ').next() == Some("0"))
}

/// Where the process has the agent's library, as it sees files itself.
fn library(pid: u32) -> Result<String, AttachError> {
    let map = fs::read_to_string(format!("/proc/{pid}/maps"))
        .map_err(|source| AttachError::Process { pid, source })?;
    let named = |name: &str| {
        let mut paths = map
            .lines()
            .filter_map(|line| line.find('/').map(|at| &line[at..]));
        paths.find(|path| path.ends_with(name)).map(str::to_owned)
    };
    if named("/libjvm.so").is_none() {
        return Err(AttachError::NoJvm(pid));
    }
    named("/libjinsi.so").ok_or(AttachError::NoAgent(pid))
}

/// Sends the request; what comes back.
fn ask(pid: u32, request: &[u8]) -> Result<String, AttachError> {
    let talk = |source| AttachError::Talk { pid, source };
    let mut socket = match UnixStream::connect(socket(pid)) {
        Ok(socket) => socket,
        Err(_) => awakened(pid)?,
    };
    socket.set_read_timeout(Some(PATIENCE)).map_err(talk)?;
    socket.write_all(request).map_err(talk)?;
    let mut answer = Vec::new();
    match socket.read_to_end(&mut answer) {
        Ok(_) => Ok(String::from_utf8_lossy(&answer).into_owned()),
        Err(e) if e.kind() == io::ErrorKind::WouldBlock => Err(AttachError::Silent(pid)),
        Err(e) => Err(talk(e)),
    }
}

/// Has the JVM open its socket.
fn awakened(pid: u32) -> Result<UnixStream, AttachError> {
    let talk = |source| AttachError::Talk { pid, source };
    let wish = Wish::made(pid).map_err(talk)?;
    let process = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let process = process.ok_or(AttachError::NoJvm(pid))?;
    kill_process(process, Signal::QUIT).map_err(|e| talk(e.into()))?;
    let asked = Instant::now();
    loop {
        if let Ok(stream) = UnixStream::connect(socket(pid)) {
            drop(wish);
            return Ok(stream);
        }
        if asked.elapsed() > PATIENCE {
            return Err(AttachError::Silent(pid));
        }
        thread::sleep(POLL);
    }
}

/// The file that tells a JVM, when it gets the signal, that somebody wants to attach. It is removed again.
struct Wish(PathBuf);

impl Wish {
    /// In the process' working directory or, if that cannot be written, in its `/tmp`.
    fn made(pid: u32) -> io::Result<Self> {
        let name = format!(".attach_pid{}", inner_pid(pid));
        let places = [format!("/proc/{pid}/cwd"), format!("/proc/{pid}/root/tmp")];
        let mut refused = None;
        for place in places {
            let path = Path::new(&place).join(&name);
            match File::create(&path) {
                Ok(_) => return Ok(Self(path)),
                Err(e) => refused = Some(e),
            }
        }
        Err(refused.unwrap_or_else(|| io::ErrorKind::NotFound.into()))
    }
}

impl Drop for Wish {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn socket(pid: u32) -> PathBuf {
    format!("/proc/{pid}/root/tmp/.java_pid{}", inner_pid(pid)).into()
}

/// The process' number as it knows it itself, which is another one in a container.
fn inner_pid(pid: u32) -> u32 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("NSpid:"));
    let inner = line.and_then(|l| l.split_whitespace().last()?.parse().ok());
    inner.unwrap_or(pid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        assert!(is_granted("0\nreturn code: 0\n"));
        assert!(is_granted("0\n0\n"));
        assert!(!is_granted("0\nreturn code: -1\n"));
        assert!(!is_granted("101\nAgent JAR not found\n"));
        assert!(!is_granted(""));
    }

    #[test]
    fn what_is_no_java_program_gets_no_signal() {
        let own = std::process::id();
        assert!(matches!(mark(own, ""), Err(AttachError::NoJvm(_))));
        let nobody = u32::MAX;
        assert!(matches!(mark(nobody, ""), Err(AttachError::Process { .. })));
        let long = "x".repeat(LONGEST + 1);
        assert!(matches!(mark(own, &long), Err(AttachError::TooLong(_))));
    }
}
