//! The tables of a trace are read as they were written.

use super::*;
use crate::model::{ClassOrigin, FailureKind, Frame, MarkDef};

fn meta() -> Meta {
    Meta {
        jinsi: "1".into(),
        pid: 7,
        observe: vec!["a.*".into()],
        ..Meta::default()
    }
}

fn class(no: usize, name: &str, origin: ClassOrigin, bytes: &[u8]) -> ClassDef {
    ClassDef {
        no: ClassNo::from_index(no),
        name: name.into(),
        super_name: Some("java/lang/Object".into()),
        interfaces: vec!["I".into()],
        access: 0x21,
        origin,
        source_file: None,
        bytes: bytes.into(),
    }
}

fn classes() -> [ClassDef; 3] {
    let observed = |no, name, bytes| class(no, name, ClassOrigin::Observed, bytes);
    [
        observed(0, "a/B", &[0xca, 0xfe]),
        observed(1, "a/C", &[7; 9000]),
        observed(2, "a/B", &[]),
    ]
}

fn throwable() -> ThrowableDef {
    ThrowableDef {
        id: 11,
        class: "java.lang.Error".into(),
        message: None,
        text: Some("\u{1f600}".into()),
        cause: 0,
        frames: vec![Frame {
            class: "a.B".into(),
            method: "m".into(),
            file: None,
            line: -2,
        }],
    }
}

fn failure() -> Failure {
    Failure {
        kind: FailureKind::Uncaught,
        throwable: 11,
        thread: 1,
        test: Some(1),
    }
}

fn marks() -> [MarkDef; 2] {
    [0, 1].map(|no| MarkDef {
        no,
        class: "a.BTest".into(),
        name: format!("test{no}"),
    })
}

fn skipped() -> Skipped {
    Skipped {
        kind: LossKind::Part,
        class: "a/D".into(),
        reason: "why".into(),
    }
}

fn end() -> End {
    End {
        seconds: 1.5,
        contents_dropped: 2,
        ..End::default()
    }
}

/// A trace that has all the tables, threads and marks not in their order, and no events.
fn all_tables() -> Trace {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.jinsi");
    let threads = [(1, "worker"), (0, "main")].map(|(no, name)| Record::Thread {
        no,
        name: name.into(),
    });
    let [first, second] = marks().map(Record::Mark);
    let mut builder = TraceBuilder::new(&path).record(Record::Meta(meta()));
    for record in classes().map(Record::Class).into_iter().chain(threads) {
        builder = builder.record(record);
    }
    builder
        .record(Record::Sites(sites()))
        .record(Record::Throwable(throwable()))
        .record(second)
        .record(first)
        .record(Record::Failure(failure()))
        .record(Record::Skipped(skipped()))
        .finish_with(end())
        .unwrap();
    let trace = read(&path);
    assert_eq!(trace.damage(), &[]);
    assert_eq!(trace.file_bytes(), std::fs::metadata(&path).unwrap().len());
    trace
}

#[test]
fn a_trace_says_what_its_recording_was() {
    let trace = all_tables();
    assert_eq!(trace.meta(), &meta());
    assert_eq!(trace.end(), Some(&end()));
    assert_eq!(trace.skipped(), [skipped()]);
}

#[test]
fn a_trace_without_events_has_none() {
    let trace = all_tables();
    assert_eq!(trace.events(0).count(), 0);
    assert_eq!(trace.events_backward(5).count(), 0);
}

#[test]
fn classes_are_found_by_number_and_name() {
    let (trace, classes) = (all_tables(), classes());
    assert_eq!(trace.classes(), classes);
    assert_eq!(trace.class(classes[1].no), Some(&classes[1]));
    assert_eq!(trace.class_by_name("a/B"), Some(&classes[0]));
    assert_eq!(trace.class(ClassNo::from_index(9)), None);
    assert_eq!(trace.class_by_name("x"), None);
}

#[test]
fn a_class_that_turns_out_to_be_inherited_from_has_one_entry() {
    let skeleton = class(4, "a/B", ClassOrigin::Skeleton, &[1]);
    let inherited = class(4, "a/B", ClassOrigin::Inherited, &[2, 2]);
    for [first, second] in [[&skeleton, &inherited], [&inherited, &skeleton]] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.jinsi");
        TraceBuilder::new(&path)
            .record(Record::Class(first.clone()))
            .record(Record::Class(second.clone()))
            .finish()
            .unwrap();
        assert_eq!(read(&path).classes(), std::slice::from_ref(&inherited));
    }
}

#[test]
fn sites_are_found_by_number() {
    let trace = all_tables();
    assert_eq!(trace.sites(), sites());
    assert_eq!(trace.site(sites()[2].no), Some(&sites()[2]));
}

#[test]
fn threads_and_marks_are_in_the_order_of_their_numbers() {
    let (trace, marks) = (all_tables(), marks());
    let threads: Vec<_> = trace.threads().iter().map(|t| (t.no, &*t.name)).collect();
    assert_eq!(threads, [(0, "main"), (1, "worker")]);
    assert_eq!(trace.marks(), marks);
    assert_eq!((trace.mark(1), trace.mark(2)), (Some(&marks[1]), None));
}

#[test]
fn failures_are_read_with_what_was_thrown() {
    let trace = all_tables();
    assert_eq!(trace.throwables(), [throwable()]);
    assert_eq!(trace.throwable(11), Some(&throwable()));
    assert_eq!(trace.failures(), [failure()]);
}

/// Class files of libraries are read when somebody asks for them, and travel along when the trace is encoded again.
#[test]
fn class_files_are_there_when_asked_for() {
    let directory = tempfile::tempdir().unwrap();
    let [path, copy] = ["t.jinsi", "c.jinsi"].map(|name| directory.path().join(name));
    let some = |name: &str, left_out| ClassFiles {
        files: vec![crate::model::ClassFile {
            name: name.into(),
            bytes: vec![7; 500].into(),
        }],
        left_out,
    };
    let all = [some("lib/A", 0), some("lib/B", 2)];
    let mut builder = TraceBuilder::new(&path);
    for files in &all {
        builder = builder.record(Record::ClassFiles(files.clone()));
    }
    builder.finish().unwrap();
    let trace = read(&path);
    crate::compact::compact(&trace, &copy).unwrap();
    for trace in [trace, read(&copy)] {
        assert!(trace.keeps_class_files() && trace.damage().is_empty());
        let found: Vec<ClassFiles> = trace.class_files().map(Result::unwrap).collect();
        assert_eq!(found, all);
    }
}
