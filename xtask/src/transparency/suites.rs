//! Published test suites: the same tests pass and fail with the agent.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_analysis::jvm::{Jdk, compile, maven};
use serde::Serialize;
use tempfile::TempDir;

use super::outcomes::{Difference, Outcomes, class_of};
use super::run::{self, Agent, Recording};
use super::table::{REVIEWED, Suite};
use crate::repository;

/// Time for one run of a suite; with the agent each takes some minutes on two idle cores.
const LIMIT: Duration = Duration::from_secs(1800);
/// The program that runs a suite.
const RUNNER: &str = "xtask/java/transparency/runner";
/// File of the runner in the directory of a run.
const LINES: &str = "lines";
/// Packages of the JDK into which the libraries' own builds open a way for their tests.
const OPENS: [&str; 12] = [
    "lang",
    "lang.reflect",
    "lang.invoke",
    "util",
    "util.concurrent",
    "util.regex",
    "net",
    "nio",
    "text",
    "time",
    "time.chrono",
    "time.format",
];

/// What the runs of a suite were like.
#[derive(Serialize)]
pub(super) struct SuiteReport {
    name: &'static str,
    jdk: String,
    /// Which test classes were not run, and why.
    left_out: &'static str,
    tests: usize,
    failed_plain: usize,
    same: usize,
    different: Vec<Difference>,
    flaky: Vec<Difference>,
    seconds_plain: f64,
    seconds_agent: f64,
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

    /// For people.
    pub(super) fn text(&self) -> String {
        let mut text = format!(
            "{:<22} Java {:<8} {} tests ({} fail without the agent), {} the same, {} different, {} flaky; {:.0} s plain, {:.0} s \
             with the agent; {} events of {} classes, {} bytes, {} notes",
            self.name,
            self.jdk,
            self.tests,
            self.failed_plain,
            self.same,
            self.different.len(),
            self.flaky.len(),
            self.seconds_plain,
            self.seconds_agent,
            self.recording.events,
            self.recording.classes_rewritten,
            self.recording.trace_bytes,
            self.recording.classes_skipped.len()
        );
        for (kind, list) in [("different", &self.different), ("flaky", &self.flaky)] {
            for d in list {
                let reason = d.reason.as_deref().unwrap_or("no known reason");
                text += &format!(
                    "\n  {kind}: {}: {} without the agent, {} with it ({reason})",
                    d.test, d.plain, d.agent
                );
            }
        }
        for damage in &self.recording.damage {
            text += &format!("\n  damaged: {damage}");
        }
        text
    }
}

/// Compiles the program that runs a suite.
pub(super) fn compile_runner(compiler: &Jdk) -> Result<TempDir> {
    let classes = tempfile::tempdir()?;
    let launcher = maven::fetch(&[maven::JUNIT])?;
    compile::javac(
        compiler,
        &repository::java_sources(RUNNER)?,
        &launcher,
        classes.path(),
    )?;
    Ok(classes)
}

/// A suite on a JDK.
struct Bench<'a> {
    suite: &'a Suite,
    jdk: &'a Jdk,
    /// Has the `jar` program.
    compiler: &'a Jdk,
    tests: PathBuf,
    /// The library and all that its tests need, the runner included.
    class_path: Vec<PathBuf>,
}

/// One run.
struct Run {
    outcomes: Outcomes,
    seconds: f64,
    recording: Recording,
}

/// Runs a suite without and with the agent at the same time; what differs, once more.
pub(super) fn run(
    suite: &Suite,
    runner: &Path,
    jdk: &Jdk,
    compiler: &Jdk,
    agent: &Agent,
) -> Result<SuiteReport> {
    let tests = maven::fetch(&[&format!("{}:tests", suite.library)])?;
    let mut class_path = maven::fetch(&[suite.library, maven::JUNIT])?;
    class_path.extend(maven::fetch(suite.needs)?);
    class_path.push(runner.to_owned());
    let bench = Bench {
        suite,
        jdk,
        compiler,
        tests: tests[0].clone(),
        class_path,
    };
    let (plain, observed) = std::thread::scope(|scope| {
        let plain = scope.spawn(|| bench.run(suite.classes, None));
        let observed = bench.run(suite.classes, Some(agent));
        anyhow::Ok((plain.join().expect("does not panic")?, observed?))
    })?;
    let all = plain.outcomes.differences(&observed.outcomes);
    let (flaky, mut different) = bench.sort_out(&all, agent)?;
    for difference in &mut different {
        difference.reason = REVIEWED
            .iter()
            .find(|r| r.suite == suite.name && difference.test.contains(r.test))
            .map(|r| r.reason.to_owned());
    }
    Ok(SuiteReport {
        name: suite.name,
        jdk: jdk.version().to_string(),
        left_out: suite.leave_out.1,
        tests: plain.outcomes.len(),
        failed_plain: plain.outcomes.count("FAILED"),
        same: plain.outcomes.len() - all.iter().filter(|d| d.plain != "absent").count(),
        different,
        flaky,
        seconds_plain: plain.seconds,
        seconds_agent: observed.seconds,
        recording: observed.recording,
    })
}

impl Bench<'_> {
    /// Runs the classes with differences again, twice without the agent and once with it: what ends in both ways on one side is flaky.
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
        let again = [
            self.run(&pattern, None)?,
            self.run(&pattern, None)?,
            self.run(&pattern, Some(agent))?,
        ];
        let verdict = |d: &Difference| {
            let [a, b, with] = &again;
            let plain = [a, b].map(|run| run.outcomes.of(&d.test));
            if plain.iter().any(|outcome| *outcome != d.plain) {
                Some("does not always end alike without the agent")
            } else if with.outcomes.of(&d.test) == d.plain {
                Some("ends alike with the agent in a second run")
            } else {
                None
            }
        };
        let reasons = all.iter().map(|d| Difference {
            reason: verdict(d).map(str::to_owned),
            ..d.clone()
        });
        Ok(reasons.partition(|d| d.reason.is_some()))
    }

    /// Runs the test classes whose names match, in a directory of its own that looks like that of the library's build.
    fn run(&self, classes: &str, agent: Option<&Agent>) -> Result<Run> {
        let place = tempfile::tempdir()?;
        let directory = place.path();
        let test_classes = self.unpack(directory)?;
        let lines = directory.join(LINES);
        let option = agent.map(|a| a.option(self.suite.observe, directory));
        let mut class_path = vec![test_classes.clone()];
        class_path.extend_from_slice(&self.class_path);
        let mut command = self.jdk.command();
        command.current_dir(directory).args(option);
        for package in OPENS {
            command.args([
                "--add-opens",
                &format!("java.base/java.{package}=ALL-UNNAMED"),
            ]);
        }
        command
            .arg(format!(
                "-Djava.io.tmpdir={}",
                directory.join("tmp").display()
            ))
            .args(["-Xmx1g", "-Duser.language=en", "-Duser.country=US", "-cp"])
            .arg(std::env::join_paths(class_path)?)
            .arg("runner.TestRunner")
            .args([test_classes.as_os_str(), classes.as_ref()])
            .args([self.suite.leave_out.0.as_ref(), lines.as_os_str()]);
        let ran = run::run(&mut command, LIMIT)?;
        let end = ran.finished.stderr.lines().last().unwrap_or_default();
        ensure!(
            ran.finished.status.success(),
            "the tests' JVM ended with {}: {end}",
            ran.finished.status
        );
        let text = fs::read_to_string(&lines).context("the outcomes of the tests")?;
        Ok(Run {
            outcomes: Outcomes::parse(&text),
            seconds: ran.seconds,
            recording: agent
                .map_or_else(|| Ok(Recording::default()), |a| a.recording(directory))?,
        })
    }

    /// Unpacks the tests; where their class files are. Tests read their files from below `src/test/resources`.
    fn unpack(&self, directory: &Path) -> Result<PathBuf> {
        let classes = directory.join("target/test-classes");
        fs::create_dir_all(&classes)?;
        fs::create_dir_all(directory.join("src/test"))?;
        fs::create_dir(directory.join("tmp"))?;
        symlink(&classes, directory.join("src/test/resources"))?;
        let mut jar = Command::new(self.compiler.home().join("bin/jar"));
        jar.current_dir(&classes).arg("xf").arg(&self.tests);
        repository::run(&mut jar)?;
        Ok(classes)
    }
}
