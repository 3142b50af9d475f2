//! Signals by which a command is ended from outside.

use std::fs::File;
use std::io::{self, Read};
use std::mem;
use std::os::fd::IntoRawFd;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;

use rustix::pipe::{PipeFlags, pipe_with};

/// Turns true with the first interrupt.
static WISHED: AtomicBool = AtomicBool::new(false);
/// Is the first interrupt a wish?
static WISHES: AtomicBool = AtomicBool::new(false);
/// Where the handler writes the number of a signal; -1 before there is a place.
static PIPE: AtomicI32 = AtomicI32::new(-1);

/// Signals by which commands are ended from outside.
const SIGNALS: [libc::c_int; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

extern "C" fn handle(signal: libc::c_int) {
    let wish = signal == libc::SIGINT && WISHES.load(Ordering::Relaxed);
    if wish && !WISHED.swap(true, Ordering::Relaxed) {
        return;
    }
    let number = signal as u8;
    // SAFETY: writing a byte of this frame to a descriptor that stays open; a handler may do that. Nothing can be done if it fails.
    unsafe { libc::write(PIPE.load(Ordering::Relaxed), (&raw const number).cast(), 1) };
}

/// From now on `clean_up` runs, on a thread of its own, before one of these signals ends the process: interrupt (Ctrl-C), terminate, hang-up.
/// What the caller of the process has it ignore (`nohup`) stays ignored. To be called once.
///
/// # Errors
/// The system refuses a pipe, a thread or a handler.
pub fn before_the_end(clean_up: fn()) -> io::Result<()> {
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
    // It stays open as long as the process lives.
    PIPE.store(writer.into_raw_fd(), Ordering::Relaxed);
    let mut reader = File::from(reader);
    thread::Builder::new()
        .name("jinsi-signals".into())
        .spawn(move || {
            let mut number = [0];
            if reader.read_exact(&mut number).is_ok() {
                clean_up();
                end_by(number[0].into());
            }
        })?;
    for signal in SIGNALS {
        if set(signal, None)? != libc::SIG_IGN {
            let handler: extern "C" fn(libc::c_int) = handle;
            set(signal, Some(handler as libc::sighandler_t))?;
        }
    }
    Ok(())
}

extern "C" fn go_on(_: libc::c_int) {}

/// From now on a file that grows beyond the process's limit (`ulimit -f`) is an error of what writes it, and does not end the process. Programs that
/// are started have what they had.
///
/// # Errors
/// The system refuses a handler.
pub fn outlive_file_limits() -> io::Result<()> {
    // Not ignored: that would be passed on to programs.
    let handler: extern "C" fn(libc::c_int) = go_on;
    set(libc::SIGXFSZ, Some(handler as libc::sighandler_t))?;
    Ok(())
}

/// From now on the first interrupt turns this flag true instead of ending the process; one more does end it.
pub fn first_interrupt() -> &'static AtomicBool {
    WISHES.store(true, Ordering::Relaxed);
    &WISHED
}

/// Sets what is done about a signal, if anything is given; gives what was done.
fn set(signal: libc::c_int, handler: Option<libc::sighandler_t>) -> io::Result<usize> {
    // SAFETY: all fields of a `sigaction` may be zero: an empty mask, no flags, no restorer.
    let (mut action, mut before): (libc::sigaction, libc::sigaction) =
        unsafe { (mem::zeroed(), mem::zeroed()) };
    // What is interrupted goes on.
    action.sa_flags = libc::SA_RESTART;
    let new = handler.map_or(ptr::null(), |handler| {
        action.sa_sigaction = handler;
        &raw const action
    });
    // SAFETY: the action, if there is one, is complete, and its handler does only what a signal handler may.
    match unsafe { libc::sigaction(signal, new, &raw mut before) } {
        0 => Ok(before.sa_sigaction),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Ends the process as the signal does, so that whoever waits for it sees that.
fn end_by(signal: libc::c_int) {
    let _ = set(signal, Some(libc::SIG_DFL));
    // SAFETY: a signal to this process.
    unsafe { libc::kill(libc::getpid(), signal) };
}
