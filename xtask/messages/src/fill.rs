//! A text with plausible values in its places.

use std::fmt;

use crate::text::{Message, Part};
use crate::values;

/// A place for which [`values`] has nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoValue {
    of: String,
    name: String,
    key: String,
    kind: String,
}

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            of,
            name,
            key,
            kind,
        } = self;
        write!(
            f,
            "{of}: {name}: xtask/messages/values.json has no value for {{{key}}}, which is a {kind}"
        )
    }
}

/// Errors that are made of errors end somewhere.
const DEEPEST: usize = 4;

/// The message as a user may read it.
pub(crate) fn example(message: &Message, all: &[Message]) -> Result<String, NoValue> {
    within(message, all, 0)
}

fn within(message: &Message, all: &[Message], depth: usize) -> Result<String, NoValue> {
    let mut text = String::new();
    for part in message.parts() {
        match part {
            Part::Words(words) => text.push_str(&words),
            Part::Place { key, quoted } => {
                let value = value(message, &key, all, depth)?;
                match quoted {
                    true => text.push_str(&format!("{value:?}")),
                    false => text.push_str(&value),
                }
            }
        }
    }
    Ok(text)
}

/// The one that is known, or an error within the error.
fn value(message: &Message, key: &str, all: &[Message], depth: usize) -> Result<String, NoValue> {
    let name = message.name();
    let kind = message.fields.get(key).map_or("", String::as_str);
    if let Some(known) = values::of(&name, key, kind) {
        return Ok(known.to_owned());
    }
    // An error within an error: its first message that has a text.
    let mut inner = all.iter().filter(|inner| inner.holder == kind);
    let inner = inner.find_map(|inner| match depth < DEEPEST {
        true => within(inner, all, depth + 1).ok(),
        false => None,
    });
    inner.ok_or_else(|| NoValue {
        of: message.of.clone(),
        name,
        key: key.to_owned(),
        kind: kind.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn message(holder: &str, text: &str, field: &str, kind: &str) -> Message {
        Message {
            holder: holder.to_owned(),
            variant: Some("V".to_owned()),
            text: text.to_owned(),
            fields: BTreeMap::from([(field.to_owned(), kind.to_owned())]),
            ..Message::default()
        }
    }

    #[test]
    fn places_are_filled() {
        let inner = message("Inner", "cannot read {source}", "source", "io::Error");
        let outer = message("Outer", "no trace: {0}", "0", "Inner");
        let all = [inner, outer];
        let text = example(&all[1], &all).unwrap();
        assert!(
            text.starts_with("no trace: cannot read No such file"),
            "{text}"
        );
        let lost = message("Lost", "{never_heard_of}", "x", "X");
        assert!(example(&lost, &all).is_err());
    }
}
