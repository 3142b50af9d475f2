//! Threads that are stopped, interrupted, or have no stack left while they are in recorded code: they end as they would without us.

use std::process::{Command, Output};

use jinsi_jdk::Jdk;
use jinsi_trace::model::FailureKind;
use jinsi_trace::reader::{Damage, Trace};
use tempfile::tempdir;

use super::support::{programs, recording_option, run, stderr, stdout, tried_jdks};

/// From here on the JVM refuses to stop threads.
const NO_STOP: u32 = 20;

const DETAILS: [&str; 3] = ["boundary", "interactions", "instructions"];

/// What the program does, recorded in this detail, or without agent.
fn unwound(jdk: &Jdk, what: &str, recorded: Option<(&str, &std::path::Path)>) -> Output {
    let mut java = Command::new(jdk.java());
    java.env_remove("JAVA_TOOL_OPTIONS");
    if let Some((detail, trace)) = recorded {
        java.arg(recording_option(
            &format!("observe=unwound.*,detail={detail},max-size=100M"),
            trace,
        ));
    }
    java.arg("-cp").arg(programs()).args(["unwound.Main", what]);
    run(&mut java)
}

/// What it says on stderr, without our line, without the frames below the topmost, and without its line: where a stack is full is chance.
fn said(output: &Output) -> Vec<String> {
    let text = stderr(output);
    let lines = text.lines().filter(|l| !l.starts_with("jinsi: "));
    let without_line = |l: &str| l.split('(').next().unwrap_or_default().to_owned();
    lines.take(2).map(without_line).collect()
}

/// In each detail it prints what it prints without agent, and ends in the same way; `look` sees each trace.
fn same_in_each_detail(jdk: &Jdk, what: &str, look: &dyn Fn(&Trace, &str)) -> String {
    let plain = unwound(jdk, what, None);
    for detail in DETAILS {
        let directory = tempdir().unwrap();
        let path = directory.path().join("t.jinsi");
        let recorded = unwound(jdk, what, Some((detail, &path)));
        let context = format!("Java {}, {detail}, {what}", jdk.version());
        assert_eq!(stdout(&recorded), stdout(&plain), "{context}");
        assert_eq!(said(&recorded), said(&plain), "{context}");
        assert_eq!(recorded.status.code(), plain.status.code(), "{context}");
        let trace = Trace::open(&path).unwrap();
        // Where the stack is full a probe may get no further than half an event, which is left out and counted.
        let allowed =
            |damage: &Damage| what == "overflow" && matches!(damage, Damage::Malformed { .. });
        let damage = trace.damage();
        assert!(damage.iter().all(allowed), "{context}: {damage:?}");
        look(&trace, &context);
    }
    stdout(&plain)
}

/// `Thread.stop` ends a thread wherever it is: in a probe, in the exchange of a buffer, between the monitor and its release.
#[test]
fn stopped_threads_end() {
    for jdk in tried_jdks() {
        if jdk.version().feature >= NO_STOP {
            continue;
        }
        let printed = same_in_each_detail(&jdk, "stop", &|trace, context| {
            let deaths = trace
                .failures()
                .iter()
                .filter(|f| matches!(f.kind, FailureKind::Uncaught));
            // The handler of the threads says what it was; that the trace knows of each is enough here.
            assert_eq!(deaths.count(), 8, "{context}");
        });
        assert_eq!(printed, "entered\nended 8, otherwise 0, lock free\n");
    }
}

#[test]
fn interrupted_threads_end() {
    for jdk in tried_jdks() {
        let printed = same_in_each_detail(&jdk, "interrupt", &|_, _| ());
        assert_eq!(printed, "interrupted 8\n");
    }
}

/// The stack of an overflow, caught or not, has none of our frames on its top.
#[test]
fn a_stack_overflow_is_the_programs_own() {
    for jdk in tried_jdks() {
        let printed = same_in_each_detail(&jdk, "overflow", &|_, _| ());
        assert_eq!(printed, "caught at unwound.Deep\n");
    }
}
