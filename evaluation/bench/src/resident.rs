//! Memory of this process, as the system tells it (proc(5)).

use std::fs;

/// Bytes that are resident; 0 if the system does not say.
pub(crate) fn now() -> u64 {
    bytes("VmRSS:")
}

/// The most that ever were; 0 if the system does not say.
pub(crate) fn most() -> u64 {
    bytes("VmHWM:")
}

fn bytes(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}
