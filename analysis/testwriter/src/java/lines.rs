//! Breaks tokens into lines that are not too long.

use jinsi_trace::model::JavaString;

use super::tokens::Token;
use crate::literal;

/// Columns of a line.
pub const WIDTH: usize = 100;
/// What the rest of a statement is indented by, more than its beginning.
pub(super) const FURTHER: usize = 8;
/// Characters of a part of a text that has to be cut.
const PART: usize = 70;
/// Characters of a line that are named at most.
const NAMED: usize = 3;

/// Where a line may be broken.
#[derive(Clone, Copy)]
enum Cuts {
    /// Behind what is declared, and behind commas in at most so many brackets.
    Lists(usize),
    /// Behind arrows, and before what chooses or connects conditions.
    Lambdas,
    /// Behind what is declared and all commas, within sums with texts, and before calls of what a call gave.
    Anywhere,
}

/// The line or lines of a statement: broken behind the commas of the outermost list if that is enough, else in a lambda, else behind all
/// commas, else within texts and chains of calls, too.
pub(super) fn broken(tokens: &[Token<'_>], indent: usize) -> String {
    let is_lambda = |token: &Token<'_>| matches!(token, Token::Arrow);
    let has_lambda = tokens.iter().any(is_lambda);
    let ways = [Cuts::Lists(1), Cuts::Lambdas, Cuts::Lists(usize::MAX)];
    for cuts in ways {
        if has_lambda || !matches!(cuts, Cuts::Lambdas) {
            let lines = filled(pieces(tokens, cuts), indent);
            if fits(&lines) {
                return text_of(&lines);
            }
        }
    }
    let tokens = in_parts(tokens);
    let parts = pieces(&tokens, Cuts::Anywhere);
    let lines = filled(parts.clone(), indent);
    match fits(&lines) {
        true => text_of(&lines),
        // A name that is too long: what is in brackets gets a line of its own.
        false => text_of(&filled(behind_brackets(parts, indent), indent)),
    }
}

/// The tokens on one line.
pub(super) fn inline(tokens: &[Token<'_>]) -> String {
    let mut out = String::new();
    for token in tokens {
        match token {
            Token::Word(code) | Token::Literal { code, .. } => out.push_str(code),
            Token::Open(c) | Token::Close(c) => out.push(*c),
            Token::Comma => out.push_str(", "),
            Token::Dot => out.push('.'),
            Token::Assign => out.push_str(" = "),
            Token::End => out.push(';'),
            Token::Arrow => out.push_str(" -> "),
            Token::Sign(sign) => {
                out.push(' ');
                out.push_str(sign);
                out.push(' ');
            }
            // The printer has put its statements in this place.
            Token::Block(_) => {}
        }
    }
    out
}

/// Words as lines of which each begins with `margin`.
pub fn paragraph(text: &str, margin: &str) -> String {
    let mut out = String::new();
    let mut line = margin.to_owned();
    for word in text.split_whitespace() {
        let begun = line.len() > margin.len();
        if begun && columns(&line) + 1 + columns(word) > WIDTH {
            out.push_str(&line);
            out.push('\n');
            line = margin.to_owned();
        } else if begun {
            line.push(' ');
        }
        line.push_str(word);
    }
    out + &line + "\n"
}

pub(super) fn columns(text: &str) -> usize {
    text.chars().count()
}

/// Cuts the tokens of a statement at these places.
fn pieces<'p, 't>(tokens: &'p [Token<'t>], cuts: Cuts) -> Vec<&'p [Token<'t>]> {
    let deepest = match cuts {
        Cuts::Lists(deepest) => Some(deepest),
        Cuts::Anywhere => Some(usize::MAX),
        Cuts::Lambdas => None,
    };
    let anywhere = matches!(cuts, Cuts::Anywhere);
    let mut parts = Vec::new();
    let (mut from, mut depth) = (0, 0usize);
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &tokens[at]);
        let cut = match token {
            Token::Open(_) => {
                depth += 1;
                continue;
            }
            Token::Close(_) => {
                depth = depth.saturating_sub(1);
                continue;
            }
            Token::Comma if deepest.is_some_and(|deepest| depth <= deepest) => at + 1,
            Token::Assign if deepest.is_some() && depth == 0 => at + 1,
            Token::Arrow if deepest.is_none() => at + 1,
            Token::Sign("?" | ":" | "&&" | "||") if deepest.is_none() => at,
            Token::Sign("+") if anywhere && matches!(before, Some(Token::Literal { .. })) => at,
            Token::Dot if anywhere && matches!(before, Some(Token::Close(')'))) => at,
            _ => continue,
        };
        parts.push(&tokens[from..cut]);
        from = cut;
    }
    parts.push(&tokens[from..]);
    parts
}

/// The pieces, those that fit into no line cut behind their first bracket.
fn behind_brackets<'p, 't>(pieces: Vec<&'p [Token<'t>]>, indent: usize) -> Vec<&'p [Token<'t>]> {
    let is_long = |piece: &[Token<'_>]| indent + FURTHER + columns(inline(piece).trim()) > WIDTH;
    let mut parts = Vec::new();
    for piece in pieces {
        let bracket = piece.windows(2).position(
            |two| matches!(two, [Token::Open('('), next] if !matches!(next, Token::Close(_))),
        );
        match bracket.filter(|_| is_long(piece)) {
            Some(at) => parts.extend([&piece[..=at], &piece[at + 1..]]),
            None => parts.push(piece),
        }
    }
    parts
}

/// A line in the making, and the characters of its literals that are written as escapes.
struct Line {
    text: String,
    escaped: Vec<u16>,
}

impl Line {
    fn new(indent: usize) -> Self {
        Self {
            text: " ".repeat(indent),
            escaped: Vec::new(),
        }
    }

    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }
}

/// Puts as many pieces on a line as fit.
fn filled(parts: Vec<&[Token<'_>]>, indent: usize) -> Vec<Line> {
    let mut done = Vec::new();
    let mut line = Line::new(indent);
    // Where the lines begin in which braces were opened that are still open: elements belong further in than these.
    let mut open: Vec<usize> = Vec::new();
    let last = parts.len().saturating_sub(1);
    for (at, part) in parts.into_iter().enumerate() {
        let text = inline(part);
        let text = match line.is_blank() {
            true => text.trim_start(),
            false => &text,
        };
        // A line that something follows loses the blank behind its last comma.
        let needed = match at == last {
            true => columns(text),
            false => columns(text.trim_end()),
        };
        if !line.is_blank() && columns(&line.text) + needed > WIDTH {
            let next = Line::new(open.last().unwrap_or(&indent) + FURTHER);
            done.push(std::mem::replace(&mut line, next));
        }
        match line.is_blank() {
            true => line.text.push_str(text.trim_start()),
            false => line.text.push_str(text),
        }
        let begin = line.text.len() - line.text.trim_start().len();
        for token in part {
            match token {
                Token::Open('{') => open.push(begin),
                Token::Close('}') => drop(open.pop()),
                Token::Literal { units, .. } => line.escaped.extend_from_slice(&units.0),
                _ => {}
            }
        }
    }
    done.push(line);
    for line in &mut done {
        line.text.truncate(line.text.trim_end().len());
    }
    done
}

fn fits(lines: &[Line]) -> bool {
    lines.iter().all(|line| columns(&line.text) <= WIDTH)
}

/// The lines, each with a comment that names its escaped characters: an emoji is two of them, and nobody reads those.
fn text_of(lines: &[Line]) -> String {
    let mut out = String::new();
    for line in lines {
        out.push_str(&line.text);
        let characters = visible(&line.escaped);
        if !characters.is_empty() {
            out.push_str(" //");
        }
        for &c in characters.iter().take(NAMED) {
            out.push_str(&format!(" U+{:04X}", u32::from(c)));
        }
        if characters.len() > NAMED {
            out.push_str(" ...");
        }
        out.push('\n');
    }
    out
}

/// The different visible characters that are written as escapes, in their order.
fn visible(units: &[u16]) -> Vec<char> {
    let mut found = Vec::new();
    for c in char::decode_utf16(units.iter().copied()).flatten() {
        if !c.is_ascii() && !c.is_control() && !c.is_whitespace() && !found.contains(&c) {
            found.push(c);
        }
    }
    found
}

/// The tokens with long texts put together from parts, where a sum may stand.
fn in_parts<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let mut out = Vec::new();
    for token in tokens {
        let Token::Literal {
            units, free: true, ..
        } = token
        else {
            out.push(token.clone());
            continue;
        };
        for (at, units) in parted(units).into_iter().enumerate() {
            if at > 0 {
                out.push(Token::Sign("+"));
            }
            out.push(Token::Literal {
                code: literal::string(&units),
                units,
                free: false,
            });
        }
    }
    out
}

/// The parts of a long text; preferably cut behind a blank, and not within a character.
fn parted(text: &JavaString) -> Vec<JavaString> {
    let mut parts: Vec<Vec<u16>> = vec![Vec::new()];
    let mut width = 0;
    let mut rest = &text.0[..];
    while let Some(first) = rest.first() {
        let is_pair = char::decode_utf16(rest.iter().copied().take(2)).next();
        let is_pair = is_pair.is_some_and(|c| c.is_ok_and(|c| c.len_utf16() == 2));
        let (unit, behind) = rest.split_at(if is_pair { 2 } else { 1 });
        let needed = literal::string(&JavaString(unit.into())).len() - 2;
        let part = parts.last_mut().map_or(&[][..], |part| part);
        let ends_word = part.last() == Some(&u16::from(b' ')) && *first != u16::from(b' ');
        let limit = if ends_word { PART - 10 } else { PART };
        if width > 0 && width + needed > limit {
            parts.push(Vec::new());
            width = 0;
        }
        if let Some(part) = parts.last_mut() {
            part.extend_from_slice(unit);
        }
        width += needed;
        rest = behind;
    }
    parts
        .into_iter()
        .map(|part| JavaString(part.into()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_filled() {
        let text = paragraph(&"word ".repeat(40), "     * ");
        assert!(text.lines().all(|l| l.starts_with("     * word")));
        let widths: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(widths, [96, 96, 26]);
        assert_eq!(text.matches("word").count(), 40);
    }
}
