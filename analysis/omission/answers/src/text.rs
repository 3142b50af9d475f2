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
    let all = document.suggestions.len() + document.more;
    let of_failure = document.question == words(&Question::Failure);
    let ran = document.uses.iter().filter(|used| used.ran).count();
    match all {
        0 if of_failure => writeln!(to, "nothing that ran might {}", document.question)?,
        _ if of_failure => writeln!(to, "{all} places might {}", document.question)?,
        0 => writeln!(
            to,
            "nothing that ran kept the program from it: {} instructions {}, {ran} of them ran",
            document.uses.len(),
            document.question
        )?,
        _ => writeln!(
            to,
            "{all} places kept the program from it; {} instructions {}, {ran} of them ran",
            document.uses.len(),
            document.question
        )?,
    }
    if document.more > 0 {
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
            "{} more do not speak for themselves: --all",
            document.others_hidden
        )?;
    }
    if document.unknown_activations > 0 {
        let count = document.unknown_activations;
        writeln!(to, "of {count} calls it is not known what ran in them")?;
    }
    Ok(())
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

fn print_one(no: usize, suggested: &Suggested, to: &mut dyn Write) -> io::Result<()> {
    let what = match suggested.kind {
        "cut" => "an exception came, or the end".to_owned(),
        "dispatch" => "another method was called".to_owned(),
        "round" => "the loop had no further round".to_owned(),
        _ => String::new(),
    };
    let needed = suggested.needed.as_deref();
    let needed = needed.map(|needed| format!("not so: {needed}"));
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
            " (it ran elsewhere)"
        };
        writeln!(
            to,
            "   - {} in {}{calls}{again}",
            omitted.text, omitted.place
        )?;
    }
    if suggested.more > 0 {
        writeln!(to, "   - and {} more", suggested.more)?;
    }
    if let Some(flip) = &suggested.flip {
        writeln!(to, "   turned: {}", flip.words())?;
    }
    match &suggested.at {
        Some(at) => writeln!(to, "   at {at}"),
        None => Ok(()),
    }
}
