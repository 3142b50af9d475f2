//! The trace: what was recorded, and the file that holds it. Knows no JVM and no Java program.

mod chunk;
pub mod compact;
pub mod compose;
mod packing;
pub mod reader;
mod segment;
pub mod synthetic;
mod table;
mod varint;
pub mod writer;

pub use jinsi_events::{model, number, order, raw};

/// Version of the trace format that is written, and the only one that is read.
pub const FORMAT_VERSION: u32 = segment::VERSION;
