//! Rewriting, as [`jinsi_rewrite`] does it. Here are the tests that need a JVM.

pub use jinsi_rewrite::*;

#[cfg(test)]
mod tests;
