//! Texts of which there are many copies.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A name or descriptor. Most sites of a class have theirs in common: a copy costs no memory.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text(Arc<str>);

impl Text {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Is it the same copy? Then it is the same text.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The shared text itself.
    pub fn shared(&self) -> Arc<str> {
        self.0.clone()
    }
}

impl Default for Text {
    fn default() -> Self {
        "".into()
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Text {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<Cow<'_, str>> for Text {
    fn from(text: Cow<'_, str>) -> Self {
        Self(text.into())
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.as_str().into()
    }
}

impl FromIterator<char> for Text {
    fn from_iter<I: IntoIterator<Item = char>>(letters: I) -> Self {
        letters.into_iter().collect::<String>().into()
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<String> for Text {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<Text> for Cow<'_, str> {
    fn eq(&self, other: &Text) -> bool {
        **self == **other
    }
}

impl PartialEq<Text> for str {
    fn eq(&self, other: &Text) -> bool {
        self == other.as_str()
    }
}

impl PartialEq<Text> for &str {
    fn eq(&self, other: &Text) -> bool {
        *self == other.as_str()
    }
}

impl PartialEq<Text> for String {
    fn eq(&self, other: &Text) -> bool {
        self == other.as_str()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(String::deserialize(from)?.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_the_same_text() {
        let text = Text::from("getValue");
        let (copy, other) = (text.clone(), Text::from("getValue".to_owned()));
        assert!(text.is_same(&copy) && !text.is_same(&other));
        assert_eq!((&text, &text), (&copy, &other));
        assert_eq!((text.as_str(), text.len()), ("getValue", 8));
        let later = Text::from("setValue");
        assert!(text < later);
        assert_eq!(Text::default(), "");
    }

    #[test]
    fn it_is_written_as_a_text() {
        let text: Text = "()\"é".chars().collect();
        let json = serde_json::to_string(&text).unwrap();
        assert_eq!(json, serde_json::to_string("()\"é").unwrap());
        assert_eq!(serde_json::from_str::<Text>(&json).unwrap(), text);
        assert_eq!(
            (format!("{text}"), format!("{text:?}")),
            ("()\"é".into(), format!("{:?}", "()\"é"))
        );
    }
}
