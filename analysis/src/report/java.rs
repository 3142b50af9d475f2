//! Tells apart what Java source is made of, to colour it: a scanner for the lexical structure (JLS chapter 3), no parser.

use super::escape::escape;

/// Keywords, and literals that look like them (JLS §3.9).
const KEYWORDS: &str = " abstract assert boolean break byte case catch char class const continue default do double else enum \
    extends false final finally float for goto if implements import instanceof int interface long native new null package \
    private protected public return short static strictfp super switch synchronized this throw throws transient true try var \
    void volatile while ";

/// The source in parts, each with its class: `k` keyword, `s` string or character, `n` number, `c` comment, `t` type name, `a` annotation, or
/// nothing. The parts together are the source.
pub fn tokens(source: &str) -> impl Iterator<Item = (&str, &'static str)> {
    let mut rest = source;
    std::iter::from_fn(move || {
        let (len, class) = token(rest, rest.chars().next()?);
        let (text, tail) = rest.split_at(len);
        rest = tail;
        Some((text, class))
    })
}

/// The source as HTML with `span`s of these classes. Taking the spans out and the entities back gives the source.
pub(super) fn highlight(source: &str) -> String {
    let mut out = String::with_capacity(source.len() * 2);
    for (text, class) in tokens(source) {
        let text = escape(text);
        match class {
            "" => out.push_str(&text),
            class => out.push_str(&format!("<span class=\"{class}\">{text}</span>")),
        }
    }
    out
}

/// Length in bytes and class of the token at the start of `text`, which begins with `first`.
fn token(text: &str, first: char) -> (usize, &'static str) {
    if text.starts_with("//") {
        (text.find('\n').unwrap_or(text.len()), "c")
    } else if let Some(comment) = text.strip_prefix("/*") {
        (comment.find("*/").map_or(text.len(), |at| at + 4), "c")
    } else if first == '"' || first == '\'' {
        (literal_len(text, first), "s")
    } else if first == '@' {
        let len = 1 + word_len(&text[1..]);
        (len, if len > 1 { "a" } else { "" })
    } else if first.is_ascii_digit() {
        (
            text.find(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '_')
                .unwrap_or(text.len()),
            "n",
        )
    } else if is_word(first) {
        let len = word_len(text);
        (len, word_class(&text[..len]))
    } else {
        (first.len_utf8(), "")
    }
}

fn literal_len(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            // An unclosed literal ends with its line.
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn word_len(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

fn word_class(word: &str) -> &'static str {
    if KEYWORDS.contains(&format!(" {word} ")) {
        "k"
    } else if word.starts_with(char::is_uppercase) && word.chars().any(char::is_lowercase) {
        "t"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tokens_get_their_class() {
        let html =
            highlight("@Test // a < b\nint i = 'x' + \"\\\"</script>\"; new Foo(1_0L, null, MAX);");
        insta::assert_snapshot!(html, @r#"
        <span class="a">@Test</span> <span class="c">// a &lt; b</span>
        <span class="k">int</span> i = <span class="s">&#39;x&#39;</span> + <span class="s">&quot;\&quot;&lt;/script&gt;&quot;</span>; <span class="k">new</span> <span class="t">Foo</span>(<span class="n">1_0L</span>, <span class="k">null</span>, MAX);
        "#);
    }

    fn plain(html: &str) -> String {
        let mut out = String::new();
        let mut rest = html;
        while let Some(at) = rest.find('<') {
            out.push_str(&rest[..at]);
            rest = &rest[at + rest[at..].find('>').unwrap() + 1..];
        }
        out.push_str(rest);
        let out = out
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'");
        out.replace("&amp;", "&")
    }

    proptest! {
        #[test]
        fn nothing_is_lost_or_left_unescaped(source in "[a-zA-Z0-9@'\"\\\\/*<>& \n.éÄ$_(){}]{0,80}") {
            prop_assert_eq!(plain(&highlight(&source)), source);
        }

        #[test]
        fn any_text_is_taken(source: String) {
            prop_assert_eq!(plain(&highlight(&source)), source);
        }
    }
}
