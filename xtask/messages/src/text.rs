//! A message as it is declared, and the placeholders in its text.

use std::collections::BTreeMap;

/// A message as it is declared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Message {
    /// The crate, or the module of Java.
    pub(crate) of: String,
    /// The enum, or the struct.
    pub(crate) holder: String,
    /// Absent for a struct.
    pub(crate) variant: Option<String>,
    pub(crate) text: String,
    /// Types of its fields, by their names or numbers.
    pub(crate) fields: BTreeMap<String, String>,
    /// What stands in the text's place `{}` in turn, and by names: the field that it is made of.
    pub(crate) arguments: Arguments,
}

/// What a text is given besides its fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    pub(crate) in_turn: Vec<String>,
    pub(crate) named: BTreeMap<String, String>,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Words(String),
    /// The field that stands here, and whether it is quoted.
    Place {
        key: String,
        quoted: bool,
    },
}

impl Message {
    pub(crate) fn name(&self) -> String {
        match &self.variant {
            Some(variant) => format!("{}::{variant}", self.holder),
            None => self.holder.clone(),
        }
    }

    /// Its text in parts.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut words = String::new();
        let mut in_turn = self.arguments.in_turn.iter();
        let mut rest = self.text.as_str();
        while let Some(at) = rest.find(['{', '}']) {
            words.push_str(&rest[..at]);
            let brace = &rest[at..at + 1];
            rest = &rest[at + 1..];
            if let Some(behind) = rest.strip_prefix(brace) {
                words.push_str(brace);
                rest = behind;
                continue;
            }
            let (place, behind) = rest.split_once('}').unwrap_or((rest, ""));
            let (key, format) = place.split_once(':').unwrap_or((place, ""));
            let key = match key {
                "" => in_turn.next().map_or("?", String::as_str),
                key => self.arguments.named.get(key).map_or(key, String::as_str),
            };
            if !words.is_empty() {
                parts.push(Part::Words(std::mem::take(&mut words)));
            }
            parts.push(Part::Place {
                key: key.to_owned(),
                quoted: format.contains('?'),
            });
            rest = behind;
        }
        words.push_str(rest);
        if !words.is_empty() {
            parts.push(Part::Words(words));
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_found() {
        let message = Message {
            text: "{{a}} {name:?} of {} at {x}".to_owned(),
            arguments: Arguments {
                in_turn: vec!["path".to_owned()],
                named: BTreeMap::from([("x".to_owned(), "0".to_owned())]),
            },
            ..Message::default()
        };
        let place = |key: &str, quoted| Part::Place {
            key: key.to_owned(),
            quoted,
        };
        let words = |text: &str| Part::Words(text.to_owned());
        assert_eq!(
            message.parts(),
            [
                words("{a} "),
                place("name", true),
                words(" of "),
                place("path", false),
                words(" at "),
                place("0", false)
            ]
        );
    }
}
