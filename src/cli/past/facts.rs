//! `jinsi facts`: a run as facts for Prolog.

use std::io::Write;

use anyhow::Result;
use jinsi_answers::prolog;

use super::Past;
use crate::cli::advice;
use crate::cli::messages::Usage;
use crate::cli::output::Output;

const EXAMPLES: &str = "\
Examples:
  jinsi facts run.jinsi --prolog > run.pl          the run as event(Id, Thread, Event)
  swipl run.pl rules.pl                            with rules of your own

The events are those of JavaTA: threadstart, methodcall, methodexit, setfield, datastructure, step, exception, threaddeath, memberfields.
docs/facts.md says what each holds.";

/// Arguments of `facts`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    past: Past,
    /// As facts for SWI-Prolog: so far the only form
    #[arg(long)]
    prolog: bool,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    if !args.prolog {
        return Err(advice::usage(Usage::FactsForm));
    }
    let opened = args.past.open()?;
    let inspector = opened.inspector()?;
    let facts = prolog::facts(&inspector)?;
    out.result(&facts, |to| {
        let mut to = std::io::BufWriter::new(to);
        writeln!(to, ":- encoding(utf8).\n:- discontiguous event/3.")?;
        facts.iter().try_for_each(|fact| writeln!(to, "{fact}"))?;
        to.flush()
    })?;
    Ok(true)
}
