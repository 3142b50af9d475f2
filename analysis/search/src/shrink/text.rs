//! Texts as a person sees them: words, signs, and what is too short to be made shorter.

use std::cmp::Reverse;
use std::ops::Range;

use jinsi_trace::model::{Prim, Value};

/// UTF-16 units of a text that a reader takes in at a glance.
const SHORT: usize = 24;

/// Is the text short, and has nothing in it that is not seen?
pub(super) fn is_short(units: &[u16]) -> bool {
    let seen = |unit: &u16| char::from_u32(u32::from(*unit)).is_some_and(|c| !c.is_control());
    units.len() <= SHORT && units.iter().all(seen)
}

/// The words, runs of white space, and single signs that a text consists of, as ranges of its units. Halves of surrogate pairs belong to words.
pub(super) fn parts(units: &[u16]) -> Vec<Range<usize>> {
    let is_one = |a: &u16, b: &u16| kind(*a) == kind(*b) && kind(*a) != Kind::Sign;
    let mut end = 0;
    units
        .chunk_by(is_one)
        .map(|part| {
            end += part.len();
            end - part.len()..end
        })
        .collect()
}

/// What is picked by the ranges.
pub(super) fn picked<T: Clone>(all: &[T], ranges: &[Range<usize>]) -> Vec<T> {
    ranges
        .iter()
        .flat_map(|r| all[r.clone()].iter().cloned())
        .collect()
}

/// What stands between separators and brackets, each with a separator that would be one too many without it: `"a":1,` and `,"b":[2]` and
/// `2` of `{"a":1,"b":[2]}`. The longest come first. They are ranges of `parts`, which are ranges of `units`.
pub(super) fn clauses(units: &[u16], parts: &[Range<usize>]) -> Vec<Range<usize>> {
    let sign = |part: &Range<usize>| match &units[part.clone()] {
        [unit] => char::from_u32(u32::from(*unit)),
        _ => None,
    };
    let mut found = Vec::new();
    // Of each open bracket, where the clause in it begins, and whether a separator is in front of that.
    let mut open = vec![(0, false)];
    let mut quoted = false;
    for (at, part) in parts.iter().enumerate() {
        let sign = sign(part);
        quoted ^= sign == Some('"');
        let Some(sign) = sign.filter(|_| !quoted) else {
            continue;
        };
        match sign {
            '(' | '[' | '{' => open.push((at + 1, false)),
            ',' | ';' | '&' => {
                if let Some(last) = open.last_mut() {
                    found.push(last.0..at + 1);
                    *last = (at + 1, true);
                }
            }
            ')' | ']' | '}' if open.len() > 1 => {
                let last = open.pop();
                found.extend(last.map(|(from, behind)| from - usize::from(behind)..at));
            }
            _ => {}
        }
    }
    let rest = open.into_iter().filter(|(_, behind)| *behind);
    found.extend(rest.map(|(from, _)| from - 1..parts.len()));
    found.retain(|clause| !clause.is_empty());
    found.sort_by_key(|clause| Reverse(clause.len()));
    found
}

#[derive(PartialEq)]
enum Kind {
    Word,
    Space,
    Sign,
}

fn kind(unit: u16) -> Kind {
    match char::from_u32(u32::from(unit)) {
        Some(c) if c.is_whitespace() => Kind::Space,
        Some(c) if !c.is_alphanumeric() => Kind::Sign,
        _ => Kind::Word,
    }
}

/// The text that an array of bytes or characters holds, a unit an element; `None` if a person would take it for something else.
pub(super) fn units(values: &[Value]) -> Option<Vec<u16>> {
    let unit = |value: &Value| match value {
        Value::Prim(Prim::Byte(b)) => u16::try_from(*b).ok(),
        Value::Prim(Prim::Char(c)) => Some(*c),
        _ => None,
    };
    let units: Vec<u16> = values.iter().map(unit).collect::<Option<_>>()?;
    let written = |c: char| !c.is_control() || c.is_whitespace();
    let is_text = char::decode_utf16(units.iter().copied()).all(|c| c.is_ok_and(written));
    is_text.then_some(units)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units_of(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn a_text_consists_of_words_spaces_and_signs() {
        let text = units_of("<?xml v1='\u{1f600}'>  é");
        let parts: Vec<String> = parts(&text)
            .into_iter()
            .map(|part| String::from_utf16_lossy(&text[part]))
            .collect();
        assert_eq!(
            parts,
            [
                "<",
                "?",
                "xml",
                " ",
                "v1",
                "=",
                "'",
                "\u{1f600}",
                "'",
                ">",
                "  ",
                "é"
            ]
        );
    }

    #[test]
    fn a_clause_takes_its_separator_with_it() {
        let text = units_of(r#"{"a":"x,y","b":[2,{"c":3}]};d"#);
        let parts = parts(&text);
        let clauses = clauses(&text, &parts).into_iter();
        let mut clauses: Vec<String> = clauses
            .map(|clause| String::from_utf16_lossy(&picked(&text, &parts[clause])))
            .collect();
        clauses.sort();
        let expected = [
            r#""a":"x,y","#,
            r#""c":3"#,
            r#","b":[2,{"c":3}]"#,
            r#",{"c":3}"#,
            "2,",
            ";d",
            r#"{"a":"x,y","b":[2,{"c":3}]};"#,
        ];
        assert_eq!(clauses, expected);
        // What does not go together is no error.
        let odd = units_of("a],(b;");
        let parts = super::parts(&odd);
        let mut clauses = super::clauses(&odd, &parts).into_iter();
        assert!(clauses.all(|clause| clause.end <= parts.len()));
    }

    #[test]
    fn short_is_what_is_seen_at_a_glance() {
        assert!(is_short(&units_of("")) && is_short(&units_of("Gift card, 20 EUR")));
        assert!(!is_short(&units_of("a\nb")) && !is_short(&units_of(&"x".repeat(SHORT + 1))));
    }

    #[test]
    fn bytes_and_characters_may_be_a_text() {
        let bytes = |text: &[u8]| -> Vec<Value> {
            let byte = |b: &u8| Value::Prim(Prim::Byte(b.cast_signed()));
            text.iter().map(byte).collect()
        };
        assert_eq!(units(&bytes(b"a b\n")), Some(units_of("a b\n")));
        assert_eq!(units(&bytes(b"a\x01")), None);
        assert_eq!(units(&bytes(b"\xc3\xa9")), None);
        assert_eq!(units(&[Value::Null]), None);
    }
}
