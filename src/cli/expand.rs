//! `jinsi expand`: a recording of the boundary, replayed into a whole one.

use std::path::PathBuf;

use anyhow::Result;
use clap::builder::TypedValueParser;
use jinsi_analysis::pipeline::Run;
use jinsi_trace::model::Detail;
use serde::Serialize;

use super::damage::{self, Named};
use super::embedded::agent_library;
use super::output::Output;
use super::prepared::ReplayOptions;
use super::progress::Spinner;
use super::record::detail_of;

const EXAMPLES: &str = "\
Examples:
  jinsi record --detail boundary --observe 'com.foo.*' -o thin.jinsi -- java -cp app.jar com.foo.Main
  jinsi expand thin.jinsi -o whole.jinsi
  jinsi expand thin.jinsi -o steps.jinsi --detail instructions

A recording with detail=boundary holds what crossed the edge of the observed classes. What they did among themselves follows from
that: the run is replayed, strictly, and recorded again with all interactions. If the replay differs from the recording anywhere, nothing
is written, and the message says where. 'minimize' and 'debug' expand such a trace by themselves.

With --detail instructions also the way is recorded that each method went, of a recording with detail=interactions, too. That is for
'slice', which does it by itself for one slice; its classes are those that replay ran, so replay and minimize the first recording.";

/// Arguments of `expand`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The trace, recorded with detail=boundary; for --detail instructions, or with detail=interactions
    #[arg(value_name = "FILE")]
    trace: PathBuf,
    /// The expanded trace; never overwritten
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: PathBuf,
    /// How much of the observed classes the expanded trace has
    #[arg(long, value_parser = details(), default_value_t)]
    detail: Detail,
    #[command(flatten)]
    replay: ReplayOptions,
}

/// Takes what a trace can be expanded to.
fn details() -> impl TypedValueParser<Value = Detail> {
    detail_of([
        (
            Detail::Interactions,
            "What they do to each other and to the rest",
        ),
        (
            Detail::Instructions,
            "And which way each of their methods went: for slices only",
        ),
        (
            Detail::States,
            "And the values that do not follow from it: for the past at any step",
        ),
    ])
}

/// What came of it.
#[derive(Serialize)]
struct Document {
    trace: PathBuf,
    expanded: PathBuf,
    detail: &'static str,
    interactions: usize,
    events: u64,
    seconds: f64,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let detail = args.detail;
    let spinner = Spinner::new("replaying");
    let run = Run::open_to_expand(&args.trace)?;
    let prepared = args.replay.prepare(None)?;
    let done = run.expand(&prepared.config, &agent_library()?, detail, &args.output);
    let damaged = run.damage();
    let done = damage::named(done.map_err(Into::into), || damaged.clone())?;
    drop(spinner);
    let document = Document {
        trace: args.trace.clone(),
        expanded: args.output.clone(),
        detail: detail.name(),
        interactions: done.interactions,
        events: done.events,
        seconds: done.seconds,
    };
    out.result(&Named::new(&document, &damaged), |to| {
        writeln!(
            to,
            "{}: {} events, from {} interactions with the environment",
            document.expanded.display(),
            document.events,
            document.interactions
        )?;
        damage::print(&damaged, to)
    })?;
    Ok(true)
}
