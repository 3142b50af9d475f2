//! Operands that are not in their columns yet.
//!
//! A chunk's events are taken in their order, but the words of one column are alike, and those of the next are not: one column after the
//! other takes half the time. So where nothing is out of the ordinary, of an event only its place is noted. Before something is, and at the
//! chunk's end, all that waits is put into the columns.

use crate::model::Prim;
use crate::raw::{TAG_BOX, TAG_OBJECT};

/// How the word of an operand is taken: what of it counts, and the bit that all above it are like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) is_reference: bool,
    mask: u64,
    sign: u64,
}

impl Operand {
    /// Of the type with this letter.
    pub(super) fn of(letter: u8) -> Self {
        let (bits, is_signed) = match letter {
            b'Z' => (1, false),
            b'B' => (8, true),
            b'C' => (16, false),
            b'S' => (16, true),
            b'I' => (32, true),
            b'F' => (32, false),
            // A letter that no type has is refused when the site is recorded.
            _ => (64, false),
        };
        Self {
            is_reference: letter == b'L',
            mask: u64::MAX >> (64 - bits),
            sign: u64::from(is_signed) << (bits - 1),
        }
    }

    /// The word that values of this type have.
    #[inline]
    pub(super) fn canonical(self, word: u64) -> u64 {
        ((word & self.mask) ^ self.sign).wrapping_sub(self.sign)
    }
}

/// A word of each event that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    /// Its column.
    pub(super) slot: u32,
    operand: Operand,
    /// Of which bits it is known what they are; but for null.
    fixed: u64,
    tag: u64,
    may_be_null: bool,
}

/// The events of a group that wait. All have as many words, of the same kinds: boxes of one type, no boxes, primitives.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// Where in the raw words their operands begin.
    at: Vec<u32>,
    lanes: Vec<Lane>,
    /// Is the group known as one that has some?
    is_known: bool,
}

impl Waiting {
    /// One for each word of an event.
    pub(super) fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Takes an event with the operands `words`, which begin at `at` in the raw words, if it is like those that wait. Says whether it does,
    /// and if so, whether the group is to be noted as one that has some.
    #[inline]
    pub(super) fn push(
        &mut self,
        operands: &[Operand],
        words: &[[u8; 8]],
        at: usize,
    ) -> Option<bool> {
        let fits = self.fits(words) || self.at.is_empty() && self.lay_out(operands, words);
        if !fits || self.lanes.is_empty() != operands.is_empty() {
            return None;
        }
        // A chunk's raw words are far fewer.
        self.at.push(at as u32);
        Some(!std::mem::replace(&mut self.is_known, true))
    }

    #[inline]
    fn fits(&self, words: &[[u8; 8]]) -> bool {
        // Without a jump in it: what values are is hard to foretell.
        let is_other = |is_other: bool, (lane, word): (&Lane, &[u8; 8])| {
            let word = u64::from_le_bytes(*word);
            is_other | (word & lane.fixed != lane.tag) & !(lane.may_be_null & (word == 0))
        };
        words.len() == self.lanes.len() && !self.lanes.iter().zip(words).fold(false, is_other)
    }

    /// Has all that come be like this event, if it can wait at all.
    #[cold]
    fn lay_out(&mut self, operands: &[Operand], words: &[[u8; 8]]) -> bool {
        self.lanes.clear();
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        for (slot, &operand) in (0..).step_by(2).zip(operands) {
            let Some(word) = words.next() else {
                return false;
            };
            let lane = Lane {
                slot,
                operand,
                fixed: 0,
                tag: 0,
                may_be_null: false,
            };
            match word & 7 {
                _ if !operand.is_reference => self.lanes.push(lane),
                TAG_BOX if Prim::is_letter(word >> 3) && words.next().is_some() => {
                    let of_box = Lane {
                        fixed: u64::MAX,
                        tag: word,
                        ..lane
                    };
                    let value = Lane {
                        slot: slot + 1,
                        operand: Operand::of((word >> 3) as u8),
                        ..lane
                    };
                    self.lanes.extend([of_box, value]);
                }
                tag if tag == TAG_OBJECT || word == 0 => self.lanes.push(Lane {
                    fixed: 7,
                    tag: TAG_OBJECT,
                    may_be_null: true,
                    ..lane
                }),
                _ => return false,
            }
        }
        words.next().is_none()
    }

    /// The words of a lane, and where each event's begin.
    pub(super) fn words<'a>(
        &'a self,
        lane: usize,
        raw: &'a [[u8; 8]],
    ) -> impl ExactSizeIterator<Item = (u32, u64)> + 'a {
        let operand = self.lanes[lane].operand;
        self.at.iter().map(move |&at| {
            let word = raw.get(at as usize + lane).copied().unwrap_or_default();
            (at, operand.canonical(u64::from_le_bytes(word)))
        })
    }

    /// The group is not noted any more.
    pub(super) fn unknown(&mut self) {
        self.is_known = false;
    }

    /// Forgets all; no more than `kept` bytes of memory stay.
    pub(super) fn clear(&mut self, kept: usize) {
        self.at.clear();
        self.at.shrink_to(kept / size_of::<u32>());
    }
}
