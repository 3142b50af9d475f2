//! What right calls covered.

use crate::answer::{About, Answer};
use crate::tree::{Covered, NodeNo, Tree};

/// Which calls count as seen to be right when edges and chains are weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Those that somebody said it of.
    Answered,
    /// And those below them.
    Below,
}

/// How many right calls covered each entity.
pub(crate) fn right(
    tree: &Tree,
    answers: &[(About, Answer)],
    covered: &Covered,
    counting: Counting,
) -> Vec<u32> {
    let mut times = vec![0; covered.sets.len()];
    for answer in answers {
        count(tree, covered, (*answer, counting), &mut times);
    }
    of_entities(covered, &times)
}

/// Many calls cover the same: each set is gone over once, however many calls have it.
fn of_entities(covered: &Covered, times: &[u32]) -> Vec<u32> {
    let mut counts = vec![0; covered.entities as usize];
    for (set, &times) in covered.sets.iter().zip(times) {
        if times > 0 {
            set.iter()
                .for_each(|entity| counts[*entity as usize] += times);
        }
    }
    counts
}

/// Adds how many calls have each set, of those that are right by an answer.
fn count(
    tree: &Tree,
    covered: &Covered,
    ((about, answer), counting): ((About, Answer), Counting),
    times: &mut [u32],
) {
    if answer != Answer::Valid {
        return;
    }
    let mut count = |node: NodeNo| times[covered.set[node as usize] as usize] += 1;
    match (about, counting) {
        (About::Call(node), Counting::Answered) => count(node),
        (About::Call(node), Counting::Below) => tree.below(node).for_each(&mut count),
        (About::Stretch(calls), Counting::Answered) => calls.outermost(tree).for_each(&mut count),
        (About::Stretch(calls), Counting::Below) => calls.calls(tree).for_each(&mut count),
    }
}

/// How many right calls have each set of edges by so many answers: each of these is gone over once, however many questions follow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counted {
    answers: usize,
    times: Vec<u32>,
}

impl Counted {
    /// How many right calls, and calls below them, covered each edge.
    pub(crate) fn right_below(&self, tree: &Tree) -> Vec<u32> {
        of_entities(&tree.edges, &self.times)
    }

    /// Goes on with the answers that were given since.
    pub(crate) fn go_on(&mut self, tree: &Tree, answers: &[(About, Answer)]) {
        let edges = &tree.edges;
        self.times.resize(edges.sets.len(), 0);
        for answer in answers.iter().skip(self.answers) {
            let of = (*answer, Counting::Below);
            count(tree, edges, of, &mut self.times);
        }
        self.answers = answers.len();
    }
}
