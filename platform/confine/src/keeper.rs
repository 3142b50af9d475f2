//! Starts confined processes, and ends those that take more than resource limits can bound.
//!
//! All are started by one thread, which lives as long as this process: the kernel ends a confined process with the *thread* that started it
//! (`PR_SET_PDEATHSIG`).

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use crate::{ConfineError, Confinement, Limits};

/// How often processes are looked after.
const PERIOD: Duration = Duration::from_millis(100);
/// Directories deeper than this are not looked into: whatever makes them takes more than it may.
const DEPTH: u32 = 64;

/// What a file or directory takes at least, in bytes: however empty, the disk has room for so many only.
const LEAST: u64 = 4_096;

/// A process to be started.
struct Order {
    command: Command,
    write: Vec<PathBuf>,
    limits: Limits,
    answer: Sender<io::Result<Child>>,
}

/// A process that runs.
struct Kept {
    /// Stands for the process, whatever becomes of its number.
    handle: OwnedFd,
    pid: u32,
    write: Vec<PathBuf>,
    limits: Limits,
}

/// Has the keeper's thread start the program.
pub(crate) fn spawn(command: Command, confinement: &Confinement) -> Result<Child, ConfineError> {
    static KEEPER: OnceLock<Option<Mutex<Sender<Order>>>> = OnceLock::new();
    let keeper = KEEPER.get_or_init(|| {
        let (orders, taken) = channel();
        let thread = thread::Builder::new().name("jinsi-keeper".to_owned());
        thread.spawn(move || keep(&taken)).ok()?;
        Some(Mutex::new(orders))
    });
    let gone = || io::Error::other("no thread can be started");
    let (answer, answered) = channel();
    let order = Order {
        command,
        write: confinement.write.clone(),
        limits: confinement.limits,
        answer,
    };
    let keeper = keeper.as_ref().ok_or_else(gone)?;
    let sent = keeper
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .send(order);
    sent.map_err(|_| gone())?;
    Ok(answered.recv().map_err(|_| gone())??)
}

fn keep(orders: &Receiver<Order>) {
    let mut kept: Vec<Kept> = Vec::new();
    loop {
        let order = match kept.is_empty() {
            true => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => orders.recv_timeout(PERIOD),
        };
        match order {
            Ok(order) => kept.extend(start(order)),
            Err(RecvTimeoutError::Timeout) => kept.retain(look_after),
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn start(mut order: Order) -> Option<Kept> {
    let started = order.command.spawn();
    // What the order had open for the child is not needed any more; nor is a process of which nobody hears.
    let child = match started.and_then(|child| handle(child.id()).map(|handle| (child, handle))) {
        Ok(child) => child,
        Err(error) => {
            let _ = order.answer.send(Err(error));
            return None;
        }
    };
    let (child, handle) = child;
    let pid = child.id();
    let kept = Kept {
        handle,
        pid,
        write: order.write,
        limits: order.limits,
    };
    match order.answer.send(Ok(child)) {
        Ok(()) => Some(kept),
        Err(_) => {
            end(&kept);
            None
        }
    }
}

/// Ends the process if it takes too much. False if there is nothing more to look after.
fn look_after(kept: &Kept) -> bool {
    let Some(threads) = threads(kept.pid).filter(|_| lives(kept)) else {
        return false;
    };
    let mut left = kept.limits.disk;
    let mut fit = || {
        kept.write
            .iter()
            .all(|directory| fits(directory, DEPTH, &mut left))
    };
    if threads > kept.limits.threads || !fit() {
        end(kept);
        return false;
    }
    true
}

/// Takes what is below the directory from `left`; false if there is more.
fn fits(directory: &Path, depth: u32, left: &mut u64) -> bool {
    // What is not there any more is being removed; what may not be read may hold anything.
    let entries = match fs::read_dir(directory) {
        Err(error) => return error.kind() != io::ErrorKind::PermissionDenied,
        Ok(entries) => entries,
    };
    for entry in entries.flatten() {
        let metadata = match entry.metadata() {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return false,
            Err(_) => continue,
            Ok(metadata) => metadata,
        };
        let Some(rest) = left.checked_sub(metadata.len().max(LEAST)) else {
            return false;
        };
        *left = rest;
        if metadata.is_dir() && (depth == 0 || !fits(&entry.path(), depth - 1, left)) {
            return false;
        }
    }
    true
}

/// How many threads a process has; `None` if there is none any more.
fn threads(pid: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("Threads:"))?;
    line.trim().parse().ok()
}

/// A descriptor that stands for the process.
fn handle(pid: u32) -> io::Result<OwnedFd> {
    let pid = libc::pid_t::try_from(pid).map_err(io::Error::other)?;
    // SAFETY: the call takes two numbers.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    let fd = i32::try_from(fd).map_err(io::Error::other)?;
    // SAFETY: the kernel has just made the descriptor for us, so nobody else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Has it not ended yet?
fn lives(kept: &Kept) -> bool {
    let mut asked = libc::pollfd {
        fd: kept.handle.as_raw_fd(),
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: `asked` is one structure, and lives as long as the call.
    unsafe { libc::poll(&raw mut asked, 1, 0) == 0 }
}

fn end(kept: &Kept) {
    let nothing: *const libc::c_void = std::ptr::null();
    // SAFETY: the call takes a descriptor that we own, two numbers, and no structure.
    unsafe {
        libc::syscall(
            libc::SYS_pidfd_send_signal,
            kept.handle.as_raw_fd(),
            libc::SIGKILL,
            nothing,
            0,
        );
    }
}
