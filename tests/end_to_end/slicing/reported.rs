//! Programs after what has been reported of other slicers: lines that were lost, or were too much (Slicer4J, WALA, JavaSlicer).

use jinsi_slice::Kind;
use jinsi_trace::reader::Trace;
use tempfile::tempdir;

use super::{Marked, record, set};
use crate::support::{programs, tried_jdks};

const REPORTED: Marked = Marked {
    class: "Reported",
    text: include_str!("../../programs/sliced/Reported.java"),
};

/// For each method, all lines that its criterion depends on.
const SLICES: &[(&str, &[&str])] = &[
    (
        "effect",
        &[
            "cells",
            "returned",
            "called",
            "raise",
            "raised",
            "return",
            "criterion",
        ],
    ),
    ("constant", &["two", "three", "criterion"]),
    (
        "guarded",
        &[
            "guard",
            "call",
            "shown",
            "if",
            "join",
            "length",
            "zero",
            "return",
            "criterion",
        ],
    ),
    (
        "recursive",
        &[
            "call",
            "if",
            "leaf",
            "build left",
            "build right",
            "new",
            "left",
            "right",
            "weight",
            "none",
            "zero",
            "sum",
            "criterion",
        ],
    ),
    ("random", &["new", "next", "product", "criterion"]),
    (
        "variable",
        &[
            "five",
            "eight",
            "twelve",
            "call",
            "sum",
            "loop",
            "add",
            "return",
            "criterion",
        ],
    ),
    (
        "counted",
        &["new", "first", "call", "if", "add", "again", "criterion"],
    ),
    ("printed", &["product", "loop", "multiply", "criterion"]),
    ("one", &["c", "return", "criterion"]),
    ("dead", &["result", "criterion"]),
];

/// Objects that hold others.
const HELD: Marked = Marked {
    class: "Held",
    text: include_str!("../../programs/sliced/Held.java"),
};

/// The same of these.
const HOLDING: &[(&str, &[&str])] = &[
    (
        "written",
        &["number", "below", "above", "print", "criterion"],
    ),
    (
        "stacked",
        &[
            "bytes",
            "data",
            "value",
            "write",
            "flush",
            "all",
            "in",
            "criterion",
        ],
    ),
    (
        "cleared",
        &["list", "one", "two", "part", "clear", "criterion"],
    ),
    ("viewed", &["map", "values", "put", "criterion"]),
    ("wrapped", &["list", "shown", "add", "criterion"]),
    (
        "layered",
        &[
            "number",
            "below",
            "between",
            "above",
            "print",
            "flush",
            "criterion",
        ],
    ),
    ("doubly", &["list", "locked", "shown", "add", "criterion"]),
    ("copied", &["list", "copy", "criterion"]),
];

/// Compares the slices of all methods of a program.
fn check(program: Marked, slices: &[(&str, &[&str])]) {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let main = format!("sliced.{}", program.class);
        let main = (main.as_str(), "sliced.*");
        let trace = record(&jdk, directory.path(), "instructions", programs(), main);
        let trace = Trace::open(&trace).unwrap();
        for (method, lines) in slices {
            let criterion = format!("{method}: criterion");
            let slice = program.at(&trace, &criterion, "", Kind::Dynamic);
            assert_eq!(program.marks(&slice, method), set(lines), "{method}");
            assert!(
                slice.crossings.is_empty(),
                "{method}: {:?}",
                slice.crossings
            );
        }
    }
}

#[test]
fn what_others_lose_is_there_and_no_more() {
    check(REPORTED, SLICES);
}

#[test]
fn what_is_done_to_a_holder_is_done_to_what_it_holds() {
    check(HELD, HOLDING);
}
