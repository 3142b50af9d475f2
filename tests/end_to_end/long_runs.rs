//! Runs of more than a million events at the boundary: they go through in stretches, and of their failure a slice is read.

use std::path::{Path, PathBuf};

use jinsi_jdk::Jdk;
use jinsi_replay::expand::{Comparison, compare};
use jinsi_trace::reader::Trace;
use serde_json::Value;
use tempfile::tempdir;

use super::support::{jinsi, json, record_in, stderr, succeed, tried_jdks};

const OBSERVED: &str = "tellers.accounts.*";
/// What is said of a run of which only a slice was read.
const LEFT_OUT: &str = "interactions that share no object with the failure were not looked at";
/// Deposits, by turns into each of a thousand accounts: with them there are more than a million events.
const STEPS: &str = "550000";

fn recorded(jdk: &Jdk, directory: &Path, way: &str, detail: &str) -> PathBuf {
    let program = format!("tellers.Main {STEPS} {way}");
    record_in(jdk, directory, &program, (OBSERVED, detail))
}

/// The one level of the report, and what the command says besides.
fn minimized(trace: &Path) -> (Value, String) {
    let output = succeed(
        jinsi()
            .args(["--json", "minimize", "--out"])
            .arg(trace.with_file_name("report"))
            .arg(trace),
    );
    let report = json(&output);
    (report["levels"][0].clone(), stderr(&output))
}

#[test]
fn what_shares_no_object_with_the_failure_is_not_read() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = recorded(&jdk, directory.path(), "own", "boundary");
        let (level, said) = minimized(&trace);
        assert!(said.contains(LEFT_OUT), "{said}");
        assert!(level["notes"].to_string().contains(LEFT_OUT), "{level:#}");
        assert_eq!(level["interactions"], 552, "{level:#}");
        assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
        // It is made, gets one, and is closed.
        assert_eq!(level["kept"].as_array().map(Vec::len), Some(3), "{level:#}");
    }
}

/// Accounts share no object, but a static field, which no event tells of.
#[test]
#[ignore = "half a million interactions are searched, which takes long without optimization"]
fn a_slice_that_is_not_enough_gives_way_to_the_whole_run() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = recorded(&jdk, directory.path(), "last", "boundary");
        let (level, said) = minimized(&trace);
        assert!(!said.contains(LEFT_OUT), "{said}");
        assert_eq!(level["interactions"], 551_001, "{level:#}");
        assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
    }
}

#[test]
fn a_long_run_expands_to_what_a_whole_recording_has() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let [whole, thin] = ["interactions", "boundary"].map(|detail| {
            let place = directory.path().join(detail);
            std::fs::create_dir(&place).unwrap();
            recorded(&jdk, &place, "all", detail)
        });
        let expanded = directory.path().join("expanded.jinsi");
        succeed(jinsi().arg("expand").arg(&thin).arg("-o").arg(&expanded));
        let [whole, expanded] = [&whole, &expanded].map(|trace| Trace::open(trace).unwrap());
        let same = compare(&whole, &expanded, &[]).unwrap();
        assert!(matches!(same, Comparison::Same), "{same:?}");
    }
}
