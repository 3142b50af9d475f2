//! Processes: what this one was started with, how those that it starts stand to it, and how much of the machine they take.

use std::fs;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};

/// How much a thread yields to others (`nice`).
const NICE: libc::c_int = 10;

/// The words with which this process was started, program first, whoever has changed them since in the language's own runtime. Empty if the
/// system does not say.
pub fn command_line() -> Vec<String> {
    let line = fs::read("/proc/self/cmdline").unwrap_or_default();
    let line = String::from_utf8_lossy(&line);
    line.split('\0').map(str::to_owned).collect()
}

/// Memory of this machine, in bytes.
pub fn machine_memory() -> u64 {
    let info = rustix::system::sysinfo();
    info.totalram.saturating_mul(u64::from(info.mem_unit))
}

/// Lets the process be in a group of its own: what is typed at the terminal (Ctrl-C) ends us and not it.
pub fn own_group(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// Has this process become another program, with its own streams; gives the error if it cannot.
pub fn replaced_by(command: &mut Command) -> io::Error {
    command.exec()
}

/// How a process ends that exits with `code`.
pub fn exit_status(code: u8) -> ExitStatus {
    ExitStatus::from_raw(i32::from(code) << 8)
}

/// The calling thread takes no processor from a thread that runs when it wakes up. With `is_nice` it also gets fewer processor time than
/// others as long as they have something to do. That the system may refuse is no harm.
pub fn yield_to_others(is_nice: bool) {
    // SAFETY: all zeros are parameters that the policy takes.
    let parameters: libc::sched_param = unsafe { std::mem::zeroed() };
    // SAFETY: system calls about the calling thread (0), of which the first reads `parameters`.
    unsafe {
        libc::sched_setscheduler(0, libc::SCHED_BATCH, &raw const parameters);
        if is_nice {
            libc::setpriority(libc::PRIO_PROCESS, 0, NICE);
        }
    }
}

/// Has the process run without rights, as user and group `id`, if this one has all rights: what a mode forbids is allowed to those who do.
pub fn without_rights(command: &mut Command, id: u32) -> &mut Command {
    match rustix::process::geteuid().is_root() {
        true => command.uid(id).gid(id),
        false => command,
    }
}

/// Has signals end the process even if this one ignores them: after `nohup`, or in the background of a script.
pub fn heed_signals(command: &mut Command) -> &mut Command {
    fn heed() -> io::Result<()> {
        for signal in [libc::SIGINT, libc::SIGQUIT, libc::SIGHUP, libc::SIGTERM] {
            // SAFETY: the action of the system needs no handler.
            if unsafe { libc::signal(signal, libc::SIG_DFL) } == libc::SIG_ERR {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }
    // SAFETY: between fork and exec the function makes system calls only.
    unsafe { command.pre_exec(heed) }
}

/// Kills a process, and all that it and its descendants have started and that still have a parent among them. Who is gone already is left alone.
pub fn kill_with_descendants(pid: u32) {
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
    let children = children.unwrap_or_default();
    let killed = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(process) = killed {
        // It may have ended meanwhile.
        let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
    }
    let children = children.split_ascii_whitespace();
    children
        .filter_map(|child| child.parse().ok())
        .for_each(kill_with_descendants);
}

/// Lets the process be in a group of its own, and end with the thread that starts it, however that ends.
pub fn in_our_care(command: &mut Command) -> &mut Command {
    fn end_with_parent() -> io::Result<()> {
        // SAFETY: a system call about the calling process.
        match unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
    // SAFETY: between fork and exec the function makes a system call only.
    unsafe { own_group(command).pre_exec(end_with_parent) }
}

/// Kills what is left of a process that [`in_our_care`] was for: its descendants, and its group, in which they are unless they left it.
pub fn kill_group(pid: u32) {
    kill_with_descendants(pid);
    let group = i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // It may be empty.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_known() {
        let line = command_line();
        assert_eq!(line[0], std::env::args().next().unwrap());
        assert!(machine_memory() > 1 << 20);
    }

    #[test]
    fn children_end_with_their_parent() {
        if !fs::exists("/proc/thread-self/children").unwrap_or(false) {
            // This kernel does not tell.
            return;
        }
        // The shell waits for a program that would go on without it.
        let mut shell = Command::new("sh");
        let mut shell = shell.args(["-c", "sleep 600 & wait"]).spawn().unwrap();
        let of = |pid: u32| {
            fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default()
        };
        let child: u32 = loop {
            if let Ok(child) = of(shell.id()).trim().parse() {
                break child;
            }
            std::thread::yield_now();
        };
        kill_with_descendants(shell.id());
        assert_eq!(shell.wait().unwrap().signal(), Some(9));
        let state = || fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        // Gone, or a zombie until somebody has asked for it.
        while !state().is_empty() && !state().contains(") Z ") {
            std::thread::yield_now();
        }
    }

    #[test]
    fn how_a_process_ended() {
        let status = Command::new("sh").args(["-c", "exit 3"]).status().unwrap();
        assert_eq!(status, exit_status(3));
        assert_eq!(status.signal(), None);
        let killed = Command::new("sh").args(["-c", "kill -9 $$"]).status();
        assert_eq!(killed.unwrap().signal(), Some(9));
    }
}
