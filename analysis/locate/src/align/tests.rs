use proptest::prelude::*;

use super::*;
use crate::graph::Graph;
use crate::graph::testing::{code, graph, path};

/// `if (a) i++; if (b) j++; if (c) if (d) k++; else k += 2; print`, by the numbers of its lines (Wang 2007, Figure 6.2).
pub(crate) fn figure() -> Graph {
    let mut successors = vec![Vec::new(); 11];
    for (line, next) in [
        (1, vec![2, 3]),
        (2, vec![3]),
        (3, vec![4, 5]),
        (4, vec![5]),
        (5, vec![6, 10]),
        (6, vec![7, 9]),
        (7, vec![10]),
        (9, vec![10]),
    ] {
        successors[line] = next;
    }
    Graph::new(successors)
}

fn statements(run: &Run, difference: &Difference) -> Vec<(u32, u32)> {
    let events = difference.events().iter();
    events
        .map(|no| (run.event(*no).statement, no + 1))
        .collect()
}

#[test]
fn the_worked_example_differs_as_published() {
    let figure = figure();
    let failing = figure.run(&[1, 3, 5, 6, 7, 10]);
    let one = figure.run(&[1, 3, 4, 5, 6, 9, 10]);
    let other = figure.run(&[1, 2, 3, 5, 6, 9, 10]);
    let aligner = Aligner::new(&failing);
    // Statement, and its place in the run from 1.
    let near = aligner.difference(&one);
    let far = aligner.difference(&other);
    assert_eq!(statements(&failing, &near), [(3, 2), (6, 4)]);
    assert_eq!(statements(&failing, &far), [(1, 1), (6, 4)]);
    assert_eq!(near.compare(&far), Ordering::Less);
    let (best, difference) = closest(&aligner, [&other, &one]).unwrap();
    assert_eq!((best, difference), (1, near));
}

#[test]
fn a_difference_is_of_one_side() {
    // Where the one did not come, the other has nothing to differ in.
    let figure = figure();
    let [short, long] = [&[1, 3, 5, 10][..], &[1, 3, 5, 6, 7, 10]].map(|path| figure.run(path));
    let there = Aligner::new(&short).difference(&long);
    let back = Aligner::new(&long).difference(&short);
    assert_eq!(statements(&short, &there), [(5, 3)]);
    assert_eq!(statements(&long, &back), [(5, 3)]);
    assert_eq!((there.aligned(), back.aligned()), (4, 4));
}

#[test]
fn the_same_way_is_the_worst() {
    let figure = figure();
    let failing = figure.run(&[1, 3, 5, 6, 7, 10]);
    let aligner = Aligner::new(&failing);
    let same = aligner.difference(&failing);
    assert!(same.is_same() && same.events() == [0]);
    let other = figure.run(&[1, 2, 3, 5, 6, 7, 10]);
    let (best, difference) = closest(&aligner, [&failing, &other]).unwrap();
    assert_eq!(best, 1);
    // What differs at the first event alone says as much.
    assert_eq!(difference.compare(&same), Ordering::Equal);
}

/// Replacement of a pattern, one round (Wang 2007, Section 6.5): of the conditions only that of line 3 decided otherwise.
#[test]
fn of_the_failing_round_one_branch_differs() {
    let mut successors = vec![Vec::new(); 10];
    for (line, next) in [
        (1, vec![2]),
        (2, vec![3]),
        (3, vec![4, 7]),
        (4, vec![5]),
        (5, vec![6, 7]),
        (6, vec![7]),
        (7, vec![8]),
        (8, vec![9]),
    ] {
        successors[line] = next;
    }
    let fragment = Graph::new(successors);
    let failing = fragment.run(&[1, 2, 3, 4, 5, 7, 8, 9]);
    let passing = fragment.run(&[1, 2, 3, 7, 8, 9]);
    let difference = Aligner::new(&failing).difference(&passing);
    assert_eq!(statements(&failing, &difference), [(3, 3)]);
}

#[test]
fn times_are_aligned_one_by_one() {
    use crate::run::Event;
    let run_of = |times: u32| {
        let mut run = Run::new();
        let first = run.push(Event::new(7, None, None));
        for _ in 0..times {
            run.push(Event::new(8, Some(first), None));
        }
        run
    };
    let [three, five] = [3, 5].map(run_of);
    let partners = Aligner::new(&three).partners(&five);
    let aligned: Vec<_> = partners.iter().map(|p| p.map_or(9, |p| p)).collect();
    assert_eq!(aligned, [0, 1, 2, 3, 9, 9]);
}

/// What a condition calls decides before it does.
#[test]
fn a_branch_decides_when_its_calls_are_over() {
    use crate::run::{Event, Outcome};
    let run_of = |outcome: u32| {
        let mut run = Run::new();
        let outer = run.push(Event::new(1, None, None));
        let inner = run.push(Event::new(2, Some(outer), None));
        for event in [inner, outer] {
            run.went(event, Outcome::new(outcome).unwrap());
        }
        run
    };
    let [one, other] = [1, 2].map(run_of);
    let difference = Aligner::new(&one).difference(&other);
    assert_eq!(difference.events(), [1, 0]);
}

/// Definition 6.1 as it is written.
fn is_aligned(one: (&Run, EventNo), other: (&Run, EventNo)) -> bool {
    let [event, partner] = [one, other].map(|(run, no)| run.event(no));
    event.statement == partner.statement
        && match (event.on(), partner.on()) {
            (None, None) => true,
            (Some(a), Some(b)) => is_aligned((one.0, a), (other.0, b)),
            _ => false,
        }
}

/// Definition 6.3 as it is written.
fn is_smaller(one: &[EventNo], other: &[EventNo]) -> bool {
    let (n, m) = (one.len(), other.len());
    (0..=n.min(m)).any(|k| {
        let same = (1..=k).all(|back| one[n - back] == other[m - back]);
        same && (k == n && n < m || k < n && k < m && one[n - k - 1] > other[m - k - 1])
    })
}

proptest! {
    #[test]
    fn alignment_is_as_defined(
        code in code(true),
        choices in prop::collection::vec(any::<bool>(), 0..40),
        others in prop::collection::vec(any::<bool>(), 0..40),
    ) {
        let graph = graph(&code);
        let [one, other] = [&choices, &others].map(|c| graph.run(&path(&graph, c)));
        let partners = Aligner::new(&one).partners(&other);
        for (at, partner) in (0..).zip(&partners) {
            let all = (0..one.len() as EventNo).filter(|no| is_aligned((&one, *no), (&other, at)));
            let all: Vec<EventNo> = all.collect();
            prop_assert_eq!(all, partner.iter().copied().collect::<Vec<_>>());
        }
        // And the same from the other side.
        let back = Aligner::new(&other).partners(&one);
        for (at, partner) in (0..).zip(&partners) {
            if let Some(partner) = partner {
                prop_assert_eq!(back[*partner as usize], Some(at));
            }
        }
    }

    #[test]
    fn comparison_is_as_defined(
        one in prop::collection::btree_set(0_u32..12, 0..6),
        other in prop::collection::btree_set(0_u32..12, 0..6),
        third in prop::collection::btree_set(0_u32..12, 0..6),
    ) {
        let [one, other, third] = [one, other, third].map(|s| s.into_iter().collect::<Vec<_>>());
        let smaller = from_the_end(&one, &other) == Ordering::Less;
        prop_assert_eq!(smaller, is_smaller(&one, &other));
        prop_assert_eq!(from_the_end(&one, &other) == Ordering::Equal, one == other);
        prop_assert!(!(smaller && is_smaller(&other, &one)));
        if smaller && is_smaller(&other, &third) {
            prop_assert!(is_smaller(&one, &third));
        }
    }
}
