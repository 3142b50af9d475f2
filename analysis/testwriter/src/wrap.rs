//! Breaks statements and comments that are too long for a line.

mod block;
mod escaped;

/// Columns of a line.
pub(super) const WIDTH: usize = 100;
/// What the rest of a statement is indented by, more than its beginning.
const FURTHER: usize = 8;
/// Characters of a part of a text that has to be cut.
const PART: usize = 70;

/// A statement, broken where it is too long: behind the commas of the outermost list if that is enough, else in a lambda, else behind all
/// commas, else within texts and chains of calls, too. A lambda with a block always is. Characters that are escaped are named behind a line.
pub(super) fn wrapped(code: &str, indent: usize) -> String {
    escaped::explained(&broken(code, indent))
}

fn broken(code: &str, indent: usize) -> String {
    if let Some(text) = block::with_blocks(code, indent) {
        return text;
    }
    let fits = |text: &str| text.lines().all(|l| l.chars().count() <= WIDTH);
    let outer = filled(pieces(code, 1, false), indent);
    if fits(&outer) {
        return outer;
    }
    if code.contains(" -> ") {
        let of_lambda = filled(around_operators(code), indent);
        if fits(&of_lambda) {
            return of_lambda;
        }
    }
    let inner = filled(pieces(code, usize::MAX, false), indent);
    if fits(&inner) {
        return inner;
    }
    let code = in_parts(code);
    let parts = filled(pieces(&code, usize::MAX, true), indent);
    if fits(&parts) {
        return parts;
    }
    // A name that is too long: what is in brackets gets a line of its own.
    filled(
        behind_brackets(pieces(&code, usize::MAX, true), indent),
        indent,
    )
}

/// The pieces, those that fit into no line cut behind their first bracket.
fn behind_brackets(pieces: Vec<&str>, indent: usize) -> Vec<&str> {
    let is_long = |piece: &str| indent + FURTHER + piece.trim().chars().count() > WIDTH;
    let mut parts = Vec::new();
    for piece in pieces {
        let bracket =
            outside_literals(piece).find(|(at, c)| *c == '(' && !piece[at + 1..].starts_with(')'));
        match bracket.filter(|_| is_long(piece)) {
            Some((at, _)) => parts.extend([&piece[..=at], &piece[at + 1..]]),
            None => parts.push(piece),
        }
    }
    parts
}

/// Words as lines of a comment of which each begins with `margin`.
pub(super) fn comment(text: &str, margin: &str) -> String {
    let mut out = String::new();
    let mut line = margin.to_owned();
    for word in text.split_whitespace() {
        let begun = line.len() > margin.len();
        if begun && line.chars().count() + 1 + word.chars().count() > WIDTH {
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

/// Puts as many pieces on a line as fit.
fn filled(parts: Vec<&str>, indent: usize) -> String {
    let columns = |text: &str| text.chars().count();
    let mut out = String::new();
    let mut line = " ".repeat(indent);
    // Where the lines begin in which braces were opened that are still open: elements belong further in than these.
    let mut open: Vec<usize> = Vec::new();
    let mut parts = parts.into_iter().peekable();
    while let Some(part) = parts.next() {
        let part = if line.trim().is_empty() {
            part.trim_start()
        } else {
            part
        };
        // A line that something follows loses the blank behind its last comma.
        let needed = if parts.peek().is_some() {
            columns(part.trim_end())
        } else {
            columns(part)
        };
        if !line.trim().is_empty() && columns(&line) + needed > WIDTH {
            out.push_str(line.trim_end());
            out.push('\n');
            line = " ".repeat(open.last().unwrap_or(&indent) + FURTHER);
        }
        line.push_str(part);
        let begin = line.len() - line.trim_start().len();
        for (_, c) in outside_literals(part) {
            match c {
                '{' => open.push(begin),
                '}' => drop(open.pop()),
                _ => {}
            }
        }
    }
    out + line.trim_end() + "\n"
}

/// Cuts a statement behind what is declared, and behind each comma that is in at most `deepest` brackets and not inside a literal. `anywhere`: also before what is added
/// to a text, and before calls of what a call gave.
fn pieces(code: &str, deepest: usize, anywhere: bool) -> Vec<&str> {
    let mut depth = 0usize;
    cut(code, |at, c| {
        let before = &code[..at];
        match c {
            '(' | '[' | '{' => {
                depth += 1;
                None
            }
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                None
            }
            ' ' if depth <= deepest && before.ends_with(',') => Some(at + 1),
            '=' if depth == 0 && before.ends_with(' ') && code[at..].starts_with("= ") => {
                Some(at + 2)
            }
            '+' if anywhere && before.ends_with("\" ") => Some(at),
            '.' if anywhere && before.ends_with(')') => Some(at),
            _ => None,
        }
    })
}

/// Cuts a statement with a lambda behind its arrow, and before what chooses or connects conditions in its body.
fn around_operators(code: &str) -> Vec<&str> {
    cut(code, |at, c| {
        let is_operator = ["? ", ": ", "&& ", "|| "]
            .iter()
            .any(|sign| code[at..].starts_with(sign));
        match c {
            ' ' if code[..at].ends_with("->") => Some(at + 1),
            _ if is_operator && code[..at].ends_with(' ') => Some(at),
            _ => None,
        }
    })
}

/// Cuts a statement at the places that `place` gives for characters outside of literals.
fn cut(code: &str, mut place: impl FnMut(usize, char) -> Option<usize>) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, c) in outside_literals(code) {
        if let Some(cut) = place(at, c) {
            parts.push(&code[from..cut]);
            from = cut;
        }
    }
    parts.push(&code[from..]);
    parts
}

/// The code of a source, without comments that have lines of their own, and without what stands in literals.
pub(super) fn code(source: &str) -> String {
    let is_comment = |line: &str| {
        let begin = line.trim_start();
        ["*", "/*", "//"].iter().any(|sign| begin.starts_with(sign))
    };
    let lines = source.lines().filter(|line| !is_comment(line));
    lines
        .flat_map(|line| outside_literals(line).map(|(_, c)| c).chain(['\n']))
        .collect()
}

/// The characters that are in no literal, with their offsets.
fn outside_literals(code: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut quote = None;
    let mut escaped = false;
    code.char_indices().filter(move |&(_, c)| match quote {
        Some(_) if escaped => {
            escaped = false;
            false
        }
        Some(_) if c == '\\' => {
            escaped = true;
            false
        }
        Some(open) => {
            if c == open {
                quote = None;
            }
            false
        }
        None if c == '"' || c == '\'' => {
            quote = Some(c);
            false
        }
        None => true,
    })
}

/// The statement with long texts that are arguments put together from parts.
fn in_parts(code: &str) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some(open) = text_begins(rest) {
        let text = &rest[open..];
        let end = text_ends(text);
        let (before, behind) = (&rest[..open], &text[end..]);
        out.push_str(before);
        // A part of a longer expression might bind it more tightly.
        let is_argument = before.ends_with(['(', ' ']) && behind.starts_with([')', ',', ';']);
        match is_argument {
            true => out.push_str(&parted(&text[..end])),
            false => out.push_str(&text[..end]),
        }
        rest = behind;
    }
    out + rest
}

/// Where the first text begins; the literal of a character is none.
fn text_begins(code: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let next = at + code[at..].find(['"', '\''])?;
        if code[next..].starts_with('"') {
            return Some(next);
        }
        at = next + text_ends(&code[next..]);
    }
}

/// The length of the literal at the beginning, with its quotes.
fn text_ends(code: &str) -> usize {
    let quote = code.chars().next();
    let mut escaped = false;
    for (at, c) in code.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if Some(c) == quote => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// A literal as the sum of shorter ones; preferably cut behind a blank.
fn parted(literal: &str) -> String {
    let inner = &literal[1..literal.len() - 1];
    let units = units(inner);
    let mut out = String::from("\"");
    let mut columns = 0;
    for (at, unit) in units.iter().enumerate() {
        let length = unit.chars().count();
        let ends_word = at > 0 && units[at - 1] == " ";
        let full = columns + length > PART || (ends_word && columns + length > PART - 10);
        if columns > 0 && full {
            out.push_str("\" + \"");
            columns = 0;
        }
        out.push_str(unit);
        columns += length;
    }
    out + "\""
}

/// What of the inside of a literal cannot be cut: characters and escapes.
fn units(inner: &str) -> Vec<&str> {
    let mut units = Vec::new();
    let mut rest = inner;
    while let Some(first) = rest.chars().next() {
        let digits = |from: usize, most: usize, radix: u32| {
            let digits = rest[from..].chars().take(most);
            digits.take_while(|c| c.is_digit(radix)).count()
        };
        let length = match rest.as_bytes().get(1) {
            _ if first != '\\' => first.len_utf8(),
            Some(b'u') => 2 + digits(2, 4, 16),
            Some(b'0'..=b'7') => 1 + digits(1, 3, 8),
            Some(_) => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            None => 1,
        };
        let (unit, behind) = rest.split_at(length);
        units.push(unit);
        rest = behind;
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_statements_are_broken_behind_commas_outside_literals() {
        let code = format!(
            "object.method(\"{}, {}\", 1, 'x', {});",
            "a".repeat(30),
            "b".repeat(30),
            "c".repeat(30)
        );
        let text = wrapped(&code, 8);
        assert_eq!(text.lines().count(), 2);
        assert!(text.lines().all(|l| l.len() <= WIDTH));
        assert_eq!(
            text.split_whitespace().collect::<Vec<_>>(),
            code.split_whitespace().collect::<Vec<_>>()
        );
        assert!(
            text.lines()
                .nth(1)
                .unwrap()
                .starts_with("                c")
        );
        assert_eq!(wrapped("a(',', \", \");", 8), "        a(',', \", \");\n");
    }

    #[test]
    fn elements_are_further_in_than_their_brace() {
        let numbers = ["0.123456789"; 9].join(", ");
        let code = format!("new Matrix(new double[] {{{numbers}}}, new double[] {{{numbers}}});");
        let lines = wrapped(&code, 8);
        let begins: Vec<usize> = lines
            .lines()
            .map(|l| l.len() - l.trim_start().len())
            .collect();
        assert_eq!(begins, [8, 16, 24, 24], "{lines}");
    }

    #[test]
    fn a_name_that_is_too_long_gets_a_line_of_its_own() {
        let name = format!("org.example.{}Exception", "Long".repeat(12));
        let code =
            format!("org.junit.jupiter.api.Assertions.assertThrows({name}.class, () -> f());");
        let lines = wrapped(&code, 11);
        assert!(lines.lines().all(|line| line.len() <= WIDTH), "{lines}");
        assert!(
            lines.starts_with("           org.junit.jupiter.api.Assertions.assertThrows(\n"),
            "{lines}"
        );
    }

    #[test]
    fn long_texts_are_put_together_from_parts() {
        let words = "word \\\" \\u00e4 ".repeat(20);
        let text = broken(&format!("new A('\"', \"{words}\").b();"), 8);
        assert!(text.lines().all(|l| l.len() <= WIDTH), "{text}");
        let joined: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(
            joined.replace("\" + \"", ""),
            format!("new A('\"', \"{words}\").b();")
        );
        // What is called of a text is called of all of it.
        let receiver = format!("\"{}\".length();", "a".repeat(120));
        assert_eq!(wrapped(&receiver, 0), receiver.clone() + "\n");
    }

    #[test]
    fn lambdas_are_broken_behind_their_arrows_and_before_operators() {
        let [yes, no] = ["y", "n"].map(|c| c.repeat(40));
        let text = wrapped(&format!("a.sort((b, c) -> b == ',' ? {yes} : {no});"), 8);
        let lines: Vec<&str> = text.lines().collect();
        let further = " ".repeat(16);
        assert_eq!(
            lines,
            [
                format!("        a.sort((b, c) -> b == ',' ? {yes}"),
                format!("{further}: {no});")
            ]
        );
    }

    #[test]
    fn chains_are_broken_before_their_calls() {
        let code = format!("a.b({}).c().d({});", "1".repeat(60), "2".repeat(60));
        let text = wrapped(&code, 8);
        let second = text.lines().nth(1).unwrap();
        assert_eq!(second.trim_start(), format!(".d({});", "2".repeat(60)));
    }

    #[test]
    fn comments_are_filled() {
        let text = comment(&"word ".repeat(40), "     * ");
        assert!(text.lines().all(|l| l.starts_with("     * word")));
        let widths: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(widths, [96, 96, 26]);
        assert_eq!(text.matches("word").count(), 40);
    }
}
