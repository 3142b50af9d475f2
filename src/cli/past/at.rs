//! `jinsi at`: what was the case at a moment.

use anyhow::Result;
use jinsi_answers::at;
use jinsi_inspect::{Path, Stride};

use super::{Past, When, Writer, file};
use crate::cli::bad_value::number;
use crate::cli::messages::NoAnswer;
use crate::cli::output::Output;

const EXAMPLES: &str = "\
Examples:
  jinsi at run.jinsi failure                       the stack, with all variables, where the failure was thrown
  jinsi at run.jinsi 0:1234 --show this.next       and what an expression was then
  jinsi at run.jinsi 0:1234 --object 42            and what object #42 held then
  jinsi at run.jinsi 0:1234 --changed              and what changed since the innermost call began
  jinsi at run.jinsi 0:1234 --step back-over       where the line before began

A moment is THREAD:EVENT, right behind that event, as 'jinsi events' numbers them; with +N behind it, N instructions further. What the
recording does not say has a question mark and the reason.";

/// Arguments of `at`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    past: Past,
    /// THREAD:EVENT, THREAD:EVENT+STEPS, or 'failure'
    #[arg(value_name = "MOMENT")]
    moment: When,
    /// Go a step first: to the next line, or to the line before
    #[arg(long, value_name = "HOW")]
    step: Option<Step>,
    /// Also what this expression was: a variable, field, element (a[i]) or length; may be repeated
    #[arg(long, value_name = "EXPRESSION")]
    show: Vec<Path>,
    /// Also what the object with this number held
    #[arg(long, value_name = "ID", value_parser = number::<u64>)]
    object: Option<u64>,
    /// Also what changed since the innermost call began: '!' before what holds something else, '~' before what leads to that
    #[arg(long)]
    changed: bool,
}

/// A step.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Step {
    Into,
    Over,
    Out,
    BackInto,
    BackOver,
    BackOut,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let opened = args.past.open()?;
    let inspector = opened.inspector()?;
    let moment = args.moment.moment(&inspector)?;
    let writer = Writer::new(&inspector);
    let mut state = inspector.state(moment)?;
    if let Some(step) = args.step {
        let at = state.moment;
        let next = match step {
            Step::Into => inspector.step(at, Stride::Into)?,
            Step::Over => inspector.step(at, Stride::Over)?,
            Step::Out => inspector.step(at, Stride::Out)?,
            Step::BackInto => inspector.step_back(at, Stride::Into)?,
            Step::BackOver => inspector.step_back(at, Stride::Over)?,
            Step::BackOut => inspector.step_back(at, Stride::Out)?,
        };
        let Some(next) = next else {
            anyhow::bail!(NoAnswer::NoLine { at: at.to_string() }.to_string());
        };
        state = inspector.state(next)?;
    }
    let wanted = at::Wanted {
        shown: &args.show,
        object: args.object,
        changed: args.changed,
    };
    let document = at::document(&writer, file(&args.past).to_owned(), &state, &wanted)?;
    out.result(&document, |to| document.print(to))?;
    Ok(true)
}
