//! From a recorded failure to minimal tests.

use std::path::Path;
use std::process::{Command, Stdio};

use jinsi_jdk::junit::{self, JunitResult};
use jinsi_jdk::{compile, maven};
use serde_json::Value;
use tempfile::tempdir;

use super::support::{
    jdks, jinsi, jod3, json, minimize, numbers, programs, record, run, stderr, succeed, tried_jdks,
};

/// Burger 2011, Figure 4.9: the slice is {3,4,5,6,7,8}, what is left {3,5,6,8}.
#[test]
fn the_xml_tree() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = record(&jdk, directory.path(), "xmltree.Main", "xmltree.*");
        let report = minimize(&trace, "xmltree.XMLElement");
        let level = &report["levels"][0];
        assert_eq!(level["interactions"], 8);
        assert_eq!(level["after_event_slice"], 6);
        assert_eq!(numbers(&level["kept"]), [3, 5, 6, 8]);
        let removed_by = |by: &str| -> Vec<u64> {
            let removed = level["removed"].as_array().unwrap();
            removed
                .iter()
                .filter(|r| r["by"] == by)
                .map(|r| r["number"].as_u64().unwrap())
                .collect()
        };
        assert_eq!(removed_by("event_slice"), [1, 2]);
        assert_eq!(removed_by("minimization"), [4, 7]);
        assert_eq!(level["test_outcome"], "reproduces");
        assert_eq!(level["test_form"], "plain");
        assert_eq!(level["resynchronized"], false);
    }
}

/// Burger 2011, Figure 4.10: neither the name nor the clearing of the children has a part in the failure.
#[test]
fn calls_without_a_part_in_the_failure_go() {
    let directory = tempdir().unwrap();
    let trace = record(
        &jdks()[0],
        directory.path(),
        "xmltree.ClearMain",
        "xmltree.*",
    );
    let report = minimize(&trace, "xmltree.XMLElement");
    let level = &report["levels"][0];
    assert_eq!(level["minimized"], 4, "{level}");
    let kept = level["kept"].as_array().unwrap();
    let texts: Vec<&str> = kept.iter().map(|k| k["text"].as_str().unwrap()).collect();
    for (text, part) in texts
        .iter()
        .zip(["new ", "new ", ".addChild(", ".getNumberOfChildren("])
    {
        assert!(text.contains(part), "{texts:?}");
    }
    assert_eq!(level["test_outcome"], "reproduces");
}

#[test]
fn the_vending_machine() {
    let directory = tempdir().unwrap();
    let trace = record(&jdks()[0], directory.path(), "vending.Main", "vending.*");
    let report = minimize(&trace, "vending.VendingMachine");
    let level = &report["levels"][0];
    assert!(level["interactions"].as_u64().unwrap() >= 30, "{level}");
    assert!(level["minimized"].as_u64().unwrap() <= 7, "{level}");
    assert_eq!(level["test_outcome"], "reproduces");
}

/// One program run gives every level; each level's test is compiled, run, and fails as recorded – in another time zone than the
/// recorded run's.
#[test]
#[ignore = "long: a real crash at all levels; the corpus has more of them"]
fn a_real_crash_on_every_level() {
    for (nr, jdk) in jdks().into_iter().enumerate() {
        let directory = tempdir().unwrap();
        let report = directory.path().join("report");
        let mut command = jinsi();
        command
            .args([
                "debug",
                "--json",
                "--observe",
                "org.joda.time.*:jod3.*",
                "--out",
            ])
            .arg(&report)
            .arg("--");
        command.arg(jdk.java()).args([
            "-Duser.timezone=America/Los_Angeles",
            "-cp",
            &jod3(),
            "jod3.Jod3",
        ]);
        let output = succeed(&mut command);
        check_jod3(&json(&output));

        if nr == 0 {
            alone_is_the_same(&report);
        }
    }
}

/// The report's trace alone, without Joda-Time, gives what the report has.
fn alone_is_the_same(report: &Path) {
    let elsewhere = tempdir().unwrap();
    let trace = elsewhere.path().join("alone.jinsi");
    std::fs::copy(report.join("trace.jinsi"), &trace).unwrap();
    let output = succeed(jinsi().current_dir(elsewhere.path()).args([
        "--json",
        "minimize",
        "alone.jinsi",
        "--out",
        "again",
    ]));
    let again = json(&output);
    check_jod3(&again);
    assert_eq!(kept(&again), kept(&json_file(&report.join("report.json"))));
}

fn json_file(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

fn kept(report: &Value) -> Vec<Vec<u64>> {
    report["levels"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| numbers(&l["kept"]))
        .collect()
}

fn check_jod3(report: &Value) {
    assert_eq!(report["failure"]["type"], "java.lang.ArithmeticException");
    assert_eq!(
        report["failure"]["message"],
        "Adding time zone offset caused overflow"
    );
    assert_eq!(
        report["failure"]["at"],
        "ZonedChronology$ZonedDurationField.getOffsetToAdd(ZonedChronology.java:348)"
    );
    let levels = report["levels"].as_array().unwrap();
    assert!(levels.len() >= 5, "{} levels", levels.len());
    for level in levels {
        assert_eq!(level["strict_replay"], "reproduced", "{level}");
        assert_eq!(level["test_outcome"], "reproduces", "{level}");
    }
    let joining = |name: &str| {
        levels
            .iter()
            .find(|l| l["name"] == name)
            .unwrap_or_else(|| panic!("no level of {name}"))
    };
    assert!(
        joining("org.joda.time.Period")["minimized"]
            .as_u64()
            .unwrap()
            <= 2
    );
    assert_eq!(
        numbers(&joining("org.joda.time.tz.DateTimeZoneBuilder")["kept"]),
        [1, 22, 23]
    );
}

/// A single file that needs nothing from elsewhere, and names what was found.
#[test]
fn the_page_is_self_contained() {
    let directory = tempdir().unwrap();
    let trace = record(&jdks()[0], directory.path(), "xmltree.Main", "xmltree.*");
    minimize(&trace, "xmltree.XMLElement");
    let page = std::fs::read_to_string(directory.path().join("report/report.html")).unwrap();
    assert!(page.contains("ArrayIndexOutOfBoundsException"));
    assert!(page.contains("getNumberOfChildren"));
    for foreign in ["src=\"http", "href=\"http", "@import", "<link"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
}

/// The written test is an ordinary test: a plain `javac` and JUnit run it, without jinsi.
#[test]
fn a_plain_test_needs_nothing_of_ours() {
    let directory = tempdir().unwrap();
    let trace = record(&jdks()[0], directory.path(), "xmltree.Main", "xmltree.*");
    let report = minimize(&trace, "xmltree.XMLElement");
    let file = directory
        .path()
        .join("report")
        .join(report["levels"][0]["test_file"].as_str().unwrap());
    let source = std::fs::read_to_string(&file).unwrap();
    assert!(
        !source.contains("jinsi.") && !source.contains("org.mockito"),
        "{source}"
    );
    for jdk in tried_jdks() {
        let mut class_path = maven::fetch(&[maven::JUNIT]).unwrap();
        class_path.push(programs().to_path_buf());
        let compiled = tempdir().unwrap();
        compile::javac(
            &jdk,
            std::slice::from_ref(&file),
            &class_path,
            compiled.path(),
        )
        .unwrap();
        class_path.push(compiled.path().to_path_buf());
        let tests = ["xmltree.XMLElementLevel1Test"];
        let outcomes = junit::run(&jdk, &class_path, &tests, &[]).unwrap();
        let [outcome] = outcomes.as_slice() else {
            panic!("{outcomes:?}");
        };
        let JunitResult::Failed(failure) = &outcome.result else {
            panic!("{outcome:?}");
        };
        assert_eq!(
            failure.exception,
            "java.lang.ArrayIndexOutOfBoundsException"
        );
        assert_eq!(failure.frames[0].method, "getNumberOfChildren");
    }
}

/// An object that the driver makes and the environment hands to observed code later: the test makes it too, and says which it is.
#[test]
#[ignore = "long: several reports"]
fn an_object_that_comes_back_from_the_environment() {
    let directory = tempdir().unwrap();
    let source = directory.path().join("Errand.java");
    std::fs::write(
        &source,
        "public class Errand {
            static class Worker {
                int done;
                void work(int n) { if (n / (2 - n) == 1) done++; }
            }
            static class Registry {
                Worker worker;
                Worker find(String name) { return worker; }
            }
            static class Boss {
                final Registry registry;
                Boss(Registry registry) { this.registry = registry; }
                void run() { for (int n = 1; n < 3; n++) registry.find(\"w\" + n).work(n); }
            }
            public static void main(String[] a) {
                Registry registry = new Registry();
                registry.worker = new Worker();
                new Boss(registry).run();
            }
        }",
    )
    .unwrap();
    for jdk in tried_jdks() {
        compile::javac(&jdk, std::slice::from_ref(&source), &[], directory.path()).unwrap();
        let out = directory
            .path()
            .join(format!("report-{}", jdk.version().feature));
        let mut command = jinsi();
        command.args(["--json", "debug", "--observe", "Errand*", "--out"]);
        command.arg(&out).arg("--").arg(jdk.java());
        let output = succeed(command.arg("-cp").arg(directory.path()).arg("Errand"));
        let report = json(&output);
        assert_eq!(report["capture"]["exit_status"], 1);
        let levels = report["levels"].as_array().unwrap();
        let names: Vec<&str> = levels.iter().map(|l| l["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["Errand$Worker", "Errand$Boss", "Errand"]);
        for level in levels {
            assert_eq!(level["test_outcome"], "reproduces", "{level}");
        }
        // The boss, and its run; the registry and its worker are made for it.
        assert_eq!(levels[1]["minimized_of_observed"], 3, "{}", levels[1]);
    }
}

/// Whoever reports a test's exception asks it for its message, and such a method may be the program's and ask the environment.
#[test]
fn an_exception_that_makes_its_message_itself() {
    let directory = tempdir().unwrap();
    let source = directory.path().join("Sayer.java");
    std::fs::write(
        &source,
        "public class Sayer {
            static class Words { int count = 3; String all() { return \"words \" + count; } }
            static class Said extends RuntimeException {
                final Words words;
                final int code = 7;
                Said(Words words) { this.words = words; }
                @Override public String getMessage() {
                    for (int i = 0; i < words.count; i++) words.all();
                    return words.all();
                }
            }
            static class Box { void check(Words words) { throw new Said(words); } }
            public static void main(String[] a) { new Box().check(new Words()); }
        }",
    )
    .unwrap();
    let jdk = &jdks()[0];
    compile::javac(jdk, std::slice::from_ref(&source), &[], directory.path()).unwrap();
    let mut command = jinsi();
    command.args(["--json", "debug", "--observe", "Sayer*", "--out"]);
    command
        .arg(directory.path().join("report"))
        .arg("--")
        .arg(jdk.java());
    let output = succeed(command.arg("-cp").arg(directory.path()).arg("Sayer"));
    for level in json(&output)["levels"].as_array().unwrap() {
        assert_eq!(level["test_outcome"], "reproduces", "{level}");
    }
}

/// The same program under each JUnit: forms and outcomes are the same, and what is written for 4 does not need 5.
#[test]
#[ignore = "long: all levels, under each JUnit"]
fn tests_for_junit_4() {
    let directory = tempdir().unwrap();
    let trace = record(
        &jdks()[0],
        directory.path(),
        "numberwriter.Main",
        "numberwriter.*",
    );
    let forms = |junit: &str| -> Vec<(String, String)> {
        let out = directory.path().join(junit);
        let mut command = jinsi();
        command.args(["--json", "minimize", "--replay-only"]);
        command.args(["--junit", junit, "--out"]);
        let output = succeed(command.arg(&out).arg(&trace));
        let report = json(&output);
        let levels = report["levels"].as_array().unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        levels
            .iter()
            .map(|level| {
                let source = std::fs::read_to_string(out.join(text(&level["test_file"]))).unwrap();
                assert_eq!(
                    source.contains("org.junit.jupiter"),
                    junit == "5",
                    "{source}"
                );
                assert_eq!(source.contains("org.junit.Test"), junit == "4", "{source}");
                (text(&level["test_form"]), text(&level["test_outcome"]))
            })
            .collect()
    };
    let for_4 = forms("4");
    assert!(for_4.iter().all(|(_, outcome)| outcome == "reproduces"));
    assert!(for_4.iter().any(|(form, _)| form == "replay"), "{for_4:?}");
    assert_eq!(for_4, forms("5"));
}

/// What is left of the tree is made without the lines that name elements. Its slice ends where it fails.
#[test]
fn executed_lines_before_and_after() {
    let directory = tempdir().unwrap();
    let trace = record(&jdks()[0], directory.path(), "xmltree.Main", "xmltree.*");
    let report = minimize(&trace, "xmltree.XMLElement");
    let level = &report["levels"][0];
    let lines = |name: &str| level[name].as_u64().unwrap_or_else(|| panic!("{level}"));
    assert!(0 < lines("lines_in_slice"), "{level}");
    assert!(
        lines("lines_in_slice") <= lines("lines_executed"),
        "{level}"
    );
    let nearest = &level["slice_lines"][0];
    let at = report["failure"]["at"].as_str().unwrap();
    let place = format!(":{})", nearest["line"]);
    assert!(at.ends_with(&place), "{at}: {nearest}");
    assert_eq!(nearest["distance"], 0);
    assert!(0 < lines("lines_executed"), "{level}");
    assert!(lines("lines_executed") < lines("lines_recorded"), "{level}");
}

/// Without time nothing is minimized, and the report says so.
#[test]
fn a_budget_that_is_over_before_it_begins() {
    let directory = tempdir().unwrap();
    let trace = record(&jdks()[0], directory.path(), "xmltree.Main", "xmltree.*");
    let mut command = jinsi();
    command.args(["--json", "minimize", "--budget", "0", "--out"]);
    let out = directory.path().join("report");
    let output = run(command.arg(&out).arg(&trace));
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let report = json(&output);
    assert_eq!(report["stopped"], "budget");
    assert_eq!(report["levels"].as_array().unwrap().len(), 0);
    assert!(out.join("report.html").is_file());
}

/// Ctrl-C while the levels are minimized: what has been done by then is written down, and the command ends by itself.
/// Has any thread of the process started another process that is still there?
fn has_children(pid: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    threads.flatten().any(|thread| {
        // A thread may be gone by now.
        let children = std::fs::read_to_string(thread.path().join("children"));
        children.is_ok_and(|children| !children.is_empty())
    })
}

#[test]
fn an_interrupt_ends_the_search_and_not_the_command() {
    let directory = tempdir().unwrap();
    let report = directory.path().join("report");
    let trace = directory.path().join("jod3.jinsi");
    let mut record = jinsi();
    record.args(["record", "--observe", "org.joda.time.*:jod3.*", "-o"]);
    record.arg(&trace).arg("--").arg(jdks()[0].java());
    run(record.args([
        "-Duser.timezone=America/Los_Angeles",
        "-cp",
        &jod3(),
        "jod3.Jod3",
    ]));
    let mut command = jinsi();
    // Plain delta debugging takes long enough to be interrupted.
    command.args(["--json", "minimize", "--search", "ddmin", "--out"]);
    command
        .arg(&report)
        .arg(&trace)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The worker is started when the interrupt is a wish already.
    while !has_children(child.id()) {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.code().is_some(), "{}", stderr(&output));
    assert_eq!(json(&output)["stopped"], "interrupted");
    assert!(report.join("report.json").is_file());
}
