//! The past of a run, at any moment: what the commands say of it, and what a debugger has seen of the same program.

use jinsi_ground::past::{Program, compare, compile_dump, dump};
use jinsi_inspect::{Change, Inspector, Line, Mark, Moment, Outcome, Path, Run, Seen};
use jinsi_jdk::Jdk;
use jinsi_trace::model::{EventId, Prim, Value};
use jinsi_trace::reader::Trace;
use tempfile::TempDir;

use super::support::{
    jdks, jinsi, json, programs, record_in, run, stderr, stdout, succeed, tried_jdks,
};

fn int(value: i32) -> Seen {
    Seen::Known(Value::Prim(Prim::Int(value)))
}

/// Names of what is marked so, on all levels.
fn marked(changes: &[Change], mark: Mark) -> Vec<String> {
    let mut names = Vec::new();
    for change in changes {
        if change.mark == mark {
            names.push(change.name.clone());
        }
        names.extend(marked(&change.below, mark));
    }
    names
}

/// Hermanns and Kuchen's example, whole: the tree of calls, what the last call changed, the history of `c[2]`, and its line.
#[test]
fn merge_sort_as_published() {
    for jdk in tried_jdks() {
        let directory = TempDir::new().unwrap();
        let main = "mergesort.MergeSort";
        let file = record_in(&jdk, directory.path(), main, ("mergesort.*", "states"));
        let trace = Trace::open(&file).unwrap();
        let inspector = Inspector::new(&trace).unwrap();
        let thread = trace
            .threads()
            .iter()
            .find(|t| t.name == "main")
            .unwrap()
            .no;

        let outermost = inspector.outermost(thread).unwrap();
        let [main] = outermost.as_slice() else {
            panic!("{outermost:?}");
        };
        let tree = inspector.call_tree(main.name, 100).unwrap();
        let names: Vec<&str> = tree
            .iter()
            .map(|(_, call)| call.method.name.as_str())
            .collect();
        let expected = [
            "sort",
            "distribute",
            "merge",
            "merge",
            "distribute",
            "merge",
            "toString",
            "println",
        ];
        assert_eq!(main.method.name, "main");
        assert_eq!(names, expected);
        assert!(
            matches!(&tree[6].1.outcome, Outcome::Returned(Some(Seen::Known(Value::Str(text))))
            if text.to_string() == "[1, 4, 9, 7]")
        );

        let last = tree[5].1.activation.unwrap();
        changes_and_history(&inspector, last);

        let line: Line = "MergeSort.java:12".parse().unwrap();
        let logged = inspector
            .log(&line, &["lb".parse().unwrap()], 0, 10)
            .unwrap();
        assert_eq!(inspector.count_of_line(&line).unwrap(), logged.len() as u64);
        let last = logged.last().unwrap().values.as_slice();
        assert!(matches!(last, [Ok(seen)] if *seen == int(2)), "{last:?}");
    }
}

/// What the last call of `merge` changed, and who wrote `c[2]`.
fn changes_and_history(inspector: &Inspector<'_>, last: EventId) {
    let changes = inspector.changes(last, None).unwrap();
    let mut red = marked(&changes, Mark::Changed);
    red.sort_unstable();
    assert_eq!(red, ["c[0]", "c[1]", "c[2]", "la", "lb", "lc"]);
    assert_eq!(marked(&changes, Mark::Below), ["c"]);
    assert_eq!(marked(&changes, Mark::Unknown), Vec::<String>::new());

    let begin = jinsi_inspect::Moment::after(last);
    let path: Path = "c[2]".parse().unwrap();
    let variable = inspector.variable(begin, 0, &path).unwrap().unwrap();
    let history = inspector.history(&variable).unwrap();
    let values: Vec<&Seen> = history.iter().map(|entry| &entry.value).collect();
    assert_eq!(values, [&int(1), &int(1), &int(7), &int(9)]);
    let written = history[3].by.as_ref().unwrap();
    assert_eq!((written.activation, written.line), (last, 12));
    // Who goes there stands in line 12, and nine is about to be stored.
    let state = inspector.state(history[3].before).unwrap();
    assert_eq!(
        (state.frames[0].activation, state.frames[0].line),
        (last, 12)
    );
    let held = inspector.value(&variable, history[3].before).unwrap();
    assert_eq!(held.value, int(7));
    let held = inspector.value(&variable, history[3].after).unwrap();
    assert_eq!(held.value, int(9));
}

fn as_a_debugger_saw_it(jdk: &Jdk, main: &str, prefix: &str, most: u64) {
    let directory = TempDir::new().unwrap();
    compile_dump(jdk, directory.path()).unwrap();
    let class_path = programs().to_str().unwrap();
    let program = Program {
        class_path,
        main,
        prefix,
        most,
        options: &[],
    };
    let seen = dump(jdk, directory.path(), &program, directory.path()).unwrap();
    let observe = format!("{prefix}*");
    let file = record_in(jdk, directory.path(), main, (&observe, "states"));
    let trace = Trace::open(&file).unwrap();
    let compared = compare(&trace, &seen, 50).unwrap();
    assert!(compared.is_equal(), "{main}: {compared:#?}");
    assert!(compared.instructions > 100, "{main}: {compared:#?}");
}

/// Forward, backward and out of order, each instruction finds what a debugger has seen.
#[test]
fn every_step_is_as_a_debugger_saw_it() {
    for jdk in tried_jdks() {
        as_a_debugger_saw_it(&jdk, "mergesort.MergeSort", "mergesort.", 2000);
        // Fields are written by handles and updaters.
        as_a_debugger_saw_it(&jdk, "fields.Main", "fields.", 1000);
    }
}

/// The JDK writes into the program's arrays, and the JVM puts arrays into arrays.
#[test]
#[ignore = "long: a debugger's steps take half a minute"]
fn arrays_are_as_a_debugger_saw_them() {
    for jdk in tried_jdks() {
        as_a_debugger_saw_it(&jdk, "sliced.Golden", "sliced.", 1000);
        as_a_debugger_saw_it(&jdk, "grids.Grids", "grids.", 1000);
    }
}

/// Which row the JVM put into an array of arrays is known from who reads it first.
#[test]
fn rows_that_the_jvm_made_are_known() {
    let jdk = jdks().remove(0);
    let directory = TempDir::new().unwrap();
    let trace = record_in(&jdk, directory.path(), "grids.Grids", ("grids.*", "states"));
    let output = succeed(
        jinsi()
            .arg("logpoint")
            .arg(&trace)
            .args(["Grids:11", "cells[2]", "--json"]),
    );
    let first = &json(&output)["hits"][0]["values"][0];
    assert_eq!(first["value"], "#8 int[]", "{first}");
}

/// Calls before `super(…)`, and an exception out of one.
#[test]
#[ignore = "long: a debugger's steps take a minute"]
fn constructors_are_as_a_debugger_saw_them() {
    for jdk in tried_jdks() {
        as_a_debugger_saw_it(&jdk, "construction.Main", "construction.", 1000);
    }
}

/// The commands say the same as what they stand on.
#[test]
fn commands_answer() {
    let jdk = jdks().remove(0);
    let directory = TempDir::new().unwrap();
    let main = "mergesort.MergeSort";
    let trace = record_in(&jdk, directory.path(), main, ("mergesort.*", "states"));
    let ask = |args: &[&str]| {
        let output = run(jinsi()
            .arg(args[0])
            .arg(&trace)
            .args(&args[1..])
            .arg("--json"));
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        json(&output)
    };
    let hits = ask(&["logpoint", "MergeSort:12", "la", "c[2]"]);
    assert_eq!(
        hits["hits"].as_array().unwrap().len() as u64,
        hits["times"].as_u64().unwrap()
    );
    let last = hits["hits"].as_array().unwrap().last().unwrap();
    assert_eq!(last["values"][1]["value"], "7");
    let moment = last["moment"].as_str().unwrap();
    let at = ask(&["at", moment, "--show", "c.length", "--changed"]);
    assert_eq!(at["frames"][0]["line"], 12);
    assert_eq!(at["shown"][0]["value"], "4");
    let history = ask(&["history", "c[2]", "--at", moment]);
    assert_eq!(history["entries"].as_array().unwrap().len(), 4);
    let origin = ask(&["origin", moment, "a[la]"]);
    assert_eq!(origin["steps"][0]["how"], "read", "{origin:#}");
}

/// The stack where a failure was thrown, whatever was recorded: what is missing is replayed.
#[test]
fn a_failure_is_seen_where_it_was_thrown() {
    for detail in ["states", "interactions", "boundary"] {
        let jdk = jdks().remove(0);
        let directory = TempDir::new().unwrap();
        let trace = record_in(
            &jdk,
            directory.path(),
            "xmltree.Main",
            ("xmltree.*", detail),
        );
        let ask = || run(jinsi().args(["--json", "at"]).arg(&trace).arg("failure"));
        let output = ask();
        assert!(output.status.success(), "{detail}: {}", stderr(&output));
        // A replay is said, and kept for the next question.
        let kept = directory.path().join("t.replayed.jinsi");
        let is_replayed = detail != "states";
        let said = stderr(&output).contains("replayed first");
        assert_eq!(
            (said, kept.is_file()),
            (is_replayed, is_replayed),
            "{detail}"
        );
        let again = ask();
        assert_eq!(
            (stderr(&again), stdout(&again)),
            (String::new(), stdout(&output))
        );
        let frames = json(&output)["frames"].clone();
        let [thrown, main] = frames.as_array().unwrap().as_slice() else {
            panic!("{detail}: {frames:#}");
        };
        let place = |frame: &serde_json::Value| (frame["method"].clone(), frame["line"].clone());
        let expected = ("xmltree.XMLElement.getNumberOfChildren".into(), 41.into());
        assert_eq!(place(thrown), expected, "{detail}");
        assert_eq!(place(main), ("xmltree.Main.main".into(), 20.into()));
        let local = |name: &str| {
            let locals = thrown["locals"].as_array().unwrap();
            locals.iter().find(|local| local["name"] == name).unwrap()["value"].clone()
        };
        assert_eq!((local("i"), local("number")), ("1".into(), "0".into()));
    }
}

/// One hit after the other, forward and backward, is what all hits are that are asked for at once.
#[test]
fn hits_one_by_one_are_all_hits() {
    let directory = TempDir::new().unwrap();
    let file = record_in(
        &jdks().remove(0),
        directory.path(),
        "mergesort.MergeSort",
        ("mergesort.*", "states"),
    );
    let trace = Trace::open(&file).unwrap();
    let inspector = Inspector::new(&trace).unwrap();
    let mut seen = 0;
    for number in 1..100 {
        let line: Line = format!("mergesort.MergeSort:{number}").parse().unwrap();
        let Ok(all) = inspector.runs_of_line(&line, 0, usize::MAX) else {
            continue;
        };
        for thread in trace.threads() {
            let all: Vec<Moment> = all
                .iter()
                .copied()
                .filter(|m| m.thread() == thread.no)
                .collect();
            let (Some(first), Some(last)) = (
                inspector.first(thread.no).unwrap(),
                inspector.last(thread.no).unwrap(),
            ) else {
                continue;
            };
            let mut forward = all.clone();
            forward.retain(|moment| *moment > first);
            let next = |at| inspector.run_behind(&line, at).unwrap();
            assert_eq!(walk(first, next), forward, "{line} in {}", thread.name);
            let mut backward = all;
            backward.retain(|moment| *moment < last);
            backward.reverse();
            let before = |at| inspector.run_before(&line, at).unwrap();
            assert_eq!(walk(last, before), backward, "{line} in {}", thread.name);
            seen += backward.len();
        }
    }
    assert!(seen > 30, "{seen}");
}

fn walk(from: Moment, next: impl Fn(Moment) -> Option<Run>) -> Vec<Moment> {
    let runs = std::iter::successors(next(from), |run| next(run.moment));
    runs.map(|run| run.moment).collect()
}

/// What is there of a trace that was cut off is shown, and the gap is named: nobody takes it for the whole run.
#[test]
fn a_gap_is_named() {
    let directory = TempDir::new().unwrap();
    let main = "mergesort.MergeSort";
    let jdk = jdks().remove(0);
    let file = record_in(&jdk, directory.path(), main, ("mergesort.*", "states"));
    let commands: [&[&str]; 4] = [
        &["history", "#1"],
        &["logpoint", "MergeSort:10", "la"],
        &["why-not", "--call", "MergeSort.sort"],
        &["facts", "--prolog"],
    ];
    let said = |file: &std::path::Path| {
        commands.map(|command| {
            let mut asked = jinsi();
            asked.arg(command[0]).arg(file).args(&command[1..]);
            stderr(&run(&mut asked))
        })
    };
    let is_gap = |text: &String| text.contains("The trace is damaged in ");
    assert!(!said(&file).iter().any(is_gap));
    let bytes = std::fs::read(&file).unwrap();
    let cut = directory.path().join("cut.jinsi");
    std::fs::write(&cut, &bytes[..bytes.len() - 700]).unwrap();
    let said = said(&cut);
    assert!(said.iter().all(is_gap), "{said:#?}");
}
