//! Control dependence (Ferrante, Ottenstein and Warren): a block depends on a branch if one way out of the branch surely leads to the
//! block, and another may pass it by.
//!
//! Exceptions are left aside, or whatever follows an instruction that might have thrown would depend on it. What depends on an
//! exception that *was* thrown is [`ControlDependence::on_throw`].

use super::dominance::PostDominators;
use super::{BlockNo, Cfg};

/// A set of blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BlockSet {
    words: Vec<u64>,
}

impl BlockSet {
    /// The empty set, with room for `blocks`.
    pub fn new(blocks: usize) -> Self {
        Self {
            words: vec![0; blocks.div_ceil(64)],
        }
    }

    /// Adds a block; was it new?
    pub fn insert(&mut self, block: BlockNo) -> bool {
        let (word, bit) = (block as usize / 64, 1 << (block % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Is the block in the set?
    pub fn contains(&self, block: BlockNo) -> bool {
        let word = self.words.get(block as usize / 64);
        word.is_some_and(|word| word & 1 << (block % 64) != 0)
    }

    /// Takes the blocks of `others` out. Was one of them in?
    pub fn remove_all(&mut self, others: &BlockSet) -> bool {
        let mut removed = 0;
        for (word, other) in self.words.iter_mut().zip(&others.words) {
            removed |= *word & other;
            *word &= !other;
        }
        removed != 0
    }

    /// Is there no block in it?
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The blocks, in order.
    pub fn iter(&self) -> impl Iterator<Item = BlockNo> + '_ {
        (0..).zip(&self.words).flat_map(|(at, &word)| {
            (0..64)
                .filter(move |bit| word & 1 << bit != 0)
                .map(move |bit| at * 64 + bit)
        })
    }
}

/// Which blocks of a method depend on which.
#[derive(Clone, Debug)]
pub struct ControlDependence {
    post: PostDominators,
    /// By block: what depends on how it ends.
    dependents: Vec<BlockSet>,
    /// By block: what it depends on.
    controllers: Vec<Vec<BlockNo>>,
}

impl ControlDependence {
    /// Of all blocks of a method.
    pub fn of(cfg: &Cfg) -> Self {
        Self::of_graph(&cfg.successors())
    }

    /// Of the graph with these successors by node.
    pub fn of_graph(successors: &[Vec<BlockNo>]) -> Self {
        let n = successors.len();
        let post = PostDominators::of(successors);
        let mut dependents = vec![BlockSet::default(); n];
        let mut controllers = vec![Vec::new(); n];
        for (branch, next) in (0..).zip(successors) {
            if next.len() < 2 {
                continue;
            }
            let stop = post.parent(branch);
            for &first in next {
                let mut at = Some(first);
                while at != stop {
                    let Some(block) = at else { break };
                    if dependents[branch as usize].insert(block) {
                        controllers[block as usize].push(branch);
                    }
                    at = post.parent(block);
                }
            }
        }
        Self {
            post,
            dependents,
            controllers,
        }
    }

    /// The blocks that depend on how `branch` ends.
    pub fn dependents(&self, branch: BlockNo) -> &BlockSet {
        &self.dependents[branch as usize]
    }

    /// The blocks on whose end `block` depends; none if it depends on the method's beginning, or on an exception, alone.
    pub fn controllers(&self, block: BlockNo) -> &[BlockNo] {
        &self.controllers[block as usize]
    }

    /// The blocks that ran because an exception went from block `from` to the handler that begins with `handler`: those that surely
    /// follow the handler's beginning, and would not surely have followed `from`.
    pub fn on_throw(&self, from: BlockNo, handler: BlockNo) -> BlockSet {
        let mut set = BlockSet::new(self.dependents.len());
        let mut at = Some(handler);
        while let Some(block) = at {
            if block != from && self.post.dominates(block, from) {
                break;
            }
            set.insert(block);
            at = self.post.parent(block);
        }
        set
    }

    /// The post-dominators.
    pub fn post_dominators(&self) -> &PostDominators {
        &self.post
    }
}
