//! Texts as a person sees them: words, signs, and what is too short to be made shorter.

use jinsi_trace::model::{Prim, Value};

/// UTF-16 units of a text that a reader takes in at a glance.
const SHORT: usize = 24;

/// Is the text short, and has nothing in it that is not seen?
pub(super) fn is_short(units: &[u16]) -> bool {
    let seen = |unit: &u16| char::from_u32(u32::from(*unit)).is_some_and(|c| !c.is_control());
    units.len() <= SHORT && units.iter().all(seen)
}

/// The words, runs of white space, and single signs that a text consists of. Halves of surrogate pairs belong to words.
pub(super) fn parts(units: &[u16]) -> Vec<&[u16]> {
    let is_one = |a: &u16, b: &u16| kind(*a) == kind(*b) && kind(*a) != Kind::Sign;
    units.chunk_by(is_one).collect()
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
            .map(String::from_utf16_lossy)
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
