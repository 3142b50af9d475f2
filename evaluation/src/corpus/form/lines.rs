//! Two sources that differ in nothing but where lines are broken.
//!
//! A source is taken apart into logical lines: a statement or a head of a block with all lines that it goes on in, a paragraph of a
//! comment, a line of a comment that is preformatted or stands among the statements, an empty line. A logical line keeps the indentation
//! of its beginning; where it was broken there is one blank, or none beside a bracket or before a dot. So sources with the same logical
//! lines have the same tokens, the same empty lines and the same indentation, and another width at most.

/// The logical lines.
pub(super) fn logical(source: &str) -> Vec<String> {
    let mut lines = Lines::default();
    for line in source.lines() {
        lines.add(line);
    }
    lines.end();
    lines.done
}

/// The first logical line in which two sources differ: that of the one, and that of the other.
pub(super) fn difference(one: &str, other: &str) -> Option<(String, String)> {
    let (one, other) = (logical(one), logical(other));
    let longer = one.len().max(other.len());
    let at = |lines: &[String], i: usize| lines.get(i).cloned().unwrap_or_default();
    let differ = (0..longer).find(|&i| one.get(i) != other.get(i))?;
    Some((at(&one, differ), at(&other, differ)))
}

#[derive(Default)]
struct Lines {
    done: Vec<String>,
    /// The logical line that goes on.
    open: Option<String>,
    in_comment: bool,
    preformatted: bool,
}

impl Lines {
    fn add(&mut self, line: &str) {
        let text = line.trim();
        if self.in_comment || text.starts_with("/**") {
            self.comment(line, text);
        } else if text.is_empty() || text.starts_with("//") || text.starts_with('@') {
            self.end();
            self.done.push(line.trim_end().to_owned());
        } else {
            let whole = match self.open.take() {
                None => line.trim_end().to_owned(),
                Some(begun) => joined(begun, text),
            };
            let goes_on = elements_follow(&whole);
            self.open = Some(whole);
            if text.ends_with([';', '{', '}']) && !goes_on {
                self.end();
            }
        }
    }

    fn comment(&mut self, line: &str, text: &str) {
        self.in_comment = !text.ends_with("*/");
        let said = text
            .trim_start_matches("/**")
            .trim_start_matches('*')
            .trim();
        let begins_pre = said.starts_with("<pre>");
        let apart = said.is_empty() || !self.in_comment || text.starts_with("/**");
        if apart || begins_pre || self.preformatted {
            self.end();
            self.done.push(line.trim_end().to_owned());
        } else {
            let whole = match self.open.take() {
                None => line.trim_end().to_owned(),
                Some(begun) => begun + " " + said,
            };
            self.open = Some(whole);
        }
        self.preformatted = (self.preformatted || begins_pre) && !said.contains("</pre>");
    }

    fn end(&mut self) {
        self.done.extend(self.open.take());
    }
}

/// Is an array's brace open?
fn elements_follow(line: &str) -> bool {
    let Some((_, array)) = line.split_once("[] {") else {
        return false;
    };
    let count = |brace: char| array.matches(brace).count();
    count('}') <= count('{')
}

/// A line and what it goes on with.
fn joined(begun: String, text: &str) -> String {
    let close = begun.ends_with(['(', '[', '{']) || text.starts_with(['.', ')', ']', '}']);
    begun + if close { "" } else { " " } + text
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "class A {\n\n    /**\n     * One two\n     * three.\n     *\n     * <pre>\n     * x\n     *   y\n     * </pre>\n     */\n    @Test\n    void a() {\n        b(1,\n                c(2)\n                        .d());\n    }\n}\n";

    #[test]
    fn broken_lines_are_the_same() {
        let other = SOURCE
            .replace("One two\n     * three.", "One\n     * two three.")
            .replace(
                "b(1,\n                c(2)\n                        .d());",
                "b(\n                1, c(2).d());",
            );
        assert_ne!(SOURCE, other);
        assert_eq!(difference(SOURCE, &other), None);
        let elements = |array: &str| SOURCE.replace("b(1,", array);
        let one = elements("b(new int[][] {new int[] {1, 2}, new int[] {3}},");
        let other = elements(
            "b(\n            new int[][] {\n                new int[] {1, 2}, new int[] {\n3}\n            },",
        );
        assert_ne!(one, other);
        assert_eq!(difference(&one, &other), None);
    }

    #[test]
    fn all_else_differs() {
        for (was, is) in [
            ("        b(1", "      b(1"),
            ("{\n\n    /**", "{\n    /**"),
            ("c(2)", "c( 2)"),
            ("     *   y\n", "     * y\n"),
            ("     * x\n     *   y\n", "     * x   y\n"),
            ("three.\n     *\n", "three.\n"),
            ("    }\n}\n", "    }\n"),
        ] {
            assert!(SOURCE.contains(was), "{was}");
            let other = SOURCE.replace(was, is);
            assert!(difference(SOURCE, &other).is_some(), "{was:?} and {is:?}");
        }
    }
}
