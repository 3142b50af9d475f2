//! The runs whose facts are asked.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_ground::bugs::{Bug, CHOSEN};
use jinsi_ground::{commands, repository};
use jinsi_jdk::{Jdk, compile, process};

use super::program_generator;

/// Time for a recording, far beyond what any may take.
const LIMIT: Duration = Duration::from_secs(120);

/// What records.
pub(super) struct Recorder<'a> {
    pub(super) jdk: &'a Jdk,
    pub(super) jinsi: &'a Path,
}

/// A program.
struct Program<'a> {
    sources: Vec<PathBuf>,
    class_path: Vec<PathBuf>,
    options: Vec<String>,
    main: &'a str,
    observe: &'a str,
}

impl Recorder<'_> {
    /// The example of the paper.
    pub(super) fn example(&self, place: &Path) -> Result<PathBuf> {
        self.record(
            place,
            &Program {
                sources: repository::java_sources("tests/programs/javata")?,
                class_path: Vec::new(),
                options: Vec::new(),
                main: "Example",
                observe: "Example:FarAWayClass",
            },
        )
    }

    /// A generated program.
    pub(super) fn made(&self, place: &Path, seed: u64) -> Result<PathBuf> {
        let file = place.join("Made.java");
        std::fs::write(&file, program_generator::program(seed))?;
        self.record(
            place,
            &Program {
                sources: vec![file],
                class_path: Vec::new(),
                options: Vec::new(),
                main: "made.Made",
                observe: "made.*",
            },
        )
    }

    /// A bug of the corpus.
    pub(super) fn bug(&self, place: &Path, name: &str) -> Result<PathBuf> {
        let bugs = Bug::wanted(CHOSEN, &[name.to_owned()])?;
        let bug = bugs.first().context("there is no such bug")?;
        self.record(
            place,
            &Program {
                sources: bug.driver()?,
                class_path: bug.jars()?,
                options: bug.jvm_options(),
                main: &bug.main,
                observe: &bug.observe,
            },
        )
    }

    fn record(&self, place: &Path, program: &Program<'_>) -> Result<PathBuf> {
        let classes = place.join("classes");
        std::fs::create_dir(&classes)?;
        compile::javac(self.jdk, &program.sources, &program.class_path, &classes)?;
        let class_path = program.class_path.iter().chain([&classes]);
        let class_path = std::env::join_paths(class_path)?;
        let trace = place.join("run.jinsi");
        let mut record = commands::record(self.jinsi, (program.observe, "states"), &trace);
        record
            .current_dir(place)
            .arg(self.jdk.java())
            .args(&program.options)
            .arg("-cp")
            .arg(class_path)
            .arg(program.main);
        // Most of them end with an exception.
        process::run(&mut record, LIMIT)?;
        ensure!(trace.is_file(), "nothing was recorded");
        Ok(trace)
    }
}
