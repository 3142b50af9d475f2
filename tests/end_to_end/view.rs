//! The page of a run: who gets it, and what it gets. In a browser it is clicked by `tests/browser`.

mod asking;
mod sql;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use jinsi_platform::files::mode;
use serde_json::Value;
use tempfile::TempDir;

use super::indexes::cut;
use super::support::{has, jdks, jinsi, jod3, record_in, run, stderr, stdout};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");

/// `jinsi view`, until this is dropped.
struct Served {
    child: Child,
    port: u16,
    token: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What came back.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Served {
    fn of(trace: &Path, options: &[&str]) -> Self {
        Self::by(jinsi(), trace, options)
    }

    fn by(mut jinsi: Command, trace: &Path, options: &[&str]) -> Self {
        let mut child = jinsi
            .arg("view")
            .arg(trace)
            .args(["--no-open", "--source", SOURCES])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://127.0.0.1:").unwrap();
        let (port, token) = address.split_once('/').unwrap();
        Self {
            port: port.parse().unwrap(),
            token: token.trim_end_matches('/').to_owned(),
            child,
        }
    }

    fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Asks, with these lines as head.
    fn send(&self, lines: &[String]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let head = lines.join("\r\n") + "\r\n\r\n";
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        Answer {
            status: head[9..12].parse().unwrap(),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    fn get(&self, path: &str) -> Answer {
        self.send(&[
            format!("GET /{}/{path} HTTP/1.1", self.token),
            format!("Host: 127.0.0.1:{}", self.port),
        ])
    }

    /// Sends what changes something.
    fn post(&self, path: &str) -> Answer {
        self.send(&[
            format!("POST /{}/{path} HTTP/1.1", self.token),
            format!("Host: 127.0.0.1:{}", self.port),
            "Content-Length: 0".to_owned(),
        ])
    }

    /// The document that answers a question.
    fn ask(&self, question: &str) -> Value {
        let answer = self.get(&format!("api/{question}"));
        assert_eq!(answer.status, 200, "{question}: {}", answer.body);
        serde_json::from_str(&answer.body).unwrap()
    }
}

fn merge_sort(directory: &Path) -> Served {
    Served::of(&record_merge_sort(directory), &[])
}

fn record_merge_sort(directory: &Path) -> PathBuf {
    let of = ("mergesort.*", "states");
    record_in(&jdks().remove(0), directory, "mergesort.MergeSort", of)
}

fn rows(answer: &Value) -> &[Value] {
    answer["rows"].as_array().unwrap()
}

/// The calls below one, callers first.
fn tree(served: &Served, call: &str, names: &mut Vec<(String, Option<String>)>) {
    for row in rows(&served.ask(&format!("calls?call={call}"))) {
        let name = row["method"]["name"].as_str().unwrap().to_owned();
        let call = row["call"].as_str().map(str::to_owned);
        names.push((name, call.clone()));
        if let Some(call) = call {
            tree(served, &call, names);
        }
    }
}

/// Names of what is marked so, on all levels.
fn marked(changes: &[Value], mark: &str) -> Vec<String> {
    let mut names = Vec::new();
    for change in changes {
        if change["mark"] == mark {
            names.push(change["name"].as_str().unwrap().to_owned());
        }
        names.extend(marked(change["below"].as_array().unwrap(), mark));
    }
    names
}

/// Only who knows the address gets an answer, only under this name, and no other page does.
#[test]
fn nobody_else_gets_an_answer() {
    let directory = TempDir::new().unwrap();
    let served = merge_sort(directory.path());
    let (port, token) = (served.port, &served.token);
    let ask = |method: &str, path: &str, host: &str, more: &[&str]| {
        let mut lines = vec![format!("{method} {path} HTTP/1.1"), format!("Host: {host}")];
        lines.extend(more.iter().map(|line| (*line).to_owned()));
        let answer = served.send(&lines);
        assert!(
            answer.status == 200 || !answer.body.contains("MergeSort"),
            "{lines:?}"
        );
        answer.status
    };
    let ours = format!("127.0.0.1:{port}");
    let run = format!("/{token}/api/run");
    assert_eq!(ask("GET", &run, &ours, &[]), 200);
    assert_eq!(ask("GET", &run, &format!("localhost:{port}"), &[]), 200);
    for path in ["/", "/api/run", "//api/run", "/0/api/run"] {
        assert_eq!(ask("GET", path, &ours, &[]), 403, "{path}");
    }
    let shorter = format!("/{}/api/run", &token[1..]);
    assert_eq!(ask("GET", &shorter, &ours, &[]), 403);
    for host in ["example.com", "127.0.0.1", &format!("example.com:{port}")] {
        assert_eq!(ask("GET", &run, host, &[]), 403, "{host}");
    }
    for header in [
        "Origin: http://example.com",
        "Origin: null",
        "Sec-Fetch-Site: cross-site",
    ] {
        assert_eq!(ask("GET", &run, &ours, &[header]), 403, "{header}");
    }
    let own = format!("Origin: http://127.0.0.1:{port}");
    assert_eq!(ask("GET", &run, &ours, &[&own]), 200);
    assert_eq!(ask("POST", &run, &ours, &["Content-Length: 0"]), 405);
    assert_eq!(ask("GET", &format!("/{token}/other.js"), &ours, &[]), 404);
    let page = served.get("");
    assert!(page.body.starts_with("<!doctype html>"));
    assert!(
        page.head
            .contains("Content-Security-Policy: default-src 'none';")
    );
    assert!(page.head.contains("Referrer-Policy: no-referrer"));
    // Nothing but loopback is listened on: no other address of this machine answers.
    let others = run_hostname();
    for other in others.split_whitespace().filter(|a| !a.contains(':')) {
        let reached = TcpStream::connect((other, port));
        assert!(reached.is_err(), "{other}");
    }
}

/// The addresses of this machine, as far as is known.
fn run_hostname() -> String {
    match Command::new("hostname").arg("-I").output() {
        Ok(output) => stdout(&output),
        Err(_) => String::new(),
    }
}

/// Hermanns and Kuchen's example, as the page gets it.
#[test]
fn merge_sort_is_reported_as_published() {
    let directory = TempDir::new().unwrap();
    let served = merge_sort(directory.path());
    let run = served.ask("run");
    assert_eq!(run["detail"], "states");
    let main = rows(&served.ask("calls?thread=0"))[0]["call"].clone();
    let main = main.as_str().unwrap();
    let mut calls = Vec::new();
    tree(&served, main, &mut calls);
    let names: Vec<&str> = calls.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "sort",
        "distribute",
        "merge",
        "merge",
        "distribute",
        "merge",
        "toString",
        "println",
    ];
    assert_eq!(names, expected);

    let last = calls[5].1.as_deref().unwrap();
    let variables = served.ask(&format!("variables?call={last}"));
    let mut red = marked(rows(&variables), "changed");
    red.sort_unstable();
    assert_eq!(red, ["c[0]", "c[1]", "c[2]", "la", "lb", "lc"]);
    assert_eq!(marked(rows(&variables), "below"), ["c"]);

    let history = served.ask(&format!("history?call={last}&what=c%5B2%5D"));
    let entries: Vec<(&str, u64)> = rows(&history)
        .iter()
        .map(|row| {
            let value = row["value"]["value"].as_str().unwrap();
            (value, row["line"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(entries, [("1", 38), ("1", 10), ("7", 10), ("9", 12)]);

    jump(&served, last, &rows(&history)[3]);
}

/// From an entry of the history to its event, its line, the text of that.
fn jump(served: &Served, last: &str, nine: &Value) {
    assert_eq!(nine["call"], last);
    let happenings = served.ask(&format!("happenings?call={last}"));
    let event = rows(&happenings)
        .iter()
        .find(|row| row["after"] == nine["after"]);
    let event = event.unwrap();
    assert_eq!(
        (&event["name"], &event["line"]),
        (&"c[2]".into(), &12.into())
    );
    let after = nine["after"].as_str().unwrap().replace('+', "%2B");
    let course = served.ask(&format!("course?call={last}&at={after}"));
    assert_eq!(course["ran"], 12);
    let ran = |line: u64| {
        let lines = course["lines"].as_array().unwrap();
        lines
            .iter()
            .find(|ran| ran["line"] == line)
            .unwrap()
            .clone()
    };
    assert_eq!(
        (&ran(12)["round"], &ran(10)["round"]),
        (&true.into(), &false.into())
    );
    assert_eq!(ran(12)["wrote"].as_array().unwrap().last().unwrap()[1], "9");
    let source = served.ask("source?class=mergesort/MergeSort&file=MergeSort.java&from=12&most=1");
    assert_eq!(
        source["lines"][0].as_str().unwrap().trim(),
        "c[lb++] = a[la++];"
    );

    let origin = served.ask(&format!("origin?call={last}&at={after}&what=c%5B2%5D"));
    assert_eq!(origin["steps"][0]["how"], "read", "{origin:#}");
    let found = served.ask("find?text=merge");
    assert_eq!(rows(&found)[0]["method"]["name"], "merge");
    assert_eq!(rows(&found)[0]["calls"], 3);
}

/// What makes no sense is refused with a reason, and the page goes on.
#[test]
fn bad_questions_have_an_answer() {
    let directory = TempDir::new().unwrap();
    let served = merge_sort(directory.path());
    for question in [
        "nothing",
        "calls",
        "calls?thread=9",
        "calls?call=0:1",
        "stack?at=x",
        "stack?at=7:1",
        "stack?at=0:99999999",
        "variables?call=0:99999999999999999999",
        "inside?object=18446744073709551615&old=0:3&new=0:3",
        "history?what=%23",
        "history?what=Nobody.nothing",
        "origin?what=x",
        "value?at=0:3&path=%5B%5B%5B",
        "course?call=0:2&at=4294967295:18446744073709551615%2B4294967295",
        "source?class=a&file=../../../../etc/passwd",
        "source?class=mergesort/MergeSort&file=MergeSort.java&from=18446744073709551615",
        "hits?line=Nobody:12",
        "step?at=0:3&how=sideways",
    ] {
        let answer = served.get(&format!("api/{question}"));
        let document: Value = serde_json::from_str(&answer.body).unwrap();
        let refused = (400..500).contains(&answer.status) && document["error"].is_string();
        assert!(
            refused || answer.status == 200,
            "{question}: {}",
            answer.status
        );
        assert!(!answer.body.contains("root:"), "{question}");
    }
    assert_eq!(served.get("api/run").status, 200);
}

/// A failure is where the page begins, whatever was recorded; what is missing is replayed.
#[test]
fn a_page_begins_at_the_failure() {
    let jdk = jdks().remove(0);
    let directory = TempDir::new().unwrap();
    let trace = record_in(
        &jdk,
        directory.path(),
        "xmltree.Main",
        ("xmltree.*", "interactions"),
    );
    let served = Served::of(&trace, &[]);
    let run = served.ask("run");
    assert_eq!(run["begin"], run["failure"]);
    assert!(run["remarks"][0].as_str().unwrap().contains("replay"));
    let begin = run["begin"].as_str().unwrap().replace('+', "%2B");
    let stack = served.ask(&format!("stack?at={begin}"));
    let frame = &stack["frames"][0];
    assert_eq!(
        (&frame["method"]["name"], &frame["line"]),
        (&"getNumberOfChildren".into(), &41.into())
    );
}

/// Lines and interactions of a report have names by which the page finds them, though what it shows is a replay.
#[test]
fn a_report_leads_into_the_run() {
    let directory = TempDir::new().unwrap();
    let served = Served::of(&report(directory.path()), &[]);
    assert_eq!(served.ask("run")["report"], true);
    let page = served.get("report.html").body;
    assert!(page.contains("<script type=\"module\" src=\"report.js\">"));
    let past = |what: &str| -> Vec<String> {
        let begin = format!("data-past=\"{what}=");
        let found = page.split(&begin).skip(1);
        found
            .map(|rest| rest.split('"').next().unwrap().to_owned())
            .collect()
    };
    for line in past("line") {
        let hits = served.ask(&format!("hits?line={line}"));
        assert!(!rows(&hits).is_empty(), "{line}");
    }
    let calls = past("method");
    assert!(!calls.is_empty());
    for call in calls {
        let (method, nth) = call.rsplit_once('@').unwrap();
        let (name, desc) = method.split_at(method.find('(').unwrap());
        let (class, name) = name.rsplit_once('.').unwrap();
        let name = name.replace("&lt;", "%3C").replace("&gt;", "%3E");
        let (class, skip) = (class.replace('.', "/"), nth.parse::<u64>().unwrap() - 1);
        let found = served.ask(&format!(
            "activations?class={class}&name={name}&desc={desc}&skip={skip}&most=1"
        ));
        assert_eq!(rows(&found).len(), 1, "{call}");
    }
}

/// What `minimize` writes of a failure.
fn report(directory: &Path) -> PathBuf {
    let of = ("xmltree.*", "interactions");
    let trace = record_in(&jdks().remove(0), directory, "xmltree.Main", of);
    let report = directory.join("report");
    let minimized = run(jinsi()
        .arg("minimize")
        .arg(&trace)
        .arg("--out")
        .arg(&report));
    assert!(minimized.status.success(), "{}", stderr(&minimized));
    report
}

fn record_file_lister(directory: &Path) -> PathBuf {
    let of = ("omitted.*", "states");
    record_in(&jdks().remove(0), directory, "omitted.FileLister", of)
}

/// Sakurai and Masuhara 2015, Section 4.5: one balloon, at the jump on line 12, in the call of `run`.
#[test]
fn a_balloon_is_at_the_call_whose_jump_went_by() {
    let directory = TempDir::new().unwrap();
    let served = Served::of(&record_file_lister(directory.path()), &[]);
    let outermost = served.ask("calls?thread=0");
    let main = &rows(&outermost)[0]["call"];
    let within = rows(&served.ask(&format!("calls?call={}", main.as_str().unwrap()))).to_vec();
    let run = within.iter().find(|row| row["method"]["name"] == "run");
    let answer = served.ask("undone?what=FileLister.addItem()");
    let [balloon] = answer["balloons"].as_array().unwrap().as_slice() else {
        panic!("{answer:#}");
    };
    assert_eq!(balloon["call"], run.unwrap()["call"], "{answer:#}");
    assert_eq!(balloon["around"], serde_json::json!([main]), "{answer:#}");
    assert_eq!(
        (&balloon["line"], &balloon["needed"]),
        (&12.into(), &"active != 0".into())
    );
    let at = balloon["at"].as_str().unwrap().replace('+', "%2B");
    let stack = served.ask(&format!("stack?at={at}"));
    assert_eq!(stack["frames"][0]["line"], 12);
    let bad = served.get("api/undone?what=nobody");
    assert_eq!(bad.status, 400, "{}", bad.body);
    let none = served.get("api/undone?what=%23999999");
    assert_eq!(none.status, 404, "{}", none.body);
}

/// The same, clicked.
#[test]
#[ignore = "long: needs Chromium, and two packages of npm"]
fn balloons_are_clicked() {
    let directory = TempDir::new().unwrap();
    let served = Served::of(&record_file_lister(directory.path()), &[]);
    click_through(&served.address(), "balloons.mjs");
}

/// Clicks through a page by one of the files of `tests/browser`.
fn click_through(address: &str, clicks: &str) {
    let browser = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let place = TempDir::new().unwrap();
    for file in ["package.json", "page.mjs", clicks] {
        std::fs::copy(browser.join(file), place.path().join(file)).unwrap();
    }
    let npm = run(Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--ignore-scripts"])
        .current_dir(place.path()));
    assert!(npm.status.success(), "{}", stderr(&npm));
    let clicked = run(Command::new("node")
        .arg(clicks)
        .arg(address)
        .current_dir(place.path()));
    assert!(clicked.status.success(), "{}", stderr(&clicked));
}

/// The same, clicked, in a real browser, with the rules for who cannot see or use a mouse.
#[test]
#[ignore = "long: needs Chromium, and two packages of npm"]
fn merge_sort_is_clicked_through() {
    let directory = TempDir::new().unwrap();
    click_through(&merge_sort(directory.path()).address(), "merge-sort.mjs");
}

/// The page as one file is the same to whoever clicks, without a server and without the trace.
#[test]
#[ignore = "long: needs Chromium, and two packages of npm"]
fn a_page_in_one_file_is_clicked_through() {
    let directory = TempDir::new().unwrap();
    let trace = record_merge_sort(directory.path());
    let page = in_one_file(&trace);
    std::fs::remove_file(&trace).unwrap();
    click_through(&format!("file://{}", page.display()), "merge-sort.mjs");
}

/// So is that of a report, with the report in it.
#[test]
#[ignore = "long: needs Chromium, and two packages of npm"]
fn a_report_in_one_file_leads_into_the_run() {
    let directory = TempDir::new().unwrap();
    let page = in_one_file(&report(directory.path()));
    click_through(&format!("file://{}", page.display()), "report.mjs");
}

fn in_one_file(of: &Path) -> PathBuf {
    let page = of.with_extension("html");
    let written = run(jinsi()
        .arg("view")
        .arg(of)
        .arg("--html")
        .arg(&page)
        .args(["--source", SOURCES]));
    assert!(written.status.success(), "{}", stderr(&written));
    page
}

/// It is its owner's, has the answers in it, and names no other file. A large run has none.
#[test]
fn a_page_is_one_file() {
    let directory = TempDir::new().unwrap();
    let trace = record_merge_sort(directory.path());
    let page = in_one_file(&trace);
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("id=\"answers\"") && !text.contains("src=\"main.js\""));
    assert_eq!(mode(&std::fs::metadata(&page).unwrap()), 0o600);
    let refused = run(jinsi()
        .arg("view")
        .arg(&trace)
        .args(["--html", "/nowhere/at/all.html"]));
    has(&stderr(&refused), "/nowhere/at/all.html");
    let elsewhere = TempDir::new().unwrap();
    let large = cut(elsewhere.path());
    let refused = run(jinsi()
        .arg("view")
        .arg(&large)
        .arg("--html")
        .arg(directory.path().join("large.html")));
    has(&stderr(&refused), "at most 1000");
}

/// From a failure in a library to the value that made it fail, in a few clicks.
#[test]
#[ignore = "long: needs Chromium, and two packages of npm"]
fn a_wrong_value_is_clicked_to_where_it_came_from() {
    let jdk = jdks().remove(0);
    let directory = TempDir::new().unwrap();
    let trace = directory.path().join("t.jinsi");
    let output = run(jinsi()
        .args(["record", "--detail", "states", "-o"])
        .arg(&trace)
        .args(["--observe", "jod3.*:org.joda.time.*", "--"])
        .arg(jdk.java())
        .arg("-Duser.timezone=America/Los_Angeles")
        .args(["-cp", &jod3(), "jod3.Jod3"]));
    assert!(trace.is_file(), "{}", stderr(&output));
    click_through(&Served::of(&trace, &[]).address(), "jod3.mjs");
}

/// What is there of a trace that was cut off is shown, and the gap is named.
#[test]
fn a_gap_is_named_on_the_page() {
    let directory = TempDir::new().unwrap();
    let served = Served::of(&cut(directory.path()), &[]);
    let run = served.ask("run");
    let remarks = run["remarks"].as_array().unwrap();
    let is_gap = |text: &Value| {
        let text = text.as_str().unwrap();
        text.starts_with("The trace is damaged in ")
    };
    assert!(remarks.iter().any(is_gap), "{run:#}");
    assert!(!rows(&served.ask("calls?thread=0")).is_empty());
}
