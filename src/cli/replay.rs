//! `jinsi replay`: strict sequential replay of a recording, or of some of its interactions.

use std::path::PathBuf;

use anyhow::{Result, bail};
use jinsi_analysis::pipeline::Case;
use jinsi_analysis::replay::session::Numbered;
use jinsi_analysis::replay::worker::TestOutcome;
use serde::Serialize;

use super::minimize::{ReplayOptions, patterns};
use super::output::Output;
use super::progress::Spinner;

const EXAMPLES: &str = "\
Examples:
  jinsi replay run.jinsi                                         everything, in the recorded order
  jinsi replay run.jinsi --observe com.foo.Parser                as this class saw the run
  jinsi replay run.jinsi --observe com.foo.Parser --only 1,4,9   what do these interactions alone give?";

/// Arguments of `replay`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The trace
    #[arg(value_name = "FILE")]
    trace: PathBuf,
    /// The observed set: wildcards over the dotted name, joined by ':' (default: everything that was recorded)
    #[arg(long, value_name = "PATTERNS")]
    observe: Option<String>,
    /// Replay only these interactions (numbers from 1, as the report has them, joined by ','), re-synchronizing
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    only: Option<Vec<u32>>,
    #[command(flatten)]
    replay: ReplayOptions,
}

#[derive(Serialize)]
struct Document {
    observed: Vec<String>,
    interactions: usize,
    replayed: usize,
    /// `failing`, `passing` or `unresolved`.
    outcome: &'static str,
    /// The situation, if unresolved.
    why: Option<&'static str>,
    detail: String,
    resynchronized: bool,
    /// Outgoing interactions whose answers were used, in order.
    answers: Vec<String>,
    notes: Vec<String>,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let spinner = Spinner::new("replaying");
    let case = Case::open(&args.trace)?;
    let prepared = args.replay.prepare(None)?;
    let wanted = args.observe.as_deref().map(patterns);
    let mut replay = case.replay(&prepared.config, wanted.as_deref())?;
    let total = replay.level().interactions.len();
    let result = match &args.only {
        None => replay.strict()?,
        Some(numbers) => {
            if let Some(bad) = numbers.iter().find(|&&n| n == 0 || n as usize > total) {
                bail!("--only: there is no interaction {bad}; they go from 1 to {total}");
            }
            replay.subset(&numbers.iter().map(|n| n - 1).collect::<Vec<_>>())?
        }
    };
    drop(spinner);
    let numbered = Numbered::new(replay.level());
    let answers = result
        .used_answers
        .iter()
        .filter_map(|&no| numbered.get(no));
    let (outcome, why) = match result.outcome {
        TestOutcome::Failing => ("failing", None),
        TestOutcome::Passing => ("passing", None),
        TestOutcome::Unresolved(why) => ("unresolved", Some(why.name())),
    };
    let document = Document {
        observed: replay
            .level()
            .observed
            .iter()
            .map(|c| c.replace('/', "."))
            .collect(),
        interactions: total,
        replayed: args.only.as_ref().map_or(total, Vec::len),
        outcome,
        why,
        detail: result.detail.clone(),
        resynchronized: result.resynchronized,
        answers: answers
            .map(|a| format!("{}.{}{}", a.member.owner, a.member.name, a.member.desc))
            .collect(),
        notes: result.notes.clone(),
    };
    out.result(&document, |to| {
        writeln!(
            to,
            "{} of {} interactions with {} observed classes replayed, {} answers of the environment used",
            document.replayed,
            document.interactions,
            document.observed.len(),
            document.answers.len()
        )?;
        for note in &document.notes {
            writeln!(to, "note: {note}")?;
        }
        match document.why {
            None => writeln!(to, "{}: {}", document.outcome, if outcome == "failing" { "the recorded failure appeared" } else { "it did not appear" }),
            Some(why) => writeln!(to, "unresolved ({why}): {}", document.detail),
        }
    })?;
    // Strictly, only the recorded failure is a success; a subset was asked about, and every answer is one.
    Ok(args.only.is_some() || outcome == "failing")
}
