//! The part of jinsi that lives inside the JVM: it rewrites observed classes as they load and records what they do.
//!
//! Data goes one way: probe (`java-harness/runtime`) → thread buffer ([`buffers`]) → encoder thread (`encoder`) → trace file
//! (`jinsi-trace`).

pub use jvmti_bindings;

mod ancestors;
mod armed_recordings;
mod arming;
mod border;
pub mod bound;
pub mod buffers;
mod bus;
mod caller;
mod carriers;
mod class_def;
mod class_files;
mod contained;
mod encoder;
pub mod fields;
mod globals;
pub mod hook;
pub mod incoming;
pub mod inherit;
mod jvm_options;
pub mod known;
pub mod life;
mod message;
pub mod natives;
pub mod options;
pub mod outside;
pub mod recorder;
pub mod reflection;
pub mod repeats;
pub mod report;
mod restore;
pub mod rewritten;
mod running;
mod start_error;
mod stop;
mod surroundings;
pub mod throwables;
mod trace_file;
mod unmatched;
mod unobserved_subclasses;
mod window_barrier;
mod windows;
