//! What belongs to a failure stays, even if that shows without it: else the test may expect what no right program gives.

use super::super::ddmin::Verdict;
use super::super::structure::Structure;
use super::waits::removals_of;
use super::{LevelResult, Mode, Progress, Search, TestRun};

/// So many interactions are put back at most: of more, a test would be no smaller than the run.
const MOST: usize = 40;

impl Search<'_> {
    /// Puts back what belongs to the failure, with what it needs, if that fails as well.
    pub(super) fn put_back(&mut self, result: &mut LevelResult, progress: &mut dyn Progress) {
        let Some(criterion) = result.criterion else {
            return;
        };
        if result.kept.last() != Some(&criterion) || self.stop.reason().is_some() {
            return;
        }
        let belonging = self
            .recording
            .belonging(&result.level, criterion, &result.kept);
        let is_missing = |no: &u32| result.kept.binary_search(no).is_err();
        let missing: Vec<u32> = belonging.into_iter().filter(is_missing).collect();
        if missing.is_empty() || missing.len() > MOST {
            return;
        }
        let all: Vec<u32> = (0..=criterion).collect();
        let structure = Structure::of(&result.level, &all, criterion, &[]);
        let to_stay = [result.kept.as_slice(), &missing].concat();
        let list = structure.closure(&to_stay);
        if self.replayer.load(&result.level).is_err() {
            return;
        }
        let mut found = self.still_fails(&list, result, progress);
        if found.is_none() && all.len() - to_stay.len() <= MOST {
            // The structure does not know what an array or a list holds.
            found = self
                .still_fails(&all, result, progress)
                .map(|whole| self.fewest_with(&to_stay, whole, result, progress));
        }
        if let Some((list, run)) = found {
            result.removals = removals_of(&list, &result.removals);
            result.kept = list;
            result.resynchronized = run.resynchronized;
            result.used_answers = run.used_answers;
        }
    }

    /// The list and its run, if that fails as the level does.
    fn still_fails(
        &mut self,
        list: &[u32],
        result: &mut LevelResult,
        progress: &mut dyn Progress,
    ) -> Option<(Vec<u32>, TestRun)> {
        let run = self.replayer.test(list, Mode::Resynchronizing);
        progress.tested(list.len(), &run.verdict);
        result.tally.count(run.verdict);
        (run.verdict == Verdict::Failing).then(|| (list.to_vec(), run))
    }

    /// Leaves out of a list that fails what it fails without, one after the other from the end; `to_stay` stay.
    fn fewest_with(
        &mut self,
        to_stay: &[u32],
        mut found: (Vec<u32>, TestRun),
        result: &mut LevelResult,
        progress: &mut dyn Progress,
    ) -> (Vec<u32>, TestRun) {
        let others = found.0.clone().into_iter().rev();
        for no in others.filter(|no| !to_stay.contains(no)) {
            let without: Vec<u32> = found.0.iter().copied().filter(|n| *n != no).collect();
            if let Some(shorter) = self.still_fails(&without, result, progress) {
                found = shorter;
            }
        }
        found
    }
}
