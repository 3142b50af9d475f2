//! What recorded code has written: to standard output, to files, to sockets.

use jinsi_trace::model::{Content, ObjectId, Prim, Value};

use super::format::{self, Argument};
use super::writing::Writing;
use super::wrong::WrongOutput;
use jinsi_history::NodeNo;
use jinsi_history::{History, NodeKind};

/// What is written to these stays in memory.
const MEMORY: [&str; 3] = [
    "java/io/ByteArrayOutputStream",
    "java/io/CharArrayWriter",
    "java/io/StringWriter",
];

/// Whole files are written by its static methods.
const FILES: &str = "java/nio/file/Files";

/// What one call writes, as the worker's `Output` has it; `None` if it writes nothing, or only to memory.
fn written(history: &History, n: NodeNo) -> Option<String> {
    let into = history.class_of_value(history.receiver(n));
    if history.node(n).kind != NodeKind::Call || into.is_some_and(|class| MEMORY.contains(&class)) {
        return None;
    }
    let site = history.site(n)?;
    if site.target.owner == FILES {
        return to_file(history, n, &site.target.name);
    }
    let class = site.target.owner.strip_prefix("java/io/")?;
    if !class.ends_with("Stream") && !class.ends_with("Writer") {
        return None;
    }
    let args = history.args(n);
    let first = || args.first().map(|value| shown(history, n, value));
    match site.target.name.as_str() {
        "println" => Some(first().unwrap_or_default() + "\n"),
        "print" => first(),
        "printf" | "format" => by_format(history, n),
        "write" | "append" => match args {
            [Value::Prim(Prim::Int(unit))] => Some(String::from_utf16_lossy(&[*unit as u16])),
            [
                _,
                Value::Prim(Prim::Int(from)),
                Value::Prim(Prim::Int(second)),
            ] => {
                let length = match site.target.name.as_str() {
                    "append" => second - from,
                    _ => *second,
                };
                let text = first()?;
                let units = text.chars().skip(usize::try_from(*from).ok()?);
                Some(units.take(usize::try_from(length).ok()?).collect())
            }
            _ => first(),
        },
        _ => None,
    }
}

/// What `Files.write` and `writeString` write.
fn to_file(history: &History, n: NodeNo, method: &str) -> Option<String> {
    let what = history.args(n).get(1)?;
    match (method, what) {
        ("writeString", _) => Some(shown(history, n, what)),
        ("write", Value::Object(id)) => match lines(history, *id, n) {
            Some(lines) => Some(lines.iter().map(|l| shown(history, n, l) + "\n").collect()),
            None => Some(shown(history, n, what)),
        },
        _ => None,
    }
}

/// The elements of a collection.
fn lines(history: &History, id: ObjectId, n: NodeNo) -> Option<&[Value]> {
    match &history.snapshot_at(id, history.node(n).begin)?.content {
        Content::Elements(lines) => Some(lines),
        _ => None,
    }
}

/// What a call of `printf` or `format` writes, with a locale or without.
fn by_format(history: &History, n: NodeNo) -> Option<String> {
    let [.., Value::Str(format), Value::Object(array)] = history.args(n) else {
        return None;
    };
    let Some(Content::Array(values)) = history.array_at(*array, history.node(n).begin) else {
        return None;
    };
    let argument = |value: &Value| Argument {
        prim: match value {
            Value::Prim(prim) | Value::Boxed(prim) => Some(*prim),
            _ => None,
        },
        text: shown(history, n, value),
    };
    let arguments: Vec<Argument> = values.iter().map(argument).collect();
    format::formatted(&format.to_string(), &arguments)
}

/// A value as it is written; objects of which the program decides have no text here.
fn shown(history: &History, n: NodeNo, value: &Value) -> String {
    let at = history.node(n).begin;
    let units = |values: &[Value]| -> String {
        let unit = |value: &Value| match value {
            Value::Prim(Prim::Char(unit)) => Some(*unit),
            Value::Prim(Prim::Byte(byte)) => Some(u16::from(*byte as u8)),
            _ => None,
        };
        let units: Vec<u16> = values.iter().filter_map(unit).collect();
        String::from_utf16_lossy(&units)
    };
    match value {
        Value::Object(id) => match history.array_at(*id, at) {
            Some(Content::Array(values)) => units(&values),
            _ => super::text::of(history, value, at).unwrap_or_default(),
        },
        _ => super::text::of(history, value, at).unwrap_or_default(),
    }
}

/// What was written, and where what each call wrote ends.
#[derive(Default)]
struct Written {
    text: String,
    ends: Vec<(usize, NodeNo)>,
}

impl Written {
    /// All that was.
    fn of(history: &History) -> Self {
        let mut all = Self::default();
        for n in history.numbers() {
            if let Some(more) = written(history, n) {
                all.add(n, &more);
            }
        }
        all
    }

    /// The same apart for each stream or writer, in the order in which they were first written to.
    fn by_stream(history: &History) -> Vec<Self> {
        let mut streams: Vec<(&Value, Self)> = Vec::new();
        for n in history.numbers() {
            let Some(more) = written(history, n) else {
                continue;
            };
            // Of a static method that writes a whole file, the file.
            let stream = match history.receiver(n) {
                Value::Null => history.args(n).first().unwrap_or(&Value::Null),
                stream => stream,
            };
            let known = streams.iter().position(|(s, _)| *s == stream);
            let at = known.unwrap_or_else(|| {
                streams.push((stream, Self::default()));
                streams.len() - 1
            });
            streams[at].1.add(n, &more);
        }
        streams.into_iter().map(|(_, written)| written).collect()
    }

    fn add(&mut self, n: NodeNo, more: &str) {
        self.text.push_str(more);
        self.ends.push((self.text.len(), n));
    }

    /// The call that wrote the last of what ends here.
    fn last(&self, end: usize) -> Option<NodeNo> {
        let at = self.ends.partition_point(|(behind, _)| *behind < end);
        self.ends.get(at).map(|(_, node)| *node)
    }

    /// The number of the first line that is another one than in `expected`, if one is, and the call that ends it.
    fn differs(&self, expected: &[&str]) -> Option<(usize, &str, NodeNo)> {
        let mut lines = self.text.lines().enumerate();
        let (number, line) = lines.find(|(at, line)| expected.get(*at) != Some(line))?;
        let before: usize = self
            .text
            .split_inclusive('\n')
            .take(number)
            .map(str::len)
            .sum();
        Some((number, line, self.last(before + line.len())?))
    }
}

/// Where it is first written what should not be.
pub(super) fn writes(history: &History, wrong: Writing) -> Option<WrongOutput> {
    let all = Written::of(history);
    let found = wrong.find(&all.text)?;
    Some(WrongOutput {
        node: all.last(found.end)?,
        text: all.text[found].to_owned(),
        wrong,
        expected: None,
    })
}

/// The first line that is written and is another one in `expected`, on the stream or writer that has the most lines before it.
pub(super) fn differs(history: &History, expected: &str) -> Option<WrongOutput> {
    let expected: Vec<&str> = expected.lines().collect();
    let streams = Written::by_stream(history);
    let differing = streams.iter().filter_map(|s| s.differs(&expected));
    let (number, line, node) = differing.rev().max_by_key(|(number, ..)| *number)?;
    (!line.is_empty()).then(|| WrongOutput {
        node,
        text: line.to_owned(),
        wrong: Writing::Text(line.to_owned()),
        expected: expected.get(number).map(|line| (*line).to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_history::script::history;

    const RUN: &str = "
        class Main
        obj #1 java/io/PrintStream
        obj #2 java/io/PrintWriter
        s> Main.main()V
          call java/io/PrintStream.println(Ljava/lang/String;)V #1 \"a\"
          ret
          call java/io/PrintWriter.println(Ljava/lang/String;)V #2 \"x\"
          ret
          call java/io/PrintStream.print(Ljava/lang/String;)V #1 \"b\"
          ret
          call java/io/PrintStream.println(I)V #1 5
          ret
        <";

    #[test]
    fn formats_and_files_are_written_too() {
        let h = history(
            "
            class Main
            obj #1 java/io/PrintStream
            arr #2 [Ljava/lang/Object; 2
            content #2 array box:7 \"x\"
            obj #3 java/nio/file/Path
            s> Main.main()V
              call java/io/PrintStream.printf(Ljava/lang/String;[Ljava/lang/Object;)Ljava/io/PrintStream; #1 \"<%03d|%s>\" #2
              ret #1
              calls java/nio/file/Files.writeString(Ljava/nio/file/Path;Ljava/lang/CharSequence;[Ljava/nio/file/OpenOption;)Ljava/nio/file/Path; #3 \"whole\" null
              ret #3
            <",
        );
        for text in ["<007|x>", "whole"] {
            assert_eq!(writes(&h, Writing::Text(text.into())).unwrap().text, text);
        }
    }

    #[test]
    fn streams_are_compared_each_for_itself() {
        let h = history(RUN);
        let found = |expected: &str| {
            let wrong = differs(&h, expected)?;
            let place = h.member(wrong.node)?;
            Some((wrong.text, wrong.expected, place.desc.to_string()))
        };
        let five = ("b5".into(), Some("b6".into()), "(I)V".into());
        assert_eq!(found("a\nb6\n"), Some(five));
        // The other one has more than there should be.
        let text = "(Ljava/lang/String;)V".to_owned();
        assert_eq!(
            found("a\nb5\n"),
            Some(("x".into(), Some("a".into()), text.clone()))
        );
        let second = (Some("y".to_owned()), text);
        assert_eq!(found("y\n"), Some(("a".into(), second.0, second.1)));
        assert_eq!(
            writes(&h, Writing::Text("x\nb".into())).unwrap().text,
            "x\nb"
        );
    }

    #[test]
    fn texts_and_patterns_are_found() {
        let text = Writing::Text("b".into());
        assert_eq!(text.find("abc"), Some(1..2));
        assert!(!text.is_in("ac"));
        let pattern = Writing::pattern("[0-9]+$").unwrap();
        assert!(pattern.is_in("a12") && !pattern.is_in("12a"));
        assert_eq!(pattern, Writing::pattern("[0-9]+$").unwrap());
        assert_ne!(pattern, Writing::Text("[0-9]+$".into()));
        assert!(Writing::pattern("(").is_err());
    }
}
