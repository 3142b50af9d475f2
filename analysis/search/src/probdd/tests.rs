use jinsi_level::verdict::Unresolved;
use proptest::prelude::*;

use super::super::ddmin::{Verdict, ddmin};
use super::super::fakes::{
    ends_one_minimal, leaves_what_is_needed, logs, needs, numbers, on_one_object, rule, through,
    unresolved,
};
use super::*;

/// JOD-3 (Burger 2011, Listing 1.1); plain delta debugging takes 29 tests.
#[test]
fn jod3_ends_in_three() {
    const CRASHING: [u32; 10] = [7, 9, 10, 12, 14, 18, 19, 20, 21, 22];
    let mut runner = rule(|s: &[u32]| {
        assert!(s.contains(&1));
        let fails = s.contains(&23) && s.iter().any(|n| CRASHING.contains(n));
        through(if fails {
            Verdict::Failing
        } else {
            Verdict::Passing
        })
    });
    let calls: Vec<u32> = (1..=23).collect();
    let result = probdd(&calls, &on_one_object(23), &mut runner).unwrap();
    assert_eq!(result.kept, [1, 22, 23]);
    assert!(result.tally.tests < 29, "{:?}", runner.asked);
}

/// Four objects of which each is used nine times; the failure needs one of them. Each goes with all its calls.
#[test]
fn objects_go_before_calls() {
    let needs_of = |i: u32| {
        if i.is_multiple_of(10) {
            vec![]
        } else {
            vec![i / 10]
        }
    };
    let gives_of = |i: u32| {
        if i.is_multiple_of(10) {
            vec![i / 10]
        } else {
            vec![]
        }
    };
    let needed: Vec<Vec<u32>> = (0..40).map(needs_of).collect();
    let given: Vec<Vec<u32>> = (0..40).map(gives_of).collect();
    let structure = Structure::with(&needed, &given, 4, 39);
    let mut runner = rule(|s: &[u32]| through(needs(s, &[30, 39])));
    let result = probdd(&numbers(40), &structure, &mut runner).unwrap();
    assert_eq!(result.kept, [30, 39]);
    assert_eq!(runner.asked[1], (30..40).collect::<Vec<u32>>());
}

#[test]
fn what_is_likely_is_tried_alone_at_first() {
    let structure = on_one_object(50).likely_first(&[7]);
    let mut runner = rule(|s: &[u32]| through(needs(s, &[0, 7, 49])));
    let result = probdd(&numbers(50), &structure, &mut runner).unwrap();
    assert_eq!(result.kept, [0, 7, 49]);
    assert_eq!(runner.asked, [vec![0, 7, 49], vec![0, 49], vec![0, 7]]);
}

#[test]
fn a_list_that_does_not_fail_is_an_error() {
    let mut runner = rule(|_: &[u32]| through(unresolved(Unresolved::NeverRecorded)));
    let error = probdd(&[1, 2], &Structure::unknown(2), &mut runner).unwrap_err();
    assert_eq!(error.verdict, unresolved(Unresolved::NeverRecorded));
    assert_eq!(error.tally.tests, 1);
    let error = probdd(&[], &Structure::unknown(0), &mut runner).unwrap_err();
    assert_eq!(error.verdict, Verdict::Passing);
}

/// The greatest number that can be expected to go, by trying all.
#[test]
fn a_group_is_as_large_as_pays() {
    let structure = Structure::unknown(40);
    let mut runner = rule(|_: &[u32]| through(Verdict::Failing));
    let all = numbers(40);
    for probability in [0.01, 0.1, 0.4, 0.9] {
        let search = Search {
            memo: Memo::new(&all, &structure, &mut runner),
            current: all.clone(),
            needed: vec![probability; 40],
            order: vec![0; 40],
        };
        let gain = |k: &usize| *k as f64 * (1.0f64 - probability).powi(*k as i32);
        let best = (1..=40).max_by(|a, b| gain(a).total_cmp(&gain(b))).unwrap();
        assert!(
            (gain(&search.gainful(&all)) - gain(&best)).abs() < 1e-9,
            "{probability}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_oracle_ends_one_minimal(seed: u64, log in logs(40), likely in prop::option::of(0..40u32)) {
        let others = |p: &u32| *p != log.criterion && (*p as usize) < log.needs.len();
        let likely: Vec<u32> = likely.into_iter().filter(others).collect();
        ends_one_minimal(probdd, &log, &likely, seed)?;
    }

    #[test]
    fn a_monotone_oracle_gives_exactly_what_is_needed(
        log in logs(150),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..5),
    ) {
        leaves_what_is_needed(probdd, &log, &picks)?;
    }

    #[test]
    fn few_of_many_take_fewer_tests_than_ddmin(at in 1u32..499) {
        let needed = [0, at, 499];
        let verdict = |s: &[u32]| match s {
            [] => Verdict::Passing,
            [0, ..] => needs(s, &needed),
            _ => unresolved(Unresolved::ReceiverMissing),
        };
        let mut runner = rule(|s: &[u32]| through(verdict(s)));
        let found = probdd(&numbers(500), &on_one_object(500), &mut runner).unwrap();
        let plain = ddmin(&numbers(500), &mut |s: &[u32]| verdict(s)).unwrap();
        prop_assert_eq!(&found.kept, &plain.kept);
        prop_assert!(found.tally.tests <= plain.tally.tests);
    }
}
