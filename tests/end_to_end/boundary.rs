//! `detail=boundary`: only what crosses the edge of the observed classes is recorded, and replay computes the rest.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use jinsi_analysis::jvm::Jdk;
use jinsi_trace::model::EventKind;
use jinsi_trace::reader::Trace;
use serde_json::Value;
use tempfile::tempdir;

use super::support::{jdks, jinsi, jod3, json, programs, run, stderr};

fn recorded(
    jdk: &Jdk,
    directory: &Path,
    detail: &str,
    class_path: &OsStr,
    (main, observe): (&str, &str),
) -> PathBuf {
    let trace = directory.join(detail);
    let output = run(jinsi()
        .current_dir(directory)
        .args(["record", "--detail", detail, "--observe", observe, "-o"])
        .arg(&trace)
        .arg("--")
        .arg(jdk.java())
        .arg("-Duser.timezone=America/Los_Angeles")
        .arg("-cp")
        .arg(class_path)
        .arg(main));
    assert!(output.status.success(), "{}", stderr(&output));
    trace
}

fn events(trace: &Path, kind: EventKind) -> u64 {
    let trace = Trace::open(trace).unwrap();
    trace.kind_stats().get(&kind).map_or(0, |s| s.events)
}

/// Programs of all kinds: exceptions through several classes, call-backs, containers, inherited code, constructors, objects that no
/// constructor made, a neighbour that is not observed.
const PROGRAMS: [(&str, &str); 8] = [
    ("ledger.app.Main", "ledger.*"),
    ("vending.Main", "vending.*"),
    ("xmltree.Main", "xmltree.*"),
    ("restored.Main", "restored.*"),
    ("replayed.app.Main", "replayed.app.*"),
    ("golden.Directions", "golden.*"),
    ("inheritance.Main", "inheritance.*"),
    ("chain.Main", "chain.*"),
];

#[test]
fn what_is_left_out_is_computed_again() {
    for jdk in jdks() {
        for (main, observe) in PROGRAMS {
            let directory = tempdir().unwrap();
            let classes = programs().as_os_str();
            let record =
                |detail| recorded(&jdk, directory.path(), detail, classes, (main, observe));
            let (trace, whole) = (record("boundary"), record("interactions"));
            let output = run(jinsi().args(["--json", "replay", "--levels"]).arg(&trace));
            let document = json(&output);
            assert_eq!(document["diverged"], 0, "{main}: {document:#}");
            assert_eq!(document["levels"].as_array().unwrap().len(), 1, "{main}");
            for kind in [EventKind::Enter, EventKind::Call] {
                let (few, all) = (events(&trace, kind), events(&whole, kind));
                assert!(few <= all, "{main}: {few} of {all} {kind:?} events");
            }
            for kind in [EventKind::ArrayLoad, EventKind::ArrayStore] {
                assert_eq!(events(&trace, kind), 0, "{main}");
            }
        }
    }
}

/// The failure of a library is reproduced from what crossed its edge.
#[test]
fn a_failure_is_minimized_from_its_boundary() {
    for jdk in jdks() {
        let directory = tempdir().unwrap();
        let class_path = jod3();
        let record = |detail| {
            let program = ("jod3.Jod3", "org.joda.time.*");
            recorded(&jdk, directory.path(), detail, class_path.as_ref(), program)
        };
        let (trace, whole) = (record("boundary"), record("interactions"));
        let total = |trace: &Path| -> u64 {
            let trace = Trace::open(trace).unwrap();
            trace.kind_stats().values().map(|s| s.events).sum()
        };
        let (few, all) = (total(&trace), total(&whole));
        assert!(few * 20 < all, "{few} of {all} events");

        let out = directory.path().join("report");
        let output = run(jinsi()
            .args(["--json", "minimize", "--levels", "--out"])
            .arg(&out)
            .arg(&trace));
        let report = json(&output);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let levels = report["levels"].as_array().unwrap();
        assert_eq!(levels.len(), 1, "{report:#}");
        assert_eq!(levels[0]["minimized"], 3, "{report:#}");
        assert_ne!(levels[0]["test_file"], Value::Null, "{report:#}");

        let refused = run(jinsi()
            .args(["replay", "--observe", "org.joda.time.Period"])
            .arg(&trace));
        assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
        assert!(
            stderr(&refused).contains("detail=boundary"),
            "{}",
            stderr(&refused)
        );
    }
}
