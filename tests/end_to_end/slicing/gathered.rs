//! Accesses that one event tells of, against the recording that has an event for each.

use std::collections::HashMap;

use jinsi_slice::Kind;
use jinsi_trace::model::{Event, EventKind, ObjectId, Payload, Prim, Value};
use jinsi_trace::reader::Trace;
use tempfile::tempdir;

use super::super::support::{compile_programs, tried_jdks};
use super::record;

/// The accesses to elements that were done, as text. Objects are numbered in the order in which they come here.
fn accesses(trace: &Trace) -> Vec<String> {
    let mut lengths: HashMap<ObjectId, u32> = HashMap::new();
    let mut numbers: HashMap<ObjectId, usize> = HashMap::new();
    let mut accesses = Vec::new();
    for event in trace.events(0) {
        let event = event.unwrap();
        if let Payload::Define { id, length, .. } = event.payload {
            lengths.insert(id, length.unwrap_or(0));
        } else if is_done(&event, &lengths) {
            let Payload::Operands(values) = &event.payload else {
                panic!("an access has operands");
            };
            let operands = values.iter().map(|value| match value {
                Value::Object(id) => {
                    let next = numbers.len();
                    format!("#{}", numbers.entry(*id).or_insert(next))
                }
                value => format!("{value:?}"),
            });
            let operands: Vec<String> = operands.collect();
            let site = trace.site_of(&event).unwrap();
            let (kind, method, bci) = (event.kind, &site.method, site.bci);
            accesses.push(format!("{kind:?} {method} {bci} {}", operands.join(" ")));
        }
    }
    accesses
}

/// An access to an element that there is: of others `detail=interactions` has an event if they store.
fn is_done(event: &Event, lengths: &HashMap<ObjectId, u32>) -> bool {
    let is_access = matches!(event.kind, EventKind::ArrayLoad | EventKind::ArrayStore);
    let operands = match &event.payload {
        Payload::Operands(values) => values.as_slice(),
        _ => &[],
    };
    match operands {
        [Value::Object(id), Value::Prim(Prim::Int(index)), ..] if is_access => {
            u32::try_from(*index).is_ok_and(|index| index < lengths[id])
        }
        _ => false,
    }
}

#[test]
#[ignore = "long: generated programs"]
fn gathered_accesses_are_those_that_were_done() {
    let classes = compile_programs(&["gathered"], &[]);
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let main = ("Gathered", "Gathered");
        let one_by_one = record(&jdk, directory.path(), "interactions", classes.path(), main);
        let gathered = record(&jdk, directory.path(), "instructions", classes.path(), main);
        let one_by_one = Trace::open(&one_by_one).unwrap();
        let gathered = Trace::open(&gathered).unwrap();
        assert!(gathered.sites().iter().any(|site| !site.parts.is_empty()));
        let (expected, found) = (accesses(&one_by_one), accesses(&gathered));
        assert!(expected.len() > 10_000);
        for (no, (expected, found)) in expected.iter().zip(&found).enumerate() {
            assert_eq!(expected, found, "access {no}");
        }
        assert_eq!(expected.len(), found.len());
        let mut backward: Vec<Event> = gathered.events_backward(0).map(Result::unwrap).collect();
        backward.reverse();
        let forward: Vec<Event> = gathered.events(0).map(Result::unwrap).collect();
        assert!(forward == backward);
        assert_eq!(forward.len() as u64, gathered.event_count(0));
        // Every instruction could be walked over.
        let slice = jinsi_slice::slice(&gathered, None, Kind::Dynamic).unwrap();
        assert!(slice.executed > 100_000);
        assert_eq!(slice.crossings.iter().filter(|c| is_loss(c)).count(), 0);
    }
}

fn is_loss(crossing: &jinsi_slice::Crossing) -> bool {
    format!("{crossing:?}").contains("not recorded")
}
