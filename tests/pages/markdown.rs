//! What of a page in Markdown is prose.

/// A piece of a page.
pub(super) struct Piece {
    pub(super) kind: Kind,
    /// The line on which it begins, from 1.
    pub(super) line: usize,
    /// Without the marks of Markdown. Code is a single word, `CODE`.
    pub(super) text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A paragraph, or an item of a list: whole sentences.
    Prose,
    /// A heading or a cell of a table: a phrase.
    Phrase,
}

/// What stands in the place of code.
pub(super) const CODE: &str = "\u{1}";

/// A page without its code blocks; every other line stays where it is.
pub(super) fn without_code(text: &str) -> String {
    let mut in_code = false;
    let mut left = String::new();
    for line in text.lines() {
        let fence = line.trim_start().starts_with("```");
        if !fence && !in_code {
            left.push_str(line);
        }
        in_code ^= fence;
        left.push('\n');
    }
    left
}

/// The pieces of a page, in their order. Code blocks, comments, and what a program writes between comments `begin:` and `end` are left out.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut open: Option<(usize, String)> = None;
    let mut generated = false;
    for (index, line) in without_code(text).lines().enumerate() {
        let (number, trimmed) = (index + 1, line.trim());
        if trimmed.starts_with("<!--") {
            generated = match trimmed {
                _ if trimmed.starts_with("<!-- begin:") => true,
                _ if trimmed.starts_with("<!-- end") => false,
                _ => generated,
            };
            close(&mut open, &mut pieces);
        } else if generated || trimmed.is_empty() {
            close(&mut open, &mut pieces);
        } else if trimmed.starts_with('#') {
            close(&mut open, &mut pieces);
            phrase(&mut pieces, number, trimmed.trim_start_matches('#'));
        } else if trimmed.starts_with('|') {
            close(&mut open, &mut pieces);
            for cell in trimmed.split('|') {
                phrase(&mut pieces, number, cell);
            }
        } else if let Some(item) = item(trimmed) {
            close(&mut open, &mut pieces);
            open = Some((number, item.to_owned()));
        } else {
            let (_, text) = open.get_or_insert_with(|| (number, String::new()));
            text.push(' ');
            text.push_str(trimmed);
        }
    }
    close(&mut open, &mut pieces);
    pieces
}

/// The text of an item of a list, if the line begins one.
fn item(line: &str) -> Option<&str> {
    let bullet = ["* ", "- ", "+ "].iter().find_map(|b| line.strip_prefix(b));
    bullet.or_else(|| {
        let (number, rest) = line.split_once(". ")?;
        let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        digits.then_some(rest)
    })
}

fn close(open: &mut Option<(usize, String)>, pieces: &mut Vec<Piece>) {
    if let Some((line, text)) = open.take() {
        pieces.push(Piece {
            kind: Kind::Prose,
            line,
            text: plain(&text),
        });
    }
}

fn phrase(pieces: &mut Vec<Piece>, line: usize, text: &str) {
    pieces.push(Piece {
        kind: Kind::Phrase,
        line,
        text: plain(text),
    });
}

/// A text without marks: of links their text, code as one word.
fn plain(text: &str) -> String {
    let mut left = String::new();
    for (index, part) in text.split('`').enumerate() {
        left.push_str(if index % 2 == 0 { part } else { CODE });
    }
    let mut plain = String::new();
    let mut rest = left.as_str();
    while let Some(at) = rest.find("](") {
        plain.push_str(&rest[..at]);
        let behind = &rest[at..];
        rest = behind.find(')').map_or("", |end| &behind[end + 1..]);
    }
    plain.push_str(rest);
    plain.replace(['[', ']', '*'], "")
}

#[test]
fn a_page_is_taken_apart() {
    let page = "# A *title*\n\nOne `piece of code`\nand [a link](x.md).\n* An item\n  of two lines\n1. Another\n\n```\ncode\n```\n<!-- begin: x -->\n| generated |\n<!-- end -->\n| a | b |\n";
    let pieces: Vec<(Kind, usize, String)> = pieces(page)
        .into_iter()
        .filter(|piece| !piece.text.trim().is_empty())
        .map(|piece| (piece.kind, piece.line, piece.text.trim().to_owned()))
        .collect();
    let expected = [
        (Kind::Phrase, 1, "A title".to_owned()),
        (Kind::Prose, 3, format!("One {CODE} and a link.")),
        (Kind::Prose, 5, "An item of two lines".to_owned()),
        (Kind::Prose, 7, "Another".to_owned()),
        (Kind::Phrase, 15, "a".to_owned()),
        (Kind::Phrase, 15, "b".to_owned()),
    ];
    assert_eq!(pieces, expected);
}
