//! Questions about calls, put by the page: its server, and what it shares with the terminal.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use tempfile::TempDir;

use super::super::support::{jdks, jinsi, json, record_in};
use super::{Answer, Served, click_through, merge_sort, record_merge_sort};

fn document(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.body);
    serde_json::from_str(&answer.body).unwrap()
}

/// The published session, as the page sends it; the terminal finds its answers, and the page those of the terminal.
#[test]
fn a_session_of_the_page_is_that_of_the_terminal() {
    let directory = TempDir::new().unwrap();
    let trace = record_merge_sort(directory.path());
    let served = Served::of(&trace, &[]);
    let mut asking = document(&served.get("questions/next?strategy=top-down"));
    let mut names = Vec::new();
    for answer in [
        "invalid", "invalid", "valid", "valid", "valid", "valid", "invalid",
    ] {
        names.push(asking["name"].as_str().unwrap().to_owned());
        let call = asking["question"]["call"].as_str().unwrap();
        assert_eq!(asking["about"]["call"], call);
        asking = document(&served.post(&format!("questions/answer?call={call}&answer={answer}")));
    }
    let expected = [
        "main",
        "sort",
        "distribute",
        "merge",
        "merge",
        "distribute",
        "merge",
    ];
    assert_eq!(names, expected);
    assert_eq!(asking["state"], "found");
    assert_eq!(asking["verdict"]["method"], "mergesort.MergeSort.merge");
    let calls: Vec<&str> = asking["answers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|answer| answer["call"].as_str().unwrap())
        .collect();
    let standing = served.get(&format!(
        "questions/standing?calls={},0:999",
        calls.join(",")
    ));
    let expected = serde_json::json!([
        "invalid", "invalid", "valid", "valid", "valid", "valid", "invalid", null
    ]);
    assert_eq!(document(&standing)["standing"], expected);

    // Somebody takes an answer back in the terminal.
    let terminal = |answers: &str| in_terminal(&trace, answers);
    let found = terminal("");
    assert_eq!(found["verdict"]["call"], asking["verdict"]["call"]);
    assert_eq!(terminal("b\n")["answers"].as_array().unwrap().len(), 6);
    let again = document(&served.get("questions/next"));
    assert_eq!(again["answers"].as_array().unwrap().len(), 6, "{again:#}");
    assert_eq!(again["strategy"], "top-down");

    pointed_at(&served, &trace, &again);
}

/// Of the call that is asked about, `c[2]` is wrong; then that is taken back.
fn pointed_at(served: &Served, trace: &Path, asking: &Value) {
    let call = asking["question"]["call"].as_str().unwrap();
    let nothing = served.post(&format!(
        "questions/answer?call={call}&answer=invalid&part=c%5B9%5D"
    ));
    assert_eq!(nothing.status, 404, "{}", nothing.body);
    let part = served.post(&format!(
        "questions/answer?call={call}&answer=invalid&part=c%5B2%5D"
    ));
    assert_eq!(document(&part)["answers"][6]["part"], "c[2]");
    assert_eq!(in_terminal(trace, "")["answers"][6]["part"], "c[2]");
    let back = document(&served.post("questions/back"));
    assert_eq!(back["question"]["call"], call);
}

/// What the terminal says, with these answers.
fn in_terminal(trace: &Path, answers: &str) -> Value {
    let mut child = jinsi()
        .arg("ask")
        .arg(trace)
        .args(["--json", "--strategy", "top-down"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // It may have ended before it has read all.
    let _ = stdin.write_all(answers.as_bytes());
    drop(stdin);
    json(&child.wait_with_output().unwrap())
}

/// A call as a test, and calls of a loop together.
#[test]
fn the_page_shows_tests_and_asks_about_calls_together() {
    let directory = TempDir::new().unwrap();
    let how = ("postings.*", "states");
    let trace = record_in(&jdks().remove(0), directory.path(), "postings.Main", how);
    let served = Served::of(&trace, &[]);
    let first = document(&served.get("questions/next?strategy=divide"));
    let question = &first["question"];
    let [call, last] = ["call", "last"].map(|of| question[of].as_str().unwrap());
    let path = format!("questions/answer?call={call}&last={last}&answer=invalid");
    let second = document(&served.post(&path));
    assert_eq!(second["answers"][0]["last"], last);
    assert!(second["suspected"].as_u64() < first["suspected"].as_u64());
    let nothing = served.post(&format!(
        "questions/answer?call={call}&last=0:1&answer=valid"
    ));
    assert_eq!(nothing.status, 404, "{}", nothing.body);

    // What a contract says is not asked about; taken back, it is.
    document(&served.post("questions/back"));
    let mut now = document(&served.get("questions/next?strategy=top-down"));
    while !now["answers"]
        .as_array()
        .unwrap()
        .iter()
        .any(|a| a["by"] == "contract")
    {
        let call = now["question"]["call"].as_str().unwrap();
        let wrong = now["name"] == "main";
        let answer = if wrong { "invalid" } else { "valid" };
        now = document(&served.post(&format!("questions/answer?call={call}&answer={answer}")));
    }
    let back = document(&served.post("questions/back"));
    assert_eq!(back["name"], "size", "{back:#}");

    let test = document(&served.get(&format!(
        "questions/test?call={}",
        back["question"]["call"].as_str().unwrap()
    )));
    let test = test["test"].as_str().unwrap();
    assert!(test.contains("void sizeGivesWhatIsExpected()"), "{test}");
    let none = served.get("questions/test?call=0:99999");
    assert_eq!(none.status, 404, "{}", none.body);
}

/// What changes something is sent, not asked for, and nothing else can be sent.
#[test]
fn answers_are_sent() {
    let directory = TempDir::new().unwrap();
    let served = merge_sort(directory.path());
    let next = document(&served.get("questions/next"));
    let call = next["question"]["call"].as_str().unwrap();
    let path = format!("questions/answer?call={call}&answer=valid");
    assert_eq!(served.get(&path).status, 405);
    assert_eq!(served.get("questions/back").status, 405);
    for path in ["api/run", "queries/sql", "report.html", ""] {
        assert_eq!(served.post(path).status, 405, "{path}");
    }
    for path in [
        "questions/answer",
        "questions/answer?call=0:99999&answer=valid",
        &format!("questions/answer?call={call}&answer=perhaps"),
        "questions/nothing",
    ] {
        let status = served.post(path).status;
        assert!((400..500).contains(&status), "{path}: {status}");
    }
    assert_eq!(
        document(&served.get("questions/next"))["answers"],
        serde_json::json!([])
    );
    let left = std::fs::read_dir(directory.path()).unwrap();
    let kept = left.filter(|file| {
        let name = file.as_ref().unwrap().file_name();
        name.to_string_lossy().ends_with(".ask")
    });
    assert_eq!(kept.count(), 0, "nothing was answered");
}

/// The same, clicked.
#[test]
#[ignore = "long: needs Chromium, and two packages of npm"]
fn a_session_is_clicked_through() {
    let directory = TempDir::new().unwrap();
    click_through(&merge_sort(directory.path()).address(), "asking.mjs");
}
