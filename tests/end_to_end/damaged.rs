//! Damaged traces: whoever gets an answer is informed of the damage with it.

use std::fs;
use std::path::{Path, PathBuf};

use jinsi_trace::reader::{Damage, Trace};
use serde_json::Value;
use tempfile::tempdir;

use super::support::{has, jdks, jinsi, json, record, run, stderr, stdout, succeed};

/// The trace with one bit turned in `byte`.
fn turned(trace: &Path, byte: usize) -> PathBuf {
    let mut bytes = fs::read(trace).unwrap();
    bytes[byte] ^= 1;
    let to = trace.with_extension("turned.jinsi");
    fs::write(&to, bytes).unwrap();
    to
}

/// Offsets of the payloads of its segments.
fn payloads(trace: &Path) -> Vec<usize> {
    let bytes = fs::read(trace).unwrap();
    let mut found = Vec::new();
    let mut at = 64;
    while let Some(length) = bytes.get(at + 8..at + 16) {
        found.push(at + 40);
        let length = u64::from_le_bytes(length.try_into().unwrap()) as usize;
        at = (at + 40 + length).next_multiple_of(8);
    }
    found
}

fn is_incomplete(levels: &Value) -> bool {
    levels
        .as_array()
        .unwrap()
        .iter()
        .all(|level| level["incomplete"] == true)
}

#[test]
fn a_lost_chunk_is_named_wherever_the_trace_is_read() {
    let directory = tempdir().unwrap();
    let trace = record(&jdks()[0], directory.path(), "vending.Main", "vending.*");
    let out = directory.path().join("report");
    let lost_events = |&&at: &&usize| {
        let turned = Trace::open(&turned(&trace, at + 60));
        turned
            .is_ok_and(|t| matches!(t.damage(), [Damage::Checksum { .. }]) && t.event_count(0) == 0)
    };
    let payloads = payloads(&trace);
    let chunk = *payloads.iter().find(lost_events).unwrap();
    let of_chunk = turned(&trace, chunk + 60);
    // All its events are in it: there is no answer, and why is said.
    let output = run(jinsi()
        .arg("minimize")
        .arg(&of_chunk)
        .arg("--out")
        .arg(&out));
    assert_eq!(output.status.code(), Some(1));
    has(&stderr(&output), "damaged: checksum of segment");
    // Of the other commands, what they print.
    for command in ["info", "pack", "compact"] {
        let to = directory.path().join(command);
        let mut jinsi = jinsi();
        jinsi.args(["--json", command]).arg(&of_chunk);
        if command != "info" {
            jinsi.arg("--out").arg(&to);
        }
        let document = json(&run(&mut jinsi));
        assert_eq!(
            document["damage"].as_array().unwrap().len(),
            1,
            "{command}: {document}"
        );
        if to.exists() {
            assert!(matches!(
                Trace::open(&to).unwrap().damage(),
                [Damage::Earlier(_)]
            ));
        }
    }
    let rows = json(&run(jinsi().args(["--json", "events"]).arg(&of_chunk)));
    let last = rows.as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["kind"], "Damage", "{last}");
}

#[test]
#[ignore = "long: many damaged traces; a sample of `flip-bits` is among the tests"]
fn damage_that_takes_nothing_is_named_beside_the_same_answer() {
    let directory = tempdir().unwrap();
    let trace = record(&jdks()[0], directory.path(), "vending.Main", "vending.*");
    let out = directory.path().join("report");
    let minimize = |trace: &Path, json: bool| {
        let mut jinsi = jinsi();
        jinsi
            .args(json.then_some("--json"))
            .args(["minimize", "--no-slice", "--out"]);
        run(jinsi.arg(&out).arg(trace))
    };
    let whole = json(&minimize(&trace, true));
    assert_eq!(whole["damage"], Value::Array(vec![]));
    // A commit mark: the segment has its checksum still.
    let mark = turned(&trace, payloads(&trace)[2] - 5);
    let marked = json(&minimize(&mark, true));
    assert_eq!(marked["damage"][0]["lost"], "nothing");
    assert_eq!(
        marked["levels"][0]["minimized"],
        whole["levels"][0]["minimized"]
    );
    assert_eq!(marked["levels"][0]["incomplete"], false);
    let said = stdout(&minimize(&mark, false));
    assert!(said.contains("damaged    segment 2 at offset"), "{said}");
    let replayed = succeed(jinsi().args(["--json", "replay"]).arg(&mark));
    assert_eq!(json(&replayed)["damage"].as_array().unwrap().len(), 1);
}

#[test]
#[ignore = "long: several damaged traces"]
fn a_lost_record_makes_levels_incomplete() {
    let directory = tempdir().unwrap();
    let trace = record(&jdks()[0], directory.path(), "vending.Main", "vending.*");
    let out = directory.path().join("report");
    // The failure can be minimized without some of the records; of these levels it is said that they are incomplete.
    let mut answered = 0;
    for payload in payloads(&trace).into_iter().rev().take(12) {
        let output = run(jinsi()
            .args(["--json", "minimize", "--no-slice", "--levels=1", "--out"])
            .arg(&out)
            .arg(turned(&trace, payload + 9)));
        if !output.status.success() {
            continue;
        }
        answered += 1;
        let report = json(&output);
        assert_eq!(report["damage"][0]["lost"], "record", "{report}");
        assert!(is_incomplete(&report["levels"]), "{report}");
        let page = fs::read_to_string(out.join("report.html")).unwrap();
        assert!(page.contains("The trace is damaged") && page.contains(">incomplete<"));
        if answered == 2 {
            return;
        }
    }
    panic!("{answered} answers");
}
