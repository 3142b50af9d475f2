//! Replay: classes rewritten so that recorded answers take the environment's place ([`rewrite`]), all that a replay
//! needs in one file ([`session`]), and the JVM that runs it ([`worker`]).

pub mod rewrite;
pub mod session;
pub mod worker;

#[cfg(test)]
mod testing;
