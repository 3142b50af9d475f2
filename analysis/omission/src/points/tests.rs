//! The solver against the plain definition: the least sets that fit.

use std::collections::BTreeSet;

use jinsi_classfile::bits::Bits;
use proptest::prelude::*;

use super::solver::{ALL, FilterNo, ObjectNo, Rules, Solver};

/// Objects with odd numbers do not pass filter 0. A node where something waits gets an arrow to node `what` as soon as object `what` comes.
struct Odd {
    even: Bits,
}

impl Rules for Odd {
    fn passing(&mut self, _: &Bits, _: FilterNo) -> &Bits {
        &self.even
    }

    fn came(&mut self, solver: &mut Solver, what: u32, object: ObjectNo) {
        if object == what {
            solver.arrow(what, NODES - 1 - what, ALL, self);
        }
    }
}

const NODES: u32 = 8;

#[derive(Clone, Debug)]
struct System {
    put: Vec<(u32, u32)>,
    arrows: Vec<(u32, u32, bool)>,
    waits: Vec<(u32, u32)>,
}

fn system() -> impl Strategy<Value = System> {
    let node = || 0..NODES;
    let put = prop::collection::vec((node(), 0..NODES), 0..8);
    let arrows = prop::collection::vec((node(), node(), any::<bool>()), 0..16);
    let waits = prop::collection::vec((node(), node()), 0..6);
    (put, arrows, waits).prop_map(|(put, arrows, waits)| System { put, arrows, waits })
}

/// The least sets, by trying all rules until none adds anything.
fn least(system: &System) -> Vec<BTreeSet<u32>> {
    let mut sets = vec![BTreeSet::new(); NODES as usize];
    for &(node, object) in &system.put {
        sets[node as usize].insert(object);
    }
    let mut arrows = system.arrows.clone();
    loop {
        let before = (sets.clone(), arrows.len());
        for &(node, what) in &system.waits {
            let arrow = (what, NODES - 1 - what, false);
            if sets[node as usize].contains(&what) && !arrows.contains(&arrow) {
                arrows.push(arrow);
            }
        }
        for &(from, to, filtered) in &arrows {
            let all = sets[from as usize].iter();
            let passing: Vec<u32> = all.copied().filter(|o| !filtered || o % 2 == 0).collect();
            sets[to as usize].extend(passing);
        }
        if before == (sets.clone(), arrows.len()) {
            return sets;
        }
    }
}

proptest! {
    #[test]
    fn it_finds_the_least_sets(system in system()) {
        let mut solver = Solver::default();
        solver.make(NODES as usize);
        let mut even = Bits::default();
        (0..NODES).step_by(2).for_each(|no| _ = even.insert(no));
        let mut rules = Odd { even };
        for &(from, to, filtered) in &system.arrows {
            solver.arrow(from, to, if filtered { 0 } else { ALL }, &mut rules);
        }
        for &(node, object) in &system.put {
            solver.put(node, object);
        }
        for &(node, what) in &system.waits {
            solver.then(node, what, &mut rules);
        }
        solver.solve(&mut rules);
        let found: Vec<BTreeSet<u32>> = (0..NODES).map(|no| solver.set(no).iter().collect()).collect();
        prop_assert_eq!(found, least(&system));
    }
}
