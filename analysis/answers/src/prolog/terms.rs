//! Values and names as Prolog terms.

use jinsi_history::describe::Describer;
use jinsi_inspect::{Holds, Inspector, Moment, Seen, Variable};
use jinsi_trace::model::{Content, ObjectId, Prim, Value};

use crate::said::dotted;

/// Elements of a data structure that a fact has; behind them stands `'...'`.
const ELEMENTS: usize = 1000;

/// Writes terms of one run.
pub(super) struct Terms<'a, 't> {
    pub(super) inspector: &'a Inspector<'t>,
    describer: Describer<'t>,
}

impl<'a, 't> Terms<'a, 't> {
    pub(super) fn new(inspector: &'a Inspector<'t>) -> Self {
        Self {
            inspector,
            describer: Describer::new(inspector.trace()),
        }
    }

    /// `o('com.foo.Bar', 42)`.
    pub(super) fn object(&self, id: ObjectId) -> String {
        let known = self.inspector.class_of(id).map(dotted);
        let throwable = || {
            let def = self.inspector.trace().throwable(id);
            def.map(|def| def.class.clone())
        };
        let class = known.or_else(throwable).unwrap_or_else(|| "?".to_owned());
        format!("o({},{id})", atom(&class))
    }

    pub(super) fn seen(&self, seen: &Seen) -> String {
        match seen {
            Seen::Known(value) => self.value(value),
            Seen::Fresh { class, .. } => format!("o({},unnamed)", atom(&dotted(class))),
            Seen::Unknown(_) => "unknown".to_owned(),
        }
    }

    pub(super) fn value(&self, value: &Value) -> String {
        match value {
            Value::Null => "null".to_owned(),
            Value::Prim(prim) | Value::Boxed(prim) => number(*prim),
            Value::Str(text) => string(&text.to_string()),
            Value::Class(_) => format!("class({})", atom(&self.describer.value(value))),
            Value::Object(id) => self.object(*id),
        }
    }

    /// What an array or a container holds at a moment, as a list; `None` if it is neither, or that is not known.
    pub(super) fn contents(&self, id: ObjectId, at: Moment) -> Option<String> {
        let most = ELEMENTS as u32;
        let object = self.inspector.object(id, at, 0..most).ok()?;
        let (mut terms, count): (Vec<String>, usize) = match &object.holds {
            Holds::Elements(elements, length) => {
                let terms = elements.iter().map(|(_, seen)| self.seen(seen));
                (terms.collect(), length.unwrap_or(0) as usize)
            }
            Holds::Content(Content::Elements(values) | Content::Array(values), _) => {
                let terms = values.iter().take(ELEMENTS).map(|v| self.value(v));
                (terms.collect(), values.len())
            }
            Holds::Content(Content::Entries(values), _) => {
                let pair = |pair: &[Value]| match pair {
                    [key, value] => format!("{}-{}", self.value(key), self.value(value)),
                    _ => "unknown".to_owned(),
                };
                let pairs = values.chunks(2).take(ELEMENTS).map(pair);
                (pairs.collect(), values.len() / 2)
            }
            _ => return None,
        };
        if count > ELEMENTS {
            terms.push("'...'".to_owned());
        }
        Some(format!("[{}]", terms.join(",")))
    }

    /// The member fields of a class, superclasses' instance fields first: `of(size),cf(count)`. Empty if it has none that are recorded.
    pub(super) fn fields(&self, class: &str) -> String {
        let mut chain = Vec::new();
        let mut next = Some(class);
        while let Some(name) = next.filter(|_| chain.len() < 256) {
            chain.push(name);
            let class = self.inspector.trace().class_by_name(name);
            next = class.and_then(|class| class.super_name.as_deref());
        }
        let mut terms = Vec::new();
        for (depth, name) in chain.iter().enumerate().rev() {
            for field in self.inspector.fields_of(name) {
                match field.is_static {
                    true if depth == 0 => terms.push(format!("cf({})", atom(&field.name))),
                    true => {}
                    false => terms.push(format!("of({})", atom(&field.name))),
                }
            }
        }
        terms.join(",")
    }

    /// Whose variable, and its name; `None` of an element.
    pub(super) fn field(&self, variable: &Variable) -> Option<(String, String)> {
        match variable {
            Variable::Field(id, field) => Some((self.object(*id), atom(&field.name))),
            Variable::Static(field) => Some((class(&field.class), atom(&field.name))),
            Variable::Element(..) => None,
        }
    }
}

/// `c('com.foo.Bar')`, of an internal name.
pub(super) fn class(internal: &str) -> String {
    format!("c({})", atom(&dotted(internal)))
}

/// `l('Bar.java',42)`.
pub(super) fn location(file: Option<&str>, line: u16) -> String {
    format!(
        "l({},{line})",
        file.map_or_else(|| "unknown".to_owned(), atom)
    )
}

/// An atom, without quotes where it needs none.
pub(super) fn atom(text: &str) -> String {
    let plain = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match plain {
        true => text.to_owned(),
        false => quoted(text, '\''),
    }
}

/// A Java string: a string, so that it is no atom.
pub(super) fn string(text: &str) -> String {
    quoted(text, '"')
}

fn quoted(text: &str, quote: char) -> String {
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() || c == '\u{feff}' => {
                out.push_str(&format!("\\x{:x}\\", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

fn number(value: Prim) -> String {
    match value {
        Prim::Boolean(v) => v.to_string(),
        Prim::Byte(v) => v.to_string(),
        Prim::Short(v) => v.to_string(),
        Prim::Int(v) => v.to_string(),
        Prim::Long(v) => v.to_string(),
        Prim::Char(v) => match char::from_u32(u32::from(v)) {
            Some(c) => quoted(&c.to_string(), '\''),
            None => format!("char({v})"),
        },
        Prim::Float(v) => float(f64::from(v)),
        Prim::Double(v) => float(v),
    }
}

fn float(value: f64) -> String {
    match value {
        v if v.is_nan() => "nan".to_owned(),
        v if v.is_infinite() && v > 0.0 => "inf".to_owned(),
        v if v.is_infinite() => "neginf".to_owned(),
        v => {
            let text = format!("{v:?}");
            // A float of Prolog has a point.
            match text.split_once('e') {
                Some((digits, exponent)) if !digits.contains('.') => {
                    format!("{digits}.0e{exponent}")
                }
                _ => text,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_atoms_and_texts_are_strings() {
        assert_eq!(atom("main"), "main");
        assert_eq!(atom("<init>"), "'<init>'");
        assert_eq!(atom("Example"), "'Example'");
        assert_eq!(atom("it's"), r"'it\'s'");
        assert_eq!(string("a\"b\\\n\u{1}"), "\"a\\\"b\\\\\\n\\x1\\\"");
    }

    #[test]
    fn numbers_are_numbers() {
        assert_eq!(number(Prim::Int(-3)), "-3");
        assert_eq!(number(Prim::Double(1e300)), "1.0e300");
        assert_eq!(number(Prim::Double(0.5)), "0.5");
        assert_eq!(number(Prim::Double(f64::NAN)), "nan");
        assert_eq!(number(Prim::Char(65)), "'A'");
    }
}
