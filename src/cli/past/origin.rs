//! `jinsi origin`: where a value came from, step by step.

use std::io::{self, Write};

use anyhow::Result;
use jinsi_inspect::{How, Inspector, Moment, Origin, Path, Variable};
use serde::Serialize;

use super::history::named;
use super::{Past, Shown, When, Writer, dotted, file, inspector, place};
use crate::cli::output::Output;

const EXAMPLES: &str = "\
Examples:
  jinsi origin run.jinsi failure total               where the value of the variable came from
  jinsi origin run.jinsi 0:1234 'c[2]' --steps 5     at most so many steps back
  jinsi origin run.jinsi 0:1234 '#42.size'           of a field of an object, by its number

Copies into variables, arguments and results are passed over. Each step says how the value was made and of what; from there it goes
on with what was read, or with the only value that went in. Where several did, name one: 'jinsi origin FILE @MOMENT' asks about the
instruction at a moment.";

/// Arguments of `origin`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    past: Past,
    /// THREAD:EVENT, THREAD:EVENT+STEPS, or 'failure'; with @ before it, the instruction there is asked about
    #[arg(value_name = "MOMENT")]
    moment: String,
    /// A variable, field or element of the innermost call then; or #OBJECT.FIELD, #ARRAY[INDEX]
    #[arg(value_name = "EXPRESSION")]
    expression: Option<String>,
    /// Go back so many steps at most
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    steps: usize,
}

#[derive(Serialize)]
struct Document {
    trace: std::path::PathBuf,
    steps: Vec<Step>,
}

#[derive(Serialize)]
struct Step {
    at: String,
    by: Option<String>,
    how: &'static str,
    what: String,
    inputs: Vec<Input>,
}

#[derive(Serialize)]
struct Input {
    made: String,
    #[serde(flatten)]
    value: Shown,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let opened = args.past.open()?;
    let inspector = inspector(&opened.trace)?;
    let writer = Writer::new(&inspector);
    let mut origin = first(args, &inspector)?;
    let mut steps = Vec::new();
    loop {
        steps.push(step(&writer, &origin));
        let next = match (&origin.further, origin.inputs.as_slice()) {
            (Some(further), _) => Some(*further),
            (None, [only]) if matches!(origin.how, How::Computed(_)) => Some(only.made),
            _ => None,
        };
        match next.filter(|next| *next != origin.at && steps.len() < args.steps) {
            Some(next) => origin = inspector.origin_of(next)?,
            None => break,
        }
    }
    let document = Document {
        trace: file(&args.past).to_owned(),
        steps,
    };
    out.result(&document, |to| {
        document.steps.iter().try_for_each(|s| print(s, to))
    })?;
    Ok(true)
}

fn first(args: &Args, inspector: &Inspector<'_>) -> Result<Origin> {
    let when = |text: &str| -> Result<Moment> {
        let when: When = text.parse().map_err(anyhow::Error::msg)?;
        when.moment(inspector)
    };
    if let Some(moment) = args.moment.strip_prefix('@') {
        return Ok(inspector.origin_of(when(moment)?)?);
    }
    let moment = when(&args.moment)?;
    let Some(expression) = &args.expression else {
        anyhow::bail!("an expression is missing: what came from where?");
    };
    if expression.starts_with('#') {
        let mut variables = named(inspector, expression)?;
        return match (variables.pop(), variables.is_empty()) {
            (Some((_, variable)), true) => Ok(inspector.origin_in_memory(&variable, moment)?),
            _ => anyhow::bail!("{expression}: one field or element of it"),
        };
    }
    let path: Path = expression.parse().map_err(anyhow::Error::msg)?;
    Ok(inspector.origin(moment, 0, &path)?)
}

fn step(writer: &Writer<'_, '_>, origin: &Origin) -> Step {
    let (how, what) = match &origin.how {
        How::Constant => ("constant", "a constant".to_owned()),
        How::Computed(name) => ("computed", format!("computed by {name}")),
        How::Made => ("made", "a new object".to_owned()),
        How::Read(Some(variable), entry) => {
            let name = variable_name(variable);
            let written = entry.as_ref().map(|entry| match &entry.by {
                Some(by) => format!(
                    ", written at {} by {}",
                    entry.after,
                    place(&by.method, by.line)
                ),
                None => format!(", told at {} by code that is not recorded", entry.after),
            });
            (
                "read",
                format!("read from {name}{}", written.unwrap_or_default()),
            )
        }
        How::Read(None, _) => ("read", "read from memory; where is not known".to_owned()),
        How::Called(target) => ("called", format!("given by {}", place(target, 0))),
        How::Handed => (
            "handed",
            "handed in by code that is not recorded".to_owned(),
        ),
        How::Initial => ("initial", "what it held from the beginning".to_owned()),
    };
    let inputs = origin.inputs.iter().map(|input| Input {
        made: input.made.to_string(),
        value: writer.seen(&input.value),
    });
    Step {
        at: origin.at.to_string(),
        by: origin
            .method
            .as_ref()
            .map(|method| place(method, origin.line)),
        how,
        what,
        inputs: inputs.collect(),
    }
}

fn variable_name(variable: &Variable) -> String {
    match variable {
        Variable::Field(id, field) => format!("#{id}.{}", field.name),
        Variable::Static(field) => format!("{}.{}", dotted(&field.class), field.name),
        Variable::Element(id, index) => format!("#{id}[{index}]"),
    }
}

fn print(step: &Step, to: &mut dyn Write) -> io::Result<()> {
    let by = step.by.as_deref().unwrap_or("-");
    writeln!(to, "{:>12}  {by}  {}", step.at, step.what)?;
    for input in &step.inputs {
        writeln!(to, "{:>14}of {}, made at {}", "", input.value, input.made)?;
    }
    Ok(())
}
