//! Signals that end the command. Its temporary directories go with it; and the first Ctrl-C, where a search can be stopped, is a wish
//! to end with what has been found so far.

use std::io;
use std::sync::atomic::AtomicBool;

use jinsi_files::temporary;
use jinsi_platform::signals;

/// From now on the command's temporary directories are removed before a signal ends it.
///
/// # Errors
/// The system refuses.
pub(crate) fn clean_up_behind_signals() -> io::Result<()> {
    signals::before_the_end(temporary::remove_all)
}

/// From now on the first interrupt (Ctrl-C) turns this flag true instead of ending the command; one more does end it.
pub(crate) fn wish_to_stop() -> &'static AtomicBool {
    signals::first_interrupt()
}
