//! Objects as a person would write them: `Product[sku=C3, category=null]`, `HEART`, `[1, 2]`.
//!
//! An object's number stands behind it only where nothing else tells it from another one.

use std::cell::Cell;

use jinsi_history::describe::{Describer, simple};
use jinsi_inspect::{Holds, Inspector, Moment, Seen};
use jinsi_trace::model::{Content, ObjectId, Value};

/// How deep objects are written within one another.
const DEPTH: usize = 2;
/// Fields, or elements, that are written of one object.
const PARTS: usize = 6;
/// Characters of an object, about. What is in it is left out behind them.
const WIDTH: usize = 120;
/// Objects that are looked into for one answer: each field has to be looked for in the trace.
const LOOKED_INTO: usize = 400;
/// Classes of the JDK whose text changes, and is quoted as a string is.
const TEXTS: [&str; 2] = ["java/lang/StringBuilder", "java/lang/StringBuffer"];

/// Writes objects of a run.
pub(crate) struct Readable<'a, 't> {
    inspector: &'a Inspector<'t>,
    left: Cell<usize>,
}

impl<'a, 't> Readable<'a, 't> {
    pub(crate) fn new(inspector: &'a Inspector<'t>) -> Self {
        Self {
            inspector,
            left: Cell::new(LOOKED_INTO),
        }
    }

    /// An object as it was at a moment.
    pub(crate) fn object(&self, id: ObjectId, moment: Moment) -> String {
        self.deep(id, moment, DEPTH)
    }

    fn deep(&self, id: ObjectId, moment: Moment, depth: usize) -> String {
        let class = self.inspector.class_of(id).unwrap_or("?");
        let simple = simple(class);
        if let Ok(Some(Content::Text(text))) = self.inspector.content_at(id, moment) {
            let text = text.to_string();
            return match TEXTS.contains(&class) {
                true => format!("{text:?}"),
                false => text,
            };
        }
        if depth == 0 {
            return simple;
        }
        let Some(left) = self.left.get().checked_sub(1) else {
            return format!("{simple} #{id}");
        };
        self.left.set(left);
        let parts = u32::try_from(PARTS).unwrap_or(u32::MAX);
        let Ok(state) = self.inspector.object(id, moment, 0..parts) else {
            return format!("{simple} #{id}");
        };
        let inner = |seen: &Seen| self.inner(seen, moment, depth - 1);
        match state.holds {
            Holds::Fields(fields, _) if fields.is_empty() => simple,
            Holds::Fields(fields, _) => {
                let all = fields.iter();
                let all = all.map(|(field, seen)| format!("{}={}", field.name, inner(seen)));
                format!("{simple}[{}]", joined(all, fields.len()))
            }
            Holds::Elements(elements, length) => {
                let length = length.map_or(elements.len(), |length| length as usize);
                let all = elements.iter().map(|(_, seen)| inner(seen));
                format!("[{}]", joined(all, length))
            }
            Holds::Content(content, at) => {
                let value = |value: &Value| inner(&Seen::Known(value.clone()));
                // Nobody records what the program does with it afterwards.
                format!("{simple}{}, as of {at}", contents(&content, value))
            }
            Holds::Opaque => simple,
        }
    }

    fn inner(&self, seen: &Seen, moment: Moment, depth: usize) -> String {
        match seen {
            Seen::Known(Value::Object(id)) => self.deep(*id, moment, depth),
            Seen::Known(Value::Str(text)) => bare(&text.to_string()),
            Seen::Known(value) => Describer::new(self.inspector.trace()).value(value),
            Seen::Fresh { class, .. } => format!("a new {}", simple(class)),
            Seen::Unknown(_) => "?".to_owned(),
        }
    }
}

/// The elements of a list, or the entries of a map.
fn contents(content: &Content, value: impl Fn(&Value) -> String) -> String {
    match content {
        Content::Entries(values) => {
            let pairs = values.chunks(2).map(|pair| {
                let pair: Vec<String> = pair.iter().map(&value).collect();
                pair.join("=")
            });
            format!("{{{}}}", joined(pairs, values.len() / 2))
        }
        Content::TooLarge { len } => format!("[{len} elements]"),
        content => {
            let values = content.values();
            format!("[{}]", joined(values.iter().map(value), values.len()))
        }
    }
}

/// The first parts of so many, and that there are more.
fn joined(parts: impl Iterator<Item = String>, of: usize) -> String {
    let mut text = String::new();
    for (no, part) in parts.take(PARTS).enumerate() {
        let comma = if no == 0 { "" } else { ", " };
        if text.chars().count() + part.chars().count() > WIDTH && no > 0 {
            return format!("{text}, …");
        }
        text = format!("{text}{comma}{part}");
    }
    match of > PARTS {
        true => format!("{text}, …"),
        false => text,
    }
}

/// A string within an object: as records write it, unless one could take it for something else.
fn bare(text: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || "_-./:@ ".contains(c);
    let is_plain = text.starts_with(char::is_alphabetic)
        && !text.ends_with(' ')
        && text.chars().all(is_word)
        && !["null", "true", "false"].contains(&text);
    match is_plain {
        true => text.to_owned(),
        false => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_quoted_where_they_could_be_something_else() {
        for plain in ["C3", "Ada Lovelace", "a@b.org"] {
            assert_eq!(bare(plain), plain);
        }
        for quoted in ["", "null", "true", "12", "a, b", "x=y", "a\nb", " a", "a "] {
            assert_eq!(bare(quoted), format!("{quoted:?}"));
        }
    }

    #[test]
    fn what_is_long_is_cut() {
        let parts = (0..9).map(|no| no.to_string());
        assert_eq!(joined(parts, 9), "0, 1, 2, 3, 4, 5, …");
        let long = ["a".repeat(WIDTH), "b".to_owned()];
        assert!(joined(long.into_iter(), 2).ends_with("a, …"));
        assert_eq!(joined(["x".to_owned()].into_iter(), 1), "x");
    }
}
