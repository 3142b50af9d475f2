//! The search for what matters: delta debugging over the circumstances of a level, and the levels along the stack.
//!
//! Nothing here knows a JVM: tests are asked of an [`ddmin::Oracle`] and a [`levels::Replayer`].

pub mod ddmin;
pub mod levels;
