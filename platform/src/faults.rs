//! Faults on mapped files: an access to a page behind the end of its file, because somebody truncated it, or to one for which there is no
//! room on the disk. Linux tells the thread by the signal SIGBUS.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;

/// What to do about a fault at an address: true if the access can be repeated.
pub type Heal = fn(address: usize) -> bool;

/// What the signal did before.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();
/// What heals.
static HEAL: OnceLock<Heal> = OnceLock::new();

/// From now on `heal` is asked about each fault of a mapped file in this process. If it says false, the fault goes to the handler that was there before.
/// The first call counts; if the system refuses, everything is as it was.
///
/// `heal` runs in a signal handler: it takes no lock, allocates nothing, and does not panic.
pub fn on_lost_page(heal: Heal) {
    let mut before = MaybeUninit::uninit();
    // SAFETY: asks for the present handler; the structure is written if the call succeeds.
    let before: libc::sigaction = unsafe {
        if libc::sigaction(libc::SIGBUS, ptr::null(), before.as_mut_ptr()) != 0 {
            return;
        }
        before.assume_init()
    };
    if HEAL.set(heal).is_err() || BEFORE.set(before).is_err() {
        return;
    }
    let mut now = before;
    now.sa_sigaction = on_bus as *const () as libc::sighandler_t;
    now.sa_flags |= libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: the handler has the signature that SA_SIGINFO asks for, and does only what a signal handler may.
    unsafe { libc::sigaction(libc::SIGBUS, &raw const now, ptr::null_mut()) };
}

extern "C" fn on_bus(signal: c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: the kernel gives a handler with SA_SIGINFO a valid structure, which has an address for SIGBUS. `errno` is the thread's own.
    let healed = unsafe {
        let errno = *libc::__errno_location();
        let address = (*info).si_addr().addr();
        let healed = HEAL.get().is_some_and(|heal| heal(address));
        *libc::__errno_location() = errno;
        healed
    };
    if !healed {
        // SAFETY: forwarded.
        unsafe { as_before(signal, info, context) }
    }
}

/// Does what would have been done without us.
///
/// # Safety
/// The arguments are those of a signal handler that is running.
unsafe fn as_before(signal: c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    type WithInfo = extern "C" fn(c_int, *mut libc::siginfo_t, *mut libc::c_void);
    type Plain = extern "C" fn(c_int);
    match BEFORE.get() {
        Some(before)
            if before.sa_sigaction != libc::SIG_DFL && before.sa_sigaction != libc::SIG_IGN =>
        {
            // SAFETY: the address is that of the handler which was registered, and its flags tell which of the two types it has.
            unsafe {
                if before.sa_flags & libc::SA_SIGINFO != 0 {
                    std::mem::transmute::<usize, WithInfo>(before.sa_sigaction)(
                        signal, info, context,
                    );
                } else {
                    std::mem::transmute::<usize, Plain>(before.sa_sigaction)(signal);
                }
            }
        }
        _ => {
            // The access is repeated when this returns, and then the signal ends the process as it does by default.
            // SAFETY: a system call.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
    }
}
