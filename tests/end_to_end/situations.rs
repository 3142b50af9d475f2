//! The situations in which a test is unresolved are distinguished (Burger 2011, Section 4.1); and receivers are (Section 8.7.2.1).

use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use super::support::{jdks, jinsi, json, minimize, record, succeed, tried_jdks};

/// Interactions of `golden.Situations` with its first desk, and the situation that a replay of these alone gets into.
const SITUATIONS: [(&str, &str); 9] = [
    // `nameLength` without `name`: an exception inside, which is not the failure.
    ("1,13", "other_exception"),
    // `greet` without the constructor.
    ("2", "receiver_missing"),
    // `sitBy` without the constructor of the other desk.
    ("1,6", "argument_missing"),
    // `address` without `formal`: a branch that the recording did not take.
    ("1,3,11", "never_recorded"),
    // `askAll` without `limit(1)`: the loop runs longer than recorded.
    ("1,3,7,9", "no_alternative"),
    // {mc2}: there is nobody to ask.
    ("1,4", "null_receiver"),
    // {mc11, mc2}: it was another who was asked.
    ("1,2,4", "other_receiver"),
    // `count` without `step`: an endless loop.
    ("1,15", "budget"),
    // The same, all reported: the failure needs the step.
    ("1,3,8,10,12,16", "budget"),
];

fn replay(trace: &Path, only: &str) -> Value {
    let output = succeed(
        jinsi()
            .args([
                "--json",
                "replay",
                "--observe",
                "golden.Desk",
                "--only",
                only,
            ])
            .arg(trace),
    );
    json(&output)
}

#[test]
fn unresolved_situations_are_distinguished() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = record(&jdk, directory.path(), "golden.Situations", "golden.Desk");
        for (only, why) in SITUATIONS {
            let result = replay(&trace, only);
            assert_eq!(result["outcome"], "unresolved", "{only}: {result}");
            assert_eq!(result["why"], why, "{only}: {result}");
        }
        // With whom is in the place of the one who was asked, the answer is the recorded one.
        assert_eq!(replay(&trace, "1,3,4")["outcome"], "passing");
        assert_eq!(
            replay(&trace, "1,3,5,6,8,10,12,14,16")["outcome"],
            "failing"
        );
    }
}

/// `report.json` counts them at each level.
#[test]
fn the_report_counts_unresolved_situations() {
    let directory = tempdir().unwrap();
    let trace = record(
        &jdks()[0],
        directory.path(),
        "golden.Situations",
        "golden.Desk",
    );
    let report = minimize(&trace, "golden.Desk");
    let level = &report["levels"][0];
    assert_eq!(level["minimized"], 9, "{level:#}");
    let counts = level["unresolved_by_reason"].as_object().unwrap();
    let sum: u64 = counts.values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(level["unresolved"], sum, "{level:#}");
    let without: Vec<&str> = level["kept"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kept| kept["without"].as_str().unwrap())
        .collect();
    for why in ["null_receiver", "never_recorded", "budget"] {
        assert!(counts.contains_key(why), "{why}: {level:#}");
        assert!(without.contains(&why), "{why}: {level:#}");
    }
}

/// A class that the user calls natural runs for real where observed code makes its objects, and is not asked.
#[test]
fn natural_classes_can_be_added() {
    let directory = tempdir().unwrap();
    let trace = record(
        &jdks()[0],
        directory.path(),
        "golden.Situations",
        "golden.*",
    );
    let list = directory.path().join("natural");
    std::fs::write(&list, "golden.Situations$Visitor\n").unwrap();
    let answers = |options: &[&str]| {
        let output = succeed(
            jinsi()
                .args(["--json", "replay", "--observe"])
                .arg("golden.Situations:golden.Desk")
                .args(options)
                .arg(&trace),
        );
        let result = json(&output);
        assert_eq!(result["outcome"], "failing", "{result}");
        result["answers"].as_array().unwrap().len()
    };
    // Two visitors are made; the last is asked for each of what the desk wants to know, and once more when it closes.
    assert_eq!(answers(&[]), 8);
    assert_eq!(answers(&["--natural", list.to_str().unwrap()]), 0);
}
