//! Alignment, difference and comparison of runs (Wang 2007, Definitions 6.1 to 6.3), in time linear in the runs.
//!
//! Two events are aligned if they are of the same statement and what they depend on is aligned, too. So the rounds of a loop are aligned one by one,
//! and a branch that went another way spoils nothing but what depends on it. Where a statement ran several times because of one event (a
//! loop that is left by exceptions only, a method that is called twice by one statement), the times are aligned one by one.

use std::cmp::{Ordering, Reverse};

use rustc_hash::FxHashMap;

use crate::run::{EventNo, Run, StatementNo};

/// What an event is because of, and what it is of.
type Key = (Option<EventNo>, StatementNo);

/// A run, ready to be compared with others.
#[derive(Debug)]
pub struct Aligner<'r> {
    run: &'r Run,
    first: FxHashMap<Key, EventNo>,
    /// By event: the next one with the same key.
    again: Vec<Option<EventNo>>,
}

impl<'r> Aligner<'r> {
    /// Of this run.
    pub fn new(run: &'r Run) -> Self {
        let mut first = FxHashMap::default();
        let mut again = vec![None; run.len()];
        let mut latest: FxHashMap<Key, EventNo> = FxHashMap::default();
        for (no, event) in (0..).zip(run.events()) {
            let key = (event.on(), event.statement);
            match latest.insert(key, no) {
                Some(before) => again[before as usize] = Some(no),
                None => {
                    first.insert(key, no);
                }
            }
        }
        Self { run, first, again }
    }

    /// The run.
    pub fn run(&self) -> &'r Run {
        self.run
    }

    /// By event of `other`, the one of this run that it is aligned with.
    pub fn partners(&self, other: &Run) -> Vec<Option<EventNo>> {
        let mut partners: Vec<Option<EventNo>> = Vec::with_capacity(other.len());
        let mut latest: FxHashMap<EventNo, EventNo> = FxHashMap::default();
        for event in other.events() {
            let on = match event.on() {
                None => Some(None),
                Some(on) => partners[on as usize].map(Some),
            };
            let first = on.and_then(|on| self.first.get(&(on, event.statement)).copied());
            let partner = first.and_then(|first| match latest.get(&first) {
                None => Some(first),
                Some(before) => self.again[*before as usize],
            });
            if let (Some(first), Some(partner)) = (first, partner) {
                latest.insert(first, partner);
            }
            partners.push(partner);
        }
        partners
    }

    /// What this run did otherwise than `other`.
    pub fn difference(&self, other: &Run) -> Difference {
        let partners = self.partners(other);
        let aligned = partners.iter().flatten().count();
        let pairs = partners.iter().zip(other.events());
        let differing = pairs.filter_map(|(partner, event)| {
            let own = self.run.event((*partner)?);
            let differs = own.outcome? != event.outcome?;
            differs.then_some(*partner).flatten()
        });
        let mut events: Vec<EventNo> = differing.collect();
        events.sort_unstable_by_key(|event| self.run.decided(*event));
        let same = events.is_empty();
        if same && !self.run.is_empty() {
            events.push(0);
        }
        let decided = events.iter().map(|event| self.run.decided(*event));
        Difference {
            decided: decided.collect(),
            events,
            aligned,
            same,
        }
    }
}

/// The branches of a run that went another way in another run, in the order in which they decided. If there is none, the first event stands for them: nothing is
/// said then, and every other difference is better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    events: Vec<EventNo>,
    /// When they decided.
    decided: Vec<u32>,
    aligned: usize,
    same: bool,
}

impl Difference {
    /// The branches.
    pub fn events(&self) -> &[EventNo] {
        &self.events
    }

    /// How many events of the other run are aligned.
    pub fn aligned(&self) -> usize {
        self.aligned
    }

    /// Did no branch go another way?
    pub fn is_same(&self) -> bool {
        self.same
    }

    /// Smaller is better: fewer branches, and the last ones nearer to the end (Definition 6.3). Both are differences of one run.
    pub fn compare(&self, other: &Self) -> Ordering {
        from_the_end(&self.decided, &other.decided)
    }
}

/// The same of the branches alone.
fn from_the_end(one: &[u32], other: &[u32]) -> Ordering {
    let backward = |events: &[u32]| -> Vec<Reverse<u32>> {
        events.iter().rev().copied().map(Reverse).collect()
    };
    backward(one).cmp(&backward(other))
}

/// Of several runs the one to which the run of `aligner` has the smallest difference (AC, Wang 2007, Section 6.4), and that difference; of equal ones the
/// first. Runs without difference count only if there is no other.
pub fn closest<'p>(
    aligner: &Aligner<'_>,
    pool: impl IntoIterator<Item = &'p Run>,
) -> Option<(usize, Difference)> {
    let differences = pool.into_iter().map(|run| aligner.difference(run));
    let numbered = differences.enumerate();
    numbered.min_by(|(a, one), (b, other)| {
        let by_difference = (one.is_same().cmp(&other.is_same())).then_with(|| one.compare(other));
        by_difference.then(a.cmp(b))
    })
}

#[cfg(test)]
pub(crate) mod tests;
