//! Every check and test of the repository, quick ones first.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use jinsi_analysis::jvm::{Jdk, compile};

use crate::{doctor, repository};

/// Where the replay worker is, with its tests.
const REPLAY: &str = "java-harness/replay";
/// Its class with all tests: ends with another status than 0 if one fails.
const SELF_TEST: &str = "jinsi.replay.SelfTest";

/// Runs everything; the first failure ends it with an error.
pub(crate) fn run() -> Result<bool> {
    doctor::check(None, &doctor::FOR_TESTS)?;
    cargo(&["fmt", "--all", "--check"])?;
    for jdk in doctor::usable_jdks()? {
        step(
            &format!("tests of {REPLAY} on Java {}", jdk.version()),
            || test_replay(&jdk),
        )?;
    }
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ])?;
    cargo(&["test", "--workspace"])?;
    println!("\nEvery check and test passed.");
    Ok(true)
}

fn cargo(arguments: &[&str]) -> Result<()> {
    step(&format!("cargo {}", arguments.join(" ")), || {
        repository::run(repository::cargo().args(arguments))
    })
}

/// Announces a step, takes it, and prints how long it took.
fn step(name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("\n== {name}");
    let start = Instant::now();
    work()?;
    println!("{:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Compiles the replay worker with its tests, and runs them.
fn test_replay(jdk: &Jdk) -> Result<()> {
    let classes = tempfile::tempdir()?;
    let sources = java_sources(&repository::root().join(REPLAY))?;
    compile::javac(jdk, &sources, &[], classes.path())?;
    repository::run(jdk.command().arg("-cp").arg(classes.path()).arg(SELF_TEST))
}

/// The Java sources in a directory and those below, in a fixed order.
fn java_sources(directory: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = || format!("cannot read {}", directory.display());
    let mut sources = Vec::new();
    for entry in fs::read_dir(directory).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        if path.is_dir() {
            sources.extend(java_sources(&path)?);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "java")
        {
            sources.push(path);
        }
    }
    sources.sort();
    Ok(sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_found_below_directories() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir_all(directory.path().join("b/c")).unwrap();
        for file in ["b/c/D.java", "A.java", "b/notes.md"] {
            fs::write(directory.path().join(file), "").unwrap();
        }
        let expected: Vec<PathBuf> = ["A.java", "b/c/D.java"]
            .iter()
            .map(|file| directory.path().join(file))
            .collect();
        assert_eq!(java_sources(directory.path()).unwrap(), expected);
        assert!(java_sources(&directory.path().join("none")).is_err());
    }
}
