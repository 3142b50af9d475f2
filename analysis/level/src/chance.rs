//! What is another one in every run, in the texts of failures: two messages that differ in this alone say the same.

/// Digits in a row that are taken for chance: a time, a port, the name of a temporary file.
const DIGITS: usize = 5;

/// A message without what is another one in every run: identity hash codes, long numbers, and the way to a temporary file, up to the
/// directory that has such a number in its name. `java-harness/replay` has the same rules in `Chance`.
pub fn without_chance(message: &str) -> String {
    let mut text = String::new();
    let mut rest = message;
    while let Some(c) = rest.chars().next() {
        let before = &message[..message.len() - rest.len()];
        let begins_path = c == '/' && !before.ends_with(|c| is_of_path(c) || c == '/');
        if let Some(after) = begins_path.then(|| behind_temporary(rest)).flatten() {
            text.push('#');
            rest = after;
            continue;
        }
        let after = &rest[c.len_utf8()..];
        let digits = leading(rest, |c| c.is_ascii_digit());
        let hash = leading(after, |c| c.is_ascii_hexdigit());
        if c == '@' && hash > 0 {
            text.push_str("@#");
            rest = &after[hash..];
        } else if digits >= DIGITS {
            text.push('#');
            rest = &rest[digits..];
        } else {
            let (kept, more) = rest.split_at(digits.max(c.len_utf8()));
            text.push_str(kept);
            rest = more;
        }
    }
    text
}

/// What follows the last directory or file of a path that has a long number in its name; `text` begins with the path.
fn behind_temporary(text: &str) -> Option<&str> {
    let path = &text[..leading(text, |c| is_of_path(c) || c == '/')];
    let mut behind = None;
    let mut begin = 0;
    for name in path.split('/') {
        let end = begin + name.len();
        let mut digits = name.split(|c: char| !c.is_ascii_digit());
        if digits.any(|digits| digits.len() >= DIGITS) {
            behind = Some(&text[end..]);
        }
        begin = end + 1;
    }
    behind
}

fn is_of_path(c: char) -> bool {
    c.is_alphanumeric() || "._-+$~".contains(c)
}

/// Bytes of the characters at the begin of a text that are such.
fn leading(text: &str, is_such: impl Fn(char) -> bool) -> usize {
    text.len() - text.trim_start_matches(is_such).len()
}

#[cfg(test)]
mod tests {
    use super::without_chance;

    #[test]
    fn what_differs_in_every_run_is_left_out() {
        for (message, without) in [
            ("no cow Cow@1f2a in 1712345678901", "no cow Cow@# in #"),
            ("1234 cows", "1234 cows"),
            (
                "/home/me/target/junit4711000/herd/cows.txt is empty",
                "#/herd/cows.txt is empty",
            ),
            ("'/tmp/test99999/a/b12345678/c'", "'#/c'"),
            ("/tmp/junit4711000: no herd", "#: no herd"),
            ("file:///tmp/junit4711000/a", "file:#/a"),
            ("either/or12345", "either/or#"),
            ("Cow@1f/or12345", "Cow@#/or#"),
            ("/etc/hosts", "/etc/hosts"),
            ("a@home, b@cafe, é@", "a@home, b@#, é@"),
        ] {
            assert_eq!(without_chance(message), without, "{message}");
        }
    }
}
