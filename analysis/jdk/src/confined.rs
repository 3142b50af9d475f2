//! JVMs that run recorded or written code, shut in by the operating system (`jinsi_confine`).
//!
//! Such a JVM reads its JDK, what it is instructed to load, and its own directories; it writes into its own directories alone, reaches no network and starts
//! no process. What it had around it is empty: no environment, a home of its own.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use jinsi_confine::places::{LIBRARIES, MACHINE};
use jinsi_confine::{ConfineError, Confinement, Limits};
use jinsi_platform::process::{machine_memory, own_group};
use jinsi_platform::space::free_at;

use crate::linked;

/// Is code shut in that jinsi runs?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Walls {
    /// By the operating system; where that cannot do it nothing is run.
    #[default]
    Confined,
    /// Not at all: it has the rights of whoever runs jinsi. For machines that cannot do better, and traces whose origin one would trust with
    /// a program.
    Unconfined,
}

impl Walls {
    /// An error, unless code can be shut in here or need not be.
    ///
    /// # Errors
    /// [`ConfineError::Unsupported`].
    pub fn check(self) -> Result<(), ConfineError> {
        match (self, jinsi_confine::support().missing()) {
            (Walls::Confined, Some(why)) => Err(ConfineError::Unsupported(why)),
            _ => Ok(()),
        }
    }
}

/// What a JVM works with.
#[derive(Debug)]
pub struct Workplace<'a> {
    /// Its launcher.
    pub java: &'a Path,
    /// Its own directory, which is there: home, place of temporary files, and best its working directory.
    pub home: &'a Path,
    /// Further directories of its own.
    pub write: &'a [PathBuf],
    /// Classes, jars, agents: what it may read.
    pub read: &'a [PathBuf],
    /// Bytes that it may write.
    pub disk: u64,
}

/// Bytes that a JVM may write which runs tests.
pub const DISK_OF_TESTS: u64 = 1 << 30;
/// Threads a JVM may have; a replay has one for each recorded one.
const THREADS: u64 = 8_192;
/// Memory that a JVM may have in any case, in bytes.
const LEAST_MEMORY: u64 = 4 << 30;
/// Directories of a JDK that are looked into for links to elsewhere, and how deep.
const LINKED: [&str; 3] = ["bin", "conf", "lib"];
const DEPTH: u32 = 4;

/// Options by which a JVM takes its own directory for all that it else finds in its user's surroundings.
pub fn options(home: &Path) -> [String; 3] {
    let home = home.display();
    [
        format!("-Duser.home={home}"),
        format!("-Djava.io.tmpdir={home}"),
        // A file outside, for tools that look at JVMs.
        "-XX:-UsePerfData".to_owned(),
    ]
}

/// Starts the JVM that `command` starts. Behind walls it has no environment but the locale that file names need.
///
/// # Errors
/// [`ConfineError`].
pub fn spawn(
    mut command: Command,
    walls: Walls,
    workplace: &Workplace<'_>,
) -> Result<Child, ConfineError> {
    if walls == Walls::Unconfined {
        // Ctrl-C is for us: it is no outcome of a test.
        return Ok(own_group(&mut command).spawn()?);
    }
    command
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .env("HOME", workplace.home)
        .env("TMPDIR", workplace.home);
    let jdk = home_of(workplace.java)?;
    let mut read = links_of(&jdk);
    read.extend(MACHINE.iter().map(PathBuf::from));
    read.extend_from_slice(workplace.read);
    let mut programs: Vec<PathBuf> = LIBRARIES.iter().map(PathBuf::from).collect();
    programs.push(jdk);
    programs.extend(linked::directories(workplace.java));
    let mut write = workplace.write.to_vec();
    write.push(workplace.home.to_owned());
    jinsi_confine::spawn(
        command,
        &Confinement {
            read,
            programs,
            write,
            limits: Limits {
                memory: LEAST_MEMORY.max(machine_memory() / 2),
                file: workplace.disk,
                disk: workplace.disk,
                threads: THREADS,
            },
        },
    )
}

/// Half of what is free on the disk of a directory, for a JVM that records there.
pub fn half_of_the_disk(directory: &Path) -> u64 {
    free_at(directory).map_or(DISK_OF_TESTS, |free| free / 2)
}

/// The JDK of a launcher.
fn home_of(java: &Path) -> io::Result<PathBuf> {
    let java = java.canonicalize().map_err(|e| {
        let text = format!("{}: {e}", java.display());
        io::Error::new(e.kind(), text)
    })?;
    match java.parent().and_then(Path::parent) {
        Some(home) => Ok(home.to_owned()),
        None => Ok(java),
    }
}

/// What the links in a JDK lead to outside of it: a distribution keeps its settings and certificates elsewhere.
fn links_of(jdk: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for directory in LINKED {
        collect_links(&jdk.join(directory), jdk, DEPTH, &mut found);
    }
    found
}

fn collect_links(directory: &Path, jdk: &Path, depth: u32, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_symlink() {
            let target = entry.path().canonicalize().ok();
            found.extend(target.filter(|target| !target.starts_with(jdk)));
        } else if kind.is_dir() && depth > 0 {
            collect_links(&entry.path(), jdk, depth - 1, found);
        }
    }
}
