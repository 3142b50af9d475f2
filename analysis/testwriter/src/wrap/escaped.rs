//! Says behind a line which characters its escapes stand for: an emoji is two of them, and nobody reads those.

/// Characters that are named at most.
const NAMED: usize = 3;

/// The lines, each with a comment of the visible characters that it has as escapes.
pub(super) fn explained(lines: &str) -> String {
    lines
        .lines()
        .map(|line| with_comment(line) + "\n")
        .collect()
}

fn with_comment(line: &str) -> String {
    let characters = characters(line);
    if characters.is_empty() {
        return line.to_owned();
    }
    let names = characters.iter().take(NAMED);
    let mut names: Vec<_> = names.map(|&c| format!("U+{:04X}", u32::from(c))).collect();
    if characters.len() > NAMED {
        names.push("...".to_owned());
    }
    format!("{line} // {}", names.join(" "))
}

/// The different visible characters that are escapes in a line, in their order.
fn characters(line: &str) -> Vec<char> {
    let mut units = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        rest = &rest[at + 1..];
        let digits = rest.strip_prefix('u').and_then(|hex| hex.get(..4));
        if let Some(unit) = digits.and_then(|hex| u16::from_str_radix(hex, 16).ok()) {
            units.push(unit);
        }
        // What is escaped may be a backslash itself.
        rest = rest.get(1..).unwrap_or_default();
    }
    let mut found = Vec::new();
    for c in char::decode_utf16(units).flatten() {
        if !c.is_control() && !c.is_whitespace() && !found.contains(&c) {
            found.push(c);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visible_characters_are_named_once() {
        let explain = |line: &str| explained(line).trim_end().to_owned();
        assert_eq!(
            explain("f(\"\\u00e4 \\ud83d\\ude00 \\u00e4\");"),
            "f(\"\\u00e4 \\ud83d\\ude00 \\u00e4\"); // U+00E4 U+1F600"
        );
        assert_eq!(
            explain("f(\"\\u00e1\\u00e2\\u00e3\\u00e4\");"),
            "f(\"\\u00e1\\u00e2\\u00e3\\u00e4\"); // U+00E1 U+00E2 U+00E3 ..."
        );
        for unchanged in [
            "f(\"\\\\u00e4\");",
            "f(\"\\u0000\\u2028 \\ud83d\");",
            "f('\\\\');",
        ] {
            assert_eq!(explain(unchanged), unchanged);
        }
    }
}
