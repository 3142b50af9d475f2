//! System calls that are taken away: seccomp.
//!
//! What is listed here acts on something outside the process, or outlives it, and is nothing that Landlock decides about. A call that is taken
//! away fails with `EPERM`, as it would for a user who may not do it, so the program's own handling of errors goes on.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, sock_filter,
};

use crate::ConfineError;

/// Calls that fail whatever their arguments are.
const TAKEN: &[libc::c_long] = &[
    // Sockets, of every kind; of `socketpair`, see `taken`.
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // What goes past this filter, or hands out memory that no limit counts.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_memfd_create,
    newer::MEMFD_SECRET,
    libc::SYS_userfaultfd,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    // Other processes: signals, memory, tracing, scheduling. `tgkill` is in `OWN`.
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    newer::PROCESS_MRELEASE,
    libc::SYS_kcmp,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_setpgid,
    // Files: what is not their content or place. Landlock does not know owners and attributes; of modes and times, see [`MODES`] and [`TIMES`].
    libc::SYS_truncate,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    newer::SETXATTRAT,
    newer::REMOVEXATTRAT,
    newer::FILE_SETATTR,
    libc::SYS_mknodat,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_inotify_init1,
    libc::SYS_quotactl,
    newer::QUOTACTL_FD,
    libc::SYS_acct,
    // What is mounted, and what a process sees of the machine.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_fsmount,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_mount_setattr,
    newer::OPEN_TREE_ATTR,
    // Memory, messages and keys that outlive the process.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // The machine itself.
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
];

/// Calls that only this processor has, mostly older forms of others.
#[cfg(target_arch = "x86_64")]
const TAKEN_HERE: &[libc::c_long] = &[
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_mknod,
    libc::SYS_inotify_init,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_kexec_file_load,
];
#[cfg(not(target_arch = "x86_64"))]
const TAKEN_HERE: &[libc::c_long] = &[];

/// Calls that change the times of files.
const TIMES: &[libc::c_long] = &[libc::SYS_utimensat];
#[cfg(target_arch = "x86_64")]
const TIMES_HERE: &[libc::c_long] = &[libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
const TIMES_HERE: &[libc::c_long] = &[];

/// Calls that change the modes of files, and which of their arguments is the mode.
const MODES: &[(libc::c_long, u8)] = &[
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (newer::FCHMODAT2, 2),
];
#[cfg(target_arch = "x86_64")]
const MODES_HERE: &[(libc::c_long, u8)] = &[(libc::SYS_chmod, 1)];
#[cfg(not(target_arch = "x86_64"))]
const MODES_HERE: &[(libc::c_long, u8)] = &[];
/// What a mode never has: whoever runs the file would be somebody else.
const OTHER_USER: [u32; 2] = [libc::S_ISUID, libc::S_ISGID];

/// Calls that the `libc` crate does not name for all processors. Since Linux 5.1 a new call has the same number on all.
mod newer {
    pub(super) const QUOTACTL_FD: libc::c_long = 443;
    pub(super) const MEMFD_SECRET: libc::c_long = 447;
    pub(super) const PROCESS_MRELEASE: libc::c_long = 448;
    pub(super) const FCHMODAT2: libc::c_long = 452;
    pub(super) const SETXATTRAT: libc::c_long = 463;
    pub(super) const REMOVEXATTRAT: libc::c_long = 466;
    pub(super) const OPEN_TREE_ATTR: libc::c_long = 467;
    pub(super) const FILE_SETATTR: libc::c_long = 469;
}
/// `ioctl(2)` requests that change a file's flags by way of a descriptor that only reads: of inodes, extended, and shared extents.
const IOCTL_FLAGS: [u64; 4] = [0x4008_6602, 0x401c_5820, 0x4004_9409, 0x4020_940d];
/// The part of a socket's type that is not flags.
const SOCKET_KINDS: u64 = 0xf;
/// Threads share all with who makes them; whatever is made without this is a process.
const CLONE_THREAD: u64 = 0x0001_0000;

/// The programs, ready for the process that they are for.
pub(crate) struct Filter {
    taken: BpfProgram,
    /// The same for a process that sees all files read-only but its own, and so may change modes and times.
    taken_in_view: BpfProgram,
    own: [sock_filter; OWN_LENGTH],
}

/// Makes them.
pub(crate) fn filter() -> Result<Filter, ConfineError> {
    let taken = |in_view| taken(in_view).map_err(|e| ConfineError::Rules(e.to_string()));
    Ok(Filter {
        taken: taken(false)?,
        taken_in_view: taken(true)?,
        own: own(),
    })
}

impl Filter {
    /// Takes the calls away from this thread, and from all that it starts. `in_view`: all files are read-only but those in the process' own
    /// directories. Allocates nothing.
    pub(crate) fn apply(&mut self, in_view: bool) -> io::Result<()> {
        // SAFETY: the call has no argument, and cannot fail.
        let pid = unsafe { libc::getpid() };
        self.own[OWN_PID].k = pid.cast_unsigned();
        let refused = |_| io::Error::from_raw_os_error(libc::EACCES);
        seccompiler::apply_filter(&self.own).map_err(refused)?;
        let taken = match in_view {
            true => &self.taken_in_view,
            false => &self.taken,
        };
        seccompiler::apply_filter(taken).map_err(refused)
    }
}

fn taken(in_view: bool) -> Result<BpfProgram, seccompiler::BackendError> {
    let mut rules: BTreeMap<libc::c_long, Vec<SeccompRule>> = TAKEN
        .iter()
        .chain(TAKEN_HERE)
        .map(|&call| (call, Vec::new()))
        .collect();
    for &(call, mode) in MODES.iter().chain(MODES_HERE) {
        let is_of_other = |bit: u32| rule(mode, SeccompCmpOp::MaskedEq(bit.into()), bit.into());
        let refused = match in_view {
            true => OTHER_USER
                .map(is_of_other)
                .into_iter()
                .collect::<Result<_, _>>()?,
            false => Vec::new(),
        };
        rules.insert(call, refused);
    }
    if !in_view {
        let times = TIMES.iter().chain(TIMES_HERE);
        rules.extend(times.map(|&call| (call, Vec::new())));
    }
    let wide = |value: i32| u64::from(value.cast_unsigned());
    let masked = |argument, mask: i32, value: i32| {
        rule(argument, SeccompCmpOp::MaskedEq(wide(mask)), wide(value))
    };
    // Without that flag it makes a process. `clone3` is reported not to exist (see `own`), for its flags are in memory.
    let process = rule(0, SeccompCmpOp::MaskedEq(CLONE_THREAD), 0)?;
    rules.insert(libc::SYS_clone, vec![process]);
    // To open a file for reading and to empty it: before Landlock 3 nobody asks whether it may be written.
    let (mode, emptied) = (
        libc::O_ACCMODE | libc::O_TRUNC,
        libc::O_RDONLY | libc::O_TRUNC,
    );
    rules.insert(libc::SYS_openat, vec![masked(2, mode, emptied)?]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, vec![masked(1, mode, emptied)?]);
    // Two ends of a stream of its own are harmless, and Java's file channels have them. A pair of datagram sockets could send elsewhere.
    let mut pairs = vec![rule(0, SeccompCmpOp::Ne, wide(libc::AF_UNIX))?];
    for kind in (0..=SOCKET_KINDS).filter(|&kind| kind != wide(libc::SOCK_STREAM)) {
        pairs.push(rule(1, SeccompCmpOp::MaskedEq(SOCKET_KINDS), kind)?);
    }
    rules.insert(libc::SYS_socketpair, pairs);
    // Of other processes than itself.
    rules.insert(libc::SYS_prlimit64, vec![rule(0, SeccompCmpOp::Ne, 0)?]);
    let flags = IOCTL_FLAGS.map(|request| rule(1, SeccompCmpOp::Eq, request));
    let flags = flags.into_iter().collect::<Result<_, _>>()?;
    rules.insert(libc::SYS_ioctl, flags);

    let refuse = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, ARCHITECTURE)?.try_into()
}

/// The rule that the lower half of an argument is so; all that is asked for here are `int`s.
fn rule(
    argument: u8,
    is: SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule, seccompiler::BackendError> {
    let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, is, value)?;
    SeccompRule::new(vec![condition])
}

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: TargetArch = TargetArch::x86_64;
#[cfg(not(target_arch = "x86_64"))]
const ARCHITECTURE: TargetArch = TargetArch::aarch64;

/// Length of [`own`], and the place of the process' number in it.
const OWN_LENGTH: usize = 10;
const OWN_PID: usize = 6;
/// On x86-64, calls by another numbering (x32) have this bit, and would all go past a list of numbers.
const OTHER_NUMBERING: u32 = 0x4000_0000;

/// A program of our own for what the library's cannot say: that calls do not exist, and that a signal goes to this very process.
///
/// `linux/seccomp.h`: at 0 of the data is the call's number, at 16 the lower half of its first argument. The processor is asked for by
/// the other program.
fn own() -> [sock_filter; OWN_LENGTH] {
    const LOAD: u16 = 0x20;
    const IF_EQUAL: u16 = 0x15;
    const IF_AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    let step = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    let number = |call: libc::c_long| u32::try_from(call).unwrap_or(u32::MAX);
    let absent = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned();
    let refused = libc::SECCOMP_RET_ERRNO | libc::EPERM.cast_unsigned();
    [
        step(LOAD, 0, 0, 0),
        step(IF_AT_LEAST, 7, 0, OTHER_NUMBERING),
        step(IF_EQUAL, 6, 0, number(libc::SYS_clone3)),
        step(IF_EQUAL, 5, 0, number(libc::SYS_openat2)),
        step(IF_EQUAL, 0, 2, number(libc::SYS_tgkill)),
        step(LOAD, 0, 0, 16),
        step(IF_EQUAL, 0, 1, 0),
        step(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
        step(RETURN, 0, 0, refused),
        step(RETURN, 0, 0, absent),
    ]
}
