//! Chains of calls: from a method that ran to one in which something was missed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Who calls whom, by numbers of methods.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    callees: BTreeMap<u32, BTreeSet<u32>>,
    callers: BTreeMap<u32, BTreeSet<u32>>,
}

/// Chains, and whether there are more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chains {
    /// The methods, the one that ran first.
    pub all: Vec<Vec<u32>>,
    /// Were there too many?
    pub cut: bool,
}

impl Calls {
    /// One calls the other.
    pub fn add(&mut self, caller: u32, callee: u32) {
        self.callees.entry(caller).or_default().insert(callee);
        self.callers.entry(callee).or_default().insert(caller);
    }

    fn callees(&self, method: u32) -> impl Iterator<Item = u32> {
        self.callees.get(&method).into_iter().flatten().copied()
    }

    fn callers(&self, method: u32) -> impl Iterator<Item = u32> {
        self.callers.get(&method).into_iter().flatten().copied()
    }

    /// How many calls it takes at least from each method to `to`; those that take more than `most` are left out.
    pub fn distances(&self, to: u32, most: usize) -> BTreeMap<u32, usize> {
        let mut distances = BTreeMap::from([(to, 0)]);
        let mut pending = VecDeque::from([to]);
        while let Some(method) = pending.pop_front() {
            let distance = distances[&method];
            if distance == most {
                continue;
            }
            for caller in self.callers(method) {
                distances.entry(caller).or_insert_with(|| {
                    pending.push_back(caller);
                    distance + 1
                });
            }
        }
        distances
    }

    /// A shortest chain from one method to the one that `distances` are to, of at most so many calls, in which no method of `without` is.
    pub fn route(
        &self,
        from: u32,
        distances: &BTreeMap<u32, usize>,
        most: usize,
        without: u32,
    ) -> Option<Vec<u32>> {
        if from == without {
            return None;
        }
        let mut before: BTreeMap<u32, u32> = BTreeMap::new();
        let mut pending = VecDeque::from([(from, 0)]);
        while let Some((method, depth)) = pending.pop_front() {
            let left = *distances.get(&method)?;
            if left == 0 {
                let back = std::iter::successors(Some(method), |at| before.get(at).copied());
                let mut route: Vec<u32> = back.collect();
                route.reverse();
                return Some(route);
            }
            for callee in self.callees(method) {
                let near = distances.get(&callee);
                let fits = near.is_some_and(|near| depth + 1 + near <= most);
                if fits && callee != from && callee != without && !before.contains_key(&callee) {
                    before.insert(callee, method);
                    pending.push_back((callee, depth + 1));
                }
            }
        }
        None
    }

    /// All chains without a method twice to one of `to` from one that ran, of at most `calls` calls, the shortest first; at most so many.
    pub fn chains(
        &self,
        to: &BTreeSet<u32>,
        ran: impl Fn(u32) -> bool,
        calls: usize,
        most: usize,
    ) -> Chains {
        let mut chains = Chains::default();
        let mut pending: VecDeque<Vec<u32>> = to.iter().map(|method| vec![*method]).collect();
        while let Some(chain) = pending.pop_front() {
            let last = chain[chain.len() - 1];
            if chain.len() <= calls {
                let callers = self
                    .callers(last)
                    .filter(|caller| !chain.contains(caller));
                for caller in callers {
                    if pending.len() >= most {
                        chains.cut = true;
                        break;
                    }
                    let mut longer = chain.clone();
                    longer.push(caller);
                    pending.push_back(longer);
                }
            }
            if ran(last) {
                if chains.all.len() >= most {
                    chains.cut = true;
                    break;
                }
                let mut chain = chain;
                chain.reverse();
                chains.all.push(chain);
            }
        }
        chains
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(edges: &[(u32, u32)]) -> Calls {
        let mut calls = Calls::default();
        for &(caller, callee) in edges {
            calls.add(caller, callee);
        }
        calls
    }

    /// 0 -> 1 -> … -> 6.
    #[test]
    fn five_calls_are_a_chain_and_six_are_none() {
        let line: Vec<(u32, u32)> = (0..6).map(|no| (no, no + 1)).collect();
        let calls = of(&line);
        let found = |ran: u32| {
            let to = BTreeSet::from([6]);
            calls.chains(&to, |no| no == ran, 5, 100).all
        };
        assert_eq!(found(1), [[1, 2, 3, 4, 5, 6]]);
        assert!(found(0).is_empty());
        let distances = calls.distances(6, 5);
        assert!(!distances.contains_key(&0));
        // The call in 0 of 1 leads there in five more.
        assert_eq!(calls.route(1, &distances, 5, 0).map(|r| r.len()), Some(6));
        assert_eq!(calls.route(1, &distances, 4, 0), None);
    }

    #[test]
    fn no_method_is_in_a_chain_twice() {
        let calls = of(&[(0, 1), (1, 0), (1, 2), (0, 2), (2, 2)]);
        let to = BTreeSet::from([2]);
        let found = calls.chains(&to, |_| true, 5, 100);
        let expected: Vec<Vec<u32>> = vec![
            vec![2],
            vec![0, 2],
            vec![1, 2],
            vec![1, 0, 2],
            vec![0, 1, 2],
        ];
        assert_eq!(found.all, expected);
        assert!(!found.cut);
        assert!(calls.chains(&to, |_| true, 5, 2).cut);
    }

    proptest! {
        /// A route exists where a chain does that begins with that call, and it is the shortest.
        #[test]
        fn routes_are_the_shortest_chains(edges in prop::collection::vec((0u32..7, 0u32..7), 0..20), to in 0u32..7) {
            let calls = of(&edges);
            let distances = calls.distances(to, 4);
            let all = calls.chains(&BTreeSet::from([to]), |_| true, 5, 100_000);
            prop_assert!(!all.cut);
            for (caller, callee) in edges {
                let chains = all.all.iter().filter(|c| c.len() > 1 && c[..2] == [caller, callee]);
                let shortest = chains.map(|chain| chain.len() - 1).min();
                let route = calls.route(callee, &distances, 4, caller);
                prop_assert_eq!(route.map(|route| route.len()), shortest);
            }
        }
    }
}
