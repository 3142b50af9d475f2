//! Subset constraints between sets of objects (Andersen 1994), solved in waves (Pereira and Berlin 2009): nodes on a circle of arrows become
//! one, and what is new goes along the arrows in their order, many objects at a time.

use jinsi_classfile::bits::Bits;
use rustc_hash::FxHashSet;

use super::circles::groups;

/// Number of a node: a set of objects.
pub(super) type NodeNo = u32;
/// Number of an object.
pub(super) type ObjectNo = u32;
/// Number of a filter: not all objects go through each arrow.
pub(super) type FilterNo = u32;

/// All objects go through.
pub(super) const ALL: FilterNo = u32::MAX;

/// Circles are looked for once so many arrows have come, as a part of those that there are.
const GROWTH: usize = 16;

#[derive(Clone, Debug, Default)]
struct Node {
    set: Bits,
    /// Objects that were not passed on yet.
    new: Bits,
    to: Vec<(NodeNo, FilterNo)>,
    /// Numbers of what is to be done for each object.
    then: Vec<u32>,
}

/// Nodes, arrows, and what waits for objects.
#[derive(Debug, Default)]
pub(super) struct Solver {
    nodes: Vec<Node>,
    /// By node: one that it is the same as, or itself.
    same: Vec<NodeNo>,
    arrows: FxHashSet<(NodeNo, NodeNo, FilterNo)>,
    /// The nodes, in the order in which objects go through them.
    order: Vec<NodeNo>,
    /// Arrows and nodes when that was found.
    ordered: (usize, usize),
}

/// What has to be done as objects come to nodes.
pub(super) trait Rules {
    /// Those of the objects that pass the filter, and maybe others that do.
    fn passing(&mut self, objects: &Bits, filter: FilterNo) -> &Bits;
    /// An object has come to a node where this was waiting for it. May be said more than once.
    fn came(&mut self, solver: &mut Solver, what: u32, object: ObjectNo);
}

impl Solver {
    /// A new node, with nothing in it.
    pub(super) fn node(&mut self) -> NodeNo {
        self.make(1)
    }

    /// So many new nodes; the first.
    pub(super) fn make(&mut self, count: usize) -> NodeNo {
        let first = self.nodes.len();
        self.nodes.resize_with(first + count, Node::default);
        self.same.extend(first as NodeNo..(first + count) as NodeNo);
        first as NodeNo
    }

    /// The node that stands for this one.
    fn find(&self, mut node: NodeNo) -> NodeNo {
        while self.same[node as usize] != node {
            node = self.same[node as usize];
        }
        node
    }

    /// The objects in a node.
    pub(super) fn set(&self, node: NodeNo) -> &Bits {
        &self.nodes[self.find(node) as usize].set
    }

    /// Puts an object into a node.
    pub(super) fn put(&mut self, node: NodeNo, object: ObjectNo) {
        let node = self.find(node) as usize;
        if self.nodes[node].set.insert(object) {
            self.nodes[node].new.insert(object);
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
        let (from, to) = (self.find(from), self.find(to));
        if from == to || !self.arrows.insert((from, to, filter)) {
            return;
        }
        self.nodes[from as usize].to.push((to, filter));
        let Ok([from, to]) = self.nodes.get_disjoint_mut([from as usize, to as usize]) else {
            return;
        };
        let among = (filter != ALL).then(|| rules.passing(&from.set, filter));
        to.set.add_new(&from.set, among, &mut to.new);
    }

    /// This is to be done for each object in a node.
    pub(super) fn then(&mut self, node: NodeNo, what: u32, rules: &mut impl Rules) {
        let node = self.find(node) as usize;
        self.nodes[node].then.push(what);
        let there: Vec<ObjectNo> = self.nodes[node].set.iter().collect();
        for object in there {
            rules.came(self, what, object);
        }
    }

    /// Goes on until nothing changes.
    pub(super) fn solve(&mut self, rules: &mut impl Rules) {
        loop {
            self.put_in_order();
            let mut is_done = true;
            for no in 0..self.order.len() {
                let node = self.order[no];
                if !self.nodes[node as usize].new.is_empty() {
                    is_done = false;
                    self.pass_on(node, rules);
                }
            }
            // A node that was made meanwhile is not in the order yet.
            if is_done && self.order_is_whole() {
                return;
            }
        }
    }

    /// Passes on what is new in a node.
    fn pass_on(&mut self, no: NodeNo, rules: &mut impl Rules) {
        let new = std::mem::take(&mut self.nodes[no as usize].new);
        // Arrows that come meanwhile are given all that is there at once.
        for at in 0..self.nodes[no as usize].to.len() {
            let (to, filter) = self.nodes[no as usize].to[at];
            let to = self.find(to);
            if to != no {
                let among = (filter != ALL).then(|| rules.passing(&new, filter));
                let to = &mut self.nodes[to as usize];
                to.set.add_new(&new, among, &mut to.new);
            }
        }
        for at in 0..self.nodes[no as usize].then.len() {
            let what = self.nodes[no as usize].then[at];
            for object in new.iter() {
                rules.came(self, what, object);
            }
        }
    }

    fn order_is_whole(&self) -> bool {
        self.ordered.1 == self.nodes.len()
    }

    /// Finds the order of the nodes anew, if much has changed; nodes on a circle become one.
    fn put_in_order(&mut self) {
        let (arrows, nodes) = self.ordered;
        if self.arrows.len() <= arrows + arrows / GROWTH && self.order_is_whole() {
            return;
        }
        if self.arrows.len() <= arrows + arrows / GROWTH {
            self.order
                .extend(nodes as NodeNo..self.nodes.len() as NodeNo);
            self.ordered.1 = self.nodes.len();
            return;
        }
        let free = |node: u32, no: usize| {
            let (to, filter) = self.nodes[node as usize].to.get(no)?;
            // Not all that is in the one is in the other: that is no circle.
            Some(if *filter == ALL { self.find(*to) } else { node })
        };
        let found = groups(self.nodes.len(), &free);
        self.order.clear();
        for group in found.iter().rev() {
            let first = self.find(group[0]);
            // Of nodes that are the same already, only the one that stands for them has arrows.
            if group.len() > 1 {
                self.merge(first, group);
            }
            if self.same[group[0] as usize] == group[0] || group.len() > 1 {
                self.order.push(first);
            }
        }
        self.ordered = (self.arrows.len(), self.nodes.len());
    }

    /// Makes one node of several.
    fn merge(&mut self, first: NodeNo, group: &[NodeNo]) {
        let mut all = std::mem::take(&mut self.nodes[first as usize]);
        // Of what was passed on by all of them nothing is new.
        let mut passed = all.set.clone();
        passed.remove_all(&all.new);
        for &no in group.iter().filter(|no| **no != first) {
            let mut node = std::mem::take(&mut self.nodes[no as usize]);
            self.same[no as usize] = first;
            all.set.add_all(&node.set);
            node.set.remove_all(&node.new);
            passed.keep_all(&node.set);
            all.to.append(&mut node.to);
            all.then.append(&mut node.then);
        }
        all.new = all.set.clone();
        all.new.remove_all(&passed);
        for (to, _) in &mut all.to {
            *to = self.find(*to);
        }
        all.to.retain(|(to, _)| *to != first);
        all.to.sort_unstable();
        all.to.dedup();
        all.then.sort_unstable();
        all.then.dedup();
        self.nodes[first as usize] = all;
    }

    /// How many nodes and arrows there are.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.nodes.len(), self.arrows.len())
    }
}
