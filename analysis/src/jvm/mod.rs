//! The only place that starts other programs: a JDK's `java` and `javac`, Maven, the JUnit console launcher.
//!
//! Everything is started with a closed standard input, a time limit, and without the environment variables by which a JVM takes
//! options behind the command line's back ([`Jdk::command`]).

pub mod attach;
pub mod compile;
mod jdk;
pub mod junit;
pub mod maven;
pub mod process;
pub mod server;
mod surefire;

pub use jdk::{Jdk, JvmError, Version};
