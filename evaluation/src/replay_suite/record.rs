//! Records the runs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};
use jinsi_ground::commands::{agent, compiled};
use jinsi_jdk::{Jdk, process};
use tempfile::TempDir;

use super::manifest::{RecordedRun, What};
use crate::transparency::{Corpus, TestJar, compile_runner};

/// Time for one run; each takes some seconds.
const LIMIT: Duration = Duration::from_secs(120);
/// Tests draw the same random numbers in each run, as far as they take them from the JDK's own generators: two runs are compared.
const SAME_NUMBERS: &str = "-Drunner.seed=1 --add-opens=java.base/java.lang=ALL-UNNAMED \
     --add-opens=java.base/java.util=ALL-UNNAMED";
/// What a JVM may do otherwise, and no program can rely on; each further whole recording of a run is made in the next of these ways. HotSpot's ways to identity hash codes, other than the
/// usual generator, which begins the same in every thread, are one generator for all threads (0), addresses (4), a sequence (3), addresses and a generator (1). Without its archive of
/// classes, these have other hash codes, too, and reflection finds their methods in another order. Interpreted code has another speed than the agent beside it: threads that race go other
/// ways. That is slow, so it is not the first.
pub(super) const OTHER_WAYS: [&str; 5] = [
    "-XX:hashCode=0",
    "-XX:hashCode=0 -Xshare:off",
    "-XX:hashCode=4 -Xint",
    "-XX:hashCode=3",
    "-XX:hashCode=1 -Xshare:off -Xint",
];
/// The same for further recordings of the boundary of a run whose threads may race.
pub(super) const OTHER_SPEEDS: [&str; 4] = ["", "-Xint", "", "-Xint"];
/// Name of the trace in the directory of a run.
const TRACE: &str = "t.jinsi";

/// What records.
pub(super) struct Recorder {
    pub(super) jdk: Jdk,
    compiler: Jdk,
    jinsi: PathBuf,
    /// The agent's `detail=`.
    detail: String,
    runner: TempDir,
    tests: HashMap<String, TestJar>,
}

impl Recorder {
    /// With the agent beside the `jinsi` command.
    pub(super) fn new(jinsi: &Path, detail: &str, jdk: Jdk, compiler: Jdk) -> Result<Self> {
        Ok(Self {
            jdk,
            runner: compile_runner(&compiler)?,
            compiler,
            jinsi: jinsi.to_owned(),
            detail: detail.to_owned(),
            tests: HashMap::new(),
        })
    }

    /// Where the trace of the run is that was recorded into this directory.
    pub(super) fn trace(&self, directory: &Path) -> PathBuf {
        directory.join(TRACE)
    }

    /// Records a run into a directory; where its trace is.
    pub(super) fn record(&mut self, run: &RecordedRun, directory: &Path) -> Result<PathBuf> {
        self.record_in(run, directory, "")
    }

    /// Records a run with these further options of the JVM.
    pub(super) fn record_in(
        &mut self,
        run: &RecordedRun,
        directory: &Path,
        way: &str,
    ) -> Result<PathBuf> {
        let trace = self.trace(directory);
        let options = format!("observe={},detail={}", run.observe, self.detail);
        let option = agent(&self.jinsi, &options, &trace);
        let mut command = match &run.what {
            What::Program {
                sources,
                needs,
                main,
                args,
            } => {
                let mut command = self.program(sources, needs, &option, directory)?;
                command.arg(main).args(args);
                command
            }
            What::Suite { suite, tests } => {
                let corpus = Corpus::read()?;
                let suite = corpus.suite(suite)?;
                self.tests(&suite.library, &suite.needs, tests, &option, directory)?
            }
            What::Library {
                library,
                needs,
                tests,
            } => self.tests(library, needs, tests, &option, directory)?,
        };
        let options = format!("{SAME_NUMBERS} -XX:+UnlockExperimentalVMOptions {way}");
        command.env("JDK_JAVA_OPTIONS", options);
        let finished = process::run(&mut command, LIMIT)?;
        ensure!(
            trace.is_file(),
            "nothing was recorded; the JVM said: {}",
            finished.stderr.lines().last().unwrap_or_default()
        );
        Ok(trace)
    }

    fn program(
        &self,
        sources: &[String],
        needs: &[String],
        option: &str,
        directory: &Path,
    ) -> Result<Command> {
        let classes = directory.join("classes");
        let class_path = compiled(&self.compiler, sources, needs, &classes)?;
        let mut command = self.jdk.command();
        command.current_dir(directory).arg(option).arg("-cp");
        command.arg(std::env::join_paths(class_path)?);
        Ok(command)
    }

    fn tests(
        &mut self,
        library: &str,
        needs: &[String],
        classes: &str,
        option: &str,
        directory: &Path,
    ) -> Result<Command> {
        if !self.tests.contains_key(library) {
            let jar = TestJar::fetch(library, needs, self.runner.path(), &self.compiler)?;
            self.tests.insert(library.to_owned(), jar);
        }
        self.tests[library].command(&self.jdk, directory, Some(option), classes, "")
    }
}
