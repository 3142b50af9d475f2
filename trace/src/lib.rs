//! The trace: what was recorded, and the file that holds it. Knows no JVM and no Java program.

#[cfg(test)]
mod arbitrary;
mod chunk;
pub mod compact;
pub mod compose;
pub mod model;
pub mod number;
pub mod order;
mod packing;
pub mod raw;
pub mod reader;
pub mod rlese;
mod segment;
pub mod synthetic;
mod table;
pub mod varint;
pub mod writer;

/// Version of the trace format that is written, and the only one that is read.
pub const FORMAT_VERSION: u32 = segment::VERSION;
