//! Runners and logs for the tests of the searches.

use std::collections::HashSet;

use jinsi_level::verdict::Unresolved;
use proptest::prelude::*;

use super::ddmin::{Minimized, NotFailing, Verdict};
use super::memo::{Ran, Runner};
use super::structure::Structure;

/// A search that knows the structure.
pub(super) type Searching =
    fn(&[u32], &Structure, &mut dyn Runner) -> Result<Minimized, NotFailing>;

/// Asks a rule; ends where the rule says.
pub(super) struct Rule<F> {
    pub(super) rule: F,
    pub(super) asked: Vec<Vec<u32>>,
}

impl<F: FnMut(&[u32]) -> Ran> Runner for Rule<F> {
    fn run(&mut self, subset: &[u32]) -> Ran {
        self.asked.push(subset.to_vec());
        (self.rule)(subset)
    }
}

pub(super) fn rule<F: FnMut(&[u32]) -> Ran>(rule: F) -> Rule<F> {
    Rule {
        rule,
        asked: Vec::new(),
    }
}

pub(super) fn through(verdict: Verdict) -> Ran {
    Ran {
        verdict,
        ended_in: None,
    }
}

pub(super) fn unresolved(reason: Unresolved) -> Verdict {
    Verdict::Unresolved(reason)
}

pub(super) fn numbers(n: u32) -> Vec<u32> {
    (0..n).collect()
}

/// `n` interactions on the object that the first one makes; the last one fails.
pub(super) fn on_one_object(n: u32) -> Structure {
    let needs: Vec<Vec<u32>> = (0..n)
        .map(|i| if i == 0 { vec![] } else { vec![0] })
        .collect();
    let gives: Vec<Vec<u32>> = (0..n)
        .map(|i| if i == 0 { vec![0] } else { vec![] })
        .collect();
    Structure::with(&needs, &gives, 1, n - 1)
}

pub(super) fn needs(subset: &[u32], needed: &[u32]) -> Verdict {
    if needed.iter().all(|n| subset.contains(n)) {
        Verdict::Failing
    } else {
        Verdict::Passing
    }
}

/// Objects and their users, at random: each interaction makes an object of its own number and needs some made before.
#[derive(Clone, Debug)]
pub(super) struct Log {
    pub(super) needs: Vec<Vec<u32>>,
    pub(super) criterion: u32,
}

impl Log {
    pub(super) fn structure(&self) -> Structure {
        let gives: Vec<Vec<u32>> = (0..self.needs.len() as u32).map(|i| vec![i]).collect();
        Structure::with(&self.needs, &gives, self.needs.len(), self.criterion)
    }

    /// The first of `subset` whose needs are not met.
    pub(super) fn stuck(&self, subset: &[u32]) -> Option<u32> {
        let unmet = |&&p: &&u32| self.needs[p as usize].iter().any(|o| !subset.contains(o));
        subset.iter().find(unmet).copied()
    }

    /// The run of `subset` if `verdict` judges what can run.
    pub(super) fn run(&self, subset: &[u32], verdict: impl Fn(&[u32]) -> Verdict) -> Ran {
        match self.stuck(subset) {
            Some(p) => {
                let before: Vec<u32> = subset.iter().copied().filter(|&q| q < p).collect();
                match verdict(&before) {
                    Verdict::Passing => Ran {
                        verdict: unresolved(Unresolved::ReceiverMissing),
                        ended_in: Some(p),
                    },
                    ended_before => through(ended_before),
                }
            }
            None => through(verdict(subset)),
        }
    }

    pub(super) fn closure(&self, set: &[u32]) -> Vec<u32> {
        let mut closure: Vec<u32> = set.to_vec();
        let mut at = 0;
        while at < closure.len() {
            closure.extend(&self.needs[closure[at] as usize]);
            at += 1;
        }
        closure.sort_unstable();
        closure.dedup();
        closure
    }
}

pub(super) fn logs(max: u32) -> impl Strategy<Value = Log> {
    (1..max).prop_flat_map(|n| {
        let needs: Vec<_> = (0..n)
            .map(|i| prop::collection::hash_set(0..i.max(1), 0..=(i.min(2) as usize)))
            .collect();
        (needs, 0..n).prop_map(|(needs, criterion)| Log {
            needs: needs
                .into_iter()
                .enumerate()
                .map(|(i, set)| {
                    let mut list: Vec<u32> =
                        set.into_iter().filter(|&o| (o as usize) < i).collect();
                    list.sort_unstable();
                    list
                })
                .collect(),
            criterion,
        })
    })
}

/// A verdict for each subset, drawn from a seed; the whole list fails, nothing passes.
pub(super) fn arbitrary_verdict(seed: u64, subset: &[u32], all: usize) -> Verdict {
    match subset {
        [] if all > 0 => Verdict::Passing,
        _ => drawn_verdict(seed, subset, all),
    }
}

/// The same, but nothing may do anything.
pub(super) fn drawn_verdict(seed: u64, subset: &[u32], all: usize) -> Verdict {
    if subset.len() == all {
        return Verdict::Failing;
    }
    let mut hash = seed ^ 0x9e37_79b9_7f4a_7c15;
    for &n in subset {
        hash = (hash ^ u64::from(n))
            .wrapping_mul(0x100_0000_01b3)
            .rotate_left(23);
    }
    match (hash >> 32) % 5 {
        0 => Verdict::Failing,
        1 | 2 => Verdict::Passing,
        _ => unresolved(Unresolved::NoAlternative),
    }
}

/// Whatever the verdicts are: `search` ends 1-minimal, asks nothing twice, nothing that cannot run, and the same each time.
pub(super) fn ends_one_minimal(
    search: Searching,
    log: &Log,
    likely: &[u32],
    seed: u64,
) -> Result<(), TestCaseError> {
    let n = log.needs.len();
    let (all, structure) = (numbers(n as u32), log.structure().likely_first(likely));
    let verdict = |s: &[u32]| log.run(s, |s| arbitrary_verdict(seed, s, n));
    let mut runner = rule(verdict);
    let result = search(&all, &structure, &mut runner).unwrap();
    prop_assert!(result.one_minimal);
    let asked: HashSet<&Vec<u32>> = runner.asked.iter().collect();
    prop_assert_eq!(asked.len(), runner.asked.len());
    prop_assert!(asked.iter().all(|s| log.stuck(s).is_none()));
    prop_assert_eq!(result.tally.tests as usize, runner.asked.len());
    prop_assert_eq!(verdict(&result.kept).verdict, Verdict::Failing);
    for (i, removal) in result.removals.iter().enumerate() {
        let mut rest = result.kept.clone();
        prop_assert_eq!(rest.remove(i), removal.left_out);
        prop_assert_ne!(&verdict(&rest).verdict, &Verdict::Failing);
        prop_assert_eq!(&removal.verdict, &verdict(&rest).verdict);
    }
    let mut again = rule(verdict);
    prop_assert_eq!(search(&all, &structure, &mut again).unwrap(), result);
    prop_assert_eq!(again.asked, runner.asked);
    Ok(())
}

/// Where a list fails if it has all that is needed, exactly that is left.
pub(super) fn leaves_what_is_needed(
    search: Searching,
    log: &Log,
    picks: &[prop::sample::Index],
) -> Result<(), TestCaseError> {
    let n = log.needs.len();
    let mut needed: Vec<u32> = picks.iter().map(|p| p.index(n) as u32).collect();
    needed.push(log.criterion);
    let needed = log.closure(&needed);
    let mut runner = rule(|s: &[u32]| log.run(s, |s| needs(s, &needed)));
    let result = search(&numbers(n as u32), &log.structure(), &mut runner).unwrap();
    prop_assert_eq!(result.kept, needed);
    Ok(())
}
