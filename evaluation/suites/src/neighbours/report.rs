//! What came of the failing tests beside each neighbour, and the goals.

use std::fmt;
use std::time::Duration;

use jinsi_ground::report::{Figures, Goal, goal};
use jinsi_jdk::Jdk;
use jinsi_trace::model::Detail;
use serde::Serialize;

use crate::answer::Minimized;

/// Where the command line names the neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Order {
    /// Before our agent.
    Before,
    /// Behind it.
    After,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Before => "before",
            Order::After => "after",
        })
    }
}

/// The failing tests beside a neighbour, recorded in one way.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Case {
    /// Its name; `none` without one.
    pub(super) neighbour: &'static str,
    /// `None` of what is no agent.
    pub(super) order: Option<Order>,
    pub(super) detail: String,
    /// Failing tests whose classes end as without jinsi, …
    pub(super) same: usize,
    /// … for which a test is recommended, …
    pub(super) kept: usize,
    /// … and whose recommended test fails with the defect and passes with the repaired class.
    pub(super) flips: usize,
    /// The neighbour did what it is there for; `None` if that leaves no sign.
    pub(super) at_work: Option<bool>,
    /// JaCoCo covers the same classes and probes as without jinsi; `None` of others.
    pub(super) coverage_same: Option<bool>,
    /// All of it is as it has to be, and of each test what it is without a neighbour.
    pub(super) holds: bool,
    pub(super) seconds: f64,
    pub(super) tests: Vec<TestRow>,
}

/// One of the failing tests.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TestRow {
    /// Class and method.
    pub(super) test: String,
    /// All tests of its class end as without jinsi.
    pub(super) same: bool,
    /// `plain`, `mockito` or `replay`; `None` if no test is recommended.
    pub(super) kept: Option<String>,
    pub(super) flips: bool,
    /// The test ran a second time.
    pub(super) second_try: bool,
    /// Why no test flips.
    pub(super) why_not: Option<String>,
    /// Tests that ended otherwise with jinsi.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) different: Vec<String>,
}

impl TestRow {
    pub(super) fn of(test: &str, different: Vec<String>, minimized: &Minimized) -> Self {
        Self {
            test: test.to_owned(),
            same: different.is_empty(),
            kept: minimized.keep.as_ref().map(|keep| keep.form.clone()),
            flips: false,
            second_try: minimized.second_try,
            why_not: minimized.why_not.clone(),
            different,
        }
    }

    /// Is it no worse than without a neighbour?
    fn is_as(&self, alone: &TestRow) -> bool {
        self.same && (self.flips || !alone.flips) && (self.kept.is_some() || alone.kept.is_none())
    }
}

impl Case {
    pub(super) fn begun(neighbour: &'static str, order: Option<Order>, detail: Detail) -> Self {
        Self {
            neighbour,
            order,
            detail: detail.to_string(),
            same: 0,
            kept: 0,
            flips: 0,
            at_work: None,
            coverage_same: None,
            holds: false,
            seconds: 0.0,
            tests: Vec::new(),
        }
    }

    /// With its sums, as if without a neighbour.
    pub(super) fn finished(self, took: Duration) -> Self {
        let count = |wanted: fn(&TestRow) -> bool| self.tests.iter().filter(|t| wanted(t)).count();
        Self {
            same: count(|t| t.same),
            kept: count(|t| t.kept.is_some()),
            flips: count(|t| t.flips),
            holds: self.tests.iter().all(|t| t.same),
            seconds: took.as_secs_f64(),
            ..self
        }
    }

    /// Judged by the cases without a neighbour.
    pub(super) fn compared_with(mut self, alone: &[Case]) -> Self {
        let alone = alone.iter().filter(|case| case.detail == self.detail);
        let alone: Vec<&TestRow> = alone.flat_map(|case| &case.tests).collect();
        let as_alone = |row: &TestRow| alone.iter().any(|a| a.test == row.test && row.is_as(a));
        self.holds = self.at_work != Some(false)
            && self.coverage_same != Some(false)
            && self.tests.len() == alone.len()
            && self.tests.iter().all(as_alone);
        self
    }
}

/// All cases, those without a neighbour first.
#[derive(Clone, Debug, Serialize)]
pub(super) struct NeighbourFigures {
    java: String,
    cases: Vec<Case>,
}

impl NeighbourFigures {
    pub(super) fn of(jdk: &Jdk, cases: Vec<Case>) -> Self {
        Self {
            java: jdk.version().to_string(),
            cases,
        }
    }
}

impl Figures for NeighbourFigures {
    const LONG: &'static [&'static str] = &["cases.tests"];

    fn goals(&self) -> Vec<Goal> {
        let all = |wanted: fn(&Case) -> bool| self.cases.iter().all(wanted);
        vec![
            goal(
                "every test ends as without jinsi",
                all(|case| case.tests.iter().all(|test| test.same)),
            ),
            goal(
                "JaCoCo covers the same as without jinsi",
                all(|case| case.coverage_same != Some(false)),
            ),
            goal(
                "every neighbour does its work",
                all(|case| case.at_work != Some(false)),
            ),
            goal(
                "where a test is kept and flips without a neighbour, one does beside each",
                all(|case| case.holds),
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(neighbour: &'static str, flipping: [bool; 2]) -> Case {
        let mut case = Case::begun(neighbour, None, Detail::Boundary);
        for (test, flips) in ["a.T.x", "a.T.y"].into_iter().zip(flipping) {
            let mut row = TestRow::of(test, vec![], &Minimized::default());
            row.kept = flips.then(|| "plain".to_owned());
            row.flips = flips;
            case.tests.push(row);
        }
        case.finished(Duration::ZERO)
    }

    #[test]
    fn a_neighbour_may_not_cost_a_test() {
        let alone = [case("none", [true, false])];
        let holds = |case: Case| case.compared_with(&alone).holds;
        assert!(holds(case("n", [true, false])) && holds(case("n", [true, true])));
        assert!(!holds(case("n", [false, true])));
        let mut other = case("n", [true, true]);
        other.tests[1].same = false;
        assert!(!holds(other));
        let mut idle = case("n", [true, true]);
        idle.at_work = Some(false);
        assert!(!holds(idle));
        let mut uncovered = case("n", [true, true]);
        uncovered.coverage_same = Some(false);
        assert!(!holds(uncovered));
        let mut missing = case("n", [true, true]);
        missing.tests.pop();
        assert!(!holds(missing));
    }
}
