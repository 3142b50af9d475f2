//! The only place that starts other programs: a JDK's `java` and `javac`, Maven, the JUnit console launcher.
//!
//! What runs recorded or written code is shut in ([`confined`]).
//!
//! Everything is started with a closed standard input, a time limit, and without the environment variables by which a JVM takes
//! options behind the command line's back ([`Jdk::command`]).

pub mod argument_file;
pub mod attach;
mod class_path;
pub mod command_line;
pub mod compile;
pub mod confined;
pub mod jar;
mod jdk;
pub mod junit;
mod linked;
pub mod maven;
mod outcomes;
pub mod process;
pub mod server;
pub mod surefire;
pub mod workdir;

pub use confined::Walls;
pub use jdk::{Jdk, JvmError, Version};
