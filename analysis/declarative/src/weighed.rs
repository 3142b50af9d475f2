//! What suspected calls weigh, and which of them has half of it below.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::counting::{Counting, right};
use crate::session::Session;
use crate::stretch::Stretch;
use crate::tree::{Covered, NodeNo};

/// Nodes of which one sum is kept.
const BLOCK: NodeNo = 64;

/// What suspected calls weigh by themselves.
pub(crate) enum Own<'t> {
    /// All the same.
    Same,
    /// By sets of entities: which each has, and what they weigh.
    Sets(&'t [u32], Vec<f64>),
}

impl<'t> Own<'t> {
    pub(crate) fn by_entities(
        session: &Session<'t>,
        covered: &'t Covered,
        p: f64,
        counting: Counting,
    ) -> Self {
        let counts = right(session.tree(), session.answers(), covered, counting);
        let weight = |entity: &u32| p.powi(counts[*entity as usize].min(1_000) as i32);
        let sum = |set: &[u32]| set.iter().map(weight).sum();
        let weights = covered.sets.iter().map(|set| sum(set));
        Self::Sets(&covered.set, weights.collect())
    }

    fn of(&self, node: NodeNo) -> f64 {
        match self {
            Self::Same => 1.0,
            Self::Sets(sets, weights) => weights[sets[node as usize] as usize],
        }
    }
}

/// What the suspected calls weigh, with sums by which what is below a call is known at once: of ten million calls they take a megabyte.
pub(crate) struct Weighed<'s, 't> {
    session: &'s Session<'t>,
    own: Own<'t>,
    /// By block of nodes, what those before it weigh.
    before: Vec<f64>,
}

impl<'s, 't> Weighed<'s, 't> {
    pub(crate) fn new(session: &'s Session<'t>, own: Own<'t>) -> Self {
        let range = session.range();
        let mut weighed = Self {
            session,
            own,
            before: Vec::new(),
        };
        let mut sum = 0.0;
        for block in 0..=range.end / BLOCK {
            weighed.before.push(sum);
            let first = block * BLOCK;
            let nodes = first.max(range.start)..(first + BLOCK).min(range.end);
            sum = weighed.add(sum, nodes);
        }
        weighed
    }

    /// What all of them weigh.
    pub(crate) fn all(&self) -> f64 {
        self.up_to(self.session.range().end)
    }

    /// A sum, and what suspected calls of these nodes weigh.
    fn add(&self, sum: f64, nodes: Range<NodeNo>) -> f64 {
        match &self.own {
            Own::Same => sum + self.session.suspected_of(nodes) as f64,
            own => (self.session.suspects_of(nodes)).fold(sum, |sum, node| sum + own.of(node)),
        }
    }

    /// What those before a node weigh.
    fn up_to(&self, node: NodeNo) -> f64 {
        let block = node / BLOCK;
        let first = (block * BLOCK).max(self.session.range().start);
        self.add(self.before[block as usize], first..node.max(first))
    }

    /// What a call and those below it weigh.
    fn below(&self, node: NodeNo) -> f64 {
        let below = self.session.tree().below(node);
        match below.end - node {
            0..BLOCK => self.add(0.0, below),
            _ => self.up_to(below.end) - self.up_to(node),
        }
    }

    /// All calls that may be asked about, and what each and the calls below it weigh.
    pub(crate) fn open(&self) -> Vec<(NodeNo, f64)> {
        let open = self.session.open();
        open.map(|node| (node, self.below(node))).collect()
    }

    /// The call that may be asked about with what is nearest to this weight below it, and the first in preorder of those that are equally near.
    ///
    /// What is below a call is no more than what is below the one it was called in. So it is gone down only where there is more than wanted, or
    /// where the call itself may not be asked about: that is one way down, and what is called along it.
    pub(crate) fn nearest(&self, wanted: f64) -> Option<NodeNo> {
        let tree = self.session.tree();
        let mut best: Option<(f64, NodeNo)> = None;
        let mut left = vec![self.session.range()];
        while let Some(siblings) = left.pop() {
            let mut node = siblings.start;
            let mut before = self.up_to(node);
            while node < siblings.end {
                let end = tree.below(node).end;
                let up_to_end = match end - node {
                    0..BLOCK => self.add(before, node..end),
                    _ => self.up_to(end),
                };
                let below = up_to_end - before;
                let distance = (below - wanted).abs();
                let is_better =
                    |(old, at): (f64, NodeNo)| distance < old || distance == old && node < at;
                // No call in it is better than the best one if all of it is not.
                if below > wanted || best.is_none_or(is_better) {
                    let may_be = self.session.is_suspected(node) && self.session.is_unsaid(node);
                    if may_be && best.is_none_or(is_better) {
                        best = Some((distance, node));
                    }
                    if below > wanted || !may_be {
                        left.push(node + 1..end);
                    }
                }
                (node, before) = (end, up_to_end);
            }
        }
        best.map(|(_, node)| node)
    }

    /// The calls that one call made one behind the other from its first one on, as many as weigh what is nearest to what is wanted: of the call
    /// in which there is more than that, and in none of those that it made. At least two, of which nobody said that he could not say; and not all.
    ///
    /// It rather ends where the loop begins anew, before a call of the first method that is called again: what was there then is easier to judge
    /// than what was there in the midst of it.
    pub(crate) fn stretch(&self, wanted: f64) -> Option<Stretch> {
        let tree = self.session.tree();
        let (within, calls) = self.loops(wanted)?;
        // Moments of several threads are no stretch of one of them.
        let of_one = calls
            .clone()
            .all(|no| tree.thread_of(no) == tree.thread_of(within));
        if self.session.is_unsure_within(within) || !of_one {
            return None;
        }
        let mut met = FxHashSet::default();
        let mut methods = calls.clone().map(|node| tree.method_of(node));
        let head = methods.find(|method| !met.insert(*method));
        let has_any = |node: &NodeNo| !self.session.has_no_suspect(tree.below(*node));
        let first = calls.clone().find(has_any)?;
        let last = calls.clone().filter(has_any).last()?;
        let mut nearest: [Option<(f64, NodeNo)>; 2] = [None; 2];
        let (mut weighs, mut suspected, mut before) = (0.0, 0, first);
        for node in calls.filter(|node| (first..=last).contains(node)) {
            let of_head = Some(tree.method_of(node)) == head;
            let distance = (weighs - wanted).abs();
            let best = &mut nearest[usize::from(!of_head)];
            if suspected > 1 && best.is_none_or(|(old, _)| distance < old) {
                *best = Some((distance, before));
            }
            suspected += usize::from(has_any(&node));
            weighs += self.below(node);
            before = node;
        }
        let [at_head, anywhere] = nearest;
        let at_head = at_head.filter(|(distance, _)| *distance < wanted / 2.0);
        let (_, end) = at_head.or(anywhere).or(nearest[0])?;
        Stretch::new(tree, first, end)
    }

    /// The innermost call in which there is more than so much, and the calls that it made.
    fn loops(&self, wanted: f64) -> Option<(NodeNo, impl Iterator<Item = NodeNo> + Clone + '_)> {
        let tree = self.session.tree();
        let made = |nodes: Range<NodeNo>| {
            let next =
                move |node: &NodeNo| Some(tree.below(*node).end).filter(|no| *no < nodes.end);
            std::iter::successors(Some(nodes.start).filter(|no| *no < nodes.end), next)
        };
        let mut within = None;
        let mut calls = made(self.session.range());
        while let Some(next) = calls.clone().find(|node| self.below(*node) > wanted) {
            within = Some(next);
            calls = made(next + 1..tree.below(next).end);
        }
        Some((within?, calls))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::answer::Answer;
    use crate::random::{parents, tree};

    proptest! {
        /// As it is found by going over all calls, one by one.
        #[test]
        fn the_nearest_is_found(
            shape in prop::collection::vec((0u8..4, 0u8..6, prop::collection::vec(0u32..20, 1..4)), 1..300),
            answers in prop::collection::vec((0usize..300, 0u8..4), 0..6),
            (trusted, by_entities, part) in (0u8..12, any::<bool>(), 0.0f64..1.0),
        ) {
            let up: Vec<u8> = shape.iter().map(|(up, _, _)| *up).collect();
            let methods: Vec<u8> = shape.iter().map(|(_, method, _)| *method).collect();
            let covered: Vec<Vec<u32>> = shape.iter().map(|(_, _, covered)| covered.clone()).collect();
            let tree = tree(&parents(&up), &methods, &covered);
            let mut session = Session::new(&tree, |method| method.name == trusted.to_string());
            for (node, answer) in answers {
                let answer = [Answer::Valid, Answer::Invalid, Answer::Trusted, Answer::Unknown][usize::from(answer)];
                session.answer((node % up.len()) as NodeNo, answer);
            }
            let own = || match by_entities {
                true => Own::by_entities(&session, &tree.edges, 0.5, Counting::Below),
                false => Own::Same,
            };
            let weighs = |node: NodeNo| -> f64 {
                let below = session.suspects().filter(|no| tree.below(node).contains(no));
                below.map(|no| own().of(no)).sum()
            };
            let all: f64 = session.suspects().map(|no| own().of(no)).sum();
            let weighed = Weighed::new(&session, own());
            prop_assert!((weighed.all() - all).abs() < 1e-9);
            let open: Vec<(NodeNo, f64)> = session.open().map(|node| (node, weighs(node))).collect();
            let found = weighed.open();
            prop_assert_eq!(found.len(), open.len());
            for ((node, below), (of, naive)) in found.into_iter().zip(&open) {
                prop_assert!(node == *of && (below - naive).abs() < 1e-9);
            }
            let wanted = part * all;
            let distance = |below: f64| (below - wanted).abs();
            let least = open.iter().map(|(_, below)| distance(*below)).min_by(f64::total_cmp);
            let nearest = weighed.nearest(wanted);
            prop_assert_eq!(nearest.is_some(), least.is_some());
            if let (Some(nearest), Some(least)) = (nearest, least) {
                prop_assert!(session.is_suspected(nearest) && session.is_unsaid(nearest));
                prop_assert!(distance(weighs(nearest)) <= least + 1e-9);
                let first = open.iter().find(|(_, below)| distance(*below) <= least + 1e-9);
                prop_assert!(by_entities || first.map(|(node, _)| *node) == Some(nearest));
            }
        }
    }
}
