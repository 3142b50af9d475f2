//! Published test suites: the same tests pass and fail with the agent.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_jdk::Jdk;
use jinsi_trace::model::Detail;
use serde::Serialize;

use super::corpus::{Corpus, Suite};
use super::outcomes::{Difference, Outcomes, class_of};
use super::run::{self, Agent, Recording};
use super::test_jar::{LINES, TestJar};

/// Time for one run of a suite; with the agent each takes some minutes on two idle cores.
const LIMIT: Duration = Duration::from_secs(1800);
/// What the runs of a suite were like.
#[derive(Serialize)]
pub(super) struct SuiteReport {
    name: String,
    jdk: String,
    /// How much was recorded.
    detail: Detail,
    /// Which test classes were not run, and why.
    left_out: String,
    tests: usize,
    failed_plain: usize,
    same: usize,
    different: Vec<Difference>,
    flaky: Vec<Difference>,
    seconds_plain: f64,
    seconds_agent: f64,
    /// Time with the agent by time without, one run of each, the one after the other.
    ratio: f64,
    #[serde(flatten)]
    recording: Recording,
}

impl SuiteReport {
    /// Has every difference a reason?
    pub(super) fn holds(&self) -> bool {
        self.tests > 0
            && self.recording.damage.is_empty()
            && self.different.iter().all(|d| d.reason.is_some())
    }
}

/// A suite on a JDK.
struct Bench<'a> {
    corpus: &'a Corpus,
    suite: &'a Suite,
    jdk: &'a Jdk,
    tests: TestJar,
}

/// One run.
struct Run {
    outcomes: Outcomes,
    seconds: f64,
    recording: Recording,
}

/// Runs with the agent of a test that ended otherwise with it: statistical tests fail by chance, and some of thousands do so twice.
const AGAIN: usize = 5;

/// Runs a suite without the agent, and with each of the agents; what differs, again.
pub(super) fn run(
    (corpus, suite): (&Corpus, &Suite),
    runner: &Path,
    jdk: &Jdk,
    compiler: &Jdk,
    agents: &[Agent],
) -> Result<Vec<SuiteReport>> {
    let tests = TestJar::fetch(&suite.library, &suite.needs, runner, compiler)?;
    let bench = Bench {
        corpus,
        suite,
        jdk,
        tests,
    };
    let plain = bench.run(&suite.classes, None)?;
    agents
        .iter()
        .map(|agent| {
            let report = bench.compare(&plain, agent)?;
            eprintln!("{}", jinsi_ground::report::brief(&report));
            Ok(report)
        })
        .collect()
}

impl Bench<'_> {
    /// Runs the suite with the agent, and compares.
    fn compare(&self, plain: &Run, agent: &Agent) -> Result<SuiteReport> {
        let suite = self.suite;
        let observed = self.run(&suite.classes, Some(agent))?;
        let all = plain.outcomes.differences(&observed.outcomes);
        let (flaky, mut different) = self.sort_out(&all, agent)?;
        for difference in &mut different {
            difference.reason = self.corpus.reviewed(suite, &difference.test);
        }
        Ok(SuiteReport {
            name: suite.name.clone(),
            jdk: self.jdk.version().to_string(),
            detail: agent.detail(),
            left_out: suite.leave_out.why.clone(),
            tests: plain.outcomes.len(),
            failed_plain: plain.outcomes.count("FAILED"),
            same: plain.outcomes.len() - all.iter().filter(|d| d.plain != "absent").count(),
            different,
            flaky,
            seconds_plain: plain.seconds,
            seconds_agent: observed.seconds,
            ratio: observed.seconds / plain.seconds,
            recording: observed.recording,
        })
    }

    /// Runs the classes with differences again, twice without the agent, and with it until each has ended alike once, at most [`AGAIN`] times:
    /// what ends in both ways on one side is flaky.
    fn sort_out(
        &self,
        all: &[Difference],
        agent: &Agent,
    ) -> Result<(Vec<Difference>, Vec<Difference>)> {
        let classes: BTreeSet<&str> = all.iter().filter_map(|d| class_of(&d.test)).collect();
        if classes.is_empty() {
            return Ok((Vec::new(), all.to_vec()));
        }
        let names: Vec<String> = classes
            .iter()
            .map(|name| name.replace('.', "\\.").replace('$', "\\$"))
            .collect();
        let pattern = names.join("|");
        let plain = [self.run(&pattern, None)?, self.run(&pattern, None)?];
        let mut with: Vec<Run> = Vec::new();
        let verdict = |d: &Difference, with: &[Run]| {
            let alike = |run: &Run| run.outcomes.of(&d.test) == d.plain;
            if !plain.iter().all(alike) {
                Some("does not always end alike without the agent")
            } else if with.iter().any(alike) {
                Some("ends alike with the agent in another run")
            } else {
                None
            }
        };
        while with.len() < AGAIN && all.iter().any(|d| verdict(d, &with).is_none()) {
            with.push(self.run(&pattern, Some(agent))?);
        }
        let reasons = all.iter().map(|d| Difference {
            reason: verdict(d, &with).map(str::to_owned),
            ..d.clone()
        });
        Ok(reasons.partition(|d| d.reason.is_some()))
    }

    /// Runs the test classes whose names match, in a directory of its own that looks like that of the library's build.
    fn run(&self, classes: &str, agent: Option<&Agent>) -> Result<Run> {
        let place = tempfile::tempdir()?;
        let directory = place.path();
        let option = agent.map(|a| a.option(&self.suite.observe, directory));
        let left_out = &self.suite.leave_out.classes;
        let mut command =
            self.tests
                .command(self.jdk, directory, option.as_deref(), classes, left_out)?;
        let ran = run::run(&mut command, LIMIT)?;
        let end = ran.finished.stderr.lines().last().unwrap_or_default();
        ensure!(
            ran.finished.status.success(),
            "the tests' JVM ended with {}: {end}",
            ran.finished.status
        );
        let text =
            fs::read_to_string(directory.join(LINES)).context("the outcomes of the tests")?;
        Ok(Run {
            outcomes: Outcomes::parse(&text),
            seconds: ran.seconds,
            recording: agent
                .map_or_else(|| Ok(Recording::default()), |a| a.recording(directory))?,
        })
    }
}
