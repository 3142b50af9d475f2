//! What the probes write is what the trace's reader expects, value by value: a program calls each form of them, by itself and by parts,
//! with a buffer that no agent reads.

mod support;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::thread;

use jinsi_probes::numbers::{SAME, SITE_BITS};
use jinsi_probes::{Form, MOST_WORDS, RUN, Whole, sequences, value_probe};
use jinsi_trace::model::{EventKind, JavaString, Payload, Prim, SiteNo, Value};
use jinsi_trace::raw::{Parts, SiteShape, Walker};

use support::{compile_probes, jdks, stderr, stdout, succeed, text, tool};

/// A reference that the program gives to probes, as Java writes it, and what it is in the trace. The identity of `OBJECT` is reported by
/// the program.
fn references(object: u64) -> [(&'static str, Value); 5] {
    [
        ("null", Value::Null),
        ("OBJECT", Value::Object(object)),
        ("(Object) Integer.valueOf(-7)", Value::Boxed(Prim::Int(-7))),
        ("\"nine bytes\"", Value::Str(JavaString::new("nine bytes"))),
        ("\"\\u0142\"", Value::Str(JavaString::new("\u{142}"))),
    ]
}

/// A probe, or several, that write one event.
struct Call {
    java: String,
    kind: EventKind,
    values: Vec<(Form, usize)>,
}

/// The value at a place: a word that only it has, or one of the references.
fn value((form, no): (Form, usize), object: u64) -> (String, Value) {
    match form {
        Form::Word => (
            format!("{}L", 1000 + no),
            Value::Prim(Prim::Long(1000 + no as i64)),
        ),
        Form::Reference => {
            let (java, value) = references(object)[no % 5].clone();
            (java.to_owned(), value)
        }
    }
}

/// All calls; `what` the number of the site is left open.
fn calls() -> Vec<Call> {
    let mut calls = Vec::new();
    for (at, forms) in sequences().enumerate() {
        let values: Vec<_> = forms.into_iter().zip(at..).collect();
        let arguments = |values: &[(Form, usize)]| {
            let texts = values.iter().map(|&v| value(v, 0).0 + ", ");
            texts.collect::<String>()
        };
        let kind = EventKind::Call;
        let what = format!("SITE | {} << {SITE_BITS} | {SAME}", kind as u8);
        for probe in Whole::ALL {
            calls.push(Call {
                java: format!("JinsiProbe.{}({}{what});", probe.name(), arguments(&values)),
                kind,
                values: values.clone(),
            });
        }
        let mut java = "JinsiProbe.begin(); ".to_owned();
        for &value in &values {
            let probe = value_probe(value.0.letter()).name;
            let argument = arguments(&[value]);
            write!(
                java,
                "JinsiProbe.{probe}({}); ",
                argument.trim_end_matches(", ")
            )
            .unwrap();
        }
        write!(java, "JinsiProbe.end(SITE, {});", kind as u8).unwrap();
        calls.push(Call { java, kind, values });
    }
    for words in 1..=MOST_WORDS {
        let values: Vec<_> = (0..words).map(|no| (Form::Word, no)).collect();
        let arguments: String = values.iter().map(|&v| value(v, 0).0 + ", ").collect();
        calls.push(Call {
            java: format!("JinsiProbe.{RUN}({arguments}SITE);"),
            kind: EventKind::Run,
            values,
        });
    }
    calls
}

/// The program that makes the calls, and prints a line for each.
fn program(calls: &[Call]) -> String {
    let mut java = "public final class Calls {
    static final Object OBJECT = new Object();

    public static void main(String[] arguments) throws ReflectiveOperationException {
        JinsiRig.start();
        System.out.println(JinsiRig.known(OBJECT));
"
    .to_owned();
    for no in 1..=calls.len() {
        writeln!(java, "        call{no}();").unwrap();
    }
    java += "    }\n";
    for (call, no) in calls.iter().zip((1..).filter_map(SiteNo::new)) {
        let call = call.java.replace("SITE", &no.to_string());
        write!(
            java,
            "
    private static void call{no}() {{
        JinsiRig.empty();
        {call}
        System.out.println(JinsiRig.written());
    }}
"
        )
        .unwrap();
    }
    java + "}\n"
}

#[test]
fn probes_write_what_the_reader_expects() {
    let calls = calls();
    thread::scope(|threads| {
        for jdk in jdks() {
            let calls = &calls;
            threads.spawn(move || check(&printed(&jdk, calls), calls));
        }
    });
}

/// Compares what the program printed with what its calls gave to the probes.
fn check(printed: &str, calls: &[Call]) {
    let mut lines = printed.lines();
    let object: u64 = lines.next().unwrap().parse().unwrap();
    for (call, no) in calls.iter().zip((1..).filter_map(SiteNo::new)) {
        let bytes = bytes(lines.next().unwrap());
        let (expected, letters): (Vec<Value>, String) = call
            .values
            .iter()
            .map(|&v| (value(v, object).1, letter(v.0)))
            .unzip();
        let shape = SiteShape {
            kind: call.kind,
            operands: letters.as_str().into(),
            parts: Parts::default(),
        };
        let sites: HashMap<SiteNo, SiteShape> = HashMap::from([(no, shape)]);
        let read: Result<Vec<_>, _> = Walker::new(&bytes)
            .map(|event| event.and_then(|event| event.to_event(&sites)))
            .collect();
        let read = read.unwrap_or_else(|e| panic!("{}: {e}", call.java));
        let [event] = read.as_slice() else {
            panic!("{}: {read:?}", call.java)
        };
        assert_eq!(
            (event.kind, event.site),
            (call.kind, Some(no)),
            "{}",
            call.java
        );
        assert_eq!(event.payload, Payload::Operands(expected), "{}", call.java);
    }
}

fn letter(form: Form) -> char {
    match form {
        Form::Word => 'J',
        Form::Reference => 'L',
    }
}

/// What the program prints.
fn printed(jdk: &Path, calls: &[Call]) -> String {
    let work = tempfile::tempdir().unwrap();
    let [probes, rig, classes] = ["probes", "rig", "classes"].map(|name| work.path().join(name));
    compile_probes(jdk, &probes);
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/rig");
    let files = fs::read_dir(sources.join("java/lang"))
        .unwrap()
        .map(|f| f.unwrap().path());
    let patch = |directories: &[&Path]| {
        let joined = std::env::join_paths(directories).unwrap();
        format!("java.base={}", text(Path::new(&joined)))
    };
    let javac = &mut tool(jdk, "javac");
    let release = [
        "-nowarn",
        "-Xlint:-options",
        "-source",
        "11",
        "-target",
        "11",
    ];
    javac.args(release);
    javac.args([
        "--patch-module",
        &patch(&[&sources, &probes]),
        "-d",
        text(&rig),
    ]);
    succeed(javac.args(files));

    // The rig's classes first: one of them takes the place of a class of the runtime's.
    let patched = patch(&[&rig, &probes]);
    let source = work.path().join("Calls.java");
    fs::write(&source, program(calls)).unwrap();
    let javac = &mut tool(jdk, "javac");
    javac.args(release);
    javac.args(["--patch-module", &patched, "-d", text(&classes)]);
    succeed(javac.arg(&source));
    let java = &mut tool(jdk, "java");
    java.args(["--patch-module", &patched, "-Xshare:off"]);
    let output = java
        .args(["-cp", text(&classes), "Calls"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

/// The bytes that are printed as two digits each.
fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks_exact(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}
