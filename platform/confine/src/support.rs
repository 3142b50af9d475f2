//! What the kernel of this machine can do.

use std::fmt;

use landlock::{ABI, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr};

/// `landlock_create_ruleset(2)`: tell the version instead of making one.
const TELL_VERSION: libc::c_uint = 1;

/// What this kernel offers to shut processes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Support {
    /// Version of Landlock's interface, from 1; 0 if the kernel has no Landlock, or it was not enabled at boot.
    pub landlock: u32,
    /// Can system calls be filtered?
    pub seccomp: bool,
    /// Does this processor's system call interface have a filter here?
    pub processor: bool,
}

/// Asks the kernel.
pub fn support() -> Support {
    Support {
        landlock: landlock_version(),
        seccomp: has_seccomp(),
        processor: cfg!(any(target_arch = "x86_64", target_arch = "aarch64")),
    }
}

impl Support {
    /// Why processes cannot be shut in; `None` if they can.
    pub fn missing(&self) -> Option<String> {
        let what = if !self.processor {
            "there is no system call filter for this processor"
        } else if self.landlock == 0 {
            "the kernel has no Landlock (Linux 5.13 or later, with `landlock` in its list of security modules)"
        } else if !self.seccomp {
            "the kernel does not filter system calls (seccomp)"
        } else {
            return None;
        };
        Some(format!("this machine cannot shut in what is run: {what}"))
    }
}

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.landlock {
            0 => f.write_str("no Landlock")?,
            version => write!(f, "Landlock {version}")?,
        }
        f.write_str(if self.seccomp {
            ", seccomp"
        } else {
            ", no seccomp"
        })
    }
}

fn landlock_version() -> u32 {
    let abi = {
        let nothing: *const libc::c_void = std::ptr::null();
        // SAFETY: with this flag the call takes no pointer and makes nothing; it gives a number or an error.
        unsafe {
            libc::syscall(
                libc::SYS_landlock_create_ruleset,
                nothing,
                0_usize,
                TELL_VERSION,
            )
        }
    };
    let Ok(version) = u32::try_from(abi) else {
        return 0;
    };
    // A container may let the version through and nothing else.
    let made = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::ReadFile)
        .and_then(Ruleset::create);
    match made {
        Ok(_) if ABI::from(abi as i32) != ABI::Unsupported => version,
        _ => 0,
    }
}

fn has_seccomp() -> bool {
    const ACTION_AVAILABLE: libc::c_uint = 2;
    let refuse: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the call reads the four bytes that it is given the address of, and changes nothing.
    let available = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            ACTION_AVAILABLE,
            0,
            std::ptr::from_ref(&refuse),
        )
    };
    available == 0
}
