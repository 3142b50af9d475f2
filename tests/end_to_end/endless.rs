//! Programs without end: the recording is bounded, and what is left of it can be replayed.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::tempdir;

use jinsi_jdk::Jdk;

use crate::support::{
    compile_programs, jdks, jinsi, json, recording_option, run, stderr, stdout, succeed, tried_jdks,
};

/// Orders: several times what the trace has room for, and more than what can wait to be encoded, so that a window begins however slow the
/// machine is.
const ORDERS: &str = "120000";
/// The same for several threads, of which each order takes less room.
const CREWS_ORDERS: &str = "160000";
/// Whose minimal test is wanted.
const OBSERVE: &str = "endless.Service:endless.Order:endless.Service$Sum";
/// `max-size`. What a trace takes beside it depends on how far the encoder is behind: the writer's own tests and `cargo xtask bench server`
/// look at sizes.
const MAX_SIZE: u64 = 1 << 20;

/// Records the server; the trace, and what the program said, are in `directory`.
fn serve(directory: &Path, options: &str) -> String {
    serve_with(&jdks()[0], ["endless.Main", ORDERS], directory, options)
}

fn serve_with(jdk: &Jdk, program: [&str; 2], directory: &Path, options: &str) -> String {
    let classes = compile_programs(&["endless"], &[]);
    let trace = directory.join("t.jinsi");
    let agent = recording_option(
        &format!("observe=endless.*,on=failure,max-size={MAX_SIZE}{options}"),
        &trace,
    );
    let output = run(Command::new(jdk.java())
        .args([&agent, "-cp"])
        .arg(classes.path())
        .args(program));
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    stdout(&output)
}

fn info(trace: &Path) -> Value {
    json(&run(jinsi().args(["info", "--json"]).arg(trace)))
}

/// `jinsi minimize --json`, without slices of the thousands of orders in a window.
fn minimize(trace: &Path, observed: &str) -> Value {
    let out = trace.with_file_name("report");
    let options = ["--json", "minimize", "--no-slice", "--observe", observed];
    let output = succeed(jinsi().args(options).arg("--out").arg(&out).arg(trace));
    json(&output)
}

#[test]
#[ignore = "long: the window that begins under several threads is the harder one"]
fn what_is_left_of_an_endless_recording_gives_the_minimal_test() {
    let expected = {
        let directory = tempdir().unwrap();
        serve(directory.path(), ",at-max=stop")
    };
    // The loop is recorded, too, and runs when windows begin; or it is the environment's.
    for options in ["", ",detail=boundary,exclude=endless.Main"] {
        let directory = tempdir().unwrap();
        let printed = serve(directory.path(), &format!(",at-max=window{options}"));
        assert_eq!(printed, expected);
        let trace = directory.path().join("t.jinsi");
        let info = info(&trace);
        assert_eq!(info["damage"], serde_json::json!([]));
        assert!(info["window"]["seconds"].as_f64() > Some(0.0), "{info:#}");
        // Of a machine that encodes slowly, the window of the failure may end before the program does: then that is said, too.
        let cut = info["losses"]["recording_cut"].to_string();
        assert!(cut.contains("it can be replayed from"), "{cut}");

        let report = minimize(&trace, OBSERVE);
        let level = &report["levels"][0];
        assert_eq!(level["strict_replay"], "reproduced", "{level:#}");
        assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
        let kept = level["kept"].as_array().unwrap();
        assert!(kept.len() <= 2, "{level:#}");
        let last = kept[kept.len() - 1]["text"].as_str().unwrap();
        assert!(last.contains("take("), "{last}");
        let reported = level["notes"].to_string();
        assert!(reported.contains("the recording begins"), "{reported}");
    }
}

#[test]
#[ignore = "long: has to fill a window"]
fn a_window_that_begins_under_several_threads_gives_the_minimal_test() {
    const DESK: &str = "endless.Desk:endless.Service:endless.Order:endless.Service$Sum";
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let options = ",at-max=window,detail=boundary,exclude=endless.Crew";
        serve_with(
            &jdk,
            ["endless.Crew", CREWS_ORDERS],
            directory.path(),
            options,
        );
        let trace = directory.path().join("t.jinsi");
        let info = info(&trace);
        assert_eq!(info["damage"], serde_json::json!([]));
        assert!(info["window"]["seconds"].as_f64() > Some(0.0), "{info:#}");

        // In which order threads had the monitor is not recorded at the boundary; what the order was does not matter here.
        let report = minimize(&trace, DESK);
        let level = &report["levels"][0];
        assert_eq!(level["strict_replay"], "reproduced", "{level:#}");
        assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
        assert_eq!(level["minimized"], 1, "{level:#}");
    }
}

#[test]
#[ignore = "long: has to fill a window"]
fn what_static_fields_hold_is_reported_when_a_window_begins() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let options = ",at-max=window,detail=boundary,exclude=endless.Stand";
        serve_with(
            &jdk,
            ["endless.Stand", CREWS_ORDERS],
            directory.path(),
            options,
        );
        let trace = directory.path().join("t.jinsi");
        let info = info(&trace);
        assert!(info["window"]["seconds"].as_f64() > Some(0.0), "{info:#}");

        // The initializer does not run again: who would answer what it asks?
        let report = minimize(&trace, "endless.Kiosk");
        let level = &report["levels"][0];
        assert_eq!(level["strict_replay"], "reproduced", "{level:#}");
        assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
        assert_eq!(level["minimized"], 1, "{level:#}");

        // So does the trace of all levels that the replay gives.
        let expanded = directory.path().join("whole.jinsi");
        succeed(jinsi().arg("expand").arg(&trace).arg("-o").arg(&expanded));
        let report = minimize(&expanded, "endless.Kiosk");
        let level = &report["levels"][0];
        assert_eq!(level["strict_replay"], "reproduced", "{level:#}");
        assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
    }
}
