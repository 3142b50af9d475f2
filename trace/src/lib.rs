//! The trace: what was recorded, and the file that holds it. Knows no JVM and no Java program.
//!
//! [`writer::TraceWriter`] writes a trace while a program runs, [`reader::Trace`] reads it, also if the program was killed. [`model`] has what a trace
//! says. [`compact::compact`] packs one more tightly, and [`compose::Composer`] puts one together from parts of others.
//!
//! # Examples
//!
//! A trace is written, and its events are read forward and backward. [`synthetic::TraceBuilder`] makes traces for tests; an agent uses the writer itself.
//!
//! ```
//! use jinsi_trace::model::{ClassNo, Event, EventKind, Payload, Record};
//! use jinsi_trace::{reader::Trace, synthetic::TraceBuilder};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let directory = tempfile::tempdir()?;
//! let path = directory.path().join("run.jinsi");
//! let defined = |id| Event {
//!     kind: EventKind::Define,
//!     site: None,
//!     payload: Payload::Define { id, class: ClassNo::FIRST, length: None },
//! };
//! TraceBuilder::new(&path)
//!     .record(Record::Thread { no: 0, name: "main".into() })
//!     .events(0, (1..=3).map(defined))
//!     .finish()?;
//!
//! let trace = Trace::open(&path)?;
//! assert_eq!(trace.threads()[0].name, "main");
//! let forward = trace.events(0).collect::<Result<Vec<_>, _>>()?;
//! assert_eq!(forward, [defined(1), defined(2), defined(3)]);
//! let last = trace.events_backward(0).next().ok_or("no event")??;
//! assert_eq!(last, defined(3));
//! assert!(trace.damage().is_empty() && trace.end().is_some());
//! # Ok(())
//! # }
//! ```
//!
//! A file that is cut off is read up to where it ends, and says so:
//!
//! ```
//! # use jinsi_trace::model::Record;
//! # use jinsi_trace::{reader::Trace, synthetic::TraceBuilder};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("run.jinsi");
//! # TraceBuilder::new(&path).record(Record::Thread { no: 0, name: "main".into() }).finish()?;
//! let mut bytes = std::fs::read(&path)?;
//! bytes.truncate(bytes.len() - 16);
//! let trace = Trace::from_bytes(bytes)?;
//! assert_eq!(trace.threads()[0].name, "main");
//! assert!(trace.end().is_none());
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

/// The examples of the page are run, too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod chunk;
pub mod compact;
pub mod compose;
mod packing;
pub mod reader;
mod segment;
pub mod synthetic;
mod table;
pub use jinsi_rlese::varint;
pub mod writer;

pub use jinsi_events::{model, number, order, raw};

/// Version of the trace format that is written, and the only one that is read.
pub const FORMAT_VERSION: u32 = segment::VERSION;
