//! Every way to fail of every framework, through the Maven plugin at its default, in a project of the framework.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use jinsi_analysis::report::json::Report;
use jinsi_analysis::report::suite::{self, SuiteReport, TestReport};
use jinsi_ground::report::{self, Figures, Goal, Judged, goal};
use jinsi_ground::{line, repository};
use jinsi_jdk::Jdk;
use jinsi_jdk::junit::JunitResult;
use serde::Serialize;

use super::styles::{self, Outcomes, Project, STYLES, Style};

/// The part of the cases that has to be good.
const GOAL: f64 = 0.9;

/// Failed tests of one build: the plugin has 20 minutes for all of them.
const TOGETHER: usize = 16;

/// What the kinds begin with whose tests do not end.
const ENDLESS: &str = "timeout";

/// What came of a failed test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    /// The recommended test fails on the defect, passes on the repaired program, and calls that, not the failed test.
    Good,
    /// No test is recommended.
    #[default]
    None,
    /// The recommended test does not do that.
    Wrong,
}

/// A failed test.
#[derive(Clone, Debug, Default, Serialize)]
struct Case {
    style: &'static str,
    kind: String,
    verdict: Verdict,
    /// Of the recommended test: its form, and the interactions in it.
    form: Option<String>,
    calls: Option<u64>,
    /// Why no test is recommended, or what is wrong with the one that is.
    reason: Option<String>,
    /// Of the build, with the recording and all that the plugin does, divided by the tests that it made one of.
    seconds: f64,
}

/// How many cases of a style are what.
#[derive(Debug, Default, Serialize)]
struct Totals {
    style: &'static str,
    cases: usize,
    good: usize,
    none: usize,
    wrong: usize,
}

/// All cases.
#[derive(Debug, Default, Serialize)]
struct Table {
    java: String,
    cases: Vec<Case>,
    totals: Vec<Totals>,
}

impl Totals {
    fn of(style: &'static str, cases: &[Case]) -> Self {
        let count = |verdict| cases.iter().filter(|c| c.verdict == verdict).count();
        Self {
            style,
            cases: cases.len(),
            good: count(Verdict::Good),
            none: count(Verdict::None),
            wrong: count(Verdict::Wrong),
        }
    }
}

impl Figures for Table {
    fn goals(&self) -> Vec<Goal> {
        let Totals {
            cases, good, wrong, ..
        } = Totals::of("all", &self.cases);
        let enough = good as f64 >= GOAL * cases as f64;
        vec![
            goal(
                format!("{good} of {cases} cases are good, at least {GOAL}"),
                enough,
            ),
            goal(format!("{wrong} cases are wrong, at most 0"), wrong == 0),
        ]
    }

    fn text(&self) -> String {
        let mut text = report::table(&self.totals, "style cases good none wrong");
        let others = self.cases.iter().filter(|c| c.verdict != Verdict::Good);
        for case in others {
            let reason = case.reason.as_deref().unwrap_or("no reason is given");
            line!(
                text,
                "{}.{} {:?}: {reason}",
                case.style,
                case.kind,
                case.verdict
            );
        }
        text
    }
}

/// Runs the projects with the plugin. `profile`: that it is built in, and installed; `None`: the one that is installed. `only`: these styles or cases, if
/// there are any; `json`: prints one document.
pub(super) fn run(jdk: &Jdk, profile: Option<&str>, only: &[String], json: bool) -> Result<bool> {
    if let Some(profile) = profile {
        repository::plugins::build(&repository::build_jinsi_in(profile)?, true, false)?;
    }
    let place = repository::root().join("target/styles");
    if place.exists() {
        fs::remove_dir_all(&place).with_context(|| format!("cannot empty {}", place.display()))?;
    }
    let mut table = Table {
        java: jdk.version().to_string(),
        ..Table::default()
    };
    for style in &STYLES {
        let named = |name: &String| name.split('.').next() == Some(style.name);
        if !only.is_empty() && !only.iter().any(named) {
            continue;
        }
        let cases = Bench::new(style, jdk, &place)?.cases(only)?;
        table.totals.push(Totals::of(style.name, &cases));
        table.cases.extend(cases);
    }
    ensure!(!table.cases.is_empty(), "no case is called so");
    report::print(&Judged::of(table), json)
}

/// The project of a style, as it is and repaired.
struct Bench<'a> {
    style: &'static Style,
    jdk: &'a Jdk,
    broken: Project,
    repaired: Project,
    /// What the plugin left of each case.
    left: PathBuf,
}

/// A failed test, and the one that is recommended for it.
struct Made {
    case: Case,
    written: Option<Recommended>,
}

/// A recommended test.
struct Recommended {
    /// Its class, without a package.
    name: String,
    source: String,
}

/// A recommended test that is among those of the projects.
struct Kept {
    /// Number of its case.
    case: usize,
    class: String,
}

impl<'a> Bench<'a> {
    fn new(style: &'static Style, jdk: &'a Jdk, place: &Path) -> Result<Self> {
        Ok(Self {
            style,
            jdk,
            broken: Project::lay_out(style, &place.join("broken"), false)?,
            repaired: Project::lay_out(style, &place.join("repaired"), true)?,
            left: place.join("reports").join(style.name),
        })
    }

    fn cases(&self, only: &[String]) -> Result<Vec<Case>> {
        let outcomes = [&self.broken, &self.repaired].map(|p| p.outcomes(self.jdk, &[]));
        let [broken, repaired] = outcomes;
        let tests = styles::tests_of(self.style, [&broken?, &repaired?])?;
        let named = |test: &String| {
            let case = format!("{}.{}", self.style.name, styles::kind_of(test));
            only.is_empty() || only.iter().any(|n| *n == self.style.name || *n == case)
        };
        let all = tests.len();
        let wanted = tests.into_iter().filter(named);
        // What never ends goes on beside all tests that follow.
        let (mut left, endless): (Vec<_>, Vec<_>) =
            wanted.partition(|test| !styles::kind_of(test).starts_with(ENDLESS));
        let mut cases = Vec::new();
        let mut recommended = Vec::new();
        let mut add = |made: Made| {
            let Made { case, written } = made;
            eprintln!(
                "{}.{} after {:.0} s: {}",
                case.style,
                case.kind,
                case.seconds,
                case.progress()
            );
            recommended.extend(written.map(|written| (cases.len(), written)));
            cases.push(case);
        };
        // Builds of several failed tests at once are done sooner. What fails like another test is left out there, and tried alone.
        let mut alone = Vec::new();
        while !left.is_empty() {
            let rest = left.split_off(left.len().min(TOGETHER));
            let some = std::mem::replace(&mut left, rest);
            let made = match self.style.tests(&some, all) {
                Some(words) if some.len() > 1 => {
                    self.made(&some, words, &format!("from-{}", some[0]))?
                }
                _ => Vec::new(),
            };
            let kept = made.into_iter().filter(|made| made.written.is_some());
            let kept: Vec<Made> = kept.collect();
            let is_kept = |test: &String| {
                let kind = styles::kind_of(test);
                kept.iter().any(|made| made.case.kind == kind)
            };
            alone.extend(some.into_iter().filter(|test| !is_kept(test)));
            kept.into_iter().for_each(&mut add);
        }
        for test in alone.into_iter().chain(endless) {
            let kind = styles::kind_of(&test);
            let words = self.style.test(&test);
            for made in self.made(&[test], words, &kind)? {
                add(made);
            }
        }
        // Only now: one that does not compile would let all further builds fail.
        let mut kept = Vec::new();
        for (case, test) in recommended {
            let class = self.put(&test, &cases[case].kind)?;
            kept.push(Kept { case, class });
        }
        self.judge(kept, &mut cases)?;
        Ok(cases)
    }

    /// Puts a recommended test into the projects; its class.
    fn put(&self, test: &Recommended, kind: &str) -> Result<String> {
        let unlike = kind[..1].to_uppercase() + &kind[1..];
        styles::put(&test.source, &test.name, &unlike, &self.repaired)?;
        styles::put(&test.source, &test.name, &unlike, &self.broken)
    }

    /// Has the plugin make tests of failed ones, which Maven is asked for by `words`. What it leaves is put by under the name `by`.
    fn made(&self, tests: &[String], words: Vec<String>, by: &str) -> Result<Vec<Made>> {
        let start = Instant::now();
        let words: Vec<&str> = std::iter::once("test")
            .chain(words.iter().map(String::as_str))
            .collect();
        let finished = self.broken.maven(self.jdk, &words)?;
        let seconds = start.elapsed().as_secs_f64() / tests.len() as f64;
        let left = self.left.join(by);
        fs::create_dir_all(&self.left)?;
        let nothing = fs::rename(self.broken.root.join("target/jinsi"), &left).is_err();
        let nothing = nothing.then(|| styles::errors_of(&finished));
        let suite = fs::read(left.join(suite::FILE)).ok();
        let suite: Option<SuiteReport> = suite.map(|t| serde_json::from_slice(&t)).transpose()?;
        let case = |test: &String| {
            let mut case = Case {
                style: self.style.name,
                kind: styles::kind_of(test),
                seconds,
                ..Case::default()
            };
            if let Some(errors) = &nothing {
                case.reason = Some(format!("nothing was recorded: {errors}"));
            }
            let file = match &suite {
                Some(suite) => recommended(&left, suite, &self.style.name_of(test), &mut case)?,
                None => None,
            };
            let written = file
                .map(|file| self.written(&file, &mut case))
                .transpose()?;
            let written = written.flatten();
            Ok(Made { case, written })
        };
        tests.iter().map(case).collect()
    }

    /// The recommended test, if it is to be run.
    fn written(&self, file: &Path, case: &mut Case) -> Result<Option<Recommended>> {
        let source =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        if self.style.is_called_by(&source) {
            case.is_wrong("it calls the failed test".to_owned());
            return Ok(None);
        }
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let name = name.into_owned();
        Ok(Some(Recommended { name, source }))
    }

    /// Compiles the recommended tests in the projects, and runs them in both.
    fn judge(&self, kept: Vec<Kept>, cases: &mut [Case]) -> Result<()> {
        let kept = self.compiling(kept, cases)?;
        if kept.is_empty() {
            return Ok(());
        }
        let [broken, repaired] = [&self.broken, &self.repaired].map(|p| self.run(p, &kept));
        let (broken, repaired) = (broken?, repaired?);
        for test in &kept {
            let case = &mut cases[test.case];
            match (ended(&broken, &test.class), ended(&repaired, &test.class)) {
                (Ended::Failed(_), Ended::Passed) => case.verdict = Verdict::Good,
                (Ended::Failed(_), other) => {
                    case.is_wrong(format!("on the repaired program {other}"))
                }
                (other, _) => case.is_wrong(format!("on the program {other}")),
            }
        }
        Ok(())
    }

    /// Those that compile in their project. The others are removed: one of them is enough for a compiler to stop.
    fn compiling(&self, mut kept: Vec<Kept>, cases: &mut [Case]) -> Result<Vec<Kept>> {
        while !kept.is_empty() {
            let finished = self
                .broken
                .maven(self.jdk, &["test-compile", "-Djinsi.skip"])?;
            if finished.status.success() {
                break;
            }
            let before = kept.len();
            let mut good = Vec::new();
            for test in kept {
                let file = format!("src/test/java/{}.java", test.class.replace('.', "/"));
                let Some(line) = finished.stdout.lines().find(|line| line.contains(&file)) else {
                    good.push(test);
                    continue;
                };
                let said = line.rsplit_once("] ").map_or(line, |(_, said)| said);
                cases[test.case].is_wrong(format!("it does not compile: {said}"));
                for project in [&self.broken, &self.repaired] {
                    fs::remove_file(project.root.join(&file))?;
                }
            }
            ensure!(
                good.len() < before,
                "the tests do not compile: {}",
                styles::errors_of(&finished)
            );
            kept = good;
        }
        Ok(kept)
    }

    /// Runs the recommended tests in a project; one by one if one of them does not end.
    fn run(&self, project: &Project, kept: &[Kept]) -> Result<Outcomes> {
        let run = |classes: &str, seconds: u32| {
            let wanted = format!("-Dtest={classes}");
            let limit = format!("-Dsurefire.timeout={seconds}");
            project.outcomes(self.jdk, &[&wanted, &limit])
        };
        let simple: Vec<&str> = kept
            .iter()
            .filter_map(|k| k.class.rsplit('.').next())
            .collect();
        if let Ok(outcomes) = run(&simple.join(","), 300) {
            let is_there = |k: &Kept| !matches!(ended(&outcomes, &k.class), Ended::NotRun);
            if kept.iter().all(is_there) {
                return Ok(outcomes);
            }
        }
        let each = simple.iter().filter_map(|class| run(class, 60).ok());
        Ok(each.flatten().collect())
    }
}

/// How a written test ended in a project.
enum Ended<'a> {
    Passed,
    Failed(&'a str),
    /// It was skipped, or did not end.
    NotRun,
}

impl std::fmt::Display for Ended<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Passed => f.write_str("it passes"),
            Self::Failed(why) => write!(f, "it fails: {why}"),
            Self::NotRun => f.write_str("it is not run to its end"),
        }
    }
}

fn ended<'a>(outcomes: &'a Outcomes, class: &str) -> Ended<'a> {
    let own = outcomes.iter().filter(|((of, _), _)| of == class);
    let results: Vec<_> = own.map(|(_, result)| result).collect();
    let failed = results.iter().find_map(|result| match result {
        JunitResult::Failed(failure) => Some(failure.trace.lines().next().unwrap_or_default()),
        _ => None,
    });
    let passed = results.iter().any(|r| matches!(r, JunitResult::Passed));
    match (failed, passed) {
        (Some(why), _) => Ended::Failed(why),
        (None, true) => Ended::Passed,
        (None, false) => Ended::NotRun,
    }
}

/// The source of the test that is recommended for the failed one, if one is and it is not another failed test's; else the case says why not.
fn recommended(
    left: &Path,
    suite: &SuiteReport,
    name: &str,
    case: &mut Case,
) -> Result<Option<PathBuf>> {
    let of_test = |test: &&TestReport| test.test.split('(').next() == Some(name);
    let Some(test) = suite.tests.iter().find(of_test) else {
        case.reason = Some("the test is not in the answer".to_owned());
        return Ok(None);
    };
    if let Some(other) = &test.same_as {
        case.reason = Some(format!("it fails like {other}"));
        return Ok(None);
    }
    let Some(keep) = &test.keep else {
        case.reason = test.why_not.clone().or(test.keep_why_not.clone());
        return Ok(None);
    };
    let file = test
        .directory
        .as_ref()
        .map(|d| left.join(d).join("report.json"));
    if let Some(file) = file.filter(|f| f.is_file()) {
        let report: Report = serde_json::from_slice(&fs::read(file)?)?;
        if let Some(level) = report.kept_level() {
            case.form = level.test_form.clone();
            case.calls = Some(level.minimized);
        }
    }
    Ok(Some(left.join(keep)))
}

impl Case {
    fn is_wrong(&mut self, why: String) {
        self.verdict = Verdict::Wrong;
        self.reason = Some(why);
    }

    /// What is known of it before the recommended tests are run.
    fn progress(&self) -> &str {
        self.reason.as_deref().unwrap_or("a test is recommended")
    }
}
