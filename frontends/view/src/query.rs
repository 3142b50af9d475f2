//! What stands behind the question mark of an address.

use std::str::FromStr;

use crate::refusal::Refusal;

/// Names and values.
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    pub(crate) fn parse(text: &str) -> Self {
        let pairs = text.split('&').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(name), decoded(value))
        });
        Self(pairs.collect())
    }

    /// These names and values.
    pub(crate) fn of(parts: &[(&str, &str)]) -> Self {
        let pairs = parts.iter();
        Self(
            pairs
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        )
    }

    /// The value of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(of, _)| of == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The value of this name, read as what it is.
    pub(crate) fn read<T: FromStr>(&self, name: &str) -> Result<Option<T>, Refusal>
    where
        T::Err: std::fmt::Display,
    {
        let value = self.get(name).map(|text| {
            let value = text.parse();
            value.map_err(|e| Refusal::bad(format!("{name}={text}: {e}")))
        });
        value.transpose()
    }

    /// The same; it has to be there.
    pub(crate) fn need<T: FromStr>(&self, name: &str) -> Result<T, Refusal>
    where
        T::Err: std::fmt::Display,
    {
        let value = self.read(name)?;
        value.ok_or_else(|| Refusal::bad(format!("{name}= is missing")))
    }

    /// How many are wanted: never more than a screen or two.
    pub(crate) fn most(&self, limit: usize) -> Result<usize, Refusal> {
        Ok(self.read("most")?.unwrap_or(limit).min(limit))
    }
}

fn decoded(text: &str) -> String {
    let digit = |byte: Option<&u8>| byte.and_then(|byte| (*byte as char).to_digit(16));
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let pair = (digit(bytes.get(at + 1)), digit(bytes.get(at + 2)));
        match (bytes[at], pair) {
            (b'%', (Some(high), Some(low))) => {
                out.push((high * 16 + low) as u8);
                at += 2;
            }
            (b'+', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_escaped_comes_back() {
        let query = Query::parse("what=%23c%5B2%5D&at=0%3A12%2B3&text=a+b&odd=%zz%4&=&flag");
        assert_eq!(query.get("what"), Some("#c[2]"));
        assert_eq!(query.get("at"), Some("0:12+3"));
        assert_eq!(query.get("text"), Some("a b"));
        assert_eq!(query.get("odd"), Some("%zz%4"));
        assert_eq!(query.get("flag"), Some(""));
        assert_eq!(query.get("other"), None);
        assert!(query.read::<u32>("text").is_err());
        assert_eq!(Query::parse("most=9999").most(100).ok(), Some(100));
    }
}
