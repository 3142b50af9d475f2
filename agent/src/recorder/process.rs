//! What recordings of a process have in common.

use std::io;
use std::sync::Arc;

use super::numbers::Numbers;
use crate::buffers::Table;
use crate::options::{Arm, Options};
use crate::repeats::Kind;

/// Who is informed of what happens to a recording, on whatever thread that is.
pub struct Listeners {
    /// The recording has ended, and the program has not: its classes need no probes any more. Called on the encoder's thread.
    pub ended: fn(),
    /// A failure was recorded, of this kind if that is known.
    pub failed: fn(Option<&Kind>),
}

/// The recorded process.
pub struct Process {
    /// The agent's options.
    pub options: Options,
    /// The same, as they were given.
    pub text: String,
    /// Version of the JVM.
    pub java_version: String,
    /// Its name.
    pub java_vm: String,
    pub(super) table: Arc<Table>,
    pub(super) numbers: Arc<Numbers>,
}

impl Process {
    /// This process, with these options.
    ///
    /// # Errors
    /// Memory for the table of threads cannot be reserved.
    pub fn new(
        options: Options,
        text: String,
        [java_version, java_vm]: [String; 2],
    ) -> io::Result<Self> {
        let numbers = match options.arm {
            Arm::Start => Numbers::default(),
            Arm::Failure => Numbers::recurring(),
        };
        Ok(Self {
            options,
            text,
            java_version,
            java_vm,
            table: Arc::new(Table::reserve()?),
            numbers: Arc::new(numbers),
        })
    }

    /// Address and number of entries of the table that maps thread ids to buffers.
    pub fn thread_table(&self) -> (u64, u64) {
        (self.table.address(), self.table.entries())
    }

    /// Threads that an ended recording has refused a buffer may ask for one again.
    pub(crate) fn admit_all(&self) {
        self.table.take_all();
    }
}
