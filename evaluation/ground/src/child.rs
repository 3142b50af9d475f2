//! Runs one JVM, and looks at the time and the memory that it takes.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use jinsi_platform::process::kill_with_descendants;
use serde::Serialize;

use crate::files::bytes_below;

/// How often it is asked whether the program has ended: the error of its wall time.
const POLL: Duration = Duration::from_millis(1);
/// Every so many of these, its memory is looked at …
const MEMORY: u32 = 10;
/// … and the size of what it wrote.
const DISK: u32 = 250;

/// What a run may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Wall time.
    pub time: Duration,
    /// Bytes in its directory.
    pub disk: u64,
}

/// Peaks of the memory that a process had in use, in KiB, as `/proc` has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// `VmHWM`: of all memory, seen by the kernel.
    pub peak_kib: u64,
    /// `RssAnon`: of memory that no file is behind, seen at some instant.
    pub anonymous_kib: u64,
    /// `RssFile` and `RssShmem`: of mapped files, seen at some instant.
    pub mapped_kib: u64,
}

/// A run.
pub struct Run {
    /// What it printed.
    pub stdout: String,
    /// What it printed as errors.
    pub stderr: String,
    /// From the start of the process until it was gone.
    pub whole: Duration,
    /// Peaks of its memory.
    pub memory: Memory,
    /// How it ended.
    pub end: Ending,
}

/// How a run ended.
pub enum Ending {
    /// By itself.
    Exited(ExitStatus),
    /// Its limit was reached.
    Stopped(String),
}

/// Starts a command. What it prints goes into the files `stdout` and `stderr` in a directory.
pub fn spawn(command: &mut Command, directory: &Path) -> Result<Child> {
    command
        .stdin(Stdio::null())
        .stdout(File::create(directory.join("stdout"))?)
        .stderr(File::create(directory.join("stderr"))?);
    command.spawn().context("cannot start java")
}

/// Runs a command to its end or a limit. What it prints goes into files in its directory.
pub fn run(command: &mut Command, directory: &Path, limits: Limits) -> Result<Run> {
    let start = Instant::now();
    let mut child = spawn(command, directory)?;
    let (end, memory) = watch(&mut child, directory, start, limits)?;
    Ok(Run {
        whole: start.elapsed(),
        stdout: text(&directory.join("stdout"))?,
        stderr: text(&directory.join("stderr"))?,
        memory,
        end,
    })
}

fn watch(
    child: &mut Child,
    directory: &Path,
    start: Instant,
    limits: Limits,
) -> Result<(Ending, Memory)> {
    let mut memory = Memory::default();
    let mut round = 0_u32;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((Ending::Exited(status), memory));
        }
        if round.is_multiple_of(MEMORY) {
            memory.look_at(child.id());
        }
        let full = round % DISK == DISK - 1 && bytes_below(directory) > limits.disk;
        if full || start.elapsed() > limits.time {
            // `jinsi record` has started a JVM.
            kill_with_descendants(child.id());
            child.wait()?;
            let why = if full {
                format!("it wrote more than {} bytes", limits.disk)
            } else {
                format!("it took more than {} s", limits.time.as_secs())
            };
            return Ok((Ending::Stopped(why), memory));
        }
        thread::sleep(POLL);
        round = round.wrapping_add(1);
    }
}

impl Memory {
    /// Takes in what `/proc` says now; nothing if the process is gone.
    fn look_at(&mut self, pid: u32) {
        self.take_in(&status(&pid.to_string()));
    }

    fn take_in(&mut self, status: &str) {
        let value = |key| kib(status, key);
        let peak = |old: &mut u64, now: Option<u64>| *old = (*old).max(now.unwrap_or(0));
        peak(&mut self.peak_kib, value("VmHWM:"));
        peak(&mut self.anonymous_kib, value("RssAnon:"));
        let mapped = value("RssFile:")
            .zip(value("RssShmem:"))
            .map(|(a, b)| a + b);
        peak(&mut self.mapped_kib, mapped);
    }
}

/// What `/proc` says of a process, by its number or as `self` (proc(5)); nothing if it is gone.
fn status(process: &str) -> String {
    fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default()
}

/// A figure of a status.
fn kib(status: &str, key: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim_end_matches("kB").trim().parse().ok()
}

/// Bytes of the memory of a process that are resident now (`VmRSS:`), or were at most (`VmHWM:`); `None` if it is gone.
pub fn memory_of(process: &str, key: &str) -> Option<u64> {
    Some(kib(&status(process), key)? << 10)
}

fn text(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOMY: Limits = Limits {
        time: Duration::from_secs(60),
        disk: 1 << 30,
    };

    #[test]
    fn peaks_stay() {
        let mut memory = Memory::default();
        memory.take_in("VmHWM:\t  50 kB\nRssAnon:\t 30 kB\nRssFile:\t 15 kB\nRssShmem:\t 5 kB\n");
        memory.take_in("VmHWM:\t  60 kB\nRssAnon:\t 20 kB\nRssFile:\t 25 kB\nRssShmem:\t 5 kB\n");
        memory.take_in("");
        let expected = Memory {
            peak_kib: 60,
            anonymous_kib: 30,
            mapped_kib: 30,
        };
        assert_eq!(memory, expected);
    }

    #[test]
    fn output_status_and_memory_are_kept() {
        let directory = tempfile::tempdir().unwrap();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "echo out; echo err >&2; sleep 0.05; exit 3"]);
        let run = run(&mut command, directory.path(), ROOMY).unwrap();
        assert_eq!(
            (run.stdout.as_str(), run.stderr.as_str()),
            ("out\n", "err\n")
        );
        assert!(matches!(run.end, Ending::Exited(status) if status.code() == Some(3)));
        assert!(run.memory.peak_kib > 0 && run.whole >= Duration::from_millis(50));
    }

    #[test]
    fn limits_stop_it() {
        let directory = tempfile::tempdir().unwrap();
        let stopped = |script: &str, limits| {
            let mut command = Command::new("/bin/sh");
            command.current_dir(directory.path()).args(["-c", script]);
            match run(&mut command, directory.path(), limits).unwrap().end {
                Ending::Stopped(why) => why,
                Ending::Exited(status) => panic!("{status}"),
            }
        };
        let short = Limits {
            time: Duration::ZERO,
            ..ROOMY
        };
        assert_eq!(stopped("exec sleep 60", short), "it took more than 0 s");
        let small = Limits { disk: 9, ..ROOMY };
        let script = "echo 0123456789 > f; exec sleep 60";
        assert_eq!(stopped(script, small), "it wrote more than 9 bytes");
    }
}
