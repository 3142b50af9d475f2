//! `jinsi tree`: who called whom, with what, and what came of it.

use anyhow::Result;
use jinsi_answers::tree;
use jinsi_trace::model::EventId;

use super::{Past, Writer, file};
use crate::cli::output::Output;

const EXAMPLES: &str = "\
Examples:
  jinsi tree run.jinsi                     what each thread called, from its beginning on
  jinsi tree run.jinsi 0:1234 --depth 1    what the call called that began with event 1234 of thread 0
  jinsi tree run.jinsi --depth 9 --limit 1000

Each call has the event with which it began, which is its name; calls of code that is not recorded have none. 'jinsi at FILE MOMENT' looks into one.";

/// Arguments of `tree`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    past: Past,
    /// The call within which is looked, by the event with which it began: THREAD:EVENT (default: all threads)
    #[arg(value_name = "CALL")]
    call: Option<EventId>,
    /// So many levels of calls
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: usize,
    /// Show so many calls
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    limit: usize,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let opened = args.past.open()?;
    let inspector = opened.inspector()?;
    let wanted = tree::Wanted {
        within: args.call,
        depth: args.depth,
        limit: args.limit,
    };
    let writer = Writer::new(&inspector);
    let document = tree::document(&writer, file(&args.past).to_owned(), wanted)?;
    out.result(&document, |to| document.print(to))?;
    Ok(true)
}
