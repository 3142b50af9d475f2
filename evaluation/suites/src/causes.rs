//! Reasons, without what is different in each of them, so that like ones are counted together.

use std::sync::LazyLock;

use regex::Regex;

/// Longest text of a cause.
const LONGEST: usize = 200;

/// Quoted texts, numbers, names of members and classes, paths: each with what stands for it.
static PARTS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    [
        (r#"'[^'\n]*'|"[^"\n]*"|`[^`\n]*`"#, "'…'"),
        (r"(^|[\s(=:,])/[\w.$/+-]+/[\w.$+-]+", "${1}PATH"),
        (r"\bL?(?:[\w$]+/)+[\w$]+;?", "NAME"),
        // Exceptions say most: they keep their names, but not their packages.
        (
            r"\b(?:[a-z_]\w*\.)+([A-Z]\w*(?:Exception|Error))\b(?:\.\w+)?",
            "$1",
        ),
        (
            r"\b(?:[a-z_]\w*\.)+[A-Z][\w$]*(?:\.[\w$<>]+)*(?:\([^)\s]*\)[\w/;\[]*)?",
            "NAME",
        ),
        (
            r"\b[A-Z][\w$]*\.[a-z<][\w$>]*(?:\([^)\s]*\)[\w/;\[]*)?",
            "NAME",
        ),
        (r"(?:@|#)?\b0x[0-9a-f]+\b|#?\b\d+\b", "N"),
        (r"(?:NAME(?:, | and )?){2,}", "NAMES"),
        (r"\s+", " "),
    ]
    .into_iter()
    .map(|(pattern, text)| (Regex::new(pattern).expect("the pattern is one"), text))
    .collect()
});

/// The cause behind a reason: its first line without names, numbers and texts.
pub(crate) fn of(why: &str) -> String {
    let line = why.lines().next().unwrap_or_default();
    let mut text = line.trim().to_owned();
    for (pattern, with) in PARTS.iter() {
        text = pattern.replace_all(&text, *with).into_owned();
    }
    text.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_and_texts_do_not_tell_causes_apart() {
        let alike = [
            (
                "divergence at event 17: expected a.b.Cart.total(II)I, got 'x'",
                "divergence at event 2345: expected c.Order$Line.price(), got 'yy'",
            ),
            (
                "argument 0 of interaction 3 (call a/b/C.add(Lx/y/Z;)V on a/b/C): x/y/Z cannot be made",
                "argument 1 of interaction 77 (call d/E.sub(Lx/Q;)V on d/E): x/Q cannot be made",
            ),
            ("no test in /tmp/x/y.java", "no test in /home/z/other.java"),
            ("it took 3 s\nsecond line", "it took 77 s"),
            (
                "a.b.OopsException: \"one\"",
                "c.d.e.OopsException: \"two things\"",
            ),
        ];
        for (one, other) in alike {
            assert_eq!(of(one), of(other));
        }
    }

    #[test]
    fn what_went_wrong_stays() {
        assert_eq!(
            of("the test passes: java.lang.IllegalStateException in a.B.c(I)V"),
            "the test passes: IllegalStateException in NAME"
        );
        assert_ne!(of("a.AException"), of("a.BException"));
        assert_ne!(of("the test passes"), of("the test does not compile"));
    }
}
