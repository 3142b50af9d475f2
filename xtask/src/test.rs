//! Every check and test of the repository, quick ones first.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use jinsi_analysis::jvm::{Jdk, compile, maven};

use crate::{doctor, repository};

/// The replay worker with its tests.
const REPLAY: &str = "java-harness/replay";
/// The JUnit extension, and its tests.
const EXTENSION: [&str; 2] = ["java-harness/junit", "java-harness/junit-test"];
/// What the worker is started with, too: messages and causes of exceptions can be set.
const OPENS: [&str; 2] = ["--add-opens", "java.base/java.lang=ALL-UNNAMED"];

/// Runs everything; the first failure ends it with an error.
pub(crate) fn run() -> Result<bool> {
    doctor::check(None, &doctor::FOR_TESTS)?;
    cargo(&["fmt", "--all", "--check"])?;
    for jdk in doctor::usable_jdks()? {
        step(
            &format!("tests of java-harness on Java {}", jdk.version()),
            || test_harness(&jdk),
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

/// Compiles and tests the replay worker, then the JUnit extension, as `java-harness/README.md` says.
fn test_harness(jdk: &Jdk) -> Result<()> {
    let classes = tempfile::tempdir()?;
    let directory = classes.path();
    compile::javac(jdk, &java_sources(REPLAY)?, &[], directory)?;
    java(
        jdk,
        &[directory.to_owned()],
        &OPENS,
        &["jinsi.replay.SelfTest"],
    )?;

    let mut class_path = maven::fetch(&[maven::JUNIT])?;
    class_path.push(directory.to_owned());
    let sources = [java_sources(EXTENSION[0])?, java_sources(EXTENSION[1])?].concat();
    compile::javac(jdk, &sources, &class_path, directory)?;
    let recording = directory
        .join("sample/PanelReplay.jinsi")
        .display()
        .to_string();
    java(
        jdk,
        &class_path,
        &[],
        &["jinsi.replay.WriteSample", &recording],
    )?;
    java(jdk, &class_path, &[], &["jinsi.junit.JinsiReplayTest"])
}

/// Runs a main class, given with its arguments; an error if it ends with another status than 0.
fn java(jdk: &Jdk, class_path: &[PathBuf], options: &[&str], main: &[&str]) -> Result<()> {
    let class_path = env::join_paths(class_path)?;
    repository::run(
        jdk.command()
            .args(options)
            .arg("-cp")
            .arg(class_path)
            .args(main),
    )
}

/// The Java sources below a directory of the repository, in a fixed order.
fn java_sources(directory: &str) -> Result<Vec<PathBuf>> {
    sources_below(&repository::root().join(directory))
}

fn sources_below(directory: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = || format!("cannot read {}", directory.display());
    let mut sources = Vec::new();
    for entry in fs::read_dir(directory).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        if path.is_dir() {
            sources.extend(sources_below(&path)?);
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
        assert_eq!(sources_below(directory.path()).unwrap(), expected);
        assert!(sources_below(&directory.path().join("none")).is_err());
    }
}
