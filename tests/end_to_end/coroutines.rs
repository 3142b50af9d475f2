//! Kotlin's coroutines. A test calls a suspend function in a coroutine that it waits for, and collects a flow; it fails on the program as it is, and passes
//! on the repaired one.

use std::env::{join_paths, split_paths};
use std::fs;
use std::path::{Path, PathBuf};

use jinsi_jdk::Jdk;
use tempfile::tempdir;

use super::as_they_are::passes;
use super::languages::COROUTINES;
use super::support::{jinsi, json, run, stderr, tried_jdks};

/// What the program is told to do, and what the test that comes of it has in it.
const FAILURES: [(&str, &str); 4] = [
    ("resumed", "(scope, done) -> quay.fenders(8, done)"),
    ("parallel", "tug.all(Arrays.asList(50, 0), done)"),
    ("launched", "(scope, done) -> pilot.hail(\"Titanic\", done)"),
    ("flow", "FlowKt.collect("),
];
/// The defects, and what is right.
const REPAIRS: [(&str, &str); 4] = [
    ("metres / free.size", "metres / maxOf(free.size, 1)"),
    ("600 / tons", "600 / maxOf(tons, 1)"),
    (
        "ship.substring(0, ship.indexOf(' '))",
        "ship.substringBefore(' ')",
    ),
    ("depth / (3 - step)", "depth / maxOf(3 - step, 1)"),
];

/// The class path of the program in Kotlin with this text, compiled in the directory.
fn compiled(jdk: &Jdk, directory: &Path, text: &str) -> Vec<PathBuf> {
    fs::create_dir_all(directory).unwrap();
    let source = directory.join("Port.kt");
    fs::write(&source, text).unwrap();
    let path = COROUTINES.compiled_from(jdk, &source, &directory.join("classes"));
    split_paths(&path).collect()
}

/// A run at each detail; of the light recording it is the only one.
fn becomes_a_test(jdk: &Jdk, failure: (&str, &str), broken: &[PathBuf], repaired: &[PathBuf]) {
    let (told, wanted) = failure;
    for detail in ["boundary", "interactions"] {
        let directory = tempdir().unwrap();
        let output = run(jinsi()
            .current_dir(directory.path())
            .args(["--json", "debug", "--out", "report", "--observe", "port.*"])
            .args(["--detail", detail, "--"])
            .arg(jdk.java())
            .arg("-cp")
            .arg(join_paths(broken).unwrap())
            .args(["port.PortKt", told]));
        let (report, said) = (json(&output), stderr(&output));
        assert!(!said.contains("run once more"), "{told}: {said}");
        let keep = report["keep"].as_str();
        let keep = keep.unwrap_or_else(|| panic!("{told}: {said}\n{report:#}"));
        let test = directory.path().join("report").join(keep);
        let code = fs::read_to_string(&test).unwrap();
        assert!(code.contains(wanted), "{told}, {detail}: {code}");
        assert!(!code.contains("JinsiReplay"), "{code}");
        assert!(!passes(jdk, &test, broken), "{code}");
        assert!(passes(jdk, &test, repaired), "{code}");
    }
}

#[test]
#[ignore = "long: gets the compiler of Kotlin"]
fn suspend_functions_and_flows_are_waited_for() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages/Port.kt");
    let text = fs::read_to_string(source).unwrap();
    let mut right = text.clone();
    for (wrong, repair) in REPAIRS {
        assert!(right.contains(wrong), "{wrong}");
        right = right.replace(wrong, repair);
    }
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let broken = compiled(&jdk, &directory.path().join("broken"), &text);
        let repaired = compiled(&jdk, &directory.path().join("repaired"), &right);
        for failure in FAILURES {
            becomes_a_test(&jdk, failure, &broken, &repaired);
        }
    }
}
