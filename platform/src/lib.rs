//! The operating system as jinsi needs it, in plain functions.
//!
//! Nothing outside the folder `platform/` names a system call, a signal, a file mode or a place in `/proc`. Whoever brings jinsi to another
//! operating system writes this crate, and `jinsi-confine` beside it, once more; `platform/README.md` says what each function needs there.
//!
//! The crate knows nothing of traces, agents or replays.

#[cfg(not(target_os = "linux"))]
compile_error!("jinsi runs on Linux; platform/README.md says what another system needs");

pub mod attach;
pub mod faults;
pub mod files;
pub mod local;
pub mod memory;
pub mod process;
pub mod signals;
pub mod space;
