//! Subset constraints between sets of objects, solved by going from node to node until nothing changes (Andersen 1994).

use std::collections::VecDeque;

use jinsi_classfile::bits::Bits;
use rustc_hash::FxHashSet;

/// Number of a node: a set of objects.
pub(super) type NodeNo = u32;
/// Number of an object.
pub(super) type ObjectNo = u32;
/// Number of a filter: not all objects go through each arrow.
pub(super) type FilterNo = u32;

/// All objects go through.
pub(super) const ALL: FilterNo = u32::MAX;

#[derive(Clone, Debug, Default)]
struct Node {
    set: Bits,
    /// Objects that were not passed on yet.
    new: Vec<ObjectNo>,
    to: Vec<(NodeNo, FilterNo)>,
    /// Numbers of what is to be done for each object.
    then: Vec<u32>,
    is_pending: bool,
}

/// Nodes, arrows, and what waits for objects.
#[derive(Debug, Default)]
pub(super) struct Solver {
    nodes: Vec<Node>,
    arrows: FxHashSet<(NodeNo, NodeNo, FilterNo)>,
    /// Those with new objects, the one that has waited longest first: more comes together meanwhile.
    pending: VecDeque<NodeNo>,
}

/// What has to be done as objects come to nodes.
pub(super) trait Rules {
    /// Does the object pass the filter?
    fn passes(&mut self, object: ObjectNo, filter: FilterNo) -> bool;
    /// An object has come to a node where this was waiting for it.
    fn came(&mut self, solver: &mut Solver, what: u32, object: ObjectNo);
}

impl Solver {
    /// A new node, with nothing in it.
    pub(super) fn node(&mut self) -> NodeNo {
        self.nodes.push(Node::default());
        self.nodes.len() as NodeNo - 1
    }

    /// So many new nodes; the first.
    pub(super) fn make(&mut self, count: usize) -> NodeNo {
        let first = self.nodes.len();
        self.nodes.resize_with(first + count, Node::default);
        first as NodeNo
    }

    /// The objects in a node.
    pub(super) fn set(&self, node: NodeNo) -> &Bits {
        &self.nodes[node as usize].set
    }

    /// Puts an object into a node.
    pub(super) fn put(&mut self, node: NodeNo, object: ObjectNo) {
        let known = &mut self.nodes[node as usize];
        if known.set.insert(object) {
            known.new.push(object);
            if !known.is_pending {
                known.is_pending = true;
                self.pending.push_back(node);
            }
        }
    }

    /// Whatever is in one node and passes the filter is in the other.
    pub(super) fn arrow(
        &mut self,
        from: NodeNo,
        to: NodeNo,
        filter: FilterNo,
        rules: &mut impl Rules,
    ) {
        if from == to || !self.arrows.insert((from, to, filter)) {
            return;
        }
        self.nodes[from as usize].to.push((to, filter));
        let there: Vec<ObjectNo> = self.nodes[from as usize].set.iter().collect();
        for object in there {
            if filter == ALL || rules.passes(object, filter) {
                self.put(to, object);
            }
        }
    }

    /// This is to be done for each object in a node.
    pub(super) fn then(&mut self, node: NodeNo, what: u32, rules: &mut impl Rules) {
        self.nodes[node as usize].then.push(what);
        let there: Vec<ObjectNo> = self.nodes[node as usize].set.iter().collect();
        for object in there {
            rules.came(self, what, object);
        }
    }

    /// Goes on until nothing changes.
    pub(super) fn solve(&mut self, rules: &mut impl Rules) {
        while let Some(no) = self.pending.pop_front() {
            let node = &mut self.nodes[no as usize];
            node.is_pending = false;
            let new = std::mem::take(&mut node.new);
            let (to, then) = (node.to.clone(), node.then.clone());
            for &object in &new {
                for what in &then {
                    rules.came(self, *what, object);
                }
                for &(to, filter) in &to {
                    if filter == ALL || rules.passes(object, filter) {
                        self.put(to, object);
                    }
                }
            }
        }
    }

    /// How many nodes and arrows there are.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.nodes.len(), self.arrows.len())
    }
}
