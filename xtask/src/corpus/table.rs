//! The tables 9.3 and 9.4 of the thesis, for the corpus.

use jinsi_analysis::report::json::{LevelReport, Report as BugReport, TestOutcome};
use serde::Serialize;

use super::manifest::{Bug, Thesis};
use super::summary::Summary;

/// The whole document.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) jdk: String,
    pub(super) summary: Summary,
    pub(super) bugs: Vec<Row>,
}

/// A bug.
#[derive(Serialize)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) library: String,
    /// Why there is no result.
    pub(super) error: Option<String>,
    /// The recorded failure is the one that the manifest names.
    pub(super) expected_failure: bool,
    /// Events in the trace.
    pub(super) events: u64,
    /// Interactions of all levels together.
    pub(super) interactions: u64,
    /// Interactions of the level that has most.
    pub(super) interactions_most: u64,
    /// Of the interactions of all levels, those in an event slice.
    pub(super) after_event_slice: u64,
    /// Of these, those left; the most that are left at a level.
    pub(super) minimized: u64,
    pub(super) minimized_most: u64,
    pub(super) tests: u64,
    pub(super) failing: u64,
    pub(super) passing: u64,
    pub(super) unresolved: u64,
    /// Tests of attempts with other observed sets.
    pub(super) tests_of_other_attempts: u64,
    /// The recorded run.
    pub(super) seconds_capture: f64,
    /// Everything after it, the written tests included, but not plain delta debugging.
    pub(super) seconds_minimize: f64,
    /// Levels whose written test reproduces the failure, on its own.
    pub(super) reproducing: usize,
    /// Lines that the recorded run executes, and the minimized one: of all levels together for which both are known; `null`: of none.
    pub(super) lines_executed: Option<u64>,
    pub(super) lines_executed_minimized: Option<u64>,
    /// What plain delta debugging needs where this search needs `tests` in `seconds_search`; `null`: not asked for.
    pub(super) ddmin_tests: Option<u64>,
    pub(super) ddmin_seconds: Option<f64>,
    /// It was stopped at some level, so that it needs more than that.
    pub(super) ddmin_stopped: bool,
    /// Wall time of the tests alone.
    pub(super) seconds_search: f64,
    /// What the thesis has for this bug.
    pub(super) thesis: Option<Thesis>,
    pub(super) levels: Vec<LevelRow>,
}

/// A level of a bug.
#[derive(Serialize)]
pub(super) struct LevelRow {
    pub(super) level: u32,
    pub(super) joins: String,
    pub(super) interactions: u64,
    pub(super) after_event_slice: u64,
    pub(super) minimized: u64,
    pub(super) tests: u64,
    pub(super) failing: u64,
    pub(super) passing: u64,
    pub(super) unresolved: u64,
    pub(super) seconds: f64,
    pub(super) lines_recorded: Option<u64>,
    pub(super) lines_executed: Option<u64>,
    pub(super) ddmin_tests: Option<u64>,
    pub(super) ddmin_seconds: Option<f64>,
    pub(super) widened: bool,
    pub(super) resynchronized: bool,
    /// `plain`, `mockito` or `replay`; `null` without a test.
    pub(super) form: Option<String>,
    /// `reproduces`, or why it does not.
    pub(super) outcome: String,
    /// Removing each remaining interaction once more made the failure go away; `null`: not checked.
    pub(super) minimal: Option<bool>,
    /// What Maven Surefire came to, `fails rightly` or another end; `null`: not checked, or no test.
    pub(super) surefire: Option<String>,
}

impl Row {
    /// A bug that could not be worked on.
    pub(super) fn failed(bug: &Bug, error: String) -> Self {
        let mut row = Self::new(bug, &BugReport::default(), &[]);
        row.error = Some(error);
        row
    }

    /// `minimal`: for each level whether it is, where that was checked.
    pub(super) fn new(bug: &Bug, report: &BugReport, minimal: &[Option<bool>]) -> Self {
        let levels: Vec<LevelRow> = report
            .levels
            .iter()
            .enumerate()
            .map(|(i, level)| LevelRow::new(level, minimal.get(i).copied().flatten()))
            .collect();
        let sum = |of: fn(&LevelReport) -> u64| report.levels.iter().map(of).sum();
        let known = |of: &dyn Fn(&LevelReport) -> Option<u64>| {
            report.levels.iter().filter_map(of).reduce(|a, b| a + b)
        };
        let ddmin = report
            .levels
            .iter()
            .filter_map(|l| l.seconds_of_ddmin)
            .reduce(|a, b| a + b);
        let most = |of: fn(&LevelReport) -> u64| report.levels.iter().map(of).max().unwrap_or(0);
        let capture = report
            .parts
            .first()
            .map_or(report.capture.seconds, |part| part.seconds);
        Self {
            id: bug.id.clone(),
            library: bug.library.clone(),
            error: None,
            expected_failure: bug.failure.fits(&report.failure),
            events: report.capture.events,
            interactions: sum(|l| l.interactions),
            interactions_most: most(|l| l.interactions),
            after_event_slice: sum(|l| l.after_event_slice),
            minimized: sum(|l| l.minimized),
            minimized_most: most(|l| l.minimized),
            tests: sum(|l| l.tests),
            failing: sum(|l| l.failing),
            passing: sum(|l| l.passing),
            unresolved: sum(|l| l.unresolved),
            tests_of_other_attempts: sum(|l| l.tests_of_other_attempt),
            seconds_capture: capture,
            seconds_minimize: (report.seconds - capture - ddmin.unwrap_or(0.0)).max(0.0),
            reproducing: levels.iter().filter(|l| l.reproduces()).count(),
            lines_executed: known(&|l| l.lines_executed.and(l.lines_recorded)),
            lines_executed_minimized: known(&|l| l.lines_recorded.and(l.lines_executed)),
            ddmin_tests: known(&|l| l.tests_of_ddmin),
            ddmin_seconds: ddmin,
            ddmin_stopped: report.levels.iter().any(|l| l.ddmin_stopped),
            seconds_search: report.levels.iter().map(|l| l.search_seconds).sum(),
            thesis: bug.thesis.clone(),
            levels,
        }
    }

    /// What Surefire came to, for each level.
    pub(super) fn set_surefire(&mut self, verdicts: Vec<Option<String>>) {
        for (level, verdict) in self.levels.iter_mut().zip(verdicts) {
            level.surefire = verdict;
        }
    }

    /// More interactions are left at a level that the thesis has minimized, too, than it leaves at any.
    pub(super) fn is_over_the_thesis(&self) -> bool {
        let over = |thesis: &Thesis| {
            let mut both = self.levels.iter().filter(|l| l.level <= thesis.examined);
            both.any(|l| l.minimized > thesis.relevant)
        };
        self.thesis.as_ref().is_some_and(over)
    }

    /// Tests were needed that plain delta debugging does not need.
    pub(super) fn needs_more_than_ddmin(&self) -> bool {
        self.ddmin_tests.is_some_and(|tests| self.tests > tests)
    }

    pub(super) fn seconds(&self) -> f64 {
        self.seconds_capture + self.seconds_minimize
    }

    /// Did all that has to work with a bug work?
    fn holds(&self) -> bool {
        self.error.is_none()
            && self.expected_failure
            && self.reproducing > 0
            && !self.needs_more_than_ddmin()
            && !self.is_over_the_thesis()
            && self
                .levels
                .iter()
                .all(|l| l.minimal != Some(false) && !l.fails_wrongly())
    }

    /// For people: a line, and one more for each level without a test that reproduces.
    pub(super) fn text(&self) -> String {
        let shown = |number: Option<u64>| number.map_or_else(|| "-".into(), |n| n.to_string());
        let more = if self.ddmin_stopped { "+" } else { "" };
        let mut text = format!(
            "{:<20} {:>3}/{:<3} {:>9} {:>9} {:>5} {:>5} {:>6} {:>5} {:>5} {:>5} {:>7}{:1} {:>6} {:>6} {:>7.1} {:>7.1}\n",
            self.id,
            self.reproducing,
            self.levels.len(),
            self.interactions_most,
            self.after_event_slice,
            self.minimized,
            self.minimized_most,
            self.tests,
            self.failing,
            self.passing,
            self.unresolved,
            shown(self.ddmin_tests),
            more,
            shown(self.lines_executed),
            shown(self.lines_executed_minimized),
            self.seconds_capture,
            self.seconds_minimize
        );
        if let Some(error) = &self.error {
            text += &format!("    ERROR: {error}\n");
        } else if !self.expected_failure {
            text += "    ANOTHER FAILURE than the manifest names was recorded\n";
        }
        for (wrong, what) in [
            (self.needs_more_than_ddmin(), "MORE TESTS THAN PLAIN DDMIN"),
            (self.is_over_the_thesis(), "MORE LEFT THAN IN THE THESIS"),
        ] {
            if wrong {
                text += &format!("    {what}\n");
            }
        }
        for level in &self.levels {
            if !level.reproduces() {
                text += &format!("    {} {}: {}\n", level.level, level.joins, level.outcome);
            }
            if let Some(surefire) = level.surefire.as_ref().filter(|_| level.fails_wrongly()) {
                text += &format!(
                    "    {} {}: Surefire: {surefire}\n",
                    level.level, level.joins
                );
            }
            if level.minimal == Some(false) {
                text += &format!("    {} {}: NOT 1-MINIMAL\n", level.level, level.joins);
            }
        }
        text
    }
}

impl LevelRow {
    fn new(level: &LevelReport, minimal: Option<bool>) -> Self {
        Self {
            level: level.level,
            joins: level.name.clone(),
            interactions: level.interactions,
            after_event_slice: level.after_event_slice,
            minimized: level.minimized,
            tests: level.tests,
            failing: level.failing,
            passing: level.passing,
            unresolved: level.unresolved,
            seconds: level.seconds,
            lines_recorded: level.lines_recorded,
            lines_executed: level.lines_executed,
            ddmin_tests: level.tests_of_ddmin,
            ddmin_seconds: level.seconds_of_ddmin,
            widened: level.widened,
            resynchronized: level.resynchronized,
            form: level.test_form.clone(),
            outcome: outcome(level),
            minimal,
            surefire: None,
        }
    }

    /// Surefire has run it, and it did not fail as recorded.
    pub(super) fn fails_wrongly(&self) -> bool {
        self.surefire
            .as_deref()
            .is_some_and(|s| s != "fails rightly")
    }

    pub(super) fn reproduces(&self) -> bool {
        self.outcome == "reproduces"
    }
}

fn outcome(level: &LevelReport) -> String {
    if level.strict_replay != "reproduced" {
        return format!("not replayable: {}", level.strict_replay);
    }
    let last = level.notes.last().map_or("", String::as_str);
    match level.test_outcome {
        Some(TestOutcome::Reproduces) => "reproduces".into(),
        Some(TestOutcome::FailsOtherwise) => format!("the test fails otherwise: {last}"),
        Some(TestOutcome::Passes) => format!("the test passes: {last}"),
        Some(TestOutcome::DoesNotCompile) => format!("the test does not compile: {last}"),
        Some(TestOutcome::NotRun) => format!("the test was not run: {last}"),
        None => format!("no test was written: {last}"),
    }
}

impl Report {
    pub(super) fn new(jdk: String, bugs: Vec<Row>) -> Self {
        Self {
            jdk,
            summary: Summary::of(&bugs),
            bugs,
        }
    }

    /// Has every bug a level whose test reproduces, and was each what it should be?
    pub(super) fn holds(&self) -> bool {
        !self.bugs.is_empty() && self.bugs.iter().all(Row::holds)
    }

    /// The head of the lines of [`Row::text`].
    pub(super) fn head() -> &'static str {
        "bug             reproduced/levels  recorded  sliced  left  most  tests  fail  pass unres.  ddmin   lines   left  capture minimize\n"
    }

    /// Sums and medians, for people.
    pub(super) fn text(&self) -> String {
        self.summary.text(&self.jdk)
    }
}

#[cfg(test)]
mod tests {
    use jinsi_analysis::report::json::Part;

    use super::*;

    fn bug() -> Bug {
        let all = Bug::wanted(&["jod3".into()]).unwrap();
        all.into_iter().next().unwrap()
    }

    fn level(number: u32, outcome: Option<TestOutcome>) -> LevelReport {
        LevelReport {
            level: number,
            interactions: 10 * u64::from(number),
            minimized: 2,
            tests: 5,
            strict_replay: if outcome.is_some() {
                "reproduced"
            } else {
                "a cause"
            }
            .into(),
            test_outcome: outcome,
            ..LevelReport::default()
        }
    }

    fn report(levels: Vec<LevelReport>) -> BugReport {
        let mut report = BugReport {
            levels,
            seconds: 3.0,
            parts: vec![Part {
                name: "record".into(),
                seconds: 1.0,
            }],
            ..BugReport::default()
        };
        report.failure.class = "java.lang.ArithmeticException".into();
        report.failure.message = Some("Adding time zone offset caused overflow: x".into());
        report.failure.at =
            "org.joda.time.chrono.ZonedChronology$ZonedDurationField.getOffsetToAdd(Z.java:1)"
                .into();
        report
    }

    #[test]
    fn a_bug_needs_one_level_that_reproduces_and_its_own_failure() {
        let levels = || vec![level(1, Some(TestOutcome::Reproduces)), level(2, None)];
        let row = Row::new(&bug(), &report(levels()), &[Some(true), None]);
        assert!(row.holds(), "{}", row.text());
        assert_eq!((row.interactions, row.interactions_most), (30, 20));
        assert_eq!((row.tests, row.minimized, row.reproducing), (10, 4, 1));
        assert!((row.seconds_minimize - 2.0).abs() < 1e-9);
        assert!(row.text().contains("not replayable: a cause"));

        assert!(!Row::new(&bug(), &report(levels()), &[Some(false)]).holds());
        assert!(
            !Row::new(
                &bug(),
                &report(vec![level(1, Some(TestOutcome::Passes))]),
                &[]
            )
            .holds()
        );
        assert!(!Row::failed(&bug(), "no".into()).holds());
        let mut another = report(levels());
        another.failure.class = "java.lang.Error".into();
        assert!(!Row::new(&bug(), &another, &[]).holds());
    }

    #[test]
    fn plain_ddmin_and_the_thesis_are_compared_with() {
        let row = |ddmin: u64, left: u64| {
            let mut level = level(1, Some(TestOutcome::Reproduces));
            level.tests_of_ddmin = Some(ddmin);
            level.seconds_of_ddmin = Some(1.5);
            level.search_seconds = 0.5;
            level.minimized = left;
            Row::new(&bug(), &report(vec![level]), &[])
        };
        let (good, more, over) = (row(5, 2), row(4, 2), row(5, 3));
        assert!(good.holds() && !more.holds() && !over.holds());
        assert!((good.seconds_minimize - 0.5).abs() < 1e-9);
        let text = Report::new("17".into(), vec![good, more, over]).text();
        assert!(text.contains("plain ddmin: 14 tests where there are 15 here, and 3.0 times"));
        assert!(text.contains("VIOLATED no bug needs more tests than plain ddmin"));
        assert!(text.contains("VIOLATED never more is left than in the thesis"));
    }

    #[test]
    fn lines_count_where_both_figures_are_known() {
        let lines = |recorded, executed| LevelReport {
            lines_recorded: recorded,
            lines_executed: executed,
            ..level(1, Some(TestOutcome::Reproduces))
        };
        let levels = vec![lines(Some(50), Some(8)), lines(Some(9), None)];
        let row = Row::new(&bug(), &report(levels), &[]);
        let sums = (row.lines_executed, row.lines_executed_minimized);
        assert_eq!(sums, (Some(50), Some(8)));
    }

    #[test]
    fn the_summary_has_sums_and_medians() {
        let one = |levels| Row::new(&bug(), &report(levels), &[]);
        let rows = vec![
            one(vec![level(1, Some(TestOutcome::Reproduces))]),
            one(vec![level(1, None), level(2, Some(TestOutcome::Passes))]),
        ];
        let all = Report::new("17".into(), rows);
        let s = &all.summary;
        assert_eq!((s.bugs, s.libraries, s.bugs_reproducing), (2, 1, 1));
        assert_eq!((s.levels, s.levels_reproducing), (3, 1));
        assert_eq!((s.interactions, s.tests), (40, 15));
        assert!((s.median_tests - 7.5).abs() < 1e-9);
        assert!(!all.holds());
        assert!(all.text().contains("VIOLATED 90 % of the levels"));
        assert!(!Report::new("17".into(), Vec::new()).holds());
    }
}
