//! Places that programs of this system read, whatever they do.

/// Libraries of the system, which are programs' own files as much as a JVM's.
pub const LIBRARIES: [&str; 8] = [
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/gnu/store",
];
/// What a program and its C library ask of the machine: where libraries are, how many processors and how much memory there is, and for noise.
pub const MACHINE: [&str; 13] = [
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/proc/sys/vm",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
];
