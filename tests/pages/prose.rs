//! Rules of plain English that a program can check: short sentences, and no words of a private dialect.

use super::markdown::{CODE, Kind, Piece, pieces};

/// Words that a sentence may have at most.
const LONGEST: usize = 25;
/// Words that the sentences of a page may have on average.
const AVERAGE: usize = 15;

/// Words and phrases that only their writers understand, with what says the same.
const BANNED: [(&str, &str); 23] = [
    ("acts", "does, or the thread's trace"),
    ("came", "reached, appeared, or what it is"),
    ("crew", "worker pool"),
    ("doors", "frontends"),
    ("for want of", "without"),
    ("gate", "check"),
    ("gates", "checks"),
    ("gave", "returned, passed"),
    ("ground", "support"),
    ("handed", "passed"),
    ("happenings", "events"),
    ("hands", "passes"),
    ("made", "created, built, written"),
    ("motion", "stepping"),
    ("played", "replayed"),
    ("shut in", "in the sandbox"),
    ("shuts in", "runs in the sandbox"),
    ("stray", "unobserved subclass"),
    ("strays", "unobserved subclasses"),
    ("stretch", "part, section"),
    ("stretches", "parts, sections"),
    ("tells", "says, reports"),
    ("told", "reported, known"),
];

/// Short forms that end in a dot without ending a sentence.
const SHORT_FORMS: [&str; 5] = ["e.g.", "i.e.", "vs.", "etc.", "al."];

/// What breaks the rules, each as `LINE: what`.
pub(super) fn findings(page: &str) -> Vec<String> {
    let pieces = pieces(page);
    let mut findings: Vec<String> = pieces.iter().flat_map(banned).collect();
    let prose = pieces.iter().filter(|piece| piece.kind == Kind::Prose);
    let lengths: Vec<(usize, usize, String)> = prose
        .flat_map(|piece| {
            let sentences = sentences(&piece.text).into_iter();
            sentences.map(|words| (piece.line, words.len(), words.join(" ")))
        })
        .collect();
    for (line, length, sentence) in &lengths {
        if *length > LONGEST {
            let sentence = sentence.replace(CODE, "`…`");
            findings.push(format!("{line}: {length} words: {sentence}"));
        }
    }
    let words: usize = lengths.iter().map(|(_, length, _)| length).sum();
    if words > AVERAGE * lengths.len() {
        let average = words as f64 / lengths.len() as f64;
        findings.push(format!("1: {average:.1} words a sentence on average"));
    }
    findings
}

fn banned(piece: &Piece) -> Vec<String> {
    let words = piece.text.split_whitespace().map(bare);
    let text = format!(" {} ", words.collect::<Vec<_>>().join(" "));
    let found = BANNED
        .iter()
        .filter(|(word, _)| text.contains(&format!(" {word} ")));
    found
        .map(|(word, instead)| format!("{}: “{word}”: say {instead}", piece.line))
        .collect()
}

/// A word in lower case, without what stands around it.
fn bare(word: &str) -> String {
    let word = word.to_lowercase();
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

/// The words of each sentence.
fn sentences(text: &str) -> Vec<Vec<&str>> {
    let mut sentences = vec![vec![]];
    for token in text.split_whitespace() {
        if token.contains(CODE) || token.contains(char::is_alphanumeric) {
            sentences.last_mut().unwrap().push(token);
        }
        let end = token.trim_end_matches([')', '"', '\'', '”', '’', '_']);
        if end.ends_with(['.', '!', '?']) && !SHORT_FORMS.contains(&end) {
            sentences.push(vec![]);
        }
    }
    sentences.retain(|words| !words.is_empty());
    sentences
}

#[test]
fn sentences_end_where_they_end() {
    let text = "One, e.g. version 3.6.3. Two (in brackets.) Three? “Four.” Five – six";
    let lengths: Vec<usize> = sentences(text).iter().map(Vec::len).collect();
    assert_eq!(lengths, [4, 3, 1, 1, 2]);
}

#[test]
fn a_long_sentence_is_found() {
    let words = |n: usize| format!("Short.\n\nShort.\n\n{}.\n", vec!["word"; n].join(" "));
    assert!(findings(&words(LONGEST)).is_empty());
    let found = findings(&words(LONGEST + 1));
    assert!(
        found.len() == 1 && found[0].starts_with("5: 26 words"),
        "{found:?}"
    );
}

#[test]
fn long_sentences_throughout_are_found() {
    let sentence = format!("{}.\n\n", vec!["word"; AVERAGE + 1].join(" "));
    assert_eq!(
        findings(&sentence.repeat(3)),
        ["1: 16.0 words a sentence on average"]
    );
}

#[test]
fn a_banned_word_is_found_in_prose_alone() {
    let found = findings(
        "# What it gave\n\nIt is Told.\n\n| shut in, it is |\n\n`told` gatekeeper\n\n```\ntold\n```\n",
    );
    let found: Vec<&str> = found.iter().filter_map(|f| f.split('”').next()).collect();
    assert_eq!(found, ["1: “gave", "3: “told", "5: “shut in"]);
}
