//! `jinsi mcp`: the past of a run for coding assistants.

use std::path::PathBuf;

use anyhow::Result;

use crate::cli::messages::NoAnswer;

const EXAMPLES: &str = "\
Examples:
  jinsi mcp run.jinsi       what an assistant starts: its questions are about this trace
  jinsi mcp                 each question names its trace

The Model Context Protocol on standard input and output: the questions of 'jinsi info', 'tree', 'at', 'history', 'origin', 'logpoint', 'slice', 'where',
'ask', 'why-not' and 'events' as tools. 'docs/mcp.md' says how assistants are told of it.";

/// Arguments of `mcp`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The trace, where a question names none
    #[arg(value_name = "FILE")]
    trace: Option<PathBuf>,
}

#[cfg(not(feature = "mcp"))]
pub(crate) fn run(args: &Args) -> Result<bool> {
    let _ = &args.trace;
    anyhow::bail!(NoAnswer::NoMcp.to_string())
}

#[cfg(feature = "mcp")]
pub(crate) fn run(args: &Args) -> Result<bool> {
    use crate::cli::messages::NotRecorded;
    use anyhow::Context;
    use jinsi_mcp::{ServerSetup, serve};
    let setup = ServerSetup {
        command: std::env::current_exe().context(NotRecorded::NoSelf)?,
        trace: args.trace.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    serve(setup).context(NoAnswer::NoAssistant)?;
    Ok(true)
}
