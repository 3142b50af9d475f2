//! An answer on a terminal.

use std::io::{self, Write};

use jinsi_omission::{Question, words};

use crate::behind::Behind;
use crate::document::Document;
use crate::suggested::Suggested;

/// Writes an answer.
///
/// # Errors
/// It cannot be written.
pub fn print(document: &Document, to: &mut dyn Write) -> io::Result<()> {
    for (no, suggested) in (1..).zip(&document.suggestions) {
        print_one(no, suggested, to)?;
        writeln!(to)?;
        if no == 1 {
            print_behind(&document.behind, to)?;
        }
    }
    print_sum(document, to)?;
    if document.more > 0 {
        let all = document.suggestions.len() + document.more;
        writeln!(to, "--limit {all} shows all")?;
    }
    if document.reads_hidden > 0 {
        writeln!(
            to,
            "{} more would only have read it: --reads",
            document.reads_hidden
        )?;
    }
    if document.others_hidden > 0 {
        writeln!(
            to,
            "{} more change nothing when they are turned, or are not known to: --all",
            document.others_hidden
        )?;
    }
    if document.unknown_activations > 0 {
        let count = document.unknown_activations;
        writeln!(to, "of {count} calls it is not known what ran in them")?;
    }
    match &document.not_flipped {
        Some(why) => writeln!(to, "{}", Check::Skipped { why }),
        None => Ok(()),
    }
}

jinsi_wording::messages! {
    /// What an answer says of trying it out.
    enum Check<'a> {
        Skipped { why: &'a str } => "Branch check skipped: {why}",
        Turned { came: String } => "tried the other way: {came}",
    }
}

/// How many places there are, and what was looked for.
fn print_sum(document: &Document, to: &mut dyn Write) -> io::Result<()> {
    let all = document.suggestions.len() + document.more;
    let question = &document.question;
    if *question == words(&Question::Failure) {
        return match all {
            0 => writeln!(to, "nothing that ran might {question}"),
            1 => writeln!(to, "1 place might {question}"),
            all => writeln!(to, "{all} places might {question}"),
        };
    }
    match all {
        0 => write!(to, "nothing that ran kept this from running")?,
        1 => write!(to, "1 place kept this from running")?,
        all => write!(to, "{all} places kept this from running")?,
    }
    let uses = document.uses.len();
    let ran = document.uses.iter().filter(|used| used.ran).count();
    let plural = if uses == 1 { "" } else { "s" };
    let did = match (uses, ran) {
        (0, _) => return writeln!(to, "; no instruction would {question}"),
        (1, 0) => "it never ran".to_owned(),
        (1, _) => "it ran elsewhere".to_owned(),
        (_, 0) => "none of them ran".to_owned(),
        (_, ran) => format!("{ran} of them ran"),
    };
    match question.strip_prefix("come to ") {
        Some(line) => writeln!(to, "; {uses} instruction{plural} at {line}, {did}"),
        None => writeln!(to, "; {uses} instruction{plural} would {question}, {did}"),
    }
}

/// What is behind the first answer, further in.
fn print_behind(behind: &[Behind], to: &mut dyn Write) -> io::Result<()> {
    for behind in behind {
        writeln!(to, "   behind it: {} in {}", behind.read, behind.place)?;
        for (no, suggested) in (1..).zip(&behind.suggestions) {
            let mut text = Vec::new();
            print_one(no, suggested, &mut text)?;
            for line in String::from_utf8_lossy(&text).lines() {
                writeln!(to, "      {line}")?;
            }
        }
        writeln!(to)?;
    }
    Ok(())
}

/// That a condition did not hold. Of a negated one, what held: no reader has to take two negations together.
fn was_false(condition: &str) -> String {
    let negated = condition.strip_prefix('!');
    match negated.filter(|rest| !rest.contains(' ')) {
        Some(rest) => format!("{rest} was true"),
        None => format!("{condition} was false"),
    }
}

fn print_one(no: usize, suggested: &Suggested, to: &mut dyn Write) -> io::Result<()> {
    let what = match suggested.kind {
        "cut" => "an exception left it here, or the run ended".to_owned(),
        "dispatch" => "another method was called".to_owned(),
        "round" => "the loop ended here".to_owned(),
        _ => String::new(),
    };
    let needed = suggested.needed.as_deref();
    let needed = needed.map(|needed| match needed.strip_prefix("another case of ") {
        Some(what) => format!("{what} took another case"),
        None => was_false(needed),
    });
    let words: Vec<String> = [Some(what).filter(|what| !what.is_empty()), needed]
        .into_iter()
        .flatten()
        .collect();
    let times = match suggested.activations {
        1 => String::new(),
        many => format!(" (in {many} calls)"),
    };
    writeln!(to, "{no}. {}  {}{times}", suggested.place, words.join("; "))?;
    for compared in &suggested.values {
        writeln!(to, "     {} was {}", compared.expression, compared.value)?;
        for from in &compared.from {
            writeln!(to, "         {from}")?;
        }
    }
    for omitted in &suggested.omitted {
        let calls = match omitted.calls {
            0 => String::new(),
            1 => format!(", by {}", omitted.chain.join(" -> ")),
            many => format!(", {many} calls on: {}", omitted.chain.join(" -> ")),
        };
        let again = if omitted.never {
            ""
        } else {
            " (it did elsewhere)"
        };
        let text = match omitted.text.as_str() {
            "…" => String::new(),
            text => format!("{text} in "),
        };
        let place = &omitted.place;
        writeln!(to, "   did not run: {text}{place}{calls}{again}")?;
    }
    if suggested.more > 0 {
        writeln!(to, "   did not run: {} more", suggested.more)?;
    }
    if let Some(flip) = &suggested.flip {
        let came = flip.words();
        writeln!(to, "   {}", Check::Turned { came })?;
    }
    match &suggested.at {
        Some(at) => writeln!(to, "   moment {at}"),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::was_false;

    #[test]
    fn a_negated_condition_is_said_without_the_negation() {
        assert_eq!(was_false("!names.hasNext()"), "names.hasNext() was true");
        assert_eq!(was_false("i < n"), "i < n was false");
        assert_eq!(was_false("!a || b"), "!a || b was false");
    }
}
