//! A process that records is killed with SIGKILL at any moment: every event it had finished is in the trace, in order.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use jinsi_trace::model::{ClassNo, Event, EventKind, Payload, Record};
use jinsi_trace::reader::Trace;
use jinsi_trace::synthetic::TraceBuilder;
use jinsi_trace::writer::WriterOptions;

/// Set in the process that is killed: the trace to write.
const CHILD: &str = "JINSI_KILL_TEST_TRACE";
/// Events between two lines of progress.
const STEP: u64 = 97;

/// Records until it is killed, and says how far it is.
fn record_forever(path: &Path) {
    let options = WriterOptions {
        buffer_bytes: 16 << 10,
        buffers_per_zone: 3,
        ..WriterOptions::default()
    };
    let mut builder = TraceBuilder::with_options(path, options);
    let mut stdout = std::io::stdout().lock();
    for id in 1.. {
        let payload = Payload::Define {
            id,
            class: ClassNo::FIRST,
            length: None,
        };
        builder = builder.event(
            0,
            Event {
                kind: EventKind::Define,
                site: None,
                payload,
            },
        );
        if id % STEP == 0 {
            let no = (id / STEP) as u32;
            builder = builder.record(Record::Thread {
                no,
                name: "t".into(),
            });
            if writeln!(stdout, "{id}")
                .and_then(|()| stdout.flush())
                .is_err()
            {
                return;
            }
        }
    }
}

/// Not a test of its own: the process that `killed_at_any_moment` starts and kills.
#[test]
fn child() {
    if let Some(path) = std::env::var_os(CHILD) {
        record_forever(Path::new(&path));
    }
}

#[test]
fn killed_at_any_moment() {
    let directory = tempfile::tempdir().unwrap();
    for lines in [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144] {
        let path = directory.path().join(format!("{lines}.jinsi"));
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["child", "--exact", "--nocapture"])
            .env(CHILD, &path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        // The test harness prints lines of its own before.
        let mut progress = output
            .lines()
            .map_while(Result::ok)
            .filter_map(|l| l.parse::<u64>().ok());
        let finished = progress.by_ref().take(lines).last().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();

        let trace = Trace::open(&path).unwrap();
        assert_eq!(trace.damage(), &[]);
        assert!(trace.end().is_none());
        let ids: Vec<u64> = trace
            .events(0)
            .map(|event| match event.unwrap().payload {
                Payload::Define { id, .. } => id,
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(
            ids.len() as u64 >= finished,
            "{} events of {finished}",
            ids.len()
        );
        assert!(ids.iter().copied().eq(1..=ids.len() as u64));
        assert!(trace.threads().len() as u64 >= finished / STEP);
    }
}
