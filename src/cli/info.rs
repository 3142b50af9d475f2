//! `jinsi info`: what is in a trace.

use std::path::PathBuf;

use anyhow::Result;
use jinsi_history::info::Info;
use jinsi_trace::reader::Trace;

use super::output::Output;

/// Arguments of `info`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The trace
    #[arg(value_name = "FILE")]
    trace: PathBuf,

    /// Count callers and natives also where that takes a while: of more than 5 million events
    #[arg(long)]
    callers: bool,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let trace = Trace::open(&args.trace)?;
    let info = Info::of(&trace, args.callers);
    out.result(&info, |to| info.write_text(to))?;
    Ok(true)
}
