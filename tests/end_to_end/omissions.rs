//! What was not done, and which branch kept it from being done.

use std::path::Path;

use jinsi_classfile::bits::Bits;
use jinsi_omission::jumps::Kind;
use jinsi_omission::points::PointsTo;
use jinsi_omission::{Code, Finder, Found, Hand, Options, Question, Suggestion, suggestions};
use jinsi_trace::model::ObjectId;
use jinsi_trace::reader::Trace;
use serde_json::Value;
use tempfile::TempDir;

use super::support::{has, jdks, jinsi, json, record_in, run, stderr, stdout};

fn recorded(directory: &Path, main: &str) -> std::path::PathBuf {
    let jdk = jdks().remove(0);
    record_in(&jdk, directory, main, ("omitted.*", "states"))
}

/// Number of the line of `Guards` with this comment.
fn line(comment: &str) -> u16 {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/omitted");
    let text = std::fs::read_to_string(root.join("Guards.java")).unwrap();
    let wanted = format!("// {comment}");
    let at = text.lines().position(|line| line.ends_with(&wanted));
    at.unwrap_or_else(|| panic!("{comment}")) as u16 + 1
}

/// The objects that were made on a line.
fn made_at(finder: &Finder<'_, '_>, line: u16) -> Vec<ObjectId> {
    let code = finder.code();
    let there = finder.births().all().filter(|(_, object)| {
        let birth = object.birth;
        let maker = birth.and_then(|birth| code.maker(birth.method, birth.value));
        maker.is_some_and(|(_, instruction)| instruction.line == line)
    });
    let mut all: Vec<ObjectId> = there.map(|(id, _)| id).collect();
    all.sort_unstable();
    all
}

struct Asked<'f, 'c, 't> {
    finder: &'f Finder<'c, 't>,
    found: Found,
    suggestions: Vec<Suggestion>,
}

impl Asked<'_, '_, '_> {
    /// Kinds and lines of the suggestions.
    fn places(&self) -> Vec<(Kind, u16)> {
        let code = self.finder.code();
        let all = self.suggestions.iter();
        all.map(|s| (s.kind, code.instruction(s.jump).unwrap().line))
            .collect()
    }
}

/// What could have been done to the list that was made on the line with this comment.
fn ask<'f, 'c, 't>(finder: &'f Finder<'c, 't>, made: &str, options: &Options) -> Asked<'f, 'c, 't> {
    let object = made_at(finder, line(made))[0];
    let found = finder.ask(&Question::Object(object), options).unwrap();
    let suggestions = suggestions(&found, |_| None, |_| Hand::Unknown);
    Asked {
        finder,
        found,
        suggestions,
    }
}

fn why_not(trace: &Path, options: &[&str]) -> Value {
    let output = run(jinsi().args(["--json", "why-not"]).arg(trace).args(options));
    assert!(
        matches!(output.status.code(), Some(0 | 1)),
        "{}",
        stderr(&output)
    );
    json(&output)
}

/// Sakurai and Masuhara, Figures 2, 5, 8 and 9.
#[test]
fn file_lister_has_three_uses_five_chains_and_one_balloon() {
    let directory = TempDir::new().unwrap();
    let trace = recorded(directory.path(), "omitted.FileLister one");
    let file = Trace::open(&trace).unwrap();
    let code = Code::of(&file);
    let finder = Finder::new(&code).unwrap();
    let lists = [17, 18].map(|line| made_at(&finder, line)[0].to_string());

    let answer = why_not(&trace, &["--object", &lists[0], "--reads"]);
    let uses: Vec<&str> = texts(&answer["uses"]);
    let expected =
        ["#.add(n)", "#.toString()", "#.add(n)"].map(|t| t.replace('#', &format!("#{}", lists[0])));
    let mut sorted = uses.clone();
    sorted.sort_unstable();
    let mut wanted: Vec<&str> = expected.iter().map(String::as_str).collect();
    wanted.sort_unstable();
    assert_eq!(sorted, wanted, "{answer:#}");
    let mut chains: Vec<String> = answer["chains"]
        .as_array()
        .unwrap()
        .iter()
        .map(|chain| {
            let names = chain.as_array().unwrap().iter();
            let names = names.map(|n| n.as_str().unwrap().trim_start_matches("FileLister."));
            names.collect::<Vec<_>>().join(" ")
        })
        .collect();
    chains.sort_unstable();
    let expected = [
        "main run addItem",
        "main run printItems",
        "printItems",
        "run addItem",
        "run printItems",
    ];
    assert_eq!(chains, expected);
    let suggestions = answer["suggestions"].as_array().unwrap();
    assert_eq!(suggestions.len(), 1, "{answer:#}");
    let only = &suggestions[0];
    assert_eq!((&only["kind"], &only["line"]), (&"jump".into(), &12.into()));
    assert_eq!(only["needed"], "active != 0");
    let was = only["values"][0]["value"].as_str().unwrap_or_default();
    assert!(["false", "0"].contains(&was), "{only:#}");
    let omitted = only["omitted"].as_array().unwrap();
    assert_eq!(omitted.len(), 1, "{only:#}");
    assert_eq!(omitted[0]["text"], format!("#{}.add(n)", lists[0]));
    assert_eq!(omitted[0]["place"], "omitted.FileLister.addItem:27");
    assert_eq!(omitted[0]["calls"], 1);
    assert_eq!(omitted[0]["never"], true);

    other_list_and_call(&trace, &lists[1]);
}

/// The other list has none of these; and the same is found by the call that was not made.
fn other_list_and_call(trace: &Path, list: &str) {
    let answer = why_not(trace, &["--object", list, "--reads"]);
    assert_eq!(texts(&answer["uses"]), [format!("#{list}.add(one)")]);
    let output = run(jinsi()
        .arg("why-not")
        .arg(trace)
        .args(["--call", "FileLister.addItem"]));
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let expected = "1. omitted.FileLister.run:12  active != 0 was false";
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains("in omitted.FileLister.init:19"), "{text}");
}

fn texts(list: &Value) -> Vec<&str> {
    let all = list.as_array().unwrap().iter();
    all.map(|entry| entry["text"].as_str().unwrap()).collect()
}

/// The rows of the paper's features.
#[test]
fn each_guard_is_found() {
    let directory = TempDir::new().unwrap();
    let trace = recorded(directory.path(), "omitted.Guards");
    let file = Trace::open(&trace).unwrap();
    let code = Code::of(&file);
    let finder = Finder::new(&code).unwrap();
    let usual = Options::default();
    let places = |made: &str| ask(&finder, made, &usual).places();
    let jump = |comment: &str| (Kind::Jump, line(comment));

    assert_eq!(places("outer made"), [jump("outer first")]);
    assert_eq!(places("inner made"), [jump("inner second")]);
    assert_eq!(places("none made"), [jump("none loop")]);
    assert_eq!(places("some made"), [(Kind::Round, line("some loop"))]);
    // The compiler gives both jumps the line of the first.
    let both = ask(&finder, "both made", &usual);
    assert_eq!(both.places(), [jump("both first")]);
    let second = &both.suggestions[0];
    let needed = code.needed(second.jump, second.other_way);
    assert_eq!(needed.as_deref(), Some("b != 0"));
    assert_eq!(places("five made"), [jump("five test")]);
    // Each call on the way works with the list, too.
    let reached = |asked: &Asked<'_, '_, '_>, adds: u16| {
        asked.found.omissions.iter().any(|omission| {
            let place = asked.found.targets[omission.target].place;
            code.instruction(place).unwrap().line == adds
        })
    };
    let adds = |made: &str, adds: &str, options: &Options| {
        reached(&ask(&finder, made, options), line(adds))
    };
    assert!(adds("five made", "five adds", &usual));
    assert!(!adds("six made", "six adds", &usual));
    assert_eq!(places("others made"), [jump("others test")]);
    assert_eq!(places("others other"), [jump("others other test")]);
    assert_eq!(places("cut made"), [(Kind::Cut, line("cut here"))]);
    assert_eq!(places("choose made"), [jump("choose here"); 2]);
    assert_eq!(places("function made"), [jump("function test")]);
    assert_eq!(
        places("dispatch made"),
        [(Kind::Dispatch, line("dispatch here"))]
    );
    assert_eq!(places("passed made"), [jump("passed test")]);
    assert!(places("wrong made").is_empty());

    // Six calls are a chain if they may be.
    let longer = Options { calls: 6, ..usual };
    assert!(adds("six made", "six adds", &longer));
}

#[test]
fn reads_and_parts_are_distinguished() {
    let directory = TempDir::new().unwrap();
    let trace = recorded(directory.path(), "omitted.Guards");
    let file = Trace::open(&trace).unwrap();
    let code = Code::of(&file);
    let finder = Finder::new(&code).unwrap();
    let usual = Options::default();
    let jump = |comment: &str| (Kind::Jump, line(comment));
    // What only reads is asked for.
    let hidden = ask(&finder, "reads made", &usual);
    assert!(hidden.suggestions.is_empty());
    assert_eq!(hidden.found.hidden, 1);
    let reads = Options {
        reads: true,
        ..usual
    };
    let shown = ask(&finder, "reads made", &reads).places();
    assert_eq!(shown, [jump("reads test")]);

    // Both ways ran, each in another activation: partly omitted, twice.
    let twice = ask(&finder, "twice made", &usual);
    assert_eq!(twice.places(), [jump("twice test"); 2]);
    assert!(twice.found.omissions.iter().all(|o| !o.never));
    let ways: Vec<&Bits> = finder
        .gathered()
        .ways
        .iter()
        .filter(|way| code.method(way.method).name == "twice")
        .map(|way| &way.ran)
        .collect();
    assert_eq!(ways.len(), 2);
    assert_ne!(ways[0], ways[1]);
}

/// Whatever the run has met somewhere is in the sets; a coarser analysis finds all that the usual one does.
#[test]
fn sets_have_what_was_met_and_types_have_more() {
    let directory = TempDir::new().unwrap();
    let trace = recorded(directory.path(), "omitted.Guards");
    let file = Trace::open(&trace).unwrap();
    let code = Code::of(&file);
    let finder = Finder::new(&code).unwrap();
    let met = &finder.gathered().met;
    assert!(!met.is_empty());
    for (birth, value) in met {
        assert!(finder.points().value_may_be(*value, *birth));
    }
    let coarse = finder.by_type();
    let options = Options {
        reads: true,
        ..Options::default()
    };
    let mut more = 0;
    for (id, object) in finder.births().all() {
        if object.birth.is_none() {
            continue;
        }
        let question = Question::Object(id);
        let fine = finder.ask(&question, &options).unwrap();
        let all = finder.ask_with(&coarse, &question, &options).unwrap();
        for target in &fine.targets {
            let known = |t: &jinsi_omission::Target| (t.place, t.operand);
            assert!(all.targets.iter().any(|t| known(t) == known(target)));
        }
        more += all.targets.len() - fine.targets.len();
        for (place, called) in &finder.gathered().called {
            for callee in called {
                assert!(finder.points().callees(*place).contains(callee));
                assert!(coarse.callees(*place).contains(callee));
            }
        }
    }
    assert!(more > 0);
}

/// What comes of the other way decides the order.
#[test]
fn jumps_are_turned() {
    let directory = TempDir::new().unwrap();
    let trace = recorded(directory.path(), "omitted.Flawed");
    let answer = why_not(&trace, &["--call", "java.util.List.add"]);
    assert_eq!(answer["not_flipped"], Value::Null, "{answer:#}");
    let suggestions = answer["suggestions"].as_array().unwrap();
    let flips: Vec<_> = suggestions
        .iter()
        .map(|s| (s["line"].as_u64().unwrap(), &s["flip"]))
        .collect();
    let [(18, gone), (15, other)] = flips[..] else {
        panic!("{answer:#}");
    };
    assert_eq!(gone["failure"], "gone", "{answer:#}");
    assert_eq!((&gone["done"], &gone["time"]), (&true.into(), &1.into()));
    assert_eq!(gone["engine"], "direct");
    assert_eq!(other["failure"], "other", "{answer:#}");
    let why = other["why"].as_str().unwrap_or_default();
    assert!(why.contains("NullPointerException"), "{answer:#}");

    let answer = why_not(&trace, &["--output", "All is"]);
    let first = &answer["suggestions"][0];
    assert_eq!(first["line"], 26, "{answer:#}");
    assert_eq!(first["flip"]["printed"], true, "{answer:#}");
    let nothing = why_not(&trace, &["--output", "All is", "--no-flip"]);
    assert_eq!(nothing["suggestions"][0]["flip"], Value::Null);
}

/// An empty list is what made the test go another way: what could have filled it comes with the answer. The other list of the same class
/// could have been given to the same method, but not there.
#[test]
fn what_is_behind_a_jump_is_found() {
    let directory = TempDir::new().unwrap();
    let trace = recorded(directory.path(), "omitted.Filters");
    let answer = why_not(&trace, &["--call", "java.util.List.add", "--no-flip"]);
    assert_eq!(answer["suggestions"][0]["line"], 19, "{answer:#}");
    let behind = answer["behind"].as_array().unwrap();
    let [only] = &behind[..] else {
        panic!("{answer:#}");
    };
    assert_eq!(only["read"], "patterns.size() was 0", "{answer:#}");
    let lines = |list: &Value| -> Vec<u64> {
        let all = list.as_array().unwrap().iter();
        all.map(|one| one["line"].as_u64().unwrap()).collect()
    };
    assert_eq!(lines(&only["suggestions"]), [33], "{answer:#}");

    let list = only["object"].to_string();
    let answer = why_not(&trace, &["--object", &list, "--no-flip"]);
    let lines = lines(&answer["suggestions"]);
    assert_eq!(lines[0], 33, "{answer:#}");
    let other = lines.iter().position(|line| *line == 36);
    assert!(other.is_none_or(|at| at == lines.len() - 1), "{answer:#}");
}

/// So is a field that nobody wrote.
#[test]
fn a_field_that_was_never_written_is_behind_a_jump() {
    let directory = TempDir::new().unwrap();
    let trace = recorded(directory.path(), "omitted.Unset");
    let answer = why_not(&trace, &["--call", "Unset.report", "--no-flip"]);
    assert_eq!(answer["suggestions"][0]["line"], 27, "{answer:#}");
    let behind = answer["behind"].as_array().unwrap();
    let [only] = &behind[..] else {
        panic!("{answer:#}");
    };
    assert_eq!(
        only["read"], "used.limit was never written, but read",
        "{answer:#}"
    );
    assert_eq!(only["field"], "limit", "{answer:#}");
    assert_eq!(only["suggestions"][0]["line"], 15, "{answer:#}");
}

/// Who knows only that it failed is shown where the exception left, what would have kept it from that, and no more.
#[test]
fn a_failure_is_asked_about() {
    let directory = TempDir::new().unwrap();
    let trace = recorded(directory.path(), "omitted.Lost");
    let answer = why_not(&trace, &["--failure"]);
    let shown = |answer: &Value| -> Vec<(String, u64, String)> {
        let all = answer["suggestions"].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
        let one = |one: &Value| {
            let line = one["line"].as_u64().unwrap();
            (text(&one["kind"]), line, text(&one["flip"]["failure"]))
        };
        all.map(one).collect()
    };
    let row = |kind: &str, line, failure: &str| (kind.to_owned(), line, failure.to_owned());
    let expected = [
        row("cut", 27, ""),
        row("jump", 26, "gone"),
        row("jump", 16, "gone"),
        row("cut", 22, ""),
    ];
    let mut found = shown(&answer);
    found[1..3].sort_by_key(|(_, line, _)| std::cmp::Reverse(*line));
    assert_eq!(found, expected, "{answer:#}");
    let of_line = |line: u64| {
        let all = answer["suggestions"].as_array().unwrap().iter();
        all.clone().find(|one| one["line"] == line).unwrap().clone()
    };
    assert_eq!(of_line(16)["flip"]["came_to"], true, "{answer:#}");
    assert_eq!(of_line(26)["flip"]["came_to"], false, "{answer:#}");
    // The test of the arguments is the asker's: it only keeps the program from all of it.
    assert_eq!(answer["others_hidden"], 1, "{answer:#}");
    let all = shown(&why_not(&trace, &["--failure", "--all"]));
    assert_eq!(all.len(), 5, "{all:?}");
    assert_eq!(all[4].1, 10, "{all:?}");

    let elsewhere = TempDir::new().unwrap();
    let fine = recorded(elsewhere.path(), "omitted.Unset");
    let output = run(jinsi().args(["why-not", "--failure"]).arg(&fine));
    assert_eq!(output.status.code(), Some(1));
    has(&stderr(&output), "no failure was recorded");
}

/// Classes without line numbers have no lines that a slice could begin at: the answer stands all the same, with nothing behind it.
#[test]
fn classes_without_lines_have_answers() {
    let directory = TempDir::new().unwrap();
    let (classes, trace) = (
        directory.path().join("classes"),
        directory.path().join("t.jinsi"),
    );
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/omitted/Filters.java");
    let jdk = jdks().remove(0);
    let mut compiler = std::process::Command::new(jdk.javac().unwrap());
    compiler.args(["-g:none", "-d"]).arg(&classes).arg(source);
    assert!(run(&mut compiler).status.success());
    let mut recording = jinsi();
    recording
        .args([
            "record",
            "--detail",
            "states",
            "--observe",
            "omitted.*",
            "-o",
        ])
        .arg(&trace)
        .arg("--")
        .arg(jdk.java())
        .arg("-cp")
        .arg(&classes)
        .arg("omitted.Filters");
    assert!(run(&mut recording).status.success());
    let answer = why_not(&trace, &["--call", "java.util.List.add", "--no-flip"]);
    assert_eq!(answer["suggestions"][0]["line"], 0, "{answer:#}");
    assert_eq!(answer["behind"], serde_json::json!([]), "{answer:#}");
}

/// The report of a failure says why it came to it, if a decision is known after which it does not.
#[test]
fn a_report_says_why_it_failed() {
    let directory = TempDir::new().unwrap();
    let of = ("omitted.*", "interactions");
    let trace = record_in(&jdks().remove(0), directory.path(), "omitted.Lost", of);
    let report = directory.path().join("report");
    let output = run(jinsi()
        .args(["--json", "minimize"])
        .arg(&trace)
        .arg("--out")
        .arg(&report));
    let explanation = &json(&output)["explanation"];
    let sentences = explanation["sentences"].as_array().unwrap();
    let sentence = |kind: &str| {
        let of_kind = sentences.iter().find(|sentence| sentence["kind"] == kind);
        let of_kind = of_kind.unwrap_or_else(|| panic!("{explanation:#}"));
        (of_kind["text"].as_str().unwrap(), &of_kind["line"])
    };
    let (text, line) = sentence("failure");
    assert_eq!(line, 27, "{explanation:#}");
    assert!(text.contains("`name` was null"), "{text}");
    let (text, line) = sentence("jump");
    assert_eq!(line, 16, "{explanation:#}");
    has(text, "`room > 0` was false: `room` was 0");
    assert!(sentence("turned").0.ends_with("the failure is gone."));
    let page = std::fs::read_to_string(report.join("report.html")).unwrap();
    assert!(
        page.contains("Why it failed</span></h2>") && page.contains("<code>room &gt; 0</code>")
    );
}

/// Each kind of question, and what is no question.
#[test]
fn each_question_has_an_answer() {
    let directory = TempDir::new().unwrap();
    let trace = recorded(directory.path(), "omitted.FileLister");
    let first = |options: &[&str]| {
        let answer = why_not(&trace, options);
        let places = answer["suggestions"].as_array().unwrap().iter();
        let mut places = places.map(|s| s["place"].as_str().unwrap().to_owned());
        places.next().unwrap_or_default()
    };
    let guard = "omitted.FileLister.run:12";
    assert_eq!(first(&["--call", "FileLister.addItem"]), guard);
    assert_eq!(first(&["--call", "java.io.File.list"]), guard);
    assert_eq!(first(&["--line", "FileLister.java:27"]), guard);
    assert_eq!(first(&["--line", "omitted.FileLister:25"]), guard);
    let loop_ended = first(&["--line", "FileLister:22", "--reads"]);
    assert_eq!(loop_ended, "");
    let refused = |options: &[&str]| {
        let output = run(jinsi().arg("why-not").arg(&trace).args(options));
        (output.status.code(), stderr(&output))
    };
    assert_eq!(refused(&[]).0, Some(2));
    assert_eq!(refused(&["--field", "nothing"]).0, Some(2));
    let (status, error) = refused(&["--object", "999999"]);
    assert_eq!(status, Some(1));
    assert!(error.contains("no object #999999"), "{error}");
    let (status, error) = refused(&["--call", "Nobody.nothing"]);
    assert_eq!(status, Some(1));
    assert!(error.contains("nothing in the recorded classes"), "{error}");
}
