//! `jinsi where`: lines in the order in which to look at them.

use std::fs;
use std::path::{Path, PathBuf};

use jinsi_locate::coverage::ways;
use jinsi_locate::forms::gzoltar;
use jinsi_locate::generate::Generator;
use jinsi_locate::graph::Graph;
use jinsi_locate::solver::{ByRunning, May, Solver};
use jinsi_locate::spans::Span;
use jinsi_steps::code::Program;
use jinsi_trace::reader::Trace;
use rustc_hash::FxHashMap;
use serde_json::Value;
use tempfile::tempdir;

use super::suites::{JUNIT5, record_observing};
use super::support::{has, jdks, jinsi, json, programs, run, stderr, stdout, succeed};

const SOURCE: &str = include_str!("../programs/spot/Main.java");

/// The line with this mark.
fn marked(mark: &str) -> u64 {
    let marked = |line: &str| {
        line.split("// ")
            .nth(1)
            .is_some_and(|text| text.starts_with(mark))
    };
    let at = SOURCE.lines().position(marked);
    at.unwrap_or_else(|| panic!("no {mark}")) as u64 + 1
}

/// A recording of the program with these arguments.
fn recorded(directory: &Path, detail: &str, arguments: [&str; 3]) -> PathBuf {
    let trace = directory.join(format!("{}.jinsi", arguments.join("-")));
    let output = run(jinsi()
        .current_dir(directory)
        .args(["record", "--detail", detail, "--observe", "spot.*", "-o"])
        .arg(&trace)
        .arg("--")
        .arg(jdks()[0].java())
        .arg("-cp")
        .arg(programs())
        .arg("spot.Main")
        .args(arguments));
    assert!(trace.is_file(), "{}", stderr(&output));
    trace
}

/// What `jinsi where --json` finds.
fn found(arguments: &[&str], traces: &[&PathBuf]) -> Value {
    let output = succeed(
        jinsi()
            .args(["--json", "where"])
            .args(traces)
            .args(arguments),
    );
    json(&output)
}

fn lines(found: &Value) -> Vec<u64> {
    let lines = found["lines"].as_array().unwrap();
    lines
        .iter()
        .map(|line| line["line"].as_u64().unwrap())
        .collect()
}

/// Does a clue of this kind speak for any line?
fn has_kind(found: &Value, kind: &str) -> bool {
    let lines = found["lines"].as_array().unwrap();
    let mut clues = lines
        .iter()
        .flat_map(|line| line["clues"].as_array().unwrap());
    clues.any(|clue| clue["kind"] == kind)
}

/// Of two passing runs that with the later difference is the nearer one (Wang 2007, Definition 6.3); from one alone, the branch to blame is reported.
#[test]
fn what_a_passing_run_decided_otherwise_is_reported() {
    let directory = tempdir().unwrap();
    let failing = recorded(directory.path(), "instructions", ["climb", "100", "upward"]);
    let near = recorded(directory.path(), "instructions", ["not", "20", "downward"]);
    let late = recorded(directory.path(), "instructions", ["not", "200", "upward"]);
    let one = found(&["--passing", near.to_str().unwrap()], &[&failing]);
    let branches = |found: &Value| -> Vec<u64> {
        let all = found["difference"]["branches"].as_array().unwrap();
        all.iter()
            .map(|branch| branch["line"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(branches(&one), [marked("decides"), marked("checked")]);
    let first = &one["difference"]["branches"][0];
    assert_eq!(first["went"], format!("to line {}", marked("wrong")));
    assert_eq!(first["passing"], format!("to line {}", marked("right")));
    assert_eq!(one["tests"]["passed"], 1);
    // With a decision turned once it does not fail; the method of the exception is known, and what ran late.
    for kind in ["avoid", "nearest", "because", "method", "late", "way"] {
        assert!(has_kind(&one, kind), "{kind}: {one:#}");
    }
    let still = found(
        &["--no-flip", "--passing", near.to_str().unwrap()],
        &[&failing],
    );
    assert!(!has_kind(&still, "avoid") && !has_kind(&still, "refuted"));
    let ranked = lines(&one);
    assert!(
        ranked.iter().take(6).any(|line| *line == marked("wrong")),
        "{one:#}"
    );

    let paths = [near.to_str().unwrap(), late.to_str().unwrap()];
    let both = found(&["--passing", paths[0], paths[1]], &[&failing]);
    assert_eq!(both["difference"]["compared"], 2);
    assert_eq!(both["difference"]["run"], paths[1]);
    let all = [
        marked("decides"),
        marked("compared"),
        marked("advised"),
        marked("checked"),
    ];
    assert_eq!(branches(&both), all);
}

/// Where no other run was recorded, arguments are changed a little, until it does not fail.
#[test]
fn a_pool_is_made_of_perturbed_arguments() {
    let directory = tempdir().unwrap();
    let failing = recorded(directory.path(), "instructions", ["climb", "100", "upward"]);
    let found = found(&["--perturb", "--no-flip"], &[&failing]);
    let difference = &found["difference"];
    assert!(difference["compared"].as_u64() >= Some(2), "{found:#}");
    assert!(
        difference["run"]
            .as_str()
            .unwrap()
            .starts_with("perturbed run"),
        "{found:#}"
    );
    assert_eq!(difference["same"], false);
    // What decided about the failure decided otherwise there.
    let branches = difference["branches"].as_array().unwrap();
    let mut lines = branches
        .iter()
        .map(|branch| branch["line"].as_u64().unwrap());
    assert!(lines.any(|line| line == marked("checked")), "{found:#}");
    assert_eq!(found["tests"]["failed"], 1);
}

/// A line that only hands on, checks or uses what the exception is about counts less, and the line that this comes from more.
#[test]
fn what_an_exception_is_about_comes_from_somewhere() {
    let directory = tempdir().unwrap();
    let source = include_str!("../programs/handed/Main.java");
    let of = |argument: &str| {
        let trace = directory.path().join(format!("{argument}.jinsi"));
        let output = run(jinsi()
            .args(["record", "--detail", "instructions"])
            .args(["--observe", "handed.*", "-o"])
            .arg(&trace)
            .arg("--")
            .arg(jdks()[0].java())
            .arg("-cp")
            .arg(programs())
            .args(["handed.Main", argument]));
        assert!(trace.is_file(), "{}", stderr(&output));
        let found = found(&["--no-flip"], &[&trace]);
        // What stands behind lines with such a clue.
        let marks = |kind: &str| -> Vec<String> {
            let lines = found["lines"].as_array().unwrap().iter();
            let lines = lines.filter(|line| {
                let clues = line["clues"].as_array().unwrap();
                clues.iter().any(|clue| clue["kind"] == kind)
            });
            let text = |line: u64| source.lines().nth(line as usize - 1).unwrap();
            let mark = |line: u64| text(line).split("// ").nth(1).unwrap_or("").to_owned();
            let mut marks: Vec<String> = lines
                .map(|line| mark(line["line"].as_u64().unwrap()))
                .collect();
            marks.sort();
            marks
        };
        (marks("handed"), marks("origin"))
    };
    let marks = |all: &[&str]| -> Vec<String> { all.iter().map(|m| (*m).to_owned()).collect() };
    let index = (marks(&["reads"]), marks(&["asks", "end: one too many"]));
    assert_eq!(of("index"), index);
    assert_eq!(of("null"), (marks(&["measures"]), marks(&["looked up"])));
    let checked = (marks(&["checks", "complains"]), marks(&["pays"]));
    assert_eq!(of("checked"), checked);
    assert_eq!(of("outside"), (Vec::new(), Vec::new()));
}

/// Decisions that no state turns count nothing, if a solver says so; without one, that is said.
#[test]
fn a_solver_says_which_turned_decisions_are_possible() {
    let directory = tempdir().unwrap();
    let failing = recorded(directory.path(), "instructions", ["climb", "100", "upward"]);
    let advised = |found: &Value| -> Vec<String> {
        let all = found["lines"].as_array().unwrap();
        let line = all.iter().find(|line| line["line"] == marked("advised"));
        let clues = line.unwrap()["clues"].as_array().unwrap();
        let kinds = clues.iter().map(|clue| clue["kind"].as_str().unwrap());
        kinds.map(str::to_owned).collect()
    };
    let missing = succeed(
        jinsi()
            .args(["--json", "where", "--solver", "no-such-solver"])
            .arg(&failing),
    );
    let said = stderr(&missing);
    has(&said, "the solver no-such-solver does not answer");
    has(&said, "whether a turned branch can happen");
    let without = json(&missing);
    assert!(without["solver"].is_null());
    let turned = |kinds: &[String]| kinds.iter().any(|kind| kind == "flip" || kind == "avoid");
    assert!(turned(&advised(&without)), "{without:#}");

    if let Some(solver) = solver() {
        let with = found(&["--solver", &solver], &[&failing]);
        // What stands before it has set the variable.
        let kinds = advised(&with);
        assert!(!turned(&kinds) && kinds.iter().any(|kind| kind == "refuted"));
        assert!(with["solver"]["impossible"].as_u64() >= Some(1), "{with:#}");
        assert_eq!(with["solver"]["unknown"], 0);
    }
}

/// The published fragment (Wang 2007, Section 6.4), compiled: a solver prunes what cannot be gone and gives an input for what can, which is run; the report is
/// the first line.
#[test]
fn a_successful_run_is_made_of_real_code() {
    let Some(solver) = solver() else {
        return;
    };
    let directory = tempdir().unwrap();
    let file = directory.path().join("fragment.jinsi");
    let java = |arguments: &[String]| {
        let mut command = jdks()[0].command();
        command.arg("-cp").arg(programs()).arg("spot.Fragment");
        run(command.args(arguments)).status.success()
    };
    let arguments = ["1", "100", "upward"].map(str::to_owned);
    assert!(!java(&arguments));
    let recorded = run(jinsi()
        .args(["record", "--detail", "instructions"])
        .args(["--observe", "spot.*", "-o"])
        .arg(&file)
        .arg("--")
        .arg(jdks()[0].java())
        .arg("-cp")
        .arg(programs())
        .arg("spot.Fragment")
        .args(&arguments));
    assert!(file.is_file(), "{}", stderr(&recorded));
    let trace = Trace::open(&file).unwrap();
    let program = Program::of(&trace);
    let span = Span::whole(&trace, "fragment").unwrap();
    let ways = ways(&trace, &program, &span).unwrap();
    let advice = ways
        .iter()
        .find(|(no, _)| program.get(*no).name == "advice");
    let (method, failing) = advice.unwrap();
    let body = program.get(*method).body.clone().unwrap();
    let mut solver = Solver::start(&solver).unwrap();
    assert!(matches!(solver.may_go(&body, failing), May::Go(_)));

    let graph = Graph::new(body.cfg.successors());
    let mut runs = 0;
    let judge = ByRunning {
        solver: &mut solver,
        body: &body,
        run: |held: &FxHashMap<u16, i64>| {
            runs += 1;
            let [climb, up] = [0, 1].map(|slot| held.get(&slot).copied().unwrap_or(0));
            let right = (up as i32).wrapping_add(100) > 150;
            let right = if right { "upward" } else { "downward" };
            java(&[climb.to_string(), up.to_string(), right.to_owned()])
        },
    };
    let made = Generator::new(&graph, failing, judge, 100).search();
    let made = made.expect("it succeeds");
    assert_eq!(made.turned, [0]);
    assert!(runs >= 1);
    let first = body.cfg.block(failing[0]);
    let source = include_str!("../programs/spot/Fragment.java");
    let line = usize::from(body.instructions[first.last].line);
    assert!(source.lines().nth(line - 1).unwrap().contains("// decides"));
    // Where the variable was set to 0, nothing is advised but that.
    let branches = (0..failing.len() - 1).filter(|at| graph.is_branch(failing[*at]));
    let last = branches.max().unwrap();
    let other = graph.successors(failing[last]).iter();
    let other = other.copied().find(|next| *next != failing[last + 1]);
    let infeasible = [&failing[..=last], &[other.unwrap()]].concat();
    assert_eq!(solver.may_go(&body, &infeasible), May::Not);
}

/// A solver, if there is one on this machine: `JINSI_SOLVER`, or z3. Where everything is installed there has to be one.
fn solver() -> Option<String> {
    let named = std::env::var("JINSI_SOLVER");
    let program = named.clone().unwrap_or_else(|_| "z3".to_owned());
    let started = Solver::start(&program).map(|_| program.clone());
    let may_be_missing = named.is_err() && std::env::var_os("CI").is_none();
    assert!(
        may_be_missing || started.is_ok(),
        "there is no solver: {program} does not run"
    );
    started.ok()
}

/// One run alone: a slice, what is left of it, and all forms; a recording of the boundary is replayed first.
#[test]
fn one_run_is_enough() {
    let directory = tempdir().unwrap();
    let failing = recorded(directory.path(), "boundary", ["climb", "100", "upward"]);
    let report = directory.path().join("report");
    let minimized = run(jinsi()
        .args(["minimize", "--out"])
        .arg(&report)
        .arg(&failing));
    assert!(
        report.join("report.json").is_file(),
        "{}",
        stderr(&minimized)
    );
    let page = fs::read_to_string(report.join("report.html")).unwrap();
    assert!(page.contains("<h2>Where to look first</h2>"));

    let place = |name: &str| directory.path().join(name);
    let output = succeed(
        jinsi()
            .args(["where", "--lines", "3", "--report"])
            .arg(&report)
            .args(["--source", "tests/programs", "--sarif"])
            .arg(place("where.sarif"))
            .arg("--markdown")
            .arg(place("where.md"))
            .arg("--code-quality")
            .arg(place("quality.json"))
            .arg("--gzoltar")
            .arg(place("gzoltar"))
            .arg(&failing),
    );
    let text = stdout(&output);
    assert!(text.contains("the failure shows here"), "{text}");
    assert!(text.contains("  throw new IllegalStateException"), "{text}");
    assert!(!text.contains("nearest:"), "{text}");
    let read = |name: &str| fs::read_to_string(place(name)).unwrap();
    let sarif: Value = serde_json::from_str(&read("where.sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert!(results.len() > 5 && results[0]["rank"] == 100.0);
    let issues: Value = serde_json::from_str(&read("quality.json")).unwrap();
    assert_eq!(
        issues[0]["location"]["path"],
        "tests/programs/spot/Main.java"
    );
    assert!(read("where.md").contains("`spot.Main:"));
    let spectra = gzoltar::read(&place("gzoltar")).unwrap();
    assert_eq!(spectra.tests.len(), 1);
    assert!(spectra.tests[0].failed && !spectra.tests[0].covered.is_empty());
}

/// A suite: the other tests are what the failed one is compared with, and counted.
#[test]
fn the_tests_of_a_suite_are_compared() {
    let directory = tempdir().unwrap();
    let trace = directory.path().join("t.jinsi");
    let observe = "suite.Stock*,detail=instructions";
    record_observing(&jdks()[0], &trace, observe, &JUNIT5);
    let found = found(&["--test", "packs[2]"], &[&trace]);
    let tests = &found["tests"];
    assert_eq!((&tests["failed"], &tests["passed"]), (&6.into(), &3.into()));
    let classes = found["lines"].as_array().unwrap();
    let mut classes = classes.iter().map(|line| line["class"].as_str().unwrap());
    // The tests themselves are not suspected.
    assert!(
        classes.all(|class| class.starts_with("suite.Stock") && !class.contains("Test")),
        "{found:#}"
    );
    assert!(found["difference"]["compared"].as_u64() == Some(3));

    let plain = directory.path().join("plain.jinsi");
    record_observing(&jdks()[0], &plain, "suite.Stock*", &JUNIT5);
    let refused = run(jinsi().arg("where").arg(&plain));
    assert!(!refused.status.success());
    let said = stderr(&refused);
    assert!(said.contains("detail=instructions"), "{said}");
}
