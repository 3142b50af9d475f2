//! Messages that are parts of others, with what stands around them when a user reads them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Wholes, with `{}` where the message stands, and their parts: a message, all messages of an enum (`::*`), or those of one crate (its name stands before).
static WHOLES: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../wholes.json")).expect("wholes.json has lists of texts")
});

/// The message as a part of the whole in which a user reads it; the same, if it stands alone.
pub(crate) fn whole(of: &str, name: &str, text: &str) -> String {
    let found = keys(of, name).iter().find_map(|key| find(key));
    found.map_or_else(|| text.to_owned(), |whole| whole.replace("{}", text))
}

/// Under which keys a message may be found, the closest first.
fn keys(of: &str, name: &str) -> Vec<String> {
    let mut keys = vec![format!("{of} {name}"), name.to_owned()];
    keys.extend(
        name.split_once("::")
            .map(|(holder, _)| format!("{holder}::*")),
    );
    keys
}

fn find(key: &str) -> Option<&'static str> {
    let found = WHOLES
        .iter()
        .find(|(_, parts)| parts.iter().any(|part| part == key));
    found.map(|(whole, _)| whole.as_str())
}

/// The parts that are no message: crates and names.
pub(crate) fn unknown(messages: &[(String, String)]) -> Vec<&'static str> {
    let known = messages.iter().flat_map(|(of, name)| keys(of, name));
    let known: BTreeSet<String> = known.collect();
    let parts = WHOLES.values().flatten().map(String::as_str);
    parts.filter(|part| !known.contains(*part)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_may_have_another_whole_than_its_enum() {
        let text = whole("agent", "Missing::Faults", "7 probes failed");
        assert_eq!(text, "not recorded  7 probes failed");
        let text = whole("agent", "Missing::Early", "loaded early");
        assert!(text.contains("shop.Cart: loaded early"), "{text}");
        let text = whole("analysis/replay", "WriteError::TooMany", "too many");
        assert_eq!(text, "too many");
        let text = whole("classfile", "WriteError::TooMany", "too many");
        assert!(text.contains("shop.Cart: too many"), "{text}");
    }

    #[test]
    fn a_part_has_one_whole() {
        let mut parts: Vec<&String> = WHOLES.values().flatten().collect();
        let all = parts.len();
        parts.sort_unstable();
        parts.dedup();
        assert_eq!(parts.len(), all);
        assert!(WHOLES.keys().all(|whole| whole.contains("{}")));
    }

    #[test]
    fn a_part_that_is_gone_is_found() {
        assert!(unknown(&[]).contains(&"Whence::*"));
        let made = ("analysis/answers".to_owned(), "Whence::Made".to_owned());
        assert!(!unknown(&[made]).contains(&"Whence::*"));
    }
}
