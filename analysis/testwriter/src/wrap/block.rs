//! Lambdas with a block: its statements have lines of their own.

use super::{FURTHER, broken, outside_literals};

/// What begins the block of a lambda.
const OPENS: &str = "-> { ";
/// What a block is indented by, more than the lambda that it belongs to.
const INSIDE: usize = 4;

/// A chain of calls of which some are given a lambda with a block, link by link; nothing if there is no such lambda.
pub(super) fn with_blocks(code: &str, indent: usize) -> Option<String> {
    if !outside_literals(code).any(|(at, _)| code[at..].starts_with(OPENS)) {
        return None;
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

/// The head of the lambda and the statements of its block, without the bracket that closes it.
fn block(lambda: &str, indent: usize, out: &mut String) -> Option<()> {
    let (head, body) = lambda.split_once(OPENS)?;
    *out += &format!("{}{head}-> {{\n", " ".repeat(indent));
    let mut from = 0;
    for (at, c) in outside_literals(body) {
        if c == ';' {
            *out += &broken(body[from..=at].trim_start(), indent + INSIDE);
            from = at + 1;
        }
    }
    Some(())
}

/// Up to the bracket around a lambda with a block, the lambda up to the end of its block, and the rest.
fn in_brackets(link: &str) -> Option<(&str, &str, &str)> {
    let open = link.find(OPENS)?;
    let bracket = link[..open].rfind('(')?;
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
}
