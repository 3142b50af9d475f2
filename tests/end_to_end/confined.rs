//! Machines that cannot shut in what is run.

use std::process::{Command, Output};

use tempfile::tempdir;

use super::support::{jdks, jinsi, json, programs, recording_option, run, stderr};

/// Runs the command on a kernel as old as Linux 5.12, for all that it can see: there is no Landlock.
fn without_landlock(command: &mut Command) -> Output {
    run(jinsi_confine::without_landlock(command))
}

#[test]
fn nothing_runs_where_it_cannot_be_shut_in() {
    let directory = tempdir().unwrap();
    let trace = directory.path().join("t.jinsi");
    run(Command::new(jdks()[0].java())
        .arg(recording_option("observe=family.*", &trace))
        .arg("-cp")
        .arg(programs())
        .args(["family.Main", "0"]));
    let report = directory.path().join("report");
    let expanded = directory.path().join("expanded.jinsi");
    for arguments in [
        vec!["replay".as_ref(), trace.as_os_str()],
        vec![
            "minimize".as_ref(),
            trace.as_os_str(),
            "--out".as_ref(),
            report.as_os_str(),
        ],
        vec!["slice".as_ref(), trace.as_os_str()],
        vec![
            "expand".as_ref(),
            trace.as_os_str(),
            "-o".as_ref(),
            expanded.as_os_str(),
            "--detail".as_ref(),
            "instructions".as_ref(),
        ],
    ] {
        let refused = without_landlock(jinsi().args(&arguments));
        let said = stderr(&refused);
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(refused.stdout.is_empty(), "{arguments:?}");
        for part in ["Landlock", "--unconfined", "nothing was run"] {
            assert!(said.contains(part), "{arguments:?}: {part}: {said}");
        }
        let all_the_same = without_landlock(jinsi().args(&arguments).arg("--unconfined"));
        let said = stderr(&all_the_same);
        assert_eq!(all_the_same.status.code(), Some(0), "{arguments:?}: {said}");
    }
    let mut debug = jinsi();
    debug.args(["debug", "--observe", "family.*", "--out"]);
    debug
        .arg(&report)
        .arg("--")
        .arg(jdks()[0].java())
        .arg("-cp");
    let refused = without_landlock(debug.arg(programs()).args(["family.Main", "0"]));
    assert_eq!(refused.status.code(), Some(1));
    assert!(refused.stdout.is_empty(), "the program has run");

    let machine = json(&without_landlock(jinsi().args(["doctor", "--json"])));
    assert_eq!(machine["ok"], false);
    let checks = machine["checks"].as_array().unwrap();
    let missing: Vec<_> = checks.iter().filter(|c| c["ok"] == false).collect();
    assert_eq!(missing[0]["name"], "confinement", "{machine:#}");
}
