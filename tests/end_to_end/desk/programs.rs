//! Programs that are recorded, and nothing comes of it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::super::support::{jdks, run, stderr, stdout, succeed};
use super::{Desk, with_java};

/// What is said of a program that has not failed, as far as jinsi sees: what else can be named as the failure.
#[test]
fn no_failure() {
    let mut desk = Desk::new();
    let fine = ["java", "-cp", "classes", "desk.Fine"];
    desk.call(&[&["debug", "--observe", "desk.*", "--"], &fine[..]].concat());
    desk.call(&[&["debug", "--out", "out", "--"], &fine[..], &["3"]].concat());
    desk.record("t.jinsi", "desk.*", &["desk.Fine"]);
    for option in [
        &["--wrong", "Fine.thrice"][..],
        &["--failure", "9"],
        &["--test", "FineTest"],
        &["--observe", "com.nobody.*"],
    ] {
        let output = desk.call(&[&["minimize", "t.jinsi"], option].concat());
        assert_eq!(output.status.code(), Some(1), "{option:?}");
    }
    insta::assert_snapshot!(desk.page);
}

/// Nothing of it was observed, or not what failed; or java ran nothing.
#[test]
fn nothing_was_observed() {
    let mut desk = Desk::new();
    for (observe, main) in [
        ("com.nobody.*", "xmltree.Main"),
        ("xmltre.*", "xmltree.Main"),
        ("desk.Fine", "desk.Apart"),
        ("*", "no.Main"),
    ] {
        let output = desk.call(&[
            "debug",
            "--observe",
            observe,
            "--",
            "java",
            "-cp",
            "classes",
            main,
        ]);
        assert_eq!(output.status.code(), Some(1), "{observe}");
        assert_eq!(stdout(&output), "");
    }
    desk.call(&[
        "record",
        "--observe",
        "xmltre.*",
        "-o",
        "t.jinsi",
        "--",
        "java",
        "-cp",
        "classes",
        "xmltree.Main",
    ]);
    desk.call(&["minimize", "t.jinsi"]);
    insta::assert_snapshot!(desk.page);
}

/// A trace of which the end is missing, whatever took it.
#[test]
fn a_trace_that_is_cut_off() {
    let mut desk = Desk::new();
    let trace = desk.record("t.jinsi", "desk.*", &["desk.Fine"]);
    let whole = fs::read(&trace).unwrap();
    fs::write(&trace, &whole[..whole.len() - 40]).unwrap();
    let output = desk.call(&["minimize", "t.jinsi"]);
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(desk.page);
}

/// Ctrl-C while a program is recorded goes to the program, too. Its trace is kept, and it is said how to go on.
#[test]
fn an_interrupt_while_recording() {
    let mut desk = Desk::new();
    for arguments in [
        &["record", "--observe", "desk.*", "-o", "t.jinsi"][..],
        &["debug", "--observe", "desk.*", "--out", "out"],
    ] {
        let program = ["--", "java", "-cp", "classes", "desk.Interrupted"];
        let arguments = [arguments, &program].concat();
        // In a process group of its own, which is interrupted as that of a terminal is.
        let mut command = Command::new("setsid");
        command
            .current_dir(desk.path())
            .env("PATH", with_java())
            .env_remove("JAVA_TOOL_OPTIONS")
            .args(["--wait", env!("CARGO_BIN_EXE_jinsi")])
            .args(&arguments);
        jinsi_platform::process::heed_signals(&mut command);
        let output = desk.note(&arguments, &mut command);
        assert_eq!(stdout(&output), "");
    }
    assert!(desk.path().join("t.jinsi").is_file());
    assert!(desk.path().join("out/boundary.jinsi").is_file());
    insta::assert_snapshot!(desk.page);
}

/// Without Maven and without a repository no written test can be run; the reason is said where the test is.
#[test]
fn no_repository() {
    let mut desk = Desk::new();
    desk.record("t.jinsi", "xmltree.*", &["xmltree.Main"]);
    let arguments = ["minimize", "t.jinsi", "--levels=1", "--no-slice"];
    let home = desk.path().join("home");
    fs::create_dir(&home).unwrap();
    let mut command = desk.command(&arguments);
    let bin = jdks()[0].java().parent().unwrap().to_owned();
    command.env("PATH", bin).env("HOME", &home);
    let output = desk.note(&arguments, &mut command);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    insta::assert_snapshot!(desk.page);
}

/// All that a report's directory gets is in the manual's table, and `clean` removes it.
#[test]
fn what_is_left_is_known_and_can_be_removed() {
    let desk = Desk::new();
    let program = ["--", "java", "-cp", "classes", "xmltree.Main"];
    let arguments = ["debug", "--markdown", "jinsi-report/comment.md"];
    succeed(&mut desk.command(&[&arguments[..], &program].concat()));
    let comment = fs::read_to_string(desk.path().join("jinsi-report/comment.md")).unwrap();
    assert!(comment.contains("```java\npackage xmltree;"), "{comment}");

    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/quick-start.md");
    let page = fs::read_to_string(page).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let names: Vec<&str> = cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    for entry in fs::read_dir(desk.path().join("jinsi-report")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let known = names.iter().any(|n| n.trim_end_matches('/') == name);
        assert!(known, "{name} is not in docs/quick-start.md: {names:?}");
    }
    let clean = |arguments: &[&str]| {
        succeed(&mut desk.command(&[&["clean"], arguments].concat()));
        let left = fs::read_dir(desk.path().join("jinsi-report"));
        left.map(|all| all.map(|e| e.unwrap().file_name()).collect::<BTreeSet<_>>())
    };
    let traces = ["boundary.jinsi", "trace.jinsi"].map(OsString::from);
    assert_eq!(clean(&[]).unwrap(), BTreeSet::from(traces));
    let refused = run(&mut desk.command(&["clean", "classes"]));
    assert_eq!(refused.status.code(), Some(1));
    clean(&["--traces", "jinsi-report"]).unwrap_err();
}

/// What is there is not overwritten: that is said before anything is done, or another name is taken.
#[test]
fn what_is_there_stays() {
    let mut desk = Desk::new();
    desk.record("t.jinsi", "desk.*", &["desk.Fine"]);
    fs::write(desk.path().join("there.jinsi"), "precious").unwrap();
    for arguments in [
        &["expand", "t.jinsi", "-o", "there.jinsi"][..],
        &["pack", "t.jinsi", "-o", "there.jinsi"],
        &["compact", "t.jinsi", "-o", "there.jinsi"],
        &[
            "record",
            "--observe",
            "desk.*",
            "-o",
            "there.jinsi",
            "--",
            "java",
            "-cp",
            "classes",
            "desk.Fine",
        ],
    ] {
        desk.call(arguments);
    }
    let kept = fs::read_to_string(desk.path().join("there.jinsi")).unwrap();
    assert_eq!(kept, "precious");
    insta::assert_snapshot!(desk.page);
}
