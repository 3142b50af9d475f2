//! The past in a debugger: `jinsi dap`, driven as an editor drives it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::indexes::cut;
use super::support::{has, jdks, jinsi, record_in, run, stderr};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");

/// An editor with its adapter.
struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    seq: i64,
    events: Vec<Value>,
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Editor {
    fn start() -> Self {
        let mut child = jinsi()
            .arg("dap")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            seq: 0,
            events: Vec::new(),
        }
    }

    /// With a run that is looked at, and has stopped.
    fn at(trace: &Path, at: &str) -> Self {
        let mut editor = Self::start();
        let able = editor.ask("initialize", json!({ "adapterID": "jinsi" }));
        assert_eq!(able["supportsStepBack"], true);
        let launch = json!({ "trace": trace, "at": at, "source": [SOURCES] });
        editor.ask("launch", launch);
        editor.wait("initialized");
        editor.ask("configurationDone", Value::Null);
        editor.wait("stopped");
        editor
    }

    fn message(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "it ended");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(digits) => length = digits.parse().unwrap(),
                None if line == "\r\n" => break,
                None => panic!("{line}"),
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// The response, whatever it is.
    fn send(&mut self, command: &str, arguments: &Value) -> Value {
        self.seq += 1;
        let request = json!({
            "seq": self.seq,
            "type": "request",
            "command": command,
            "arguments": arguments,
        });
        let text = request.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
        loop {
            let message = self.message();
            if message["type"] == "event" {
                self.events.push(message);
                continue;
            }
            assert_eq!(message["request_seq"], self.seq);
            assert_eq!(message["command"], command);
            return message;
        }
    }

    /// What a request gives.
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let response = self.send(command, &arguments);
        assert_eq!(response["success"], true, "{command}: {response:#}");
        response["body"].clone()
    }

    /// Why a request gives nothing.
    fn refused(&mut self, command: &str, arguments: Value) -> String {
        let response = self.send(command, &arguments);
        assert_eq!(response["success"], false, "{command}: {response:#}");
        response["message"].as_str().unwrap().to_owned()
    }

    fn wait(&mut self, event: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|e| e["event"] == event) {
                return self.events.remove(at)["body"].clone();
            }
            let message = self.message();
            self.events.push(message);
        }
    }

    /// Moves: why it stopped, and the line.
    fn go(&mut self, command: &str) -> (String, i64) {
        self.ask(command, json!({ "threadId": 1 }));
        let stopped = self.wait("stopped");
        assert_eq!(stopped["allThreadsStopped"], true);
        let reason = stopped["reason"].as_str().unwrap().to_owned();
        (reason, self.top()["line"].as_i64().unwrap())
    }

    fn top(&mut self) -> Value {
        let stack = self.ask("stackTrace", json!({ "threadId": 1, "levels": 1 }));
        stack["stackFrames"][0].clone()
    }

    /// The value of an expression in the innermost frame.
    fn value(&mut self, expression: &str) -> Value {
        let frame = self.top()["id"].clone();
        let asked = json!({ "expression": expression, "frameId": frame, "context": "watch" });
        self.ask("evaluate", asked)
    }

    fn variables(&mut self, reference: &Value) -> Vec<Value> {
        let asked = json!({ "variablesReference": reference });
        let given = self.ask("variables", asked);
        given["variables"].as_array().unwrap().clone()
    }

    fn break_at(&mut self, lines: &Value) -> Value {
        let path = format!("{SOURCES}/mergesort/MergeSort.java");
        let asked = json!({ "source": { "path": path }, "breakpoints": lines });
        self.ask("setBreakpoints", asked)["breakpoints"].clone()
    }
}

fn merge_sort(directory: &Path) -> std::path::PathBuf {
    record_in(
        &jdks().remove(0),
        directory,
        "mergesort.MergeSort",
        ("mergesort.*", "states"),
    )
}

/// Forward and backward through Hermanns and Kuchen's example: who wrote the wrong value is one data breakpoint and one step away.
#[test]
fn a_debugger_goes_back() {
    let directory = TempDir::new().unwrap();
    let trace = merge_sort(directory.path());
    let mut editor = Editor::at(&trace, "0:1");
    let set = editor.break_at(&json!([{ "line": 12 }, { "line": 4_000 }]));
    assert_eq!(set[0]["verified"], true);
    assert_eq!(set[1]["verified"], false);
    let message = set[0]["message"].as_str().unwrap();
    assert_eq!(message, "met once");
    assert_eq!(editor.go("continue"), ("breakpoint".to_owned(), 12));
    assert_eq!(editor.top()["name"], "MergeSort.merge");
    let path = editor.top()["source"]["path"].clone();
    assert!(Path::new(path.as_str().unwrap()).is_file(), "{path}");

    // Nine goes to the place of the largest.
    assert_eq!(editor.value("a[la]")["result"], "9");
    assert_eq!(editor.value("c[lb] == 7 && la >= 0")["result"], "true");
    let (before, line) = editor.go("next");
    assert_eq!(before, "step");
    assert_eq!(editor.go("stepBack").1, 12);
    assert_eq!(editor.go("next").1, line);
    editor.break_at(&json!([]));

    let info = json!({ "name": "c[2]", "frameId": editor.top()["id"] });
    let info = editor.ask("dataBreakpointInfo", info);
    let watched = json!({ "breakpoints": [{ "dataId": info["dataId"] }] });
    let set = editor.ask("setDataBreakpoints", watched);
    assert_eq!(set["breakpoints"][0]["message"], "written 4 times");
    assert_eq!(editor.go("continue").0, "pause");
    let back: Vec<(String, i64)> = (0..5).map(|_| editor.go("reverseContinue")).collect();
    let lines: Vec<i64> = back.iter().map(|(_, line)| *line).collect();
    assert_eq!(lines[..3], [12, 10, 10]);
    assert!(
        back[..4]
            .iter()
            .all(|(reason, _)| reason == "data breakpoint")
    );
    assert_eq!(back[4].0, "pause");
    editor.ask("disconnect", json!({}));
    assert!(editor.child.wait().unwrap().success());
}

#[test]
fn values_have_scopes_and_places() {
    let directory = TempDir::new().unwrap();
    let trace = merge_sort(directory.path());
    let mut editor = Editor::at(&trace, "0:1");
    editor.ask(
        "setFunctionBreakpoints",
        json!({ "breakpoints": [{ "name": "MergeSort.merge", "hitCondition": "3" }] }),
    );
    assert_eq!(editor.go("continue").0, "function breakpoint");
    editor.break_at(&json!([{ "line": 12 }]));
    editor.go("continue");
    let frame = editor.top()["id"].clone();
    let scopes = editor.ask("scopes", json!({ "frameId": frame }));
    let named = |name: &str| {
        let mut all = scopes["scopes"].as_array().unwrap().iter();
        let scope = all.find(|scope| scope["name"] == name);
        scope.unwrap()["variablesReference"].clone()
    };
    let locals = editor.variables(&named("Locals"));
    let c = locals.iter().find(|local| local["name"] == "c").unwrap();
    assert_eq!(c["type"], "int[]");
    let elements = editor.variables(&c["variablesReference"]);
    assert_eq!(elements[2]["evaluateName"], "c[2]");
    let place = elements[2]["valueLocationReference"].clone();
    let place = editor.ask("locations", json!({ "locationReference": place }));
    assert!(place["line"].as_i64().unwrap() > 0);
    let changed = editor.variables(&named("Changed in this call"));
    assert!(
        changed.iter().any(|row| row["name"] == "la"),
        "{changed:#?}"
    );

    asked_in_the_console(&mut editor, &frame);

    editor.ask("restartFrame", json!({ "frameId": frame }));
    editor.wait("stopped");
    assert_eq!(editor.top()["name"], "MergeSort.merge");
    // What was known of the moment before is not taken for something else.
    assert!(
        editor
            .refused("scopes", json!({ "frameId": frame }))
            .contains("another moment")
    );
    let refused = editor.refused("setVariable", json!({ "name": "la", "value": "3" }));
    assert!(refused.contains("nothing can be changed"));

    let logged = json!([{ "line": 12, "logMessage": "la is {la}", "condition": "la > 0" }]);
    editor.break_at(&logged);
    let written = editor.wait("output");
    assert!(
        written["output"].as_str().unwrap().contains("la is 1"),
        "{written}"
    );
}

fn asked_in_the_console(editor: &mut Editor, frame: &Value) {
    let reported = editor.value("history c[2]");
    assert!(
        reported["result"]
            .as_str()
            .unwrap()
            .contains("MergeSort.merge:10")
    );
    let reported = editor.value("origin la");
    assert!(reported["result"].is_string());
    let offered = editor.ask(
        "completions",
        json!({ "text": "1 + l", "column": 6, "frameId": frame }),
    );
    let offered: Vec<&str> = offered["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|target| target["label"].as_str().unwrap())
        .collect();
    assert!(
        offered.contains(&"la") && offered.contains(&"lb"),
        "{offered:?}"
    );
}

/// The same by what VS Code tests its own adapters with; each message is what the protocol's types say.
#[test]
#[ignore = "long: needs Node.js, and packages of npm"]
fn vs_codes_test_support_drives_it() {
    let directory = TempDir::new().unwrap();
    let trace = merge_sort(directory.path());
    let editor = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/editor");
    for file in ["package.json", "drive.mjs"] {
        std::fs::copy(editor.join(file), directory.path().join(file)).unwrap();
    }
    let npm = run(Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--ignore-scripts"])
        .current_dir(directory.path()));
    assert!(npm.status.success(), "{}", stderr(&npm));
    let driven = run(Command::new("node")
        .args(["drive.mjs", env!("CARGO_BIN_EXE_jinsi")])
        .arg(trace)
        .arg(format!("{SOURCES}/mergesort/MergeSort.java"))
        .current_dir(directory.path()));
    assert!(driven.status.success(), "{}", stderr(&driven));
}

/// Neovim goes on, back, and asks for values. Its plugin is on no registry: `NVIM_DAP` names its directory.
#[test]
#[ignore = "long: needs Neovim, and nvim-dap in NVIM_DAP"]
fn neovim_goes_back() {
    let Some(plugin) = std::env::var_os("NVIM_DAP") else {
        eprintln!("skipped: NVIM_DAP is not set");
        return;
    };
    let directory = TempDir::new().unwrap();
    let trace = merge_sort(directory.path());
    let seen = directory.path().join("seen");
    let drive = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/editor/drive.lua");
    let driven = run(Command::new("nvim")
        .args(["--headless", "-n", "-u"])
        .arg(drive)
        .env("NVIM_DAP", plugin)
        .env("JINSI", env!("CARGO_BIN_EXE_jinsi"))
        .env("TRACE", trace)
        .env("SOURCES", SOURCES)
        .env("OUT", &seen)
        .env("XDG_STATE_HOME", directory.path())
        .env("XDG_CACHE_HOME", directory.path()));
    assert!(driven.status.success(), "{}", stderr(&driven));
    let seen = std::fs::read_to_string(seen).unwrap();
    let seen: Vec<&str> = seen.lines().collect();
    let [begin, met, value, origin, over, back, first, into] = seen[..] else {
        panic!("{seen:#?}");
    };
    assert_eq!(begin, "MergeSort.main 38");
    assert_eq!((met, value), ("MergeSort.merge 12", "a[la] = 9"));
    has(origin, "written at");
    has(origin, "MergeSort.merge:14");
    assert_eq!((over, back), ("MergeSort.merge 11", met));
    assert_eq!((first, into), (begin, "MergeSort.main 39"));
}

/// What was recorded without instructions is replayed; the editor stops at the failure.
#[test]
fn a_debugger_begins_at_the_failure() {
    let directory = TempDir::new().unwrap();
    let trace = record_in(
        &jdks().remove(0),
        directory.path(),
        "xmltree.Main",
        ("xmltree.*", "interactions"),
    );
    let mut editor = Editor::start();
    assert!(editor.refused("threads", json!({})).contains("launch"));
    let refused = editor.refused("launch", json!({ "trace": "nothere.jinsi" }));
    assert!(refused.contains("nothere.jinsi"), "{refused}");
    assert!(editor.refused("launch", json!({})).contains("no trace"));
    editor.ask("launch", json!({ "trace": trace, "source": [SOURCES] }));
    editor.wait("initialized");
    editor.ask(
        "setExceptionBreakpoints",
        json!({ "filters": ["uncaught"] }),
    );
    editor.ask("configurationDone", Value::Null);
    let stopped = editor.wait("stopped");
    assert_eq!(stopped["reason"], "exception");
    let reported = editor.ask("exceptionInfo", json!({ "threadId": 1 }));
    assert!(
        reported["exceptionId"]
            .as_str()
            .unwrap()
            .contains("Exception")
    );
    let threads = editor.ask("threads", json!({}));
    assert_eq!(threads["threads"][0]["name"], "main");
}

/// Whatever comes in whatever order has an answer, and the adapter goes on.
#[test]
fn any_order_of_requests_is_answered() {
    const COMMANDS: [&str; 26] = [
        "next",
        "stepIn",
        "stepOut",
        "stepBack",
        "continue",
        "reverseContinue",
        "stackTrace",
        "scopes",
        "variables",
        "evaluate",
        "setBreakpoints",
        "setFunctionBreakpoints",
        "setDataBreakpoints",
        "dataBreakpointInfo",
        "setExceptionBreakpoints",
        "gotoTargets",
        "goto",
        "stepInTargets",
        "restartFrame",
        "completions",
        "locations",
        "exceptionInfo",
        "pause",
        "initialize",
        "launch",
        "nonsense",
    ];
    let directory = TempDir::new().unwrap();
    let trace = merge_sort(directory.path());
    let mut editor = Editor::at(&trace, "0:1");
    let path = format!("{SOURCES}/mergesort/MergeSort.java");
    let mut chance = Chance(34);
    for _ in 0..400 {
        let command = COMMANDS[chance.below(COMMANDS.len())];
        let response = editor.send(command, &chance.arguments(&path));
        assert!(response["success"].is_boolean(), "{response}");
    }
    editor.ask("threads", json!({}));
}

/// Numbers and arguments by chance, the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        let factor = 6_364_136_223_846_793_005;
        self.0 = self.0.wrapping_mul(factor).wrapping_add(1);
        (self.0 >> 33) as usize % most
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn arguments(&mut self, path: &str) -> Value {
        let small = self.below(60) as i64;
        let number = self.of(&[0, 1, 2, 3, -1, i64::MAX, small]);
        let text = self.of(&[
            "c[2]",
            "la",
            "this",
            "la +",
            "(",
            "",
            "history c[1]",
            "x[99999]",
        ]);
        let line = self.below(50);
        let arguments = json!({
            "threadId": self.of(&[1, 1, 1, number]),
            "frameId": number,
            "variablesReference": number,
            "locationReference": number,
            "targetId": self.of(&[Value::Null, number.into(), number.into()]),
            "granularity": self.of(&["line", "instruction", "statement"]),
            "source": { "path": self.of(&[path, "/etc/passwd", ""]) },
            "line": line,
            "column": number,
            "text": text,
            "name": text,
            "expression": text,
            "filters": ["caught", "none"],
            "breakpoints": [{
                "line": line,
                "name": "merge",
                "dataId": text,
                "condition": text,
                "hitCondition": self.of(&["", "2", "%3", "x"]),
            }],
        });
        match self.below(9) {
            0 => Value::Null,
            1 => json!([1, 2]),
            _ => arguments,
        }
    }
}

/// What is there of a trace that was cut off is shown, and the gap is named.
#[test]
fn a_gap_is_named_to_editors() {
    let directory = TempDir::new().unwrap();
    let trace = cut(directory.path());
    let mut editor = Editor::at(&trace, "0:100");
    let said = editor.wait("output")["output"].clone();
    let said = said.as_str().unwrap();
    assert!(said.starts_with("The trace is damaged in "), "{said}");
    assert!(editor.top()["line"].as_i64().unwrap() > 0);
    assert_eq!(editor.go("continue").0, "pause");
    assert_eq!(editor.go("reverseContinue").0, "pause");
}
