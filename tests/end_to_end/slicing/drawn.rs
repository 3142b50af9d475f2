//! The dependences that a slice is drawn with.

use std::collections::BTreeSet;
use std::path::PathBuf;

use jinsi_slice::Kind;
use jinsi_slice::criterion::Criterion;
use jinsi_slice::drawing::{Dependence, Place};
use jinsi_trace::reader::Trace;
use tempfile::{TempDir, tempdir};

use super::{GOLDEN, golden, line};
use crate::support::{jdks, jinsi, succeed};

fn recorded() -> (TempDir, PathBuf) {
    let directory = tempdir().unwrap();
    let trace = golden(&jdks()[0], directory.path(), "instructions");
    (directory, trace)
}

/// Places from which dependences lead to the criterion.
fn reached(dependences: &[Dependence]) -> BTreeSet<Place> {
    let mut reached = BTreeSet::new();
    loop {
        let more = dependences.iter().filter(|d| match &d.of {
            None => true,
            Some(user) => reached.contains(user),
        });
        let more: BTreeSet<Place> = more.map(|d| d.on.clone()).collect();
        if more.is_subset(&reached) {
            return reached;
        }
        reached.extend(more);
    }
}

#[test]
fn of_each_line_in_a_slice_there_is_a_way_to_the_criterion() {
    let (_directory, file) = recorded();
    let trace = Trace::open(&file).unwrap();
    let text = GOLDEN.text.lines().enumerate();
    let criteria = text.filter(|(_, line)| line.ends_with(": criterion"));
    for (no, _) in criteria {
        for kind in [Kind::Dynamic, Kind::Relevant] {
            let criterion: Criterion = format!("Golden:{}", no + 1).parse().unwrap();
            let criterion = || Some(criterion.clone());
            let (slice, dependences) =
                jinsi_slice::slice_and_draw(&trace, criterion(), kind, true).unwrap();
            let plain = jinsi_slice::slice(&trace, criterion(), kind).unwrap();
            assert_eq!(slice, plain);
            let known = slice.lines.iter().filter(|line| line.distance.is_some());
            let known: BTreeSet<Place> = known.map(|l| (l.class.clone(), l.line)).collect();
            assert_eq!(reached(&dependences), known, "{:?}", slice.criterion);
        }
    }
}

#[test]
fn dependences_are_those_of_the_program_and_counted() {
    let (_directory, file) = recorded();
    let trace = Trace::open(&file).unwrap();
    let sum = format!("Golden:{}", line("sum: criterion"));
    let sum = Some(sum.parse().unwrap());
    let (_, drawn) = jinsi_slice::slice_and_draw(&trace, sum, Kind::Dynamic, true).unwrap();
    let place = |mark| ("sliced.Golden".to_owned(), line(mark));
    let times = |on, of| {
        let found = |d: &&Dependence| d.on == place(on) && d.of == Some(place(of));
        drawn.iter().find(found).map(|d| d.times)
    };
    assert_eq!(times("foo: return", "sum: add"), Some(4));
    assert_eq!(times("foo: odd", "foo: return"), Some(2));
    assert!(times("sum: start", "sum: add").is_some());
    assert!(times("sum: add", "sum: criterion").is_some());
    assert_eq!(times("sum: store", "sum: criterion"), None);
}

#[test]
fn the_command_draws_a_graph() {
    let (directory, file) = recorded();
    let dot = directory.path().join("slice.dot");
    succeed(jinsi().arg("slice").arg(&file).arg("--dot").arg(&dot));
    let text = std::fs::read_to_string(dot).unwrap();
    let [zero, divide] = ["fails: zero", "fails: divide"].map(line);
    let arrow = format!("\"sliced.Golden:{zero}\" -> \"sliced.Golden:{divide}\";");
    assert!(text.contains(&arrow), "{text}");
}
