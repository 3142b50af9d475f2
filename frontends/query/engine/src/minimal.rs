//! Minimal tests of runs: what `jinsi minimize` and `jinsi debug` found of a trace that is exported.
//!
//! Runs that fail alike have the same statements left, wherever they were recorded, so these are reported without what differs by accident: comments, the
//! name of the test, its package, and the room between the lines.

use std::fs;
use std::path::{Component, Path, PathBuf};

use rustc_hash::FxHashMap;
use serde::Deserialize;

use crate::error::QueryError;

/// The file of a report.
const REPORT: &str = "report.json";
/// Folders within folders that are looked into.
const DEEPEST: usize = 16;
/// The longest source that is read, in bytes: no test that is kept comes near.
const LONGEST: u64 = 1 << 20;

/// Of traces the tests that are recommended.
#[derive(Debug, Default)]
pub struct Minimal {
    of: FxHashMap<PathBuf, String>,
}

/// What of `report.json` counts here.
#[derive(Deserialize)]
struct Report {
    #[serde(default)]
    trace: String,
    #[serde(default)]
    keep: Option<String>,
}

impl Minimal {
    /// Reads reports: each path is a `report.json`, or a directory with some in it, however deep.
    ///
    /// # Errors
    /// A path is not there, or a file that it names is no report. Of a directory, what is no report is passed over.
    pub fn read(paths: &[PathBuf]) -> Result<Self, QueryError> {
        let mut minimal = Self::default();
        for path in paths {
            let is_directory = fs::metadata(path)
                .map_err(|e| QueryError::io(path, e))?
                .is_dir();
            match is_directory {
                true => minimal.below(path, DEEPEST),
                false => minimal.add(path)?,
            }
        }
        Ok(minimal)
    }

    /// Statements of the minimal test of a trace, a line each; `None` if no report has one. A report that lies beside the trace counts, too.
    pub fn of(&self, trace: &Path) -> Option<String> {
        let trace = fs::canonicalize(trace).ok()?;
        if let Some(known) = self.of.get(&trace) {
            return Some(known.clone());
        }
        let mut beside = Self::default();
        beside.add(&trace.parent()?.join(REPORT)).ok()?;
        beside.of.remove(&trace)
    }

    fn below(&mut self, directory: &Path, depth: usize) {
        let Ok(entries) = fs::read_dir(directory) else {
            return;
        };
        for entry in entries.flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth > 0 => self.below(&entry.path(), depth - 1),
                Ok(kind) if kind.is_file() && entry.file_name() == REPORT => {
                    let _ = self.add(&entry.path());
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, file: &Path) -> Result<(), QueryError> {
        let text = fs::read(file).map_err(|e| QueryError::io(file, e))?;
        let report: Report =
            serde_json::from_slice(&text).map_err(|e| QueryError::io(file, e.into()))?;
        let directory = file.parent().unwrap_or(Path::new("."));
        // Of a failure that the report has beside others, the trace is named from the other directory.
        let trace = fs::canonicalize(&report.trace);
        let (Ok(trace), Some(keep)) = (trace, report.keep) else {
            return Ok(());
        };
        let source = below(directory, &keep).and_then(|source| read(&source));
        if let Some(statements) = source.as_deref().and_then(statements) {
            self.of.insert(trace, statements);
        }
        Ok(())
    }
}

/// A path that does not lead out of a directory: a report may be somebody else's.
fn below(directory: &Path, path: &str) -> Option<PathBuf> {
    let path = Path::new(path);
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    path.components()
        .all(is_plain)
        .then(|| directory.join(path))
}

fn read(source: &Path) -> Option<String> {
    let is_short = fs::metadata(source).ok()?.len() <= LONGEST;
    is_short.then(|| fs::read_to_string(source).ok()).flatten()
}

/// Statements of the first test in a Java source, a line each.
fn statements(source: &str) -> Option<String> {
    let pieces = Pieces { rest: source };
    let mut out = String::new();
    // Before the test; within its head; within its body, with so many braces open.
    let (mut is_near, mut open) = (false, 0_usize);
    for piece in pieces {
        match (piece, open) {
            (Piece::Comment, _) => {}
            (Piece::Code(code), 0) if code.starts_with("@Test") => is_near = true,
            (Piece::Code(code), 0) => open = usize::from(is_near && code == "{"),
            (Piece::Literal(_), 0) => {}
            (Piece::Code("}"), 1) => break,
            (Piece::Code(code), _) => {
                match code {
                    "{" => open += 1,
                    "}" => open -= 1,
                    _ => {}
                }
                out.push_str(code);
            }
            (Piece::Literal(text), _) => out.push_str(text),
        }
    }
    let lines = out.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A piece of Java source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'a> {
    /// A brace; or what is between braces, literals, comments and annotations.
    Code(&'a str),
    /// A string, a text block, or a character.
    Literal(&'a str),
    Comment,
}

struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let rest = self.rest;
        let first = rest.chars().next()?;
        let (piece, length): (fn(&'a str) -> Piece<'a>, usize) = if rest.starts_with("//") {
            (|_| Piece::Comment, rest.find('\n').unwrap_or(rest.len()))
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let end = comment.find("*/").map_or(rest.len(), |end| end + 4);
            (|_| Piece::Comment, end)
        } else if rest.starts_with("\"\"\"") {
            (Piece::Literal, closed(rest, "\"\"\""))
        } else if first == '"' {
            (Piece::Literal, closed(rest, "\""))
        } else if first == '\'' {
            (Piece::Literal, closed(rest, "'"))
        } else {
            let behind = first.len_utf8();
            let ends = |c: char| matches!(c, '{' | '}' | '/' | '"' | '\'' | '@');
            let length = match first {
                '{' | '}' => behind,
                _ => rest[behind..]
                    .find(ends)
                    .map_or(rest.len(), |at| at + behind),
            };
            (Piece::Code, length)
        };
        let (text, rest) = rest.split_at(length);
        self.rest = rest;
        Some(piece(text))
    }
}

/// Length of a literal, with the marks around it.
fn closed(text: &str, mark: &str) -> usize {
    let mut at = mark.len();
    while let Some(rest) = text.get(at..) {
        if rest.starts_with(mark) {
            return at + mark.len();
        }
        let Some(next) = rest.chars().next() else {
            break;
        };
        at += next.len_utf8();
        if next == '\\' {
            at += rest[1..].chars().next().map_or(0, char::len_utf8);
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r#"package a;

class AccountLevel1Test {

    private final String brace = "@Test {";

    /**
     * Fails as the recorded run did: @Test { }.
     */
    @Test
    @SuppressWarnings("cast")
    void withdrawDoesNotThrow() {
        // The failure needs this.
        Account account = new Account("Ada } /* \" */", '"');

        if (account.open()) {
            account.withdraw(17); /* all of it */
        }
        account.note("""
            a "quoted" }
            """);
    }

    @Test
    void another() {
        other();
    }
}
"#;

    #[test]
    fn statements_are_those_of_the_test() {
        let reported = statements(SOURCE).unwrap();
        let wanted = "Account account = new Account(\"Ada } /* \\\" */\", '\"');\nif (account.open()) {\naccount.withdraw(17);\n}\n\
            account.note(\"\"\"\na \"quoted\" }\n\"\"\");";
        assert_eq!(reported, wanted);
        let elsewhere = SOURCE
            .replace("package a", "package b")
            .replace("Level1", "Level2")
            .replace("    ", "\t");
        assert_eq!(statements(&elsewhere).unwrap(), wanted);
        assert_eq!(statements("class Empty { @Test void none() {} }"), None);
        assert_eq!(
            statements("class Cut { @Test void cut() { a(\"b"),
            Some("a(\"b".into())
        );
        assert_eq!(statements(""), None);
    }

    #[test]
    fn reports_say_of_which_trace_they_are() {
        let directory = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| directory.path().join(name));
        for place in [&one, &other] {
            fs::create_dir_all(place.join("tests")).unwrap();
            fs::write(place.join("trace.jinsi"), "").unwrap();
            fs::write(place.join("tests/ATest.java"), SOURCE).unwrap();
        }
        let report = |place: &Path, keep: &str| {
            let report = serde_json::json!({ "trace": place.join("trace.jinsi"), "keep": keep });
            fs::write(place.join(REPORT), report.to_string()).unwrap();
        };
        report(&one, "tests/ATest.java");
        // It leads out of its directory.
        report(&other, "../one/tests/ATest.java");
        let minimal = Minimal::read(&[directory.path().to_owned()]).unwrap();
        assert_eq!(minimal.of(&one.join("trace.jinsi")), statements(SOURCE));
        assert_eq!(minimal.of(&other.join("trace.jinsi")), None);
        assert_eq!(minimal.of(&directory.path().join("none.jinsi")), None);
        // One beside the trace need not be named.
        let beside = Minimal::default().of(&one.join("../one/trace.jinsi"));
        assert_eq!(beside, statements(SOURCE));
        fs::write(other.join(REPORT), "{").unwrap();
        assert!(Minimal::read(&[directory.path().to_owned()]).is_ok());
        assert!(Minimal::read(&[other.join(REPORT)]).is_err());
        assert!(Minimal::read(&[directory.path().join("absent")]).is_err());
    }
}
