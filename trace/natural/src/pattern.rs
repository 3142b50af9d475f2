//! Class name patterns of the options: `*` and `?` over the dotted class name.

/// One pattern; `com.foo.*` matches the classes of the package and of all packages below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// A pattern as given in an option. Slashes are taken as dots.
    pub fn new(text: &str) -> Self {
        Self(text.trim().replace('/', "."))
    }

    /// The text of the pattern.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Does the dotted class name match?
    pub fn matches(&self, dotted: &str) -> bool {
        glob(self.0.as_bytes(), dotted.as_bytes())
    }

    /// [`Self::matches`] for an internal class name, which has slashes where the other has dots.
    pub fn matches_internal(&self, internal: &str) -> bool {
        let dotted = |byte: u8| if byte == b'/' { b'.' } else { byte };
        glob_as(self.0.as_bytes(), internal.as_bytes(), dotted)
    }
}

/// Does all of `text` match the wildcards `*` and `?`? On a mismatch it goes back to the last `*` only.
pub fn glob(pattern: &[u8], text: &[u8]) -> bool {
    glob_as(pattern, text, |byte| byte)
}

/// [`glob`] for a text each byte of which is `read` as another one.
fn glob_as(pattern: &[u8], text: &[u8], read: impl Fn(u8) -> u8) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            // Most patterns end so.
            Some(b'*') if p + 1 == pattern.len() => return true,
            Some(b'*') => {
                retry = Some((p + 1, t));
                p += 1;
            }
            Some(&c) if c == b'?' || c == read(text[t]) => {
                p += 1;
                t += 1;
            }
            _ => match retry {
                Some((after_star, from)) => {
                    p = after_star;
                    t = from + 1;
                    retry = Some((after_star, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn wildcards() {
        for (pattern, name, expected) in [
            ("com.foo.*", "com.foo.Bar", true),
            ("com.foo.*", "com.foo.sub.Bar", true),
            ("com.foo.*", "com.food.Bar", false),
            ("com.?oo.Bar", "com.foo.Bar", true),
            ("Bar", "com.foo.Bar", false),
            ("*Bar", "com.foo.Bar", true),
            ("*.Bar$Inner", "com.foo.Bar$Inner", true),
            ("**a*", "bbab", true),
            ("com/foo/Bar", "com.foo.Bar", true),
            ("*", "", true),
            ("", "a", false),
        ] {
            let (pattern, internal) = (Pattern::new(pattern), name.replace('.', "/"));
            let found = (pattern.matches(name), pattern.matches_internal(&internal));
            assert_eq!(found, (expected, expected), "{pattern:?} {name}");
        }
    }

    fn naive(p: &[u8], t: &[u8]) -> bool {
        match (p.first(), t.first()) {
            (None, None) => true,
            (Some(b'*'), _) => naive(&p[1..], t) || (!t.is_empty() && naive(p, &t[1..])),
            (Some(b'?'), Some(_)) => naive(&p[1..], &t[1..]),
            (Some(a), Some(b)) if a == b => naive(&p[1..], &t[1..]),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn equals_the_naive_match(p in "[ab*?]{0,8}", t in "[ab]{0,10}") {
            prop_assert_eq!(glob(p.as_bytes(), t.as_bytes()), naive(p.as_bytes(), t.as_bytes()));
        }
    }
}
