//! A request to a JVM that runs, by HotSpot's attach mechanism: a file that says who wants something, a signal at which the JVM opens a socket, and
//! a request through that.
//!
//! It opens no port: the socket is a file that only the program's own user may use. The signal would end a program that is no JVM: look at
//! [`libraries`] first.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::local::Stream;

/// How often the socket is looked for.
const POLL: Duration = Duration::from_millis(20);

/// The files that the process has mapped, as it sees them itself: its libraries are among them.
///
/// # Errors
/// There is no such process, or it is another user's.
pub fn libraries(pid: u32) -> io::Result<Vec<String>> {
    let map = fs::read_to_string(format!("/proc/{pid}/maps"))?;
    let path = |line: &str| line.find('/').map(|at| line[at..].to_owned());
    Ok(map.lines().filter_map(path).collect())
}

/// Sends the request to the JVM with process number `pid`; what comes back. It may take `patience` to open its socket, and as long to answer.
///
/// # Errors
/// [`io::ErrorKind::TimedOut`] if the JVM is silent; others if talking to it fails.
pub fn ask(pid: u32, request: &[u8], patience: Duration) -> io::Result<Vec<u8>> {
    let mut socket = match Stream::connect(socket(pid)) {
        Ok(socket) => socket,
        Err(_) => awakened(pid, patience)?,
    };
    socket.set_read_timeout(Some(patience))?;
    socket.write_all(request)?;
    let mut answer = Vec::new();
    match socket.read_to_end(&mut answer) {
        Ok(_) => Ok(answer),
        Err(e) if e.kind() == io::ErrorKind::WouldBlock => Err(io::ErrorKind::TimedOut.into()),
        Err(e) => Err(e),
    }
}

/// Has the JVM open its socket.
fn awakened(pid: u32, patience: Duration) -> io::Result<Stream> {
    let process = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let process = process.ok_or(io::ErrorKind::NotFound)?;
    let wish = Wish::made(pid)?;
    kill_process(process, Signal::QUIT)?;
    let asked = Instant::now();
    loop {
        if let Ok(stream) = Stream::connect(socket(pid)) {
            drop(wish);
            return Ok(stream);
        }
        if asked.elapsed() > patience {
            return Err(io::ErrorKind::TimedOut.into());
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
