//! Recording that begins with a failure (`arm=failure`): nothing is recorded before there was one, and the next of its kind is.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use jinsi_jdk::Jdk;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::support::{agent, compile_programs, jinsi, json, minimize, run, succeed, tried_jdks};

const OBSERVE: &str = "armed.app.*";
/// What the agent says when a recording begins.
const BEGINS: &str = "the next one is recorded";
/// What it says when a trace is kept.
const RECORDED: &str = "recorded in";
/// Far more than anything takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// The server of `tests/programs/armed`, with the agent or without.
struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<std::process::ChildStdout>,
    errors: Receiver<String>,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start(jdk: &Jdk, classes: &TempDir, options: Option<&str>) -> Self {
        let mut command = Command::new(jdk.java());
        if let Some(options) = options {
            command.arg(format!("-agentpath:{}={options}", agent().display()));
        }
        let mut child = command
            .arg("-cp")
            .arg(classes.path())
            .arg("armed.out.Server")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let (lines, errors) = channel();
        thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                let _ = lines.send(line);
            }
        });
        Self {
            child,
            input,
            output,
            errors,
        }
    }

    /// Has it do something, and waits until it has.
    fn ask(&mut self, what: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{what}").unwrap();
        input.flush().unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert_eq!(line, "done\n");
    }

    /// Waits for a line on standard error, with this in it.
    fn says(&self, text: &str) -> String {
        loop {
            let line = self.errors.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|e| panic!("it does not say '{text}': {e}"));
            if line.contains(text) {
                return line;
            }
        }
    }

    /// What all answers were, and what is said at the end.
    fn end(mut self) -> (String, Vec<String>) {
        drop(self.input.take());
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert!(self.child.wait().unwrap().success());
        (rest, self.errors.iter().collect())
    }
}

/// What a server answers that is asked all this and not recorded.
fn unrecorded(jdk: &Jdk, classes: &TempDir, all: &[&str]) -> String {
    let mut server = Server::start(jdk, classes, None);
    all.iter().for_each(|what| server.ask(what));
    server.end().0
}

fn info(trace: &Path) -> Value {
    json(&run(jinsi().args(["info", "--json"]).arg(trace)))
}

/// The trace of a failure whose recording began with the failure before gives a test of one call.
fn gives_a_test(trace: &Path) {
    let info = info(trace);
    assert_eq!(info["damage"], serde_json::json!([]));
    assert!(info["window"]["first"].as_u64() > Some(0), "{info:#}");
    let report = minimize(trace, OBSERVE);
    let failure = &report["failure"]["type"];
    assert_eq!(failure, "java.lang.NullPointerException");
    let level = &report["levels"][0];
    assert_eq!(level["strict_replay"], "reproduced", "{level:#}");
    assert_eq!(level["minimized"], 1, "{level:#}");
    assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
}

#[test]
fn the_second_failure_of_a_kind_is_recorded() {
    const ASKED: [&str; 6] = [
        "serve 300",
        "gift",
        "serve 300",
        "gift",
        "serve 300",
        "gift",
    ];
    for jdk in tried_jdks() {
        let classes = compile_programs(&["armed/app", "armed/out"], &[]);
        let directory = tempdir().unwrap();
        let trace = directory.path().join("t.jinsi");
        let options = format!(
            "observe={OBSERVE},arm=failure,fail=java.lang.RuntimeException,out={}",
            trace.display()
        );
        let mut server = Server::start(&jdk, &classes, Some(&options));
        server.ask(ASKED[0]);
        assert!(
            !trace.exists(),
            "nothing is recorded before there is a failure"
        );
        server.ask(ASKED[1]);
        let said = server.says(BEGINS);
        let place = "java.lang.NullPointerException at armed.app.Price.of:";
        assert!(said.contains(place), "{said}");
        server.ask(ASKED[2]);
        server.ask(ASKED[3]);
        server.says(RECORDED);
        // A kind of failure is recorded once an hour.
        server.ask(ASKED[4]);
        server.ask(ASKED[5]);
        let (answers, said) = server.end();
        let counts = "recordings that a failure began: 1; traces kept: 1";
        assert!(said.iter().any(|line| line.contains(counts)), "{said:?}");
        assert_eq!(answers, unrecorded(&jdk, &classes, &ASKED));
        gives_a_test(&trace);
    }
}

#[test]
fn each_kind_has_a_recording_of_its_own_until_the_budget_is_used() {
    const ASKED: [&str; 8] = [
        "serve 300",
        "gift",
        "serve 300",
        "gift",
        "lose",
        "serve 2",
        "serve 50",
        "serve 300",
    ];
    for jdk in tried_jdks() {
        let classes = compile_programs(&["armed/app", "armed/out"], &[]);
        for (at_most, kept) in [(10, 2), (1, 1)] {
            let directory = tempdir().unwrap();
            let trace = directory.path().join("t.jinsi");
            let options = format!(
                "observe={OBSERVE},arm=failure,fail=java.lang.RuntimeException,arm-at-most={at_most},out={}",
                trace.display()
            );
            let mut server = Server::start(&jdk, &classes, Some(&options));
            for (n, asked) in ASKED.into_iter().enumerate() {
                server.ask(asked);
                match n {
                    1 => drop(server.says(BEGINS)),
                    3 => drop(server.says(RECORDED)),
                    5 if kept > 1 => drop(server.says(BEGINS)),
                    6 if kept > 1 => drop(server.says(RECORDED)),
                    _ => {}
                }
            }
            let (answers, said) = server.end();
            let counts = format!("recordings that a failure began: {kept}; traces kept: {kept}");
            assert!(said.iter().any(|line| line.contains(&counts)), "{said:?}");
            assert_eq!(answers, unrecorded(&jdk, &classes, &ASKED));
            let second = directory.path().join("t-2.jinsi");
            assert_eq!(second.exists(), kept > 1);
            if kept > 1 {
                gives_a_test(&second);
            }
        }
    }
}

#[test]
fn without_a_second_failure_there_is_no_trace() {
    const ASKED: [&str; 3] = ["serve 300", "gift", "serve 300"];
    for jdk in tried_jdks() {
        let classes = compile_programs(&["armed/app", "armed/out"], &[]);
        let directory = tempdir().unwrap();
        let trace = directory.path().join("t.jinsi");
        let options = format!(
            "observe={OBSERVE},arm=failure,fail=java.lang.RuntimeException,arm-for=1,out={}",
            trace.display()
        );
        let mut server = Server::start(&jdk, &classes, Some(&options));
        ASKED.iter().for_each(|what| server.ask(what));
        server.says(BEGINS);
        server.says("no failure, no trace kept");
        assert!(!trace.exists());
        let (answers, _) = server.end();
        assert_eq!(answers, unrecorded(&jdk, &classes, &ASKED));
    }
}

#[test]
fn somebody_has_the_next_failure_recorded() {
    const ASKED: [&str; 3] = ["serve 300", "gift", "serve 300"];
    for jdk in tried_jdks() {
        let classes = compile_programs(&["armed/app", "armed/out"], &[]);
        let directory = tempdir().unwrap();
        let trace = directory.path().join("t.jinsi");
        let options = format!(
            "observe={OBSERVE},arm=failure,fail=java.lang.RuntimeException,out={}",
            trace.display()
        );
        let mut server = Server::start(&jdk, &classes, Some(&options));
        server.ask(ASKED[0]);
        let pid = server.child.id().to_string();
        succeed(jinsi().args(["arm", &pid, "--for", "600"]));
        server.says("the next failure is recorded, for 600 s at most");
        let again = run(jinsi().args(["arm", &pid]));
        assert_eq!(again.status.code(), Some(1), "there is a recording already");
        server.says("a recording goes on already");
        server.ask(ASKED[1]);
        server.says(RECORDED);
        server.ask(ASKED[2]);
        let (answers, _) = server.end();
        assert_eq!(answers, unrecorded(&jdk, &classes, &ASKED));
        gives_a_test(&trace);
    }
}
