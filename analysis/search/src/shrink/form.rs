//! The form of a long text, and what can be left out of it so that it keeps that form: members and elements of JSON, elements of XML, lines.

use std::ops::Range;

use jinsi_trace::model::{Prim, Value};

/// Containers in containers that are looked into.
const DEPTH: usize = 64;

/// What can be left out of the text, ranges of its units in the order in which they begin, each together with any others. `None` if it has no form
/// that is known. Of what follows one another the first stays: it may be a header, and the others are separated from it.
pub(super) fn pieces(units: &[u16]) -> Option<Vec<Range<usize>>> {
    let mut pieces = json(units)
        .or_else(|| xml(units))
        .or_else(|| lines(units))?;
    pieces.sort_by_key(|piece| (piece.start, piece.end));
    Some(pieces)
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

/// A place in a text.
struct Reader<'u> {
    units: &'u [u16],
    at: usize,
}

impl Reader<'_> {
    fn next(&self) -> Option<char> {
        let unit = self.units.get(self.at)?;
        // What is no character of its own has no part in any form.
        Some(char::from_u32(u32::from(*unit)).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn skip(&mut self, is: impl Fn(char) -> bool) -> usize {
        let from = self.at;
        while self.next().is_some_and(&is) {
            self.at += 1;
        }
        self.at - from
    }

    fn space(&mut self) {
        self.skip(|c| " \t\r\n".contains(c));
    }

    fn takes(&mut self, c: char) -> bool {
        let is = self.next() == Some(c);
        self.at += usize::from(is);
        is
    }

    fn takes_all(&mut self, text: &str) -> bool {
        let from = self.at;
        let all = text.chars().all(|c| self.takes(c));
        if !all {
            self.at = from;
        }
        all
    }

    /// Goes behind the next `text`.
    fn find(&mut self, text: &str) -> Option<()> {
        while !self.takes_all(text) {
            self.next()?;
            self.at += 1;
        }
        Some(())
    }
}

/// All elements and members but the first of each container, with the comma before them. Names and literals need not be those of the standard:
/// whatever reads the text may take more.
fn json(units: &[u16]) -> Option<Vec<Range<usize>>> {
    let mut reader = Reader { units, at: 0 };
    reader.space();
    let mut found = Vec::new();
    reader.next().filter(|c| "{[".contains(*c))?;
    json_value(&mut reader, &mut found, DEPTH)?;
    reader.space();
    (reader.at == units.len()).then_some(found)
}

fn json_value(reader: &mut Reader<'_>, found: &mut Vec<Range<usize>>, depth: usize) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    let close = match reader.next()? {
        '{' => '}',
        '[' => ']',
        quote @ ('"' | '\'') => return quoted(reader, quote),
        _ => {
            let taken = reader.skip(|c| c.is_alphanumeric() || "+-._$".contains(c));
            return (taken > 0).then_some(());
        }
    };
    reader.at += 1;
    reader.space();
    if reader.takes(close) {
        return Some(());
    }
    let mut from = None;
    loop {
        reader.space();
        json_value(reader, found, depth)?;
        let mut end = reader.at;
        reader.space();
        if close == '}' {
            reader.takes(':').then_some(())?;
            reader.space();
            json_value(reader, found, depth)?;
            end = reader.at;
            reader.space();
        }
        found.extend(from.map(|from| from..end));
        from = Some(reader.at);
        if reader.takes(close) {
            return Some(());
        }
        reader.takes(',').then_some(())?;
    }
}

fn quoted(reader: &mut Reader<'_>, quote: char) -> Option<()> {
    reader.at += 1;
    loop {
        match reader.next()? {
            '\\' => reader.at += 2,
            c => {
                reader.at += 1;
                if c == quote {
                    return Some(());
                }
            }
        }
    }
}

/// All elements below the outermost one.
fn xml(units: &[u16]) -> Option<Vec<Range<usize>>> {
    let mut reader = Reader { units, at: 0 };
    reader.space();
    let mut found = Vec::new();
    // Where each open element begins, and its name.
    let mut open: Vec<(usize, Range<usize>)> = Vec::new();
    let mut is_over = false;
    reader.next().filter(|c| *c == '<')?;
    while reader.at < units.len() {
        if open.is_empty() {
            reader.space();
        } else {
            reader.skip(|c| c != '<');
        }
        let from = reader.at;
        if reader.takes_all("<!--") {
            reader.find("-->")?;
        } else if reader.takes_all("<![CDATA[") {
            reader.find("]]>")?;
        } else if reader.takes_all("<?") {
            reader.find("?>")?;
        } else if reader.takes_all("<!") {
            // One with declarations of its own is not looked into.
            let plain = reader.skip(|c| !"<>[".contains(c));
            (plain > 0 && reader.takes('>')).then_some(())?;
        } else if reader.takes_all("</") {
            let name = name(&mut reader)?;
            reader.space();
            reader.takes('>').then_some(())?;
            let (from, opened) = open.pop()?;
            (units[opened] == units[name]).then_some(())?;
            is_over = open.is_empty();
            if !is_over {
                found.push(from..reader.at);
            }
        } else if reader.at < units.len() {
            (reader.takes('<') && !is_over).then_some(())?;
            let name = name(&mut reader)?;
            while let Some(c) = reader.next().filter(|c| !"/>".contains(*c)) {
                match c {
                    '"' | '\'' => {
                        reader.at += 1;
                        reader.skip(|other| other != c);
                        reader.takes(c).then_some(())?;
                    }
                    '<' => return None,
                    _ => reader.at += 1,
                }
            }
            let is_empty = reader.takes('/');
            reader.takes('>').then_some(())?;
            match (is_empty, open.is_empty()) {
                (false, _) => open.push((from, name)),
                (true, false) => found.push(from..reader.at),
                (true, true) => is_over = true,
            }
        }
    }
    is_over.then_some(found)
}

fn name(reader: &mut Reader<'_>) -> Option<Range<usize>> {
    let from = reader.at;
    let taken = reader.skip(|c| c.is_alphanumeric() || "-._:".contains(c));
    (taken > 0).then_some(from..from + taken)
}

/// All lines but the first, with their ends, if each stands for itself: none goes on in the next one or belongs to one above it.
fn lines(units: &[u16]) -> Option<Vec<Range<usize>>> {
    const FEW: usize = 8;
    let mut end = 0;
    let all: Vec<Range<usize>> = units
        .split_inclusive(|unit| *unit == u16::from(b'\n'))
        .map(|line| {
            end += line.len();
            end - line.len()..end
        })
        .collect();
    let is = |unit: &u16, signs: &str| {
        char::from_u32(u32::from(*unit)).is_some_and(|c| signs.contains(c))
    };
    let stands_for_itself = |line: &Range<usize>| {
        let line = &units[line.clone()];
        let begins = line.first().is_some_and(|unit| !is(unit, " \t<{[(-"));
        let quotes = line.iter().filter(|unit| is(unit, "\"")).count();
        let last = line.iter().rev().find(|unit| !is(unit, "\r\n"));
        let goes_on = last.is_none_or(|unit| is(unit, "\\{[(,:<"));
        begins && quotes % 2 == 0 && !goes_on
    };
    let (first, others) = all.split_first()?;
    let plain =
        all.len() >= FEW && stands_for_itself(first) && others.iter().all(stands_for_itself);
    plain.then(|| others.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units_of(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    fn found(text: &str) -> Option<Vec<String>> {
        let units = units_of(text);
        let text = |piece: Range<usize>| String::from_utf16_lossy(&units[piece]);
        Some(pieces(&units)?.into_iter().map(text).collect())
    }

    #[test]
    fn members_and_elements_go_with_the_comma_before_them() {
        let text = r#"{"a": "x,\"]y", "b" : [2, {"c":3, d:-4.5e3}, []], "e":null} "#;
        let expected = [
            r#", "b" : [2, {"c":3, d:-4.5e3}, []]"#,
            r#", {"c":3, d:-4.5e3}"#,
            ", d:-4.5e3",
            ", []",
            r#", "e":null"#,
        ];
        assert_eq!(found(text).unwrap(), expected);
        for odd in [
            r#"{"a":1"#,
            r#"{"a":1}}"#,
            r#"{"a"}"#,
            "[1,]",
            "[1 2]",
            "12",
            r#"["a]"#,
        ] {
            assert_eq!(found(odd), None, "{odd}");
        }
        assert_eq!(found(&"[".repeat(1_000)), None);
    }

    #[test]
    fn elements_of_a_document_go_whole() {
        let text =
            "<?xml version='1.0'?><!-- <x> --><r><a k='>'>1<b/></a><![CDATA[<]]><c></c></r>\n";
        assert_eq!(
            found(text).unwrap(),
            ["<a k='>'>1<b/></a>", "<b/>", "<c></c>"]
        );
        for odd in [
            "<r><a></r></a>",
            "<r>",
            "<r/><r/>",
            "<r a='1></r>",
            "<r><</r>",
            "<a></b>",
            "<r/>x",
        ] {
            assert_eq!(found(odd), None, "{odd}");
        }
    }

    #[test]
    fn lines_go_if_each_stands_for_itself() {
        let text = "name,price\n".to_owned() + &"pen,\"1\"\n".repeat(7);
        assert_eq!(found(&text).unwrap(), vec!["pen,\"1\"\n"; 7]);
        for odd in ["  deeper", "- item", "open \"", "on \\", "key:", ""] {
            assert_eq!(found(&format!("{text}{odd}\nend\n")), None, "{odd}");
        }
        assert_eq!(found("a\nb\n"), None);
    }

    #[test]
    fn whatever_is_left_out_the_form_stays() {
        for text in [
            r#"[[1, 2, [3]], {"a":1, "b":{"c":[], "d":{}}}, "x"]"#,
            "<r><a><b/><c>1</c></a><d><e/></d></r>",
        ] {
            let units = units_of(text);
            let pieces = pieces(&units).unwrap();
            for chosen in 0..1_u32 << pieces.len() {
                let picked = pieces.iter().enumerate();
                let without: Vec<_> = picked
                    .filter(|(at, _)| chosen >> at & 1 == 1)
                    .map(|(_, piece)| piece.clone())
                    .collect();
                let rest = super::super::rest(&units, &without);
                assert!(
                    super::pieces(&rest).is_some(),
                    "{}",
                    String::from_utf16_lossy(&rest)
                );
            }
        }
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
