//! The main job on a real crash: JOD-3, issue 2889499 of Joda-Time 1.6 (Burger 2011, Section 1.2).
//!
//! A run of the program is recorded once and minimized on every level. Then the written tests are run in another time zone, and the
//! trace is minimized again, alone in an empty directory and without Joda-Time on the class path.

mod check;
mod report;
mod tests_run;
mod timing;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use jinsi_jdk::{Jdk, compile, maven};

use jinsi_repository::{self as repository, doctor};
use report::Report;
use timing::Timing;

/// The library that crashes.
const JODA: &str = "joda-time:joda-time:1.6";
/// The classes whose interactions are recorded.
const OBSERVE: &str = "org.joda.time.*:jod3.*";
/// In this time zone the program crashes; in those east of Greenwich, and in UTC, it does not.
const ZONE: &str = "-Duser.timezone=America/Los_Angeles";

/// What all parts need.
struct Demo {
    jdk: Jdk,
    jinsi: PathBuf,
    /// Where jinsi leaves its results: `target/demo`.
    out: PathBuf,
    /// Joda-Time, then JUnit and Mockito.
    jars: Vec<PathBuf>,
    /// Class files of the program.
    classes: PathBuf,
}

/// Runs the demonstration; `false` if something did not hold. Unless `keep_going`, it ends with the part in which that happened.
pub(crate) fn run(java: Option<&Path>, keep_going: bool) -> Result<bool> {
    let jdk = doctor::check(java, &doctor::FOR_DEMO)?;
    let mut timing = Timing::default();
    let jinsi = timing.measure("build jinsi", repository::build_jinsi_quickly)?;
    let jars = timing.measure("fetch jars", || {
        Ok(maven::fetch(
            &[&[JODA, maven::JUNIT], &maven::MOCKITO[..]].concat(),
        )?)
    })?;
    let target = repository::root().join("target");
    let demo = Demo {
        jdk,
        jinsi,
        jars,
        out: target.join("demo"),
        classes: target.join("demo-classes"),
    };
    timing.measure("compile the program", || demo.compile_program())?;

    let report = timing.measure("record and minimize", || demo.debug())?;
    timing.add_parts(&report);
    check::print_levels(&report);
    let mut held = check::print(&check::first_run(&report, &demo.out));
    if held || keep_going {
        let checks =
            timing.measure("run the tests in UTC", || tests_run::in_utc(&demo, &report))?;
        held &= check::print(&checks);
    }
    if held || keep_going {
        let again = timing.measure("minimize the trace alone", || demo.minimize_alone(&report))?;
        held &= check::print(&check::second_run(&report, &again));
    }
    timing.print();
    let place = demo.out.join("report.html");
    println!(
        "\n{}",
        if held {
            "All of it holds."
        } else {
            "NOT all of it holds."
        }
    );
    println!("The report: {}", place.display());
    Ok(held)
}

impl Demo {
    fn joda(&self) -> &Path {
        &self.jars[0]
    }

    /// JUnit and Mockito.
    fn test_jars(&self) -> &[PathBuf] {
        &self.jars[1..]
    }

    fn compile_program(&self) -> Result<()> {
        let source = repository::root().join("tests/programs/jod3/Jod3.java");
        compile::javac(&self.jdk, &[source], &self.jars[..1], &self.classes)?;
        Ok(())
    }

    /// Records one run of the program and minimizes it.
    fn debug(&self) -> Result<Report> {
        if self.out.exists() {
            fs::remove_dir_all(&self.out)
                .with_context(|| format!("cannot empty {}", self.out.display()))?;
        }
        let class_path = std::env::join_paths([&self.classes, self.joda()])?;
        let mut command = self.jinsi();
        command
            .args(["debug", "--observe", OBSERVE, "--out"])
            .arg(&self.out)
            .arg("--")
            .arg(self.jdk.java());
        repository::run(
            command
                .arg(ZONE)
                .arg("-cp")
                .arg(class_path)
                .arg("jod3.Jod3"),
        )?;
        read_report(&self.out)
    }

    /// Minimizes the trace of the first report again, with nothing else in reach.
    fn minimize_alone(&self, first: &Report) -> Result<Report> {
        let trace = trace_of(first, &self.out)?;
        let alone = tempfile::tempdir()?;
        fs::copy(&trace, alone.path().join("alone.jinsi"))
            .with_context(|| format!("cannot copy {}", trace.display()))?;
        let mut command = self.jinsi();
        command.current_dir(alone.path()).args([
            "minimize",
            "alone.jinsi",
            "--levels",
            "--out",
            "out",
        ]);
        repository::run(&mut command)?;
        read_report(&alone.path().join("out"))
    }

    /// The jinsi command with the JDK that it is to use, and without a class path from the environment.
    fn jinsi(&self) -> Command {
        let mut command = Command::new(&self.jinsi);
        command
            .env("JAVA_HOME", self.jdk.home())
            .env_remove("CLASSPATH");
        command
    }
}

fn read_report(directory: &Path) -> Result<Report> {
    let path = directory.join("report.json");
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no report", path.display()))
}

/// The trace that a report names, relative to the report if it is not absolute.
fn trace_of(report: &Report, directory: &Path) -> Result<PathBuf> {
    let path = directory.join(&report.trace);
    if report.trace.is_empty() || !path.is_file() {
        bail!("the report names no trace file: `{}`", report.trace);
    }
    Ok(path)
}
