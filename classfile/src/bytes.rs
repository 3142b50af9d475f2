//! Big-endian reading with bounds checks, and writing.

use crate::error::ParseError;

/// A cursor over bytes; every read is checked.
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    data: &'a [u8],
    pos: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Reader { data, pos: 0 }
    }

    /// Starts at `pos`, which may lie behind the end: then nothing can be read.
    pub(crate) fn at(data: &'a [u8], pos: usize) -> Self {
        let pos = pos.min(data.len());
        Reader { data, pos }
    }

    pub(crate) fn pos(&self) -> usize {
        self.pos
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pos == self.data.len()
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], ParseError> {
        let rest = &self.data[self.pos..];
        let taken = rest
            .get(..len)
            .ok_or(ParseError::Truncated { at: self.pos })?;
        self.pos += len;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ParseError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, ParseError> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn u16(&mut self) -> Result<u16, ParseError> {
        self.array().map(u16::from_be_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, ParseError> {
        self.array().map(u32::from_be_bytes)
    }

    /// Fails unless everything has been read.
    pub(crate) fn end(&self) -> Result<(), ParseError> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(ParseError::Trailing { at: self.pos })
        }
    }
}

pub(crate) fn put_u16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_be_bytes());
}

pub(crate) fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_be_bytes());
}
