//! Values as text, whole, so that they can be compared.

pub(crate) use jinsi_answers::dotted;
use jinsi_inspect::Seen;
use jinsi_trace::model::{Content, ObjectId, Prim, Value};
use jinsi_trace::reader::Trace;

use crate::cell::Cell;

/// A value, as in Java; of an object its number.
pub(crate) fn text(trace: &Trace, value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Prim(prim) | Value::Boxed(prim) => number(*prim),
        Value::Str(text) => quoted(&text.to_string(), '"'),
        Value::Class(no) => {
            let name = trace.class(*no).map(|class| dotted(&class.name));
            format!("{}.class", name.as_deref().unwrap_or("?"))
        }
        Value::Object(id) => format!("#{id}"),
    }
}

/// The object that it is.
pub(crate) fn object(value: &Value) -> Option<ObjectId> {
    match value {
        Value::Object(id) => Some(*id),
        _ => None,
    }
}

/// Values with commas between.
pub(crate) fn list<'a>(trace: &Trace, values: impl IntoIterator<Item = &'a Value>) -> String {
    let texts = values.into_iter().map(|value| text(trace, value));
    texts.collect::<Vec<_>>().join(", ")
}

/// What is known of a value: its text, and the object that it is. Nothing if it is not known.
pub(crate) fn seen(trace: &Trace, seen: &Seen) -> (Cell<'static>, Cell<'static>) {
    match seen {
        Seen::Known(value) => (text(trace, value).into(), object(value).into()),
        Seen::Fresh { class, .. } => (format!("new {}", dotted(class)).into(), Cell::Null),
        Seen::Unknown(_) => (Cell::Null, Cell::Null),
    }
}

/// What an object holds.
pub(crate) fn content(trace: &Trace, content: &Content) -> String {
    match content {
        Content::Text(text) => quoted(&text.to_string(), '"'),
        Content::TooLarge { len } => format!("{len} elements"),
        Content::Array(values) | Content::Elements(values) => {
            format!("[{}]", list(trace, values))
        }
        Content::Entries(values) => {
            let pair = |pair: &[Value]| {
                let texts: Vec<String> = pair.iter().map(|v| text(trace, v)).collect();
                texts.join("=")
            };
            let pairs: Vec<String> = values.chunks(2).map(pair).collect();
            format!("{{{}}}", pairs.join(", "))
        }
        Content::Fields(fields) => {
            let field = |(field, value): (&jinsi_trace::model::FieldName, &Value)| {
                format!("{}={}", field.name, text(trace, value))
            };
            let fields: Vec<String> = fields.iter().map(field).collect();
            format!("{{{}}}", fields.join(", "))
        }
    }
}

fn number(value: Prim) -> String {
    match value {
        Prim::Boolean(v) => v.to_string(),
        Prim::Byte(v) => v.to_string(),
        Prim::Short(v) => v.to_string(),
        Prim::Int(v) => v.to_string(),
        Prim::Long(v) => v.to_string(),
        Prim::Float(v) => float(format!("{v:?}")),
        Prim::Double(v) => float(format!("{v:?}")),
        Prim::Char(v) => match char::from_u32(v.into()) {
            Some(c) => quoted(&c.to_string(), '\''),
            None => format!("'\\u{v:04x}'"),
        },
    }
}

/// As Java has infinities.
fn float(text: String) -> String {
    match text.as_str() {
        "inf" => "Infinity".to_owned(),
        "-inf" => "-Infinity".to_owned(),
        _ => text,
    }
}

pub(crate) fn quoted(text: &str, quote: char) -> String {
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_tell_values_apart() {
        assert_eq!(quoted("null", '"'), "\"null\"");
        assert_eq!(quoted("a\"\n\u{7}", '"'), "\"a\\\"\\n\\u0007\"");
        assert_eq!(number(Prim::Char(39)), "'\\''");
        assert_eq!(number(Prim::Double(f64::INFINITY)), "Infinity");
        assert_eq!(number(Prim::Double(1.0)), "1.0");
        assert_eq!(dotted("[[Ljava/lang/String;"), "java.lang.String[][]");
    }
}
