//! Threads: what the trace says of the order between them.

use std::collections::{BTreeMap, HashMap};
use std::process::Command;

use jinsi_trace::model::{EventKind, ObjectId, Payload, Prim, Value};
use jinsi_trace::reader::Trace;
use tempfile::tempdir;

use super::support::{programs, recording_option, stdout, succeed, tried_jdks};

/// Values written to each `Cell`, in merged order.
fn written(trace: &Trace) -> BTreeMap<ObjectId, Vec<i32>> {
    let cells: Vec<_> = trace
        .sites()
        .iter()
        .filter(|s| s.kind == EventKind::PutField && s.target.owner == "threads/Main$Cell")
        .map(|s| s.no)
        .collect();
    let mut written: BTreeMap<ObjectId, Vec<i32>> = BTreeMap::new();
    for next in trace.merged() {
        let event = next.expect("readable").event;
        if !event.site.is_some_and(|site| cells.contains(&site)) {
            continue;
        }
        if let Payload::Operands(values) = event.payload
            && let [Value::Object(cell), Value::Prim(Prim::Int(value))] = values[..]
        {
            written.entry(cell).or_default().push(value);
        }
    }
    written
}

#[test]
fn what_threads_hand_over_is_in_order() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let file = directory.path().join("t.jinsi");
        let output = succeed(
            Command::new(jdk.java())
                .arg(recording_option("observe=threads.*", &file))
                .arg("-cp")
                .arg(programs())
                .args(["threads.Main", "40"]),
        );
        let trace = Trace::open(&file).expect("a trace");
        let mut expected: Vec<i32> = stdout(&output)
            .lines()
            .map(|line| line.rsplit(' ').next().unwrap().parse().expect("a number"))
            .collect();
        assert_eq!(expected.len(), 20, "{}", stdout(&output));
        let written = written(&trace);
        for values in written.values() {
            let rising: Vec<i32> = (1..=values.len() as i32).collect();
            assert_eq!(*values, rising, "{}", jdk.version());
        }
        let mut last: Vec<i32> = written.values().map(|v| v.len() as i32).collect();
        expected.sort_unstable();
        last.sort_unstable();
        assert_eq!(last, expected);
        merged_is_every_event_once(&trace);
    }
}

/// Every thread's events, in its own order, and no others.
fn merged_is_every_event_once(trace: &Trace) {
    let mut next: HashMap<u32, u64> = HashMap::new();
    for merged in trace.merged() {
        let merged = merged.expect("readable");
        let index = next.entry(merged.thread).or_default();
        assert_eq!(merged.index, *index);
        *index += 1;
    }
    for thread in trace.threads() {
        let events = next.get(&thread.no).copied().unwrap_or_default();
        assert_eq!(events, trace.event_count(thread.no));
    }
}
