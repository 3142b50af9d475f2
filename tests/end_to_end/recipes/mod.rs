//! Objects that a test makes as the recorded run made them: for graphs at random, the test's object has the recorded memory graph, or the
//! test is refused.

mod graphs;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use jinsi_jdk::{Jdk, compile, maven};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::support::{compile_programs, jdks, jinsi, run, stderr, stdout, succeed};
use graphs::{Graph, graph, program};

/// So many programs are tried if nothing is said.
const CASES: u32 = 1;
/// Says how many are tried.
const VARIABLE: &str = "JINSI_RECIPES";
/// Graphs of a program.
const GRAPHS: usize = 5;
/// What a written test is compiled with.
const JUNIT: [&str; 4] = [
    "org.junit.jupiter:junit-jupiter-api:5.10.2",
    "org.junit.platform:junit-platform-commons:1.10.2",
    "org.opentest4j:opentest4j:1.3.0",
    "org.apiguardian:apiguardian-api:1.1.2",
];

/// The classes of which graphs are made.
fn shapes() -> &'static Path {
    static COMPILED: OnceLock<TempDir> = OnceLock::new();
    let compiled = || compile_programs(&["recipes", "recipes/walk"], &[]);
    COMPILED.get_or_init(compiled).path()
}

fn junit() -> &'static [PathBuf] {
    static FETCHED: OnceLock<Vec<PathBuf>> = OnceLock::new();
    FETCHED.get_or_init(|| maven::fetch(&JUNIT).expect("JUnit from Maven Central"))
}

/// What the program of these graphs saw, and what the written test of the lowest level sees, if there is one in plain Java.
struct Seen {
    recorded: String,
    test: Option<String>,
    level: Value,
}

fn seen(jdk: &Jdk, graphs: &[Graph], directory: &Path) -> Seen {
    let source = directory.join("Graphs.java");
    std::fs::write(&source, program(graphs)).unwrap();
    let classes = directory.join("classes");
    std::fs::create_dir(&classes).unwrap();
    compile::javac(jdk, &[source], &[shapes().to_owned()], &classes).expect("the graphs compile");
    let class_path = format!("{}:{}", classes.display(), shapes().display());
    let out = directory.join("report");
    let observe = ["--observe", "recipes.*", "--exclude", "recipes.walk.*"];
    let output = run(jinsi()
        .arg("debug")
        .args(observe)
        .args(["--no-shrink", "--out"])
        .arg(&out)
        .arg("--")
        .arg(jdk.java())
        .args(["-cp", &class_path, "recipes.Graphs"]));
    let said = stderr(&output);
    let thrown = "java.lang.IllegalStateException: ";
    let recorded = said.lines().find_map(|l| Some(l.split_once(thrown)?.1));
    let recorded = recorded.unwrap_or_else(|| panic!("{said}")).to_owned();
    let report = std::fs::read(out.join("report.json")).unwrap_or_else(|e| panic!("{e}: {said}"));
    let report: Value = serde_json::from_slice(&report).unwrap();
    let level = report["levels"][0].clone();
    let file = level["test_file"]
        .as_str()
        .filter(|_| level["test_form"] == "plain");
    let test = file.map(|file| rerun(jdk, &out, file, &class_path));
    Seen {
        recorded,
        test,
        level,
    }
}

/// With which message the written test fails, by a run of its own.
fn rerun(jdk: &Jdk, out: &Path, file: &str, class_path: &str) -> String {
    let into = out.join("rerun");
    std::fs::create_dir(&into).unwrap();
    let mut libraries: Vec<PathBuf> = class_path.split(':').map(PathBuf::from).collect();
    libraries.extend(junit().iter().cloned());
    compile::javac(jdk, &[out.join(file)], &libraries, &into).expect("the test compiles");
    let all = libraries.iter().chain([&into]);
    let all = std::env::join_paths(all).unwrap();
    let class = file.trim_start_matches("tests/").trim_end_matches(".java");
    let output = succeed(
        Command::new(jdk.java())
            .arg("-cp")
            .arg(all)
            .arg("recipes.walk.Rerun")
            .arg(class.replace('/', ".")),
    );
    stdout(&output)
}

/// A test that is written makes the recorded graphs; there is none only with a reason.
fn holds(jdk: &Jdk, graphs: &[Graph], refused: &mut u32) -> Result<(), TestCaseError> {
    let directory = tempdir().unwrap();
    let seen = seen(jdk, graphs, directory.path());
    let level = &seen.level;
    match &seen.test {
        Some(test) => {
            prop_assert_eq!(test, &seen.recorded, "{}\n{:#}", program(graphs), level);
            prop_assert_eq!(&level["test_outcome"], "reproduces", "{:#}", level);
        }
        None => {
            let why = level["not_direct"].as_str().unwrap_or_default();
            prop_assert!(!why.is_empty(), "no reason: {:#}", level);
            *refused += 1;
            eprintln!("refused: {why}");
        }
    }
    Ok(())
}

#[test]
fn a_test_has_the_recorded_graphs_or_is_refused() {
    let cases = std::env::var(VARIABLE).ok().and_then(|n| n.parse().ok());
    let cases = cases.unwrap_or(CASES);
    let jdk = jdks().into_iter().min_by_key(|j| j.version().feature);
    let jdk = jdk.expect("a JDK");
    let config = Config {
        cases,
        max_shrink_iters: 60,
        failure_persistence: None,
        ..Config::default()
    };
    let refused = std::cell::Cell::new(0);
    // The same graphs each time, unless more are asked for.
    let mut runner = match cases {
        CASES => TestRunner::new_with_rng(
            config,
            proptest::test_runner::TestRng::deterministic_rng(Default::default()),
        ),
        _ => TestRunner::new(config),
    };
    let batch = prop::collection::vec(graph(), GRAPHS);
    let result = runner.run(&batch, |graphs| {
        let mut count = refused.get();
        let result = holds(&jdk, &graphs, &mut count);
        refused.set(count);
        result
    });
    if let Err(why) = result {
        panic!("{why}");
    }
    // Otherwise nothing is tested.
    assert!(
        refused.get() * 4 <= cases,
        "{} of {cases} programs are refused",
        refused.get()
    );
}
