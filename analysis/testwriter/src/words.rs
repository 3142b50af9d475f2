//! Names in a source, as whole words.

/// Where a word stands in a text: offsets in bytes, ascending.
fn places<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let in_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |&at| {
            !text[..at].ends_with(in_name) && !text[at + word.len()..].starts_with(in_name)
        })
}

/// The text with another word wherever `old` stands as one.
pub fn renamed(text: &str, old: &str, new: &str) -> String {
    let mut out = text.to_owned();
    let all: Vec<usize> = places(text, old).collect();
    for at in all.into_iter().rev() {
        out.replace_range(at..at + old.len(), new);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_name_is_another_one() {
        let source =
            "class BarTest { /* -Dtest=BarTest */ BarTests t; FooBarTest u; Bar$BarTest v; }";
        assert_eq!(
            renamed(source, "BarTest", "Q"),
            "class Q { /* -Dtest=Q */ BarTests t; FooBarTest u; Bar$BarTest v; }"
        );
    }
}
