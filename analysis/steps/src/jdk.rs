//! What well-known classes of the JDK inherit from: no trace has them. The table is `jdk.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

const TABLE: &str = include_str!("jdk.txt");

/// A class of the table.
struct Known {
    is_final: bool,
    above: Vec<&'static str>,
}

static ALL: LazyLock<HashMap<&str, Known>> = LazyLock::new(|| {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let parsed = lines.filter_map(|line| {
        let mut words = line.split(' ');
        let is_final = words.next()? == "final";
        let class = words.next()?;
        let above = words.collect();
        Some((class, Known { is_final, above }))
    });
    parsed.collect()
});

/// What a class (internal name) inherits from directly, without `java/lang/Object`; `None`: it is not in the table.
pub(crate) fn above(class: &str) -> Option<&'static [&'static str]> {
    ALL.get(class).map(|known| known.above.as_slice())
}

/// Is it known that nothing inherits from the class?
pub(crate) fn is_final(class: &str) -> bool {
    ALL.get(class).is_some_and(|known| known.is_final)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_well_formed() {
        assert!(ALL.len() > 400);
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let words: Vec<&str> = line.split(' ').collect();
            assert!(matches!(words[0], "final" | "class" | "type"), "{line}");
            assert!(
                words[1..].iter().all(|word| word.starts_with("java/")),
                "{line}"
            );
        }
    }

    #[test]
    fn collections_are_distinguished_from_texts() {
        assert!(
            above("java/util/Vector")
                .unwrap()
                .contains(&"java/util/List")
        );
        assert!(above("java/util/Vector$1").is_none());
        assert!(is_final("java/lang/String") && !is_final("java/util/Vector"));
    }
}
