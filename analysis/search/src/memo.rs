//! Asks for tests, and never for one whose result follows from others.
//!
//! A run that ended early has executed only what comes before its end. So each subset that begins the same way ends the same way. A run
//! that needs an object which nothing makes (see [`super::structure`]) is known to end there, and is not run.

use std::collections::HashMap;

use jinsi_level::verdict::Unresolved;

use super::ddmin::{SubsetTest, Tally, Verdict};
use super::structure::{Position, Structure};

/// What one run gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Its verdict.
    pub verdict: Verdict,
    /// The circumstance in which the run ended, if that is known: those behind it were not executed.
    pub ended_in: Option<u32>,
}

/// Runs tests. Must be deterministic.
pub trait Runner {
    /// Runs exactly the circumstances in `subset` (numbers), in that order.
    fn run(&mut self, subset: &[u32]) -> Ran;
    /// No further test is to be run: the search ends with what it has. Once true, it stays so.
    fn stopped(&self) -> bool {
        false
    }
}

/// A runner as plain delta debugging asks it.
pub(super) struct Plain<'r>(pub(super) &'r mut dyn Runner);

impl SubsetTest for Plain<'_> {
    fn test(&mut self, subset: &[u32]) -> Verdict {
        self.0.run(subset).verdict
    }

    fn stopped(&self) -> bool {
        self.0.stopped()
    }
}

/// What is known of a subset.
pub(super) struct Asked {
    pub(super) verdict: Verdict,
    /// Those of the subset that are executed: of a failing one, the others can be left out.
    pub(super) executed: Vec<Position>,
}

impl Asked {
    pub(super) fn fails(&self) -> bool {
        self.verdict == Verdict::Failing
    }
}

/// The tests so far.
pub(super) struct Memo<'a> {
    pub(super) circumstances: &'a [u32],
    pub(super) structure: &'a Structure,
    runner: &'a mut dyn Runner,
    /// By the hash of what was executed; the run went on to the end of its list.
    ran_through: HashMap<u128, Verdict>,
    /// By the hash of what was executed; the run ended there, whatever would have followed.
    ended: HashMap<u128, Verdict>,
    /// By number of elements: has any list in `ended` so many? Few have, and lists of servers' runs are long.
    ended_behind: Vec<bool>,
    pub(super) tally: Tally,
}

impl<'a> Memo<'a> {
    pub(super) fn new(
        circumstances: &'a [u32],
        structure: &'a Structure,
        runner: &'a mut dyn Runner,
    ) -> Self {
        Self {
            circumstances,
            structure,
            runner,
            ran_through: HashMap::new(),
            ended: HashMap::new(),
            ended_behind: vec![false; circumstances.len() + 1],
            tally: Tally::default(),
        }
    }

    /// The verdict on `subset` (ascending), run only if it must be. Nothing at all does nothing, and passes.
    pub(super) fn ask(&mut self, subset: &[Position]) -> Asked {
        let unmet = self.structure.first_unmet(subset);
        let runs = &subset[..unmet.unwrap_or(subset.len())];
        let mut asked = self.ask_runnable(runs);
        if unmet.is_some() && asked.verdict == Verdict::Passing {
            asked.verdict = Verdict::Unresolved(Unresolved::ReceiverMissing);
        }
        asked
    }

    fn ask_runnable(&mut self, subset: &[Position]) -> Asked {
        let mut hash = EMPTY;
        for (n, &p) in subset.iter().enumerate() {
            hash = extend(hash, p);
            if self.ended_behind[n + 1]
                && let Some(verdict) = self.ended.get(&hash)
            {
                return Asked {
                    verdict: *verdict,
                    executed: subset[..=n].to_vec(),
                };
            }
        }
        let known = match subset {
            [] => Some(Verdict::Passing),
            _ => self.ran_through.get(&hash).copied(),
        };
        match known {
            Some(verdict) => Asked {
                verdict,
                executed: subset.to_vec(),
            },
            None if self.stopped() => Asked {
                verdict: Verdict::Untested,
                executed: subset.to_vec(),
            },
            None => self.run(subset, hash),
        }
    }

    /// See [`Runner::stopped`].
    pub(super) fn stopped(&self) -> bool {
        self.runner.stopped()
    }

    fn run(&mut self, subset: &[Position], hash: u128) -> Asked {
        let numbers: Vec<u32> = subset
            .iter()
            .map(|&p| self.circumstances[p as usize])
            .collect();
        let Ran { verdict, ended_in } = self.runner.run(&numbers);
        self.tally.count(verdict);
        let mut executed = subset.to_vec();
        match ended_in {
            Some(last) => {
                executed.truncate(numbers.partition_point(|&no| no <= last));
                self.ended.insert(hash_of(&executed), verdict);
                self.ended_behind[executed.len()] = true;
            }
            None => {
                self.ran_through.insert(hash, verdict);
            }
        }
        Asked { verdict, executed }
    }
}

/// Hash of a list of numbers, as [`extend`] makes it.
pub(super) fn hash_of(list: &[u32]) -> u128 {
    list.iter().fold(EMPTY, |hash, &n| extend(hash, n))
}

/// Hash of the empty list.
const EMPTY: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;

/// Hash of a list with one more element. 128 bits, well mixed: two lists of one search do not meet.
fn extend(hash: u128, p: Position) -> u128 {
    let mixed = (hash ^ u128::from(p)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    mixed ^ (mixed >> 59)
}
