//! The tables 9.3 and 9.4 of the thesis, for the corpus.

use jinsi_analysis::report::json::{LevelReport, Link, Report as BugReport};
use jinsi_ground::bugs::{Bug, Thesis};
use serde::Serialize;

use super::fixed::Flips;
use super::form::FormRow;
use super::levels::{Counts, LevelRow};
use super::other::OtherRow;
use super::slices::Slices;
use super::surefire::class_of;

/// A bug.
#[derive(Serialize)]
pub(super) struct BugRow {
    pub(super) id: String,
    pub(super) library: String,
    /// A program of our own after a description, and no released library.
    pub(super) own: bool,
    /// It shows by an exception, and not by a wrong value, an output or an endless loop.
    pub(super) crashes: bool,
    /// How it came about, as far as that was found: the failure first.
    pub(super) chain: Vec<ChainRow>,
    /// The chain is the one that the manifest names, if it names one.
    pub(super) expected_chain: bool,
    /// Why there is no result.
    pub(super) error: Option<String>,
    /// The recorded failure is the one that the manifest names.
    pub(super) expected_failure: bool,
    /// Events in the trace.
    pub(super) events: u64,
    /// Of all levels together.
    #[serde(flatten)]
    pub(super) counts: Counts,
    /// Interactions of the level that has most.
    pub(super) interactions_most: u64,
    /// The most interactions that are left at a level.
    pub(super) minimized_most: u64,
    /// Tests of attempts with other observed sets.
    pub(super) tests_of_other_attempts: u64,
    /// The recorded run.
    pub(super) seconds_capture: f64,
    /// Everything after it, the written tests included, but not the searches beside.
    pub(super) seconds_minimize: f64,
    /// `exception`, or what the oracle is.
    pub(super) kind: String,
    /// Written tests that need no recording, fail here, and pass with the release in which the bug is repaired; absent where that was not
    /// tried or there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) flips: Option<usize>,
    /// Why the others of these do not pass there: test and result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) not_flipping: Vec<(String, String)>,
    /// Tests of the replay form that fail here and pass with that release, without a new recording; absent where there is none to try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) replay_flips: Option<usize>,
    /// Why the others of these do not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) replay_not_flipping: Vec<(String, String)>,
    /// What another JDK makes of it; absent where that was not tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) other_jdk: Option<OtherRow>,
    /// What comes of a recording at the boundary; absent where none was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) boundary: Option<OtherRow>,
    /// The form of its tests; absent where that was not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) form: Option<FormRow>,
    /// The recommended test.
    pub(super) keep: Option<KeepRow>,
    /// Levels whose written test reproduces the failure, on its own.
    pub(super) reproducing: usize,
    /// Lines that the recorded run executes, and the minimized one: of all levels together for which both are known; `null`: of none.
    pub(super) lines_executed: Option<u64>,
    pub(super) lines_executed_minimized: Option<u64>,
    /// The lines that are left to look at.
    pub(super) slices: Slices,
    /// What plain delta debugging needs where this search needs `tests` in `seconds_search`; `null`: not asked for.
    pub(super) ddmin_tests: Option<u64>,
    pub(super) ddmin_seconds: Option<f64>,
    /// It was stopped at some level, so that it needs more than that.
    pub(super) ddmin_stopped: bool,
    /// The same of probabilistic delta debugging.
    pub(super) probdd_tests: Option<u64>,
    pub(super) probdd_seconds: Option<f64>,
    pub(super) probdd_stopped: bool,
    /// Wall time of the tests alone.
    pub(super) seconds_search: f64,
    /// What the thesis has for this bug.
    pub(super) thesis: Option<Thesis>,
    pub(super) levels: Vec<LevelRow>,
}

/// The recommended test of a bug.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct KeepRow {
    /// `plain`, `mockito` or `replay`.
    pub(super) form: String,
    pub(super) level: u32,
    /// Objects in it that only the recording can make.
    pub(super) opaque: u64,
    /// Lines of its body.
    pub(super) lines: u64,
    /// It passes with the release in which the bug is repaired; absent where that was not tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) flips: Option<bool>,
    /// Binary name of its class.
    #[serde(skip)]
    name: String,
}

impl KeepRow {
    fn of(report: &BugReport) -> Option<Self> {
        let level = report.levels.iter();
        let level = level
            .clone()
            .find(|l| l.test_file.is_some() && l.test_file == report.keep)?;
        Some(Self {
            form: level.test_form.clone()?,
            level: level.level,
            opaque: level.test_opaque?,
            lines: level.test_lines?,
            flips: None,
            name: class_of(level.test_file.as_ref()?),
        })
    }
}

/// A link of the chain of a bug.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct ChainRow {
    pub(super) predicate: String,
    /// The object of which it holds; `null`: of the run.
    pub(super) object: Option<String>,
    /// Interactions left with the window of classes in which it was found, and the lines of these that they execute, if that is known.
    pub(super) minimized: u64,
    pub(super) lines_executed: Option<u64>,
}

impl ChainRow {
    fn new(link: &Link) -> Self {
        Self {
            predicate: link.predicate.clone(),
            object: link.object.clone(),
            minimized: link.level.minimized,
            lines_executed: link.level.lines_executed,
        }
    }

    /// For people: a line.
    fn text(&self) -> String {
        let of = self
            .object
            .as_ref()
            .map_or_else(String::new, |object| format!(" of {object}"));
        let lines = self
            .lines_executed
            .map_or_else(|| "-".into(), |n| n.to_string());
        format!(
            "    because {}{of}: {} left, {lines} lines\n",
            self.predicate, self.minimized
        )
    }
}

impl BugRow {
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
        let known = |of: &dyn Fn(&LevelReport) -> Option<u64>| {
            report.levels.iter().filter_map(of).reduce(|a, b| a + b)
        };
        let took = |of: fn(&LevelReport) -> Option<f64>| {
            report.levels.iter().filter_map(of).reduce(|a, b| a + b)
        };
        let (ddmin, probdd) = (took(|l| l.seconds_of_ddmin), took(|l| l.seconds_of_probdd));
        let beside = ddmin.unwrap_or(0.0) + probdd.unwrap_or(0.0);
        let most = |of: fn(&LevelReport) -> u64| report.levels.iter().map(of).max().unwrap_or(0);
        let capture = report
            .parts
            .first()
            .map_or(report.capture.seconds, |part| part.seconds);
        Self {
            id: bug.id.clone(),
            library: bug.library.clone(),
            own: bug.is_own(),
            crashes: bug.failure.kind == "exception",
            kind: bug.failure.kind.clone(),
            flips: None,
            not_flipping: Vec::new(),
            replay_flips: None,
            replay_not_flipping: Vec::new(),
            other_jdk: None,
            boundary: None,
            form: None,
            keep: KeepRow::of(report),
            chain: report.chain.iter().map(ChainRow::new).collect(),
            expected_chain: bug.ends.as_ref().is_none_or(|end| end.fits(&report.chain)),
            error: None,
            expected_failure: bug.failure.fits(&report.failure),
            events: report.capture.events,
            counts: levels.iter().map(|l| l.counts).sum(),
            interactions_most: most(|l| l.interactions),
            minimized_most: most(|l| l.minimized),
            tests_of_other_attempts: report.levels.iter().map(|l| l.tests_of_other_attempt).sum(),
            seconds_capture: capture,
            seconds_minimize: (report.seconds - capture - beside).max(0.0),
            reproducing: levels.iter().filter(|l| l.reproduces()).count(),
            lines_executed: known(&|l| l.lines_executed.and(l.lines_recorded)),
            lines_executed_minimized: known(&|l| l.lines_recorded.and(l.lines_executed)),
            slices: Slices::default(),
            ddmin_tests: known(&|l| l.tests_of_ddmin),
            ddmin_seconds: ddmin,
            ddmin_stopped: report.levels.iter().any(|l| l.ddmin_stopped),
            probdd_tests: known(&|l| l.tests_of_probdd),
            probdd_seconds: probdd,
            probdd_stopped: report.levels.iter().any(|l| l.probdd_stopped),
            seconds_search: report.levels.iter().map(|l| l.search_seconds).sum(),
            thesis: bug.thesis.clone(),
            levels,
        }
    }

    /// For people: lines about the repaired release.
    fn repaired_text(&self) -> String {
        let Some(flips) = self.flips else {
            return String::new();
        };
        let mut text = format!("    {flips} tests pass with the repaired release\n");
        for (test, why) in &self.not_flipping {
            text += &format!("    {test} does not: {why}\n");
        }
        if let Some(flips) = self.replay_flips {
            text += &format!("    {flips} tests with a recording pass with it\n");
        }
        for (test, why) in &self.replay_not_flipping {
            text += &format!("    {test} does not: {why}\n");
        }
        text
    }

    /// What the tests come to with the repaired release.
    pub(super) fn set_flips(&mut self, flips: Option<Flips>) {
        let Some(flips) = flips else {
            return;
        };
        self.flips = Some(flips.passing.len());
        if let Some(keep) = &mut self.keep {
            let replayed = flips.replayed.passing.iter();
            keep.flips = Some(
                flips
                    .passing
                    .iter()
                    .chain(replayed)
                    .any(|p| *p == keep.name),
            );
        }
        let replayed = flips.replayed;
        let tried = replayed.passing.len() + replayed.others.len();
        self.replay_flips = (tried > 0).then_some(replayed.passing.len());
        self.replay_not_flipping = replayed.others;
        self.not_flipping = flips.others;
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
            // There, stand-ins take the place of what is made here.
            both.any(|l| l.minimized_of_observed > thesis.relevant)
        };
        self.thesis.as_ref().is_some_and(over)
    }

    /// Tests were needed that plain delta debugging does not need.
    pub(super) fn needs_more_than_ddmin(&self) -> bool {
        self.ddmin_tests
            .is_some_and(|tests| self.counts.tests > tests)
    }

    pub(super) fn seconds(&self) -> f64 {
        self.seconds_capture + self.seconds_minimize
    }

    /// Did all that has to work with a bug work?
    pub(super) fn holds(&self) -> bool {
        self.error.is_none()
            && self.expected_failure
            && self.expected_chain
            // Of those that do not crash, what has to hold of all together says how many.
            && (self.reproducing > 0 || !self.crashes)
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
        let more = |stopped: bool| if stopped { "+" } else { "" };
        let counts = &self.counts;
        let mut text = format!(
            "{:<20} {:>3}/{:<3} {:>9} {:>9} {:>5} {:>5} {:>6} {:>5} {:>5} {:>5} {:>7}{:1} {:>6}{:1} {:>6} {:>6} {:>7.1} {:>7.1}\n",
            self.id,
            self.reproducing,
            self.levels.len(),
            self.interactions_most,
            counts.after_event_slice,
            counts.minimized,
            self.minimized_most,
            counts.tests,
            counts.failing,
            counts.passing,
            counts.unresolved,
            shown(self.ddmin_tests),
            more(self.ddmin_stopped),
            shown(self.probdd_tests),
            more(self.probdd_stopped),
            shown(self.lines_executed),
            shown(self.lines_executed_minimized),
            self.seconds_capture,
            self.seconds_minimize
        );
        if self.crashes {
            text += &self.slices.text();
        }
        for link in self.chain.iter().skip(1) {
            text += &link.text();
        }
        text += &self.repaired_text();
        text += &self.form.as_ref().map_or_else(String::new, FormRow::text);
        for other in self.other_jdk.iter().chain(&self.boundary) {
            text += &other.text();
        }
        if let Some(error) = &self.error {
            text += &format!("    ERROR: {error}\n");
        } else if !self.expected_failure {
            text += "    ANOTHER FAILURE than the manifest names was recorded\n";
        }
        for (wrong, what) in [
            (
                self.error.is_none() && !self.expected_chain,
                "ANOTHER CHAIN than the manifest names",
            ),
            (self.needs_more_than_ddmin(), "MORE TESTS THAN PLAIN DDMIN"),
            (self.is_over_the_thesis(), "MORE LEFT THAN IN THE THESIS"),
        ] {
            if wrong {
                text += &format!("    {what}\n");
            }
        }
        self.levels.iter().for_each(|l| text += &l.complaints());
        text
    }
}

#[cfg(test)]
mod tests;
