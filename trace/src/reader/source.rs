//! Where the bytes of a trace come from.
//!
//! Positioned reads, not a mapping: a file that is truncated while it is read gives an error, not a signal.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use jinsi_platform::files::read_exact_at;

use super::ReadError;

#[derive(Debug)]
enum Bytes {
    File(File),
    Memory(Vec<u8>),
}

/// A readable trace file.
#[derive(Debug)]
pub(super) struct Source {
    path: PathBuf,
    bytes: Bytes,
    len: u64,
}

impl Source {
    pub(super) fn open(path: &Path) -> Result<Self, ReadError> {
        let io = |source| ReadError::Io {
            path: path.to_owned(),
            source,
        };
        let file = File::open(path).map_err(io)?;
        let metadata = file.metadata().map_err(io)?;
        if !metadata.is_file() {
            return Err(ReadError::Foreign(path.to_owned()));
        }
        Ok(Self {
            path: path.to_owned(),
            bytes: Bytes::File(file),
            len: metadata.len(),
        })
    }

    pub(super) fn memory(bytes: Vec<u8>) -> Self {
        Self {
            path: "(memory)".into(),
            len: bytes.len() as u64,
            bytes: Bytes::Memory(bytes),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Size when it was opened.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The bytes `offset..offset + len`, or fewer if the file ends before.
    pub(super) fn read(&self, offset: u64, len: u64) -> Result<Vec<u8>, ReadError> {
        let len = len.min(self.len.saturating_sub(offset));
        self.exactly(offset, len).map_err(|source| ReadError::Io {
            path: self.path.clone(),
            source,
        })
    }

    /// [`Self::read`] into memory that is used again and again, at the front of which the bytes are: large pieces of fresh memory
    /// would cost more than reading into them.
    pub(super) fn read_into<'b>(
        &self,
        buffer: &'b mut Vec<u8>,
        offset: u64,
        len: u64,
    ) -> Result<&'b [u8], ReadError> {
        let len = len.min(self.len.saturating_sub(offset));
        let Bytes::File(file) = &self.bytes else {
            *buffer = self.read(offset, len)?;
            return Ok(buffer);
        };
        let io = |source| ReadError::Io {
            path: self.path.clone(),
            source,
        };
        let len = usize::try_from(len).map_err(|_| io(io::ErrorKind::OutOfMemory.into()))?;
        if buffer.len() < len {
            buffer.resize(len, 0);
        }
        let bytes = &mut buffer[..len];
        read_exact_at(file, bytes, offset).map_err(io)?;
        Ok(bytes)
    }

    fn exactly(&self, offset: u64, len: u64) -> io::Result<Vec<u8>> {
        let too_large = |_| io::Error::from(io::ErrorKind::OutOfMemory);
        let len = usize::try_from(len).map_err(too_large)?;
        match &self.bytes {
            Bytes::File(file) => {
                let mut bytes = vec![0; len];
                read_exact_at(file, &mut bytes, offset)?;
                Ok(bytes)
            }
            Bytes::Memory(memory) => {
                let start = usize::try_from(offset).map_err(too_large)?;
                Ok(memory
                    .get(start..)
                    .and_then(|rest| rest.get(..len))
                    .unwrap_or_default()
                    .to_vec())
            }
        }
    }
}
