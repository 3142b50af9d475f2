//! A column: the values of one operand of one site.

use crate::varint::{read, read_last, unzigzag, write, zigzag};

use super::Direction;

/// How a column holds its values; the discriminants are part of the file format.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Words, as differences.
    Words = 0,
    /// Bytes, as they are.
    Bytes = 1,
}

impl Form {
    pub(super) fn from_number(n: u64) -> Option<Self> {
        [Form::Words, Form::Bytes]
            .into_iter()
            .find(|&f| f as u64 == n)
    }
}

/// A column being filled.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) form: Form,
    pub(super) bytes: Vec<u8>,
    pub(super) last: u64,
    used: bool,
}

impl Column {
    pub(super) fn new() -> Self {
        Self {
            form: Form::Words,
            bytes: Vec::new(),
            last: 0,
            used: false,
        }
    }

    #[inline]
    pub(super) fn word(&mut self, word: u64) {
        let difference = zigzag(word.wrapping_sub(self.last) as i64);
        if difference < 0x80 {
            self.bytes.push(difference as u8);
        } else {
            write(&mut self.bytes, difference);
        }
        self.last = word;
    }

    /// Appends packed elements, in a column of nothing else.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.form = Form::Bytes;
        self.bytes.extend(bytes);
        self.used = true;
    }

    /// Has it values? Of packed elements there may be none in it all the same.
    pub(super) fn is_used(&self) -> bool {
        self.used || !self.bytes.is_empty()
    }

    /// For the next chunk; memory beyond `kept` bytes is given back.
    pub(super) fn clear(&mut self, kept: usize) {
        self.bytes.clear();
        self.bytes.shrink_to(kept);
        self.last = 0;
        self.used = false;
    }
}

/// Reads a column in one direction. `at` and the column's range are offsets in the chunk's body, so that the reader
/// borrows nothing.
#[derive(Clone, Debug)]
pub(super) struct ColumnReader {
    form: Form,
    /// What is not read yet.
    range: std::ops::Range<usize>,
    /// Forward: the word before. Backward: the next word.
    word: u64,
    direction: Direction,
}

impl ColumnReader {
    pub(super) fn new(
        form: Form,
        range: std::ops::Range<usize>,
        last: u64,
        direction: Direction,
    ) -> Self {
        let word = match direction {
            Direction::Forward => 0,
            Direction::Backward => last,
        };
        Self {
            form,
            range,
            word,
            direction,
        }
    }

    /// The next word; `None` if there is none.
    pub(super) fn word(&mut self, body: &[u8]) -> Option<u64> {
        let rest = body.get(self.range.clone())?;
        if self.form != Form::Words {
            return None;
        }
        match self.direction {
            Direction::Forward => {
                let (difference, size) = read(rest)?;
                self.range.start += size;
                self.word = self.word.wrapping_add(unzigzag(difference) as u64);
                Some(self.word)
            }
            Direction::Backward => {
                let (difference, size) = read_last(rest)?;
                self.range.end -= size;
                let word = self.word;
                self.word = word.wrapping_sub(unzigzag(difference) as u64);
                Some(word)
            }
        }
    }

    /// The next `len` bytes (in their own order, whatever the direction); `None` if they are not there.
    pub(super) fn bytes<'a>(&mut self, body: &'a [u8], len: usize) -> Option<&'a [u8]> {
        let rest = body.get(self.range.clone())?;
        if self.form != Form::Bytes || len > rest.len() {
            return None;
        }
        match self.direction {
            Direction::Forward => {
                self.range.start += len;
                Some(&rest[..len])
            }
            Direction::Backward => {
                self.range.end -= len;
                Some(&rest[rest.len() - len..])
            }
        }
    }
}
