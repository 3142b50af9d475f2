//! `jinsi replay`: strict sequential replay of a recording, or of some of its interactions.

use std::path::PathBuf;

use anyhow::{Result, bail};
use jinsi_analysis::pipeline::{Replay, Run};
use jinsi_analysis::replayed::{LevelsDocument, ReplayDocument, print_verbose};
use jinsi_level::verdict::{TestOutcome, TestResult};

use super::damage::{self, Named};
use super::messages::NoAnswer;
use super::minimize::patterns;
use super::output::Output;
use super::prepared::ReplayOptions;
use super::progress::Spinner;

const EXAMPLES: &str = "\
Examples:
  jinsi replay run.jinsi                                         everything, in the recorded order
  jinsi replay run.jinsi --observe com.foo.Parser                as this class saw the run
  jinsi replay run.jinsi --observe com.foo.Parser --only 1,4,9   what do these interactions alone give?
  jinsi replay run.jinsi --levels                                does it replay, whatever is observed?";

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
    /// Replay strictly at every level: all that was recorded, along the failure's stack, and each class alone
    #[arg(long, conflicts_with_all = ["observe", "only"])]
    levels: bool,
    /// Say what happened: each answer of the environment that was used, and how the replay ended
    #[arg(long, conflicts_with = "levels")]
    verbose: bool,
    #[command(flatten)]
    replay: ReplayOptions,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let spinner = Spinner::new("replaying");
    let run = Run::open(&args.trace)?;
    let done = replayed(args, &run, spinner, out);
    damage::named(done, || run.damage())
}

fn replayed(args: &Args, run: &Run, spinner: Spinner, out: &Output) -> Result<bool> {
    let prepared = args.replay.prepare(None)?;
    if args.levels {
        let document = LevelsDocument::of(run, &prepared.config, |text| spinner.say(text))?;
        drop(spinner);
        let damaged = run.damage();
        out.result(&Named::new(&document, &damaged), |to| {
            document.print_levels(to)?;
            damage::print(&damaged, to)?;
            document.print_sum(to)
        })?;
        return Ok(document.diverged == 0);
    }
    let wanted = args.observe.as_deref().map(patterns);
    let mut replay = run.replay(&prepared.config, wanted.as_deref())?;
    let result = one(args, &mut replay)?;
    drop(spinner);
    let replayed = args.only.as_ref().map(Vec::len);
    let document = ReplayDocument::of(&replay, &result, replayed);
    let damaged = run.damage();
    out.result(&Named::new(&document, &damaged), |to| {
        document.print_sum(to)?;
        if args.verbose {
            print_verbose(run.trace(), &replay, &result, to)?;
        }
        document.print_notes(to)?;
        damage::print(&damaged, to)?;
        writeln!(to, "{}", document.verdict.text())
    })?;
    // What differs from the recording did not work out; a subset was asked about, and every answer is one.
    let diverged = matches!(result.outcome, TestOutcome::Unresolved(_));
    Ok(args.only.is_some() || !diverged)
}

fn one(args: &Args, replay: &mut Replay<'_>) -> Result<TestResult> {
    let total = replay.level().interactions.len();
    Ok(match &args.only {
        None => replay.strict()?,
        Some(numbers) => {
            if let Some(bad) = numbers.iter().find(|&&n| n == 0 || n as usize > total) {
                bail!(NoAnswer::NoInteraction { bad: *bad, total }.to_string());
            }
            replay.subset(&numbers.iter().map(|n| n - 1).collect::<Vec<_>>())?
        }
    })
}
