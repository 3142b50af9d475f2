//! Tests run ahead of the search, on further workers, while a test runs that the search waits for.
//!
//! A search is a function of the results that it is given. So what it will ask next is found by running it again from its beginning
//! with all results that are known and a supposed one for the test that runs; where it asks for something unknown, that test is begun.
//! The search itself never sees a supposed result. Its end, and the number of its tests, are the same for any number of workers.

use std::collections::{HashMap, VecDeque};

use super::super::ddmin::Verdict;
use super::super::memo::{Ran, Runner, hash_of};
use super::{Mode, Replayer, TestRun};

/// Looks into the future at most, for one test.
const LOOKS: usize = 8;
/// Looking ahead costs about as much as there are circumstances in all tests so far; beyond these it would take as long as a test.
const MOST_WORK: usize = 4_000_000;

/// A search, from its beginning to its end.
pub(super) type Searching<'s> = &'s dyn Fn(&mut dyn Runner);

/// Results of tests that were asked for, and of such that may be.
pub(super) struct Ahead<'s> {
    search: Searching<'s>,
    /// Results that the search was given, by the hash of the list.
    known: HashMap<u128, Ran>,
    /// Begun elsewhere and not yet ended.
    running: Vec<Vec<u32>>,
    /// Ended elsewhere and not yet asked for.
    ended: HashMap<Vec<u32>, TestRun>,
    /// Circumstances in all tests that were asked for.
    work: usize,
    /// The first failing test came.
    failed: bool,
    /// Tests that were begun elsewhere.
    begun: u64,
    /// Of these, those that were asked for.
    used: u64,
}

impl<'s> Ahead<'s> {
    /// Nothing is known of `search` yet.
    pub(super) fn new(search: Searching<'s>) -> Self {
        Self {
            search,
            known: HashMap::new(),
            running: Vec::new(),
            ended: HashMap::new(),
            work: 0,
            failed: false,
            begun: 0,
            used: 0,
        }
    }

    /// Tests that were run for nothing.
    pub(super) fn in_vain(&self) -> u64 {
        self.begun - self.used
    }

    /// The test of `subset`: its result may be there already.
    pub(super) fn test(&mut self, subset: &[u32], replayer: &mut dyn Replayer) -> TestRun {
        while let Some((list, run)) = replayer.ended(false) {
            self.take(list, run);
        }
        let run = match self.ended.remove(subset) {
            Some(run) => {
                self.used += 1;
                run
            }
            None => {
                self.begin_others(subset, replayer);
                match self.running.iter().any(|list| list == subset) {
                    true => self.wait(subset, replayer),
                    false => replayer.test(subset, Mode::Resynchronizing),
                }
            }
        };
        self.work += subset.len();
        self.failed |= run.verdict == Verdict::Failing;
        let ran = Ran {
            verdict: run.verdict,
            ended_in: run.ended_in,
        };
        self.known.insert(hash_of(subset), ran);
        run
    }

    fn take(&mut self, list: Vec<u32>, run: TestRun) {
        self.running.retain(|l| *l != list);
        self.ended.insert(list, run);
    }

    fn wait(&mut self, subset: &[u32], replayer: &mut dyn Replayer) -> TestRun {
        while let Some((list, run)) = replayer.ended(true) {
            if list == subset {
                self.running.retain(|l| l != subset);
                self.used += 1;
                return run;
            }
            self.take(list, run);
        }
        // Whoever ran it is gone.
        self.running.retain(|l| l != subset);
        replayer.test(subset, Mode::Resynchronizing)
    }

    /// Begins tests that will be asked for if `pending`, which nobody has a result of yet, passes or fails; and so on.
    fn begin_others(&mut self, pending: &[u32], replayer: &mut dyn Replayer) {
        let mut futures = VecDeque::new();
        self.suppose(&[], pending, &mut futures);
        for _ in 0..LOOKS {
            if self.work > MOST_WORK || !replayer.idle() {
                return;
            }
            let Some(supposed) = futures.pop_front() else {
                return;
            };
            let Some(next) = self.next(&supposed) else {
                continue;
            };
            self.suppose(&supposed, &next, &mut futures);
            let is_there = self.ended.contains_key(&next) || self.running.contains(&next);
            if !is_there && replayer.begin(&next) {
                self.begun += 1;
                self.running.push(next);
            }
        }
    }

    /// Appends both ends of `test`, the likelier first. Most tests do not fail, but the first ones mostly do.
    fn suppose(
        &self,
        supposed: &[(u128, Verdict)],
        test: &[u32],
        futures: &mut VecDeque<Vec<(u128, Verdict)>>,
    ) {
        let both = match self.failed {
            true => [Verdict::Passing, Verdict::Failing],
            false => [Verdict::Failing, Verdict::Passing],
        };
        for verdict in both {
            let mut future = supposed.to_vec();
            future.push((hash_of(test), verdict));
            futures.push_back(future);
        }
    }

    /// What the search asks first that is neither known nor supposed.
    fn next(&self, supposed: &[(u128, Verdict)]) -> Option<Vec<u32>> {
        let mut future = Future {
            known: &self.known,
            supposed,
            next: None,
        };
        (self.search)(&mut future);
        future.next
    }
}

/// Gives the results that are known and those that are supposed, and stops the search at the first other one.
struct Future<'f> {
    known: &'f HashMap<u128, Ran>,
    supposed: &'f [(u128, Verdict)],
    next: Option<Vec<u32>>,
}

impl Runner for Future<'_> {
    fn run(&mut self, subset: &[u32]) -> Ran {
        let hash = hash_of(subset);
        let supposed = || {
            let (_, verdict) = self.supposed.iter().find(|(h, _)| *h == hash)?;
            Some(Ran {
                verdict: *verdict,
                ended_in: None,
            })
        };
        if let Some(ran) = self.known.get(&hash).cloned().or_else(supposed) {
            return ran;
        }
        self.next.get_or_insert_with(|| subset.to_vec());
        Ran {
            verdict: Verdict::Passing,
            ended_in: None,
        }
    }

    fn stopped(&self) -> bool {
        self.next.is_some()
    }
}

#[cfg(test)]
mod tests;
