//! Every way in which an object comes to be: constructors are recorded whoever calls them, and of objects that none made it is
//! recorded what their fields hold.

use std::path::{Path, PathBuf};
use std::process::Command;

use jinsi_jdk::Jdk;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::support::{
    compile_programs, jinsi, json, minimize, record, recording_option, run, stderr, stdout,
    tried_jdks,
};

/// Events of the main thread: kind and text.
fn rows(trace: &Path) -> Vec<String> {
    let rows = json(&run(jinsi().args(["events", "--json"]).arg(trace)));
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    rows.as_array()
        .expect("a list")
        .iter()
        .map(|r| format!("{} {}", text(r, "kind"), text(r, "text")))
        .collect()
}

/// What is recorded between `say(name)` and the next `say`.
fn section<'a>(rows: &'a [String], name: &str) -> &'a [String] {
    let say = |text: &String| text.starts_with("Exit construction.Main.say");
    let named = format!("Enter construction.Main.say(\"{name}\")");
    let begin = rows.iter().position(|r| *r == named);
    let begin = begin.unwrap_or_else(|| panic!("no section {name}"));
    let rest = &rows[begin..];
    let from = rest.iter().position(say).expect("say returns");
    let to = rest[1..]
        .iter()
        .position(|r| r.starts_with("Enter construction.Main.say("));
    &rest[from + 1..to.map_or(rest.len(), |to| to + 1)]
}

/// The texts occur in this order, each in a row of its own.
#[track_caller]
fn in_order(rows: &[String], texts: &[&str]) {
    let mut at = 0;
    for text in texts {
        match rows[at..].iter().position(|r| r.contains(text)) {
            Some(found) => at += found + 1,
            None => panic!("no '{text}' where due in\n{rows:#?}"),
        }
    }
}

fn compiled() -> TempDir {
    let classes = compile_programs(&["construction"], &[]);
    let services = classes.path().join("META-INF/services");
    std::fs::create_dir_all(&services).unwrap();
    std::fs::write(
        services.join("java.util.function.Supplier"),
        "construction.Main$Service\n",
    )
    .unwrap();
    classes
}

/// Runs the program with and without the agent; the trace.
fn recorded(jdk: &Jdk, classes: &Path, directory: &Path) -> PathBuf {
    let trace = directory.join("t.jinsi");
    let program = |with: &[String]| {
        run(Command::new(jdk.java())
            .args(with)
            .arg("-cp")
            .arg(classes)
            .arg("construction.Main"))
    };
    let plain = program(&[]);
    let agent = recording_option(
        "observe=construction.*,exclude=construction.Registry",
        &trace,
    );
    let with = program(&[agent]);
    assert!(with.status.success(), "{}", stderr(&with));
    assert_eq!(stdout(&plain), stdout(&with));
    trace
}

#[test]
fn constructors_are_recorded_whoever_calls_them() {
    let classes = compiled();
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let rows = rows(&recorded(&jdk, classes.path(), directory.path()));
        check_called_in_code(&rows);
        check_called_by_the_jdk(&rows);
        check_made_by_the_compiler(&rows);
    }
}

/// `new` and `this(…)`, and those that end by an exception.
fn check_called_in_code(rows: &[String]) {
    let check = |name: &str, texts: &[&str]| in_order(section(rows, name), texts);
    let point = "construction.Main$Point.<init>";
    let made = |args: &str| format!("Enter {point}({args})");
    let (this, exit) = (format!("This {point} #"), format!("Exit {point}"));
    check(
        "new",
        &[
            &made("1, \"one\""),
            &this,
            &exit,
            "Enter construction.Main$Point.sum(#",
        ],
    );
    // `this(…)`: its arguments are evaluated inside the constructor, before there is an object.
    check(
        "this",
        &[
            &made("2"),
            "Enter construction.Main$Point.twice(2)",
            "Exit construction.Main$Point.twice returns 4",
            &made("4, \"from 2\""),
            &this,
            &exit,
            &this,
            &exit,
        ],
    );
    check(
        "argument throws",
        &[
            &made("-1"),
            "Enter construction.Main$Point.twice(-1)",
            "ExitThrow construction.Main$Point.twice #",
            "Catch construction.Main.main #",
        ],
    );
    let none = section(rows, "argument throws");
    assert!(!none.iter().any(|r| r.starts_with("This ")), "{none:#?}");
    let throwing = "construction.Main$Throwing.<init>";
    check(
        "constructor throws",
        &[
            &format!("Enter {throwing}(2)"),
            &format!("This {throwing} #"),
            &format!("ExitThrow {throwing} #"),
            "Catch construction.Main.main #",
        ],
    );
}

/// Reflection, method handles, streams of objects, and services.
fn check_called_by_the_jdk(rows: &[String]) {
    let check = |name: &str, texts: &[&str]| in_order(section(rows, name), texts);
    let point = "construction.Main$Point.<init>";
    let made = |args: &str| format!("Enter {point}({args})");
    let (this, exit) = (format!("This {point} #"), format!("Exit {point}"));
    for (name, call, args) in [
        (
            "reflection",
            "java.lang.reflect.Constructor.newInstance",
            "3, \"reflected\"",
        ),
        (
            "handle",
            "java.lang.invoke.MethodHandle.invoke",
            "4, \"handled\"",
        ),
    ] {
        let (call, back) = (
            format!("Call {call}("),
            format!("CallExit {call} returns #"),
        );
        check(name, &[&call, &made(args), &this, &exit, &back]);
    }
    check(
        "external",
        &[
            "Call java.io.ObjectInputStream.readObject(",
            "Enter construction.Main$Outside.<init>()",
            "This construction.Main$Outside.<init> #",
            "Exit construction.Main$Outside.<init>",
            "Enter construction.Main$Outside.readExternal(#",
            "CallExit java.io.ObjectInputStream.readObject returns #",
        ],
    );
    check(
        "service",
        &[
            "Enter construction.Main$Service.<init>()",
            "This construction.Main$Service.<init> #",
            "Enter construction.Main$Service.get(#",
        ],
    );
}

/// Those of enumerations and of inner classes.
fn check_made_by_the_compiler(rows: &[String]) {
    let check = |name: &str, texts: &[&str]| in_order(section(rows, name), texts);
    check(
        "enum",
        &[
            "Enter construction.Main$Colour.<init>(\"RED\", 0, 1)",
            "This construction.Main$Colour.<init> #",
            " holds \"GREEN\"",
            "Enter construction.Main$Colour$1.code(#",
        ],
    );
    check(
        "inner",
        &[
            "Enter construction.Main$Inner.<init>(#",
            "This construction.Main$Inner.<init> #",
            "Enter construction.Main$1Local.<init>(#",
            "This construction.Main$1Local.<init> #",
            "Enter construction.Main$1.<init>()",
            "This construction.Main$1.<init> #",
        ],
    );
}

/// Objects without constructor: their fields, right when they are first seen.
#[test]
fn objects_that_no_constructor_made_are_recorded_by_their_fields() {
    let classes = compiled();
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let rows = rows(&recorded(&jdk, classes.path(), directory.path()));
        check_copied(&rows);
        check_read_by_own_code(&rows);
        check_made_otherwise(&rows);
    }
}

/// Clones, and what a stream of objects gives.
fn check_copied(rows: &[String]) {
    let check = |name: &str, texts: &[&str]| in_order(section(rows, name), texts);
    // A final field that hides the superclass' one, and a field of every type.
    let point3 = "construction.Main$Point3";
    let fields = |x: &str, z: &str| {
        format!(
            "{point3}.x = {z}, {point3}.flag = true, {point3}.letter = 'c', {point3}.small = -3, \
             {point3}.middle = -300, {point3}.half = 0.5f, construction.Main$Point.x = {x}, \
             construction.Main$Point.weight = 7L, construction.Main$Point.label = \"three\", \
             construction.Main$Point.row = #"
        )
    };
    check(
        "clone",
        &[
            "Call java.lang.Object.clone(#",
            &fields("10", "1.5"),
            "CallExit java.lang.Object.clone returns #",
            "Call [[I.clone(#",
            " holds [#",
            "CallExit [[I.clone returns #",
        ],
    );
    check(
        "serialized",
        &[
            "Call java.io.ObjectInputStream.readObject(",
            "Content #",
            &fields("12", "2.5"),
            "construction.Main$Point.label = \"nested\"",
            "CallExit java.io.ObjectInputStream.readObject returns #",
        ],
    );
}

/// Objects that have a say in how they are read.
fn check_read_by_own_code(rows: &[String]) {
    let check = |name: &str, texts: &[&str]| in_order(section(rows, name), texts);
    // What the stream fills in is recorded when it has done so.
    let custom = "construction.Main$Custom";
    check(
        "readObject",
        &[
            "Call java.io.ObjectInputStream.readObject(",
            &format!("{{{custom}.kept = 0, {custom}.derived = 0}}"),
            &format!("Enter {custom}.readObject(#"),
            "Call java.io.ObjectInputStream.defaultReadObject(#",
            &format!("{{{custom}.kept = 21, {custom}.derived = 0}}"),
            "CallExit java.io.ObjectInputStream.defaultReadObject returns",
        ],
    );
    check(
        "readResolve",
        &[
            "Call java.io.ObjectInputStream.readObject(",
            "{construction.Main$Resolved.number = 9}",
            "Enter construction.Main$Resolved.readResolve(#",
            "CallExit java.io.ObjectInputStream.readObject returns #",
        ],
    );
    // The first of the ring is seen half read from the second one's readObject, and again when it is whole.
    check(
        "ring",
        &[
            "Call java.io.ObjectInputStream.readObject(",
            "{construction.Main$Node.name = null, construction.Main$Node.next = null}",
            "Enter construction.Main$Last.readObject(#",
            "Exit construction.Main$Last.readObject",
            "{construction.Main$Node.name = \"first\", construction.Main$Node.next = #",
            "CallExit java.io.ObjectInputStream.readObject returns #",
        ],
    );
}

/// Made by `Unsafe`, or seen before the end of the constructor; and those that need no such record.
fn check_made_otherwise(rows: &[String]) {
    let check = |name: &str, texts: &[&str]| in_order(section(rows, name), texts);
    check(
        "unsafe",
        &[
            "Call java.lang.reflect.Method.invoke(",
            "construction.Main$Point.label = null, construction.Main$Point.row = null",
            "CallExit java.lang.reflect.Method.invoke returns #",
        ],
    );
    // Seen before its own constructor goes on: true at that moment, and the constructor tells the rest.
    check(
        "leaked",
        &[
            "Enter construction.Main$Leaked.<init>()",
            "Call construction.Registry.<init>(\"leaked\")",
            " holds {construction.Main$Leaked.after = 0}",
            "Enter construction.Main$Leaked.registered(#",
            "CallExit construction.Registry.<init>",
            "This construction.Main$Leaked.<init> #",
        ],
    );
    // Whoever has a constructor needs no such record.
    for name in [
        "new",
        "this",
        "reflection",
        "handle",
        "external",
        "service",
        "inner",
    ] {
        let rows = section(rows, name);
        let point = |r: &&String| r.contains(" holds {");
        assert_eq!(rows.iter().find(point), None, "{name}");
    }
}

/// An object that the environment read from a stream is made for the replay from its fields, and one that observed code clones is
/// cloned again.
#[test]
fn a_failure_of_a_restored_object_is_reproduced() {
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let observe = "restored.Order:restored.Item";
        let trace = record(&jdk, directory.path(), "restored.Main", observe);
        let report = minimize(&trace, observe);
        let level = &report["levels"][0];
        assert_eq!(level["strict_replay"], "reproduced", "{level:#}");
        assert_eq!(level["minimized"], 1, "{level:#}");
        // Serialization reads `serialVersionUID` by reflection, so how many come before is the JDK's business.
        let kept = level["kept"][0]["text"].as_str().unwrap();
        assert!(
            kept.ends_with(".total() throws NullPointerException"),
            "{kept}"
        );
        assert_eq!(level["unresolved"], 0);
        assert_eq!(level["test_outcome"], "reproduces");
    }
}
