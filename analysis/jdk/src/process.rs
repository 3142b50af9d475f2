//! Starts a program, waits for it with a time limit, hands back what it printed.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use jinsi_platform::process::{in_our_care, kill_group};

/// How often a running program is looked after: short against the start of a JVM, and no load.
const POLL: Duration = Duration::from_millis(5);

/// A program that has ended.
#[derive(Debug)]
pub struct Finished {
    /// Its exit status; a signal's number if one ended it.
    pub status: ExitStatus,
    /// Its standard output; bytes that are not UTF-8 are replaced.
    pub stdout: String,
    /// Its standard error stream; bytes that are not UTF-8 are replaced.
    pub stderr: String,
}

/// Why a program could not be run to its end.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// It does not exist, is not executable, or the like.
    #[error("cannot start {}: {source}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// It was ended because it ran too long.
    #[error("{} did not end within {} s", program.display(), limit.as_secs())]
    TimedOut {
        /// The program.
        program: PathBuf,
        /// How long it was given.
        limit: Duration,
    },
    /// Its output could not be kept.
    #[error("cannot keep the output of {}: {source}", program.display())]
    Output {
        /// The program.
        program: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
}

/// Runs a program to its end, its standard input closed, its output kept; ends it after `limit`.
///
/// The output goes through unnamed files, so that a program which prints much never waits for the reader.
pub fn run(command: &mut Command, limit: Duration) -> Result<Finished, ProcessError> {
    run_to_end(command, limit, |child| child.kill())
}

/// The same for a program that is not ours, and may do anything: what it has started ends with it, and all of it with this command.
pub fn run_with_descendants(
    command: &mut Command,
    limit: Duration,
) -> Result<Finished, ProcessError> {
    run_to_end(in_our_care(command), limit, |child| {
        kill_group(child.id());
        Ok(())
    })
}

fn run_to_end(
    command: &mut Command,
    limit: Duration,
    end: impl Fn(&mut Child) -> io::Result<()>,
) -> Result<Finished, ProcessError> {
    let program = PathBuf::from(command.get_program());
    let output_error = |source| ProcessError::Output {
        program: program.clone(),
        source,
    };
    let mut stdout = tempfile::tempfile().map_err(output_error)?;
    let mut stderr = tempfile::tempfile().map_err(output_error)?;
    let mut child = command
        .stdin(Stdio::null())
        .stdout(stdout.try_clone().map_err(output_error)?)
        .stderr(stderr.try_clone().map_err(output_error)?)
        .spawn()
        .map_err(|source| ProcessError::Start {
            program: program.clone(),
            source,
        })?;
    let status = wait(&mut child, limit, end)
        .map_err(output_error)?
        .ok_or_else(|| ProcessError::TimedOut {
            program: program.clone(),
            limit,
        })?;
    Ok(Finished {
        status,
        stdout: text_of(&mut stdout).map_err(output_error)?,
        stderr: text_of(&mut stderr).map_err(output_error)?,
    })
}

/// Waits for a child; `None` if it had to be ended.
fn wait(
    child: &mut Child,
    limit: Duration,
    end: impl Fn(&mut Child) -> io::Result<()>,
) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= limit {
            end(child)?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}

fn text_of(file: &mut File) -> io::Result<String> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_both_streams_and_the_status() {
        let finished = run(
            Command::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]),
            Duration::from_secs(60),
        )
        .unwrap();
        assert_eq!(finished.stdout, "out\n");
        assert_eq!(finished.stderr, "err\n");
        assert_eq!(finished.status.code(), Some(3));
    }

    #[test]
    fn more_output_than_a_pipe_holds_does_not_block() {
        let finished = run(
            Command::new("sh").args(["-c", "head -c 1000000 /dev/zero"]),
            Duration::from_secs(60),
        )
        .unwrap();
        assert_eq!(finished.stdout.len(), 1_000_000);
    }

    #[test]
    fn an_endless_program_is_ended() {
        let result = run(Command::new("sleep").arg("1000"), Duration::from_millis(20));
        assert!(
            matches!(result, Err(ProcessError::TimedOut { .. })),
            "{result:?}"
        );
    }

    #[test]
    fn what_an_endless_program_has_started_ends_with_it() {
        let directory = tempfile::tempdir().unwrap();
        let started = directory.path().join("pid");
        let script = format!("sleep 1000 & echo $! > {}; wait", started.display());
        let result = run_with_descendants(
            Command::new("sh").args(["-c", &script]),
            Duration::from_millis(500),
        );
        assert!(
            matches!(result, Err(ProcessError::TimedOut { .. })),
            "{result:?}"
        );
        let pid = std::fs::read_to_string(started).unwrap();
        let state = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
            stat.unwrap_or_default()
        };
        while !state().is_empty() && !state().contains(") Z ") {
            thread::yield_now();
        }
    }

    #[test]
    fn a_missing_program_is_named() {
        let error = run(&mut Command::new("/nowhere/java"), Duration::from_secs(1)).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("cannot start /nowhere/java: "),
            "{error}"
        );
    }
}
