//! The page for queries.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::{Served, click_through, jinsi, record_merge_sort};

/// Answers with what it was asked, and a moment.
const ENGINE: &str = r#"#!/bin/sh
case "$*" in
*--list*) echo '[{"name": "call_chain", "usage": "call_chain MOMENT", "says": "the open calls"}]' ;;
*) read -r text; printf '[{"question": "%s", "trace": "%s", "event": "0:7", "none": null}]' "$text" "${7##*/}" ;;
esac
"#;

/// A page over a run, whose engine is this script.
fn with_engine(directory: &Path) -> Served {
    let engine = directory.join("engine");
    // Written by another program: while it is open here, it could not be started.
    let mut writing = Command::new("sh")
        .args(["-c", "cat > \"$0\" && chmod 700 \"$0\""])
        .arg(&engine)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = writing.stdin.take().unwrap();
    stdin.write_all(ENGINE.as_bytes()).unwrap();
    drop(stdin);
    assert!(writing.wait().unwrap().success());
    let mut with_engine = jinsi();
    with_engine.env("JINSI_QUERY", &engine);
    Served::by(with_engine, &record_merge_sort(directory), &[])
}

/// SQL goes to the engine, with the trace that is shown, and only from the page. Without an engine the page says where there is one.
#[test]
fn sql_is_asked_of_the_engine() {
    let directory = TempDir::new().unwrap();
    let served = with_engine(directory.path());
    assert_eq!(served.ask("run")["queries"], true);
    assert!(served.get("queries.html").body.contains("queries.js"));
    let answer = served.get("queries/sql?text=select+1+--+all");
    let rows =
        r#"[{"question": "select 1 -- all", "trace": "t.jinsi", "event": "0:7", "none": null}]"#;
    let expected = format!(r#"{{"most":1000,"notes":[],"rows":{rows}}}"#);
    assert_eq!((answer.status, answer.body), (200, expected));
    let answer = served.get("queries/named");
    assert!(answer.body.contains("call_chain MOMENT"), "{}", answer.body);
    let (port, token) = (served.port, &served.token);
    for (path, header) in [
        ("/queries/sql?text=x".to_owned(), "Accept: */*"),
        (
            format!("/{token}/queries/sql?text=x"),
            "Origin: http://example.com",
        ),
    ] {
        let host = format!("Host: 127.0.0.1:{port}");
        let answer = served.send(&[format!("GET {path} HTTP/1.1"), host, header.to_owned()]);
        assert_eq!(answer.status, 403, "{}", answer.body);
    }
    drop(served);
    let mut without = jinsi();
    without.env("JINSI_QUERY", "/nowhere/jinsi-query");
    let served = Served::by(without, &directory.path().join("t.jinsi"), &[]);
    let answer = served.get("queries/sql?text=x");
    assert_eq!(answer.status, 404);
    assert!(
        answer
            .body
            .contains("--manifest-path frontends/query/engine/Cargo.toml"),
        "{}",
        answer.body
    );
}

/// The same, clicked.
#[test]
#[ignore = "long: needs Chromium, and two packages of npm"]
fn rows_of_an_answer_lead_to_their_moments() {
    let directory = TempDir::new().unwrap();
    let served = with_engine(directory.path());
    click_through(&served.address(), "queries.mjs");
}
