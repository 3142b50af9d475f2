//! Runs a command, and watches all processes that come of it while it runs.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use jinsi_platform::process::exit_status;

use super::files::{files_below, fillers};

/// How often a command is looked after.
const POLL: Duration = Duration::from_millis(20);
/// Each so many times all its processes are looked at, and the disk.
const LOOKS: u32 = 5;
/// Time in which what a command started has to end after it.
const GRACE: Duration = Duration::from_secs(4);
/// Bytes of a page of memory.
const PAGE: u64 = 4096;

/// What a command may take; one that takes more is stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Memory of all its processes together, in bytes.
    pub(super) memory: u64,
    /// Their threads.
    pub(super) threads: u64,
    /// Bytes in its directories and in those of temporary files.
    pub(super) disk: u64,
    /// Time until it is stopped.
    pub(super) time: Duration,
    /// Is it an effect if it has to be stopped then?
    pub(super) has_to_end: bool,
}

/// What was seen of a command.
#[derive(Debug)]
pub(super) struct Watched {
    /// How it ended.
    pub(super) status: ExitStatus,
    /// Was it stopped because its time was over?
    pub(super) late: bool,
    /// Most that all its processes had at a time.
    pub(super) memory: u64,
    pub(super) threads: u64,
    pub(super) disk: u64,
    /// Processes that went on after it.
    left: Vec<String>,
}

impl Watched {
    /// Did it have to be stopped?
    pub(super) fn stopped(&self, bounds: Bounds) -> bool {
        self.late
            || self.memory > bounds.memory
            || self.threads > bounds.threads
            || self.disk > bounds.disk
    }

    /// What of this may not be.
    pub(super) fn effects(&self, bounds: Bounds) -> Vec<String> {
        let mut effects = Vec::new();
        if self.memory > bounds.memory {
            effects.push(format!("{} MiB of memory", self.memory >> 20));
        }
        if self.threads > bounds.threads {
            effects.push(format!("{} threads", self.threads));
        }
        if self.disk > bounds.disk {
            effects.push(format!("{} MiB on the disk", self.disk >> 20));
        }
        if self.late && bounds.has_to_end {
            effects.push(format!("did not end in {} s", bounds.time.as_secs()));
        }
        effects.extend(self.left.iter().map(|p| format!("left running: {p}")));
        // Those that are documented: done, and did not work out.
        if !self.stopped(bounds) && !matches!(self.status.code(), Some(0 | 1)) {
            effects.push(format!("ended with {}", self.status));
        }
        effects
    }

    /// Did it do what it was asked to?
    pub(super) fn worked(&self) -> bool {
        self.status.code() == Some(0)
    }
}

/// Runs a command with its output in files; `directories` are those in which it may use the disk, and files anywhere whose names begin with
/// `filler` count as well.
pub(super) fn watch(
    command: &mut Command,
    output: &Path,
    directories: &[&Path],
    filler: &str,
    bounds: Bounds,
) -> Result<Watched> {
    command
        .stdin(Stdio::null())
        .stdout(File::create(output.join("stdout"))?)
        .stderr(File::create(output.join("stderr"))?);
    let disk_before = used(directories, filler);
    let mut child = command.spawn().context("cannot start jinsi")?;
    let begin = Instant::now();
    let mut tree = Tree::new(child.id());
    let mut watched = Watched {
        status: exit_status(0),
        late: false,
        memory: 0,
        threads: 0,
        disk: 0,
        left: Vec::new(),
    };
    for poll in 0u32.. {
        if let Some(status) = child.try_wait()? {
            watched.status = status;
            break;
        }
        if poll.is_multiple_of(LOOKS) {
            let (memory, threads) = tree.look();
            watched.memory = watched.memory.max(memory);
            watched.threads = watched.threads.max(threads);
            let disk = used(directories, filler).saturating_sub(disk_before);
            watched.disk = watched.disk.max(disk);
        }
        watched.late = begin.elapsed() > bounds.time;
        if watched.stopped(bounds) {
            watched.status = stop(&mut child, &mut tree, watched.late)?;
            break;
        }
        thread::sleep(POLL);
    }
    watched.left = tree.left();
    Ok(watched)
}

/// Ends the command as its user would; if it has taken too much, all of its processes at once.
fn stop(child: &mut Child, tree: &mut Tree, politely: bool) -> Result<ExitStatus> {
    if politely {
        signal("TERM", child.id());
    } else {
        tree.kill();
    }
    let deadline = Instant::now() + GRACE;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        tree.look();
        thread::sleep(POLL);
    }
    child.kill()?;
    Ok(child.wait()?)
}

fn signal(name: &str, pid: u32) {
    // It may have ended by now.
    let _ = Command::new("kill")
        .args([format!("-{name}"), pid.to_string()])
        .stderr(Stdio::null())
        .status();
}

/// Bytes in directories, and in files with a name.
fn used(directories: &[&Path], filler: &str) -> u64 {
    let below = directories
        .iter()
        .flat_map(|d| files_below(d).unwrap_or_default());
    let files: Vec<PathBuf> = below.chain(fillers(filler)).collect();
    files
        .iter()
        .filter_map(|file| fs::symlink_metadata(file).ok())
        .map(|of| of.len())
        .sum()
}

/// The processes that come of one: those whose parent is known, and all that ever were.
struct Tree {
    root: u32,
    /// When each was started, which tells it from a later one of its number, and its name.
    known: BTreeMap<u32, (u64, String)>,
}

/// A process as the system tells it (proc(5), `/proc/PID/stat`).
struct Process {
    pid: u32,
    parent: u32,
    name: String,
    dead: bool,
    threads: u64,
    start: u64,
    /// Pages of memory.
    pages: u64,
}

impl Tree {
    fn new(root: u32) -> Self {
        Self {
            root,
            known: BTreeMap::new(),
        }
    }

    /// Looks who there is; memory in bytes, and threads.
    fn look(&mut self) -> (u64, u64) {
        let all = processes();
        let by_pid: BTreeMap<u32, &Process> = all.iter().map(|p| (p.pid, p)).collect();
        let (mut memory, mut threads) = (0, 0);
        for process in &all {
            let mut at = process;
            // A chain of parents is short, and ends at process 1.
            let belongs = loop {
                if at.pid == self.root || self.is_known(at) {
                    break true;
                }
                match by_pid.get(&at.parent) {
                    Some(parent) if at.pid != at.parent => at = parent,
                    _ => break false,
                }
            };
            if belongs {
                memory += process.pages * PAGE;
                threads += process.threads;
                let entry = (process.start, process.name.clone());
                self.known.insert(process.pid, entry);
            }
        }
        (memory, threads)
    }

    fn is_known(&self, process: &Process) -> bool {
        self.known
            .get(&process.pid)
            .is_some_and(|(start, _)| *start == process.start)
    }

    /// Those that still run.
    fn running(&mut self) -> Vec<Process> {
        self.look();
        let mut all = processes();
        all.retain(|p| self.is_known(p) && !p.dead);
        all
    }

    fn kill(&mut self) {
        for process in self.running() {
            signal("KILL", process.pid);
        }
    }

    /// Those that do not end after the command, by name; they are ended.
    fn left(&mut self) -> Vec<String> {
        let deadline = Instant::now() + GRACE;
        while !self.running().is_empty() && Instant::now() < deadline {
            thread::sleep(POLL);
        }
        let left = self.running().into_iter().map(|p| p.name).collect();
        self.kill();
        left
    }
}

fn processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|e| e.file_name().to_str()?.parse().ok());
    pids.filter_map(process).collect()
}

fn process(pid: u32) -> Option<Process> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name is in parentheses, and may hold some.
    let (head, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |at: usize| fields.get(at)?.parse().ok();
    Some(Process {
        pid,
        name: head.split_once('(')?.1.to_owned(),
        dead: matches!(*fields.first()?, "Z" | "X"),
        parent: number(1)? as u32,
        threads: number(17)?,
        start: number(19)?,
        pages: number(21)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds() -> Bounds {
        Bounds {
            memory: 1 << 30,
            threads: 100,
            disk: 1 << 20,
            time: Duration::from_secs(60),
            has_to_end: true,
        }
    }

    fn watched(script: &str, bounds: Bounds) -> Vec<String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(path);
        let filler = "no such file";
        watch(&mut command, path, &[path], filler, bounds)
            .unwrap()
            .effects(bounds)
    }

    #[test]
    fn what_ends_well_has_no_effects() {
        assert_eq!(watched("exit 1", bounds()), [""; 0]);
    }

    #[test]
    fn other_endings_are_effects() {
        assert_eq!(watched("exit 7", bounds()), ["ended with exit status: 7"]);
        assert_eq!(
            watched("kill -9 $$", bounds()),
            ["ended with signal: 9 (SIGKILL)"]
        );
        let bounds = Bounds {
            time: Duration::from_millis(50),
            ..bounds()
        };
        assert_eq!(watched("exec sleep 60", bounds), ["did not end in 0 s"]);
    }

    #[test]
    fn what_goes_on_is_found_and_ended() {
        assert_eq!(
            watched("sleep 60 & sleep 0.3", bounds()),
            ["left running: sleep"]
        );
    }

    #[test]
    fn too_much_is_stopped() {
        let script = "head -c 3000000 /dev/zero > file; sleep 60";
        // It may be looked at while the file grows.
        let effects = watched(script, bounds());
        assert!(
            ["1 MiB on the disk", "2 MiB on the disk"].contains(&effects[0].as_str()),
            "{effects:?}"
        );
        let bounds = Bounds {
            threads: 2,
            ..bounds()
        };
        let script = "sleep 60 & sleep 60 & sleep 60 & wait";
        let effects = watched(script, bounds);
        assert!(
            ["3 threads", "4 threads"].contains(&effects[0].as_str()),
            "{effects:?}"
        );
    }
}
