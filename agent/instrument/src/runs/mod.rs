//! Several accesses to arrays, and the end of a path, in one event (`detail=instructions`).
//!
//! A *run* is a stretch of a basic block that accesses nothing but elements of primitive arrays, and in which nothing runs that could make
//! events of its own. The operands of its accesses are gathered in fresh locals, as words. Behind the last access they become one event
//! ([`jinsi_trace::model::EventKind::Run`]). A word that follows from others is left out: an array or an index that comes from the same
//! local variable, or from an index to which a constant was added. The site says which access has which words.
//!
//! If a local variable is the same array all through a loop, its word is found once, where the variable is assigned.
//!
//! The locals exist in the whole method. So if an exception ends a run, the handler writes the events of the accesses that were done, one by
//! one. The table that says which these are is a constant of the class (`JinsiGather.interrupted`).

mod find;
mod held;
mod tell;

use std::collections::{BTreeMap, HashSet};

use jinsi_classfile::opcode as op;
use jinsi_probes::numbers::TABLE_BIAS as BIAS;
use jinsi_probes::{MOST_HELD, MOST_WORDS, numbers};
use jinsi_trace::model::SiteNo;

use super::sites::element_letter;

/// Least events that one of a run stands for: a single one is an event of its own.
const LEAST_PARTS: usize = 2;

/// Bits of a number that one character of a table has.
const BITS: u32 = numbers::TABLE_BITS as u32;

/// A symbolic value: the difference to the value that the number `base` stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Symbolic {
    base: u32,
    add: i32,
}

/// What all constants differ from.
const ZERO: u32 = 0;

/// A word of a run.
#[derive(Clone, Copy, Debug)]
struct Word {
    letter: char,
    /// What is in it; nothing is known of elements.
    known: Option<Symbolic>,
    source: Source,
}

/// Where a word is when the event is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// In this one of the locals for words.
    Gathered(usize),
    /// In the local for the word of what this local has.
    Held(u16),
    /// In the local with the path's number, which is an `int`.
    Number(u16),
}

/// An access of a run.
#[derive(Clone, Debug)]
struct Element {
    /// Place of the instruction.
    at: usize,
    letter: char,
    stores: bool,
    /// Words of array, index and element, and what is added to the index. An index without a word is always the same.
    array: usize,
    index: (Option<usize>, i32),
    element: usize,
    /// Do array and index have to be put into their words?
    takes: (bool, bool),
}

/// Where a path ends behind a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathEnd {
    /// Place of the block's last instruction.
    pub(super) last: usize,
    /// Site of the path's event.
    pub(super) site: SiteNo,
    /// The local with the number, and what that is from then on.
    pub(super) number: u16,
    pub(super) next: u32,
    /// The number, if it is always the same.
    pub(super) known: Option<i32>,
}

/// A run.
#[derive(Clone, Debug, Default)]
struct Run {
    words: Vec<Word>,
    elements: Vec<Element>,
    /// How many words are in locals of their own.
    gathered: usize,
    /// Of its event, once there is one.
    site: Option<SiteNo>,
    path: Option<PathEnd>,
}

impl Run {
    fn word(&mut self, letter: char, known: Option<Symbolic>) -> usize {
        self.words.push(Word {
            letter,
            known,
            source: Source::Gathered(self.gathered),
        });
        self.gathered += 1;
        self.words.len() - 1
    }

    /// The word for what is known as `known`, and how much that is more than what is in it; and whether it is a new word.
    fn word_of(&mut self, letter: char, known: Symbolic) -> ((usize, i32), bool) {
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
    fn access(
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

    fn parts(&self) -> usize {
        self.elements.len() + usize::from(self.path.is_some())
    }
}

/// The runs of a method.
#[derive(Debug)]
pub(super) struct Runs {
    runs: Vec<Run>,
    /// Places of their accesses, and of the last instructions of blocks with which a run and a path end. The largest methods, those that
    /// fill tables, have thousands.
    accesses: HashSet<usize>,
    ends: HashSet<usize>,
    /// Locals of the words.
    words: Vec<u16>,
    /// Locals whose words are kept, and the locals of these.
    held: BTreeMap<u16, u16>,
    /// The table of accesses, for handlers.
    table: String,
}

impl Runs {
    fn new(runs: Vec<Run>, words: Vec<u16>, held: BTreeMap<u16, u16>, table: String) -> Self {
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
    pub(super) fn has(&self, at: usize) -> bool {
        self.accesses.contains(&at)
    }

    /// Is there a run that ends with the path of the block with this last instruction?
    pub(super) fn end_path(&self, last: usize) -> bool {
        self.ends.contains(&last)
    }

    /// Place of a word among the arguments of `JinsiGather.interrupted`.
    fn argument(held: &BTreeMap<u16, u16>, source: Source) -> usize {
        match source {
            Source::Gathered(no) => no,
            Source::Held(local) => MOST_WORDS + held.range(..local).count(),
            // Where a path has ended no exception can come between.
            Source::Number(_) => 0,
        }
    }
}
