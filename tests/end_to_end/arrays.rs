//! What the recording says an array held is what it held, whoever changed it.

use std::path::Path;
use std::process::Command;

use jinsi_history::{History, NodeKind, Tables};
use jinsi_jdk::Jdk;
use jinsi_trace::model::{Content, EventKind, Payload, Prim, Value};
use jinsi_trace::raw::packed_width;
use jinsi_trace::reader::Trace;
use tempfile::{TempDir, tempdir};

use super::support::{
    compile_programs, recording_option, run, stderr, stdout, succeed, tried_jdks,
};

fn history(trace: &Path) -> History {
    let trace = Trace::open(trace).unwrap();
    let tables = Tables::new(
        trace.classes().iter().cloned(),
        trace.sites().iter().cloned(),
        trace.throwables().iter().cloned(),
        trace.failures().iter().cloned(),
    );
    let main = trace.threads().iter().find(|t| t.name == "main").unwrap();
    let events = trace.events(main.no).map(|e| e.expect("readable"));
    History::build(tables, main.no, events).unwrap()
}

/// As `Arrays.toString` has it; the doubles of the program are short ones.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Str(s) => s.to_string(),
        Value::Prim(p) | Value::Boxed(p) => match p {
            Prim::Boolean(v) => v.to_string(),
            Prim::Byte(v) => v.to_string(),
            Prim::Char(v) => char::from_u32(u32::from(*v)).unwrap().to_string(),
            Prim::Short(v) => v.to_string(),
            Prim::Int(v) => v.to_string(),
            Prim::Long(v) => v.to_string(),
            Prim::Float(v) => format!("{v:?}"),
            Prim::Double(v) => format!("{v:?}"),
        },
        other => panic!("{other:?} is not in these arrays"),
    }
}

/// What the arrays given to `Main.show` held when it was called.
fn shown(history: &History) -> Vec<String> {
    let shows = history.nodes().filter(|(n, node)| {
        node.kind == NodeKind::Activation && history.site(*n).is_some_and(|s| s.method == "show")
    });
    shows
        .map(|(n, node)| {
            let [Value::Object(id)] = history.args(n) else {
                panic!("show has one array");
            };
            match history.array_at(*id, node.begin) {
                Some(Content::Array(values)) => {
                    let values: Vec<String> = values.iter().map(text).collect();
                    format!("[{}]", values.join(", "))
                }
                other => panic!("array #{id} holds {other:?}"),
            }
        })
        .collect()
}

/// The program's native methods, compiled.
fn library(jdk: &Jdk, directory: &Path) -> String {
    let library = directory.join("libnatives.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/arrays/natives.c");
    let include = jdk.home().join("include");
    let built = run(Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg("-I")
        .arg(&include)
        .arg("-I")
        .arg(include.join("linux"))
        .arg(source));
    assert!(built.status.success(), "{}", stderr(&built));
    library.display().to_string()
}

#[test]
fn arrays_hold_what_they_held() {
    let classes: TempDir = compile_programs(&["arrays"], &[]);
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let library = library(&jdk, directory.path());
        let trace = directory.path().join("t.jinsi");
        let agent = recording_option("observe=arrays.*,exclude=arrays.Outside", &trace);
        let output = succeed(
            Command::new(jdk.java())
                .arg(agent)
                .arg(format!("-Darrays.library={library}"))
                .arg("-cp")
                .arg(classes.path())
                .arg("arrays.Main"),
        );
        let printed = stdout(&output);
        // One array of characters ends with U+0000.
        let printed: Vec<&str> = printed.lines().collect();
        assert_eq!(printed.len(), 30);
        let shown = shown(&history(&trace));
        for (step, (recorded, printed)) in shown.iter().zip(&printed).enumerate() {
            assert_eq!(recorded, printed, "step {step} on {}", jdk.version());
        }
        assert_eq!(shown.len(), printed.len());
    }
}

#[test]
fn arrays_that_hardly_change_take_little_room() {
    let classes: TempDir = compile_programs(&["patches"], &[]);
    for jdk in tried_jdks() {
        let directory = tempdir().unwrap();
        let trace = directory.path().join("t.jinsi");
        let agent = recording_option("observe=patches.*,exclude=patches.Outside", &trace);
        let mut java = Command::new(jdk.java());
        let output = succeed(
            java.arg(agent)
                .arg("-cp")
                .arg(classes.path())
                .arg("patches.Main"),
        );
        let printed = stdout(&output);
        let printed: Vec<&str> = printed.lines().collect();
        let shown = shown(&history(&trace));
        for (step, (recorded, printed)) in shown.iter().zip(&printed).enumerate() {
            assert!(recorded == printed, "step {step} on {}", jdk.version());
        }
        assert_eq!(shown.len(), printed.len());
        let trace = Trace::open(&trace).unwrap();
        assert_eq!(trace.damage(), &[]);
        let width = |value: &Value| match value {
            Value::Prim(prim) => packed_width(prim.letter() as u8).unwrap_or(0),
            _ => 0,
        };
        let whole: usize = trace
            .events(0)
            .map(|event| match event.unwrap().payload {
                Payload::Content {
                    content: Content::Array(values),
                    ..
                } => values.iter().map(width).sum(),
                _ => 0,
            })
            .sum();
        let contents = trace.kind_stats()[&EventKind::Content].raw_bytes;
        assert!(
            3 * contents < whole as u64,
            "{contents} bytes for {whole} bytes of elements on {}",
            jdk.version()
        );
    }
}
