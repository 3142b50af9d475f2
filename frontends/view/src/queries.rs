//! SQL about the run. Another program has the engine: it is started for each question, and gets what was typed on its standard input.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde::de::IgnoredAny;
use serde_json::json;

use crate::http::{OWN, Reply};
use crate::query::Query;
use crate::refusal::Refusal;

/// Rows of an answer at most.
const ROWS: usize = 1000;
/// Bytes of an answer, and of what is said besides.
const BYTES: u64 = 16 << 20;
const SAID: u64 = 64 << 10;
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long it is waited between two looks.
const LOOK: Duration = Duration::from_millis(10);

/// Why SQL is not answered, and how that is changed, as the page shows it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoEngine(pub String);

/// Who answers SQL about a run.
#[derive(Clone, Debug)]
pub struct Engine {
    /// The program.
    pub program: Result<PathBuf, NoEngine>,
    /// The trace that the page shows.
    pub trace: PathBuf,
    /// How long an answer may take; `None`: a minute.
    pub patience: Option<Duration>,
}

/// The questions of a page. A new one ends the one before.
#[derive(Clone)]
pub(crate) struct Queries {
    engine: Engine,
    last: Arc<AtomicU64>,
}

impl Queries {
    pub(crate) fn new(engine: Engine) -> Self {
        let last = Arc::default();
        Self { engine, last }
    }

    /// The document, or why there is none.
    pub(crate) fn reply(&self, question: &str, query: &Query) -> Reply {
        let answer = match question {
            "sql" => self.rows(query),
            "named" => self.named(),
            _ => Err(Refusal::none(format!("no such question: {question}"))),
        };
        let (status, body) = match answer {
            Ok(body) => (200, body),
            Err(refusal) => {
                let document = json!({ "error": refusal.why });
                (refusal.status, document.to_string().into_bytes())
            }
        };
        Reply {
            status,
            kind: "application/json",
            policy: OWN,
            body,
        }
    }

    fn rows(&self, query: &Query) -> Result<Vec<u8>, Refusal> {
        let text = query.get("text").unwrap_or_default();
        let mut command = self.command()?;
        let most = ROWS.to_string();
        command.args(["query", "--format", "json", "--most", &most, "--"]);
        command.arg(&self.engine.trace);
        let own = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        // Its end may be a comment.
        let said = self.run(command, format!("{text}\n;\n"), Some(own))?;
        let Some(document) = last_document(&said.out) else {
            return Err(Refusal::bad("that is no query".to_owned()));
        };
        let notes = json!(said.lines());
        let mut body = format!("{{\"most\":{ROWS},\"notes\":{notes},\"rows\":").into_bytes();
        body.extend_from_slice(document);
        body.push(b'}');
        Ok(body)
    }

    /// The queries with names.
    fn named(&self) -> Result<Vec<u8>, Refusal> {
        let mut command = self.command()?;
        command.args(["--json", "query", "--list"]);
        let said = self.run(command, String::new(), None)?;
        let document = last_document(&said.out);
        let document = document.ok_or_else(|| Refusal::bad("no list came back".to_owned()))?;
        Ok([b"{\"rows\":", document, b"}"].concat())
    }

    fn command(&self) -> Result<Command, Refusal> {
        match &self.engine.program {
            Ok(program) => Ok(Command::new(program)),
            Err(why) => Err(Refusal::none(why.to_string())),
        }
    }

    /// Runs it to its end; while it is the last, if it has a number.
    fn run(&self, mut command: Command, text: String, own: Option<u64>) -> Result<Said, Refusal> {
        let program = command.get_program().to_owned();
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = command.spawn().map_err(|error| {
            Refusal::failed(format!("cannot start {}: {error}", program.display()))
        })?;
        if let Some(mut stdin) = running.stdin.take() {
            // What does not read its question says why.
            thread::spawn(move || stdin.write_all(text.as_bytes()));
        }
        let out = heard(running.stdout.take(), BYTES);
        let error = heard(running.stderr.take(), SAID);
        let is_well = self.ended(running, own)?;
        let said = Said {
            out: out.join().unwrap_or_default(),
            error: error.join().unwrap_or_default(),
        };
        match (is_well, said.out.len() as u64) {
            (_, BYTES) => Err(Refusal::bad(
                "the answer is too long: ask for fewer columns, or for less of them".to_owned(),
            )),
            (true, _) => Ok(said),
            (false, _) => Err(Refusal::bad(said.lines().join("\n"))),
        }
    }

    /// Waits for the end; whether all went well.
    fn ended(&self, mut running: Child, own: Option<u64>) -> Result<bool, Refusal> {
        let patience = self.engine.patience.unwrap_or(PATIENCE);
        let begin = Instant::now();
        let why = loop {
            match running.try_wait() {
                Ok(Some(status)) => return Ok(status.success()),
                Ok(None) if own.is_some_and(|own| self.last.load(Ordering::Relaxed) != own) => {
                    break "another question was asked meanwhile".to_owned();
                }
                Ok(None) if begin.elapsed() < patience => thread::sleep(LOOK),
                Ok(None) => {
                    let seconds = patience.as_secs();
                    break format!(
                        "no answer within {seconds} s: jinsi query has as long as it needs"
                    );
                }
                Err(error) => break error.to_string(),
            }
        };
        let _ = running.kill();
        let _ = running.wait();
        Err(Refusal::failed(why))
    }
}

/// What the program has said.
struct Said {
    out: Vec<u8>,
    error: Vec<u8>,
}

impl Said {
    /// What it says to people, without its name.
    fn lines(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.error);
        let lines = text
            .lines()
            .map(|line| line.strip_prefix("jinsi: ").unwrap_or(line));
        lines.map(str::to_owned).collect()
    }
}

/// Listens, up to so many bytes.
fn heard(from: Option<impl Read + Send + 'static>, most: u64) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(from) = from {
            let _ = from.take(most).read_to_end(&mut bytes);
        }
        bytes
    })
}

/// The last of several JSON documents.
fn last_document(text: &[u8]) -> Option<&[u8]> {
    let mut documents = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    let mut last = None;
    let mut begin = 0;
    while let Some(document) = documents.next() {
        document.ok()?;
        last = text.get(begin..documents.byte_offset());
        begin = documents.byte_offset();
    }
    last
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::Value;

    use super::*;

    /// Answers by what it is asked: late, wrongly, too much, or with the question in a row.
    const SCRIPT: &str = r#"#!/bin/sh
read -r question
case "$question" in
late) exec sleep 5 ;;
wrong) echo "jinsi: no such table" >&2; exit 1 ;;
much) exec yes ;;
none) exit 0 ;;
*) echo '[]'; printf '[{"b": "%s", "a": "%s"}]' "$question" "$*"; echo "jinsi: left out: x" >&2 ;;
esac
"#;

    fn queries(place: &Path, patience: Duration) -> Queries {
        let program = place.join("engine");
        // Written by another program: while it is open here, it could not be started.
        let mut writing = Command::new("sh");
        writing
            .args(["-c", "cat > \"$0\" && chmod 700 \"$0\""])
            .arg(&program);
        let mut writing = writing.stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = writing.stdin.take().unwrap();
        stdin.write_all(SCRIPT.as_bytes()).unwrap();
        drop(stdin);
        assert!(writing.wait().unwrap().success());
        Queries::new(Engine {
            program: Ok(program),
            trace: PathBuf::from("/t.jinsi"),
            patience: Some(patience),
        })
    }

    fn ask(queries: &Queries, text: &str) -> (u16, String) {
        let reply = queries.reply("sql", &Query::of(&[("text", text)]));
        (reply.status, String::from_utf8(reply.body).unwrap())
    }

    #[test]
    fn columns_keep_their_order_and_notes_come_along() {
        let place = tempfile::tempdir().unwrap();
        let queries = queries(place.path(), PATIENCE);
        let (status, body) = ask(&queries, "select 1");
        let words = "query --format json --most 1000 -- /t.jinsi";
        let rows = format!(r#"[{{"b": "select 1", "a": "{words}"}}]"#);
        let expected = format!(r#"{{"most":1000,"notes":["left out: x"],"rows":{rows}}}"#);
        assert_eq!((status, body.replace("\n", "")), (200, expected));
    }

    #[test]
    fn what_has_no_answer_says_why() {
        let place = tempfile::tempdir().unwrap();
        let mut queries = queries(place.path(), Duration::from_millis(300));
        let why = |queries: &Queries, text: &str| {
            let (status, body) = ask(queries, text);
            let body: Value = serde_json::from_str(&body).unwrap();
            (status, body["error"].as_str().unwrap().to_owned())
        };
        assert_eq!(why(&queries, "wrong"), (400, "no such table".to_owned()));
        assert_eq!(why(&queries, "none"), (400, "that is no query".to_owned()));
        assert!(why(&queries, "much").1.contains("too long"));
        let (status, late) = why(&queries, "late");
        assert!(status == 500 && late.contains("no answer within"), "{late}");
        queries.engine.program = Err(NoEngine("there is none".to_owned()));
        assert_eq!(why(&queries, "x"), (404, "there is none".to_owned()));
    }

    #[test]
    fn a_new_question_ends_the_one_before() {
        let place = tempfile::tempdir().unwrap();
        let queries = queries(place.path(), PATIENCE);
        let late = thread::spawn({
            let queries = queries.clone();
            move || ask(&queries, "late")
        });
        while queries.last.load(Ordering::Relaxed) == 0 {
            thread::sleep(LOOK);
        }
        assert_eq!(ask(&queries, "select 1").0, 200);
        let (status, body) = late.join().unwrap();
        assert!(status == 500 && body.contains("another question"), "{body}");
    }

    #[test]
    fn the_last_of_several_documents_counts() {
        let last = |text: &'static str| last_document(text.as_bytes()).map(<[u8]>::trim_ascii);
        assert_eq!(last("[1]\n[{\"a\": 2}]\n"), Some(&b"[{\"a\": 2}]"[..]));
        assert_eq!(last("[]"), Some(&b"[]"[..]));
        assert_eq!(last(""), None);
        assert_eq!(last("[1] no"), None);
    }
}
