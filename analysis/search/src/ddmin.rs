//! Delta debugging (Zeller and Hildebrandt 2002; Burger 2011, Section 4.1): from a failing list of circumstances to a 1-minimal one.
//!
//! Circumstances are numbers; the list is a subsequence of the recorded driven interactions and keeps its order. Every subset
//! is tested at most once: the results are kept by subset.

use std::collections::{BTreeMap, HashMap};

use jinsi_level::verdict::Unresolved;

/// What a test says about a subset (Burger 2011, Section 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The recorded failure occurred.
    Failing,
    /// The subset ran through and the failure did not occur.
    Passing,
    /// Neither can be said.
    Unresolved(Unresolved),
    /// The test was not run, because the search was stopped; it is not counted.
    Untested,
}

impl Verdict {
    /// Stable name, as `report.json` has it: `failing`, `passing`, why the test is unresolved, or `stopped`.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Failing => "failing",
            Verdict::Passing => "passing",
            Verdict::Unresolved(why) => why.name(),
            Verdict::Untested => "stopped",
        }
    }
}

/// Runs tests. Must be deterministic: the answer to a subset is asked for once and then remembered.
pub trait SubsetTest {
    /// Runs exactly the circumstances in `subset`, in that order.
    fn test(&mut self, subset: &[u32]) -> Verdict;
    /// No further test is to be run: the search ends with what it has. Once true, it stays so.
    fn stopped(&self) -> bool {
        false
    }
}

impl<F: FnMut(&[u32]) -> Verdict> SubsetTest for F {
    fn test(&mut self, subset: &[u32]) -> Verdict {
        self(subset)
    }
}

/// How many tests ended how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All tests that were run.
    pub tests: u64,
    /// Those that failed as recorded.
    pub failing: u64,
    /// Those that passed.
    pub passing: u64,
    /// Those that were unresolved.
    pub unresolved: u64,
    /// The unresolved ones by situation.
    pub by_reason: BTreeMap<Unresolved, u64>,
}

impl Tally {
    /// Counts one test, if it was run.
    pub fn count(&mut self, verdict: Verdict) {
        self.tests += u64::from(verdict != Verdict::Untested);
        match verdict {
            Verdict::Failing => self.failing += 1,
            Verdict::Passing => self.passing += 1,
            Verdict::Unresolved(reason) => {
                self.unresolved += 1;
                *self.by_reason.entry(reason).or_default() += 1;
            }
            Verdict::Untested => {}
        }
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: &Tally) {
        self.tests += other.tests;
        self.failing += other.failing;
        self.passing += other.passing;
        self.unresolved += other.unresolved;
        for (reason, n) in &other.by_reason {
            *self.by_reason.entry(*reason).or_default() += n;
        }
    }
}

/// What the test said when one kept circumstance was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The circumstance.
    pub left_out: u32,
    /// The verdict without it. Passing marks the place to look at first (Burger 2011, chapter 5).
    pub verdict: Verdict,
}

/// The result of [`ddmin`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimized {
    /// The circumstances that are left, in recorded order.
    pub kept: Vec<u32>,
    /// The tests that were run, those of the empty and the whole list included.
    pub tally: Tally,
    /// No single kept circumstance can be left out. Always true for deterministic tests, unless the search was stopped; computed,
    /// not assumed.
    pub one_minimal: bool,
    /// For each kept circumstance, in order, what its removal gives.
    pub removals: Vec<Removal>,
}

/// Did every removal make the failure go away?
pub(super) fn one_minimal(removals: &[Removal]) -> bool {
    let gone = |r: &Removal| matches!(r.verdict, Verdict::Passing | Verdict::Unresolved(_));
    removals.iter().all(gone)
}

/// The whole list does not fail, so there is nothing to minimize.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the calls to minimize do not fail by themselves")]
pub struct NotFailing {
    /// What the test of the whole list said.
    pub verdict: Verdict,
    /// The tests that were run to find out.
    pub tally: Tally,
}

/// Minimizes `circumstances` (distinct numbers) so that the result still fails and no single element of it can be left out.
///
/// Blocks are consecutive, as equal in size as possible, and tried from left to right: first alone, then their complements,
/// then at twice the granularity.
///
/// # Errors
/// [`NotFailing`] if the whole list does not fail.
pub fn ddmin(circumstances: &[u32], tests: &mut dyn SubsetTest) -> Result<Minimized, NotFailing> {
    let mut run = Reduction {
        circumstances,
        tests,
        cache: HashMap::new(),
        tally: Tally::default(),
    };
    let all: Vec<usize> = (0..circumstances.len()).collect();
    let verdict = run.test(&all);
    if verdict != Verdict::Failing {
        return Err(NotFailing {
            verdict,
            tally: run.tally,
        });
    }
    let kept = if run.test(&[]) == Verdict::Failing {
        Vec::new()
    } else {
        run.reduce(all)
    };
    let removals: Vec<Removal> = (0..kept.len())
        .map(|i| {
            let verdict = run.test(&without(&kept, i..i + 1));
            Removal {
                left_out: circumstances[kept[i]],
                verdict,
            }
        })
        .collect();
    Ok(Minimized {
        kept: kept.into_iter().map(|at| circumstances[at]).collect(),
        one_minimal: one_minimal(&removals),
        tally: run.tally,
        removals,
    })
}

/// One minimization. Subsets are ascending positions in `circumstances`.
struct Reduction<'a> {
    circumstances: &'a [u32],
    tests: &'a mut dyn SubsetTest,
    /// By subset as a bit set over positions: a level of 15,000 interactions may need thousands of tests.
    cache: HashMap<Box<[u64]>, Verdict>,
    tally: Tally,
}

impl Reduction<'_> {
    fn test(&mut self, subset: &[usize]) -> Verdict {
        let mut key = vec![0u64; self.circumstances.len().div_ceil(64)].into_boxed_slice();
        for &at in subset {
            key[at / 64] |= 1 << (at % 64);
        }
        if let Some(known) = self.cache.get(&key) {
            return *known;
        }
        if self.tests.stopped() {
            return Verdict::Untested;
        }
        let numbers: Vec<u32> = subset.iter().map(|&at| self.circumstances[at]).collect();
        let verdict = self.tests.test(&numbers);
        self.tally.count(verdict);
        self.cache.insert(key, verdict);
        verdict
    }

    /// `ddmin2` of the published algorithm (Burger 2011, Figure 4.2), as a loop. `current` fails and the empty list does not.
    fn reduce(&mut self, mut current: Vec<usize>) -> Vec<usize> {
        let mut granularity = 2;
        while current.len() > 1 && !self.tests.stopped() {
            granularity = granularity.min(current.len());
            let blocks = blocks(current.len(), granularity);
            if let Some(block) = blocks
                .iter()
                .find(|b| self.test(&current[(*b).clone()]) == Verdict::Failing)
            {
                current = current[block.clone()].to_vec();
                granularity = 2;
            } else if let Some(block) = blocks
                .iter()
                .find(|b| self.test(&without(&current, (*b).clone())) == Verdict::Failing)
            {
                current = without(&current, block.clone());
                granularity = (granularity - 1).max(2);
            } else if granularity < current.len() {
                granularity *= 2;
            } else {
                break;
            }
        }
        current
    }
}

/// `n` consecutive blocks that cover `0..len`; sizes differ by one at most. `1 ≤ n ≤ len`.
fn blocks(len: usize, n: usize) -> Vec<std::ops::Range<usize>> {
    (0..n).map(|i| i * len / n..(i + 1) * len / n).collect()
}

fn without(list: &[usize], block: std::ops::Range<usize>) -> Vec<usize> {
    [&list[..block.start], &list[block.end..]].concat()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::super::fakes::{drawn_verdict, unresolved};
    use super::*;

    /// Burger 2011, Figure 4.1: the constructor and the crashing call are left.
    #[test]
    fn constructor_and_crashing_call_are_left() {
        let mut seen = Vec::new();
        let mut tests = |s: &[u32]| {
            seen.push(s.to_vec());
            match (s.contains(&1), s.contains(&4)) {
                (true, true) => Verdict::Failing,
                (false, _) if !s.is_empty() => unresolved(Unresolved::ReceiverMissing),
                _ => Verdict::Passing,
            }
        };
        let result = ddmin(&[1, 2, 3, 4], &mut tests).unwrap();
        assert_eq!(result.kept, [1, 4]);
        assert!(result.one_minimal);
        assert_eq!(
            result.removals[0],
            Removal {
                left_out: 1,
                verdict: unresolved(Unresolved::ReceiverMissing)
            }
        );
        assert_eq!(
            result.removals[1],
            Removal {
                left_out: 4,
                verdict: Verdict::Passing
            }
        );
        assert!(seen.contains(&vec![1, 2]) && seen.contains(&vec![3, 4]));
        let tally = &result.tally;
        assert_eq!(
            tally.tests,
            tally.failing + tally.passing + tally.unresolved
        );
        assert_eq!(tally.tests as usize, seen.len());
        assert_eq!(
            tally.by_reason[&Unresolved::ReceiverMissing],
            tally.unresolved
        );
    }

    /// Burger 2011, Table 9.4: every two-element case that cannot be reduced takes four tests.
    #[test]
    fn two_that_are_both_needed_take_four_tests() {
        let mut tests = |s: &[u32]| {
            if s.len() == 2 {
                Verdict::Failing
            } else {
                Verdict::Passing
            }
        };
        let result = ddmin(&[7, 9], &mut tests).unwrap();
        assert_eq!(
            (result.kept.as_slice(), result.tally.tests),
            ([7, 9].as_slice(), 4)
        );
    }

    #[test]
    fn a_single_circumstance_stays_and_its_removal_is_the_empty_list() {
        let mut tests = |s: &[u32]| {
            if s.is_empty() {
                Verdict::Passing
            } else {
                Verdict::Failing
            }
        };
        let result = ddmin(&[5], &mut tests).unwrap();
        assert_eq!(result.kept, [5]);
        assert_eq!(
            result.removals,
            [Removal {
                left_out: 5,
                verdict: Verdict::Passing
            }]
        );
        assert_eq!(result.tally.tests, 2);
    }

    #[test]
    fn nothing_is_left_if_the_empty_list_fails() {
        let result = ddmin(&[1, 2, 3], &mut |_: &[u32]| Verdict::Failing).unwrap();
        assert!(result.kept.is_empty() && result.one_minimal);
    }

    #[test]
    fn a_list_that_does_not_fail_is_an_error() {
        let error = ddmin(&[1, 2], &mut |_: &[u32]| {
            unresolved(Unresolved::NeverRecorded)
        })
        .unwrap_err();
        assert_eq!(error.verdict, unresolved(Unresolved::NeverRecorded));
        assert_eq!(error.tally.tests, 1);
    }

    /// JOD-3 (Burger 2011, Listing 1.1): the builder (1), `toDateTimeZone` (23) and one of the summer-time rules crash.
    #[test]
    fn jod3_ends_in_1_22_23() {
        const CRASHING: [u32; 10] = [7, 9, 10, 12, 14, 18, 19, 20, 21, 22];
        let mut tests = |s: &[u32]| {
            if !s.is_empty() && !s.contains(&1) {
                unresolved(Unresolved::ReceiverMissing)
            } else if s.contains(&23) && s.iter().any(|n| CRASHING.contains(n)) {
                Verdict::Failing
            } else {
                Verdict::Passing
            }
        };
        let calls: Vec<u32> = (1..=23).collect();
        let result = ddmin(&calls, &mut tests).unwrap();
        assert_eq!(result.kept, [1, 22, 23]);
        assert_eq!(
            result.removals[1],
            Removal {
                left_out: 22,
                verdict: Verdict::Passing
            }
        );
        assert_eq!(result.tally.tests, 29);
    }

    fn is_subsequence(part: &[u32], whole: &[u32]) -> bool {
        let mut rest = whole.iter();
        part.iter().all(|p| rest.any(|w| w == p))
    }

    proptest! {
        #[test]
        fn any_oracle_ends_one_minimal(seed: u64, len in 1u32..40) {
            let all: Vec<u32> = (0..len).map(|i| i * 3 + 1).collect();
            let mut seen = HashSet::new();
            let mut twice = false;
            let mut disordered = false;
            let mut tests = |s: &[u32]| {
                twice |= !seen.insert(s.to_vec());
                disordered |= !is_subsequence(s, &all);
                drawn_verdict(seed, s, all.len())
            };
            let result = ddmin(&all, &mut tests).unwrap();
            prop_assert!(!twice && !disordered);
            prop_assert!(result.one_minimal);
            prop_assert_eq!(result.tally.tests as usize, seen.len());
            prop_assert!(is_subsequence(&result.kept, &all));
            prop_assert_eq!(drawn_verdict(seed, &result.kept, all.len()), Verdict::Failing);
            for (i, removal) in result.removals.iter().enumerate() {
                let mut rest = result.kept.clone();
                rest.remove(i);
                let naive = drawn_verdict(seed, &rest, all.len());
                prop_assert_ne!(&naive, &Verdict::Failing);
                prop_assert_eq!(&removal.verdict, &naive);
            }
        }

        #[test]
        fn a_monotone_oracle_gives_exactly_what_is_needed(len in 1usize..200, picks in prop::collection::vec(any::<prop::sample::Index>(), 1..6)) {
            let all: Vec<u32> = (0..len as u32).collect();
            let mut needed: Vec<u32> = picks.iter().map(|p| all[p.index(len)]).collect();
            needed.sort_unstable();
            needed.dedup();
            let mut tests = |s: &[u32]| {
                if needed.iter().all(|n| s.contains(n)) { Verdict::Failing } else { Verdict::Passing }
            };
            let result = ddmin(&all, &mut tests).unwrap();
            prop_assert_eq!(result.kept, needed);
        }

        #[test]
        fn blocks_cover_in_order(len in 1usize..300, n in 1usize..300) {
            let n = n.min(len);
            let blocks = blocks(len, n);
            prop_assert_eq!(blocks.len(), n);
            let covered: Vec<usize> = blocks.iter().cloned().flatten().collect();
            prop_assert_eq!(covered, (0..len).collect::<Vec<_>>());
            let sizes: Vec<usize> = blocks.iter().map(ExactSizeIterator::len).collect();
            prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
        }
    }
}
