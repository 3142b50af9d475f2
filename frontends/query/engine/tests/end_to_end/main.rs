//! `jinsi query` and `jinsi export`, as their user calls them.

#[cfg(feature = "ballista")]
mod cluster;
mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use support::{agent, asked, compiled, java, jinsi, json, recorded, run, sources, stderr, stdout};

/// Records JavaTA's example.
fn example(directory: &Path) -> PathBuf {
    let classes = compiled("javata");
    let observe = ("Example:FarAWayClass", "states");
    recorded(directory, classes.path(), "Example", observe)
}

/// Class directory of the bank.
fn bank_classes() -> &'static Path {
    static COMPILED: OnceLock<TempDir> = OnceLock::new();
    COMPILED.get_or_init(|| compiled("queried")).path()
}

fn bank(directory: &Path) -> PathBuf {
    let observe = ("queried.*", "states");
    recorded(directory, bank_classes(), "queried.Bank", observe)
}

/// The facts of a trace that begin with `event`.
fn facts(trace: &Path) -> Vec<String> {
    let said = run(jinsi().args(["facts", "--prolog"]).arg(trace));
    assert!(said.status.success(), "{}", stderr(&said));
    let text = stdout(&said);
    let facts = text.lines().filter(|line| line.starts_with("event("));
    facts.map(str::to_owned).collect()
}

/// The rows of a query.
fn query(trace: &Path, arguments: &[&str]) -> Vec<Value> {
    let said = run(asked().args(["--json", "query"]).arg(trace).args(arguments));
    assert!(said.status.success(), "{arguments:?}: {}", stderr(&said));
    json(&said).as_array().unwrap().clone()
}

/// A column of them, as text.
fn column(rows: &[Value], name: &str) -> Vec<String> {
    let text = |row: &Value| match &row[name] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    rows.iter().map(text).collect()
}

/// The worked session of the paper: who threw, by what way, and what was called before.
#[test]
fn the_session_of_javata_comes_out() {
    let directory = TempDir::new().unwrap();
    let trace = example(directory.path());
    let thrown = query(&trace, &["where_exception"]);
    assert_eq!(column(&thrown, "method"), ["mN"]);
    assert_eq!(column(&thrown, "arguments"), ["null"]);
    let chain = query(&trace, &["full_detail_call_chain", "failure"]);
    assert_eq!(
        column(&chain, "method"),
        ["mN", "m2", "m1", "<init>", "main"]
    );
    let second = column(&chain, "event")[1].clone();
    let before = query(&trace, &["pre_event_called_methods", &second]);
    assert_eq!(column(&before, "method"), ["<init>", "doSomeThing"]);
    assert_eq!(column(&before, "result"), ["null", "null"]);
    assert_eq!(before[0]["result"], Value::Null);
    assert_eq!(before[1]["result"], "null");
}

/// Where the paper's rules err: inherited and unwritten fields, calls within calls, exceptions that are caught further up.
#[test]
fn what_the_rules_get_wrong_is_right() {
    let directory = TempDir::new().unwrap();
    let trace = bank(directory.path());
    let accounts =
        "select object from objects where class = 'queried.Bank$Account' order by moment";
    let accounts = column(&query(&trace, &[accounts]), "object");
    let [first, second] = accounts.as_slice() else {
        panic!("{accounts:?}")
    };
    let state = query(&trace, &["object_state", first, "failure"]);
    let held: Vec<(String, String)> = (column(&state, "field").into_iter())
        .zip(column(&state, "value"))
        .collect();
    let pair = |field: &str, value: &str| (field.to_owned(), value.to_owned());
    let expected = [
        pair("balance", "18"),
        pair("frozen", "false"),
        pair("limit", "0"),
        pair("owner", "\"ann\""),
        pair("made", "2"),
    ];
    assert_eq!(held, expected);
    let history = query(
        &trace,
        &["instance_field_history", "Bank$Account", first, "balance"],
    );
    assert_eq!(column(&history, "value"), ["10", "10", "11", "13", "18"]);
    // `checked` is called by `sum`, not by `add`.
    let adds = query(&trace, &["argument_history", "Account", "add"]);
    assert_eq!(column(&adds, "arguments"), ["0", "1", "2", "5", "5"]);
    let third = column(&adds, "call")[2].clone();
    let sql = format!("select ended - 1 as moment from calls where call = {third}");
    let inside = column(&query(&trace, &[&sql]), "moment")[0].clone();
    let before = query(&trace, &["pre_event_called_methods", &inside]);
    assert_eq!(column(&before, "method"), ["sum"]);
    let tree = query(&trace, &["call_tree", &third]);
    assert_eq!(column(&tree, "method"), ["add", "sum", "checked"]);
    assert_eq!(column(&tree, "depth"), ["0", "1", "2"]);
    left_by_an_exception(&trace);
    let never = query(&trace, &["object_state", second, "failure"]);
    assert!(
        column(&never, "value").contains(&"-7".to_owned()),
        "{never:?}"
    );
    loops_and_lines(&trace);
}

/// What the exception had left does not enclose what comes later; and what is answered with yes or no.
fn left_by_an_exception(trace: &Path) {
    let caught = query(
        trace,
        &["select * from exceptions where caught is not null"],
    );
    assert_eq!(column(&caught, "caught_by"), ["queried.Bank.tried"]);
    let moment = column(&caught, "caught")[0].parse::<u64>().unwrap() + 1;
    let chain = query(trace, &["call_chain", &moment.to_string()]);
    assert!(chain.len() <= 2, "{chain:?}");
    let answer = |arguments: &[&str]| column(&query(trace, arguments), "answer")[0].clone();
    assert_eq!(
        answer(&["exception_caught", "java.lang.IllegalStateException"]),
        "true"
    );
    assert_eq!(
        answer(&["field_assigned", "Account", "balance", "13"]),
        "true"
    );
    assert_eq!(
        answer(&["field_assigned", "Account", "balance", "14"]),
        "false"
    );
    assert_eq!(answer(&["statement_executed", "Bank.java", "46"]), "true");
    assert_eq!(answer(&["thread_exited", "main"]), "true");
}

/// Each time round a loop, and what a variable was then.
fn loops_and_lines(trace: &Path) {
    let rows = query(trace, &["local_variable_history", "Bank", "main", "i"]);
    let at = |line: u64| -> Vec<String> {
        let rows = rows.iter().filter(|row| row["line"] == line);
        column(&rows.cloned().collect::<Vec<_>>(), "value")
    };
    let mut values = at(55);
    values.dedup();
    assert_eq!(values, ["0", "1", "2"]);
    let printed = query(trace, &["select text from output"]);
    assert_eq!(column(&printed, "text"), ["\"[10, 11, 13] -1 18\""]);
}

/// Forms, views of the user's own, what is kept, and what differs.
#[test]
fn answers_are_written_kept_and_compared() {
    let directory = TempDir::new().unwrap();
    let trace = bank(directory.path());
    let at = |name: &str| directory.path().join(name);
    let csv = run(asked().arg("query").arg(&trace).args([
        "select class, count(*) as n from calls where recorded and method = 'add' group by class",
        "--format",
        "csv",
    ]));
    assert_eq!(stdout(&csv), "class,n\nqueried.Bank$Account,5\n");
    let shown =
        run(asked()
            .arg("query")
            .arg(&trace)
            .args(["return_history", "Account", "checked"]));
    let text = stdout(&shown);
    assert!(
        text.contains("returned") && text.ends_with("5 rows\n"),
        "{text}"
    );
    fs::write(
        at("views.sql"),
        "-- who asked for too much\ncreate view below as\n  select * from exceptions where message = 'below zero';\n",
    )
    .unwrap();
    let mut with_views = asked();
    with_views
        .args(["--json", "query"])
        .arg(&trace)
        .arg("--views")
        .arg(at("views.sql"));
    let rows = json(&run(with_views.arg("select class from below")));
    assert_eq!(rows[0]["class"], "java.lang.IllegalStateException");
    kept_and_compared(&trace, &at("kept"));
    piped(&trace);
    refused(&trace, directory.path());
}

fn kept_and_compared(trace: &Path, kept: &Path) {
    let keep = |query: &[&str]| {
        let mut command = asked();
        command.arg("query").arg(trace).arg("--keep").arg(kept);
        let said = run(command.args(query));
        assert!(said.status.success(), "{}", stderr(&said));
        stdout(&said)
    };
    let first = keep(&["where_exception"]);
    let files: Vec<_> = fs::read_dir(kept).unwrap().collect();
    assert_eq!(files.len(), 1);
    assert_eq!(first, keep(&["where_exception"]));
    let same = run(asked()
        .arg("query")
        .arg(trace)
        .args(["where_exception", "--compare"])
        .arg(trace));
    assert!(
        stdout(&same).contains("the same in both"),
        "{}",
        stdout(&same)
    );
    let words = ["return_history", "Account", "add"];
    let printed = run(asked().arg("query").arg(trace).args(words).arg("--sql"));
    let sql = stdout(&printed);
    let by_sql = query(trace, &[sql.trim()]);
    assert_eq!(
        column(&by_sql, "result"),
        column(&query(trace, &words), "result")
    );
}

fn piped(trace: &Path) {
    use std::io::Write;
    use std::process::Stdio;
    let mut shell = asked();
    shell
        .arg("query")
        .arg(trace)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = shell.spawn().unwrap();
    let text = "create view few as select class from classes where observed;\nselect count(*) as n from few;\nwhere_exception;\n";
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let said = child.wait_with_output().unwrap();
    let text = stdout(&said);
    assert!(text.contains("the end"), "{text}");
}

fn refused(trace: &Path, directory: &Path) {
    let refuse = |arguments: &[&str], why: &str| {
        let said = run(asked().arg("query").arg(trace).args(arguments));
        assert_eq!(
            said.status.code(),
            Some(2),
            "{arguments:?}: {}",
            stderr(&said)
        );
        assert!(stderr(&said).contains(why), "{}", stderr(&said));
    };
    refuse(&["where_exeption"], "no query is called where_exeption");
    refuse(&["call_chain"], "usage: call_chain MOMENT");
    refuse(&["--sql"], "--sql goes with a query that has a name");
    refuse(&["call_chain", "x"], "not a moment: x");
    refuse(&["call_chain", "77:1"], "there is no such moment");
    let copied = format!("copy (select 1) to '{}'", directory.join("x.csv").display());
    refuse(&[&copied], "COPY is not allowed");
    let wrong = run(asked()
        .arg("query")
        .arg(trace)
        .arg("select nothing from calls"));
    assert_eq!(wrong.status.code(), Some(1));
    assert!(stderr(&wrong).contains("nothing"), "{}", stderr(&wrong));
}

/// Two runs, exported and asked together; one that is damaged costs itself, and nothing is exported twice.
#[test]
fn many_runs_are_asked_together() {
    let directory = TempDir::new().unwrap();
    let one = directory.path().join("one");
    let other = directory.path().join("other");
    fs::create_dir(&one).unwrap();
    fs::create_dir(&other).unwrap();
    let observe = ("queried.*", "interactions");
    let traces = [
        bank(&one),
        recorded(&other, bank_classes(), "queried.Bank", observe),
    ];
    let broken = directory.path().join("broken.jinsi");
    fs::write(&broken, &fs::read(&traces[0]).unwrap()[..100]).unwrap();
    minimized(&other, &traces[1]);
    let runs = directory.path().join("runs");
    let export = || {
        let mut command = asked();
        command
            .args(["--json", "export", "--version", "1.0", "--parquet"])
            .arg(&runs)
            .arg("--report")
            .arg(&other);
        run(command.args(&traces).arg(&broken))
    };
    let said = export();
    assert!(said.status.success(), "{}", stderr(&said));
    assert!(
        stderr(&said).contains("broken.jinsi: left out"),
        "{}",
        stderr(&said)
    );
    let rows = json(&export());
    let known = rows
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["known"] == true);
    assert_eq!(known.count(), 2);
    asked_together(&runs, &traces[1]);
}

/// What `jinsi minimize` leaves of a run, as far as an export reads it.
fn minimized(directory: &Path, trace: &Path) {
    let report = serde_json::json!({ "trace": trace, "keep": "BankTest.java" });
    fs::write(directory.join("report.json"), report.to_string()).unwrap();
    let test = "class BankTest {\n    @Test\n    void addDoesNotThrow() {\n        // Why.\n        new Bank().add(1);\n    }\n}\n";
    fs::write(directory.join("BankTest.java"), test).unwrap();
}

fn asked_together(runs: &Path, without_lines: &Path) {
    let failures = query(runs, &["same_failures"]);
    assert_eq!(column(&failures, "runs"), ["2"]);
    assert_eq!(
        column(&failures, "cause"),
        ["java.lang.UnsupportedOperationException"]
    );
    assert_eq!(column(&failures, "minimal_tests"), ["1"]);
    let tests = query(runs, &["same_minimal_tests"]);
    assert_eq!(column(&tests, "minimal_test"), ["new Bank().add(1);"]);
    let calls =
        "select run, count(*) as n from calls where recorded and method = 'add' group by run";
    assert_eq!(column(&query(runs, &[calls]), "n"), ["5", "5"]);
    let versions = "select version, test, outcome from runs";
    assert_eq!(column(&query(runs, &[versions]), "version"), ["1.0", "1.0"]);
    // The recording of interactions has no lines; the other has.
    let lines = "select distinct run from lines";
    assert_eq!(query(runs, &[lines]).len(), 1);
    let said = run(asked().arg("query").arg(runs).arg(lines));
    let reported = "1 of 2 runs have the table lines";
    assert!(stderr(&said).contains(reported), "{}", stderr(&said));
    let none = run(asked()
        .arg("query")
        .arg(without_lines)
        .arg("select * from lines"));
    assert_eq!(none.status.code(), Some(1));
    assert!(stderr(&none).contains("detail=states"), "{}", stderr(&none));
}

/// Traces in a directory are asked as they are; one that is damaged costs itself, whatever is asked.
#[test]
fn a_damaged_trace_among_others_is_named() {
    let directory = TempDir::new().unwrap();
    let trace = bank(directory.path());
    let bytes = fs::read(&trace).unwrap();
    let of = |name: &str, bytes: &[u8]| {
        let path = directory.path().join(name);
        fs::write(path, bytes).unwrap();
    };
    of("cut.jinsi", &bytes[..40]);
    of("foreign.jinsi", b"no trace at all");
    let middle = bytes.len() / 2;
    let mut turned = bytes.clone();
    turned[middle..middle + 64].fill(0x5a);
    of("turned.jinsi", &turned);
    for sql in [
        "select distinct run from runs",
        "select run, count(*) as n from calls group by run",
        "select run, max(moment) as n from events group by run",
    ] {
        let said = run(asked()
            .args(["--json", "query"])
            .arg(directory.path())
            .arg(sql));
        assert!(said.status.success(), "{sql}: {}", stderr(&said));
        let rows = json(&said).as_array().unwrap().len();
        assert!((1..=2).contains(&rows), "{sql}: {rows}");
        for name in ["cut.jinsi", "foreign.jinsi", "turned.jinsi"] {
            assert!(stderr(&said).contains(name), "{sql}: {}", stderr(&said));
        }
    }
    // Alone, what is left of one is reported, or nothing; never without a word.
    of("short.jinsi", &bytes[..bytes.len() * 3 / 4]);
    for name in ["turned.jinsi", "short.jinsi"] {
        for table in ["calls", "objects", "events"] {
            let sql = format!("select count(*) as n from {table}");
            let said = run(asked()
                .arg("query")
                .arg(directory.path().join(name))
                .arg(sql));
            assert!(stderr(&said).contains(name), "{table}: {}", stderr(&said));
        }
    }
}

/// Without a client of a cluster that is said, and how to get one.
#[cfg(not(feature = "ballista"))]
#[test]
fn without_a_client_no_cluster_is_asked() {
    let directory = TempDir::new().unwrap();
    let said = run(asked().arg("query").arg(directory.path()).args([
        "same_failures",
        "--cluster",
        "localhost:50050",
    ]));
    assert_eq!(said.status.code(), Some(2));
    assert!(
        stderr(&said).contains("--features ballista"),
        "{}",
        stderr(&said)
    );
}

/// An export that is killed, whenever that is, leaves whole runs or none.
#[test]
fn a_killed_export_leaves_no_half_a_run() {
    let directory = TempDir::new().unwrap();
    let trace = bank(directory.path());
    let mut seen = Vec::new();
    for (no, wait) in [0, 5, 10, 20, 30, 40, 60, 90, 150].into_iter().enumerate() {
        let runs = directory.path().join(format!("runs-{no}"));
        let mut export = asked();
        let mut export = export
            .args(["export", "--parquet"])
            .args([&runs, &trace])
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        // It may have ended before.
        let _ = export.kill();
        export.wait().unwrap();
        let said = run(asked()
            .args(["--json", "query"])
            .arg(&runs)
            .arg("select outcome from runs"));
        if said.status.success() {
            assert_eq!(
                column(json(&said).as_array().unwrap(), "outcome"),
                ["failed"]
            );
            let tables = ["calls", "events", "writes", "output"];
            for table in tables {
                assert!(!query(&runs, &[&format!("select run from {table}")]).is_empty());
            }
        } else {
            let text = stderr(&said);
            assert!(
                text.contains("no runs in") || text.contains("No such file"),
                "{text}"
            );
        }
        seen.push(said.status.success());
        // What was left undone is in nobody's way.
        let again = run(asked().args(["export", "--parquet"]).args([&runs, &trace]));
        assert!(again.status.success(), "{}", stderr(&again));
        assert_eq!(query(&runs, &["select run from runs"]).len(), 1);
    }
    assert!(seen.contains(&false), "none was killed in time");
}

/// What a recording was instructed to keep out is not in what is made of it.
#[test]
fn exports_hold_what_the_trace_holds() {
    let directory = TempDir::new().unwrap();
    let trace = directory.path().join("t.jinsi");
    let secret = "Quetzalcoatl7";
    let options = format!(
        "-agentpath:{}=observe=queried.*,detail=states,out={},redact=queried.Bank.main",
        agent().display(),
        trace.display()
    );
    let mut java = Command::new(java());
    java.arg(options).arg("-cp").arg(bank_classes());
    run(java.args(["queried.Bank", secret]));
    let runs = directory.path().join("runs");
    let said = run(asked().args(["export", "--parquet"]).arg(&runs).arg(&trace));
    assert!(said.status.success(), "{}", stderr(&said));
    let held = query(&runs, &["select value from writes where field = 'owner'"]);
    assert_eq!(column(&held, "value")[1], "\"bob\"");
    for table in [
        "events",
        "calls",
        "accesses",
        "writes",
        "locals",
        "exceptions",
        "output",
    ] {
        for path in [&runs, &trace] {
            let rows = query(path, &[&format!("select * from {table}")]);
            assert!(!rows.is_empty(), "{table}");
            assert!(!format!("{rows:?}").contains(secret), "{table}");
        }
    }
    for said in facts(&trace) {
        assert!(!said.contains(secret), "{said}");
    }
}

/// Runs a goal over facts and rules; what it prints.
fn prolog(facts: &Path, goal: &str) -> String {
    let rules = sources("javata").join("rules.pl");
    let goal = format!("{goal}, write(X), nl, halt ; halt(1)");
    let mut swipl = Command::new("swipl");
    swipl.args(["-q", "-g", &goal]).arg(facts).arg(rules);
    let said = run(&mut swipl);
    assert!(said.status.success(), "{goal}: {}", stderr(&said));
    stdout(&said)
}

#[test]
#[ignore = "needs SWI-Prolog (swi-prolog-nox)"]
fn the_printed_rules_run_over_the_facts() {
    let directory = TempDir::new().unwrap();
    let trace = example(directory.path());
    let file = directory.path().join("facts.pl");
    let said = run(jinsi().args(["facts", "--prolog"]).arg(&trace));
    fs::write(&file, &said.stdout).unwrap();
    let thrown = prolog(&file, "where_exception_is_thrown(main, X)");
    assert!(thrown.starts_with("event(14,main,methodcall("), "{thrown}");
    let before = prolog(
        &file,
        "pre_event_called_methods(13, L), findall([A,B], member([event(A,_,_),event(B,_,_)], L), X)",
    );
    assert_eq!(before, "[[5,6],[9,10]]\n");
    // Each event's chain is the one that the query gives.
    let said = run(jinsi().args(["--json", "facts", "--prolog"]).arg(&trace));
    let facts = json(&said);
    let facts = facts.as_array().unwrap();
    let method = |text: &str| -> String {
        let name = text
            .split("),")
            .nth(2)
            .and_then(|rest| rest.split(',').next());
        name.unwrap().trim_matches('\'').to_owned()
    };
    let called = |id: &Value| {
        method(
            facts[id.as_u64().unwrap() as usize]["event"]
                .as_str()
                .unwrap(),
        )
    };
    for (no, fact) in facts.iter().enumerate() {
        let text = fact["event"].as_str().unwrap();
        if !["step", "methodcall", "exception"]
            .iter()
            .any(|kind| text.starts_with(kind))
        {
            continue;
        }
        let ids: Value =
            serde_json::from_str(&prolog(&file, &format!("call_chain({no}, X)"))).unwrap();
        let by_rules: Vec<String> = ids.as_array().unwrap().iter().map(called).collect();
        let rows = query(
            &trace,
            &["full_detail_call_chain", fact["moment"].as_str().unwrap()],
        );
        let mut opened = column(&rows, "method");
        opened.reverse();
        // The fact of a call is where its code begins: the call has begun before, where its caller is recorded.
        if text.starts_with("methodcall") && opened.len() > by_rules.len() {
            assert_eq!(opened.pop(), Some(method(text)));
        }
        assert_eq!(opened, by_rules, "{no}: {text}");
    }
}
