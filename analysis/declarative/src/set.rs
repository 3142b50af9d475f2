//! A set of nodes, a bit each: ten million of them are a megabyte.

use std::ops::Range;

use crate::tree::NodeNo;

const BITS: u32 = u64::BITS;

/// A set of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Set {
    words: Vec<u64>,
    count: usize,
}

/// The bits of a word that are nodes of this range.
fn mask(word: usize, range: &Range<NodeNo>) -> u64 {
    let first = word as u64 * u64::from(BITS);
    let cut = |node: NodeNo| u64::from(node).saturating_sub(first).min(u64::from(BITS));
    let below = |end: u64| match end {
        64 => u64::MAX,
        end => (1 << end) - 1,
    };
    below(cut(range.end)) & !below(cut(range.start))
}

fn words(range: &Range<NodeNo>) -> Range<usize> {
    let first = range.start / BITS;
    first as usize..range.end.div_ceil(BITS).max(first) as usize
}

impl Set {
    /// All of so many nodes.
    pub(crate) fn full(nodes: usize) -> Self {
        let mut set = Self {
            words: vec![0; nodes.div_ceil(BITS as usize)],
            count: 0,
        };
        set.insert_all(0..nodes as NodeNo);
        set
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn has(&self, node: NodeNo) -> bool {
        self.words[(node / BITS) as usize] & (1 << (node % BITS)) != 0
    }

    pub(crate) fn remove(&mut self, node: NodeNo) {
        self.change(node..node + 1, |word, mask| word & !mask);
    }

    pub(crate) fn insert(&mut self, node: NodeNo) {
        self.insert_all(node..node + 1);
    }

    pub(crate) fn insert_all(&mut self, nodes: Range<NodeNo>) {
        self.change(nodes, |word, mask| word | mask);
    }

    pub(crate) fn remove_all(&mut self, nodes: Range<NodeNo>) {
        self.change(nodes, |word, mask| word & !mask);
    }

    /// Those of this range stay.
    pub(crate) fn keep(&mut self, nodes: Range<NodeNo>) {
        let all = (self.words.len() * BITS as usize) as NodeNo;
        self.remove_all(0..nodes.start);
        self.remove_all(nodes.end..all);
    }

    fn change(&mut self, nodes: Range<NodeNo>, to: impl Fn(u64, u64) -> u64) {
        for no in words(&nodes) {
            let word = &mut self.words[no];
            let new = to(*word, mask(no, &nodes));
            self.count -= word.count_ones() as usize;
            self.count += new.count_ones() as usize;
            *word = new;
        }
    }

    /// Is none of this range in it?
    pub(crate) fn has_none(&self, nodes: Range<NodeNo>) -> bool {
        words(&nodes).all(|no| self.words[no] & mask(no, &nodes) == 0)
    }

    /// How many of this range are in it.
    pub(crate) fn count_within(&self, nodes: Range<NodeNo>) -> usize {
        let ones = |no: usize| (self.words[no] & mask(no, &nodes)).count_ones() as usize;
        words(&nodes).map(ones).sum()
    }

    /// Those of a range, in their order.
    pub(crate) fn within(&self, nodes: Range<NodeNo>) -> impl Iterator<Item = NodeNo> + '_ {
        words(&nodes).flat_map(move |no| {
            let word = self.words[no] & mask(no, &nodes);
            Ones(word).map(move |bit| no as NodeNo * BITS + bit)
        })
    }
}

/// The bits of a word, the lowest first.
struct Ones(u64);

impl Iterator for Ones {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let bit = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (bit < BITS).then_some(bit)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// As a list of bools has it.
        #[test]
        fn it_is_a_set(size in 1u32..300, steps in prop::collection::vec((0u8..5, 0u32..300, 0u32..300), 0..12)) {
            let mut set = Set::full(size as usize);
            let mut plain = vec![true; size as usize];
            for (what, one, other) in steps {
                let (one, other) = (one % size, other % (size + 1));
                let range = one.min(other)..one.max(other);
                let inside = |no: usize| range.contains(&(no as u32));
                match what {
                    0 => set.insert_all(range.clone()),
                    1 => set.remove_all(range.clone()),
                    2 => set.keep(range.clone()),
                    3 => set.insert(one),
                    _ => set.remove(one),
                }
                for (no, has) in plain.iter_mut().enumerate() {
                    match what {
                        0 => *has |= inside(no),
                        1 => *has &= !inside(no),
                        2 => *has &= inside(no),
                        3 => *has |= no as u32 == one,
                        _ => *has &= no as u32 != one,
                    }
                }
                let all: Vec<u32> = (0..size).filter(|no| plain[*no as usize]).collect();
                let within: Vec<u32> = all.iter().copied().filter(|no| range.contains(no)).collect();
                prop_assert_eq!(set.count(), all.len());
                prop_assert!((0..size).all(|no| set.has(no) == plain[no as usize]));
                prop_assert_eq!(set.has_none(range.clone()), within.is_empty());
                prop_assert_eq!(set.count_within(range.clone()), within.len());
                prop_assert_eq!(set.within(range).collect::<Vec<_>>(), within);
                prop_assert_eq!(set.within(0..size).collect::<Vec<_>>(), all);
            }
        }
    }
}
