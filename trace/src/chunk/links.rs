//! What the words of a column are compared with: the word before, nothing, or what another column has.
//!
//! Some columns repeat what others have: the receiver of a method was that of the call, an argument was the result of another call.
//!
//! Such a column is *linked* to a source: each of its words is stored as the difference to the word that the source had last, which is
//! mostly 0. A source is not linked itself and belongs to another symbol, so that a reader, in either direction, has that word at hand.
//! Which columns are linked, and in which differences are not shorter than the words themselves, is learnt from chunks that were made
//! before; each chunk says it of itself.

use crate::varint::zigzag;
use jinsi_rlese::place;

/// How many chunks are learnt from at first, and then one of how many.
const FIRST_LEARNT: u64 = 2;
const LEARNT_ONE_OF: u64 = 32;
/// Words below this take a byte anyway.
const SMALL: u64 = 64;
/// Words seen before a column is linked.
const ENOUGH: u32 = 16;
/// Places for words that were seen lately; a power of two.
const LATELY: usize = 1 << 10;
/// The cell that is always 0: words compared with it are stored as they are.
const ZERO: u32 = 0;

/// A column of operands.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// The last word in this chunk, 0 at first.
    last: u64,
    /// Whose last word the next one is compared with: its own, its source's, or [`ZERO`]'s.
    link: u32,
    group: u32,
}

/// What was found out about a cell: the source that most words agree with, by majority vote.
#[derive(Clone, Copy, Debug, Default)]
struct Votes {
    candidate: u32,
    /// Votes for the candidate less those against it.
    net: u32,
    /// Words for which the candidate had the same.
    agreed: u32,
    /// Words that could agree, being large enough.
    large: u32,
    words: u32,
    /// Sizes of all words in bits, and of their differences.
    bits: (u64, u64),
}

#[derive(Debug)]
struct Learner {
    /// Words and the cell that had them first, by hash.
    lately: Vec<(u64, u32)>,
    /// By cell.
    votes: Vec<Votes>,
}

/// All columns of operands of an encoder.
#[derive(Debug)]
pub(super) struct Cells {
    cells: Vec<Cell>,
    /// By cell: is another linked to it?
    is_source: Vec<bool>,
    learner: Option<Learner>,
    chunks: u64,
}

impl Default for Cells {
    fn default() -> Self {
        let zero = Cell {
            last: 0,
            link: ZERO,
            group: u32::MAX,
        };
        Self {
            cells: vec![zero],
            is_source: Vec::new(),
            learner: None,
            chunks: 0,
        }
    }
}

impl Cells {
    /// Adds the `count` columns of a group; the number of the first.
    pub(super) fn add(&mut self, group: u32, count: usize) -> u32 {
        let first = self.cells.len() as u32;
        self.cells.extend((first..).take(count).map(|link| Cell {
            last: 0,
            link,
            group,
        }));
        first
    }

    /// Before the first event of a chunk.
    pub(super) fn begin(&mut self) {
        if self.chunks < FIRST_LEARNT || self.chunks.is_multiple_of(LEARNT_ONE_OF) {
            self.learner = Some(Learner {
                lately: vec![(0, 0); LATELY],
                votes: Vec::new(),
            });
        }
        self.chunks += 1;
    }

    /// The word with which `word`, the next of `cell`, is compared.
    #[inline]
    pub(super) fn word(&mut self, cell: u32, word: u64) -> u64 {
        if self.learner.is_some() {
            self.learn(cell, word);
        }
        let link = self.cells[cell as usize].link;
        let base = self.cells[link as usize].last;
        self.cells[cell as usize].last = word;
        base
    }

    /// Is something found out about the words of this chunk? Then they have to be given in the order of the events.
    pub(super) fn learns(&self) -> bool {
        self.learner.is_some()
    }

    /// Have the words of these cells to do with those of no others?
    pub(super) fn are_alone(&self, mut cells: std::ops::Range<u32>) -> bool {
        let is_source = |cell: u32| self.is_source.get(cell as usize) == Some(&true);
        cells.all(|cell| self.source(cell).is_none() && !is_source(cell))
    }

    /// The last word of a cell.
    pub(super) fn last(&self, cell: u32) -> u64 {
        self.cells[cell as usize].last
    }

    /// Several words of a cell have been compared, of which this is the last.
    pub(super) fn passed(&mut self, cell: u32, last: u64) {
        self.cells[cell as usize].last = last;
    }

    #[cold]
    fn learn(&mut self, cell: u32, word: u64) {
        let Some(learner) = &mut self.learner else {
            return;
        };
        if learner.votes.len() < self.cells.len() {
            learner.votes.resize(self.cells.len(), Votes::default());
        }
        let votes = &mut learner.votes[cell as usize];
        let bits = |word: u64| u64::from(u64::BITS - zigzag(word as i64).leading_zeros());
        let last = self.cells[cell as usize].last;
        votes.bits.0 += bits(word);
        votes.bits.1 += bits(word.wrapping_sub(last));
        votes.words += 1;
        if word < SMALL {
            return;
        }
        let at = place(word, LATELY.trailing_zeros());
        let (known, first) = learner.lately[at];
        votes.large += 1;
        let other = self.cells[first as usize].group != self.cells[cell as usize].group;
        if known != word || !other || self.cells[first as usize].last != word {
            learner.lately[at] = (word, cell);
            votes.net = votes.net.saturating_sub(1);
        } else if votes.net == 0 {
            *votes = Votes {
                candidate: first,
                net: 1,
                agreed: 1,
                ..*votes
            };
        } else if votes.candidate == first {
            votes.net += 1;
            votes.agreed += 1;
        } else {
            votes.net -= 1;
        }
    }

    /// After a chunk: `used` are the columns of the groups that were in it.
    pub(super) fn end(&mut self, used: impl Iterator<Item = std::ops::Range<u32>>) {
        for cell in used.flatten() {
            self.cells[cell as usize].last = 0;
        }
        if let Some(learner) = self.learner.take() {
            self.link(&learner.votes);
        }
    }

    /// Links the cells that were seen anew, those that agree most first.
    fn link(&mut self, votes: &[Votes]) {
        let mut seen: Vec<u32> = (0..votes.len() as u32)
            .filter(|&cell| votes[cell as usize].words >= ENOUGH)
            .collect();
        for &cell in &seen {
            let (plain, differences) = votes[cell as usize].bits;
            self.cells[cell as usize].link = if plain < differences { ZERO } else { cell };
        }
        let mut is_source = vec![false; self.cells.len()];
        for (cell, of) in self.cells.iter().enumerate() {
            if of.link as usize != cell && of.link != ZERO {
                is_source[of.link as usize] = true;
            }
        }
        seen.retain(|&cell| {
            let votes = votes[cell as usize];
            votes.large >= ENOUGH && u64::from(votes.agreed) * 4 >= u64::from(votes.large) * 3
        });
        seen.sort_by_key(|&cell| std::cmp::Reverse(votes[cell as usize].agreed));
        for cell in seen {
            let candidate = votes[cell as usize].candidate;
            let is_linked = ![candidate, ZERO].contains(&self.cells[candidate as usize].link);
            if !is_linked && !is_source[cell as usize] {
                self.cells[cell as usize].link = candidate;
                is_source[candidate as usize] = true;
            }
        }
        self.is_source = is_source;
    }

    /// The source of a cell, if it is linked.
    pub(super) fn source(&self, cell: u32) -> Option<u32> {
        let link = self.cells[cell as usize].link;
        (link != cell && link != ZERO).then_some(link)
    }

    /// Are the words of a cell compared with nothing?
    pub(super) fn is_plain(&self, cell: u32) -> bool {
        self.cells[cell as usize].link == ZERO
    }

    /// The group whose column this is.
    pub(super) fn group(&self, cell: u32) -> u32 {
        self.cells[cell as usize].group
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that two columns have in turn, the second the same as the first.
    fn pass(cells: &mut Cells, first: u32, second: u32) -> Vec<(u64, u64)> {
        cells.begin();
        let bases = (1..100u64).map(|n| {
            let word = n * n * 1000;
            (cells.word(first, word), cells.word(second, word))
        });
        let bases = bases.collect();
        cells.end([first..first + 1, second..second + 1].into_iter());
        bases
    }

    #[test]
    fn what_repeats_is_linked_to_what_it_repeats() {
        let mut cells = Cells::default();
        let (first, second) = (cells.add(0, 1), cells.add(1, 1));
        let before = pass(&mut cells, first, second);
        assert!(before[1..].iter().all(|(a, b)| a == b), "own words");
        assert_eq!(cells.source(second), Some(first));
        assert_eq!(cells.source(first), None);
        let after = pass(&mut cells, first, second);
        assert!(
            after
                .iter()
                .zip(1..)
                .all(|(&(_, base), n)| base == n * n * 1000)
        );
        assert_eq!(after[0].0, 0, "nothing is left of the chunk before");
    }

    #[test]
    fn random_words_are_stored_as_they_are() {
        let mut cells = Cells::default();
        let (random, rising) = (cells.add(0, 1), cells.add(1, 1));
        for _ in 0..2 {
            cells.begin();
            for n in 1..1000u64 {
                cells.word(random, n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54);
                cells.word(rising, 5000 + n);
            }
            cells.end([random..random + 1, rising..rising + 1].into_iter());
        }
        assert!(cells.is_plain(random));
        assert!(!cells.is_plain(rising));
        cells.begin();
        assert_eq!((cells.word(random, 7), cells.word(random, 8)), (0, 0));
    }

    #[test]
    fn columns_of_one_group_are_not_linked() {
        let mut cells = Cells::default();
        let first = cells.add(0, 2);
        pass(&mut cells, first, first + 1);
        assert_eq!(cells.source(first + 1), None);
    }

    #[test]
    fn what_is_not_alike_is_linked_no_longer() {
        let mut cells = Cells::default();
        let (first, second) = (cells.add(0, 1), cells.add(1, 1));
        pass(&mut cells, first, second);
        for chunk in 0..2 * LEARNT_ONE_OF {
            cells.begin();
            for n in 1..100u64 {
                cells.word(first, n * 1000);
                cells.word(second, n * 777 + chunk);
            }
            cells.end([first..first + 1, second..second + 1].into_iter());
        }
        assert_eq!(cells.source(second), None);
    }
}
