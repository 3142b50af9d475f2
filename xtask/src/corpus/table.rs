//! The tables 9.3 and 9.4 of the thesis, for the corpus.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_analysis::report::json::{LevelReport, Report as BugReport, TestOutcome};
use serde::Serialize;

use super::manifest::{Bug, Thesis};

/// Part of the levels whose test has to reproduce.
const GOAL: f64 = 0.9;
/// Seconds that no bug may take.
const LONGEST: f64 = 60.0;

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
    /// Everything after it, the written tests included.
    pub(super) seconds_minimize: f64,
    /// Levels whose written test reproduces the failure, on its own.
    pub(super) reproducing: usize,
    /// Lines executed in the recorded run, and in the smallest test: `null`, they are not measured.
    pub(super) lines_executed: Option<u64>,
    pub(super) lines_executed_minimized: Option<u64>,
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

/// Sums and medians.
#[derive(Default, Serialize)]
pub(super) struct Summary {
    pub(super) bugs: usize,
    pub(super) libraries: usize,
    /// Bugs with at least one level whose test reproduces.
    pub(super) bugs_reproducing: usize,
    pub(super) levels: usize,
    pub(super) levels_reproducing: usize,
    /// Levels by the form of their test.
    pub(super) forms: BTreeMap<String, usize>,
    pub(super) interactions: u64,
    pub(super) after_event_slice: u64,
    pub(super) minimized: u64,
    pub(super) tests: u64,
    pub(super) failing: u64,
    pub(super) passing: u64,
    pub(super) unresolved: u64,
    /// Interactions left, over all levels that replay.
    pub(super) median_minimized: f64,
    pub(super) median_tests: f64,
    pub(super) median_seconds: f64,
    pub(super) most_seconds: f64,
    pub(super) seconds: f64,
    /// Levels that turned out not to be 1-minimal.
    pub(super) not_minimal: usize,
    /// Tests that Surefire ran, and those that did not fail as recorded.
    pub(super) surefire: usize,
    pub(super) surefire_wrong: usize,
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
            seconds_minimize: (report.seconds - capture).max(0.0),
            reproducing: levels.iter().filter(|l| l.reproduces()).count(),
            lines_executed: None,
            lines_executed_minimized: None,
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

    fn seconds(&self) -> f64 {
        self.seconds_capture + self.seconds_minimize
    }

    /// Did all that has to work with a bug work?
    fn holds(&self) -> bool {
        self.error.is_none()
            && self.expected_failure
            && self.reproducing > 0
            && self
                .levels
                .iter()
                .all(|l| l.minimal != Some(false) && !l.fails_wrongly())
    }

    /// For people: a line, and one more for each level without a test that reproduces.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "{:<20} {:>3}/{:<3} {:>9} {:>9} {:>5} {:>5} {:>6} {:>5} {:>5} {:>5} {:>7.1} {:>7.1}\n",
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
            self.seconds_capture,
            self.seconds_minimize
        );
        if let Some(error) = &self.error {
            text += &format!("    ERROR: {error}\n");
        } else if !self.expected_failure {
            text += "    ANOTHER FAILURE than the manifest names was recorded\n";
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
            widened: level.widened,
            resynchronized: level.resynchronized,
            form: level.test_form.clone(),
            outcome: outcome(level),
            minimal,
            surefire: None,
        }
    }

    /// Surefire has run it, and it did not fail as recorded.
    fn fails_wrongly(&self) -> bool {
        self.surefire
            .as_deref()
            .is_some_and(|s| s != "fails rightly")
    }

    fn reproduces(&self) -> bool {
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
        "bug                  tests/levels  recorded    sliced  left  most  tests  fail  pass unres. capture minimize\n"
    }

    /// Sums and medians, for people.
    pub(super) fn text(&self) -> String {
        let s = &self.summary;
        let percent = 100.0 * s.levels_reproducing as f64 / s.levels.max(1) as f64;
        let mut text = format!(
            "{} bugs of {} libraries, Java {}: {} have a test that reproduces; {} of {} levels have ({percent:.1} %)\n\
             interactions {}, in event slices {}, left {} (median {} a level)\n\
             tests {} ({} failing, {} passing, {} unresolved; median {} a bug)\n\
             seconds {:.1} (median {:.1} a bug, most {:.1})\n",
            s.bugs,
            s.libraries,
            self.jdk,
            s.bugs_reproducing,
            s.levels_reproducing,
            s.levels,
            s.interactions,
            s.after_event_slice,
            s.minimized,
            s.median_minimized,
            s.tests,
            s.failing,
            s.passing,
            s.unresolved,
            s.median_tests,
            s.seconds,
            s.median_seconds,
            s.most_seconds
        );
        for (form, count) in &s.forms {
            text += &format!("{count:>6} {form}\n");
        }
        for (held, what) in [
            (percent >= 100.0 * GOAL, "90 % of the levels have a test"),
            (s.most_seconds <= LONGEST, "no bug takes over 60 s"),
            (
                s.median_minimized <= 3.0,
                "at most 3 interactions are left, in the median",
            ),
            (s.not_minimal == 0, "what was checked is 1-minimal"),
            (s.surefire_wrong == 0, "what Surefire ran fails as recorded"),
        ] {
            text += &format!("{} {what}\n", if held { "holds   " } else { "VIOLATED" });
        }
        text
    }
}

impl Summary {
    fn of(rows: &[Row]) -> Self {
        let levels = || rows.iter().flat_map(|r| &r.levels);
        let sum = |of: fn(&Row) -> u64| rows.iter().map(of).sum();
        let mut forms = BTreeMap::new();
        for level in levels() {
            let form = level.form.clone().unwrap_or_else(|| "no test".into());
            *forms.entry(form).or_default() += 1;
        }
        let libraries: BTreeSet<&str> = rows.iter().map(|r| r.library.as_str()).collect();
        let seconds: Vec<f64> = rows.iter().map(Row::seconds).collect();
        Self {
            bugs: rows.len(),
            libraries: libraries.len(),
            bugs_reproducing: rows.iter().filter(|r| r.reproducing > 0).count(),
            levels: levels().count(),
            levels_reproducing: levels().filter(|l| l.reproduces()).count(),
            forms,
            interactions: sum(|r| r.interactions),
            after_event_slice: sum(|r| r.after_event_slice),
            minimized: sum(|r| r.minimized),
            tests: sum(|r| r.tests),
            failing: sum(|r| r.failing),
            passing: sum(|r| r.passing),
            unresolved: sum(|r| r.unresolved),
            median_minimized: median(
                levels()
                    .filter(|l| l.minimized > 0)
                    .map(|l| l.minimized as f64)
                    .collect(),
            ),
            median_tests: median(rows.iter().map(|r| r.tests as f64).collect()),
            median_seconds: median(seconds.clone()),
            most_seconds: seconds.iter().copied().fold(0.0, f64::max),
            seconds: seconds.iter().sum(),
            not_minimal: levels().filter(|l| l.minimal == Some(false)).count(),
            surefire: levels().filter(|l| l.surefire.is_some()).count(),
            surefire_wrong: levels().filter(|l| l.fails_wrongly()).count(),
        }
    }
}

/// The middle value, or the mean of the two in the middle; 0 of nothing.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
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

    #[test]
    fn the_median_of_nothing_and_of_both_parities() {
        assert!(median(vec![]).abs() < 1e-9);
        assert!((median(vec![3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
        assert!((median(vec![4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-9);
    }
}
