//! Values as the worker writes them: literals of Java.

/// A text as it stands between quotes, all on one line.
pub fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// The text of which [`escaped`] made this.
pub fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok();
                out.extend(code.and_then(char::from_u32));
            }
            other => out.extend(other),
        }
    }
    out
}

/// The text in a value that is one, or shows one: `"a"`, `StringBuilder "a"`.
pub fn text(value: &str) -> Option<String> {
    let (_, rest) = value.split_once('"')?;
    Some(unescaped(rest.strip_suffix('"')?))
}

/// What `String.valueOf` makes of the value, where that follows from how it is written.
pub fn value_of(value: &str) -> Option<String> {
    let quoted = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(inner) = quoted('"').or_else(|| quoted('\'')) {
        return Some(unescaped(inner));
    }
    let small = |ty: &str| value.strip_prefix(ty);
    let number = small("(byte) ")
        .or_else(|| small("(short) "))
        .unwrap_or(value);
    let digits = number.strip_suffix(['L', 'f']).unwrap_or(number);
    let known = ["null", "true", "false"].contains(&value) || digits.parse::<f64>().is_ok();
    known.then(|| digits.to_owned())
}

/// What the text of `value` has where that of `other` has something else; all of it if there is no other.
pub fn difference(value: &str, other: Option<&str>) -> Option<String> {
    let own: Vec<char> = text(value)?.chars().collect();
    let other: Vec<char> = other.and_then(text).unwrap_or_default().chars().collect();
    let same = own.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (own, other) = (&own[same..], &other[same..]);
    let pairs = own.iter().rev().zip(other.iter().rev());
    let behind = pairs.take_while(|(a, b)| a == b).count();
    let part: String = own[..own.len() - behind].iter().collect();
    (!part.is_empty()).then_some(part)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_read_as_java_shows_them() {
        let shown = |value: &str| value_of(value);
        assert_eq!(shown("\"a\\n\"").as_deref(), Some("a\n"));
        assert_eq!(shown("'\\''").as_deref(), Some("'"));
        for (value, text) in [
            ("3", "3"),
            ("-3L", "-3"),
            ("(byte) 7", "7"),
            ("0.5f", "0.5"),
            ("null", "null"),
        ] {
            assert_eq!(shown(value).as_deref(), Some(text), "{value}");
        }
        for other in [
            "n.E",
            "java.util.ArrayList of 2",
            "int[3]",
            "State.OPEN",
            "n.E.class",
        ] {
            assert_eq!(shown(other), None, "{other}");
        }
    }

    #[test]
    fn what_differs_is_in_the_middle() {
        let differs = |a: &str, b: Option<&str>| difference(a, b);
        assert_eq!(differs("\"abc\"", Some("\"axc\"")).as_deref(), Some("b"));
        assert_eq!(differs("\"aa\"", Some("\"a\"")).as_deref(), Some("a"));
        assert_eq!(differs("\"a\"", Some("\"aa\"")), None);
        assert_eq!(differs("\"ab\"", Some("null")).as_deref(), Some("ab"));
        assert_eq!(differs("3", Some("4")), None);
    }

    proptest! {
        #[test]
        fn escaping_is_undone(text: String) {
            prop_assert_eq!(unescaped(&escaped(&text)), text.clone());
            prop_assert_eq!(super::text(&format!("\"{}\"", escaped(&text))), Some(text));
        }
    }
}
