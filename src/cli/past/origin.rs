//! `jinsi origin`: where a value came from, step by step.

use anyhow::{Error, Result};
use jinsi_answers::origin::Step;
use jinsi_inspect::{Inspector, Moment, Origin, Path};
use serde::Serialize;

use super::{Past, When, Writer, file};
use crate::cli::advice;
use crate::cli::messages::{NoAnswer, Way};
use crate::cli::output::Output;
use jinsi_answers::named;

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

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let opened = args.past.open()?;
    let inspector = opened.inspector()?;
    let writer = Writer::new(&inspector);
    let steps = jinsi_answers::origin::steps(&writer, first(args, &inspector)?, args.steps)?;
    let document = Document {
        trace: file(&args.past).to_owned(),
        steps,
    };
    out.result(&document, |to| {
        document.steps.iter().try_for_each(|step| step.print(to))
    })?;
    Ok(true)
}

fn first(args: &Args, inspector: &Inspector<'_>) -> Result<Origin> {
    let when = |text: &str| -> Result<Moment> {
        let when: When = text.parse()?;
        when.moment(inspector)
    };
    if let Some(moment) = args.moment.strip_prefix('@') {
        return Ok(inspector.origin_of(when(moment)?)?);
    }
    let Ok(moment) = args.moment.parse::<When>() else {
        return Err(no_moment(args));
    };
    let moment = moment.moment(inspector)?;
    let Some(expression) = &args.expression else {
        anyhow::bail!(NoAnswer::NoExpression.to_string());
    };
    if expression.starts_with('#') {
        let mut variables = named(inspector, expression)?;
        return match (variables.pop(), variables.is_empty()) {
            (Some((_, variable)), true) => Ok(inspector.origin_in_memory(&variable, moment)?),
            _ => anyhow::bail!(NoAnswer::OneVariable { expression }.to_string()),
        };
    }
    let path: Path = expression.parse().map_err(anyhow::Error::msg)?;
    Ok(inspector.origin(moment, 0, &path)?)
}

/// What was typed where the moment stands is none: most often it is the expression.
fn no_moment(args: &Args) -> Error {
    let typed = &args.moment;
    let expression = advice::quoted(typed.as_ref());
    let trace = advice::path(file(&args.past));
    let origin = format!("jinsi origin {trace} failure {expression}");
    advice::usage_with(
        NoAnswer::NotMoment { typed },
        vec![advice::Step::new(Way::SoItIs, origin)],
    )
}
