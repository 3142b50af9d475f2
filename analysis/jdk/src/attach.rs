//! A word to the agent in a running program, by HotSpot's attach mechanism (`jinsi_platform::attach`): the request to load the agent's library,
//! which is loaded already and so only takes the options.
//!
//! What wakes a JVM up would end a program that is none, so it is looked at first which libraries the process has.

use std::io;
use std::time::Duration;

use jinsi_platform::attach;

/// How long the JVM may take to open its socket, and to answer: it does so when all threads stand still.
const PATIENCE: Duration = Duration::from_secs(20);
/// Longest text: the JVM takes 1,024 bytes a word of a request.
const LONGEST: usize = 900;

/// Why a program was not reported.
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
    /// There is no such process.
    #[error("there is no process {0}; 'jps' lists the Java programs that run")]
    NoProcess(u32),
    /// It runs no JVM.
    #[error("process {0} is no Java program")]
    NoJvm(u32),
    /// It is not being recorded.
    #[error(
        "process {0} is not being recorded: it was started without jinsi's agent (jinsi record -- java …)"
    )]
    NoAgent(u32),
    /// The JVM did not open its socket, or answer, in time.
    #[error(
        "the JVM of process {0} does not answer; was it started with -XX:+DisableAttachMechanism?"
    )]
    Silent(u32),
    /// The JVM or the agent refused.
    #[error("process {pid} refused, and says why on its standard error: {answer}")]
    Refused {
        /// Which one.
        pid: u32,
        /// What it said.
        answer: String,
    },
    /// The text is too long.
    #[error("the note has {0} bytes; at most {LONGEST} are allowed")]
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
    tell(pid, &format!("mark={}", text.replace('\0', " ")))
}

/// Has the agent in process `pid`, which waits for a failure (`arm=failure`), begin a recording now: for so many seconds, or for as long as its
/// options say.
///
/// # Errors
/// See [`AttachError`]. The program runs on as it was.
pub fn arm(pid: u32, seconds: Option<u64>) -> Result<(), AttachError> {
    let seconds = seconds.map_or_else(String::new, |seconds| seconds.to_string());
    tell(pid, &format!("arm={seconds}"))
}

/// Gives the agent in process `pid` these options.
fn tell(pid: u32, options: &str) -> Result<(), AttachError> {
    let library = library(pid)?;
    let words = ["1", "load", &library, "true", options];
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
    let libraries = attach::libraries(pid).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => AttachError::NoProcess(pid),
        _ => AttachError::Process { pid, source },
    })?;
    let named = |name: &str| libraries.iter().find(|path| path.ends_with(name));
    if named("/libjvm.so").is_none() {
        return Err(AttachError::NoJvm(pid));
    }
    named("/libjinsi.so")
        .cloned()
        .ok_or(AttachError::NoAgent(pid))
}

/// Sends the request; what comes back.
fn ask(pid: u32, request: &[u8]) -> Result<String, AttachError> {
    match attach::ask(pid, request, PATIENCE) {
        Ok(answer) => Ok(String::from_utf8_lossy(&answer).into_owned()),
        Err(e) if e.kind() == io::ErrorKind::TimedOut => Err(AttachError::Silent(pid)),
        Err(source) => Err(AttachError::Talk { pid, source }),
    }
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
        assert!(matches!(mark(nobody, ""), Err(AttachError::NoProcess(_))));
        let long = "x".repeat(LONGEST + 1);
        assert!(matches!(mark(own, &long), Err(AttachError::TooLong(_))));
    }
}
