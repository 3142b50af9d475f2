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
    /// Words, as differences to those of another column.
    Linked = 2,
    /// Words, as they are.
    Plain = 3,
}

impl Form {
    pub(super) fn from_number(n: u64) -> Option<Self> {
        [Form::Words, Form::Bytes, Form::Linked, Form::Plain]
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

    pub(super) fn word(&mut self, word: u64) {
        self.difference(self.last, word);
    }

    /// Appends a word as the difference to `base`.
    #[inline]
    pub(super) fn difference(&mut self, base: u64, word: u64) {
        let difference = zigzag(word.wrapping_sub(base) as i64);
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
    /// Forward: the word before. Backward: the next word. Either way the last one up to here. Of a linked column, the last of its source.
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
        let difference = match self.direction {
            Direction::Forward => {
                let (difference, size) = read(rest)?;
                self.range.start += size;
                unzigzag(difference) as u64
            }
            Direction::Backward => {
                let (difference, size) = read_last(rest)?;
                self.range.end -= size;
                unzigzag(difference) as u64
            }
        };
        match (self.form, self.direction) {
            (Form::Bytes, _) => None,
            (Form::Linked, _) => Some(self.word.wrapping_add(difference)),
            (Form::Words, Direction::Forward) => {
                self.word = self.word.wrapping_add(difference);
                Some(self.word)
            }
            (Form::Plain, Direction::Forward) => {
                self.word = difference;
                Some(difference)
            }
            (Form::Plain, Direction::Backward) => {
                let before = body.get(self.range.clone()).and_then(read_last);
                self.word = before.map_or(0, |(word, _)| unzigzag(word) as u64);
                Some(difference)
            }
            (Form::Words, Direction::Backward) => {
                let word = self.word;
                self.word = word.wrapping_sub(difference);
                Some(word)
            }
        }
    }

    /// The last word up to here.
    pub(super) fn last(&self) -> u64 {
        self.word
    }

    /// The source of a linked column has this word.
    pub(super) fn follow(&mut self, word: u64) {
        self.word = word;
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
