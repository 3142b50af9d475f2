//! Reads the XML reports that the JUnit console launcher writes (the format of Ant and Surefire), as far as it is needed here.

use roxmltree::{Document, Node};

use super::outcomes::{Failure, Frame, JunitResult, TestOutcome};

/// The tests in one report, in the order they were run.
pub(super) fn parse(xml: &str) -> Result<Vec<TestOutcome>, roxmltree::Error> {
    let document = Document::parse(xml)?;
    Ok(document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
        .map(outcome)
        .collect())
}

fn outcome(testcase: Node<'_, '_>) -> TestOutcome {
    let child = |names: [&str; 2]| {
        testcase
            .children()
            .find(|node| names.iter().any(|name| node.has_tag_name(*name)))
    };
    let result = if let Some(node) = child(["failure", "error"]) {
        JunitResult::Failed(failure(node))
    } else if let Some(node) = child(["skipped", "disabled"]) {
        JunitResult::Skipped(text_of(node))
    } else {
        JunitResult::Passed
    };
    let name = testcase.attribute("name").unwrap_or_default();
    TestOutcome {
        class: testcase
            .attribute("classname")
            .unwrap_or_default()
            .to_owned(),
        method: name.strip_suffix("()").unwrap_or(name).to_owned(),
        result,
    }
}

fn failure(node: Node<'_, '_>) -> Failure {
    let exception = node.attribute("type").unwrap_or_default().to_owned();
    let trace = text_of(node);
    let (head, frames) = take_apart(&trace);
    // The attribute would do, but XML parsers turn the line breaks in attributes into blanks.
    let message = match head.strip_prefix(exception.as_str()) {
        Some("") => None,
        Some(rest) if rest.starts_with(": ") => Some(rest[2..].to_owned()),
        _ => node.attribute("message").map(unescape),
    };
    Failure {
        exception,
        message,
        frames,
        trace,
    }
}

/// What a printed stack trace says of the causes, each with the frames that it does not share with the one before.
pub fn causes(trace: &str) -> Vec<Failure> {
    let parts = trace.split("\nCaused by: ").skip(1);
    parts
        .map(|part| {
            let (head, frames) = take_apart(part);
            let (exception, message) = match head.split_once(": ") {
                Some((exception, message)) => (exception, Some(message.to_owned())),
                None => (head, None),
            };
            Failure {
                exception: exception.trim().to_owned(),
                message,
                frames,
                trace: part.to_owned(),
            }
        })
        .collect()
}

/// Splits a printed stack trace into what comes before the first frame, and the frames of the exception itself (not of its causes).
fn take_apart(trace: &str) -> (&str, Vec<Frame>) {
    let Some(start) = trace.find("\n\tat ") else {
        let end = trace.find("\nCaused by: ").unwrap_or(trace.len());
        return (trace[..end].trim_end(), Vec::new());
    };
    let lines = trace[start + 1..].lines();
    let frames = lines
        .map_while(|line| line.strip_prefix("\tat "))
        .filter_map(frame)
        .collect();
    (&trace[..start], frames)
}

/// Reads `[loader/][module[@version]/]class.method(source)` as `java.lang.StackTraceElement.toString` writes it.
fn frame(text: &str) -> Option<Frame> {
    let (called, source) = text.trim_end().strip_suffix(')')?.split_once('(')?;
    // A slash also stands inside the names of hidden classes, then before an address.
    let is_separator = |&(at, _): &(usize, &str)| !called[at + 1..].starts_with("0x");
    let start = called
        .rmatch_indices('/')
        .find(is_separator)
        .map_or(0, |(at, _)| at + 1);
    let (class, method) = called[start..].rsplit_once('.')?;
    let (file, line) = match source.rsplit_once(':') {
        Some((file, line)) => (Some(file.to_owned()), line.parse().unwrap_or(0)),
        None if source == "Native Method" || source == "Unknown Source" => (None, 0),
        None => (Some(source.to_owned()), 0),
    };
    Some(Frame {
        class: class.to_owned(),
        method: method.to_owned(),
        file,
        line,
    })
}

/// All text directly inside a node, CDATA sections included.
fn text_of(node: Node<'_, '_>) -> String {
    let text: String = node
        .children()
        .filter_map(|child| child.is_text().then(|| child.text())?)
        .collect();
    unescape(&text)
}

/// Undoes what JUnit does to characters that XML 1.0 cannot hold: it writes them as a reference, but as text.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("&#") {
        let reference = rest[at + 2..].split_once(';');
        let character = reference
            .and_then(|(number, _)| char::from_u32(number.parse().ok()?))
            .filter(|c| not_in_xml(*c));
        out.push_str(&rest[..at]);
        match (character, reference) {
            (Some(character), Some((_, after))) => {
                out.push(character);
                rest = after;
            }
            _ => {
                out.push_str("&#");
                rest = &rest[at + 2..];
            }
        }
    }
    out + rest
}

/// Whether XML 1.0 has no way to write a character.
fn not_in_xml(c: char) -> bool {
    (c < ' ' && !matches!(c, '\t' | '\n' | '\r')) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame_of(text: &str) -> (String, String, Option<String>, i32) {
        let frame = frame(text).unwrap();
        (frame.class, frame.method, frame.file, frame.line)
    }

    #[test]
    fn causes_are_reported_with_their_own_frames() {
        let trace = "a.E: x\n\tat a.A.m(A.java:1)\nCaused by: b.F: y: z\n\tat b.B.n(B.java:2)\n\t... 1 more\nCaused by: c.G\n\tat c.C.o(C.java:3)\n";
        let found = causes(trace);
        let reported: Vec<_> = found
            .iter()
            .map(|f| (f.exception.as_str(), f.message.as_deref(), f.frames.len()))
            .collect();
        assert_eq!(reported, [("b.F", Some("y: z"), 1), ("c.G", None, 1)]);
    }

    #[test]
    fn frames() {
        let expect = |class: &str, method: &str, file: Option<&str>, line| {
            (
                class.to_owned(),
                method.to_owned(),
                file.map(str::to_owned),
                line,
            )
        };
        assert_eq!(
            frame_of("p.C$D.<init>(C.java:12)"),
            expect("p.C$D", "<init>", Some("C.java"), 12)
        );
        assert_eq!(
            frame_of("java.base/java.util.ArrayList.get(ArrayList.java:427)"),
            expect("java.util.ArrayList", "get", Some("ArrayList.java"), 427)
        );
        assert_eq!(
            frame_of("app//p.C.m(Native Method)"),
            expect("p.C", "m", None, 0)
        );
        assert_eq!(frame_of("C.m(Unknown Source)"), expect("C", "m", None, 0));
        assert_eq!(frame_of("C.m(C.java)"), expect("C", "m", Some("C.java"), 0));
        assert_eq!(
            frame_of("app//p.C$$Lambda/0x00007f.run(Unknown Source)"),
            expect("p.C$$Lambda/0x00007f", "run", None, 0)
        );
        assert_eq!(frame("... 4 more"), None);
        assert_eq!(frame("C.m(C.java:1"), None);
    }

    #[test]
    fn characters_that_xml_cannot_hold_come_back() {
        assert_eq!(
            unescape("a&#1;b &#x; &#65; &# &#31;"),
            "a\u{1}b &#x; &#65; &# \u{1f}"
        );
        assert_eq!(unescape("&#"), "&#");
    }

    #[test]
    fn every_kind_of_result() {
        let xml = "<testsuite name=\"x\">\
            <testcase name=\"ok()\" classname=\"p.T\" time=\"0\"><system-out>x</system-out></testcase>\
            <testcase name=\"off()\" classname=\"p.T\"><skipped><![CDATA[reason]]></skipped></testcase>\
            <testcase name=\"bad()\" classname=\"p.T\"><error message=\"a b\" type=\"p.E\"><![CDATA[p.E: a\n]]]]><![CDATA[>b\n\
            \tat p.C.m(C.java:7)\n\tat p.T.bad(T.java:9)\nCaused by: p.F\n\tat p.D.n(D.java:1)\n\t... 1 more\n]]></error></testcase>\
            <testcase name=\"plain\" classname=\"p.T\"><failure type=\"p.E\"><![CDATA[p.E\n\tat p.C.m(C.java:7)\n]]></failure></testcase>\
            <testcase name=\"own()\" classname=\"p.T\"><failure type=\"p.E\" message=\"m\"><![CDATA[own text\n\tat p.C.m(C.java:7)\n]]></failure></testcase>\
            </testsuite>";
        let outcomes = parse(xml).unwrap();
        let names: Vec<&str> = outcomes
            .iter()
            .map(|outcome| outcome.method.as_str())
            .collect();
        assert_eq!(names, ["ok", "off", "bad", "plain", "own"]);
        assert!(outcomes.iter().all(|outcome| outcome.class == "p.T"));
        assert_eq!(outcomes[0].result, JunitResult::Passed);
        assert_eq!(
            outcomes[1].result,
            JunitResult::Skipped("reason".to_owned())
        );
        let failure = |no: usize| match &outcomes[no].result {
            JunitResult::Failed(failure) => failure,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            (failure(2).exception.as_str(), failure(2).message.as_deref()),
            ("p.E", Some("a\n]]>b"))
        );
        let lines: Vec<i32> = failure(2).frames.iter().map(|frame| frame.line).collect();
        assert_eq!(lines, [7, 9]);
        assert_eq!(failure(3).message, None);
        assert_eq!(failure(4).message.as_deref(), Some("m"));
    }

    #[test]
    fn a_report_that_is_cut_off_is_an_error() {
        assert!(parse("<testsuite><testcase name=\"a\"").is_err());
        assert!(parse("").is_err());
    }
}
