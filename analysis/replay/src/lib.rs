//! Replay: classes rewritten so that recorded answers take the environment's place ([`rewrite`]), all that a replay
//! needs in one file ([`session`]), and the JVM that runs it ([`worker`]).

mod codes;
pub mod expand;
pub mod rewrite;
pub mod session;
pub mod worker;

#[cfg(any(test, feature = "testing"))]
mod testing;
