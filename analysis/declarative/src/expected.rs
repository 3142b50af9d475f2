//! Where the defect rather is than elsewhere. That only says what is asked about first: nothing follows from it.

use crate::tree::{NodeNo, Tree};

/// The defect is in a method that was running when the run failed: of repaired bugs of which a stack trace was reported, up to that many were
/// repaired in one of its methods (Schröter et al. 2010).
const RUNNING: f64 = 0.6;
/// The defect showed in a call that had a part in the failure. It need not: what should have been done, and was not, had none.
const PART: f64 = 0.9;

/// Edges, and how likely the defect shows in one of them.
#[derive(Clone, Debug)]
pub struct Expected {
    /// By edge.
    edges: Vec<bool>,
    /// A probability.
    pub(crate) likely: f64,
}

impl Expected {
    /// In one of these methods, which were running when the run failed.
    pub fn running(tree: &Tree, methods: &[u32]) -> Self {
        let mut is_one = vec![false; tree.methods().len()];
        methods.iter().for_each(|no| is_one[*no as usize] = true);
        let calls = (0..tree.len() as NodeNo).filter(|no| is_one[tree.method_of(*no) as usize]);
        Self::of(tree, calls, RUNNING)
    }

    /// In one of these calls, which had a part in the failure.
    pub fn part(tree: &Tree, calls: &[NodeNo]) -> Self {
        Self::of(tree, calls.iter().copied(), PART)
    }

    fn of(tree: &Tree, calls: impl Iterator<Item = NodeNo>, likely: f64) -> Self {
        let mut met = vec![false; tree.edges.sets.len()];
        calls.for_each(|no| met[tree.edges.set[no as usize] as usize] = true);
        let mut edges = vec![false; tree.edges.entities as usize];
        for (set, _) in tree.edges.sets.iter().zip(met).filter(|(_, met)| *met) {
            set.iter().for_each(|edge| edges[*edge as usize] = true);
        }
        Self { edges, likely }
    }

    pub(crate) fn has(&self, edge: u32) -> bool {
        self.edges[edge as usize]
    }
}
