//! Every check and test of the repository, quick ones first.

use std::env;
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use jinsi_jdk::{Jdk, compile, maven};

use jinsi_repository::{self as repository, doctor};

/// The replay worker with its tests, the JUnit extension, and its tests.
const SOURCES: [&str; 3] = [
    "java-harness/replay",
    "java-harness/junit",
    "java-harness/junit-test",
];
/// What the worker is started with, too: messages and causes of exceptions can be set.
const OPENS: [&str; 2] = ["--add-opens", "java.base/java.lang=ALL-UNNAMED"];

/// Programs of `harm`, one of each kind of effect.
const HARM: &str = "delete/direct,secret/lambda,process/thread";

/// Says to the end-to-end tests that each goes through every JDK.
const EVERY_JDK: &str = "JINSI_EVERY_JDK";

/// Runs everything; the first failure ends it with an error.
pub(crate) fn run(long: bool) -> Result<bool> {
    doctor::check(None, &doctor::FOR_TESTS)?;
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["xtask", "layers"])?;
    step("tests of java-harness on every JDK", test_harnesses)?;
    cargo(&[
        "clippy",
        "--workspace",
        "--exclude",
        repository::LONG_TO_BUILD,
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ])?;
    step("cargo test --workspace", || {
        let mut tests = repository::cargo();
        tests.args(["test", "--workspace"]);
        match long {
            true => {
                tests
                    .env(EVERY_JDK, "1")
                    .args(["--features", "mcp", "--", "--include-ignored"])
            }
            false => tests.args(["--exclude", repository::LONG_TO_BUILD]),
        };
        repository::run(&mut tests)
    })?;
    // Samples of long checks, with what `cargo test` has built.
    cargo(&["xtask", "kill", "--dev", "--runs", "6"])?;
    cargo(&[
        "xtask",
        "flip-bits",
        "--dev",
        "--flips",
        "100",
        "--answers",
        "3",
    ])?;
    cargo(&["xtask", "harm", "--dev", "--only", HARM])?;
    cargo(&["xtask", "corpus", "--dev", "--sample", "--check-minimal"])?;
    cargo(&["xtask", "assertions", "--dev", "--sample"])?;
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

/// The tests of the Java harness, on the JDKs side by side.
fn test_harnesses() -> Result<()> {
    let jdks = doctor::usable_jdks()?;
    thread::scope(|scope| {
        let tests = jdks.iter().map(|jdk| scope.spawn(|| test_harness(jdk)));
        let tests: Vec<_> = tests.collect();
        for (jdk, test) in jdks.iter().zip(tests) {
            let outcome = test.join().expect("a test of the harness panicked");
            outcome.with_context(|| format!("on Java {}", jdk.version()))?;
        }
        Ok(())
    })
}

/// Compiles and tests the replay worker and the JUnit extension, as `java-harness/README.md` says.
fn test_harness(jdk: &Jdk) -> Result<()> {
    let classes = tempfile::tempdir()?;
    let directory = classes.path();
    let mut class_path = maven::fetch(&[&[maven::JUNIT], &maven::JUNIT_4[..]].concat())?;
    let sources = SOURCES.map(repository::java_sources);
    let sources: Vec<PathBuf> = sources.into_iter().collect::<Result<Vec<_>>>()?.concat();
    compile::javac(jdk, &sources, &class_path, directory)?;
    class_path.push(directory.to_owned());
    let [for_5, for_4] = ["PanelReplay", "PanelReplay4"].map(|test| {
        let file = directory.join(format!("sample/{test}.jinsi"));
        file.display().to_string()
    });
    java(
        jdk,
        &class_path,
        &[],
        &["jinsi.replay.WriteSample", &for_5, &for_4],
    )?;
    junit(jdk, &class_path, &OPENS, "jinsi.replay")?;
    // The extension does without.
    junit(jdk, &class_path, &[], "jinsi.junit")
}

/// Runs the tests of a package; an error if one fails, or there is none.
fn junit(jdk: &Jdk, class_path: &[PathBuf], options: &[&str], package: &str) -> Result<()> {
    let launcher = [
        "org.junit.platform.console.ConsoleLauncher",
        "execute",
        "--disable-banner",
        "--fail-if-no-tests",
        "--details=summary",
        "--select-package",
        package,
    ];
    java(jdk, class_path, options, &launcher)
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
