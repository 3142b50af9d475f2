//! Runs as facts for Prolog: those of the published example, and the published rules over them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::support::{
    compile_programs, jinsi, json, record_in, recorded, run, stderr, stdout, succeed, tried_jdks,
};

/// Records JavaTA's example.
fn example(directory: &Path) -> PathBuf {
    let classes = compile_programs(&["javata"], &[]);
    let jdk = &tried_jdks()[0];
    let class_path = classes.path().as_os_str();
    let observed = ("Example:FarAWayClass", "states");
    recorded(jdk, directory, class_path, "Example", observed)
}

/// Objects by the order in which they come: their own numbers may differ.
fn renumbered(text: &str) -> String {
    let mut numbers = BTreeMap::new();
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("o('") {
        let close = at + rest[at..].find(')').unwrap();
        let (before, number) = rest[..close].rsplit_once(',').unwrap();
        let next = numbers.len() + 1;
        let new = numbers.entry(number.to_owned()).or_insert(next);
        out.push_str(&format!("{before},{new}"));
        rest = &rest[close..];
    }
    out + rest
}

/// The facts of a trace.
fn facts(trace: &Path) -> String {
    let said = succeed(jinsi().args(["facts", "--prolog"]).arg(trace));
    let text = stdout(&said);
    let facts = text.lines().filter(|line| line.starts_with("event("));
    facts.collect::<Vec<_>>().join("\n")
}

/// Figure 2 of the paper: 17 events, in order, with their arguments and lines.
#[test]
fn the_example_of_javata_has_its_facts() {
    let directory = TempDir::new().unwrap();
    let trace = example(directory.path());
    let expected = "\
event(0,main,threadstart(main)).
event(1,main,methodcall(l('Example.java',20),c('Example'),main,[o('java.lang.String[]',1)])).
event(2,main,methodcall(l('Example.java',2),o('Example',2),'<init>',[])).
event(3,main,step(l('Example.java',3),[])).
event(4,main,methodcall(l('Example.java',6),o('Example',2),m1,[])).
event(5,main,methodcall(l('Example.java',23),o('FarAWayClass',3),'<init>',[])).
event(6,main,methodexit(5,l('Example.java',23),o('FarAWayClass',3),'<init>',void)).
event(7,main,step(l('Example.java',6),[])).
event(8,main,step(l('Example.java',7),[lv(o,o('FarAWayClass',3))])).
event(9,main,methodcall(l('Example.java',26),o('FarAWayClass',3),doSomeThing,[])).
event(10,main,methodexit(9,l('Example.java',26),o('FarAWayClass',3),doSomeThing,null)).
event(11,main,step(l('Example.java',7),[lv(o,o('FarAWayClass',3))])).
event(12,main,step(l('Example.java',8),[lv(o,o('FarAWayClass',3)),lv(result,null)])).
event(13,main,methodcall(l('Example.java',11),o('Example',2),m2,[null])).
event(14,main,methodcall(l('Example.java',14),o('Example',2),mN,[null])).
event(15,main,exception(l('Example.java',14),o('java.lang.NullPointerException',4),null,uncaught)).
event(16,main,threaddeath(main)).";
    assert_eq!(renumbered(&facts(&trace)), expected);
    // A fact leads to its moment.
    let said = run(jinsi().args(["--json", "facts", "--prolog"]).arg(&trace));
    let thrown = json(&said)[14]["moment"].as_str().unwrap().to_owned();
    let at = run(jinsi().arg("at").arg(&trace).arg(&thrown));
    assert!(stdout(&at).contains("Example.mN"), "{}", stdout(&at));
    let formless = run(jinsi().arg("facts").arg(&trace));
    assert_eq!(formless.status.code(), Some(2), "{}", stderr(&formless));
}

/// Fields, loops, containers, and an exception that is caught further up.
#[test]
fn facts_have_fields_variables_and_who_caught() {
    let directory = TempDir::new().unwrap();
    let jdk = &tried_jdks()[0];
    let observed = ("queried.*", "states");
    let trace = record_in(jdk, directory.path(), "queried.Bank", observed);
    let facts = facts(&trace);
    let fields = "memberfields(c('queried.Bank$Account'),[of(owner),cf(made),of(balance),of(limit),of(frozen)])";
    assert_eq!(facts.matches(fields).count(), 1, "{facts}");
    let count = |text: &str| facts.matches(text).count();
    // Written once in each constructor, and by each call of `add` that came to it.
    assert_eq!(count(",balance,"), 2 + 4);
    assert_eq!(count("c('queried.Bank$Account'),made,2)"), 1);
    for round in 0..3 {
        assert!(count(&format!("lv(i,{round})")) > 0, "{facts}");
    }
    let caught = facts.lines().find(|fact| fact.contains("below zero"));
    let caught = caught.unwrap();
    assert!(caught.contains("exception(l('Bank.java',36),"), "{caught}");
    assert!(caught.ends_with("l('Bank.java',45)))."), "{caught}");
    // Of five calls of `checked`, the one that threw has no exit.
    let calls = facts
        .lines()
        .filter(|f| f.contains("methodcall(") && f.contains(",checked,"));
    let exits = facts
        .lines()
        .filter(|f| f.contains("methodexit(") && f.contains(",checked,"));
    assert_eq!((calls.count(), exits.count()), (5, 4), "{facts}");
}

/// Runs a goal that binds `X` over facts and the published rules; what `X` is.
fn prolog(facts: &Path, goal: &str) -> String {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/javata/rules.pl");
    let goal = format!("{goal}, print(X), nl, halt ; halt(1)");
    let mut swipl = Command::new("swipl");
    let said = run(swipl.args(["-q", "-g", &goal]).arg(facts).arg(rules));
    assert!(said.status.success(), "{goal}: {}", stderr(&said));
    stdout(&said).trim().to_owned()
}

/// The worked session of the paper, and a chain.
#[test]
#[ignore = "long: needs SWI-Prolog (swi-prolog-nox)"]
fn the_printed_rules_run_over_the_facts() {
    let directory = TempDir::new().unwrap();
    let trace = example(directory.path());
    let file = directory.path().join("facts.pl");
    let said = run(jinsi().args(["facts", "--prolog"]).arg(&trace));
    fs::write(&file, &said.stdout).unwrap();
    let thrown = prolog(&file, "where_exception_is_thrown(main, X)");
    assert!(
        thrown.starts_with("event(14,main,methodcall(l('Example.java',14)"),
        "{thrown}"
    );
    let ids = "findall(I, member(event(I,_,_), L), X)";
    let chain = prolog(&file, &format!("full_detail_call_chain(15, L), {ids}"));
    assert_eq!(chain, "[14,13,4,2,1]");
    let pairs = "findall([A,B], member([event(A,_,_),event(B,_,_)], L), X)";
    let before = prolog(&file, &format!("pre_event_called_methods(13, L), {pairs}"));
    assert_eq!(before, "[[5,6],[9,10]]");
    assert_eq!(prolog(&file, "call_chain(14, X)"), "[1,2,4,13]");
}
