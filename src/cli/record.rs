//! `jinsi record`: run a program with the agent.

use std::ffi::OsString;

use anyhow::Result;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use jinsi_recorder::{Options, Selection};
use jinsi_trace::model::Detail;
use jinsi_trace::reader::Trace;

use super::bad_value::BadValue;
use super::embedded::agent_library;
use super::nothing::{self, Known};
use super::output::{self, Output};

const EXAMPLES: &str = "\
Examples:
  jinsi record --observe 'com.foo.*:com.bar.Baz' -o run.jinsi -- java -cp app.jar com.foo.Main
  java -agentpath:/path/to/libjinsi.so=observe=com.foo.*,out=run.jinsi -cp app.jar com.foo.Main   (the same without jinsi)

The trace holds all that the other commands need; the program's jars may be gone. It is never overwritten. It can hold
whatever the program handled, secrets included, and is readable by its owner only.";

/// Arguments of `record`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    selection: SelectionOptions,
    /// Trace file to write; %p is the process id, %t the start time
    #[arg(
        short = 'o',
        long = "output",
        value_name = "FILE",
        default_value = "jinsi-%p.jinsi"
    )]
    output: String,
    /// The program, behind `--`: java and its arguments, or a script that starts java
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// What is recorded.
#[derive(clap::Args, Clone)]
pub(crate) struct SelectionOptions {
    /// Classes whose interactions are recorded: wildcards over the dotted name, joined by ':' (default: every class that is not the JDK's)
    #[arg(long, value_name = "PATTERNS")]
    pub(crate) observe: Option<String>,
    /// Classes taken out again
    #[arg(long, value_name = "PATTERNS")]
    pub(crate) exclude: Option<String>,
    /// Exception classes that count as a failure when thrown (uncaught ones always do)
    #[arg(long, value_name = "CLASSES")]
    pub(crate) fail: Option<String>,
    /// Class files of what is loaded and not observed, kept in the trace for where the libraries are missing: at most so many bytes, with K, M or G
    /// behind (default: of 'debug' 64M, of 'record' 0)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) keep_classes: Option<String>,
    /// How much of the observed classes is recorded (default: of 'debug' boundary, of 'record' interactions)
    #[arg(long, value_parser = details())]
    pub(crate) detail: Option<Detail>,
}

impl SelectionOptions {
    /// What they select.
    pub(crate) fn selection(&self) -> Selection {
        Selection {
            observe: self.observe.clone(),
            exclude: self.exclude.clone(),
            fail: self.fail.clone(),
            keep_classes: self.keep_classes.clone(),
            detail: self.detail,
            versions: Vec::new(),
        }
    }
}

/// A number of bytes as the agent takes it.
fn size(text: &str) -> Result<String, BadValue> {
    let number = text.trim_end_matches(['K', 'M', 'G']);
    let right = text.len() - number.len() <= 1 && number.parse::<u64>().is_ok();
    right.then(|| text.to_owned()).ok_or(BadValue::Size)
}

/// Takes the words of the agent's `detail=`.
fn details() -> impl TypedValueParser<Value = Detail> {
    detail_of([
        (
            Detail::Interactions,
            "What they do to each other and to the rest: can be looked at as any of them sees it",
        ),
        (
            Detail::Boundary,
            "Only what crosses the edge of the observed classes, and a replay computes the rest: costs least",
        ),
        (
            Detail::Instructions,
            "Also which way each method went, as `jinsi slice` needs it",
        ),
        (
            Detail::States,
            "Also the values that do not follow from it, for the state at any step: costs most",
        ),
    ])
}

/// Takes the words of these, each with what is said of it in the help.
pub(crate) fn detail_of<const N: usize>(
    details: [(Detail, &'static str); N],
) -> impl TypedValueParser<Value = Detail> {
    let words = details.map(|(detail, help)| PossibleValue::new(detail.name()).help(help));
    PossibleValuesParser::new(words).try_map(|word| word.parse::<Detail>())
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let options = Options {
        agent: &agent_library()?,
        limit: None,
        stdout_to_stderr: out.is_json(),
    };
    let selection = args.selection.selection();
    let recorded = jinsi_recorder::record(&selection, &args.output, &args.command, &options)?;
    out.result(&recorded, |_| Ok(()))?;
    let known = Known {
        program: Some(&args.command),
        exit_status: recorded.exit_status,
        ..Known::default()
    };
    let trace = Trace::open(&recorded.trace)?;
    if let Some(error) = nothing::unmatched(&trace, &recorded.trace, known) {
        return Err(error);
    }
    if recorded.interrupted {
        output::interrupted(&recorded.trace, None);
    }
    Ok(true)
}
