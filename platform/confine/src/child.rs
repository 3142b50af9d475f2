//! What the new process does before it becomes the program.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use landlock::{RulesetCreated, RulesetStatus};

use crate::calls::Filter;
use crate::view::View;
use crate::{Limits, files};

/// Open files a process may have.
const DESCRIPTORS: u64 = 8_192;

/// Has the command shut its process in.
pub(crate) fn shut_in(
    command: &mut Command,
    (mut view, files, mut filter): (Option<View>, RulesetCreated, Filter),
    limits: Limits,
) {
    // SAFETY: as for getpid(2) below.
    let parent = unsafe { libc::getpid() };
    let mut files = Some(files);
    let enter = move || {
        // A second process of the same command would have no rules left: it is not started.
        let rules = files.take().ok_or_else(|| system(libc::EINVAL))?;
        let in_view = match &mut view {
            Some(view) => view.enter()?,
            None => false,
        };
        alone(parent)?;
        bound(limits)?;
        let rules = files::own_process(rules).map_err(system)?;
        let status = rules.restrict_self().map_err(|_| system(libc::EPERM))?;
        if status.ruleset == RulesetStatus::NotEnforced || !status.no_new_privs {
            return Err(system(libc::EPERM));
        }
        filter.apply(in_view)
    };
    // SAFETY: between fork and exec the closure makes system calls, reads and writes memory of its own, and takes no lock of ours. What the
    // landlock crate may allocate is given by the C library's allocator, whose state fork leaves usable.
    unsafe {
        command.pre_exec(enter);
    }
}

fn system(number: i32) -> io::Error {
    io::Error::from_raw_os_error(number)
}

fn checked(result: libc::c_int) -> io::Result<()> {
    match result {
        0.. => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// A session of its own, without the terminal and without descriptors of ours, that ends with us.
fn alone(parent: libc::pid_t) -> io::Result<()> {
    // SAFETY: these calls take numbers, and change nothing but this process.
    unsafe {
        checked(libc::setsid())?;
        checked(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL))?;
        // It may have gone before it could be noticed.
        if libc::getppid() != parent {
            return Err(system(libc::ESRCH));
        }
        let kept = libc::CLOSE_RANGE_CLOEXEC;
        if libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, kept) < 0 {
            return Err(io::Error::last_os_error());
        }
        libc::umask(0o077);
    }
    Ok(())
}

fn bound(limits: Limits) -> io::Result<()> {
    limit(libc::RLIMIT_DATA, limits.memory)?;
    limit(libc::RLIMIT_FSIZE, limits.file)?;
    limit(libc::RLIMIT_CORE, 0)?;
    limit(libc::RLIMIT_NOFILE, DESCRIPTORS)
}

/// Sets a limit, unless there is a lower one already.
fn limit(what: libc::__rlimit_resource_t, most: u64) -> io::Result<()> {
    let mut now = libc::rlimit {
        rlim_cur: 0,
        rlim_max: 0,
    };
    // SAFETY: both calls are handed one structure, which lives as long as they.
    unsafe {
        checked(libc::getrlimit(what, &raw mut now))?;
        let most = most.min(now.rlim_max);
        let new = libc::rlimit {
            rlim_cur: most,
            rlim_max: most,
        };
        checked(libc::setrlimit(what, &raw const new))
    }
}
