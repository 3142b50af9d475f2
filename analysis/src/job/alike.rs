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
    /// The result for `test`, whose failure has the first of `alike` in common with that of an earlier test; `None` if it has to be looked into
    /// itself.
    pub(super) fn earlier(&mut self, alike: &[String], test: &str) -> Option<TestReport> {
        let first = self.first.get(alike.first()?)?;
        is_enough(&mut self.in_vain, first, test).then(|| like(first, test))
    }

    /// Is what came of `first` enough for `test`, which failed in the same way? Where it gave no test to keep, one other test may give one.
    pub(super) fn is_enough(&mut self, first: &TestReport, test: &str) -> bool {
        is_enough(&mut self.in_vain, first, test)
    }

    /// Puts by what came of a test. Where an earlier one gave no test to keep, this one takes its place if it gave one.
    pub(super) fn insert(&mut self, alike: Vec<String>, result: &TestReport) {
        for alike in alike {
            let first = self.first.entry(alike).or_insert_with(|| result.clone());
            if first.keep.is_none() && result.keep.is_some() {
                first.clone_from(result);
            }
        }
    }
}

fn is_enough(in_vain: &mut HashSet<String>, first: &TestReport, test: &str) -> bool {
    let is_same_method = FailedTest::method_of(&first.test) == FailedTest::method_of(test);
    first.keep.is_some() || is_same_method || !in_vain.insert(first.test.clone())
}

/// What came of a test that failed as `first` did.
pub(super) fn like(first: &TestReport, test: &str) -> TestReport {
    TestReport {
        test: test.to_owned(),
        same_as: Some(first.test.clone()),
        ..first.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(test: &str, keep: Option<&str>) -> TestReport {
        TestReport {
            test: test.to_owned(),
            keep: keep.map(str::to_owned),
            ..TestReport::default()
        }
    }

    /// Those of the tests, which all fail alike and each give this test to keep, that are looked into themselves.
    fn looked_into<'t>(tests: &[(&'t str, Option<&str>)]) -> Vec<&'t str> {
        let mut alike = Alike::default();
        let crash = || vec!["crash".to_owned()];
        let mut own = Vec::new();
        for &(test, keep) in tests {
            if alike.earlier(&crash(), test).is_none() {
                alike.insert(crash(), &result(test, keep));
                own.push(test);
            }
        }
        own
    }

    #[test]
    fn a_test_to_keep_is_enough_for_all_that_fail_alike() {
        let tests = [("a.T.x", Some("T1")), ("a.T.y", None), ("a.U.z", None)];
        assert_eq!(looked_into(&tests), ["a.T.x"]);
        let later = [("a.T.x", None), ("a.T.y", Some("T2")), ("a.U.z", None)];
        assert_eq!(looked_into(&later), ["a.T.x", "a.T.y"]);
    }

    #[test]
    fn without_a_test_to_keep_one_other_test_is_looked_into() {
        let in_vain = [("a.T.x", None), ("a.T.y", None), ("a.T.z", None)];
        assert_eq!(looked_into(&in_vain), ["a.T.x", "a.T.y"]);
        let runs = [("a.T.x[1]", None), ("a.T.x[2]", None)];
        assert_eq!(looked_into(&runs), ["a.T.x[1]"]);
    }
}
