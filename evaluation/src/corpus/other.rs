//! Does another JDK find the same in a recording, or another recording the same? Failures are named by the program's own frames, so they should.

use std::process::Command;

use anyhow::{Result, ensure};
use jinsi_analysis::report::json::Report as BugReport;
use jinsi_ground::bugs::Bug;
use jinsi_ground::files;
use jinsi_ground::report::{Goal, all_hold, goal};
use jinsi_jdk::{Jdk, process};
use serde::Serialize;

use super::debug::{Debugged, Debugger, LIMIT};
use super::levels::LevelRow;

/// Part of the verdicts that has to be the same on another JDK.
const GOAL: f64 = 0.98;
/// Part of the bugs of each kind that has to have the same verdict from a recording at the boundary; of bugs that were drawn.
const GOAL_AT_BOUNDARY: f64 = 0.97;
const GOAL_OF_DRAWN: f64 = 0.95;

/// What another JDK makes of the trace of a bug, or what is made of another trace, beside what the recording one made of the first.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct OtherRow {
    /// In front of what differs.
    #[serde(skip)]
    label: &'static str,
    /// It has a test that reproduces.
    reproduces: bool,
    /// So it is with the recording JDK.
    reproduces_here: bool,
    /// Levels that both have.
    levels: usize,
    /// Those of them where only one has a test that reproduces.
    differing: Vec<Differing>,
    /// Levels that only one of them has.
    only_one: Vec<String>,
    /// Why the other JDK came to nothing.
    error: Option<String>,
    /// What it took.
    seconds: f64,
}

/// A level with another verdict.
#[derive(Debug, PartialEq, Serialize)]
struct Differing {
    level: u32,
    joins: String,
    /// With the recording JDK.
    here: String,
    there: String,
}

impl OtherRow {
    /// Minimizes the trace of `debugged`, of which `row` tells, with another JDK.
    pub(super) fn of(debugger: &Debugger, jdk: &Jdk, bug: &Bug, debugged: &Debugged) -> Self {
        let there = minimized(debugger, jdk, bug, debugged);
        Self::beside("other JDK", &debugged.report, there)
    }

    /// Records the bug at the boundary, and minimizes that.
    pub(super) fn at_boundary(debugger: &Debugger, bug: &Bug, debugged: &Debugged) -> Self {
        let there = debugger.debug_at_boundary(bug);
        Self::beside("boundary", &debugged.report, there)
    }

    fn beside(label: &'static str, here: &BugReport, there: Result<BugReport>) -> Self {
        let here = levels(here);
        match there {
            Ok(report) => Self {
                label,
                seconds: report.seconds,
                ..Self::compared(&here, &levels(&report))
            },
            Err(error) => Self {
                label,
                error: Some(format!("{error:#}")),
                ..Self::compared(&here, &[])
            },
        }
    }

    fn compared(here: &[LevelRow], there: &[LevelRow]) -> Self {
        let is_same = |a: &LevelRow, b: &LevelRow| (a.level, &a.joins) == (b.level, &b.joins);
        let both: Vec<(&LevelRow, &LevelRow)> = here
            .iter()
            .filter_map(|a| Some((a, there.iter().find(|b| is_same(a, b))?)))
            .collect();
        let alone = |of: &[LevelRow], other: &[LevelRow], whose: &str| -> Vec<String> {
            let alone = of.iter().filter(|a| !other.iter().any(|b| is_same(a, b)));
            let text = |l: &LevelRow| format!("{} {} {whose}: {}", l.level, l.joins, l.outcome);
            alone.map(text).collect()
        };
        let mut only_one = alone(here, there, "only here");
        only_one.extend(alone(there, here, "only there"));
        let differing = both
            .iter()
            .filter(|(a, b)| a.reproduces() != b.reproduces());
        Self {
            label: "",
            reproduces: there.iter().any(LevelRow::reproduces),
            reproduces_here: here.iter().any(LevelRow::reproduces),
            levels: both.len(),
            differing: differing
                .map(|(a, b)| Differing {
                    level: a.level,
                    joins: a.joins.clone(),
                    here: a.outcome.clone(),
                    there: b.outcome.clone(),
                })
                .collect(),
            only_one,
            error: None,
            seconds: 0.0,
        }
    }

    fn is_same(&self) -> bool {
        self.reproduces == self.reproduces_here
    }

    /// For people: a line for all that differs.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let (label, loud) = (self.label, self.label.to_uppercase());
        if let Some(error) = &self.error {
            text += &format!("    {loud}: {error}\n");
        }
        for level in &self.differing {
            let Differing {
                level,
                joins,
                here,
                there,
            } = level;
            text += &format!("    {loud}: {level} {joins}: {there}; here: {here}\n");
        }
        for level in &self.only_one {
            text += &format!("    {label}: {level}\n");
        }
        text
    }
}

fn levels(report: &BugReport) -> Vec<LevelRow> {
    let levels = report.levels.iter();
    levels.map(|level| LevelRow::new(level, None)).collect()
}

/// What `jinsi minimize` makes of the trace with another JDK.
fn minimized(debugger: &Debugger, jdk: &Jdk, bug: &Bug, debugged: &Debugged) -> Result<BugReport> {
    let out = debugged.directory.with_file_name("other");
    let mut command = Command::new(&debugger.jinsi);
    // That a program did not end is not in its trace.
    let hang = bug.failure.kind == "hang" && bug.oracle.is_empty();
    command
        .env_remove("CLASSPATH")
        .args(["--json", "minimize"])
        .arg(debugged.trace())
        .arg("--java-home")
        .arg(jdk.home())
        .arg("--out")
        .arg(&out)
        .args(["--junit", &debugger.junit.to_string()])
        .args(debugger.workers.map(|count| format!("--workers={count}")))
        .args(&bug.oracle)
        .args(hang.then_some("--hang"));
    let finished = process::run(&mut command, LIMIT)?;
    let file = out.join("report.json");
    ensure!(
        matches!(finished.status.code(), Some(0 | 1)) && file.is_file(),
        "jinsi minimize: {}",
        finished.stderr.lines().last().unwrap_or_default()
    );
    files::document(&file)
}

/// Verdicts that are the same, of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Share {
    same: usize,
    of: usize,
}

impl Share {
    fn reaches(self, goal: f64) -> bool {
        self.same as f64 >= goal * self.of as f64
    }

    fn of_bugs(rows: &[&OtherRow]) -> Self {
        Self {
            same: rows.iter().filter(|row| row.is_same()).count(),
            of: rows.len(),
        }
    }

    fn of_levels(rows: &[&OtherRow]) -> Self {
        let of = rows.iter().map(|row| row.levels).sum::<usize>();
        let differing = rows.iter().map(|row| row.differing.len());
        Self {
            same: of - differing.sum::<usize>(),
            of,
        }
    }
}

/// Over all bugs that show on both.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct OtherJdk {
    jdk: String,
    /// Is there a test that reproduces?
    bugs: Share,
    /// The same of each level that both have.
    levels: Share,
    /// Levels that only one has.
    levels_of_one: usize,
    pub(super) holds: bool,
}

impl OtherJdk {
    /// `jdk`: version of the other one.
    pub(super) fn of(rows: &[&OtherRow], jdk: String) -> Self {
        let mut other = Self {
            jdk,
            bugs: Share::of_bugs(rows),
            levels: Share::of_levels(rows),
            levels_of_one: rows.iter().map(|o| o.only_one.len()).sum(),
            holds: false,
        };
        other.holds = all_hold(&other.goals());
        other
    }

    /// What has to hold.
    pub(super) fn goals(&self) -> [Goal; 2] {
        [
            goal(
                "98 % of the bugs have the same verdict on the other JDK",
                self.bugs.reaches(GOAL),
            ),
            goal("so have 98 % of the levels", self.levels.reaches(GOAL)),
        ]
    }
}

/// Over all bugs, what recordings at the boundary come to.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct AtBoundary {
    /// Is there a test that reproduces, or none, as from a recording of all interactions? Of bugs that crash.
    crashing: Share,
    /// The same of the others.
    others: Share,
    /// The same of each level that both have.
    levels: Share,
    /// Levels that only one has.
    levels_of_one: usize,
    goal: f64,
    pub(super) holds: bool,
}

impl AtBoundary {
    /// Bugs that crash, and others. `drawn`: nobody chose them.
    pub(super) fn of([crashing, others]: [&[&OtherRow]; 2], drawn: bool) -> Self {
        let goal = if drawn {
            GOAL_OF_DRAWN
        } else {
            GOAL_AT_BOUNDARY
        };
        let all = [crashing, others].concat();
        let mut boundary = Self {
            crashing: Share::of_bugs(crashing),
            others: Share::of_bugs(others),
            levels: Share::of_levels(&all),
            levels_of_one: all.iter().map(|row| row.only_one.len()).sum(),
            goal,
            holds: false,
        };
        boundary.holds = all_hold(&boundary.goals());
        boundary
    }

    /// What has to hold.
    pub(super) fn goals(&self) -> [Goal; 2] {
        let of = |kind: &str, share: Share| {
            let percent = self.goal * 100.0;
            goal(
                format!(
                    "{percent:.0} % of the {kind} bugs have the same verdict from the boundary"
                ),
                share.reaches(self.goal),
            )
        };
        [of("crashing", self.crashing), of("other", self.others)]
    }
}

#[cfg(test)]
mod tests {
    use jinsi_analysis::report::json::{LevelReport, TestOutcome};

    use super::*;

    fn level(number: u32, name: &str, outcome: TestOutcome) -> LevelRow {
        let level = LevelReport {
            level: number,
            name: name.into(),
            strict_replay: "reproduced".into(),
            test_outcome: Some(outcome),
            ..LevelReport::default()
        };
        LevelRow::new(&level, None)
    }

    #[test]
    fn levels_of_the_same_name_are_compared() {
        use TestOutcome::{Passes, Reproduces};
        let here = [
            level(1, "a.A", Reproduces),
            level(2, "a.B", Reproduces),
            level(3, "a.C", Passes),
        ];
        let there = [
            level(1, "a.A", Reproduces),
            level(2, "a.B", Passes),
            level(3, "a.D", Passes),
        ];
        let other = OtherRow::compared(&here, &there);
        assert!(other.is_same());
        assert_eq!((other.levels, other.differing.len()), (2, 1));
        assert_eq!(other.only_one.len(), 2);
        assert!(
            other
                .text()
                .contains("2 a.B: the test passes: ; here: reproduces")
        );

        let all = OtherJdk::of(&[&other], "25".into());
        assert_eq!(all.bugs, Share { same: 1, of: 1 });
        assert_eq!(all.levels, Share { same: 1, of: 2 });
        assert_eq!(all.goals().map(|goal| goal.holds), [true, false]);
        assert!(!all.holds);
    }

    #[test]
    fn bugs_of_each_kind_are_compared_with_the_boundary() {
        use TestOutcome::{Passes, Reproduces};
        let [found, lost] = [Reproduces, Passes].map(|outcome| [level(1, "a.A", outcome)]);
        let same = OtherRow::compared(&found, &found);
        let other = OtherRow::compared(&found, &lost);
        let all = AtBoundary::of([&[&same, &same], &[&same]], false);
        assert!(all.holds && all.levels == Share { same: 3, of: 3 });
        // Bugs of the one kind do not make up for those of the other.
        let many = vec![&same; 99];
        let all = AtBoundary::of([&many, &[&other]], false);
        assert!(!all.holds);
        assert_eq!(all.goals().map(|goal| goal.holds), [true, false]);
        let most: Vec<&OtherRow> = [vec![&same; 24], vec![&other]].concat();
        assert!(AtBoundary::of([&most, &[]], true).holds);
        assert!(!AtBoundary::of([&most, &[]], false).holds);
    }

    #[test]
    fn a_bug_that_came_to_nothing_differs() {
        let here = [level(1, "a.A", TestOutcome::Reproduces)];
        let nothing = OtherRow {
            error: Some("no".into()),
            ..OtherRow::compared(&here, &[])
        };
        assert!(!nothing.is_same() && nothing.text().contains(": no"));
        assert!(!OtherJdk::of(&[&nothing], "25".into()).holds);
        let same = OtherRow::compared(&here, &here);
        assert!(OtherJdk::of(&[&same], "25".into()).holds);
    }
}
