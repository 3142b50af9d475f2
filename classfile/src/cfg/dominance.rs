//! Post-dominators.
//!
//! A node *post-dominates* another if every way from that to the exit passes it. The exit is a node of its own behind all nodes
//! without successors. Nodes that cannot get there, because they are in endless loops, are given a way: of each loop without one,
//! the last node counts as if it could also leave.

/// The post-dominator tree of a graph.
#[derive(Clone, Debug)]
pub struct PostDominators {
    /// By node: the nearest other node that every way to the exit passes; the exit is behind the last node.
    parent: Vec<u32>,
    /// Distance from the exit in the tree.
    depth: Vec<u32>,
}

impl PostDominators {
    /// Of the graph with these successors by node.
    pub fn of(successors: &[Vec<u32>]) -> Self {
        let n = successors.len();
        let exit = n as u32;
        let mut predecessors = vec![Vec::new(); n + 1];
        for (from, next) in (0..).zip(successors) {
            for &to in next {
                predecessors[to as usize].push(from);
            }
            if next.is_empty() {
                predecessors[n].push(from);
            }
        }
        let leaves = give_exits(&mut predecessors, exit);
        let order = reverse_order(&predecessors, exit);
        let mut forward: Vec<Vec<u32>> = successors.to_vec();
        for (node, next) in forward.iter_mut().enumerate() {
            if next.is_empty() || leaves.contains(&(node as u32)) {
                next.push(exit);
            }
        }
        let parent = solve(&forward, &order, exit);
        let mut depth = vec![0; n + 1];
        for &node in &order[1..] {
            depth[node as usize] = depth[parent[node as usize] as usize] + 1;
        }
        Self { parent, depth }
    }

    /// The nearest node that post-dominates `node` and is not `node`; `None` if that is the exit.
    pub fn parent(&self, node: u32) -> Option<u32> {
        Some(self.parent[node as usize]).filter(|&parent| parent != self.exit())
    }

    /// Does every way from `from` to the exit pass `node`? A node post-dominates itself.
    pub fn dominates(&self, node: u32, from: u32) -> bool {
        let mut at = from;
        while self.depth[at as usize] > self.depth[node as usize] {
            at = self.parent[at as usize];
        }
        at == node
    }

    fn exit(&self) -> u32 {
        self.parent.len() as u32 - 1
    }
}

/// Makes edges to the exit until every node can get there; from where.
fn give_exits(predecessors: &mut [Vec<u32>], exit: u32) -> Vec<u32> {
    let mut reached = vec![false; predecessors.len()];
    let mut pending = vec![exit];
    let mut leaves = Vec::new();
    let mut next = exit;
    loop {
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut reached[node as usize], true) {
                pending.extend(&predecessors[node as usize]);
            }
        }
        while next > 0 && reached[next as usize] {
            next -= 1;
        }
        if reached[next as usize] {
            return leaves;
        }
        leaves.push(next);
        predecessors[exit as usize].push(next);
        pending.push(next);
    }
}

/// All nodes in reverse postorder of a search from the exit along `predecessors`.
fn reverse_order(predecessors: &[Vec<u32>], exit: u32) -> Vec<u32> {
    let mut order = Vec::with_capacity(predecessors.len());
    let mut seen = vec![false; predecessors.len()];
    let mut stack = vec![(exit, 0)];
    seen[exit as usize] = true;
    while let Some((node, at)) = stack.last_mut() {
        match predecessors[*node as usize].get(*at) {
            Some(&next) => {
                *at += 1;
                if !std::mem::replace(&mut seen[next as usize], true) {
                    stack.push((next, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Cooper, Harvey and Kennedy's iteration: the parent of each node is where the ways of its successors meet.
fn solve(forward: &[Vec<u32>], order: &[u32], exit: u32) -> Vec<u32> {
    const UNKNOWN: u32 = u32::MAX;
    let mut number = vec![0; order.len()];
    for (place, &node) in (0u32..).zip(order) {
        number[node as usize] = place;
    }
    let mut parent = vec![UNKNOWN; order.len()];
    parent[exit as usize] = exit;
    loop {
        let mut changed = false;
        for &node in &order[1..] {
            let mut met = UNKNOWN;
            for &next in &forward[node as usize] {
                if parent[next as usize] == UNKNOWN {
                    continue;
                }
                let (mut a, mut b) = (next, if met == UNKNOWN { next } else { met });
                while a != b {
                    while number[a as usize] > number[b as usize] {
                        a = parent[a as usize];
                    }
                    while number[b as usize] > number[a as usize] {
                        b = parent[b as usize];
                    }
                }
                met = a;
            }
            if parent[node as usize] != met {
                parent[node as usize] = met;
                changed = true;
            }
        }
        if !changed {
            return parent;
        }
    }
}
