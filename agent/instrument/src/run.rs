//! Several accesses to arrays, and the end of a path, that one event tells of: a run (`runs` finds them, and writes their events).

use std::collections::{BTreeMap, HashSet};

use jinsi_classfile::opcode as op;
use jinsi_probes::numbers::TABLE_BIAS as BIAS;
use jinsi_probes::{MOST_WORDS, numbers};
use jinsi_trace::model::SiteNo;

use super::sites::element_letter;

/// Least events that one of a run stands for: a single one is an event of its own.
pub(crate) const LEAST_PARTS: usize = 2;

/// Bits of a number that one character of a table has.
pub(crate) const BITS: u32 = numbers::TABLE_BITS as u32;

/// A symbolic value: the difference to the value that the number `base` stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symbolic {
    pub(crate) base: u32,
    pub(crate) add: i32,
}

/// What all constants differ from.
pub(crate) const ZERO: u32 = 0;

/// A word of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub(crate) letter: char,
    /// What is in it; nothing is known of elements.
    pub(crate) known: Option<Symbolic>,
    pub(crate) source: Source,
}

/// Where a word is when the event is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// In this one of the locals for words.
    Gathered(usize),
    /// In the local for the word of what this local has.
    Held(u16),
    /// In the local with the path's number, which is an `int`.
    Number(u16),
}

/// An access of a run.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// Place of the instruction.
    pub(crate) at: usize,
    pub(crate) letter: char,
    pub(crate) stores: bool,
    /// Words of array, index and element, and what is added to the index. An index without a word is always the same.
    pub(crate) array: usize,
    pub(crate) index: (Option<usize>, i32),
    pub(crate) element: usize,
    /// Do array and index have to be put into their words?
    pub(crate) takes: (bool, bool),
}

/// Where a path ends behind a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathEnd {
    /// Place of the block's last instruction.
    pub(crate) last: usize,
    /// Site of the path's event.
    pub(crate) site: SiteNo,
    /// The local with the number, and what that is from then on.
    pub(crate) number: u16,
    pub(crate) next: u32,
    /// The number, if it is always the same.
    pub(crate) known: Option<i32>,
}

/// A run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    pub(crate) words: Vec<Word>,
    pub(crate) elements: Vec<Element>,
    /// How many words are in locals of their own.
    pub(crate) gathered: usize,
    /// Of its event, once there is one.
    pub(crate) site: Option<SiteNo>,
    pub(crate) path: Option<PathEnd>,
}

impl Run {
    pub(crate) fn word(&mut self, letter: char, known: Option<Symbolic>) -> usize {
        self.words.push(Word {
            letter,
            known,
            source: Source::Gathered(self.gathered),
        });
        self.gathered += 1;
        self.words.len() - 1
    }

    /// The word for what is known as `known`, and how much that is more than what is in it; and whether it is a new word.
    pub(crate) fn word_of(&mut self, letter: char, known: Symbolic) -> ((usize, i32), bool) {
        let same = |word: &Word| {
            let alike = |other: &Symbolic| word.letter == letter && other.base == known.base;
            let add = known.add.wrapping_sub(word.known.filter(alike)?.add);
            (-BIAS < add && add < BIAS).then_some(add)
        };
        let mut words = self.words.iter().enumerate();
        match words.find_map(|(no, word)| Some((no, same(word)?))) {
            Some(found) => (found, false),
            None => ((self.word(letter, Some(known)), 0), true),
        }
    }

    /// Adds an access. `held`: the local that has the array, if its word is kept.
    pub(crate) fn access(
        &mut self,
        at: usize,
        code: u8,
        (array, held): (Symbolic, Option<u16>),
        index: Symbolic,
    ) {
        let stores = code >= op::IASTORE;
        let letter = element_letter(code - if stores { op::IASTORE } else { op::IALOAD });
        let ((array, _), mut takes_array) = self.word_of('L', array);
        if let (true, Some(local)) = (takes_array, held) {
            self.words[array].source = Source::Held(local);
            self.gathered -= 1;
            takes_array = false;
        }
        let is_short = -BIAS < index.add && index.add < BIAS;
        let (index, takes_index) = match index.base == ZERO && is_short {
            true => ((None, index.add), false),
            false => {
                let ((word, add), is_new) = self.word_of('I', index);
                ((Some(word), add), is_new)
            }
        };
        let element = self.word(letter, None);
        self.elements.push(Element {
            at,
            letter,
            stores,
            array,
            index,
            element,
            takes: (takes_array, takes_index),
        });
    }

    pub(crate) fn parts(&self) -> usize {
        self.elements.len() + usize::from(self.path.is_some())
    }
}

/// The runs of a method.
#[derive(Debug)]
pub(crate) struct Runs {
    pub(crate) runs: Vec<Run>,
    /// Places of their accesses, and of the last instructions of blocks with which a run and a path end. The largest methods, those that
    /// fill tables, have thousands.
    pub(crate) accesses: HashSet<usize>,
    pub(crate) ends: HashSet<usize>,
    /// Locals of the words.
    pub(crate) words: Vec<u16>,
    /// Locals whose words are kept, and the locals of these.
    pub(crate) held: BTreeMap<u16, u16>,
    /// The table of accesses, for handlers.
    pub(crate) table: String,
}

impl Runs {
    pub(crate) fn new(
        runs: Vec<Run>,
        words: Vec<u16>,
        held: BTreeMap<u16, u16>,
        table: String,
    ) -> Self {
        let elements = runs.iter().flat_map(|run| &run.elements);
        let ends = runs.iter().filter_map(|run| run.path);
        Self {
            accesses: elements.map(|element| element.at).collect(),
            ends: ends.map(|end| end.last).collect(),
            runs,
            words,
            held,
            table,
        }
    }

    /// Is the instruction at this place an access of a run?
    pub(crate) fn has(&self, at: usize) -> bool {
        self.accesses.contains(&at)
    }

    /// Is there a run that ends with the path of the block with this last instruction?
    pub(crate) fn end_path(&self, last: usize) -> bool {
        self.ends.contains(&last)
    }

    /// Place of a word among the arguments of `JinsiGather.interrupted`.
    pub(crate) fn argument(held: &BTreeMap<u16, u16>, source: Source) -> usize {
        match source {
            Source::Gathered(no) => no,
            Source::Held(local) => MOST_WORDS + held.range(..local).count(),
            // Where a path has ended no exception can come between.
            Source::Number(_) => 0,
        }
    }
}
