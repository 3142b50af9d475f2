//! Plausible values for the places of messages: `values.json`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

static VALUES: LazyLock<Values> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../values.json")).expect("values.json has texts by name")
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Values {
    /// By name of the message and of the field: `NoAnswer::Local.path`.
    messages: BTreeMap<String, String>,
    /// By type.
    types: BTreeMap<String, String>,
    /// By name of the field, whatever message it is of.
    names: BTreeMap<String, String>,
    /// Numbers by type, of which one is as good as another.
    numbers: BTreeMap<String, String>,
}

/// The value of a field of a message and a type: of the very message; of the type, if it says more than the name; of the name; of any number.
pub(crate) fn of(message: &str, field: &str, kind: &str) -> Option<&'static str> {
    let Values {
        messages,
        types,
        names,
        numbers,
    } = &*VALUES;
    let value = messages
        .get(&format!("{message}.{field}"))
        .or_else(|| types.get(kind))
        .or_else(|| names.get(field))
        .or_else(|| numbers.get(kind));
    value.map(String::as_str)
}
