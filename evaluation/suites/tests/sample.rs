//! The measure on one small library: every part of it runs, and what it says of a run is consistent.

use std::fs;

use clap::Parser;
use jinsi_ground::repository;
use serde_json::Value;

/// As `cargo xtask suites` takes them.
#[derive(Parser)]
struct CommandLine {
    #[command(flatten)]
    suites: jinsi_suites::Arguments,
}

#[test]
#[ignore = "resolves a library, builds jinsi in the release profile, and minimizes: some minutes"]
fn defects_of_a_small_library_are_measured() {
    let place = tempfile::tempdir().unwrap();
    let list = place.path().join("list");
    fs::write(&list, "org.apache.commons:commons-numbers-fraction:1.1\n").unwrap();
    let line = ["suites", "--seed", "1", "--mutants", "3", "--libraries"].map(str::to_owned);
    let line = line.into_iter().chain([list.display().to_string()]);
    let holds = jinsi_suites::run(&CommandLine::parse_from(line).suites).unwrap();
    assert!(!holds, "one library is too short a list");

    let report = repository::root().join("target/suites/report.json");
    let report: Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
    assert_eq!(report["libraries"][0]["why_not"], Value::Null);
    assert!(report["libraries"][0]["green"].as_u64().unwrap() > 100);
    assert_eq!(report["totals"]["defects"]["drawn"], 3);
    assert_eq!(report["totals"]["defects"]["unverified"], 0);
    let runs = report["runs"].as_array().unwrap();
    assert!(!runs.is_empty(), "no defect lets a test fail");
    for run in runs {
        assert_eq!(run["outcome_same"], true, "{run}");
        assert_eq!(run["framework"], "junit5", "{run}");
        // Whatever is wrong has a reason, and what flips fails.
        assert_eq!(run["flips"] == false, run["why_not"].is_string(), "{run}");
        assert!(run["fails"] == true || run["flips"] == false, "{run}");
        assert!(run["keep"].is_object() || run["flips"] == false, "{run}");
    }
}
