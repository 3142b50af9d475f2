//! Lambdas with a block: its statements have lines of their own.

use super::{FURTHER, WIDTH, broken, outside_literals};

/// What begins the block of a lambda.
const OPENS: &str = "-> { ";
/// The same of a lambda without parameters.
const OF_NOTHING: &str = "() -> { ";
/// What a block is indented by, more than the lambda that it belongs to.
const INSIDE: usize = 4;

/// A chain of calls of which some are given a lambda with a block, link by link; nothing if there is no such lambda.
pub(super) fn with_blocks(code: &str, indent: usize) -> Option<String> {
    if !outside_literals(code).any(|(at, _)| code[at..].starts_with(OPENS)) {
        return None;
    }
    if let Some(out) = of_nothing(code, indent) {
        return Some(out);
    }
    let mut out = String::new();
    for (number, link) in links(code).into_iter().enumerate() {
        let further = if number == 0 { 0 } else { FURTHER };
        match in_brackets(link) {
            Some((call, lambda, behind)) => {
                let deep = indent + 2 * FURTHER;
                out += &format!("{}{call}\n", " ".repeat(indent + further));
                block(lambda, deep, &mut out)?;
                out += &format!("{}}}{behind}\n", " ".repeat(deep));
            }
            None => out += &broken(link, indent + further),
        }
    }
    Some(out)
}

/// The same if the only lambda is one without parameters, behind which only brackets close: the block is indented like that of a statement.
fn of_nothing(code: &str, indent: usize) -> Option<String> {
    let (head, _) = code.split_once(OF_NOTHING)?;
    let first = format!("{}{head}() -> {{", " ".repeat(indent));
    if head.contains(OPENS) || first.chars().count() > WIDTH {
        return None;
    }
    let body = &code[head.len() + OF_NOTHING.len()..];
    let mut depth = 0usize;
    let end = outside_literals(body).find(|(_, c)| {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => return true,
            '}' => depth -= 1,
            _ => {}
        }
        false
    });
    let (end, _) = end?;
    let behind = &body[end..];
    if !behind.chars().all(|c| "});".contains(c)) {
        return None;
    }
    let mut out = first + "\n";
    statements(&body[..end], indent + INSIDE, &mut out);
    Some(out + &format!("{}{behind}\n", " ".repeat(indent)))
}

/// The head of the lambda and the statements of its block, without the bracket that closes it.
fn block(lambda: &str, indent: usize, out: &mut String) -> Option<()> {
    let (head, body) = lambda.split_once(OPENS)?;
    *out += &format!("{}{head}-> {{\n", " ".repeat(indent));
    statements(body, indent + INSIDE, out);
    Some(())
}

/// The statements of a block, each on lines of its own.
fn statements(body: &str, indent: usize, out: &mut String) {
    let mut from = 0;
    for (at, c) in outside_literals(body) {
        if c == ';' {
            *out += &broken(body[from..=at].trim_start(), indent);
            from = at + 1;
        }
    }
}

/// Up to the bracket around a lambda with a block, the lambda up to the end of its block, and the rest.
fn in_brackets(link: &str) -> Option<(&str, &str, &str)> {
    let open = link.find(OPENS)?;
    let before = link[..open].strip_suffix("() ").unwrap_or(&link[..open]);
    let bracket = before.rfind('(')?;
    let mut depth = 0usize;
    for (at, c) in outside_literals(link).filter(|(at, _)| *at > open) {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => {
                let lambda = link[bracket + 1..at].trim_end();
                return Some((&link[..=bracket], lambda, &link[at + 1..]));
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The first call, and each call of what the one before gave.
fn links(code: &str) -> Vec<&str> {
    let mut links = Vec::new();
    let (mut from, mut depth) = (0, 0usize);
    for (at, c) in outside_literals(code) {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            '.' if depth == 0 && code[..at].ends_with(')') => {
                links.push(&code[from..at]);
                from = at;
            }
            _ => {}
        }
    }
    links.push(&code[from..]);
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_has_lines_of_its_own() {
        let code = "when(a.b(any())).thenAnswer(call -> { f(\"; }\", 1); return new int[] {2}; }).thenReturn(-1);";
        let lines = [
            "    when(a.b(any()))",
            "            .thenAnswer(",
            "                    call -> {",
            "                        f(\"; }\", 1);",
            "                        return new int[] {2};",
            "                    })",
            "            .thenReturn(-1);\n",
        ];
        assert_eq!(with_blocks(code, 4), Some(lines.join("\n")));
        assert_eq!(with_blocks("a.b(\"-> { \");", 4), None);
    }

    #[test]
    fn a_block_without_parameters_reads_like_one_of_a_statement() {
        let code = "assertThrows(E.class, () -> { a(\"};\"); b(x -> x); });";
        let expected =
            "    assertThrows(E.class, () -> {\n        a(\"};\");\n        b(x -> x);\n    });\n";
        assert_eq!(with_blocks(code, 4).unwrap(), expected);
        // With more behind it, it is a link of a chain.
        let chain = "thrownBy(() -> { a(); b(); }).isInstanceOf(E.class);";
        let lines = [
            "    thrownBy(",
            "                    () -> {",
            "                        a();",
            "                        b();",
            "                    })",
            "            .isInstanceOf(E.class);\n",
        ];
        assert_eq!(with_blocks(chain, 4).unwrap(), lines.join("\n"));
    }
}
