//! The worked examples of relevant slices (Wang 2007, Figures 4.1, 4.3 and 4.5).

use jinsi_slice::Kind;
use jinsi_trace::reader::Trace;
use tempfile::tempdir;

use super::{Marked, record, set};
use crate::support::{jdks, jinsi, json, programs, run, stderr, succeed};

const POTENTIAL: Marked = Marked {
    class: "Potential",
    text: include_str!("../../programs/sliced/Potential.java"),
};

/// Marks of lines of a method in the dynamic slice from its criterion, and those that the relevant one has besides.
fn both(trace: &Trace, method: &str) -> (Vec<String>, Vec<String>) {
    let of = |kind| {
        let slice = POTENTIAL.at(trace, &format!("{method}: criterion"), "", kind);
        assert!(slice.crossings.is_empty(), "{:?}", slice.crossings);
        POTENTIAL.marks(&slice, method)
    };
    let (dynamic, relevant) = (of(Kind::Dynamic), of(Kind::Relevant));
    let more = relevant.difference(&dynamic).cloned().collect();
    assert!(dynamic.is_subset(&relevant));
    (dynamic.into_iter().collect(), more)
}

#[test]
fn worked_examples() {
    let directory = tempdir().unwrap();
    let main = ("sliced.Potential", "sliced.*");
    let file = record(
        &jdks()[0],
        directory.path(),
        "instructions",
        programs(),
        main,
    );
    let trace = Trace::open(&file).unwrap();
    let check = |method: &str, dynamic: &[&str], more: &[&str]| {
        let (found, besides) = both(&trace, method);
        let of = |marks: &[String]| marks.iter().cloned().collect();
        let found: std::collections::BTreeSet<String> = of(&found);
        assert_eq!(found, set(dynamic), "{method}");
        let besides: std::collections::BTreeSet<String> = of(&besides);
        assert_eq!(besides, set(more), "{method}, relevant");
    };
    check("nested", &["k", "criterion"], &["a", "inner"]);
    check(
        "chained",
        &["z", "criterion"],
        &["x", "first", "set y", "second"],
    );
    let chain = ["loop", "if", "set x", "set z", "criterion"];
    check("looped", &chain, &[]);
    let chain = ["at", "buffer", "read", "append", "criterion"];
    check("nanoxml", &chain, &["if"]);
    check("dispatched", &["holder", "criterion"], &["setter", "call"]);
    check("called", &["criterion"], &["numbers"]);

    let place = format!("Potential:{}", POTENTIAL.line("nested: criterion"));
    let output = succeed(
        jinsi()
            .args(["--json", "slice", "--relevant", "--at", &place])
            .arg(&file),
    );
    assert_eq!(json(&output)["kind"], "relevant");

    let sarif = directory.path().join("slice.sarif");
    let output = run(jinsi()
        .args(["slice", "--at", &place, "--sarif"])
        .arg(&sarif)
        .arg(&file));
    assert!(output.status.success(), "{}", stderr(&output));
    let document: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&sarif).unwrap()).unwrap();
    let location = &document["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(
        location["region"]["startLine"],
        POTENTIAL.line("nested: criterion")
    );
    assert_eq!(location["artifactLocation"]["uri"], "sliced/Potential.java");
}
