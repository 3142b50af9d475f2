//! Other bad ends of a recording: the program must print and end as without the agent, and what was recorded before must be readable.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use jinsi_ground::child::spawn;
use jinsi_trace::model::LossKind;
use jinsi_trace::reader::Trace;
use serde::Serialize;

use super::check::Reference;
use super::victim::{self, Start, Victim};

/// Steps of a worker: a second or two, and more than the room that some scenarios leave.
const STEPS: u64 = 40_000;
/// Microseconds that it pauses after each hundred.
const PAUSE: u64 = 1000;
/// Lines of a JVM's last words that are reported.
const LINES: usize = 6;
/// Time for one run.
const LIMIT: Duration = Duration::from_secs(60);
/// Room on the disk that gets full: more than buffers take that wait for a slow encoder, or it would be full before anything is promised.
const TMPFS: &str = "size=256m";
/// `ulimit -f`, in blocks of 512 bytes: less than any trace needs.
const BLOCKS: &str = "1024";

/// What came out of one.
#[derive(Debug, Default, Serialize)]
pub(super) struct Scenario {
    name: &'static str,
    /// Why it could not be tried; `null` if it was.
    skipped: Option<String>,
    /// Programs that ran.
    runs: usize,
    /// Events that were read.
    events_checked: u64,
    /// Steps that have to be in the trace and are not.
    lost: u64,
    /// Traces that have to be readable and are not.
    unreadable: usize,
    /// What the program did otherwise than without the agent; has to be nothing.
    noticed: Vec<String>,
    /// What is wrong with the trace; has to be nothing.
    trace: Vec<String>,
    /// What the trace itself says is missing, or why it cannot be read, if that is how it has to be.
    says: Vec<String>,
    /// What the agent printed.
    agent_said: Vec<String>,
}

/// What is done to the trace of a program that has taken some steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Harm {
    Delete,
    /// To so many bytes.
    Truncate(u64),
    /// So many bytes at its end are taken away.
    CutEnd(u64),
    /// The rest of its disk is taken.
    FillDisk,
    /// No file may get longer than it is now (`RLIMIT_FSIZE`, which raises SIGXFSZ).
    LimitSize,
}

/// How much of what was recorded is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    /// All of it, to the program's end.
    Everything,
    /// What was recorded before the harm, and perhaps more.
    Before,
    /// What somebody left of the file, if it can be read at all; what is missing is reported.
    Rest,
}

impl Harm {
    /// What has to be in the trace in the end.
    fn leaves(self) -> Left {
        match self {
            Harm::Delete => Left::Everything,
            Harm::FillDisk | Harm::LimitSize => Left::Before,
            Harm::Truncate(_) | Harm::CutEnd(_) => Left::Rest,
        }
    }

    /// Does it to the trace of the process.
    fn apply(self, pid: u32, trace: &Path) -> Result<()> {
        match self {
            Harm::Delete => Ok(fs::remove_file(trace)?),
            Harm::Truncate(length) => {
                let file = OpenOptions::new().write(true).open(trace)?;
                Ok(file.set_len(length)?)
            }
            Harm::CutEnd(bytes) => {
                let length = trace.metadata()?.len().saturating_sub(bytes);
                Harm::Truncate(length).apply(pid, trace)
            }
            Harm::FillDisk => fill(&trace.with_file_name("filler")),
            Harm::LimitSize => {
                let size = trace.metadata()?.len();
                let mut command = Command::new("prlimit");
                command.arg(format!("--pid={pid}"));
                said_well(command.arg(format!("--fsize={size}:{size}")))
            }
        }
    }
}

/// Tries all.
pub(super) fn all(victim: &Victim, reference: &Reference) -> Result<Vec<Scenario>> {
    let trial = Trial::new(victim, reference)?;
    let scenarios = [
        trial.full_disk(),
        trial.harmed("file size limit while running", Harm::LimitSize),
        trial.limited_from_start(),
        trial.harmed("trace deleted", Harm::Delete),
        trial.harmed("trace truncated to nothing", Harm::Truncate(0)),
        trial.harmed("trace truncated to 64 KiB", Harm::Truncate(64 << 10)),
        trial.harmed("last 64 KiB of the trace cut off", Harm::CutEnd(64 << 10)),
    ];
    scenarios.into_iter().collect()
}

impl Scenario {
    /// Did the program notice nothing, and is the trace as it has to be?
    pub(super) fn holds(&self) -> bool {
        self.noticed.is_empty() && self.trace.is_empty() && self.lost == 0 && self.unreadable == 0
    }
}

/// The program, and how it runs without the agent.
struct Trial<'a> {
    victim: &'a Victim,
    reference: &'a Reference,
    printed: [String; 2],
}

impl Trial<'_> {
    fn new<'a>(victim: &'a Victim, reference: &'a Reference) -> Result<Trial<'a>> {
        let directory = tempfile::tempdir()?;
        let mut child = victim.spawn(start(false), directory.path())?;
        let end = wait(&mut child)?;
        if end != ENDED_WELL {
            bail!("the program alone: {end}");
        }
        Ok(Trial {
            victim,
            reference,
            printed: victim::printed(directory.path()),
        })
    }

    /// The trace is on a file system that gets full while the program runs.
    fn full_disk(&self) -> Result<Scenario> {
        let name = "disk full while running";
        let directory = tempfile::tempdir()?;
        match Tmpfs::mount(directory.path().join("disk")) {
            Ok(disk) => self.judge(name, directory.path(), &disk.0, Some(Harm::FillDisk)),
            Err(why) => Ok(skipped(name, format!("{why:#}"))),
        }
    }

    /// No file may be as long as any trace is (`RLIMIT_FSIZE`, which raises SIGXFSZ).
    fn limited_from_start(&self) -> Result<Scenario> {
        let directory = tempfile::tempdir()?;
        let name = "file size limit from the start";
        self.judge(name, directory.path(), directory.path(), None)
    }

    /// Something is done to the trace while the program runs.
    fn harmed(&self, name: &'static str, harm: Harm) -> Result<Scenario> {
        let directory = tempfile::tempdir()?;
        self.judge(name, directory.path(), directory.path(), Some(harm))
    }

    /// Runs the program, does the harm when it has taken some steps, and sees what came of it. Without harm it is limited from its start,
    /// and has no trace.
    fn judge(
        &self,
        name: &'static str,
        directory: &Path,
        traces: &Path,
        harm: Option<Harm>,
    ) -> Result<Scenario> {
        let mut command = self.victim.command(start(true), directory, traces);
        if harm.is_none() {
            command = limited(&command, directory);
        }
        let mut child = spawn(&mut command, directory)?;
        let trace = victim::trace_of(child.id(), traces);
        let mut promised = Vec::new();
        if let Some(harm) = harm {
            work_until(&mut child, directory, STEPS / 10)?;
            promised = victim::progress(directory);
            if let Err(why) = harm.apply(child.id(), &trace) {
                child.kill()?;
                child.wait()?;
                return Ok(skipped(name, format!("{why:#}")));
            }
        }
        let end = wait(&mut child)?;
        let mut scenario = Scenario {
            name,
            runs: 1,
            noticed: self.noticed(&end, directory),
            agent_said: victim::agent_said(directory),
            ..Scenario::default()
        };
        match harm.map(Harm::leaves) {
            Some(Left::Everything) => {
                self.read(&mut scenario, &trace, &victim::progress(directory));
            }
            Some(Left::Before) => self.read(&mut scenario, &trace, &promised),
            Some(Left::Rest) => self.read_rest(&mut scenario, &trace),
            None => {}
        }
        Ok(scenario)
    }

    /// What the program did otherwise than without the agent.
    fn noticed(&self, end: &str, directory: &Path) -> Vec<String> {
        let mut noticed = Vec::new();
        if end != ENDED_WELL {
            noticed.push(end.to_owned());
        }
        let printed = victim::printed(directory);
        for (stream, (is, ought)) in ["stdout", "stderr"]
            .iter()
            .zip(printed.iter().zip(&self.printed))
        {
            if is != ought {
                let lines = is.lines().filter(|line| line.len() > 1);
                let first: Vec<&str> = lines.take(LINES).collect();
                noticed.push(format!("{stream} begins with {first:?}"));
            }
        }
        noticed
    }

    /// What is in the trace: all that was promised, and whatever follows in order.
    fn read(&self, scenario: &mut Scenario, trace: &Path, promised: &[u64]) {
        match Trace::open(trace) {
            Ok(trace) => {
                let found = self.reference.check(&trace, promised);
                scenario.events_checked = found.events;
                scenario.lost = found.lost;
                scenario.trace = found.wrong;
                let losses = trace.skipped().iter();
                let unwritten = losses.filter(|loss| loss.kind == LossKind::Unwritten);
                scenario.says = unwritten.map(|loss| loss.reason.clone()).collect();
                if trace.end().is_none() && scenario.says.is_empty() {
                    let why = "it could not be written to its end, and does not say so";
                    scenario.trace.push(why.to_owned());
                }
            }
            Err(e) => {
                scenario.unreadable = 1;
                scenario.trace.push(e.to_string());
            }
        }
    }

    /// What somebody left of the trace: it can be read as far as it goes and says what is missing, or that it is no trace any more.
    fn read_rest(&self, scenario: &mut Scenario, trace: &Path) {
        match Trace::open(trace) {
            Ok(read) => {
                scenario.events_checked = self.reference.check(&read, &[]).events;
                scenario.says = read.damage().iter().map(ToString::to_string).collect();
                if scenario.says.is_empty() {
                    let why = "it was cut, and does not say so";
                    scenario.trace.push(why.to_owned());
                }
                scenario.says.truncate(LINES);
            }
            Err(e) => {
                scenario.says.push(e.to_string());
                if let Err(why) = self.victim.refuses(trace) {
                    scenario.unreadable = 1;
                    scenario.trace.push(why.to_string());
                }
            }
        }
    }
}

/// The same command with a limit of the size of files.
fn limited(java: &Command, directory: &Path) -> Command {
    let mut command = Command::new("/bin/sh");
    command.current_dir(directory);
    // Words of the shell's command line, so that no path needs to be quoted.
    command.args(["-c", "ulimit -f \"$0\" && exec \"$@\"", BLOCKS]);
    command.arg(java.get_program()).args(java.get_args());
    command
}

fn start(agent: bool) -> Start {
    Start {
        steps: STEPS,
        pause: PAUSE,
        agent,
    }
}

fn skipped(name: &'static str, why: String) -> Scenario {
    Scenario {
        name,
        skipped: Some(why),
        ..Scenario::default()
    }
}

/// Waits until the first worker has so many steps behind it.
pub(crate) fn work_until(child: &mut Child, directory: &Path, steps: u64) -> Result<()> {
    let begin = Instant::now();
    while victim::progress(directory)
        .first()
        .is_none_or(|n| *n < steps)
    {
        if let Some(status) = child.try_wait()? {
            bail!(
                "the program ended early with {status}: {}",
                victim::printed(directory)[1]
            );
        }
        if begin.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            bail!(
                "the program did not take {steps} steps within {} s",
                LIMIT.as_secs()
            );
        }
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

/// Writes until there is no room.
fn fill(path: &Path) -> Result<()> {
    let mut file = File::create(path)?;
    let mut block = vec![1; 1 << 20];
    while !block.is_empty() {
        match file.write_all(&block) {
            Ok(()) => {}
            // What was written of the block stays; the rest is tried in smaller ones.
            Err(e) if e.kind() == ErrorKind::StorageFull => block.truncate(block.len() / 2),
            Err(e) => return Err(e.into()),
        }
    }
    Ok(())
}

/// Runs a command that says on stderr why it fails.
fn said_well(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .with_context(|| format!("cannot start {name}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{name}: {}", said.trim());
    Ok(())
}

/// The only good end.
const ENDED_WELL: &str = "exit status: 0";

/// How it ends; a program that does not is killed.
fn wait(child: &mut Child) -> Result<String> {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.to_string());
        }
        if begin.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            return Ok(format!("no end within {} s", LIMIT.as_secs()));
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// A small file system, taken away when dropped.
struct Tmpfs(PathBuf);

impl Tmpfs {
    fn mount(place: PathBuf) -> Result<Tmpfs> {
        fs::create_dir(&place)?;
        let mut command = Command::new("mount");
        command.args(["-t", "tmpfs", "-o", TMPFS, "none"]);
        said_well(command.arg(&place))?;
        Ok(Tmpfs(place))
    }
}

impl Drop for Tmpfs {
    fn drop(&mut self) {
        // If it cannot be taken away, the directory around it cannot either, and stays for the user to see.
        let _ = Command::new("umount").arg(&self.0).status();
    }
}
