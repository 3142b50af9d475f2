//! `jinsi logpoint`: what expressions were, each time a line ran.

use anyhow::Result;
use jinsi_answers::logpoint;
use jinsi_inspect::{Line, Path};

use super::{Past, Writer, file};
use crate::cli::mistyped;
use crate::cli::output::Output;

const EXAMPLES: &str = "\
Examples:
  jinsi logpoint run.jinsi Bar.java:42 count this.items.length     what they were, each time line 42 was come to
  jinsi logpoint run.jinsi com.foo.Bar:42                          only when that was
  jinsi logpoint run.jinsi Bar:42 x --skip 999 --limit 1           the thousandth time

As if the program had printed it, after it has run. A line is come to when its first instruction runs.";

/// Arguments of `logpoint`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    past: Past,
    /// CLASS:LINE or FILE:LINE
    #[arg(value_name = "LINE")]
    line: Line,
    /// Variables, fields, elements (a[i]) and lengths
    #[arg(value_name = "EXPRESSION")]
    expressions: Vec<Path>,
    /// Leave out the first so many times
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    skip: u64,
    /// Stop after so many
    #[arg(long, value_name = "COUNT", default_value_t = 1000)]
    limit: usize,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let opened = args.past.open()?;
    let inspector = opened.inspector()?;
    let wanted = logpoint::Wanted {
        line: &args.line,
        expressions: &args.expressions,
        skip: args.skip,
        limit: args.limit,
    };
    let writer = Writer::new(&inspector);
    let document = logpoint::document(&writer, file(&args.past).to_owned(), wanted);
    let document = document.map_err(|error| mistyped::advised(error.into(), &opened.trace))?;
    out.result(&document, |to| document.print(to))?;
    Ok(true)
}
