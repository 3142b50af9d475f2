//! Failed tests that are run a second time, alone, because their light recording gives no test to keep.

use std::env::join_paths;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use jinsi_jdk::{compile, maven};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::support::{jdks, jinsi, run, stderr, stdout, tried_jdks};

/// The tests of a class by JUnit 5.
const JUNIT5: [&str; 3] = [
    "org.junit.platform.console.ConsoleLauncher",
    "execute",
    "-c",
];
const JUNIT4: [&str; 2] = ["org.junit.runner.JUnitCore", "harbour.CraneJUnit4Test"];
const JUNIT3: [&str; 2] = ["junit.textui.TestRunner", "harbour.CraneJUnit3Test"];
const NG: [&str; 3] = ["org.testng.TestNG", "-testclass", "harbour.CraneNgTest"];

/// Class path with `tests/programs/harbour` and the frameworks. The harbour's property is set by whoever runs its tests.
fn class_path() -> &'static OsString {
    static COMPILED: OnceLock<(TempDir, OsString)> = OnceLock::new();
    let (_, path) = COMPILED.get_or_init(|| {
        let all = [&[maven::JUNIT], &maven::JUNIT_4[..], &maven::TESTNG[..3]].concat();
        let jars = maven::fetch(&all).expect("test frameworks from Maven Central");
        let out = tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let sources = std::fs::read_dir(root.join("tests/programs/harbour")).unwrap();
        let sources: Vec<PathBuf> = sources.map(|e| e.unwrap().path()).collect();
        let oldest = jdks().into_iter().min_by_key(|j| j.version().feature);
        compile::javac(&oldest.unwrap(), &sources, &jars, out.path()).unwrap();
        let mut all = vec![out.path().to_path_buf()];
        all.extend(jars);
        (out, join_paths(all).unwrap())
    });
    path
}

/// `tests.json` of `jinsi debug` with these options, by test; and what was printed.
fn debugged(directory: &Path, options: &[&str], tests: &[&str]) -> (Vec<Value>, String) {
    let jdk = tried_jdks().remove(0);
    let output = run(jinsi()
        .current_dir(directory)
        .args(["debug", "--observe", "harbour.*", "--out", "report"])
        .args(options)
        .arg("--")
        .arg(jdk.java())
        .args(["-Dharbour.load=10", "-cp"])
        .arg(class_path())
        .args(tests));
    let tests = std::fs::read(directory.join("report/tests.json"));
    let tests: Value =
        serde_json::from_slice(&tests.unwrap_or_else(|_| panic!("{}", stderr(&output)))).unwrap();
    let tests = tests["tests"].as_array().unwrap().clone();
    (tests, stdout(&output))
}

/// The test has been run a second time, failed in the same way, and has given a test that calls the crane.
fn is_from_second_try(test: &Value, directory: &Path) {
    let second = &test["second_try"];
    assert_eq!(second["ran"], true, "{test:#}");
    assert_eq!(second["same"], true, "{test:#}");
    let report = directory.join("report");
    let own = report.join(test["directory"].as_str().unwrap());
    assert!(
        test["trace"]
            .as_str()
            .unwrap()
            .ends_with("/second-try.jinsi")
    );
    let keep = test["keep"].as_str().unwrap_or_else(|| panic!("{test:#}"));
    let source = std::fs::read_to_string(report.join(keep)).unwrap();
    assert!(source.contains("crane.lift(10);"), "{source}");
    let written = std::fs::read(own.join("report.json")).unwrap();
    let written: Value = serde_json::from_slice(&written).unwrap();
    assert_eq!(&written["second_try"], second);
    let page = std::fs::read_to_string(own.join("report.html")).unwrap();
    assert!(page.contains("it failed in the same way"), "{page}");
}

/// Of a parameterized test the run that failed is run; properties of the command line are there again. Switched off, nothing is run.
#[test]
#[ignore = "long: suites are run and minimized"]
fn a_test_of_junit_5_is_run_alone() {
    let directory = tempdir().unwrap();
    let tests = [&JUNIT5[..], &["harbour.CraneTest"]].concat();
    let (done, text) = debugged(directory.path(), &[], &tests);
    let names: Vec<&str> = done.iter().filter_map(|t| t["test"].as_str()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.contains(&"harbour.CraneTest.moves[2]"), "{names:?}");
    for test in &done {
        is_from_second_try(test, directory.path());
    }
    assert!(text.contains("it failed in the same way"), "{text}");

    let directory = tempdir().unwrap();
    let (done, text) = debugged(directory.path(), &["--second-try=0"], &tests);
    assert!(done.iter().all(|test| test["second_try"].is_null()));
    assert!(!text.contains("second time"), "{text}");
}

/// A long suite is not replayed to look into one failed test: that runs once more first.
#[test]
#[ignore = "long: suites are run and minimized"]
fn a_test_of_a_long_suite_is_run_alone_first() {
    let directory = tempdir().unwrap();
    let tests = [&JUNIT5[..], &["harbour.TideTest"]].concat();
    let (done, _) = debugged(directory.path(), &[], &tests);
    let [test] = &done[..] else {
        panic!("{done:#?}");
    };
    assert_eq!(test["test"], "harbour.TideTest.turns");
    assert_eq!(test["second_try"]["same"], true, "{test:#}");
    let report = directory.path().join("report");
    let keep = test["keep"].as_str().unwrap_or_else(|| panic!("{test:#}"));
    let source = std::fs::read_to_string(report.join(keep)).unwrap();
    assert!(source.contains(".turnsAfter(600)"), "{source}");
    assert!(!report.join("trace.jinsi").exists());
}

/// Of a test that is as small as can be, the light recording shows all there is.
#[test]
#[ignore = "long: suites are run and minimized"]
fn a_test_as_small_as_can_be_is_not_run_again() {
    let directory = tempdir().unwrap();
    let tests = [&JUNIT5[..], &["harbour.BuoyTest"]].concat();
    let (done, _) = debugged(directory.path(), &[], &tests);
    let [test] = &done[..] else {
        panic!("{done:#?}");
    };
    let why = "Your test is already as small as we can make it.";
    assert_eq!(test["keep_why_not"], why, "{test:#}");
    assert!(test["second_try"].is_null(), "{test:#}");
}

/// The other engines.
#[test]
#[ignore = "long: suites are run and minimized"]
fn other_engines_run_a_test_alone() {
    for (tests, name) in [
        (&JUNIT4[..], "harbour.CraneJUnit4Test.moves[1]"),
        (&JUNIT3[..], "harbour.CraneJUnit3Test.testMoves"),
        (&NG[..], "harbour.CraneNgTest.moves"),
    ] {
        let directory = tempdir().unwrap();
        let (done, _) = debugged(directory.path(), &[], tests);
        assert_eq!(done.len(), 1, "{done:#?}");
        assert_eq!(done[0]["test"], name);
        is_from_second_try(&done[0], directory.path());
    }
}

/// What passes when it runs alone is said to depend on the order, and has what the first recording gives. A trace is not run because it is
/// minimized.
#[test]
#[ignore = "long: suites are run and minimized"]
fn a_failure_that_depends_on_the_order_is_reported() {
    let directory = tempdir().unwrap();
    let tests = [&JUNIT5[..], &["harbour.BerthsTest"]].concat();
    let (done, text) = debugged(directory.path(), &[], &tests);
    assert_eq!(done.len(), 1, "{done:#?}");
    let second = &done[0]["second_try"];
    assert_eq!(
        (&second["ran"], &second["same"]),
        (&true.into(), &false.into())
    );
    assert!(text.contains("depends on the order of the tests"), "{text}");

    let trace = directory.path().join("report/boundary.jinsi");
    let out = directory.path().join("again");
    run(jinsi().arg("minimize").arg(trace).arg("--out").arg(&out));
    let tests = std::fs::read_to_string(out.join("tests.json")).unwrap();
    assert!(!tests.contains("second_try\""), "{tests}");
}
