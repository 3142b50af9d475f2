//! Recordings that end before their program does.

use std::path::Path;
use std::process::{Command, Output};

use jinsi_jdk::Jdk;
use tempfile::tempdir;

use super::support::{
    has, jdks, jinsi, json, programs, recording_option, run, stderr, stdout, tried_jdks,
};

/// Numbers that the program passes around, twice: many times what 1 MiB holds.
const NUMBERS: &str = "200000";
/// Milliseconds for which it rests then.
const REST: &str = "3000";

fn spent(jdk: &Jdk, directory: &Path, options: &str, rest: &str) -> Output {
    let agent = recording_option(
        &format!("observe=spent.*{options}"),
        &directory.join("t.jinsi"),
    );
    let log = directory.join("redefined.txt");
    run(Command::new(jdk.java())
        .args([
            &agent,
            &format!("-Xlog:redefine*=info:file={}", log.display()),
        ])
        .arg("-cp")
        .arg(programs())
        .args(["spent.Main", NUMBERS, rest]))
}

/// Has the JVM exchanged the code of the program's class?
fn was_redefined(directory: &Path) -> bool {
    let log = std::fs::read_to_string(directory.join("redefined.txt")).unwrap_or_default();
    log.lines().any(|line| line.contains("spent.Main"))
}

fn last_line(output: &Output) -> String {
    let said = stderr(output);
    let ours = said.lines().filter(|line| line.starts_with("jinsi: "));
    let ours: Vec<&str> = ours.collect();
    assert_eq!(ours.len(), 1, "{said}");
    ours[0].to_owned()
}

#[test]
fn what_ended_early_gives_its_probes_back_and_says_what_is_missing() {
    for jdk in tried_jdks() {
        let plain = run(Command::new(jdk.java()).arg("-cp").arg(programs()).args([
            "spent.Main",
            NUMBERS,
            "0",
        ]));
        let directory = tempdir().unwrap();
        let cut = spent(&jdk, directory.path(), ",max-size=1M,on=failure", REST);
        assert_eq!(stdout(&cut), stdout(&plain));
        assert_eq!(cut.status.code(), plain.status.code());
        assert!(was_redefined(directory.path()), "{}", stderr(&cut));
        let line = last_line(&cut);
        for part in [
            "max-size=1048576, ",
            "% of the ",
            "; a failure came after that",
            "max-size=none",
        ] {
            assert!(line.contains(part), "{part}: {line}");
        }

        let trace = directory.path().join("t.jinsi");
        let info = json(&run(jinsi().args(["info", "--json"]).arg(&trace)));
        assert_eq!(info["damage"], serde_json::json!([]));
        let lost = info["losses"]["recording_cut"][0].as_str().unwrap();
        assert!(lost.contains("a failure came after that"), "{lost}");
        for command in [&["minimize"][..], &["minimize", "--levels"]] {
            let out = directory.path().join("report");
            let refused = run(jinsi().args(command).arg(&trace).arg("--out").arg(&out));
            assert_eq!(refused.status.code(), Some(1));
            let said = stderr(&refused);
            has(&said, "the recording ended before the program did");
        }
    }
}

#[test]
fn what_does_not_end_early_keeps_its_probes() {
    let jdk = &jdks()[0];
    for options in ["", ",max-size=none"] {
        let directory = tempdir().unwrap();
        let whole = spent(jdk, directory.path(), options, "0");
        assert!(!was_redefined(directory.path()));
        assert!(!last_line(&whole).contains("max-size"));
        let trace = directory.path().join("t.jinsi");
        let info = json(&run(jinsi().args(["info", "--json"]).arg(&trace)));
        assert_eq!(info["losses"]["recording_cut"], serde_json::json!([]));
        assert_eq!(info["failures"].as_array().map(Vec::len), Some(1));
    }
}
