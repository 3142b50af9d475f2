//! Calls that followed one another in one call: where a loop makes thousands of small calls, asking about each is no way to go on.
//!
//! Insa, Silva and Riesco (2013) balance a tree of calls by nodes for parts of loops. Here nothing is put into the tree: it is asked about as many
//! calls together as is best at the moment.

use std::ops::Range;

use crate::tree::{NodeNo, Tree};

/// A question about several calls is harder than one about a call: it has to tell as much as that many of those.
pub(crate) const HARDER: f64 = 2.0;

/// Calls that followed one another in one call, and what that did itself meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The call that made them.
    pub within: NodeNo,
    /// The first of them.
    pub first: NodeNo,
    /// The last.
    pub last: NodeNo,
}

impl Stretch {
    /// The stretch from one call to another; nothing if it is not one call that made both, in that order.
    pub fn new(tree: &Tree, first: NodeNo, last: NodeNo) -> Option<Self> {
        let within = tree.parent(first)?;
        let is_one = first <= last && tree.parent(last) == Some(within);
        is_one.then_some(Self {
            within,
            first,
            last,
        })
    }

    /// These calls, and those below them.
    pub fn calls(&self, tree: &Tree) -> Range<NodeNo> {
        self.first..tree.below(self.last).end
    }

    /// These calls themselves, in their order.
    pub fn outermost<'t>(&self, tree: &'t Tree) -> impl Iterator<Item = NodeNo> + 't {
        let last = self.last;
        let next = move |node: &NodeNo| (*node < last).then(|| tree.below(*node).end);
        std::iter::successors(Some(self.first), next)
    }
}
