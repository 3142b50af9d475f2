//! Ctrl-C: the first one is a wish to end with what has been found so far, the second one ends the command at once.

use std::io;
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// Turns true with the first interrupt.
static WISHED: AtomicBool = AtomicBool::new(false);

extern "C" fn wish(_signal: libc::c_int) {
    WISHED.store(true, Ordering::Relaxed);
}

/// From now on an interrupt (SIGINT) turns this flag true instead of ending the command; one more does end it.
///
/// # Errors
/// The system refuses the handler.
pub(crate) fn wish_to_stop() -> io::Result<&'static AtomicBool> {
    // SAFETY: all fields of a `sigaction` may be zero: an empty mask, no flags, no restorer.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    let handler: extern "C" fn(libc::c_int) = wish;
    action.sa_sigaction = handler as libc::sighandler_t;
    // The handler is taken away when it has run; what it interrupts goes on.
    action.sa_flags = libc::SA_RESETHAND | libc::SA_RESTART;
    // SAFETY: the action is complete, and its handler only stores to an atomic, which a signal handler may do.
    let done = unsafe { libc::sigaction(libc::SIGINT, &action, ptr::null_mut()) };
    match done {
        0 => Ok(&WISHED),
        _ => Err(io::Error::last_os_error()),
    }
}
