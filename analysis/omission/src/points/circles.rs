//! Nodes that are come to from each other (Tarjan 1972).

/// What lies on the way of a search: a node, and how many of its arrows were taken.
type Step = (u32, usize);

/// Numbers of a search in depth.
struct Search<'a> {
    arrows: &'a dyn Fn(u32, usize) -> Option<u32>,
    /// By node: when it was come to, from 1, and the earliest node that is come to from it.
    met: Vec<u32>,
    low: Vec<u32>,
    is_open: Vec<bool>,
    open: Vec<u32>,
    count: u32,
    groups: Vec<Vec<u32>>,
}

/// The nodes from 0 to `count`, in groups of those that are come to from each other. `arrows(node, k)` is where the k-th arrow of a node
/// leads. A group comes before those from which it is come to.
pub(super) fn groups(count: usize, arrows: &dyn Fn(u32, usize) -> Option<u32>) -> Vec<Vec<u32>> {
    let mut search = Search {
        arrows,
        met: vec![0; count],
        low: vec![0; count],
        is_open: vec![false; count],
        open: Vec::new(),
        count: 0,
        groups: Vec::new(),
    };
    for node in 0..count as u32 {
        if search.met[node as usize] == 0 {
            search.from(node);
        }
    }
    search.groups
}

impl Search<'_> {
    fn meet(&mut self, node: u32) -> Step {
        self.count += 1;
        self.met[node as usize] = self.count;
        self.low[node as usize] = self.count;
        self.open.push(node);
        self.is_open[node as usize] = true;
        (node, 0)
    }

    fn from(&mut self, first: u32) {
        let mut way = vec![self.meet(first)];
        while let Some((node, taken)) = way.last_mut() {
            let node = *node;
            let next = (self.arrows)(node, *taken);
            *taken += 1;
            match next {
                Some(next) if self.met[next as usize] == 0 => way.push(self.meet(next)),
                Some(next) if self.is_open[next as usize] => {
                    let low = self.low[node as usize].min(self.met[next as usize]);
                    self.low[node as usize] = low;
                }
                Some(_) => {}
                None => {
                    way.pop();
                    if let Some((before, _)) = way.last() {
                        let low = self.low[*before as usize].min(self.low[node as usize]);
                        self.low[*before as usize] = low;
                    }
                    if self.low[node as usize] == self.met[node as usize] {
                        self.close(node);
                    }
                }
            }
        }
    }

    fn close(&mut self, first: u32) {
        let from = self.open.iter().rposition(|node| *node == first);
        let group = self.open.split_off(from.unwrap_or(0));
        for node in &group {
            self.is_open[*node as usize] = false;
        }
        self.groups.push(group);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::groups;

    const NODES: u32 = 7;

    /// What is come to from each node, by going on until nothing is new.
    fn reached(arrows: &[(u32, u32)]) -> Vec<BTreeSet<u32>> {
        let mut all: Vec<BTreeSet<u32>> = (0..NODES).map(|no| BTreeSet::from([no])).collect();
        loop {
            let before = all.clone();
            for &(from, to) in arrows {
                let more = all[to as usize].clone();
                all[from as usize].extend(more);
            }
            if all == before {
                return all;
            }
        }
    }

    proptest! {
        #[test]
        fn those_of_a_group_are_come_to_from_each_other(arrows in prop::collection::vec((0..NODES, 0..NODES), 0..16)) {
            let of = |node: u32, no: usize| arrows.iter().filter(|(from, _)| *from == node).nth(no).map(|(_, to)| *to);
            let found = groups(NODES as usize, &of);
            let reached = reached(&arrows);
            let mut place = vec![usize::MAX; NODES as usize];
            for (no, group) in found.iter().enumerate() {
                for node in group {
                    prop_assert_eq!(place[*node as usize], usize::MAX);
                    place[*node as usize] = no;
                }
            }
            for one in 0..NODES {
                for other in 0..NODES {
                    let there = reached[one as usize].contains(&other);
                    let back = reached[other as usize].contains(&one);
                    let (one, other) = (place[one as usize], place[other as usize]);
                    prop_assert_eq!(there && back, one == other);
                    prop_assert!(!there || other <= one);
                }
            }
        }
    }
}
