//! Failed tests for which the result of an earlier one is enough.

use std::collections::{HashMap, HashSet};

use crate::pipeline::FailedTest;
use crate::report::suite::TestReport;

/// What came of failed tests so far, by what others may have in common with them.
///
/// One defect lets many tests of a suite fail, and a test that is run for a thousand values fails a thousand times. One test to keep is enough
/// for all of them.
#[derive(Default)]
pub(super) struct Alike {
    first: HashMap<String, TestReport>,
    /// Tests without a test to keep, of whose failure another test was tried, too.
    in_vain: HashSet<String>,
}

impl Alike {
    /// The result for `test`, whose failure has `alike` in common with that of an earlier test; `None` if it has to be looked into itself.
    pub(super) fn earlier(&mut self, alike: &str, test: &FailedTest) -> Option<TestReport> {
        let first = self.first.get(alike)?;
        is_enough(&mut self.in_vain, first, test).then(|| like(first, test))
    }

    /// Is what came of `first` enough for `test`, which failed in the same way? Where it gave no test to keep, one other test may give one.
    pub(super) fn is_enough(&mut self, first: &TestReport, test: &FailedTest) -> bool {
        is_enough(&mut self.in_vain, first, test)
    }

    /// Puts by what came of a test. Where an earlier one gave no test to keep, this one takes its place if it gave one.
    pub(super) fn insert(&mut self, alike: String, result: &TestReport) {
        let has_kept = |known: &TestReport| known.keep.is_some();
        if !self.first.get(&alike).is_some_and(has_kept) {
            self.first.insert(alike, result.clone());
        }
    }
}

fn is_enough(in_vain: &mut HashSet<String>, first: &TestReport, test: &FailedTest) -> bool {
    let is_same_method = FailedTest::method_of(&first.test) == test.method();
    first.keep.is_some() || is_same_method || !in_vain.insert(first.test.clone())
}

/// What came of a test that failed as `first` did.
pub(super) fn like(first: &TestReport, test: &FailedTest) -> TestReport {
    TestReport {
        test: test.name.clone(),
        same_as: Some(first.test.clone()),
        ..first.clone()
    }
}
