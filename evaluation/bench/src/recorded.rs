//! Bugs of the corpus, recorded.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use jinsi_ground::bugs::Bug;
use jinsi_ground::commands;
use jinsi_jdk::{Jdk, compile};

use jinsi_ground::child::{self, Limits};

/// A run of a bug's program.
pub(crate) struct Recorded {
    pub(crate) trace: PathBuf,
    /// Classes of the driver.
    pub(crate) driver: PathBuf,
    /// The faulty library, and what it needs.
    pub(crate) jars: Vec<PathBuf>,
}

impl Recorded {
    /// Compiles the driver, and has `jinsi` record it in this detail; all in a place of its own.
    ///
    /// # Errors
    /// The library cannot be had, or there is no trace.
    pub(crate) fn of(
        bug: &Bug,
        (jinsi, jdk): (&Path, &Jdk),
        (place, limits): (&Path, Limits),
        detail: &str,
    ) -> Result<Self> {
        let driver = place.join("driver");
        let jars = bug.jars()?;
        compile::javac(jdk, &bug.driver()?, &jars, &driver)?;
        let trace = place.join("run.jinsi");
        let class_path = std::iter::once(&driver).chain(&jars);
        let mut record = commands::record(jinsi, (&bug.observe, detail), &trace);
        record
            .env("JAVA_HOME", jdk.home())
            .env_remove("CLASSPATH")
            .arg(jdk.java())
            .args(bug.jvm_options())
            .arg("-cp")
            .arg(std::env::join_paths(class_path)?)
            .arg(&bug.main);
        let run = child::run(&mut record, place, limits)?;
        let last = run.stderr.lines().last().unwrap_or_default();
        ensure!(trace.exists(), "jinsi record: {last}");
        Ok(Self {
            trace,
            driver,
            jars,
        })
    }
}
