//! The examples of Burger 2011 on replay and minimizing that have no file of their own: the longer loop, class objects, the illustration of
//! delta debugging, and two bugs of which nothing can be left out.

use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use super::support::{jdks, jinsi, json, numbers, record, succeed, tried_jdks};

/// The outcome of a replay of some interactions (all, if none is named) at one level.
fn replay(trace: &Path, observe: &str, only: &str) -> Value {
    let mut command = jinsi();
    command.args(["--json", "replay", "--observe", observe]);
    if !only.is_empty() {
        command.args(["--only", only]);
    }
    let output = succeed(command.arg(trace));
    json(&output)
}

/// The names of the environment's members whose recorded answers were used.
fn used(result: &Value) -> Vec<&str> {
    let answers = result["answers"].as_array().expect("a list").iter();
    answers
        .map(|answer| {
            let text = answer.as_str().expect("a text");
            let (member, _) = text.split_once('(').unwrap_or((text, ""));
            member.rsplit_once('.').map_or(member, |(_, name)| name)
        })
        .collect()
}

/// Listing 4.1: without the second `setNumbers` the loop asks for more than was recorded; without both it asks for nothing.
#[test]
fn a_loop_that_runs_longer_has_no_alternative() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = record(
            &jdk,
            directory.path(),
            "numberwriter.LongerMain",
            "numberwriter.NumberWriter",
        );
        let replay = |only| replay(&trace, "numberwriter.NumberWriter", only);
        let longer = replay("1,2,3,5");
        assert_eq!(longer["outcome"], "unresolved", "{longer}");
        assert_eq!(longer["why"], "no_alternative", "{longer}");
        for (only, answers) in [
            ("", &["<init>", "write", "close"][..]),
            ("1,2,4,5", &["<init>", "write", "close"]),
            ("1,2,5", &["<init>", "close"]),
        ] {
            let result = replay(only);
            assert_eq!(result["outcome"], "passing", "{only}: {result}");
            assert_eq!(used(&result), answers, "{only}: {result}");
        }
    }
}

/// Listing 8.23: class objects are equal in replay; and a division by zero is handed to the caller again.
#[test]
fn class_objects_are_equal_in_replay() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = record(
            &jdk,
            directory.path(),
            "golden.ClassObjects$Caller",
            "golden.ClassObjects",
        );
        let result = replay(&trace, "golden.ClassObjects", "");
        assert_eq!(result["outcome"], "passing", "{result}");
        assert_eq!(result["resynchronized"], false, "{result}");
        assert_eq!(used(&result), ["loadClass"], "{result}");
    }
}

/// Figure 4.1: of m1 to m4, {m1, m2} passes, {m3, m4} has no receiver, and {m1, m4} is left.
#[test]
fn the_illustration_of_delta_debugging() {
    let observed = "golden.Illustration";
    let directory = tempdir().unwrap();
    let trace = record(
        &jdks()[0],
        directory.path(),
        "golden.Illustration$Caller",
        observed,
    );
    assert_eq!(replay(&trace, observed, "1,2")["outcome"], "passing");
    let without = replay(&trace, observed, "3,4");
    assert_eq!(without["outcome"], "unresolved", "{without}");
    assert_eq!(without["why"], "receiver_missing", "{without}");
    for search in ["ddmin", "grow"] {
        let level = &minimized(&trace, observed, search)["levels"][0];
        assert_eq!(numbers(&level["kept"]), [1, 4], "{search}: {level:#}");
    }
}

/// BST-1 and BST-2: two interactions, of which none can go; plain delta debugging needs exactly four tests.
#[test]
#[ignore = "long: several reports"]
fn what_a_tree_cannot_compare() {
    let jdk = &jdks()[0];
    for given in ["array", "object"] {
        let directory = tempdir().unwrap();
        let main = format!("bst.Given {given}");
        let trace = record(jdk, directory.path(), &main, "bst.*");
        let level = &minimized(&trace, "bst.BSTNode", "ddmin")["levels"][0];
        assert_eq!(numbers(&level["kept"]), [1, 2], "{given}: {level:#}");
        assert_eq!(level["tests"], 4, "{given}: {level:#}");
    }
}

/// The report of minimizing at one level by a search.
fn minimized(trace: &Path, observe: &str, search: &str) -> Value {
    let out = trace.with_file_name(search);
    let output = succeed(
        jinsi()
            .args(["--json", "minimize", "--no-shrink", "--observe", observe])
            .args(["--search", search, "--out"])
            .arg(&out)
            .arg(trace),
    );
    json(&output)
}
