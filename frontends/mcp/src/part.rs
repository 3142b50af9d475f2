//! Answers in parts: an assistant can take in only so much at once.

/// Bytes of a part, at most.
const MOST: usize = 24_000;

/// A document without the blanks that are there for people.
pub(crate) fn dense(document: &str) -> String {
    let mut dense = String::with_capacity(document.len());
    let (mut in_text, mut is_escaped) = (false, false);
    for c in document.chars() {
        if !in_text && c.is_ascii_whitespace() {
            continue;
        }
        dense.push(c);
        if is_escaped {
            is_escaped = false;
        } else if c == '\\' {
            is_escaped = in_text;
        } else if c == '"' {
            in_text = !in_text;
        }
    }
    dense
}

/// So many parts an answer has.
pub(crate) fn count(answer: &str) -> usize {
    cuts(answer).len() - 1
}

/// The part with this number, from 1 on.
pub(crate) fn part(answer: &str, number: usize) -> Option<&str> {
    let cuts = cuts(answer);
    let from = *cuts.get(number.checked_sub(1)?)?;
    answer.get(from..*cuts.get(number)?)
}

/// Where parts begin, and where the last one ends.
fn cuts(answer: &str) -> Vec<usize> {
    let mut cuts = vec![0];
    let mut from = 0;
    while answer.len() - from > MOST {
        let mut end = answer.floor_char_boundary(from + MOST);
        // Between two entries of a list, if there is such a place nearby.
        if let Some(at) = answer[from..end].rfind("},{")
            && at > MOST / 2
        {
            end = from + at + 2;
        }
        cuts.push(end);
        from = end;
    }
    cuts.push(answer.len());
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn blanks_in_texts_stay() {
        let pretty = "{\n  \"a b\": [1, \"x \\\" y\", \"\\\\\"],\n  \"c\": null\n}\n";
        assert_eq!(dense(pretty), r#"{"a b":[1,"x \" y","\\"],"c":null}"#);
    }

    #[test]
    fn lists_are_cut_between_entries() {
        let entries = vec![r#"{"value":"something"}"#; 3000].join(",");
        assert_eq!(count(&entries), 3);
        assert!(part(&entries, 2).unwrap().starts_with(r#"{"value"#));
    }

    proptest! {
        #[test]
        fn parts_are_the_whole(text in "[aä}{,]{0,40}", times in 0usize..4000) {
            let answer = text.repeat(times);
            let parts = 1..=count(&answer);
            let whole: String = parts.clone().map(|no| part(&answer, no).unwrap()).collect();
            prop_assert_eq!(whole, answer.clone());
            prop_assert!(parts.clone().all(|no| part(&answer, no).unwrap().len() <= MOST));
            prop_assert_eq!(part(&answer, 0), None);
            prop_assert_eq!(part(&answer, count(&answer) + 1), None);
        }
    }
}
