//! Source of tests: what is said before it and in long comments is folded away, and a button copies all of it.

use super::super::java;
use super::Page;

/// Copies the source of a test. It is the only script that the page's policy lets run: [`SCRIPT_HASH`].
pub(super) const SCRIPT: &str = include_str!("copy.js");

/// The hash of [`SCRIPT`], as a policy has it.
pub(super) const SCRIPT_HASH: &str = "sha256-cNiq+oASYx/ufDGNF7R9kVODJ/S+YlYuy+Mnw9eNSH0=";

/// A source on the page.
pub(super) struct Code<'a> {
    pub(super) source: &'a str,
    /// Its name on the page, if it can be copied.
    pub(super) id: Option<&'a str>,
}

impl Page {
    pub(super) fn code(&mut self, code: &Code<'_>) {
        match code.id {
            // Without scripts there is no button that does nothing.
            Some(id) => self.line(format_args!(
                "<div class=\"code\" id=\"code-{id}\"><button type=\"button\" class=\"copy\" data-of=\"code-{id}\" hidden>Copy</button>"
            )),
            None => self.raw("<div class=\"code\">\n"),
        }
        for (what, text) in parts(code.source.trim_end()) {
            let html = java::highlight(text);
            match what {
                Some(what) => self.line(format_args!(
                    "<details><summary>{what}</summary><pre><code>{html}</code></pre></details>"
                )),
                None => self.line(format_args!("<pre><code>{html}</code></pre>")),
            }
        }
        self.raw("</div>\n");
    }
}

/// The source in parts that together are all of it; those that are folded have a name.
fn parts(source: &str) -> Vec<(Option<&'static str>, &str)> {
    let mut parts: Vec<(Option<&'static str>, &str)> = Vec::new();
    let (mut begin, mut at) = (0, 0);
    let mut now = None;
    let (mut in_head, mut in_comment) = (true, false);
    for line in source.split_inclusive('\n') {
        let text = line.trim();
        let is_comment = in_comment || text.starts_with("/**");
        let of_head =
            text.is_empty() || ["package ", "import "].iter().any(|w| text.starts_with(w));
        in_head &= of_head || is_comment;
        let what = match (in_head, is_comment) {
            (true, _) => Some("package and imports"),
            (false, true) => Some("comment"),
            (false, false) => None,
        };
        if what != now && at > begin {
            parts.push((now, &source[begin..at]));
            begin = at;
        }
        now = what;
        in_comment = is_comment && !text.ends_with("*/");
        at += line.len();
    }
    if at > begin {
        parts.push((now, &source[begin..at]));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn what_comes_first_and_comments_are_folded() {
        let source = "package a;\n\nimport b.C;\n\nclass T {\n\n    /**\n     * Why.\n     */\n    @Test\n    void t() {}\n}\n";
        let all = parts(source);
        let names: Vec<_> = all.iter().map(|(what, _)| *what).collect();
        assert_eq!(
            names,
            [Some("package and imports"), None, Some("comment"), None]
        );
        assert_eq!(all[0].1, "package a;\n\nimport b.C;\n\n");
        assert!(all[3].1.starts_with("    @Test\n"));
    }

    /// In base 64, as RFC 4648 has it.
    fn base64(bytes: &[u8]) -> String {
        const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let group = |three: &[u8]| {
            let bits = (0..3).fold(0_usize, |all, i| {
                all << 8 | usize::from(three.get(i).copied().unwrap_or(0))
            });
            let digit = |i: usize| match i <= three.len() {
                true => char::from(DIGITS[bits >> (18 - 6 * i) & 63]),
                false => '=',
            };
            (0..4).map(digit).collect::<String>()
        };
        bytes.chunks(3).map(group).collect()
    }

    #[test]
    fn the_policy_lets_the_script_run() {
        assert_eq!(base64(b"jinsi"), "amluc2k=");
        let hash = base64(&Sha256::new().chain_update(SCRIPT).finalize());
        assert_eq!(format!("sha256-{hash}"), SCRIPT_HASH);
    }

    proptest! {
        #[test]
        fn the_parts_are_the_whole(source in "(package a;|import b;|/\\*\\*|\\*/|class T|\n| ){0,40}") {
            let all: String = parts(&source).iter().map(|(_, text)| *text).collect();
            prop_assert_eq!(all, source);
        }
    }
}
