//! The program does not notice that it is recorded, and the trace says what happened.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use jinsi_jdk::Jdk;
use jinsi_trace::model::{EventKind, Payload, Prim, Value};
use jinsi_trace::reader::Trace;
use tempfile::tempdir;

use super::support::{
    agent, jdks, jinsi, jod3, json, programs, record, recording_option, run, stderr, stdout,
    succeed, tried_jdks,
};

fn java(jdk: &Jdk, directory: &Path, arguments: &[String]) -> Output {
    run(Command::new(jdk.java())
        .current_dir(directory)
        .args(arguments))
}

fn without_our_line(text: &str) -> (String, Vec<String>) {
    let (ours, rest): (Vec<&str>, Vec<&str>) = text.lines().partition(|l| l.starts_with("jinsi: "));
    (
        rest.join("\n"),
        ours.into_iter().map(String::from).collect(),
    )
}

/// Output, exit status and stack traces are those of the plain run, save one line on stderr.
fn same_with_and_without(main: &[&str], class_path: &str, observe: &str) {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let program: Vec<String> = ["-Duser.timezone=America/Los_Angeles", "-cp", class_path]
            .iter()
            .chain(main)
            .map(ToString::to_string)
            .collect();
        let plain = java(&jdk, directory.path(), &program);
        let trace = directory.path().join("t.jinsi");
        let mut with = vec![recording_option(&format!("observe={observe}"), &trace)];
        with.extend(program);
        let recorded = java(&jdk, directory.path(), &with);
        assert_eq!(
            stdout(&plain),
            stdout(&recorded),
            "{} {main:?}",
            jdk.version()
        );
        assert_eq!(plain.status.code(), recorded.status.code());
        let (theirs, ours) = without_our_line(&stderr(&recorded));
        assert_eq!(
            theirs,
            stderr(&plain).trim_end(),
            "{} {main:?}",
            jdk.version()
        );
        assert_eq!(ours.len(), 1, "one line: {ours:?}");
        assert!(ours[0].contains(&trace.display().to_string()), "{ours:?}");
        let mode = jinsi_platform::files::mode(&std::fs::metadata(&trace).unwrap());
        assert_eq!(mode, 0o600);
    }
}

#[test]
fn programs_do_not_notice() {
    let classes = programs().display().to_string();
    same_with_and_without(&["xmltree.Main"], &classes, "xmltree.*");
    same_with_and_without(&["vending.Main"], &classes, "*");
    same_with_and_without(&["numberwriter.Main"], &classes, "numberwriter.*");
    same_with_and_without(&["shapes.Main"], &classes, "shapes.*");
}

#[test]
fn a_clone_is_another_object() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace =
            Trace::open(&record(&jdk, directory.path(), "shapes.Main", "shapes.*")).unwrap();
        let main = trace.threads().iter().find(|t| t.name == "main").unwrap();
        let compared: Vec<_> = trace
            .events(main.no)
            .map(Result::unwrap)
            .filter(|event| {
                let site = trace.site_of(event);
                event.kind == EventKind::Enter && site.is_some_and(|s| s.method == "is")
            })
            .filter_map(|event| match event.payload {
                Payload::Operands(values) => <[Value; 2]>::try_from(values).ok(),
                _ => None,
            })
            .collect();
        let [_, [original, copy], [copy_too, _], [third, fourth]] = &compared[..] else {
            panic!("{compared:?}");
        };
        assert_ne!(original, copy);
        assert_eq!((copy, copy, copy), (copy_too, third, fourth));
    }
}

#[test]
fn a_real_library_does_not_notice() {
    same_with_and_without(&["jod3.Jod3"], &jod3(), "org.joda.time.*:jod3.*");
}

#[test]
fn the_failure_is_in_the_trace() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = record(&jdk, directory.path(), "xmltree.Main", "xmltree.*");
        let info = json(&run(jinsi().args(["info", "--json"]).arg(&trace)));
        let failure = &info["failures"][0];
        assert_eq!(failure["type"], "java.lang.ArrayIndexOutOfBoundsException");
        assert_eq!(failure["kind"], "uncaught");
        let top = failure["stack"][0].as_str().unwrap();
        assert!(
            top.starts_with("xmltree.XMLElement.getNumberOfChildren(XMLElement.java:"),
            "{top}"
        );
        assert_eq!(info["classes"]["observed"], 2);
        assert!(info["end"].is_object());
    }
}

/// A program with every kind of event.
const KINDS: &str = "import java.util.*;
        public class Kinds {
            static int count = 3;
            long total;
            String name = \"n\";
            static class Other { int value = 5; double[] row = {1.5, 2.5}; }
            void run(Other other, char c, boolean b) {
                total = other.value;
                other.value = 7;
                count = count + 1;
                other.row[1] = other.row[0] + 1;
                List<String> list = new ArrayList<>(Arrays.asList(\"a\", \"\\u00e9\\ud800\"));
                list.add(null);
                try { list.get(9); } catch (IndexOutOfBoundsException e) { total++; }
                System.out.println(name + list.size());
                throw new IllegalStateException(\"the end\");
            }
            public static void main(String[] a) { new Kinds().run(new Other(), 'x', true); }
        }";

/// Its events: what their texts hold, and where they are.
const KINDS_EVENTS: &[(&str, &str)] = &[
    ("Enter Kinds.main(#", "Kinds.main(Kinds.java:18)"),
    ("Call Kinds.<init>(", "Kinds.main(Kinds.java:18)"),
    ("This Kinds.<init> #", "Kinds.<init>("),
    ("Enter Kinds.run(#", "Kinds.run(Kinds.java:"),
    (", 'x', true)", "Kinds.run(Kinds.java:"),
    (".value gives 5", "Kinds.run(Kinds.java:8)"),
    (".value = 7", "Kinds.run(Kinds.java:9)"),
    ("GetStatic Kinds.count gives 3", "Kinds.run(Kinds.java:10)"),
    ("PutStatic Kinds.count = 4", "Kinds.run(Kinds.java:10)"),
    ("[0] gives 1.5", "Kinds.run(Kinds.java:11)"),
    ("[1] = 2.5", "Kinds.run(Kinds.java:11)"),
    ("Call java.util.Arrays.asList(", "Kinds.run(Kinds.java:12)"),
    (" holds [\"a\", \"é\u{fffd}\"]", ""),
    (
        "CallExit java.util.ArrayList.<init> returns #",
        "Kinds.run(Kinds.java:12)",
    ),
    (", null)", "Kinds.run(Kinds.java:13)"),
    (
        "CallExit java.util.List.add returns true",
        "Kinds.run(Kinds.java:13)",
    ),
    ("Catch Kinds.run #", "Kinds.run(Kinds.java:14)"),
    (
        "CallExit java.util.List.size returns 3",
        "Kinds.run(Kinds.java:15)",
    ),
    ("\"n3\"", "Kinds.run(Kinds.java:15)"),
    ("ExitThrow Kinds.run #", "Kinds.run(Kinds.java:"),
    ("ExitThrow Kinds.main #", "Kinds.main(Kinds.java:"),
    ("Uncaught #", ""),
    ("Define #", ""),
];

/// Every kind of event, with its values and its place (Burger 2011, Section 3.1.4).
#[test]
fn events_are_complete() {
    let jdk = &jdks()[0];
    let directory = tempdir().unwrap();
    let source = directory.path().join("Kinds.java");
    std::fs::write(&source, KINDS).unwrap();
    jinsi_jdk::compile::javac(jdk, std::slice::from_ref(&source), &[], directory.path()).unwrap();
    let trace = directory.path().join("t.jinsi");
    let agent = recording_option("observe=Kinds*", &trace);
    let class_path = directory.path().display().to_string();
    run(Command::new(jdk.java()).args([&agent, "-cp", &class_path, "Kinds"]));
    let rows = json(&run(jinsi().args(["events", "--json"]).arg(&trace)));
    let rows: Vec<(String, String)> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|r| {
            let text = format!(
                "{} {}",
                r["kind"].as_str().unwrap(),
                r["text"].as_str().unwrap()
            );
            (text, r["at"].as_str().unwrap_or_default().to_owned())
        })
        .collect();
    for &(text, place) in KINDS_EVENTS {
        let there = rows
            .iter()
            .any(|(t, at)| t.contains(text) && at.starts_with(place));
        assert!(there, "no '{text}' at '{place}' in\n{rows:#?}");
    }
    // What an object does to itself is no interaction.
    assert!(!rows.iter().any(|(t, _)| t.contains(".total")), "{rows:#?}");
}

#[test]
fn filters_of_events_hold() {
    let jdk = &jdks()[0];
    let directory = tempdir().unwrap();
    let trace = record(jdk, directory.path(), "xmltree.Main", "xmltree.*");
    let only = json(&run(jinsi()
        .args(["events", "--json", "--class", "xmltree.Main"])
        .arg(&trace)));
    assert!(
        only.as_array()
            .unwrap()
            .iter()
            .all(|r| r["at"].as_str().unwrap().starts_with("xmltree.Main."))
    );
    let few = json(&run(jinsi()
        .args(["events", "--json", "--limit", "3"])
        .arg(&trace)));
    assert_eq!(few.as_array().unwrap().len(), 3);
}

const ENDS: &str = "public class Ends {
    static int depth;
    static void go(String how) throws Exception {
        switch (how) {
            case \"exit\": System.exit(7);
            case \"halt\": Runtime.getRuntime().halt(8);
            case \"throw\": throw new Exception(\"as asked\");
            case \"overflow\": depth++; go(how);
            default: System.out.println(\"end\");
        }
    }
    public static void main(String[] a) throws Exception { go(a[0]); }
}";

/// Records the compiled [`ENDS`]; how it went, and what `jinsi info` says of the trace.
fn ended(jdk: &Jdk, directory: &Path, how: &str) -> (Output, serde_json::Value) {
    let trace = directory.join(format!("{how}-{}.jinsi", jdk.version().feature));
    let agent = recording_option("observe=Ends", &trace);
    let class_path = directory.display().to_string();
    let output = run(Command::new(jdk.java()).args([&agent, "-cp", &class_path, "Ends", how]));
    let info = json(&run(jinsi().args(["info", "--json"]).arg(&trace)));
    (output, info)
}

/// `System.exit` inside observed code still ends the recording in order.
#[test]
fn a_trace_survives_every_way_to_end() {
    let directory = tempdir().unwrap();
    let source = directory.path().join("Ends.java");
    std::fs::write(&source, ENDS).unwrap();
    for jdk in tried_jdks() {
        jinsi_jdk::compile::javac(&jdk, std::slice::from_ref(&source), &[], directory.path())
            .unwrap();
        for (how, status, failures) in [
            ("return", 0, 0),
            ("exit", 7, 0),
            ("halt", 8, 0),
            ("throw", 1, 1),
            ("overflow", 1, 1),
        ] {
            let (output, info) = ended(&jdk, directory.path(), how);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(status), "{how}: {said}");
            assert!(info["events"].as_u64().unwrap() > 2, "{how}");
            let damage = info["damage"].as_array().unwrap();
            // Where the stack is full a probe may not come to its end; the event is left out, and said to be.
            let overflowed = |d: &serde_json::Value| {
                how == "overflow" && d.as_str().unwrap().contains("malformed")
            };
            assert!(damage.iter().all(overflowed), "{how}: {damage:?}");
            let recorded = info["failures"].as_array().unwrap().len();
            assert_eq!(recorded, failures, "{how}");
        }
    }
}

/// A program that is started again and again and fails each time leaves a few traces and a count; another failure is another matter.
#[test]
fn the_same_failure_of_many_processes_is_kept_a_few_times() {
    let jdk = &jdks()[0];
    let directory = tempdir().unwrap();
    let source = directory.path().join("Bad.java");
    std::fs::write(
        &source,
        "public class Bad {
            public static void main(String[] a) {
                if (a[0].equals(\"early\")) throw new IllegalStateException(\"early\");
                throw new IllegalStateException(\"late\" + System.nanoTime());
            }
        }",
    )
    .unwrap();
    jinsi_jdk::compile::javac(jdk, std::slice::from_ref(&source), &[], directory.path()).unwrap();
    let option = format!(
        "-agentpath:{}=observe=Bad,on=failure,keep-same=2,out=t-%p.jinsi",
        agent().display()
    );
    let fails = |how: &str| {
        let mut java = Command::new(jdk.java());
        java.current_dir(directory.path())
            .args([&option, "-cp", "."]);
        let output = run(java.args(["Bad", how]));
        assert_eq!(output.status.code(), Some(1));
        stderr(&output)
    };
    let kept = || {
        let entries = std::fs::read_dir(directory.path()).unwrap();
        let names = entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned());
        names.filter(|name| name.ends_with(".jinsi")).count()
    };
    for _ in 0..2 {
        assert!(fails("late").contains(" recorded in "));
    }
    let said = fails("late");
    let known = "jinsi: java.lang.IllegalStateException at Bad.main:4 is known, 3 times by now (jinsi-failures.tsv); no trace kept";
    assert!(said.contains(known), "{said}");
    assert_eq!(kept(), 2);
    assert!(fails("early").contains(" recorded in "));
    assert_eq!(kept(), 3);
}

/// `on=failure` keeps the trace of a failing run only.
#[test]
fn traces_of_good_runs_can_be_left_out() {
    let jdk = &jdks()[0];
    let directory = tempdir().unwrap();
    let source = directory.path().join("Fine.java");
    std::fs::write(
        &source,
        "public class Fine {
            public static void main(String[] a) {
                try { Integer.parseInt(a[0]); } catch (NumberFormatException e) { System.out.println(\"no number\"); }
            }
        }",
    )
    .unwrap();
    jinsi_jdk::compile::javac(jdk, std::slice::from_ref(&source), &[], directory.path()).unwrap();
    let class_path = directory.path().display().to_string();
    for (options, argument, kept) in [
        ("on=failure", "x", false),
        ("on=failure,fail=java.lang.NumberFormatException", "x", true),
        (
            "on=failure,fail=java.lang.IllegalArgumentException",
            "x",
            true,
        ),
        (
            "on=failure,fail=java.lang.NumberFormatException",
            "1",
            false,
        ),
        ("on=exit", "1", true),
    ] {
        let trace = directory.path().join("t.jinsi");
        let agent = recording_option(&format!("observe=Fine,{options}"), &trace);
        let output =
            run(Command::new(jdk.java()).args([&agent, "-cp", &class_path, "Fine", argument]));
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(
            trace.exists(),
            kept,
            "{options} {argument}: {}",
            stderr(&output)
        );
        let _ = std::fs::remove_file(&trace);
    }
}

/// How many calls of `step` are in the trace of a program that was killed; each has the next number as its argument.
fn steps(trace: &Path) -> i32 {
    let trace = Trace::open(trace).unwrap();
    assert!(trace.end().is_none());
    assert!(trace.damage().is_empty(), "{:?}", trace.damage());
    let step = trace
        .sites()
        .iter()
        .find(|s| s.kind == EventKind::Enter && s.method == "step")
        .unwrap()
        .no;
    let thread = trace
        .threads()
        .iter()
        .find(|t| t.name == "main")
        .unwrap()
        .no;
    let mut expected = 0;
    for event in trace.events(thread) {
        let event = event.unwrap();
        if event.site == Some(step) {
            assert_eq!(
                event.payload,
                Payload::Operands(vec![Value::Prim(Prim::Int(expected))])
            );
            expected += 1;
        }
    }
    expected
}

/// SIGKILL at any moment: every call that had returned is in the trace, in order, with its argument.
#[test]
fn a_killed_process_leaves_its_events() {
    let directory = tempdir().unwrap();
    let source = directory.path().join("Endless.java");
    std::fs::write(
        &source,
        "public class Endless {
            static int last;
            static void step(int n) { last = n; }
            public static void main(String[] a) {
                for (int n = 0;; n++) {
                    step(n);
                    if (n % 1000 == 0) System.out.println(n);
                }
            }
        }",
    )
    .unwrap();
    let jdk = &jdks()[0];
    jinsi_jdk::compile::javac(jdk, std::slice::from_ref(&source), &[], directory.path()).unwrap();
    for round in 1..=3u64 {
        let trace = directory.path().join(format!("{round}.jinsi"));
        let agent = recording_option("observe=Endless", &trace);
        let mut child = Command::new(jdk.java())
            .args([
                &agent,
                "-cp",
                &directory.path().display().to_string(),
                "Endless",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut seen = 0;
        while seen < 7_000 * round {
            seen = lines.next().unwrap().unwrap().parse().unwrap();
        }
        child.kill().unwrap();
        child.wait().unwrap();

        let expected = steps(&trace);
        assert!(
            expected as u64 > seen,
            "{expected} calls recorded, {seen} had returned"
        );
    }
}

/// A command that is no `java` is recorded through the environment of the JVMs that it starts, each into a file of its own.
#[test]
fn a_script_that_starts_several_jvms() {
    let directory = tempdir().unwrap();
    let java = jdks()[0].java();
    let script = format!(
        "{java} -cp {classes} numberwriter.Main; {java} -cp {classes} xmltree.Main",
        java = java.display(),
        classes = programs().display()
    );
    let mut command = jinsi();
    command.current_dir(directory.path());
    command.args([
        "record",
        "--json",
        "--observe",
        "*",
        "-o",
        "t.jinsi",
        "--",
        "sh",
        "-c",
        &script,
    ]);
    let output = succeed(&mut command);
    let traces = std::fs::read_dir(directory.path()).unwrap();
    let traces: Vec<_> = traces
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "jinsi"))
        .collect();
    assert_eq!(traces.len(), 2, "{traces:?}");
    let taken = json(&output)["trace"].as_str().unwrap().to_owned();
    let failures = json(&run(jinsi().args(["info", "--json", &taken])))["failures"].clone();
    assert_eq!(failures.as_array().unwrap().len(), 1, "{failures}");
}
