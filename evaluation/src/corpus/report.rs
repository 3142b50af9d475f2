//! What was found out about the corpus.

use jinsi_ground::report::{Findings, Goal, all_hold, goal_lines, outline};
use jinsi_jdk::Jdk;
use serde::Serialize;

use super::form::Form;
use super::non_crashing::NonCrashing;
use super::other::{AtBoundary, OtherJdk, OtherRow};
use super::repaired::Repaired;
use super::summary::Summary;
use super::table::BugRow;

/// The whole document.
#[derive(Serialize)]
pub(super) struct CorpusReport {
    pub(super) jdk: String,
    /// Of the bugs that crash.
    pub(super) summary: Summary,
    /// Of the others.
    pub(super) non_crashing: NonCrashing,
    /// How many have a test that turns green with the repair.
    pub(super) repaired: Repaired,
    /// The form of the tests, if it was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) form: Option<Form>,
    /// How much is the same with another JDK, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) other_jdk: Option<OtherJdk>,
    /// How much is the same from recordings at the boundary, if these were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) boundary: Option<AtBoundary>,
    /// First those that crash.
    pub(super) bugs: Vec<BugRow>,
}

impl CorpusReport {
    /// `whole`: of all bugs there are, so that what has to hold of the corpus can be said.
    pub(super) fn new(jdk: String, bugs: Vec<BugRow>, whole: bool) -> Self {
        let (mut crashing, others): (Vec<BugRow>, Vec<BugRow>) =
            bugs.into_iter().partition(|bug| bug.crashes);
        let summary = Summary::of(&crashing, whole);
        let non_crashing = NonCrashing::of(&others, whole);
        crashing.extend(others);
        Self {
            repaired: Repaired::of(&crashing),
            form: form_of(&crashing),
            other_jdk: None,
            boundary: None,
            jdk,
            summary,
            non_crashing,
            bugs: crashing,
        }
    }

    /// The same with what another JDK of this version made of it, if one was asked for.
    pub(super) fn beside(mut self, other: Option<&Jdk>) -> Self {
        let rows = self.bugs.iter().filter_map(|row| row.other_jdk.as_ref());
        let rows: Vec<_> = rows.collect();
        self.other_jdk = other.map(|jdk| OtherJdk::of(&rows, jdk.version().to_string()));
        self
    }

    /// The same with what came of recordings at the boundary, if these were asked for. `drawn`: nobody chose the bugs.
    pub(super) fn with_boundary(mut self, asked_for: bool, drawn: bool) -> Self {
        let of = |crashes: bool| -> Vec<&OtherRow> {
            let rows = self.bugs.iter().filter(|row| row.crashes == crashes);
            rows.filter_map(|row| row.boundary.as_ref()).collect()
        };
        let [crashing, others] = [of(true), of(false)];
        self.boundary = asked_for.then(|| AtBoundary::of([&crashing, &others], drawn));
        self
    }

    /// What has to hold of all bugs together, whatever was asked for.
    fn goals(&self) -> Vec<Goal> {
        [self.summary.goals(), self.non_crashing.goals()].concat()
    }

    /// The head of the lines of [`BugRow::text`].
    pub(super) fn head() -> &'static str {
        "bug             reproduced/levels  recorded  sliced  left  most  tests  fail  pass unres.  ddmin  probdd   lines   left  capture minimize\n"
    }
}

impl Findings for CorpusReport {
    /// Did all that has to work with each bug work, and does what has to hold of all together?
    fn holds(&self) -> bool {
        !self.bugs.is_empty() && self.bugs.iter().all(BugRow::holds) && all_hold(&self.goals())
    }

    /// Sums, medians and goals.
    fn text(&self) -> String {
        let mut goals = self.goals();
        goals.extend(self.repaired.goals());
        goals.extend(self.form.iter().flat_map(Form::goals));
        goals.extend(self.other_jdk.iter().flat_map(OtherJdk::goals));
        goals.extend(self.boundary.iter().flat_map(AtBoundary::goals));
        let mut left_out = vec!["bugs"];
        left_out.extend((self.summary.bugs == 0).then_some("summary"));
        left_out.extend((self.non_crashing.bugs == 0).then_some("non_crashing"));
        outline(self, &left_out) + &goal_lines(&goals)
    }
}

/// The form of the tests of these bugs.
fn form_of(rows: &[BugRow]) -> Option<Form> {
    let looked_at: Vec<_> = rows.iter().filter_map(|row| row.form.as_ref()).collect();
    let kept = rows.iter().filter_map(|row| row.keep.as_ref());
    Form::of(&looked_at, kept.map(|keep| keep.lines as f64).collect())
}
