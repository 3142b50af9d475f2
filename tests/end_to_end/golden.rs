//! The examples of Burger 2011 on capture (Listings 3.1, 3.2, 8.2 and 8.20), and what a recording must hold whatever the program does.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use jinsi_trace::model::{EventKind, Payload, Value};
use jinsi_trace::reader::Trace;
use serde_json::Value as Json;
use tempfile::tempdir;

use jinsi_jdk::Jdk;

use super::support::{jinsi, json, programs, recording_option, run, stderr, stdout, tried_jdks};

/// Runs a program of `golden` in Los Angeles, recorded if `observe` says what; its output, and where its trace is.
fn golden(
    jdk: &Jdk,
    directory: &Path,
    main: &str,
    arguments: &[&str],
    observe: Option<&str>,
) -> (Output, PathBuf) {
    let trace = directory.join("t.jinsi");
    let mut java = Command::new(jdk.java());
    java.current_dir(directory);
    if let Some(observe) = observe {
        java.arg(recording_option(&format!("observe={observe}"), &trace));
    }
    java.arg("-Duser.timezone=America/Los_Angeles")
        .arg("-cp")
        .arg(programs())
        .arg(main)
        .args(arguments);
    (run(&mut java), trace)
}

/// The events of the main thread as text, `kind text`; without definitions and contents.
fn lines(trace: &Path) -> Vec<String> {
    let output = run(jinsi().args(["--json", "events"]).arg(trace));
    json(&output)
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| (row["kind"].as_str().unwrap(), row["text"].as_str().unwrap()))
        .filter(|(kind, _)| !matches!(*kind, "Define" | "Content" | "Uncaught"))
        .map(|(kind, text)| format!("{kind} {text}"))
        .collect()
}

/// The status says whether the recorded failure appeared, which not every observed set sees.
fn replay(trace: &Path, observe: &str, directory: &Path) -> Json {
    let output = run(jinsi()
        .current_dir(directory)
        .args(["--json", "replay", "--observe", observe])
        .arg(trace));
    json(&output)
}

/// Listing 3.1: of a set without end, what was asked.
#[test]
fn of_a_set_what_was_asked_is_recorded() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        std::fs::write(directory.path().join("orders"), "1.5\n").unwrap();
        let main = "golden.PartialInformation";
        let (_, trace) = golden(
            &jdk,
            directory.path(),
            main,
            &["orders"],
            Some("golden.Search"),
        );
        let mut expected = vec![
            "Enter golden.Search.hasPositiveElement(#2)".to_owned(),
            "Call java.util.Set.iterator(#2)".into(),
            "CallExit java.util.Set.iterator returns #3".into(),
        ];
        for (element, value) in [(4, -1), (5, 0), (6, 1)] {
            expected.extend([
                "Call java.util.Iterator.hasNext(#3)".to_owned(),
                "CallExit java.util.Iterator.hasNext returns true".into(),
                "Call java.util.Iterator.next(#3)".into(),
                format!("CallExit java.util.Iterator.next returns #{element}"),
                format!("GetField #{element}.value gives {value}"),
            ]);
        }
        expected.push("Exit golden.Search.hasPositiveElement returns true".into());
        assert_eq!(expected.len(), 19);
        assert_eq!(lines(&trace), expected, "{}", jdk.version());
    }
}

/// Listing 8.2: a hundred orders are a hundred floats and a hundred and one answers; then the data base is not needed any more.
#[test]
fn orders_are_summed_without_the_data_base() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let orders: Vec<String> = (1..=100).map(|n| format!("{n}.25")).collect();
        let file = directory.path().join("orders");
        std::fs::write(&file, orders.join("\n")).unwrap();
        let (output, trace) = golden(
            &jdk,
            directory.path(),
            "golden.PartialInformation",
            &["orders"],
            Some("golden.OrderStatistics:golden.Observed:golden.Report"),
        );
        let failure = "java.lang.IllegalStateException: true 5075.0 America/Los_Angeles";
        assert!(stderr(&output).contains(failure), "{}", stderr(&output));
        std::fs::remove_file(file).unwrap();
        let all = lines(&trace);
        let answers = |what: &str| all.iter().filter(|l| l.starts_with(what)).count();
        assert_eq!(answers("CallExit java.sql.ResultSet.next returns"), 101);
        assert_eq!(answers("CallExit java.sql.ResultSet.getFloat returns"), 100);

        let empty = tempdir().unwrap();
        let statistics = replay(&trace, "golden.OrderStatistics", empty.path());
        assert_eq!(statistics["outcome"], "passing", "{statistics}");
        assert_eq!(statistics["resynchronized"], false);
        assert_eq!(statistics["answers"].as_array().unwrap().len(), 202);
        // The zone is the one of the recording, wherever it is replayed: the report of it fails with its name.
        let zone = replay(&trace, "golden.Observed:golden.Report", empty.path());
        assert_eq!(zone["outcome"], "failing", "{zone}");
    }
}

/// Listing 8.20: what is built inside makes no outgoing interactions, and comes out as it did.
#[test]
fn strings_are_built_for_real() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let (_, trace) = golden(
            &jdk,
            directory.path(),
            "golden.Builders",
            &[],
            Some("golden.*"),
        );
        let heading = replay(&trace, "golden.Heading", directory.path());
        assert_eq!(heading["outcome"], "passing", "{heading}");
        assert_eq!(heading["interactions"], 5);
        assert_eq!(heading["answers"].as_array().unwrap().len(), 0);
        // What is done to a builder from outside is recorded.
        let all = lines(&trace);
        let given = all
            .iter()
            .position(|l| l.starts_with("Enter golden.Heading.append("))
            .expect("the builder is handed in");
        let name = all[given].split('#').nth(2).unwrap().trim_end_matches(')');
        let expected = [
            format!("Call java.lang.StringBuilder.append(#{name}, \"name\")"),
            format!("CallExit java.lang.StringBuilder.append returns #{name}"),
            format!("Call java.lang.StringBuilder.toString(#{name})"),
            "CallExit java.lang.StringBuilder.toString returns \"from outside, name\"".into(),
        ];
        assert_eq!(all[given + 1..=given + 4], expected);
    }
}

/// Direction and inner interactions: calls on itself are none, calls between observed objects are not driven.
#[test]
fn calls_are_incoming_outgoing_inner_or_none() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let (_, trace) = golden(
            &jdk,
            directory.path(),
            "golden.Directions",
            &[],
            Some("golden.*"),
        );
        let one = level(&trace, "golden.Directions");
        // `main` alone is driven: everything else it does itself, or asks its partner for.
        assert_eq!(one.0, 1);
        assert_eq!(one.1, ["<init>", "help"]);
        let partner = level(&trace, "golden.Directions$Partner");
        assert_eq!(partner.0, 2);
        assert_eq!(partner.1, ["answer", "activeCount"]);
        let both = level(&trace, "golden.*");
        assert_eq!(
            (both.0, both.1.as_slice()),
            (1, ["activeCount".to_owned()].as_slice())
        );
    }
}

/// Driven interactions at a level, and what they ask the environment, in order.
fn level(trace: &Path, observe: &str) -> (u64, Vec<String>) {
    let result = replay(trace, observe, trace.parent().unwrap());
    let answers = result["answers"].as_array().unwrap();
    let names = answers.iter().map(|a| {
        let text = a.as_str().unwrap();
        let member = text.split('(').next().unwrap();
        member.rsplit('.').next().unwrap().to_owned()
    });
    (result["interactions"].as_u64().unwrap(), names.collect())
}

/// How each exception of `golden.Exceptions` leaves methods, innermost first; its class; lambdas left out.
const THROWN: &[(&[&str], &str)] = &[
    (&["div"], "ArithmeticException"),
    (&["length"], "NullPointerException"),
    (&["element"], "ArrayIndexOutOfBoundsException"),
    (&["array"], "NegativeArraySizeException"),
    (&["text"], "ClassCastException"),
    (&["store"], "ArrayStoreException"),
    (&["checked"], "IOException"),
    (&["sneak"], "IOException"),
    (&["assertion"], "AssertionError"),
    (&["div", "rethrow"], "ArithmeticException"),
    (&["replace"], "IOException"),
    (&["div", "suppress"], "ArithmeticException"),
    (&[], "ExceptionInInitializerError"),
    (&[], "NoClassDefFoundError"),
    (&["div"], "ArithmeticException"),
    (&["<init>"], "IllegalArgumentException"),
    (&["<init>"], "IllegalStateException"),
    (&[], "NumberFormatException"),
    (&["overflow"], "StackOverflowError"),
    (&["array"], "OutOfMemoryError"),
    (&["die"], "Exceptions$Death"),
    (&[], "IllegalMonitorStateException"),
];

/// Exceptions: thrown by the VM, by code, again, in initializers and constructors, by native code, errors too.
#[test]
fn exceptions_are_recorded_and_go_on_unchanged() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let main = "golden.Exceptions";
        let (plain, _) = golden(&jdk, directory.path(), main, &[], None);
        let (recorded, trace) = golden(&jdk, directory.path(), main, &[], Some("golden.*"));
        assert_eq!(stdout(&plain), stdout(&recorded), "{}", jdk.version());
        assert_eq!(plain.status.code(), recorded.status.code());
        let thrown = thrown(&Trace::open(&trace).unwrap());
        let expected: Vec<_> = THROWN
            .iter()
            .map(|(methods, class)| {
                let methods: Vec<String> = methods.iter().map(ToString::to_string).collect();
                (methods, (*class).to_owned())
            })
            .collect();
        assert_eq!(thrown, expected, "{}", jdk.version());
    }
}

/// For each exception that `attempt` handles: the methods that it left, and its class.
fn thrown(trace: &Trace) -> Vec<(Vec<String>, String)> {
    let mut left: HashMap<u64, Vec<String>> = HashMap::new();
    let mut all = Vec::new();
    for event in trace.events(0) {
        let event = event.unwrap();
        let (Some(site), Payload::Operands(values)) = (trace.site_of(&event), event.payload) else {
            continue;
        };
        let Some(&Value::Object(id)) = values.first() else {
            continue;
        };
        match event.kind {
            EventKind::ExitThrow if !site.method.starts_with("lambda$") => {
                let methods = left.entry(id).or_default();
                if methods.last().is_none_or(|last| site.method != *last) {
                    methods.push(site.method.to_string());
                }
            }
            EventKind::Catch if site.method == "attempt" => {
                let class = &trace.throwable(id).expect("described").class;
                let class = class.rsplit('.').next().unwrap_or_default().to_owned();
                all.push((left.remove(&id).unwrap_or_default(), class));
            }
            _ => {}
        }
    }
    all
}

/// Object ids and transparency: equal objects are two, one object is one, statics have no object; and what is dead is collected.
#[test]
fn identities_are_objects_and_do_not_keep_them() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let (output, trace) = golden(
            &jdk,
            directory.path(),
            "golden.Identities",
            &[],
            Some("golden.*"),
        );
        assert_eq!(stdout(&output).trim(), "collected", "{}", jdk.version());
        let all = lines(&trace);
        assert!(all.contains(&"Enter golden.Identities.meet(#3, #4, #3)".to_owned()));
        assert!(all.contains(&"Enter golden.Identities.touch(#3, #4)".to_owned()));
        assert!(all.contains(&"Enter golden.Identities.touch(#3, null)".to_owned()));
        assert!(all.contains(&"PutStatic golden.Identities.instances = 2".to_owned()));
    }
}
