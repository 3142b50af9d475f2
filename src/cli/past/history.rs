//! `jinsi history`: all that a variable ever held.

use anyhow::{Context, Result};
use serde::Serialize;

use super::{Past, Row, When, Writer, file};
use crate::cli::messages::NoAnswer;
use crate::cli::mistyped;
use crate::cli::output::Output;

const EXAMPLES: &str = "\
Examples:
  jinsi history run.jinsi com.foo.Bar.count            the field, of the class or of each of its objects
  jinsi history run.jinsi '#42'                        all fields, or elements, of object #42
  jinsi history run.jinsi '#42.size'                   one of them
  jinsi history run.jinsi '#17[3]'
  jinsi history run.jinsi c[2] --at 0:1234             what the expression named at that moment

A line is the moment right behind the write, the value, and who wrote it. 'jinsi at' takes the moment.";

/// Arguments of `history`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    past: Past,
    /// CLASS.FIELD, #OBJECT, #OBJECT.FIELD, #ARRAY[INDEX]; with --at an expression
    #[arg(value_name = "WHAT")]
    what: String,
    /// The moment at which WHAT is an expression of the innermost call
    #[arg(long, value_name = "MOMENT")]
    at: Option<When>,
}

#[derive(Serialize)]
struct Document {
    trace: std::path::PathBuf,
    what: String,
    entries: Vec<Row>,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let opened = args.past.open()?;
    let inspector = opened.inspector()?;
    let writer = Writer::new(&inspector);
    let variables = match &args.at {
        Some(when) => {
            let moment = when.moment(&inspector)?;
            let path = args.what.parse().map_err(anyhow::Error::msg)?;
            let variable = inspector.variable(moment, 0, &path)?;
            let variable = variable.with_context(|| {
                NoAnswer::Local {
                    path: path.to_string(),
                }
                .to_string()
            })?;
            vec![(args.what.clone(), variable)]
        }
        None => {
            let named = jinsi_answers::named(&inspector, &args.what);
            named.map_err(|error| mistyped::advised(error.into(), &opened.trace))?
        }
    };
    let mut entries = Vec::new();
    for (name, variable) in variables {
        let all = inspector.history(&variable)?;
        entries.extend(all.iter().map(|entry| writer.entry(name.clone(), entry)));
    }
    let document = Document {
        trace: file(&args.past).to_owned(),
        what: args.what.clone(),
        entries,
    };
    out.result(&document, |to| {
        document.entries.iter().try_for_each(|row| row.print(to))?;
        match document.entries.len() {
            0 => writeln!(to, "nothing was written there while the recording ran"),
            _ => Ok(()),
        }
    })?;
    Ok(true)
}
