//! Memory of this process, as the system tells it (proc(5)).

use jinsi_ground::child::memory_of;

/// Bytes that are resident; 0 if the system does not say.
pub(crate) fn now() -> u64 {
    memory_of("self", "VmRSS:").unwrap_or(0)
}

/// The most that ever were; 0 if the system does not say.
pub(crate) fn most() -> u64 {
    memory_of("self", "VmHWM:").unwrap_or(0)
}
