//! Test suites: which tests are meant, and suites of which no test failed.

use super::super::suites::{JUNIT5, class_path, record_observing};
use super::super::support::{jdks, json, run, stdout};
use super::Desk;

/// Nearly right names lead to the right ones.
#[test]
fn tests_that_are_not_there() {
    let mut desk = Desk::new();
    let trace = desk.path().join("t.jinsi");
    record_observing(&jdks()[0], &trace, "suite.*", &JUNIT5);
    for name in ["Nobody", "StockTest.pakcs", "suite.StockTest.packsNothing"] {
        let output = desk.call(&["minimize", "t.jinsi", "--test", name]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert_eq!(stdout(&output), "");
    }
    insta::assert_snapshot!(desk.page);
}

#[test]
#[ignore = "long: four times a minimization"]
fn a_part_of_a_name_is_enough() {
    let desk = Desk::new();
    let trace = desk.path().join("t.jinsi");
    record_observing(&jdks()[0], &trace, "suite.*", &JUNIT5);
    let tests = |arguments: &[&str]| -> Vec<String> {
        let mut command =
            desk.command(&["--json", "minimize", "t.jinsi", "--no-slice", "--levels=1"]);
        let report = json(&run(command.args(arguments)));
        let tests = report["tests"].as_array().unwrap().iter();
        let names = tests.map(|t| t["test"].as_str().unwrap().to_owned());
        names.collect()
    };
    let one = ["suite.StockTest.packsWhatWasOrdered"];
    assert_eq!(tests(&["--test", "StockTest.packsWhatWasOrdered"]), one);
    assert_eq!(tests(&["--test", "StockTest#packsWhat*"]), one);
    // What is wrong is looked for in that test: the last call of the recording was in another one.
    let mut command = desk.command(&["--json", "minimize", "t.jinsi", "--no-slice"]);
    command.args(["--test", "countsCustomers", "--wrong", "Stock.pack=>1"]);
    let report = json(&run(&mut command));
    assert_eq!(report["tests"][0]["reproduces"], true, "{report:#}");
    assert_eq!(report["tests"][0]["minimized"], 4, "{report:#}");
}

/// A framework is there, and all that it ran passed.
#[test]
fn no_test_failed() {
    let mut desk = Desk::new();
    let path = class_path().to_str().unwrap();
    let arguments = [
        "debug",
        "--observe",
        "suite.*",
        "--",
        "java",
        "-cp",
        path,
        "org.junit.platform.console.ConsoleLauncher",
        "execute",
        "-m",
        "suite.StockTest#packsNothing",
    ];
    let shown = [&arguments[..6], &["CLASSPATH"], &arguments[7..]].concat();
    let mut command = desk.command(&arguments);
    let output = desk.note(&shown, &mut command);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("none of its tests failed"), "{said}");
}
