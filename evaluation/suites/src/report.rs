//! What came of all defects: figures, goals, and the causes of what is left.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_ground::figures::{median, rate};
use jinsi_ground::report::{Findings, Goal, all_hold, goal};
use serde::Serialize;

use crate::causes;
use crate::operators::Operator;

/// Goals, and when there is enough to measure them by.
const FLIPPING: f64 = 0.85;
const FLIPPING_OF_RECOMMENDED: f64 = 0.95;
const SECONDS: f64 = 10.0;
const RUNS: usize = 300;
const LIBRARIES: usize = 25;
const PUBLISHERS: usize = 8;

/// A defect that lets a test fail, and what became of that.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct DefectRun {
    pub(crate) library: String,
    pub(crate) place: String,
    pub(crate) operator: Operator,
    /// Class and method of the failed test.
    pub(crate) test: String,
    /// `junit3`, `junit4`, `junit5`, `testng`, or another engine.
    pub(crate) framework: String,
    /// Every test of the class ended as without jinsi.
    pub(crate) outcome_same: bool,
    /// The recommended test.
    pub(crate) keep: Option<KeepRow>,
    /// It fails with the defect.
    pub(crate) fails: bool,
    /// It fails with the defect, and passes with the original class.
    pub(crate) flips: bool,
    /// From the failure to the test; without one, to the end of `jinsi minimize`.
    pub(crate) seconds: f64,
    /// The failed test was run a second time by jinsi.
    pub(crate) second_try: bool,
    /// Why there is no recommended test that flips.
    pub(crate) why_not: Option<String>,
    /// Tests that ended otherwise with jinsi.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) different: Vec<String>,
}

/// The recommended test.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct KeepRow {
    /// `plain`, `mockito` or `replay`.
    pub(crate) form: String,
    /// Interactions that it has.
    pub(crate) calls: u64,
    pub(crate) lines: u64,
    /// It calls the failed test's class alone, and nothing of the library.
    pub(crate) only_the_test: bool,
}

/// What became of a library.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct LibraryRow {
    pub(crate) library: String,
    pub(crate) publisher: String,
    /// Test classes that have green tests.
    pub(crate) classes: usize,
    /// Green tests.
    pub(crate) green: usize,
    /// Places that these run.
    pub(crate) places: usize,
    pub(crate) defects: Defects,
    /// Why it could not be used.
    pub(crate) why_not: Option<String>,
}

/// What became of the defects of a library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Defects {
    /// Those that were made.
    pub(crate) drawn: usize,
    /// A test failed by them: there is a run of each.
    pub(crate) failing: usize,
    /// No test failed.
    pub(crate) unnoticed: usize,
    /// No test failed, but one did not end.
    pub(crate) endless: usize,
    /// The failed test does not always end alike, without jinsi.
    pub(crate) unstable: usize,
    /// The class does not verify: a fault of an operator.
    pub(crate) unverified: usize,
}

/// The whole document.
#[derive(Debug, Serialize)]
pub(crate) struct SuitesReport {
    pub(crate) seed: u64,
    pub(crate) mutants: usize,
    pub(crate) detail: String,
    pub(crate) java: String,
    pub(crate) runs: Vec<DefectRun>,
    pub(crate) libraries: Vec<LibraryRow>,
    pub(crate) totals: Totals,
    pub(crate) holds: bool,
}

/// Figures over all runs.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(crate) struct Totals {
    pub(crate) runs: usize,
    /// Libraries that have a run, and who publishes them.
    pub(crate) libraries: usize,
    pub(crate) publishers: usize,
    pub(crate) defects: Defects,
    pub(crate) outcome_same: usize,
    /// Runs with a recommended test.
    pub(crate) recommended: usize,
    pub(crate) fails: usize,
    pub(crate) flips: usize,
    /// Of those that flip, those that call more than the failed test.
    pub(crate) flips_below_the_test: usize,
    pub(crate) only_the_test: usize,
    pub(crate) second_tries: usize,
    /// Of all runs, those whose recommended test flips and calls more than the failed test.
    pub(crate) flipping_rate: f64,
    /// Of the recommended tests, those that flip.
    pub(crate) flipping_of_recommended: f64,
    pub(crate) median_seconds: f64,
    pub(crate) forms: BTreeMap<String, usize>,
    pub(crate) by_framework: BTreeMap<String, Share>,
    /// Causes of runs without a test that flips, the most frequent first.
    pub(crate) causes: Vec<Cause>,
    /// The goals that the list is long enough for.
    pub(crate) goals: Vec<Goal>,
    /// The goals that it is too short for.
    pub(crate) not_measured: Vec<String>,
}

/// Some of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Share {
    pub(crate) runs: usize,
    pub(crate) flips: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Cause {
    pub(crate) cause: String,
    pub(crate) runs: usize,
}

impl DefectRun {
    /// The recommended test flips, and calls more than the test that failed.
    fn is_good(&self) -> bool {
        self.flips && self.keep.as_ref().is_some_and(|keep| !keep.only_the_test)
    }
}

impl SuitesReport {
    /// Adds up.
    pub(crate) fn of(
        (seed, mutants, detail, java): (u64, usize, &str, &str),
        libraries: Vec<LibraryRow>,
        runs: Vec<DefectRun>,
    ) -> SuitesReport {
        let totals = Totals::of(&libraries, &runs);
        let holds = totals.not_measured.is_empty() && all_hold(&totals.goals);
        SuitesReport {
            seed,
            mutants,
            detail: detail.to_owned(),
            java: java.to_owned(),
            runs,
            libraries,
            totals,
            holds,
        }
    }
}

impl Findings for SuitesReport {
    const LONG: &'static [&'static str] = &["runs"];

    fn holds(&self) -> bool {
        self.holds
    }
}

impl Totals {
    fn of(libraries: &[LibraryRow], runs: &[DefectRun]) -> Totals {
        let count =
            |wanted: &dyn Fn(&DefectRun) -> bool| runs.iter().filter(|run| wanted(run)).count();
        let used: BTreeSet<&str> = runs.iter().map(|run| run.library.as_str()).collect();
        let publishers: BTreeSet<&str> = libraries
            .iter()
            .filter(|row| used.contains(row.library.as_str()))
            .map(|row| row.publisher.as_str())
            .collect();
        let mut totals = Totals {
            runs: runs.len(),
            libraries: used.len(),
            publishers: publishers.len(),
            outcome_same: count(&|run| run.outcome_same),
            recommended: count(&|run| run.keep.is_some()),
            fails: count(&|run| run.fails),
            flips: count(&|run| run.flips),
            flips_below_the_test: count(&DefectRun::is_good),
            only_the_test: count(&|run| run.keep.as_ref().is_some_and(|k| k.only_the_test)),
            second_tries: count(&|run| run.second_try),
            median_seconds: median(runs.iter().map(|run| run.seconds).collect()),
            causes: causes_of(runs),
            ..Totals::default()
        };
        totals.flipping_rate = rate(totals.flips_below_the_test, totals.runs);
        totals.flipping_of_recommended = rate(totals.flips, totals.recommended);
        for row in libraries {
            totals.defects.add(&row.defects);
        }
        for run in runs {
            let share = totals
                .by_framework
                .entry(run.framework.clone())
                .or_default();
            share.runs += 1;
            share.flips += usize::from(run.is_good());
            if let Some(keep) = &run.keep {
                *totals.forms.entry(keep.form.clone()).or_default() += 1;
            }
        }
        totals.set_goals();
        totals
    }

    fn set_goals(&mut self) {
        let enough = |what: &str, there: usize, wanted: usize| {
            (there < wanted)
                .then(|| format!("at least {wanted} {what} are needed, there are {there}"))
        };
        self.not_measured = [
            enough("runs", self.runs, RUNS),
            enough("libraries with runs", self.libraries, LIBRARIES),
            enough("publishers", self.publishers, PUBLISHERS),
        ]
        .into_iter()
        .flatten()
        .collect();
        if self.runs == 0 {
            return;
        }
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        self.goals = vec![
            goal(
                "every test ends as without jinsi",
                self.outcome_same == self.runs,
            ),
            goal(
                format!(
                    "in {} of the runs the recommended test flips, and calls more than the failed test",
                    percent(FLIPPING)
                ),
                self.flipping_rate >= FLIPPING,
            ),
            goal(
                "every recommended test that flips calls more than the failed test",
                self.flips == self.flips_below_the_test,
            ),
            goal(
                format!(
                    "{} of the recommended tests flip",
                    percent(FLIPPING_OF_RECOMMENDED)
                ),
                self.flipping_of_recommended >= FLIPPING_OF_RECOMMENDED,
            ),
            goal(
                format!("{SECONDS} s from failure to test, in the median"),
                self.median_seconds <= SECONDS,
            ),
        ];
    }
}

impl Defects {
    fn add(&mut self, other: &Defects) {
        self.drawn += other.drawn;
        self.failing += other.failing;
        self.unnoticed += other.unnoticed;
        self.endless += other.endless;
        self.unstable += other.unstable;
        self.unverified += other.unverified;
    }
}

/// Causes of the runs without a test that flips and calls more than the failed test.
fn causes_of(runs: &[DefectRun]) -> Vec<Cause> {
    let mut counted = BTreeMap::<String, usize>::new();
    for run in runs.iter().filter(|run| !run.is_good()) {
        let cause = match &run.why_not {
            Some(why) => causes::of(why),
            None => "the recommended test only calls the failed test".into(),
        };
        *counted.entry(cause).or_default() += 1;
    }
    let mut all: Vec<Cause> = counted
        .into_iter()
        .map(|(cause, runs)| Cause { cause, runs })
        .collect();
    all.sort_by(|a, b| b.runs.cmp(&a.runs).then_with(|| a.cause.cmp(&b.cause)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(library: usize, flips: bool, only_the_test: bool) -> DefectRun {
        DefectRun {
            library: format!("g:l{library}:1"),
            place: "p".into(),
            operator: Operator::BoundMoved,
            test: "a.T.m".into(),
            framework: "junit4".into(),
            outcome_same: true,
            keep: Some(KeepRow {
                form: "plain".into(),
                calls: 1,
                lines: 2,
                only_the_test,
            }),
            fails: true,
            flips,
            seconds: 2.0,
            second_try: false,
            why_not: (!flips).then(|| "fails with the original class, too: a.Oops".into()),
            different: Vec::new(),
        }
    }

    fn report(libraries: usize, publishers: usize, runs: Vec<DefectRun>) -> SuitesReport {
        let rows = (0..libraries).map(|n| LibraryRow {
            library: format!("g:l{n}:1"),
            publisher: format!("p{}", n % publishers),
            ..LibraryRow::default()
        });
        SuitesReport::of((1, 2, "boundary", "17"), rows.collect(), runs)
    }

    fn all(good: usize, others: Vec<DefectRun>) -> Vec<DefectRun> {
        let runs = (0..good).map(|n| run(n % 25, true, false));
        runs.chain(others).collect()
    }

    #[test]
    fn all_goals_together_hold() {
        assert!(report(25, 8, all(300, Vec::new())).holds);
        let twelve = vec![run(0, false, false); 12];
        assert!(report(25, 8, all(300, twelve)).holds);
    }

    #[test]
    fn each_goal_can_be_missed() {
        let mut other = run(0, true, false);
        other.outcome_same = false;
        let mut none = run(0, false, false);
        none.keep = None;
        for (runs, missed) in [
            (all(300, vec![other]), "as without jinsi"),
            (all(300, vec![none; 100]), "in 85 %"),
            (all(300, vec![run(0, true, true)]), "calls more"),
            (all(300, vec![run(0, false, false); 30]), "95 %"),
        ] {
            let report = report(25, 8, runs);
            assert!(!report.holds);
            let violated: Vec<&str> = report
                .totals
                .goals
                .iter()
                .filter(|g| !g.holds)
                .map(|g| &*g.what)
                .collect();
            assert_eq!(violated.len(), 1, "{violated:?}");
            assert!(violated[0].contains(missed), "{violated:?}");
        }
        let slow = all(300, Vec::new()).into_iter().map(|mut run| {
            run.seconds = 11.0;
            run
        });
        assert!(!report(25, 8, slow.collect()).holds);
    }

    #[test]
    fn a_short_list_claims_nothing() {
        let few = report(25, 8, all(299, Vec::new()));
        assert!(!few.holds);
        assert_eq!(few.totals.not_measured.len(), 1);
        assert!(few.totals.goals.iter().all(|goal| goal.holds));
        let alike = report(25, 7, all(300, Vec::new()));
        assert!(!alike.holds && alike.text().contains("8 publishers"));
        assert!(!report(1, 1, Vec::new()).holds);
    }

    #[test]
    fn the_keys_are_those_of_the_contract() {
        let value = serde_json::to_value(report(1, 1, vec![run(0, true, false)])).unwrap();
        let keys = |value: &serde_json::Value| -> Vec<String> {
            value.as_object().unwrap().keys().cloned().collect()
        };
        for key in ["runs", "totals", "holds"] {
            assert!(keys(&value).contains(&key.to_owned()), "{key}");
        }
        let wanted = [
            "fails",
            "flips",
            "framework",
            "keep",
            "library",
            "operator",
            "outcome_same",
            "place",
            "second_try",
            "seconds",
            "test",
            "why_not",
        ];
        let mut found = keys(&value["runs"][0]);
        found.sort_unstable();
        assert_eq!(found, wanted);
        let mut keep = keys(&value["runs"][0]["keep"]);
        keep.sort_unstable();
        assert_eq!(keep, ["calls", "form", "lines", "only_the_test"]);
        assert_eq!(value["runs"][0]["operator"], "bound-moved");
    }

    #[test]
    fn causes_are_counted_the_most_frequent_first() {
        let mut replay = run(0, false, false);
        replay.why_not = Some("divergence at event 7".into());
        let mut runs = vec![replay.clone(), replay, run(1, true, false)];
        runs[1].why_not = Some("divergence at event 8".into());
        runs.push(run(2, true, true));
        let causes = report(3, 1, runs).totals.causes;
        let counts: Vec<(&str, usize)> =
            causes.iter().map(|c| (c.cause.as_str(), c.runs)).collect();
        assert_eq!(
            counts,
            [
                ("divergence at event N", 2),
                ("the recommended test only calls the failed test", 1)
            ]
        );
    }
}
