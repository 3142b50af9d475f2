//! `jinsi slice`: the source lines that made something happen.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_files::private;
use jinsi_history::damage::{Asked, Damaged};
use jinsi_history::failures;
use jinsi_slice::criterion::Criterion;
use jinsi_slice::hierarchy::hierarchical;
use jinsi_slice::sources::Sources;
use jinsi_slice::{Kind, drawing, sarif, text};
use jinsi_trace::reader::Trace;

use super::damage::{self, Named};
use super::messages;
use super::mistyped;
use super::output::Output;
use super::past::with_instructions;
use super::prepared::ReplayOptions;

const EXAMPLES: &str = "\
Examples:
  jinsi slice run.jinsi                                what made the run fail
  jinsi slice run.jinsi --at com.foo.Bar:42            what went into line 42, the last time it ran
  jinsi slice run.jinsi --at Bar:42:count#3            into the variable count, the third time
  jinsi slice run.jinsi --relevant                     and what did not happen, but might have
  jinsi slice run.jinsi --hierarchical --zoom 3        by phases; look into that of the third dependence
  jinsi slice run.jinsi --source src/main/java         with the text of the lines

Instructions are in a trace that was recorded with detail=instructions. Any other is replayed first, strictly; the
replay is kept beside it. Lines that are listed decided that the criterion was reached, or computed what
it used; code that was not recorded and that the slice went through is named behind them.";

/// Arguments of `slice`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The trace
    #[arg(value_name = "FILE")]
    trace: PathBuf,
    /// What to explain: CLASS:LINE[:VAR][#OCCURRENCE] (default: the failure)
    #[arg(long, value_name = "PLACE")]
    at: Option<Criterion>,
    /// Also what might have happened otherwise: branches and calls that might have set what was used, had they gone another way
    #[arg(long)]
    relevant: bool,
    /// By phases of the run: only what one phase defined and a later one used
    #[arg(long, conflicts_with = "relevant")]
    hierarchical: bool,
    /// Look into the phase of the dependence with this number, or with 0 of what is explained; repeated, level by level
    #[arg(long, value_name = "N", requires = "hierarchical")]
    zoom: Vec<usize>,
    /// Also write the lines to this file as a SARIF document, with a code flow that ends at what is explained
    #[arg(long, value_name = "FILE", conflicts_with = "hierarchical")]
    sarif: Option<PathBuf>,
    /// Also write the lines to this file as a graph in the language of Graphviz, with an arrow from each to what depended on it
    #[arg(long, value_name = "FILE", conflicts_with = "hierarchical")]
    dot: Option<PathBuf>,
    /// Directory of sources, above the packages; may be repeated
    #[arg(long, value_name = "DIR")]
    source: Vec<PathBuf>,
    #[command(flatten)]
    replay: ReplayOptions,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let recorded = Trace::open(&args.trace)?;
    let damaged = damaged(&recorded, args.at.is_none());
    damage::named(sliced(args, recorded, &damaged, out), || damaged.clone())?;
    Ok(true)
}

/// The damage of what was recorded: a replay may have none.
pub(super) fn damaged(recorded: &Trace, of_failure: bool) -> Damaged {
    let failure = failures::pick(recorded.failures()).filter(|_| of_failure);
    match failure {
        Some(failure) => {
            let asked = Asked {
                thread: failure.thread,
                throwable: failure.throwable,
                all_threads: true,
            };
            Damaged::seen_from(recorded, &[], asked)
        }
        None => Damaged::of(recorded, &[]),
    }
}

fn sliced(args: &Args, recorded: Trace, damaged: &Damaged, out: &Output) -> Result<()> {
    let opened = with_instructions(recorded, &args.trace, &args.replay)?;
    let trace = &opened.trace;
    let sliced = match args.hierarchical {
        true => by_phases(args, trace, damaged, out),
        false => whole(args, trace, damaged, out),
    };
    sliced.map_err(|error| mistyped::advised(error, trace))
}

fn by_phases(args: &Args, trace: &Trace, damaged: &Damaged, out: &Output) -> Result<()> {
    let slice = hierarchical(trace, args.at.clone(), &args.zoom)?;
    out.result(&Named::new(&slice, damaged), |to| {
        text::print_levels(&slice, to)?;
        damage::print(damaged, to)
    })
}

fn whole(args: &Args, trace: &Trace, damaged: &Damaged, out: &Output) -> Result<()> {
    let kind = match args.relevant {
        true => Kind::Relevant,
        false => Kind::Dynamic,
    };
    let draws = args.dot.is_some();
    let (slice, dependences) = jinsi_slice::slice_and_draw(trace, args.at.clone(), kind, draws)?;
    let mut sources = Sources::new(&args.source);
    out.result(&Named::new(&slice, damaged), |to| {
        text::print(&slice, &mut sources, to)?;
        damage::print(damaged, to)
    })?;
    if let Some(file) = &args.sarif {
        let text = serde_json::to_string_pretty(&sarif::document(&slice))?;
        write(file, &text)?;
    }
    if let Some(file) = &args.dot {
        write(file, &drawing::dot(&slice, &dependences, &mut sources))?;
    }
    Ok(())
}

pub(super) fn write(file: &Path, text: &str) -> Result<()> {
    private::write(file, text).with_context(|| messages::unwritten(file))
}
