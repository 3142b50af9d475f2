use std::collections::HashSet;

use proptest::prelude::*;

use super::super::ddmin::ddmin;
use super::super::memo::Ran;
use super::*;

/// Asks a rule; ends where the rule says.
struct Rule<F> {
    rule: F,
    asked: Vec<Vec<u32>>,
}

impl<F: FnMut(&[u32]) -> Ran> Runner for Rule<F> {
    fn run(&mut self, subset: &[u32]) -> Ran {
        self.asked.push(subset.to_vec());
        (self.rule)(subset)
    }
}

fn rule<F: FnMut(&[u32]) -> Ran>(rule: F) -> Rule<F> {
    Rule {
        rule,
        asked: Vec::new(),
    }
}

fn through(verdict: Verdict) -> Ran {
    Ran {
        verdict,
        ended_in: None,
    }
}

fn unresolved(reason: &str) -> Verdict {
    Verdict::Unresolved(reason.to_owned())
}

fn numbers(n: u32) -> Vec<u32> {
    (0..n).collect()
}

/// `n` interactions on the object that the first one makes; the last one fails.
fn on_one_object(n: u32) -> Structure {
    let needs: Vec<Vec<u32>> = (0..n)
        .map(|i| if i == 0 { vec![] } else { vec![0] })
        .collect();
    let gives: Vec<Vec<u32>> = (0..n)
        .map(|i| if i == 0 { vec![0] } else { vec![] })
        .collect();
    Structure::with(&needs, &gives, 1, n - 1)
}

fn needs(subset: &[u32], needed: &[u32]) -> Verdict {
    if needed.iter().all(|n| subset.contains(n)) {
        Verdict::Failing
    } else {
        Verdict::Passing
    }
}

#[test]
fn a_call_that_fails_on_a_new_object_takes_two_tests_of_any_length() {
    for n in [2, 50, 10_000] {
        let mut runner = rule(|s| through(needs(s, &[0, n - 1])));
        let result = grow(&numbers(n), &on_one_object(n), &mut runner).unwrap();
        assert_eq!(result.kept, [0, n - 1]);
        assert!(result.one_minimal);
        assert_eq!(runner.asked, [vec![0, n - 1], vec![0]]);
        assert_eq!(result.removals[0].verdict, unresolved("receiver_missing"));
        assert_eq!(result.removals[1].verdict, Verdict::Passing);
    }
}

/// JOD-3 as digest §8 tabulates it; plain delta debugging takes 29 tests.
#[test]
fn jod3_ends_in_1_22_23() {
    const CRASHING: [u32; 10] = [7, 9, 10, 12, 14, 18, 19, 20, 21, 22];
    let mut runner = rule(|s: &[u32]| {
        assert!(s.contains(&1));
        through(
            match s.contains(&23) && s.iter().any(|n| CRASHING.contains(n)) {
                true => Verdict::Failing,
                false => Verdict::Passing,
            },
        )
    });
    let calls: Vec<u32> = (1..=23).collect();
    let result = grow(&calls, &on_one_object(23), &mut runner).unwrap();
    assert_eq!(result.kept, [1, 22, 23]);
    assert!(result.tally.tests <= 4, "{:?}", runner.asked);
}

#[test]
fn what_comes_behind_the_failure_goes_without_a_test() {
    let mut runner = rule(|s: &[u32]| match s.iter().position(|&n| n == 4) {
        Some(_) => Ran {
            verdict: Verdict::Failing,
            ended_in: Some(4),
        },
        None => through(Verdict::Passing),
    });
    let all = numbers(100);
    let result = grow(&all, &Structure::unknown(100), &mut runner).unwrap();
    assert_eq!(result.kept, [4]);
}

#[test]
fn a_run_that_ends_early_answers_for_all_that_begin_so() {
    // Whatever has 3 before 5 cannot be resolved there.
    let mut runner = rule(|s: &[u32]| {
        if s.contains(&3) && s.contains(&5) {
            Ran {
                verdict: unresolved("never_recorded"),
                ended_in: Some(5),
            }
        } else {
            through(needs(s, &[9, 10]))
        }
    });
    let structure = Structure::unknown(11);
    let all = numbers(11);
    let mut memo = Memo::new(&all, &structure, &mut runner);
    let stuck = unresolved("never_recorded");
    assert_eq!(memo.ask(&[3, 4, 5, 6]).verdict, stuck);
    assert_eq!(memo.ask(&[3, 4, 5, 9, 10]).verdict, stuck);
    assert_eq!(memo.ask(&[3, 5, 9, 10]).verdict, stuck);
    assert_eq!(memo.ask(&[5, 9, 10]).verdict, Verdict::Failing);
    assert_eq!(memo.tally.tests, 3);
}

#[test]
fn a_list_that_does_not_fail_is_an_error() {
    let mut runner = rule(|_| through(unresolved("never_recorded")));
    let error = grow(&[1, 2], &Structure::unknown(2), &mut runner).unwrap_err();
    assert_eq!(error.verdict, unresolved("never_recorded"));
    let error = grow(&[], &Structure::unknown(0), &mut runner).unwrap_err();
    assert_eq!(error.verdict, Verdict::Passing);
}

/// Objects and their users, at random: each interaction makes an object of its own number and needs some made before.
#[derive(Clone, Debug)]
struct Log {
    needs: Vec<Vec<u32>>,
    criterion: u32,
}

impl Log {
    fn structure(&self) -> Structure {
        let gives: Vec<Vec<u32>> = (0..self.needs.len() as u32).map(|i| vec![i]).collect();
        Structure::with(&self.needs, &gives, self.needs.len(), self.criterion)
    }

    /// The first of `subset` whose needs are not met.
    fn stuck(&self, subset: &[u32]) -> Option<u32> {
        let unmet = |&&p: &&u32| self.needs[p as usize].iter().any(|o| !subset.contains(o));
        subset.iter().find(unmet).copied()
    }

    /// The run of `subset` if `verdict` judges what can run.
    fn run(&self, subset: &[u32], verdict: impl Fn(&[u32]) -> Verdict) -> Ran {
        match self.stuck(subset) {
            Some(p) => {
                let before: Vec<u32> = subset.iter().copied().filter(|&q| q < p).collect();
                match verdict(&before) {
                    Verdict::Passing => Ran {
                        verdict: unresolved("receiver_missing"),
                        ended_in: Some(p),
                    },
                    ended_before => through(ended_before),
                }
            }
            None => through(verdict(subset)),
        }
    }

    fn closure(&self, set: &[u32]) -> Vec<u32> {
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

fn logs(max: u32) -> impl Strategy<Value = Log> {
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
fn arbitrary_verdict(seed: u64, subset: &[u32], all: usize) -> Verdict {
    if subset.len() == all {
        return Verdict::Failing;
    }
    if subset.is_empty() {
        return Verdict::Passing;
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
        _ => unresolved("no_alternative"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_oracle_ends_one_minimal(seed: u64, log in logs(40)) {
        let n = log.needs.len();
        let all = numbers(n as u32);
        let verdict = |s: &[u32]| log.run(s, |s| arbitrary_verdict(seed, s, n));
        let mut runner = rule(verdict);
        let result = grow(&all, &log.structure(), &mut runner).unwrap();
        prop_assert!(result.one_minimal);
        let asked: HashSet<&Vec<u32>> = runner.asked.iter().collect();
        prop_assert_eq!(asked.len(), runner.asked.len());
        prop_assert_eq!(result.tally.tests as usize, runner.asked.len());
        prop_assert_eq!(verdict(&result.kept).verdict, Verdict::Failing);
        for (i, removal) in result.removals.iter().enumerate() {
            let mut rest = result.kept.clone();
            prop_assert_eq!(rest.remove(i), removal.left_out);
            prop_assert_ne!(&verdict(&rest).verdict, &Verdict::Failing);
            prop_assert_eq!(&removal.verdict, &verdict(&rest).verdict);
        }
    }

    #[test]
    fn a_monotone_oracle_gives_exactly_what_is_needed(
        log in logs(150),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
    ) {
        let n = log.needs.len();
        let mut needed: Vec<u32> = picks.iter().map(|p| p.index(n) as u32).collect();
        needed.push(log.criterion);
        let needed = log.closure(&needed);
        let mut runner = rule(|s| log.run(s, |s| needs(s, &needed)));
        let result = grow(&numbers(n as u32), &log.structure(), &mut runner).unwrap();
        prop_assert_eq!(result.kept, needed);
    }

    #[test]
    fn few_that_are_needed_take_fewer_tests_than_ddmin(
        n in 8u32..200,
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
    ) {
        let mut needed: Vec<u32> = picks.iter().map(|p| p.index(n as usize) as u32).collect();
        needed.extend([0, n - 1]);
        needed.sort_unstable();
        needed.dedup();
        let verdict = |s: &[u32]| match s {
            [] => Verdict::Passing,
            [0, ..] => needs(s, &needed),
            _ => unresolved("receiver_missing"),
        };
        let mut runner = rule(|s| through(verdict(s)));
        let found = grow(&numbers(n), &on_one_object(n), &mut runner).unwrap();
        let plain = ddmin(&numbers(n), &mut |s: &[u32]| verdict(s)).unwrap();
        prop_assert_eq!(&found.kept, &plain.kept);
        prop_assert!(found.tally.tests <= plain.tally.tests);
    }
}
