//! `jinsi logpoint`: what expressions were, each time a line ran.

use anyhow::Result;
use jinsi_inspect::{BadLine, BadPath, Line, Path};
use serde::Serialize;

use super::{Past, Shown, Writer, file, inspector};
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
    #[arg(value_name = "LINE", value_parser = line)]
    line: Line,
    /// Variables, fields, elements (a[i]) and lengths
    #[arg(value_name = "EXPRESSION", value_parser = path)]
    expressions: Vec<Path>,
    /// Leave out the first so many times
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    skip: u64,
    /// Stop after so many
    #[arg(long, value_name = "COUNT", default_value_t = 1000)]
    limit: usize,
}

fn line(text: &str) -> Result<Line, BadLine> {
    text.parse()
}

fn path(text: &str) -> Result<Path, BadPath> {
    text.parse()
}

#[derive(Serialize)]
struct Document {
    trace: std::path::PathBuf,
    line: String,
    /// How often it was come to in all.
    times: u64,
    hits: Vec<Hit>,
}

#[derive(Serialize)]
struct Hit {
    moment: String,
    call: String,
    values: Vec<Value>,
}

#[derive(Serialize)]
struct Value {
    expression: String,
    #[serde(flatten)]
    value: Shown,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let opened = args.past.open()?;
    let inspector = inspector(&opened)?;
    let writer = Writer::new(&inspector);
    let times = inspector.count_of_line(&args.line)?;
    let logged = inspector.log(&args.line, &args.expressions, args.skip, args.limit)?;
    let hits = logged.iter().map(|hit| Hit {
        moment: hit.moment.to_string(),
        call: hit.activation.to_string(),
        values: (args.expressions.iter().zip(&hit.values))
            .map(|(path, value)| Value {
                expression: path.to_string(),
                value: match value {
                    Ok(seen) => writer.seen(seen),
                    Err(why) => Shown {
                        value: None,
                        object: None,
                        unknown: Some(why.to_string()),
                    },
                },
            })
            .collect(),
    });
    let document = Document {
        trace: file(&args.past).to_owned(),
        line: args.line.to_string(),
        times,
        hits: hits.collect(),
    };
    out.result(&document, |to| {
        for hit in &document.hits {
            write!(to, "{:>12}", hit.moment)?;
            for value in &hit.values {
                write!(to, "  {} = {}", value.expression, value.value)?;
            }
            writeln!(to)?;
        }
        let shown = document.hits.len();
        writeln!(to, "{shown} of {times} times")
    })?;
    Ok(true)
}
