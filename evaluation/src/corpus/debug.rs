//! Records and minimizes one bug.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};
use jinsi_analysis::report::json::Report;
use jinsi_ground::bugs::Bug;
use jinsi_ground::files;
use jinsi_jdk::{Jdk, compile, process};

/// Time for one bug, far beyond what any may take.
pub(super) const LIMIT: Duration = Duration::from_secs(300);

/// What runs the bugs.
pub(super) struct Debugger {
    pub(super) jinsi: PathBuf,
    pub(super) jdk: Jdk,
    /// Minimizes each trace, too, if there is one.
    pub(super) other_jdk: Option<Jdk>,
    /// Is each bug recorded at the boundary, too?
    pub(super) boundary: bool,
    /// Compiles the drivers; the oldest, so that all JDKs can run them.
    pub(super) compiler: Jdk,
    /// Each bug has a directory of its package's name in it.
    pub(super) out: PathBuf,
    /// Have the figures of the other searches, too.
    pub(super) ddmin: bool,
    /// Version of JUnit that the tests are written for.
    pub(super) junit: u32,
    /// JVMs to replay on, if not as jinsi chooses.
    pub(super) workers: Option<u16>,
}

/// A bug that was recorded and minimized.
pub(super) struct Debugged {
    pub(super) report: Report,
    /// Where the report is.
    pub(super) directory: PathBuf,
}

impl Debugged {
    /// The trace.
    pub(super) fn trace(&self) -> PathBuf {
        self.directory.join(&self.report.trace)
    }
}

impl Debugger {
    /// Compiles the driver, and has `jinsi debug` do the rest.
    pub(super) fn debug(&self, bug: &Bug) -> Result<Debugged> {
        let place = self.out.join(bug.package());
        files::remove(&place)?;
        let driver = place.join("driver");
        let directory = place.join("report");
        let jars = bug.jars()?;
        compile::javac(&self.compiler, &bug.driver()?, &jars, &driver)?;
        let detail = self.boundary.then_some("interactions");
        self.run(bug, (&directory, detail), &driver, &jars)?;
        self.debugged(bug)
    }

    /// Records a bug that was debugged again, at the boundary, and has `jinsi debug` do the rest.
    pub(super) fn debug_at_boundary(&self, bug: &Bug) -> Result<Report> {
        let place = self.out.join(bug.package());
        let directory = place.join("boundary");
        let jars = bug.jars()?;
        let how = (directory.as_path(), Some("boundary"));
        self.run(bug, how, &place.join("driver"), &jars)?;
        files::document(&directory.join("report.json"))
    }

    /// What was made of a bug.
    pub(super) fn debugged(&self, bug: &Bug) -> Result<Debugged> {
        let directory = self.out.join(bug.package()).join("report");
        let report = files::document(&directory.join("report.json"))?;
        Ok(Debugged { report, directory })
    }

    /// `detail`: how it is recorded, if not as jinsi chooses.
    fn run(
        &self,
        bug: &Bug,
        (out, detail): (&Path, Option<&str>),
        driver: &Path,
        jars: &[PathBuf],
    ) -> Result<()> {
        let class_path = std::iter::once(driver).chain(jars.iter().map(PathBuf::as_path));
        let mut command = Command::new(&self.jinsi);
        command
            .env("JAVA_HOME", self.jdk.home())
            .env_remove("CLASSPATH")
            .args(["--json", "debug", "--observe", &bug.observe, "--out"])
            .arg(out)
            .args(["--search", if self.ddmin { "all" } else { "grow" }])
            .args(["--junit", &self.junit.to_string()])
            .args(detail.map(|detail| format!("--detail={detail}")))
            .args(self.workers.map(|count| format!("--workers={count}")))
            .args(bug.time_limit.map(|limit| format!("--time-limit={limit}")))
            .args(&bug.oracle)
            .arg("--")
            .arg(self.jdk.java())
            .args(bug.jvm_options())
            .arg("-cp")
            .arg(std::env::join_paths(class_path)?)
            .arg(&bug.main);
        let finished = process::run(&mut command, LIMIT)?;
        // Status 1 is a report without a test that reproduces.
        ensure!(
            matches!(finished.status.code(), Some(0 | 1)) && out.join("report.json").is_file(),
            "jinsi debug: {}",
            finished.stderr.lines().last().unwrap_or_default()
        );
        Ok(())
    }
}
