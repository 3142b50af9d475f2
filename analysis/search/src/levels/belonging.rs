//! What belongs to a failure stays, even if that shows without it: else the test may expect what no right program gives.

use super::super::ddmin::Verdict;
use super::super::structure::Structure;
use super::waits::removals_of;
use super::{LevelResult, Mode, Progress, Search};

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
        let list = structure.closure(&[result.kept.as_slice(), &missing].concat());
        if self.replayer.load(&result.level).is_err() {
            return;
        }
        let run = self.replayer.test(&list, Mode::Resynchronizing);
        progress.tested(list.len(), &run.verdict);
        result.tally.count(run.verdict);
        if run.verdict == Verdict::Failing {
            result.removals = removals_of(&list, &result.removals);
            result.kept = list;
            result.resynchronized = run.resynchronized;
            result.used_answers = run.used_answers;
        }
    }
}
