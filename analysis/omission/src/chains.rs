//! Chains of calls: from a method that ran to one in which something was missed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Who calls whom, by numbers of methods.
#[derive(Clone, Debug, Default)]
pub struct Calls {
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
        self.callers.entry(callee).or_default().insert(caller);
    }

    fn callers(&self, method: u32) -> impl Iterator<Item = u32> {
        self.callers.get(&method).into_iter().flatten().copied()
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
                let callers = self.callers(last).filter(|caller| !chain.contains(caller));
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

    /// All simple paths backward, as the definition has them.
    fn by_paths(edges: &[(u32, u32)], to: u32, most: usize) -> BTreeSet<Vec<u32>> {
        let mut all = BTreeSet::from([vec![to]]);
        loop {
            let longer: Vec<Vec<u32>> = all
                .iter()
                .filter(|chain| chain.len() <= most)
                .flat_map(|chain| {
                    let callers = edges.iter().filter(|(_, callee)| *callee == chain[0]);
                    let new = callers.filter(|(caller, _)| !chain.contains(caller));
                    new.map(|(caller, _)| [&[*caller], chain.as_slice()].concat())
                        .collect::<Vec<_>>()
                })
                .collect();
            let before = all.len();
            all.extend(longer);
            if all.len() == before {
                return all;
            }
        }
    }

    proptest! {
        #[test]
        fn chains_are_all_simple_paths(edges in prop::collection::vec((0u32..6, 0u32..6), 0..14), to in 0u32..6) {
            let found = of(&edges).chains(&BTreeSet::from([to]), |_| true, 3, 100_000);
            prop_assert!(!found.cut);
            let all: BTreeSet<Vec<u32>> = found.all.iter().cloned().collect();
            prop_assert_eq!(all.len(), found.all.len());
            prop_assert_eq!(all, by_paths(&edges, to, 3));
        }
    }
}
