//! Loops of a method.

use super::{BlockNo, Cfg};
use crate::bits::Bits;

/// A loop: what can be run between two times that control comes to its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The block that each round begins with.
    pub head: BlockNo,
    /// All blocks, the head among them.
    pub blocks: Bits,
}

/// The loops of a method, outer ones before those within. Exceptions count as jumps.
pub fn loops(cfg: &Cfg) -> Vec<Loop> {
    let count = cfg.blocks().len();
    let mut before = vec![Vec::new(); count];
    for (from, block) in (0..).zip(cfg.blocks()) {
        for &to in block.successors.iter().chain(&block.handlers) {
            before[to as usize].push(from);
        }
    }
    let mut loops: Vec<Loop> = Vec::new();
    for (from, head) in back_edges(cfg) {
        let mut blocks = Bits::new(count);
        blocks.insert(head);
        let mut pending = vec![from];
        while let Some(block) = pending.pop() {
            if blocks.insert(block) {
                pending.extend(&before[block as usize]);
            }
        }
        match loops.iter_mut().find(|known| known.head == head) {
            Some(known) => drop(known.blocks.add_all(&blocks)),
            None => loops.push(Loop { head, blocks }),
        }
    }
    loops.sort_by_key(|found| std::cmp::Reverse(found.blocks.iter().count()));
    loops
}

/// Edges of reachable blocks to blocks that are open in a search from the method's beginning.
fn back_edges(cfg: &Cfg) -> Vec<(BlockNo, BlockNo)> {
    let mut seen = Bits::new(cfg.blocks().len());
    let mut open = Bits::new(cfg.blocks().len());
    let mut found = Vec::new();
    let mut stack = vec![(0, 0)];
    seen.insert(0);
    open.insert(0);
    while let Some((no, at)) = stack.last_mut() {
        let (from, block) = (*no, cfg.block(*no));
        let next = block.successors.iter().chain(&block.handlers).nth(*at);
        *at += 1;
        match next {
            None => {
                open.remove(from);
                stack.pop();
            }
            Some(&to) if open.contains(to) => found.push((from, to)),
            Some(&to) => {
                if seen.insert(to) {
                    open.insert(to);
                    stack.push((to, 0));
                }
            }
        }
    }
    found
}
