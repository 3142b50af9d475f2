//! How a run tells the rows of each table.

pub(crate) mod accesses;
pub(crate) mod alone;
pub(crate) mod calls;
pub(crate) mod classes;
pub(crate) mod events;
pub(crate) mod exceptions;
pub(crate) mod instructions;
pub(crate) mod members;
pub(crate) mod objects;
pub(crate) mod output;
mod picked;
pub(crate) mod runs;
pub(crate) mod threads;
