//! What right calls covered.

use crate::session::{Answer, Session};
use crate::tree::{Covered, NodeNo};

/// Which calls count as seen to be right when edges and chains are weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Those that somebody said it of.
    Answered,
    /// And those below them.
    Below,
}

/// How many right calls covered each entity.
pub(crate) fn right(session: &Session<'_>, covered: &Covered, counting: Counting) -> Vec<u32> {
    // Many calls cover the same: each set is gone over once, however many calls have it.
    let mut times = vec![0; covered.sets.len()];
    let mut count = |node: NodeNo| times[covered.set[node as usize] as usize] += 1;
    for (node, answer) in session.answers() {
        if *answer == Answer::Valid {
            match counting {
                Counting::Answered => count(*node),
                Counting::Below => session.tree().below(*node).for_each(&mut count),
            }
        }
    }
    let mut counts = vec![0; covered.entities as usize];
    for (set, times) in covered.sets.iter().zip(times) {
        if times > 0 {
            set.iter()
                .for_each(|entity| counts[*entity as usize] += times);
        }
    }
    counts
}
