//! `cargo xtask messages`: what jinsi says to its users, with an example of each, so that all of it can be read in one go.
//!
//! Texts are read off the sources, so that the list cannot be out of date: of errors by their `#[error("…")]`, of other messages off the enums in
//! `messages! { … }`, and of Java off enums named `Message`. Values for their placeholders are in [`values`]. A placeholder without a value there is
//! an error, and so is a text that breaks the rules of plain English ([`rules`]): then the exit status is 1.

mod draw;
mod fill;
mod java;
mod parts;
mod rules;
mod rust;
mod sources;
mod text;
mod values;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use serde::Serialize;

/// Print all that jinsi says, each with an example
#[derive(Parser)]
#[command(name = "cargo xtask messages")]
struct Arguments {
    /// Draw some of them; the same number draws the same ones
    #[arg(long, requires = "count")]
    seed: Option<u64>,
    /// How many are drawn
    #[arg(long, requires = "seed")]
    count: Option<usize>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// A message, as it is listed.
#[derive(Clone, Debug, Serialize)]
struct Listed {
    #[serde(rename = "crate")]
    of: String,
    /// Enum and variant.
    name: String,
    /// The text with its placeholders.
    text: String,
    /// The text as a user may read it; of a part of others, within one of them.
    example: String,
}

#[derive(Serialize)]
struct Document {
    messages: Vec<Listed>,
    /// What is wrong with some of them.
    findings: Vec<String>,
    holds: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the list; false if something is wrong with it.
fn run(arguments: &Arguments) -> Result<bool> {
    let (all, findings) = listed(root())?;
    let messages = match (arguments.seed, arguments.count) {
        (Some(seed), Some(count)) => draw::some(all, seed, count),
        _ => all,
    };
    let holds = findings.is_empty();
    let mut to = io::stdout().lock();
    if arguments.json {
        let document = Document {
            messages,
            findings,
            holds,
        };
        serde_json::to_writer_pretty(&mut to, &document)?;
        writeln!(to)?;
        return Ok(holds);
    }
    for message in &messages {
        let example = message.example.replace('\n', " ⏎ ");
        writeln!(to, "{}  {}  {example}", message.of, message.name)?;
    }
    for finding in &findings {
        writeln!(to, "wrong: {finding}")?;
    }
    Ok(holds)
}

/// All messages, by crate, and what is wrong with them.
fn listed(root: &Path) -> Result<(Vec<Listed>, Vec<String>)> {
    let messages = sources::messages(root)?;
    let mut findings = Vec::new();
    let mut all = Vec::new();
    for message in &messages {
        match fill::example(message, &messages) {
            Ok(example) => {
                let name = message.name();
                let mut listed = Listed {
                    of: message.of.clone(),
                    text: message.text.clone(),
                    example,
                    name,
                };
                findings.extend(rules::broken(&listed));
                listed.example = parts::whole(&listed.of, &listed.name, &listed.example);
                all.push(listed);
            }
            Err(missing) => findings.push(missing.to_string()),
        }
    }
    let names = messages
        .iter()
        .map(|message| (message.of.clone(), message.name()));
    let names: Vec<(String, String)> = names.collect();
    let gone = parts::unknown(&names).into_iter();
    findings.extend(gone.map(|part| format!("xtask/messages/wholes.json: no message {part}")));
    Ok((all, findings))
}

/// The repository.
fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_message_has_an_example_and_keeps_the_rules() {
        let (all, findings) = listed(root()).unwrap();
        assert!(all.len() > 300, "{}", all.len());
        assert!(findings.is_empty(), "{}", findings.join("\n"));
    }
}
