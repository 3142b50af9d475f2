//! Control dependence (Ferrante, Ottenstein and Warren): a block depends on a branch if one way out of the branch surely leads to the
//! block, and another may pass it by.
//!
//! Exceptions are left aside, or whatever follows an instruction that might have thrown would depend on it. What depends on an
//! exception that *was* thrown is [`ControlDependence::on_throw`].

use super::dominance::PostDominators;
use super::{BlockNo, Cfg};
use crate::bits::Bits;

/// Which blocks of a method depend on which.
#[derive(Clone, Debug)]
pub struct ControlDependence {
    post: PostDominators,
    /// By block: what depends on how it ends.
    dependents: Vec<Bits>,
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
        let mut dependents = vec![Bits::default(); n];
        let mut controllers = vec![Vec::new(); n];
        for (branch, next) in (0..).zip(successors) {
            if next.len() < 2 {
                continue;
            }
            for &first in next {
                for block in along(&post, branch, first) {
                    if dependents[branch as usize].insert(block) {
                        controllers[block as usize].push(branch);
                    }
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
    pub fn dependents(&self, branch: BlockNo) -> &Bits {
        &self.dependents[branch as usize]
    }

    /// The blocks that may run if `branch` goes to its successor `to` and need not otherwise: those that depend on it by that way, and
    /// what depends on them.
    pub fn reached_by(&self, branch: BlockNo, to: BlockNo) -> Bits {
        let mut set = Bits::new(self.dependents.len());
        let mut pending: Vec<BlockNo> = along(&self.post, branch, to).collect();
        while let Some(block) = pending.pop() {
            if set.insert(block) {
                pending.extend(self.dependents[block as usize].iter());
            }
        }
        set
    }

    /// The blocks on whose end `block` depends; none if it depends on the method's beginning, or on an exception, alone.
    pub fn controllers(&self, block: BlockNo) -> &[BlockNo] {
        &self.controllers[block as usize]
    }

    /// The blocks that ran because an exception went from block `from` to the handler that begins with `handler`: those that surely
    /// follow the handler's beginning, and would not surely have followed `from`.
    pub fn on_throw(&self, from: BlockNo, handler: BlockNo) -> Bits {
        let mut set = Bits::new(self.dependents.len());
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

/// The blocks that surely follow if `branch` goes to its successor `to`, up to the one that follows in any case.
fn along(post: &PostDominators, branch: BlockNo, to: BlockNo) -> impl Iterator<Item = BlockNo> {
    let stop = post.parent(branch);
    let first = Some(to).filter(|to| Some(*to) != stop);
    std::iter::successors(first, move |block| {
        post.parent(*block).filter(|next| Some(*next) != stop)
    })
}
