//! What a call printed, as text.

use std::fmt::Write;

use jinsi_inspect::Printed;
use jinsi_trace::model::{Prim, Value};

/// The text; nothing if some of it is not known.
pub(crate) fn text<'a>(all: impl Iterator<Item = &'a Printed>) -> Option<String> {
    let mut text = String::new();
    for printed in all {
        match (printed.method.as_str(), printed.arguments.as_slice()) {
            ("print" | "println", []) => {}
            ("print" | "println", [value]) => add(&mut text, value)?,
            _ => return None,
        }
        if printed.method == "println" {
            text.push('\n');
        }
    }
    Some(text)
}

fn add(text: &mut String, value: &Value) -> Option<()> {
    let written = match value {
        Value::Null => write!(text, "null"),
        Value::Str(string) => write!(text, "{string}"),
        Value::Prim(prim) | Value::Boxed(prim) => match prim {
            Prim::Boolean(b) => write!(text, "{b}"),
            Prim::Byte(n) => write!(text, "{n}"),
            Prim::Short(n) => write!(text, "{n}"),
            Prim::Int(n) => write!(text, "{n}"),
            Prim::Long(n) => write!(text, "{n}"),
            Prim::Char(c) => write!(text, "{}", String::from_utf16_lossy(&[*c])),
            // Java writes them otherwise.
            Prim::Float(_) | Prim::Double(_) => return None,
        },
        Value::Class(_) | Value::Object(_) => return None,
    };
    written.ok()
}
