//! What an observed class inherits from classes that are not observed (Burger 2011, Section 7.3).

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use jinsi_history::{History, Tables};
use jinsi_jdk::Jdk;
use jinsi_level::project::project;
use jinsi_level::{Interaction, Level, Operation};
use jinsi_natural::Natural;
use jinsi_trace::model::{ClassOrigin, EventKind, Payload, Site, Value};
use jinsi_trace::reader::Trace;
use tempfile::tempdir;

use super::support::{
    jinsi, json, linked, programs, recording_option, run, stderr, stdout, succeed, tried_jdks,
};

/// Records a program with the agent alone; its output has to be that of the plain run.
fn recorded(
    jdk: &Jdk,
    directory: &Path,
    class_path: &str,
    main: &[&str],
    observe: &str,
) -> PathBuf {
    let trace = directory.join("t.jinsi");
    let arguments: Vec<&str> = ["-cp", class_path]
        .into_iter()
        .chain(main.iter().copied())
        .collect();
    let plain = run(Command::new(jdk.java()).args(&arguments));
    let agent = recording_option(&format!("observe={observe}"), &trace);
    let with = run(Command::new(jdk.java()).arg(agent).args(&arguments));
    assert_eq!(stdout(&with), stdout(&plain), "{main:?}");
    let theirs = |text: String| -> String {
        let lines = text.lines().filter(|l| !l.starts_with("jinsi: "));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(theirs(stderr(&with)), theirs(stderr(&plain)), "{main:?}");
    assert_eq!(with.status.code(), plain.status.code(), "{main:?}");
    trace
}

/// The events of all threads, with their sites.
fn events(trace: &Trace) -> Vec<(Site, Vec<Value>)> {
    let mut list = Vec::new();
    for thread in trace.threads() {
        for event in trace.events(thread.no) {
            let event = event.expect("readable");
            let site = trace.site_of(&event).cloned();
            if let (Some(site), Payload::Operands(values)) = (site, event.payload) {
                list.push((site, values));
            }
        }
    }
    list
}

/// The run on the thread `main` as the class `observed` sees it.
fn level(trace: &Trace, observed: &str) -> Level {
    let tables = Tables::new(
        trace.classes().iter().cloned(),
        trace.sites().iter().cloned(),
        trace.throwables().iter().cloned(),
        trace.failures().iter().cloned(),
    );
    let main = trace
        .threads()
        .iter()
        .find(|t| t.name == "main")
        .expect("thread main")
        .no;
    let events = trace.events(main).map(|e| e.expect("readable"));
    let history = History::build(tables, main, events).expect("a short history");
    assert_eq!(history.anomalies(), 0);
    project(
        &history,
        &Natural::default(),
        &BTreeSet::from([observed.to_owned()]),
    )
}

fn origin(trace: &Trace, name: &str) -> ClassOrigin {
    let mut found = trace.classes().iter().filter(|c| c.name == name);
    let class = found.next().expect("a class of this name");
    assert!(found.next().is_none(), "{name} is listed twice");
    class.origin
}

fn outgoing(interaction: &Interaction) -> Vec<String> {
    let named =
        |o: &jinsi_level::Outgoing| format!("{:?} {}.{}", o.op, o.member.owner, o.member.name);
    interaction.outgoing.iter().map(named).collect()
}

/// Burger 2011, Listings 7.4 to 7.6.
#[test]
fn a_superclass_constructor_works_for_the_observed_object() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let classes = programs().display().to_string();
        let main = ["-XX:hashCode=2", "inheritance.ListingMain"];
        // The hash codes are part of the output: all ones, so that two runs can be compared.
        let main = [&["-XX:+UnlockExperimentalVMOptions"][..], &main].concat();
        let trace = recorded(
            &jdk,
            directory.path(),
            &classes,
            &main,
            "inheritance.SubClass",
        );
        let trace = Trace::open(&trace).unwrap();
        assert_eq!(
            origin(&trace, "inheritance/SuperClass"),
            ClassOrigin::Inherited
        );
        let level = level(&trace, "inheritance/SubClass");
        let [construction] = level.interactions.as_slice() else {
            panic!("one incoming constructor call: {:?}", level.interactions)
        };
        assert_eq!(construction.op, Operation::Construct);
        assert_eq!(construction.target_class, "inheritance/SubClass");
        // The identity hash code in between is answered, too: it is another one in each JVM.
        let printed = [
            "GetStatic java/lang/System.out",
            "Call java/lang/Object.hashCode",
            "Call java/io/PrintStream.println",
        ];
        assert_eq!(outgoing(construction), [printed, printed].concat());
        // The plain SuperClass leaves no event: its constructor is entered once, for the other object.
        let entered = events(&trace)
            .iter()
            .filter(|(s, _)| {
                s.kind == EventKind::Enter && s.target.owner == "inheritance/SuperClass"
            })
            .count();
        assert_eq!(entered, 1);
    }
}

/// Windows may begin in inherited code, too; that must not change what it does.
#[test]
fn a_recording_with_windows_takes_in_inherited_code() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let classes = programs().display().to_string();
        let observe = "chain.B,at-max=window";
        let trace = recorded(&jdk, directory.path(), &classes, &["chain.Main"], observe);
        let trace = Trace::open(&trace).unwrap();
        assert_eq!(origin(&trace, "chain/A"), ClassOrigin::Inherited);
    }
}

/// A ⊃ B ⊃ C with only B observed; with `early` A is at work on other threads before B is loaded.
#[test]
fn only_instances_of_the_observed_class_leave_events() {
    for jdk in tried_jdks() {
        for main in [&["chain.Main"][..], &["chain.Main", "early"]] {
            let directory = tempdir().unwrap();
            let classes = programs().display().to_string();
            let trace = recorded(&jdk, directory.path(), &classes, main, "chain.B");
            let info = json(&run(jinsi().args(["info", "--json"]).arg(&trace)));
            assert_eq!(info["classes"]["observed"], 1, "{info}");
            assert_eq!(info["classes"]["inherited"], 2, "{info}");
            assert_eq!(info["skipped"].as_array().map(Vec::len), Some(0), "{info}");
            let trace = Trace::open(&trace).unwrap();
            assert_eq!(trace.threads().len(), 1, "nothing of the busy threads");
            for class in ["chain/A", "chain/Named"] {
                assert_eq!(origin(&trace, class), ClassOrigin::Inherited);
            }
            // In A and Named there is one receiver, the instance of B.
            let receivers: BTreeSet<String> = events(&trace)
                .into_iter()
                .filter(|(s, _)| s.kind == EventKind::Enter && s.target.owner != "chain/B")
                .filter(|(s, _)| s.method != "<init>")
                .map(|(_, values)| format!("{:?}", values[0]))
                .collect();
            assert_eq!(receivers.len(), 1, "{receivers:?}");
            of_b(&level(&trace, "chain/B"));
        }
    }
}

fn of_b(level: &Level) {
    let incoming: Vec<String> = level
        .interactions
        .iter()
        .map(|i| {
            assert_eq!(i.target_class, "chain/B");
            format!("{}.{}", i.member.owner, i.member.name)
        })
        .collect();
    // `work` twice, then A's `sibling` and `sum` and the interface's method.
    let expected = [
        "chain/B.<init>",
        "chain/A.work",
        "chain/A.work",
        "chain/A.sibling",
        "chain/A.sum",
        "chain/Named.title",
    ];
    assert_eq!(incoming, expected);
    let of = |n: usize| outgoing(&level.interactions[n]);
    let statics = [
        "CallStatic chain/A.mark",
        "GetStatic chain/A.made",
        "PutStatic chain/A.made",
    ];
    assert_eq!(of(0), statics, "A's statics are not B's");
    assert_eq!(of(1), ["Call chain/Tool.turn"]);
    assert_eq!(of(2), ["Call chain/Tool.turn"], "caught inside");
    assert_eq!(of(3), ["Construct chain/A.<init>"]);
    assert_eq!(
        of(4),
        ["Call chain/A.advance", "GetField chain/A.steps"],
        "another A is another object"
    );
    assert_eq!(of(5), ["Call chain/Tool.turn"]);
}

fn debug(
    jdk: &Jdk,
    directory: &Path,
    class_path: &str,
    observe: &str,
    main: &str,
) -> serde_json::Value {
    let out = directory.join("report");
    let java = jdk.java();
    let output = succeed(
        jinsi()
            .current_dir(directory)
            .args(["--json", "debug", "--observe", observe, "--out"])
            .arg(&out)
            .arg("--")
            .args([
                java.as_os_str(),
                OsStr::new("-cp"),
                OsStr::new(class_path),
                OsStr::new(main),
            ]),
    );
    json(&output)
}

/// A crash in inherited code, with only the application's package observed.
#[test]
fn a_crash_in_inherited_code_is_minimized() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let classes = programs().display().to_string();
        let report = debug(
            &jdk,
            directory.path(),
            &classes,
            "ledger.app.*",
            "ledger.app.Main",
        );
        let level = &report["levels"][0];
        assert_eq!(level["observed"][0], "ledger.app.CashLedger", "{report}");
        assert_eq!(level["interactions"], 8, "{report}");
        assert_eq!(level["minimized"], 5, "{report}");
        let top = report["failure"]["at"].as_str().unwrap();
        assert!(top.starts_with("AbstractLedger.post("), "{top}");
        assert_eq!(level["test_outcome"], "reproduces", "{report}");
    }
}

/// An observed exception that is loaded to verify a method, and never thrown: its superclass was loaded before it, so nobody has asked for its
/// code.
#[test]
fn a_class_that_is_only_loaded_needs_no_inherited_code() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let classes = programs().display().to_string();
        let observe = "refused.core.*";
        let report = debug(&jdk, directory.path(), &classes, observe, "refused.Main");
        let level = &report["levels"][0];
        assert_eq!(level["name"], "refused.core.Till", "{report}");
        assert_eq!(level["minimized"], 4, "{report}");
        assert_eq!(level["test_outcome"], "reproduces", "{report}");
    }
}

/// An application class on top of commons-collections', which the trace then holds as it is.
#[test]
fn a_library_class_with_an_observed_subclass() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let class_path = linked();
        let trace = recorded(
            &jdk,
            directory.path(),
            &class_path,
            &["linked.Main"],
            "linked.*",
        );
        let trace = Trace::open(&trace).unwrap();
        for class in ["AbstractLinkedMap", "AbstractHashedMap"] {
            let name = format!("org/apache/commons/collections4/map/{class}");
            assert_eq!(origin(&trace, &name), ClassOrigin::Inherited);
        }
        let report = debug(
            &jdk,
            directory.path(),
            &class_path,
            "linked.*",
            "linked.Main",
        );
        assert_eq!(
            report["failure"]["type"], "java.util.NoSuchElementException",
            "{report}"
        );
        let level = &report["levels"][0];
        assert_eq!(level["observed"][0], "linked.Recent", "{report}");
        assert_eq!(level["minimized"], 2, "construct, firstKey: {report}");
        assert_eq!(level["test_outcome"], "reproduces", "{report}");
    }
}
