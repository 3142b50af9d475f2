//! What was executed, instruction by instruction, reconstructed backward from a trace with `detail=instructions`: the one model of
//! execution that slices and other questions are asked of.
//!
//! [`code`] knows what each instruction uses and defines, [`walk`] goes through the executed ones, [`visitor`] is informed of them. A [`moment`] is
//! a place among them. A [`tape`] holds a stretch of it, oldest first; a [`cell`] holds a value that may turn out later, and [`compute`] says what
//! instructions make of values.

mod access;
mod alone;
pub mod by_handle;
mod calls;
pub mod cell;
pub mod classes;
pub mod code;
pub mod compute;
pub mod constant;
mod fields;
mod frame;
mod jdk;
pub mod moment;
pub mod order;
pub mod parked;
pub mod seen;
pub mod tape;
mod unborn;
mod variables;
pub mod visitor;
pub mod walk;
