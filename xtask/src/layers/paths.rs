//! The paths in Rust source: which modules a file names, by `use` or in passing.

/// Paths from `crate`, `self` or `super` on, each as its names; a group gives one path for each of its members. What stands behind
/// `#[cfg(test)]` does not count: tests are at the end.
pub(super) fn named(source: &str) -> Vec<Vec<String>> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let begins = ["crate", "self", "super"].contains(&&*tokens[at]);
        let follows = at == 0 || tokens[at - 1] != "::";
        if begins && follows && tokens.get(at + 1).is_some_and(|t| t == "::") {
            at = tree(&tokens, at, &mut Vec::new(), &mut found);
        } else {
            at += 1;
        }
    }
    found
}

/// What a file makes public of others: the name that it gives, and the path behind it.
pub(super) fn re_exported(source: &str) -> Vec<(String, Vec<String>)> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    for at in 1..tokens.len() {
        let public = tokens[at - 1] == "pub" || tokens[at - 1] == ")";
        if tokens[at] == "use" && public {
            let mut paths = Vec::new();
            tree(&tokens, at + 1, &mut Vec::new(), &mut paths);
            found.extend(paths.into_iter().filter_map(|path| {
                let name = path.last()?.clone();
                Some((name, path))
            }));
        }
    }
    found
}

/// Reads a tree of a `use`, or a path; the index behind it.
fn tree(
    tokens: &[String],
    mut at: usize,
    prefix: &mut Vec<String>,
    found: &mut Vec<Vec<String>>,
) -> usize {
    let before = prefix.len();
    loop {
        match tokens.get(at).map(String::as_str) {
            Some("{") => {
                at += 1;
                while at < tokens.len() && tokens[at] != "}" {
                    let next = tree(tokens, at, prefix, found);
                    at = next.max(at + 1);
                    if tokens.get(at).is_some_and(|t| t == ",") {
                        at += 1;
                    }
                }
                prefix.truncate(before);
                return at + 1;
            }
            Some(name) if name == "*" || is_name(name) => {
                if name != "*" {
                    prefix.push(name.to_owned());
                }
                at += 1;
                if tokens.get(at).is_some_and(|t| t == "::") {
                    at += 1;
                    continue;
                }
            }
            _ => {}
        }
        found.push(prefix.clone());
        prefix.truncate(before);
        if tokens.get(at).is_some_and(|t| t == "as") {
            at += 2;
        }
        return at;
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Names, `::` and single signs, without comments and literals, up to the tests.
fn tokens(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let bytes = source.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &source[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with('"') {
            text(rest)
        } else if let Some(raw) = rest.strip_prefix("r#\"") {
            raw.find("\"#").map_or(rest.len(), |end| end + 5)
        } else if rest.starts_with('\'') {
            character(rest)
        } else if rest.starts_with("::") {
            found.push("::".to_owned());
            2
        } else {
            let name = rest
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
            let length = name.max(rest.chars().next().map_or(1, char::len_utf8));
            if !rest[..length].trim().is_empty() {
                found.push(rest[..length].to_owned());
            }
            length
        };
        at += length;
    }
    found
}

/// Length of a text, its quotes included.
fn text(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Length of a character; of a lifetime only its sign.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => rest[2..].find('\'').map_or(1, |end| {
            // The escaped sign may be the quote itself.
            if end == 0 { 4 } else { end + 3 }
        }),
        Some(_) => match chars.next() {
            Some((at, '\'')) => at + 1,
            _ => 1,
        },
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        named(source)
            .into_iter()
            .map(|path| path.join("::"))
            .collect()
    }

    #[test]
    fn paths_of_uses_and_in_passing() {
        let source = "use crate::a::{B, c::{D, self}, e::*};\nuse std::crate_::x;\nfn f() { super::g::h(\"crate::no\", 'x', '\\''); }\n\
            // crate::comment\nlet x: &'a self::Y = r#\"crate::raw\"#;\nuse crate::z as q;\n#[cfg(test)] mod tests { use crate::t; }";
        assert_eq!(
            texts(source),
            [
                "crate::a::B",
                "crate::a::c::D",
                "crate::a::c::self",
                "crate::a::e",
                "super::g::h",
                "self::Y",
                "crate::z",
            ]
        );
    }

    #[test]
    fn what_is_made_public() {
        let source = "pub use a::B; pub(crate) use super::c::{D, E}; use f::G;";
        let found: Vec<_> = re_exported(source)
            .into_iter()
            .map(|(n, p)| (n, p.join("::")))
            .collect();
        let of = |name: &str, path: &str| (name.to_owned(), path.to_owned());
        assert_eq!(
            found,
            [
                of("B", "a::B"),
                of("D", "super::c::D"),
                of("E", "super::c::E")
            ]
        );
    }
}
