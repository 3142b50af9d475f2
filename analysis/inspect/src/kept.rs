//! The index beside its trace.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jinsi_files::private;
use jinsi_trace::reader::Trace;

use crate::Inspector;
use crate::error::InspectError;

/// Of a trace of fewer events an index is made as quickly as it is read.
const SMALL: u64 = 1 << 17;

/// What became of the file.
#[derive(Debug)]
pub enum Kept {
    /// The index was read from it.
    Read,
    /// The index was made, and written into it.
    Written,
    /// The index was made, but it could not be written.
    NotWritten(io::Error),
    /// The index was made: of so small a trace it is not kept.
    Small,
}

/// Where the index of the trace in this file is kept.
pub fn index_of(trace: &Path) -> PathBuf {
    let mut name = OsString::from(trace);
    name.push(".index");
    name.into()
}

impl<'t> Inspector<'t> {
    /// With the index beside the trace in `file`; if there is none, or not that of this trace, it is made, and left there.
    ///
    /// # Errors
    /// The trace has no instructions, or cannot be read.
    pub fn kept(trace: &'t Trace, file: &Path) -> Result<(Self, Kept), InspectError> {
        let index = index_of(file);
        if let Ok(bytes) = fs::read(&index)
            && let Some(inspector) = Self::with_index(trace, &bytes)?
        {
            return Ok((inspector, Kept::Read));
        }
        let inspector = Self::new(trace)?;
        let threads = trace.threads().iter();
        let events: u64 = threads.map(|thread| trace.event_count(thread.no)).sum();
        let kept = match events < SMALL {
            true => Kept::Small,
            false => match private::replace(&index, inspector.index_bytes()) {
                Ok(()) => Kept::Written,
                Err(error) => Kept::NotWritten(error),
            },
        };
        Ok((inspector, kept))
    }
}
