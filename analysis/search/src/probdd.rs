//! Probabilistic delta debugging (Wang, Shen, Chen, Xiong, Zhang: *Probabilistic Delta Debugging*, ESEC/FSE 2021), on what the log says.
//!
//! Each circumstance has a probability of being needed. Those are left out together of which, by these probabilities, most can be
//! expected to go: the ones that are least likely needed, as many as make their number times the probability that none is needed
//! greatest. If the failure stays, they are gone; if not, all of them have become likelier by Bayes' rule, and one that was left out
//! alone is certain. This ends when nothing is uncertain.
//!
//! What differs from the paper:
//! * Equal probabilities are tried in the order of [`Structure::by_relevance`], the least relevant first, and not by chance, of which
//!   later work found that it has no part in the success (Zhang, Xu, Tian, Cheng, Sun: *Toward a Better Understanding of Probabilistic
//!   Delta Debugging*, 2024). So the search is deterministic.
//! * The first probability is the paper's 0.1 for short lists only. In long ones some few are needed, whatever the length.
//! * *Objects before calls*: the makers of objects come first, each with all that cannot run without it, then what is left.
//! * What was needed on the level before is tried alone at first, and if that does not fail, it is taken for likelier than the rest.
//! * Leaving out one may let go another that was found needed; so in the end each that is left is tried once more.

use super::ddmin::{Minimized, NotFailing};
use super::finish::finish;
use super::memo::{Memo, Runner};
use super::structure::{Position, Structure};

/// Probability of being needed where nothing is known, at most.
const PRIOR: f64 = 0.1;
/// So many are expected to be needed of any list.
const EXPECTED: f64 = 3.0;
/// Probability of those that were needed on the level before.
const LIKELY: f64 = 0.5;
/// From here on a probability is certainty.
const CERTAIN: f64 = 1.0 - 1e-9;

/// Minimizes `circumstances` (distinct numbers, ascending) so that the result still fails and no single element can be left out.
/// Nothing at all is taken to pass.
///
/// # Errors
/// [`NotFailing`] if the whole list does not fail.
pub fn probdd(
    circumstances: &[u32],
    structure: &Structure,
    runner: &mut dyn Runner,
) -> Result<Minimized, NotFailing> {
    let mut memo = Memo::new(circumstances, structure, runner);
    let Some(current) = beginning(&mut memo) else {
        let all: Vec<Position> = (0..structure.len() as Position).collect();
        let asked = memo.ask(&all);
        return match asked.fails() {
            true => Ok(search(memo, asked.executed)),
            false => Err(NotFailing {
                verdict: asked.verdict,
                tally: memo.tally,
            }),
        };
    };
    Ok(search(memo, current))
}

/// The criterion with what is likely, if there is any and that fails.
fn beginning(memo: &mut Memo<'_>) -> Option<Vec<Position>> {
    let structure = memo.structure;
    let likely = &structure.by_relevance()[..structure.likely()];
    if likely.is_empty() {
        return None;
    }
    let with_criterion: Vec<Position> = structure
        .criterion()
        .into_iter()
        .chain(likely.iter().copied())
        .collect();
    let asked = memo.ask(&structure.closure(&with_criterion));
    asked.fails().then_some(asked.executed)
}

/// From a failing list to a 1-minimal one.
fn search(memo: Memo<'_>, current: Vec<Position>) -> Minimized {
    let structure = memo.structure;
    let mut order = vec![0; structure.len()];
    for (rank, &p) in structure.by_relevance().iter().enumerate() {
        order[p as usize] = rank;
    }
    let mut search = Search {
        needed: vec![0.0; structure.len()],
        memo,
        order,
        current,
    };
    let makers = structure.makers(&search.current);
    search.decide(makers);
    search.decide(search.current.clone());
    finish(search.memo, search.current)
}

struct Search<'a> {
    memo: Memo<'a>,
    /// Fails; ascending.
    current: Vec<Position>,
    /// By position: the probability of being needed; 0 where none was thought of yet.
    needed: Vec<f64>,
    /// By position: place in the order of relevance, 0 for the most relevant.
    order: Vec<usize>,
}

impl Search<'_> {
    /// Leaves out of `undecided` what can go, until all that is left of it is certain.
    fn decide(&mut self, mut undecided: Vec<Position>) {
        self.assume(&undecided);
        loop {
            undecided.retain(|&p| {
                self.needed[p as usize] < CERTAIN && self.current.binary_search(&p).is_ok()
            });
            if undecided.is_empty() || self.memo.stopped() {
                return;
            }
            // The least likely needed come first, of these the least relevant.
            undecided.sort_unstable_by(|&a, &b| {
                let probability = |p: Position| self.needed[p as usize];
                let rank = |p: Position| self.order[p as usize];
                probability(a)
                    .total_cmp(&probability(b))
                    .then(rank(b).cmp(&rank(a)))
                    .then(a.cmp(&b))
            });
            let group = undecided[..self.gainful(&undecided)].to_vec();
            self.leave_out(&group);
        }
    }

    /// First probabilities of those that have none.
    fn assume(&mut self, undecided: &[Position]) {
        let structure = self.memo.structure;
        let criterion = structure.criterion();
        structure
            .closure(criterion.as_slice())
            .into_iter()
            .for_each(|p| self.needed[p as usize] = 1.0);
        let prior = (EXPECTED / undecided.len().max(1) as f64).min(PRIOR);
        for &p in undecided {
            let needed = &mut self.needed[p as usize];
            if *needed <= 0.0 {
                *needed = match self.order[p as usize] < structure.likely() {
                    true => LIKELY,
                    false => prior,
                };
            }
        }
    }

    /// Of so many from the front of `undecided` (likelier ones come later), most can be expected to go.
    fn gainful(&self, undecided: &[Position]) -> usize {
        let (mut none_needed, mut best, mut gainful) = (1.0, 0.0, 1);
        for (i, &p) in undecided.iter().enumerate() {
            none_needed *= 1.0 - self.needed[p as usize];
            let gain = (i + 1) as f64 * none_needed;
            if gain < best {
                break;
            }
            (best, gainful) = (gain, i + 1);
        }
        gainful
    }

    /// Leaves out `group` and what cannot run without it; if the failure goes away, one of it is needed.
    fn leave_out(&mut self, group: &[Position]) {
        let mut go = group.to_vec();
        go.sort_unstable();
        let rest: Vec<Position> = self
            .current
            .iter()
            .filter(|p| go.binary_search(p).is_err())
            .copied()
            .collect();
        let asked = self.memo.ask(&self.memo.structure.closed(&rest));
        if asked.fails() {
            self.current = asked.executed;
            return;
        }
        let none_needed: f64 = group
            .iter()
            .map(|&p| 1.0 - self.needed[p as usize])
            .product();
        for &p in group {
            let needed = &mut self.needed[p as usize];
            *needed = match group.len() {
                1 => 1.0,
                _ => (*needed / (1.0 - none_needed)).min(1.0),
            };
        }
    }
}

#[cfg(test)]
mod tests;
