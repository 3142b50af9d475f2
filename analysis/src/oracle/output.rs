//! What recorded code has written: to standard output, to files, to sockets.

use jinsi_trace::model::{Content, Prim, Value};

use crate::history::{History, NodeKind};
use crate::level::NodeNo;

/// What is written to these stays in memory.
const MEMORY: [&str; 3] = [
    "java/io/ByteArrayOutputStream",
    "java/io/CharArrayWriter",
    "java/io/StringWriter",
];

/// What one call writes, as the worker's `Output` has it; `None` if it writes nothing, or only to memory.
fn written(history: &History, n: NodeNo) -> Option<String> {
    let into = history.class_of_value(history.receiver(n));
    if history.node(n).kind != NodeKind::Call || into.is_some_and(|class| MEMORY.contains(&class)) {
        return None;
    }
    let site = history.site(n)?;
    let class = site.target.owner.strip_prefix("java/io/")?;
    if !class.ends_with("Stream") && !class.ends_with("Writer") {
        return None;
    }
    let args = history.args(n);
    let first = || args.first().map(|value| shown(history, n, value));
    match site.target.name.as_str() {
        "println" => Some(first().unwrap_or_default() + "\n"),
        "print" => first(),
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

/// The call that writes the last of the first occurrence of `text`.
pub(super) fn writes(history: &History, text: &str) -> Option<NodeNo> {
    let mut all = String::new();
    // Where what each call wrote ends.
    let mut ends: Vec<(usize, NodeNo)> = Vec::new();
    for n in 0..history.len() {
        if let Some(more) = written(history, n) {
            all.push_str(&more);
            ends.push((all.len(), n));
        }
    }
    let end = all.find(text)? + text.len();
    let at = ends.partition_point(|(behind, _)| *behind < end);
    ends.get(at).map(|(_, n)| *n)
}
