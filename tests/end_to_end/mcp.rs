//! The past for an assistant: `jinsi mcp`, asked as an assistant asks it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::support::{jdks, jinsi, record_in};

/// An assistant with its server.
struct Assistant {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Drop for Assistant {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Assistant {
    fn of(trace: Option<&Path>) -> Self {
        let mut child = jinsi()
            .arg("mcp")
            .args(trace)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut assistant = Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            id: 0,
        };
        let hello = assistant.ask(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": { "name": "test", "version": "1" },
            }),
        );
        assert_eq!(hello["serverInfo"]["name"], "jinsi");
        assert!(hello["capabilities"]["tools"].is_object());
        assert!(hello["instructions"].as_str().unwrap().contains("failure"));
        assistant.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        assistant
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    fn answer(&mut self, method: &str, parameters: Value) -> Value {
        self.id += 1;
        let id = self.id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "it ended");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
        }
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let answer = self.answer(method, parameters);
        assert!(answer["result"].is_object(), "{method}: {answer:#}");
        answer["result"].clone()
    }

    /// What a tool says, and whether that is an error.
    fn call(&mut self, tool: &str, arguments: Value) -> (Vec<String>, bool) {
        let result = self.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        let blocks = result["content"].as_array().unwrap().iter();
        let texts = blocks.map(|block| block["text"].as_str().unwrap().to_owned());
        (texts.collect(), result["isError"] == true)
    }

    /// The document that a tool gives.
    fn document(&mut self, tool: &str, arguments: Value) -> Value {
        let (texts, is_error) = self.call(tool, arguments);
        assert!(!is_error, "{tool}: {texts:?}");
        serde_json::from_str(&texts[0]).unwrap_or_else(|e| panic!("{e}: {}", texts[0]))
    }
}

fn merge_sort(directory: &Path) -> std::path::PathBuf {
    let jdk = jdks().remove(0);
    let main = "mergesort.MergeSort";
    record_in(&jdk, directory, main, ("mergesort.*", "states"))
}

/// From the tree of calls to the defect of Hermanns and Kuchen's example.
#[test]
fn an_assistant_finds_the_line() {
    let directory = TempDir::new().unwrap();
    let trace = merge_sort(directory.path());
    let mut assistant = Assistant::of(Some(&trace));
    let tools = assistant.ask("tools/list", json!({}));
    let tools = tools["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|t| t["name"].as_str().unwrap()).collect();
    for name in [
        "failure", "tree", "at", "history", "origin", "logpoint", "slice", "where", "ask",
        "why_not",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool:#}");
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool:#}");
    }

    let info = assistant.document("failure", json!({}));
    assert!(info["threads"].is_array() || info.is_object(), "{info:#}");
    let tree = assistant.document("tree", json!({ "depth": 2 }));
    let calls = tree["calls"].as_array().unwrap();
    let merge = calls.iter().rfind(|call| {
        let method = call["method"].as_str().unwrap();
        method == "mergesort.MergeSort.merge"
    });
    let within = merge.unwrap()["call"].clone();
    assert!(within.is_string(), "{tree:#}");
    let logged = assistant.document(
        "logpoint",
        json!({ "line": "MergeSort:12", "expressions": ["lb", "c[2]"] }),
    );
    assert_eq!(logged["hits"][0]["values"][0]["value"], "2");
    let moment = logged["hits"][0]["moment"].clone();
    let at = assistant.document(
        "at",
        json!({ "moment": moment, "show": ["la"], "changed": true }),
    );
    assert_eq!(at["frames"][0]["line"], 12);
    let origin = json!({ "moment": moment, "expression": "a[la]" });
    assert_eq!(
        assistant.document("origin", origin)["steps"][0]["how"],
        "read"
    );

    let asked = assistant.document("ask", json!({}));
    assert!(asked["question"].is_object(), "{asked:#}");
    let more = assistant.document("ask", json!({ "answers": ["no"] }));
    assert_eq!(more["answers"].as_array().unwrap().len(), 1, "{more:#}");
    questions(&mut assistant);
    let left = std::fs::read_dir(directory.path()).unwrap().count();
    assert_eq!(left, 1, "nothing is left beside the trace");

    // It goes when the assistant goes.
    assistant.input = None;
    assert!(assistant.child.wait().unwrap().success());
}

/// The published session: all answers go in each time, also those taken back, and what of a call is wrong.
fn questions(assistant: &mut Assistant) {
    let mut answers: Vec<&str> = Vec::new();
    let mut ask = |answers: &[&str]| {
        let given = json!({ "answers": answers, "strategy": "top-down" });
        assistant.document("ask", given)
    };
    for answer in ["no", "no a[2]", "yes", "yes", "back", "yes", "yes", "no"] {
        assert_eq!(ask(&answers)["state"], "asking", "{answers:?}");
        answers.push(answer);
    }
    let asked = ask(&answers);
    assert_eq!(asked["answers"][1]["part"], "a[2]", "{asked:#}");
    let text = asked.to_string();
    assert!(text.len() < 24_000, "{}", text.len());
    // What is no part is reported, and is no answer.
    let given = json!({ "answers": ["no nothing"], "strategy": "top-down" });
    let (said, is_error) = assistant.call("ask", given);
    assert!(!is_error, "{said:?}");
    let reported = said
        .iter()
        .any(|text| text.contains("there is no variable nothing"));
    assert!(reported, "{said:?}");
}

#[test]
fn answers_are_bounded_and_wrong_questions_are_reported() {
    let directory = TempDir::new().unwrap();
    let trace = merge_sort(directory.path());
    let large = super::indexes::recorded();
    let mut assistant = Assistant::of(None);
    let (said, is_error) = assistant.call("tree", json!({}));
    assert!(is_error && said[0].contains("trace"), "{said:?}");
    let given = json!({ "trace": large, "limit": 2000 });
    let (first, is_error) = assistant.call("events", given.clone());
    assert!(!is_error);
    assert!(
        first[0].len() <= 24_000 && first[1].starts_with("part 1 of "),
        "{first:?}"
    );
    let mut next = given.clone();
    next["part"] = 2.into();
    let (second, _) = assistant.call("events", next.clone());
    assert!(second[0] != first[0] && second[0].len() <= 24_000);
    next["part"] = 4_000.into();
    assert!(assistant.call("events", next).1);

    let (said, is_error) = assistant.call("at", json!({ "trace": trace, "moment": "yesterday" }));
    assert!(is_error && said[0].contains("yesterday"), "{said:?}");
    let (said, is_error) = assistant.call("at", json!({ "trace": trace, "when": "0:1" }));
    assert!(is_error && said[0].contains("when"), "{said:?}");
    let missing = json!({ "trace": "--help", "moment": "0:1" });
    let (said, is_error) = assistant.call("at", missing);
    assert!(is_error && said[0].contains("--help"), "{said:?}");
    let unknown = assistant.answer("tools/call", json!({ "name": "destroy", "arguments": {} }));
    assert!(unknown["error"].is_object(), "{unknown:#}");
}

/// What is missing of a recording stands before the answer.
#[test]
fn a_gap_is_named_to_assistants() {
    let directory = TempDir::new().unwrap();
    let trace = merge_sort(directory.path());
    let bytes = std::fs::read(&trace).unwrap();
    std::fs::write(&trace, &bytes[..bytes.len() - 700]).unwrap();
    let mut assistant = Assistant::of(Some(&trace));
    let (said, is_error) = assistant.call("history", json!({ "what": "#1" }));
    assert!(is_error || !said.is_empty());
    assert!(said[0].contains("The trace is damaged in "), "{said:?}");
}
