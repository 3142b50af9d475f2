//! Rules of plain English that a program can check on messages.

use crate::Listed;

/// Words that a sentence may have at most.
const LONGEST: usize = 25;

/// Words that a user does not know, with what to say instead.
const BANNED: [(&str, &str); 22] = [
    ("acts", "does"),
    ("bci", "instruction"),
    ("came", "reached, appeared"),
    ("crew", "worker pool"),
    ("doors", "frontends"),
    ("expansion", "replay"),
    ("for want of", "without"),
    ("gave", "returned, passed"),
    ("handed", "passed"),
    ("harness", "jinsi"),
    ("level key", "level"),
    ("motion", "stepping"),
    ("played", "replayed"),
    ("session", "replay"),
    ("shut in", "in the sandbox"),
    ("stray", "unobserved subclass"),
    ("stretch", "part"),
    ("strict", "in the recorded order"),
    ("tells", "says"),
    ("told", "reported"),
    ("widening", "recording more classes"),
    ("wish", "request"),
];

/// What breaks the rules.
pub(crate) fn broken(message: &Listed) -> Vec<String> {
    let mut findings = Vec::new();
    let mut find = |what: String| {
        let Listed {
            of, name, example, ..
        } = message;
        findings.push(format!("{of}: {name}: {what}: {example}"));
    };
    for sentence in sentences(&message.example) {
        let words = sentence.split_whitespace().count();
        if words > LONGEST {
            find(format!("{words} words"));
        }
    }
    let bare = |word: &str| {
        let word = word.to_lowercase();
        word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
    };
    // What stands in places is the user's own.
    let own = message
        .text
        .split('{')
        .map(|part| part.split_once('}').map_or(part, |p| p.1));
    let words = own.flat_map(str::split_whitespace).map(bare);
    let words: Vec<String> = words.collect();
    let text = format!(" {} ", words.join(" "));
    for (word, instead) in BANNED {
        if text.contains(&format!(" {word} ")) {
            find(format!("“{word}” (say {instead})"));
        }
    }
    findings
}

/// Sentences, and clauses that could be some: a semicolon or a colon ends one as well.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', ';'])
        .flat_map(|line| line.split(". "))
        .flat_map(|line| line.split(": "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str) -> Listed {
        Listed {
            of: "one".to_owned(),
            name: "Error::V".to_owned(),
            text: text.to_owned(),
            example: text.to_owned(),
        }
    }

    #[test]
    fn long_sentences_and_private_words_are_found() {
        let words = vec!["word"; LONGEST].join(" ");
        assert!(broken(&listed(&format!("{words}; {words}"))).is_empty());
        assert_eq!(broken(&listed(&format!("{words} more"))).len(), 1);
        assert_eq!(broken(&listed("nobody was told.")).len(), 1);
        assert!(broken(&listed("a stretcher")).is_empty());
    }
}
