//! The search from the failure outward: to a 1-minimal failing list with as few tests as the log allows.
//!
//! Delta debugging begins with everything and knows no structure. Here the beginning is the interaction that let the failure out,
//! with what makes its objects ([`Structure::closure`]); mostly that fails already. If not, twice as many of the others come to it
//! each time, the likeliest first ([`Structure::by_relevance`]), until it does. What has come in vain is found by *group testing*: of those
//! that may be left out, the least likely are left out together, as many as make success and failure about equally probable by what
//! the search has seen so far (ProbDD's idea, with one probability for all); a group that cannot go is bisected to one interaction that
//! stays. In the end each interaction that is left is left out once more, alone and with all that needs it, until none can go.

use std::collections::HashSet;

use super::ddmin::{Minimized, NotFailing, Verdict};
use super::finish::finish;
use super::memo::{Asked, Memo, Runner};
use super::structure::{Position, Structure};

/// The part of the list that is expected to be looked at in vain before the first needed circumstance: one in so many.
const PRIOR: usize = 4;

/// Minimizes `circumstances` (distinct numbers, ascending) so that the result still fails and no single element can be left out.
/// Nothing at all is taken to pass.
///
/// # Errors
/// [`NotFailing`] if the whole list does not fail.
pub fn grow(
    circumstances: &[u32],
    structure: &Structure,
    runner: &mut dyn Runner,
) -> Result<Minimized, NotFailing> {
    let mut search = Search {
        memo: Memo::new(circumstances, structure, runner),
        structure,
        current: Vec::new(),
        needed: HashSet::new(),
        undecided: Vec::new(),
        found: 1,
    };
    if let Err(verdict) = search.expand() {
        return Err(NotFailing {
            verdict,
            tally: search.memo.tally,
        });
    }
    while !search.undecided.is_empty() && !search.memo.stopped() {
        search.leave_out_a_group();
    }
    Ok(finish(search.memo, search.current))
}

struct Search<'a> {
    memo: Memo<'a>,
    structure: &'a Structure,
    /// Fails; ascending.
    current: Vec<Position>,
    /// Of these, those that stay for now.
    needed: HashSet<Position>,
    /// And the others, the likeliest first.
    undecided: Vec<Position>,
    /// How many were found to be needed one by one.
    found: usize,
}

impl Search<'_> {
    /// Finds a failing list around the criterion of which the last one that came is needed.
    fn expand(&mut self) -> Result<(), Verdict> {
        let all = self.structure.by_relevance().len();
        let mut low = 0;
        let mut asked = self.ask_near(0);
        let mut high = 0;
        while !asked.fails() {
            if high == all {
                return Err(asked.verdict);
            }
            low = high;
            // Those that are likely come together.
            let step = if high == 0 {
                self.structure.likely().max(1)
            } else {
                high
            };
            high = (high + step).min(all);
            asked = self.ask_near(high);
        }
        self.current = asked.executed;
        if high > 0 {
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                let asked = self.ask_near(middle);
                if asked.fails() {
                    (high, self.current) = (middle, asked.executed);
                } else {
                    low = middle;
                }
            }
        }
        let base = self.structure.near(0);
        let last = high
            .checked_sub(1)
            .map(|at| self.structure.by_relevance()[at]);
        base.into_iter().chain(last).for_each(|p| self.need(p));
        self.undecided = self.structure.by_relevance().to_vec();
        self.settle();
        Ok(())
    }

    fn ask_near(&mut self, count: usize) -> Asked {
        let set = self.structure.near(count);
        self.memo.ask(&set)
    }

    /// `p` stays, and what it needs.
    fn need(&mut self, p: Position) {
        let needed = self.structure.closure(&[p]);
        self.needed.extend(needed);
    }

    /// Takes note of what has been left out or has to stay.
    fn settle(&mut self) {
        let (current, needed) = (&self.current, &self.needed);
        self.undecided
            .retain(|p| !needed.contains(p) && current.binary_search(p).is_ok());
    }

    /// How many of the undecided to leave out at once.
    fn group(&self) -> usize {
        let all = self.structure.len();
        let in_vain = all - self.needed.len().min(all) - self.undecided.len() + all / PRIOR;
        // About as many as there are, in the mean, from one needed circumstance to the next, times ln 2.
        let group = (in_vain + self.found) * 7 / (10 * self.found);
        group.clamp(1, self.undecided.len())
    }

    /// Leaves out as many of the least likely as can go; if not all of a group can, one of it is needed.
    fn leave_out_a_group(&mut self) {
        let group = self.group();
        if self.can_go(group) {
            return self.settle();
        }
        let before = std::mem::take(&mut self.undecided);
        let (mut go, mut stay) = (0, group);
        while stay - go > 1 {
            let middle = go + (stay - go) / 2;
            self.undecided.clone_from(&before);
            if self.can_go(middle) {
                go = middle;
            } else {
                stay = middle;
            }
        }
        self.need(before[before.len() - stay]);
        self.found += 1;
        self.undecided = before;
        self.settle();
    }

    /// Leaves out the last `count` undecided, and what cannot run without them, if the failure stays.
    fn can_go(&mut self, count: usize) -> bool {
        let go: HashSet<&Position> = self.undecided[self.undecided.len() - count..]
            .iter()
            .collect();
        let rest: Vec<Position> = self
            .current
            .iter()
            .filter(|p| !go.contains(p))
            .copied()
            .collect();
        let rest = self.structure.closed(&rest);
        let asked = self.memo.ask(&rest);
        if asked.fails() {
            self.current = asked.executed;
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests;
