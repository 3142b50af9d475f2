use jinsi_level::verdict::Unresolved;
use proptest::prelude::*;

use super::super::ddmin::ddmin;
use super::super::fakes::{
    ends_one_minimal, leaves_what_is_needed, logs, needs, numbers, on_one_object, rule, through,
    unresolved,
};
use super::super::memo::Ran;
use super::*;

#[test]
fn a_call_that_fails_on_a_new_object_takes_two_tests_of_any_length() {
    for n in [2, 50, 10_000] {
        let mut runner = rule(|s| through(needs(s, &[0, n - 1])));
        let result = grow(&numbers(n), &on_one_object(n), &mut runner).unwrap();
        assert_eq!(result.kept, [0, n - 1]);
        assert!(result.one_minimal);
        assert_eq!(runner.asked, [vec![0, n - 1], vec![0]]);
        assert_eq!(
            result.removals[0].verdict,
            unresolved(Unresolved::ReceiverMissing)
        );
        assert_eq!(result.removals[1].verdict, Verdict::Passing);
    }
}

/// JOD-3 (Burger 2011, Listing 1.1); plain delta debugging takes 29 tests.
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
                verdict: unresolved(Unresolved::NeverRecorded),
                ended_in: Some(5),
            }
        } else {
            through(needs(s, &[9, 10]))
        }
    });
    let structure = Structure::unknown(11);
    let all = numbers(11);
    let mut memo = Memo::new(&all, &structure, &mut runner);
    let stuck = unresolved(Unresolved::NeverRecorded);
    assert_eq!(memo.ask(&[3, 4, 5, 6]).verdict, stuck);
    assert_eq!(memo.ask(&[3, 4, 5, 9, 10]).verdict, stuck);
    assert_eq!(memo.ask(&[3, 5, 9, 10]).verdict, stuck);
    assert_eq!(memo.ask(&[5, 9, 10]).verdict, Verdict::Failing);
    assert_eq!(memo.tally.tests, 3);
}

#[test]
fn a_list_that_does_not_fail_is_an_error() {
    let mut runner = rule(|_| through(unresolved(Unresolved::NeverRecorded)));
    let error = grow(&[1, 2], &Structure::unknown(2), &mut runner).unwrap_err();
    assert_eq!(error.verdict, unresolved(Unresolved::NeverRecorded));
    let error = grow(&[], &Structure::unknown(0), &mut runner).unwrap_err();
    assert_eq!(error.verdict, Verdict::Passing);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_oracle_ends_one_minimal(seed: u64, log in logs(40)) {
        ends_one_minimal(grow, &log, &[], seed)?;
    }

    #[test]
    fn a_monotone_oracle_gives_exactly_what_is_needed(
        log in logs(150),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
    ) {
        leaves_what_is_needed(grow, &log, &picks)?;
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
            _ => unresolved(Unresolved::ReceiverMissing),
        };
        let mut runner = rule(|s| through(verdict(s)));
        let found = grow(&numbers(n), &on_one_object(n), &mut runner).unwrap();
        let plain = ddmin(&numbers(n), &mut |s: &[u32]| verdict(s)).unwrap();
        prop_assert_eq!(&found.kept, &plain.kept);
        prop_assert!(found.tally.tests <= plain.tally.tests);
    }
}
