use std::cmp::Ordering;

use proptest::prelude::*;

use super::*;
use crate::align::Aligner;
use crate::align::tests::figure;
use crate::graph::testing::{code, graph, path};

/// Nothing succeeds, all can be gone; it is noted what was made.
#[derive(Default)]
struct Never {
    made: Vec<Vec<BlockNo>>,
}

impl Judge for &mut Never {
    fn may_go(&mut self, _: &[BlockNo]) -> bool {
        true
    }

    fn succeeds(&mut self, path: &[BlockNo]) -> bool {
        self.made.push(path.to_vec());
        false
    }
}

fn all(graph: &Graph, failing: &[BlockNo]) -> Vec<Vec<BlockNo>> {
    let mut never = Never::default();
    assert_eq!(
        Generator::new(graph, failing, &mut never, 400).search(),
        None
    );
    never.made
}

/// Wang 2007, Table 6.1.
#[test]
fn runs_are_made_in_the_published_order() {
    let made = all(&figure(), &[1, 3, 5, 6, 7, 10]);
    let published: [&[BlockNo]; 11] = [
        &[1, 3, 5, 6, 9, 10],
        &[1, 3, 4, 5, 6, 9, 10],
        &[1, 2, 3, 4, 5, 6, 9, 10],
        &[1, 2, 3, 5, 6, 9, 10],
        &[1, 3, 5, 10],
        &[1, 3, 4, 5, 10],
        &[1, 2, 3, 4, 5, 10],
        &[1, 2, 3, 5, 10],
        &[1, 3, 4, 5, 6, 7, 10],
        &[1, 2, 3, 4, 5, 6, 7, 10],
        &[1, 2, 3, 5, 6, 7, 10],
    ];
    assert_eq!(made, published);
}

#[test]
fn one_branch_may_give_several_runs() {
    let made = all(&figure(), &[1, 2, 3, 4, 5, 10]);
    let first: [&[BlockNo]; 2] = [&[1, 2, 3, 4, 5, 6, 7, 10], &[1, 2, 3, 4, 5, 6, 9, 10]];
    assert_eq!(made[..2], first);
}

/// `if (climb) sep = up; else sep = up + 100; if (sep > 150) upward = 1; else upward = 0; if (upward > 0) …`, by its lines.
fn separation() -> Graph {
    let mut successors = vec![Vec::new(); 15];
    for (line, next) in [
        (1, vec![2, 4]),
        (2, vec![5]),
        (4, vec![5]),
        (5, vec![6, 8]),
        (6, vec![9]),
        (8, vec![9]),
        (9, vec![10, 13]),
        (10, vec![11]),
        (13, vec![14]),
    ] {
        successors[line] = next;
    }
    Graph::new(successors)
}

/// Which values of `climb` and `up` go a way, found by trying them; what is right has a bias of 100 in both cases.
struct Tried;

impl Tried {
    fn way(climb: bool, up: i32, upward_before: Option<i32>) -> (Vec<BlockNo>, bool) {
        let sep = if climb { up } else { up + 100 };
        let mut way = vec![1, if climb { 2 } else { 4 }, 5];
        let upward = upward_before.unwrap_or(i32::from(sep > 150));
        way.extend([if sep > 150 { 6 } else { 8 }, 9]);
        way.extend(if upward > 0 { [10, 11] } else { [13, 14] });
        (way, (up + 100 > 150) == (upward > 0))
    }
}

impl Judge for Tried {
    fn may_go(&mut self, part: &[BlockNo]) -> bool {
        // The part behind the assignment goes where that has set.
        let set = part.iter().find_map(|at| match at {
            6 => Some(1),
            8 => Some(0),
            _ => None,
        });
        let goes = part.iter().find_map(|at| match at {
            10 => Some(1),
            13 => Some(0),
            _ => None,
        });
        set.is_none() || goes.is_none() || set == goes
    }

    fn succeeds(&mut self, path: &[BlockNo]) -> bool {
        let inputs = [false, true].map(|climb| (0..300).map(move |up| (climb, up)));
        let mut inputs = inputs.into_iter().flatten();
        inputs.any(|(climb, up)| {
            let (way, right) = Self::way(climb, up, None);
            way == path && right
        })
    }
}

#[test]
fn what_cannot_be_gone_is_no_run_and_the_first_line_is_reported() {
    let graph = separation();
    let failing = [1, 2, 5, 8, 9, 13, 14];
    assert_eq!(Tried::way(true, 100, None), (failing.to_vec(), false));
    assert!(!Tried.may_go(&[8, 9, 10, 11]));
    // What succeeds with the climb as it was: a small value. The published run has none.
    let passing = graph.run(&Tried::way(false, 20, None).0);
    let failing_run = graph.run(&failing);
    let difference = Aligner::new(&failing_run).difference(&passing);
    assert_eq!(difference.events(), [0]);
    assert!(!difference.is_same());
    let found = Generator::new(&graph, &failing, Tried, 100)
        .search()
        .unwrap();
    assert_eq!(found.path, [1, 4, 5, 8, 9, 13, 14]);
    assert_eq!(found.turned, [0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Lemma 6.1 and Theorem 6.1.
    #[test]
    fn what_was_turned_is_the_difference_and_differences_grow(
        code in code(true),
        choices in prop::collection::vec(any::<bool>(), 0..12),
    ) {
        let graph = graph(&code);
        let failing = path(&graph, &choices);
        prop_assume!(failing.len() < 60);
        let run = graph.run(&failing);
        let aligner = Aligner::new(&run);
        let differences: Vec<_> = all(&graph, &failing)
            .iter()
            .map(|made| aligner.difference(&graph.run(made)))
            .collect();
        for pair in differences.windows(2) {
            prop_assert_ne!(pair[0].compare(&pair[1]), Ordering::Greater);
        }
        prop_assert!(differences.iter().all(|difference| !difference.is_same()));
    }

    #[test]
    fn a_run_differs_in_what_was_turned(
        code in code(true),
        choices in prop::collection::vec(any::<bool>(), 0..12),
        wanted in 0_usize..40,
    ) {
        struct Nth(usize);
        impl Judge for Nth {
            fn may_go(&mut self, _: &[BlockNo]) -> bool {
                true
            }
            fn succeeds(&mut self, _: &[BlockNo]) -> bool {
                self.0 = self.0.wrapping_sub(1);
                self.0 == usize::MAX
            }
        }
        let graph = graph(&code);
        let failing = path(&graph, &choices);
        prop_assume!(failing.len() < 60);
        let run = graph.run(&failing);
        if let Some(made) = Generator::new(&graph, &failing, Nth(wanted), 400).search() {
            let difference = Aligner::new(&run).difference(&graph.run(&made.path));
            prop_assert_eq!(difference.events(), made.turned);
        }
    }
}
