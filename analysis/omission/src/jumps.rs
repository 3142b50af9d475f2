//! Which executed instruction of an activation kept it from coming to another one.

use std::collections::BTreeSet;

use jinsi_classfile::bits::Bits;
use jinsi_classfile::cfg::Cfg;
use jinsi_classfile::cfg::loops::loops;
use jinsi_classfile::effect::Access;
use jinsi_steps::code::Body;

/// Why something did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A conditional jump or switch went another way.
    Jump,
    /// An exception, or the end of the program, came before it.
    Cut,
    /// A call ran another method.
    Dispatch,
    /// A loop ended, which might have gone on for a round.
    Round,
}

impl Kind {
    /// As documents have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Jump => "jump",
            Self::Cut => "cut",
            Self::Dispatch => "dispatch",
            Self::Round => "round",
        }
    }
}

/// The instructions that can follow each one, exceptions left aside, and those that it can follow.
#[derive(Clone, Debug)]
pub struct Neighbours {
    next: Vec<Vec<u32>>,
    before: Vec<Vec<u32>>,
}

impl Neighbours {
    /// Of a method with so many instructions.
    pub fn of(cfg: &Cfg, count: usize) -> Self {
        let mut next = vec![Vec::new(); count];
        for block in cfg.blocks() {
            for (at, next) in next
                .iter_mut()
                .enumerate()
                .take(block.last)
                .skip(block.first)
            {
                next.push(at as u32 + 1);
            }
            let successors = block.successors.iter();
            let firsts: BTreeSet<u32> = successors.map(|no| cfg.block(*no).first as u32).collect();
            next[block.last].extend(firsts);
        }
        Self::from(next)
    }

    fn from(next: Vec<Vec<u32>>) -> Self {
        let mut before = vec![Vec::new(); next.len()];
        for (from, to) in (0..).zip(&next) {
            for to in to {
                before[*to as usize].push(from);
            }
        }
        Self { next, before }
    }

    /// The instructions that can follow one.
    pub(crate) fn next(&self, at: u32) -> &[u32] {
        &self.next[at as usize]
    }

    /// The instructions that ran, and from which `wanted` is come to over instructions that did not run alone, each with the first of
    /// those. None if it ran itself.
    pub fn dominant(&self, ran: &Bits, wanted: u32) -> Vec<(u32, u32)> {
        if ran.contains(wanted) {
            return Vec::new();
        }
        let mut seen = Bits::new(self.next.len());
        let mut pending = vec![wanted];
        let mut found = BTreeSet::new();
        seen.insert(wanted);
        while let Some(at) = pending.pop() {
            for &before in &self.before[at as usize] {
                if ran.contains(before) {
                    found.insert((before, at));
                } else if seen.insert(before) {
                    pending.push(before);
                }
            }
        }
        found.into_iter().collect()
    }
}

/// Is it a jump that decides where it goes?
pub(crate) fn decides(body: &Body, at: usize) -> bool {
    let instruction = body.instructions.get(at);
    instruction.is_some_and(|i| matches!(i.effect.access, Access::Branch(_)))
}

/// The jumps that ended the innermost loop in which an instruction ran: with each, the way that stays in the loop.
pub(crate) fn rounds(body: &Body, ran: &Bits, wanted: usize) -> Vec<(u32, u32)> {
    let block = body.cfg.block_of(wanted);
    let loops = loops(&body.cfg);
    let Some(innermost) = loops.iter().rfind(|found| found.blocks.contains(block)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for no in innermost.blocks.iter() {
        let block = body.cfg.block(no);
        if !decides(body, block.last) || !ran.contains(block.last as u32) {
            continue;
        }
        let (inside, outside): (Vec<u32>, Vec<u32>) = block
            .successors
            .iter()
            .copied()
            .partition(|to| innermost.blocks.contains(*to));
        if let (Some(stays), false) = (inside.first(), outside.is_empty()) {
            found.push((block.last as u32, body.cfg.block(*stays).first as u32));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bits(all: &[u32]) -> Bits {
        let mut bits = Bits::default();
        for no in all {
            bits.insert(*no);
        }
        bits
    }

    /// `if (0) { if (1) 2; } 3`.
    fn nested() -> Neighbours {
        Neighbours::from(vec![vec![1, 3], vec![2, 3], vec![3], vec![]])
    }

    #[test]
    fn the_jump_is_the_one_that_went_by() {
        assert_eq!(nested().dominant(&bits(&[0, 3]), 2), [(0, 1)]);
        assert_eq!(nested().dominant(&bits(&[0, 1, 3]), 2), [(1, 2)]);
        assert!(nested().dominant(&bits(&[0, 1, 2, 3]), 2).is_empty());
        assert!(nested().dominant(&bits(&[]), 2).is_empty());
    }

    #[test]
    fn there_may_be_several() {
        let graph = Neighbours::from(vec![vec![1, 2], vec![2, 4], vec![3, 4], vec![4], vec![]]);
        assert_eq!(graph.dominant(&bits(&[0, 1, 4]), 3), [(0, 2), (1, 2)]);
    }

    /// All acyclic paths, as the definition has them.
    fn by_paths(next: &[Vec<u32>], ran: &Bits, wanted: u32) -> BTreeSet<(u32, u32)> {
        fn go(
            next: &[Vec<u32>],
            ran: &Bits,
            wanted: u32,
            path: &mut Vec<u32>,
            found: &mut BTreeSet<(u32, u32)>,
        ) {
            let at = path[path.len() - 1];
            if at == wanted && path.len() > 1 {
                found.insert((path[0], path[1]));
                return;
            }
            for &to in &next[at as usize] {
                if !ran.contains(to) && !path.contains(&to) {
                    path.push(to);
                    go(next, ran, wanted, path, found);
                    path.pop();
                }
            }
        }
        let mut found = BTreeSet::new();
        for from in ran.iter() {
            go(next, ran, wanted, &mut vec![from], &mut found);
        }
        found
    }

    proptest! {
        #[test]
        fn closure_and_paths_agree(
            next in prop::collection::vec(prop::collection::btree_set(0u32..7, 0..3), 7),
            ran in prop::collection::btree_set(0u32..7, 0..7),
            wanted in 0u32..7,
        ) {
            let next: Vec<Vec<u32>> = next.into_iter().map(|to| to.into_iter().collect()).collect();
            let ran = bits(&ran.into_iter().collect::<Vec<_>>());
            let found = Neighbours::from(next.clone()).dominant(&ran, wanted);
            let mut expected = by_paths(&next, &ran, wanted);
            if ran.contains(wanted) {
                expected.clear();
            }
            prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
        }
    }
}
