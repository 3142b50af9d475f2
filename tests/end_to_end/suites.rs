//! Test suites: which test runs is marked in the trace, and each failed test has its own minimal test.

use std::collections::BTreeSet;
use std::env::join_paths;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use jinsi_jdk::{Jdk, compile, maven};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

use super::support::{
    has, jdks, jinsi, json, recording_option, run, stderr, stdout, succeed, tried_jdks,
};

/// TestNG, with what it needs.
const TESTNG: [&str; 3] = [
    "org.testng:testng:7.10.2",
    "com.beust:jcommander:1.82",
    "org.slf4j:slf4j-api:1.7.36",
];

/// A test framework's way to run the tests.
pub(super) const JUNIT5: [&str; 4] = [
    "org.junit.platform.console.ConsoleLauncher",
    "execute",
    "-c",
    "suite.StockTest",
];
/// Tests at the same time.
const PARALLEL: [&str; 10] = [
    "org.junit.platform.console.ConsoleLauncher",
    "execute",
    "-c",
    "suite.CrowdTest",
    "--config",
    "junit.jupiter.execution.parallel.enabled=true",
    "--config",
    "junit.jupiter.execution.parallel.config.strategy=fixed",
    "--config",
    "junit.jupiter.execution.parallel.config.fixed.parallelism=4",
];
const JUNIT4: [&str; 2] = ["suite.RunJUnit4", "suite.StockJUnit4Test"];
const JUNIT3: [&str; 2] = ["junit.textui.TestRunner", "suite.StockJUnit3Test"];
const JUNIT3_BY_4: [&str; 2] = ["suite.RunJUnit4", "suite.StockJUnit3Test"];
/// JUnit 3 by JUnit 4 by the JUnit Platform.
const JUNIT3_BY_5: [&str; 4] = [
    "org.junit.platform.console.ConsoleLauncher",
    "execute",
    "-c",
    "suite.StockJUnit3Test",
];
const NG: [&str; 3] = ["org.testng.TestNG", "-testclass", "suite.StockNgTest"];

/// Class path with the compiled tests and the frameworks, and nothing of jinsi's.
pub(super) fn class_path() -> &'static OsString {
    static COMPILED: OnceLock<(TempDir, OsString)> = OnceLock::new();
    let (_, path) = COMPILED.get_or_init(|| {
        let jars = maven::fetch(&[&[maven::JUNIT, "junit:junit:4.13.2"], &TESTNG[..]].concat())
            .expect("test frameworks from Maven Central");
        let out = tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let sources = std::fs::read_dir(root.join("tests/programs/suite")).unwrap();
        let sources: Vec<PathBuf> = sources.map(|e| e.unwrap().path()).collect();
        let oldest = jdks().into_iter().min_by_key(|j| j.version().feature);
        compile::javac(&oldest.unwrap(), &sources, &jars, out.path()).unwrap();
        let mut all = vec![out.path().to_path_buf()];
        all.extend(jars);
        (out, join_paths(all).unwrap())
    });
    path
}

/// Runs tests with the agent and `on=failure`; exit status, and what was printed on stderr.
fn record(jdk: &Jdk, trace: &Path, tests: &[&str]) -> (Option<i32>, String) {
    record_observing(jdk, trace, "suite.Stock", tests)
}

/// The same, with other classes.
pub(super) fn record_observing(
    jdk: &Jdk,
    trace: &Path,
    observe: &str,
    tests: &[&str],
) -> (Option<i32>, String) {
    let agent = recording_option(&format!("observe={observe},on=failure"), trace);
    let output = run(Command::new(jdk.java())
        .current_dir(trace.parent().unwrap())
        .arg(agent)
        .arg("-cp")
        .arg(class_path())
        .args(tests));
    (output.status.code(), stderr(&output))
}

fn info(trace: &Path) -> Value {
    json(&run(jinsi().args(["info", "--json"]).arg(trace)))
}

/// Names of the failed tests, in the order of their failures.
fn failed(info: &Value) -> Vec<String> {
    let failures = info["failures"].as_array().unwrap();
    failures
        .iter()
        .filter(|f| f["kind"] == "test")
        .map(|f| f["test"].as_str().unwrap().to_owned())
        .collect()
}

/// Each failed test of a suite gets its own report and test, whether by an exception or by an assertion about a value.
#[test]
#[ignore = "long: a report for each test"]
fn every_failed_test_has_its_own_minimal_test() {
    let jdk = &jdks()[0];
    let directory = tempdir().unwrap();
    let trace = directory.path().join("t.jinsi");
    record(jdk, &trace, &JUNIT5);
    let info = info(&trace);
    assert_eq!(info["tests"], 9);
    let names = [
        "suite.StockTest.packsWhatWasOrdered",
        "suite.StockTest.refusesNobody",
        "suite.StockTest.countsCustomers",
        "suite.StockTest.packs[2]",
        "suite.StockTest.packs[3]",
        "suite.StockTest.packs[4]",
    ];
    assert_eq!(failed(&info), names);

    let out = directory.path().join("report");
    let output = succeed(
        jinsi()
            .args(["--json", "minimize"])
            .arg(&trace)
            .arg("--out")
            .arg(&out),
    );
    let report = json(&output);
    let saved = std::fs::read(out.join("tests.json")).unwrap();
    assert_eq!(report, serde_json::from_slice::<Value>(&saved).unwrap());
    let tests = report["tests"].as_array().unwrap();
    let column = |key: &str| tests.iter().map(|t| t[key].clone()).collect::<Vec<_>>();
    assert_eq!(column("test"), names);
    assert_eq!(column("reproduces"), [true; 6].map(Value::from));
    // What changed the stock before the failure stays. The expected failure of another test, with the same type and place, is not taken for this
    // one.
    assert_eq!(
        column("minimized")[..4],
        [json!(6), json!(3), json!(4), json!(3)]
    );
    assert_eq!(
        column("same_as")[4..],
        ["suite.StockTest.packs[2]"; 2].map(Value::from)
    );
    for test in [0, 1, 2, 3] {
        let own = out.join(tests[test]["directory"].as_str().unwrap());
        let own = std::fs::read(own.join("report.json")).unwrap();
        let own: Value = serde_json::from_slice(&own).unwrap();
        assert_eq!(own["failure"]["test"], names[test]);
        let kind = if test == 2 { "assertion" } else { "exception" };
        assert_eq!(own["failure"]["kind"], kind);
        assert!(
            out.join(tests[test]["test_files"][0].as_str().unwrap())
                .is_file()
        );
    }
}

/// `--test` takes one of them, by any of its names; one that is not there is an error that names those that are.
#[test]
#[ignore = "long: several reports"]
fn one_failed_test_can_be_chosen() {
    let directory = tempdir().unwrap();
    let trace = directory.path().join("t.jinsi");
    record(&jdks()[0], &trace, &JUNIT5);
    let minimize = |test: &str| {
        let out = directory.path().join(test);
        run(jinsi()
            .args(["--json", "minimize", "--test", test])
            .arg(&trace)
            .arg("--out")
            .arg(&out))
    };
    let one = json(&minimize("refusesNobody"));
    assert_eq!(one["tests"].as_array().unwrap().len(), 1);
    assert_eq!(one["tests"][0]["test"], "suite.StockTest.refusesNobody");
    let assertion = json(&minimize("suite.StockTest#countsCustomers"));
    assert_eq!(assertion["tests"][0]["minimized"], 4);
    let none = minimize("packsNothing");
    assert_eq!(none.status.code(), Some(1));
    assert!(stderr(&none).contains("no failed test is named packsNothing\n  there is  "));
}

/// Recorded at the boundary, tests have the levels that they have of a whole recording: they are where they were in what is expanded.
#[test]
fn a_suite_at_the_boundary_has_all_levels() {
    let jdk = &jdks()[0];
    let directory = tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let recorded = |detail: &str, tests: &[&str]| {
        let trace = at(&format!("{}-{detail}.jinsi", tests.len()));
        let observe = format!("suite.*,detail={detail}");
        record_observing(jdk, &trace, &observe, tests);
        trace
    };
    let minimized = |trace: &Path, test: &str| {
        let out = trace.with_extension(test);
        let output = succeed(
            jinsi()
                .args(["--json", "minimize", "--no-slice", "--test", test])
                .arg(trace)
                .arg("--out")
                .arg(&out),
        );
        json(&output)["tests"][0].clone()
    };
    let [boundary, whole] = ["boundary", "interactions"].map(|detail| recorded(detail, &JUNIT5));
    let expanded = at("expanded.jinsi");
    let command = run(jinsi()
        .arg("expand")
        .arg(&boundary)
        .arg("-o")
        .arg(&expanded));
    assert!(command.status.success(), "{}", stderr(&command));
    let [of_whole, of_expanded] = [&whole, &expanded].map(|trace| info(trace));
    for what in ["tests", "events"] {
        assert_eq!(of_expanded[what], of_whole[what], "{what}");
    }
    assert_eq!(failed(&of_expanded), failed(&of_whole));
    // As of a whole recording.
    let test = minimized(&boundary, "countsCustomers");
    assert_eq!(test["reproduces"], true, "{test:#}");
    assert_eq!(test["minimized"], 4, "{test:#}");
    // Two threads, of which one fails.
    let test = minimized(&recorded("boundary", &PARALLEL), "ordersTooMuch");
    let keep = test["keep"].as_str().unwrap_or_default();
    assert!(keep.ends_with("StockLevel1Test.java"), "{test:#}");
}

/// What passing tests did does not decide whether a failed one can be looked into; nor do call-backs by the JDK and by JUnit, to lambdas among them.
/// JUnit 3 calls its tests by reflection.
#[test]
fn only_the_failed_test_is_replayed() {
    let directory = tempdir().unwrap();
    let observe = "suite.Stock:suite.RackTest:suite.StockJUnit3Test,detail=boundary";
    let rack = [
        "org.junit.platform.console.ConsoleLauncher",
        "execute",
        "-c",
        "suite.RackTest",
    ];
    let is_expanded = |trace: &Path| {
        let to = trace.with_extension("expanded");
        let command = run(jinsi().arg("expand").arg(trace).arg("-o").arg(&to));
        command.status.success()
    };
    for (tests, failed, whole) in [
        (&rack[..], "packsInParts", false),
        (&JUNIT3_BY_4[..], "testCountsCustomers", true),
    ] {
        let trace = directory.path().join(format!("{failed}.jinsi"));
        record_observing(&jdks()[0], &trace, observe, tests);
        // Else the first half of this proves nothing.
        assert_eq!(is_expanded(&trace), whole, "{failed}");
        let out = directory.path().join(failed);
        let output = run(jinsi()
            .args(["--json", "minimize", "--no-slice", "--test", failed])
            .arg(&trace)
            .arg("--out")
            .arg(&out));
        let test = &json(&output)["tests"][0];
        let keep = test["keep"].as_str().unwrap_or_default();
        assert!(keep.ends_with("StockLevel1Test.java"), "{test:#}");
        let written = std::fs::read_to_string(out.join(keep)).unwrap();
        assert!(written.contains(".pack()"), "{written}");
    }
}

/// JUnit 3, JUnit 4 and TestNG have their tests marked as JUnit 5 has, on every Java, each once, whichever engines stand on one another; the tests
/// themselves end as without agent.
#[test]
#[ignore = "long: every framework"]
fn other_frameworks_mark_their_tests() {
    for jdk in tried_jdks() {
        for (tests, class) in [
            (&JUNIT4[..], "StockJUnit4Test"),
            (&NG[..], "StockNgTest"),
            (&JUNIT3[..], "StockJUnit3Test"),
            (&JUNIT3_BY_4[..], "StockJUnit3Test"),
            (&JUNIT3_BY_5[..], "StockJUnit3Test"),
        ] {
            let in_style = |name: &str| match class {
                "StockJUnit3Test" => format!("test{}{}", name[..1].to_uppercase(), &name[1..]),
                _ => name.to_owned(),
            };
            let directory = tempdir().unwrap();
            let trace = directory.path().join("t.jinsi");
            let plain = run(Command::new(jdk.java())
                .current_dir(directory.path())
                .arg("-cp")
                .arg(class_path())
                .args(tests));
            let (status, _) = record(&jdk, &trace, tests);
            assert_eq!(status, plain.status.code(), "{class}");
            let info = info(&trace);
            assert_eq!(info["tests"], 3, "{class}");
            let names: BTreeSet<String> = failed(&info).into_iter().collect();
            let failing = ["countsCustomers", "packsWhatWasOrdered"];
            let failing = failing.map(|name| format!("suite.{class}.{}", in_style(name)));
            assert_eq!(names, BTreeSet::from(failing));
            a_wrong_value_is_minimized(&trace, &in_style("countsCustomers"), directory.path());
            let events = stdout(&run(jinsi().arg("events").arg(&trace)));
            let marks: BTreeSet<&str> = events
                .lines()
                .filter(|l| l.contains(" Mark "))
                .filter_map(|l| l.split(class).nth(1))
                .collect();
            let expected = [
                "countsCustomers begins",
                "countsCustomers has failed",
                "packsNothing begins",
                "packsNothing has ended",
                "packsWhatWasOrdered begins",
                "packsWhatWasOrdered has failed",
            ];
            let expected = expected.map(|mark| format!(".{}", in_style(mark)));
            let expected: BTreeSet<&str> = expected.iter().map(String::as_str).collect();
            assert_eq!(marks, expected, "{class}");
        }
    }
}

/// What is left of the test `countsCustomers` is all that makes the wrong number, and a test that asserts the right one.
fn a_wrong_value_is_minimized(trace: &Path, test: &str, directory: &Path) {
    let out = directory.join("report");
    let minimized = run(jinsi()
        .args(["--json", "minimize", "--test", test])
        .arg(trace)
        .arg("--out")
        .arg(&out));
    let test = &json(&minimized)["tests"][0];
    assert_eq!(
        (&test["minimized"], &test["reproduces"]),
        (&json!(4), &json!(true))
    );
    let written = out.join(test["test_files"][0].as_str().unwrap());
    let written = std::fs::read_to_string(written).unwrap();
    has(&written, "Assertions.assertEquals(1, stock.pack());");
}

/// Two tests may fail by one exception, which is an object of theirs: each has failed.
#[test]
fn tests_that_share_an_exception_have_each_failed() {
    let directory = tempdir().unwrap();
    let trace = directory.path().join("t.jinsi");
    let tests = [
        "org.junit.platform.console.ConsoleLauncher",
        "execute",
        "-c",
        "suite.RefusedTest",
    ];
    record(&jdks()[0], &trace, &tests);
    let names: BTreeSet<String> = failed(&info(&trace)).into_iter().collect();
    let both = ["refusesOrders", "refusesPacking"].map(|name| format!("suite.RefusedTest.{name}"));
    assert_eq!(names, BTreeSet::from(both));
}

/// Of tests that pass nothing is left.
#[test]
fn good_suites_leave_no_trace() {
    let directory = tempdir().unwrap();
    let trace = directory.path().join("t.jinsi");
    let one = [
        "org.junit.platform.console.ConsoleLauncher",
        "execute",
        "-m",
        "suite.StockTest#packsNothing",
    ];
    let (status, said) = record(&jdks()[0], &trace, &one);
    assert_eq!(status, Some(0));
    assert!(!trace.exists());
    has(&said, "jinsi: no failure, no trace kept (on=failure)");
}

/// A framework may run a test on a thread of its own, and report on another how it ended: the light recording is expanded with both.
#[test]
fn a_test_that_ran_on_another_thread_than_the_one_that_reports_it() {
    let directory = tempdir().unwrap();
    let trace = directory.path().join("t.jinsi");
    let observe = "suite.Stock:suite.RelayedTest,detail=boundary";
    let tests = ["suite.RunRelayed", "suite.RelayedTest"];
    let (status, said) = record_observing(&jdks()[0], &trace, observe, &tests);
    assert_eq!(status, Some(1), "{said}");
    let failure = &info(&trace)["failures"][0];
    assert_eq!(failure["test"], "suite.RelayedTest.packsTooMuch");
    let out = directory.path().join("report");
    let output = run(jinsi()
        .args(["--json", "minimize", "--no-slice", "--out"])
        .arg(&out)
        .arg(&trace));
    let test = &json(&output)["tests"][0];
    let keep = test["keep"].as_str().unwrap_or_default();
    assert!(keep.ends_with("StockLevel1Test.java"), "{test:#}");
    let written = std::fs::read_to_string(out.join(keep)).unwrap();
    assert!(written.contains(".pack()"), "{written}");
}

/// JUnit's threads replay in the recorded order, and what one test's failure needs of what another did is left.
#[test]
#[ignore = "long: a suite by several threads"]
fn tests_that_run_at_the_same_time() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = directory.path().join("t.jinsi");
        record(&jdk, &trace, &PARALLEL);
        let info = info(&trace);
        assert_eq!(info["threads"].as_array().unwrap().len(), 2);
        assert_eq!(failed(&info), ["suite.CrowdTest.ordersTooMuch"]);

        let output = run(jinsi()
            .args(["--json", "replay", "--levels", "--java-home"])
            .arg(jdk.home())
            .arg(&trace));
        let replayed = json(&output);
        assert_eq!(replayed["diverged"], 0, "{replayed:#}");
        assert_eq!(replayed["levels"][0]["outcome"], "failing", "{replayed:#}");

        let out = directory.path().join("report");
        let output = run(jinsi()
            .args(["--json", "minimize", "--no-shrink", "--java-home"])
            .arg(jdk.home())
            .arg("--out")
            .arg(&out)
            .arg(&trace));
        let test = &json(&output)["tests"][0];
        assert_eq!(test["reproduces"], true, "{test:#}");
        // The stock, nine orders by two threads, and the packing.
        assert_eq!(test["minimized"], 11, "{test:#}");
    }
}
