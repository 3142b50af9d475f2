//! `redact=`: texts that are named are nowhere in the trace.

use std::path::Path;
use std::process::Command;

use jinsi_trace::model::EventKind;
use jinsi_trace::reader::Trace;
use tempfile::tempdir;

use super::support::{compile_programs, jdks, jinsi, json, recording_option, run, stderr, succeed};

/// What must not be there, with the property that gives it to the program.
const SECRETS: [(&str, &str); 3] = [
    ("password", "Quetzalcoatl7"),
    ("token", "Xochimilco"),
    ("pin", "9182736450"),
];
/// What the program makes of the token, and hands on: other cases, Base64 alone and within a longer text, and a part.
const DERIVED: [&str; 5] = [
    "xochimilco",
    "XOCHIMILCO",
    "WG9jaGltaWxjbw",
    // Of "ann:Xochimilco!", from the first digit on that the token alone decides.
    "hvY2hpbWlsY2",
    "himilco",
];
const RULES: &str = "redact=*Account.password:*.Vault.token:*.Vault.pin";

/// Everything in a trace as text: events with their columns decompressed, and all tables.
fn unpacked(path: &Path) -> String {
    let trace = Trace::open(path).unwrap();
    let mut text = format!(
        "{:?}{:?}{:?}{:?}{:?}",
        trace.meta(),
        trace.surroundings(),
        trace.throwables(),
        trace.failures(),
        trace.skipped()
    );
    for class in trace.classes() {
        text += &String::from_utf8_lossy(&class.bytes);
    }
    for thread in trace.threads() {
        for event in trace.events(thread.no) {
            text += &format!("{:?}\n", event.unwrap());
        }
    }
    text
}

/// Does the text, or the numbers of its characters as a list has them, stand in `all`?
fn holds(all: &str, secret: &str) -> bool {
    let numbers = |as_list: &dyn Fn(u8) -> String| {
        let list: Vec<String> = secret.bytes().map(as_list).collect();
        list.join(", ")
    };
    all.contains(secret)
        || all.contains(&numbers(&|c| format!("Prim(Char({c}))")))
        || all.contains(&numbers(&|c| format!("Prim(Byte({c}))")))
}

/// `within`: it also encodes a longer text with a secret in it. The digits at its edges are made of both, and are not those that a replay
/// makes.
fn record(trace: &Path, classes: &Path, within: bool, options: &str) {
    let jdk = &jdks()[0];
    let mut java = Command::new(jdk.java());
    java.arg(format!("-Dwithin={within}"));
    for (name, secret) in SECRETS {
        java.arg(format!("-D{name}={secret}"));
    }
    let agent = recording_option(&format!("observe=secrets.app.*{options}"), trace);
    let output = run(java
        .arg(agent)
        .arg("-cp")
        .arg(classes)
        .arg("secrets.app.Main"));
    // The program itself does not notice.
    let said = stderr(&output);
    assert!(said.contains("password=Quetzalcoatl7 3"), "{said}");
    assert!(
        said.contains("jinsi: ") && output.status.code() == Some(1),
        "{said}"
    );
}

#[test]
fn redacted_texts_are_nowhere_in_the_trace() {
    let classes = compile_programs(&["secrets/app", "secrets/vault"], &[]);
    for detail in ["interactions", "boundary"] {
        for kind in ["", "hash", "blank"] {
            let directory = tempdir().unwrap();
            let trace = directory.path().join("t.jinsi");
            let rules = match kind {
                "" => String::new(),
                kind => format!(",{RULES},redact-as={kind}"),
            };
            record(
                &trace,
                classes.path(),
                true,
                &format!(",detail={detail}{rules}"),
            );
            let text = unpacked(&trace);
            let bytes = std::fs::read(&trace).unwrap();
            let raw = String::from_utf8_lossy(&bytes);
            let wide = String::from_utf8_lossy(&bytes).replace('\0', "");
            for (name, secret) in SECRETS {
                let context = format!("{detail} {kind} {name}");
                // Without rules the same search finds them.
                assert_eq!(holds(&text, secret), kind.is_empty(), "{context}");
                let found = raw.contains(secret) || wide.contains(secret);
                assert!(kind.is_empty() || !found, "{context}");
            }
            for derived in DERIVED {
                let context = format!("{detail} {kind} {derived}");
                assert_eq!(holds(&text, derived), kind.is_empty(), "{context}");
                let found = raw.contains(derived) || wide.contains(derived);
                assert!(kind.is_empty() || !found, "{context}");
            }
            let blanked = text.contains("*************");
            assert_eq!(blanked, kind == "blank", "{detail} {kind}");
        }
    }
}

/// Hashed texts compare and join as the real ones did: the failure is minimized, and so is its message.
#[test]
fn a_redacted_failure_is_minimized() {
    let classes = compile_programs(&["secrets/app", "secrets/vault"], &[]);
    let directory = tempdir().unwrap();
    let trace = directory.path().join("t.jinsi");
    record(&trace, classes.path(), false, &format!(",{RULES}"));
    assert!(
        Trace::open(&trace)
            .unwrap()
            .kind_stats()
            .contains_key(&EventKind::Uncaught)
    );
    let out = directory.path().join("report");
    let output = succeed(
        jinsi()
            .args(["--json", "minimize"])
            .arg(&trace)
            .arg("--out")
            .arg(&out),
    );
    let report = json(&output);
    let message = report["failure"]["message"].as_str().unwrap();
    assert!(message.starts_with("cannot close, password=") && message.ends_with(" 3"));
    assert_eq!(report["levels"][0]["test_outcome"], "reproduces");
    let everything = report.to_string();
    for (_, secret) in SECRETS {
        assert!(!holds(&everything, secret), "{everything}");
    }
}
