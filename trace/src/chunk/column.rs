//! A column: the values of one operand of one site.
//!
//! A number is a varint whose first byte is apart from the others: the first bytes of all numbers are one row, the other bytes another. So
//! [`crate::varint`] writes and reads the others only, and what is here puts the two together.

use std::ops::Range;

use crate::varint::{read, read_last, unzigzag, write, zigzag};

use super::direction::Direction;

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
    /// The first byte of each number, or packed elements.
    pub(super) bytes: Vec<u8>,
    /// The other bytes of the numbers. Apart from the first ones, which look different, they compress better.
    pub(super) more: Vec<u8>,
    pub(super) last: u64,
    used: bool,
}

impl Column {
    pub(super) fn new() -> Self {
        Self {
            form: Form::Words,
            bytes: Vec::new(),
            more: Vec::new(),
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
            self.bytes.push(difference as u8 | 0x80);
            write(&mut self.more, difference >> 7);
        }
        self.last = word;
    }

    /// Appends words as the differences to the one before; the first as that to `base`.
    pub(super) fn differences(&mut self, base: u64, words: impl ExactSizeIterator<Item = u64>) {
        let mut last = base;
        self.numbers(words.map(|word| word.wrapping_sub(std::mem::replace(&mut last, word))));
        self.last = last;
    }

    /// Appends words as they are.
    pub(super) fn words(&mut self, words: impl ExactSizeIterator<Item = u64>) {
        let mut last = self.last;
        self.numbers(words.inspect(|word| last = *word));
        self.last = last;
    }

    #[inline]
    fn numbers(&mut self, words: impl ExactSizeIterator<Item = u64>) {
        let more = &mut self.more;
        self.bytes.extend(words.map(|word| {
            let number = zigzag(word as i64);
            if number < 0x80 {
                return number as u8;
            }
            write(more, number >> 7);
            number as u8 | 0x80
        }));
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
        for bytes in [&mut self.bytes, &mut self.more] {
            bytes.clear();
            bytes.shrink_to(kept);
        }
        self.last = 0;
        self.used = false;
    }
}

/// Reads a column in one direction. Its ranges are in the chunk's body, so that the reader borrows nothing.
#[derive(Clone, Debug)]
pub(super) struct ColumnReader {
    form: Form,
    /// All of it.
    all: Range<usize>,
    /// What is not read yet.
    range: Range<usize>,
    /// Of the numbers' other bytes.
    more: Range<usize>,
    /// Forward: the word before. Backward: the next word. Either way the last one up to here. Of a linked column, the last of its source.
    word: u64,
    direction: Direction,
}

impl ColumnReader {
    pub(super) fn new(
        form: Form,
        [range, more]: [Range<usize>; 2],
        last: u64,
        direction: Direction,
    ) -> Self {
        let word = match direction {
            Direction::Forward => 0,
            Direction::Backward => last,
        };
        Self {
            form,
            all: range.clone(),
            range,
            more,
            word,
            direction,
        }
    }

    /// The next number, and how many of the other bytes are its.
    fn number(&self, body: &[u8]) -> Option<(u64, usize)> {
        let (firsts, more) = (body.get(self.range.clone())?, body.get(self.more.clone())?);
        let forward = self.direction == Direction::Forward;
        let first = u64::from(*if forward {
            firsts.first()?
        } else {
            firsts.last()?
        });
        if first < 0x80 {
            return Some((first, 0));
        }
        let (rest, size) = if forward {
            read(more).ok()?
        } else {
            read_last(more)?
        };
        let is_sound = rest <= u64::MAX >> 7;
        is_sound.then_some((first & 0x7f | rest << 7, size))
    }

    /// The next word; `None` if there is none.
    pub(super) fn word(&mut self, body: &[u8]) -> Option<u64> {
        let (number, size) = self.number(body)?;
        match self.direction {
            Direction::Forward => {
                self.range.start += 1;
                self.more.start += size;
            }
            Direction::Backward => {
                self.range.end -= 1;
                self.more.end -= size;
            }
        }
        let difference = unzigzag(number) as u64;
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
                let before = self.number(body);
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

    /// The `len` bytes at `at` of the whole column, wherever it is read; `None` if they are not there.
    pub(super) fn bytes_at<'a>(&self, body: &'a [u8], at: u64, len: usize) -> Option<&'a [u8]> {
        let all = body.get(self.all.clone())?;
        let at = usize::try_from(at).ok()?;
        let is_packed = self.form == Form::Bytes;
        all.get(at..at.checked_add(len)?).filter(|_| is_packed)
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
