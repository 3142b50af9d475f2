//! The search for what matters: delta debugging over the circumstances of a level, and the levels along the stack.
//!
//! [`ddmin`] is the reference, [`grow`] what is used: it asks for fewer and smaller tests. [`probdd`] is the best of what is published, on
//! the same structure. All end 1-minimal.
//!
//! Nothing here knows a JVM: tests are asked of a [`ddmin::SubsetTest`] or a [`memo::Runner`], and of a [`levels::Replayer`].

pub mod ddmin;
#[cfg(test)]
mod fakes;
mod finish;
pub mod grow;
pub mod levels;
pub mod memo;
pub mod perturb;
pub mod probdd;
pub mod shrink;
pub mod stop;
pub mod structure;
