//! Shuts in a process that runs somebody else's code: what a recorded program did once must never be done again.
//!
//! [`spawn`] starts a program that may read what [`Confinement`] names, write into its own directory alone, open no socket, start no
//! process, and take a bounded amount of memory, disk and threads. The operating system enforces that, so it does not matter what the code
//! is or how it comes to its calls. These parts work together:
//!
//! - Landlock decides about files by their place (`files`), and about TCP.
//! - Where the machine lets its users have one, a mount namespace in which all else is read-only keeps modes and times of other files (`view`).
//! - A system call filter (seccomp) takes away what Landlock does not know: sockets of all kinds, new processes, signals to others, owners of
//!   files, without that namespace also their modes and times, mounts, tracing, and shared memory that outlives a process (`calls`).
//! - Resource limits bound one process (`child`); what they cannot bound – the sum of its files, its threads – a thread of ours looks after
//!   (`keeper`).
//!
//! What stays open: a confined process sees names, sizes and times of files by `stat`, though not what is in them, and it can use processor time
//! until whoever started it ends it. It ends with the process that started it.
//!
//! This crate knows processes, not JVMs.

mod calls;
mod child;
mod files;
mod keeper;
#[cfg(feature = "testing")]
mod older;
pub mod places;
mod support;
mod view;

use std::io;
use std::path::PathBuf;
use std::process::{Child, Command};

#[cfg(feature = "testing")]
pub use older::without_landlock;
pub use support::{Support, support};

/// What a confined process may use.
#[derive(Clone, Debug)]
pub struct Confinement {
    /// Files, and directories with all below them, that it may read; programs and libraries below [`Self::programs`] need not be here. What does not
    /// exist is passed over.
    pub read: Vec<PathBuf>,
    /// Files and directories that it may read, and whose programs it may become.
    pub programs: Vec<PathBuf>,
    /// Directories in which it may make, change and remove files and directories. They have to exist, and belong to this process alone: what is
    /// in them is not to be trusted afterwards, but there are no links and no devices.
    pub write: Vec<PathBuf>,
    /// How much it may take.
    pub limits: Limits,
}

/// How much a confined process may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Memory of its own that it can write to, in bytes (`RLIMIT_DATA`): heap, stacks, and what its libraries allocate. Beyond it, allocating fails.
    pub memory: u64,
    /// Size of a file, in bytes (`RLIMIT_FSIZE`). Beyond it, writing fails.
    pub file: u64,
    /// Bytes in all of its directories together. It is ended soon after it takes more.
    pub disk: u64,
    /// Threads. It is ended soon after it has more.
    pub threads: u64,
}

/// Why a process was not started confined.
#[derive(Debug, thiserror::Error)]
pub enum ConfineError {
    /// The operating system cannot do it.
    #[error("{0}")]
    Unsupported(String),
    /// A directory that is to be written into cannot be opened, or the like.
    #[error("cannot set up the sandbox: {0}")]
    Rules(String),
    /// The process could not be started, or not be shut in and was therefore not started.
    #[error(transparent)]
    Start(#[from] io::Error),
}

/// Starts the program shut in. Its environment is what the caller put into `command`; descriptors other than its three streams are closed,
/// it is in a session of its own, and is killed if this process ends. It may change modes and times of its own
/// files only if its streams are pipes, `/dev/null`, or files without a name.
///
/// # Errors
/// See [`ConfineError`]; then nothing runs.
pub fn spawn(mut command: Command, confinement: &Confinement) -> Result<Child, ConfineError> {
    let support = support();
    if let Some(why) = support.missing() {
        return Err(ConfineError::Unsupported(why));
    }
    let files = files::ruleset(confinement)?;
    let view = view::View::of(&confinement.write);
    let filter = calls::filter()?;
    child::shut_in(&mut command, (view, files, filter), confinement.limits);
    keeper::spawn(command, confinement)
}
