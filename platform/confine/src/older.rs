//! Machines that cannot shut processes in, for tests of what is done there.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

/// Has the process run on a kernel as old as Linux 5.12, for all that it can see: there is no Landlock.
///
/// # Panics
/// System calls cannot be filtered on this processor.
pub fn without_landlock(command: &mut Command) -> &mut Command {
    let filter = SeccompFilter::new(
        [(libc::SYS_landlock_create_ruleset, Vec::new())].into(),
        SeccompAction::Allow,
        SeccompAction::Errno(libc::ENOSYS.cast_unsigned()),
        std::env::consts::ARCH
            .try_into()
            .expect("a processor with a filter"),
    );
    let filter = filter.and_then(BpfProgram::try_from);
    let filter = filter.expect("a filter of one rule");
    let old = move || seccompiler::apply_filter(&filter).map_err(io::Error::other);
    // SAFETY: between fork and exec, the closure makes two system calls.
    unsafe { command.pre_exec(old) }
}
