//! `jinsi dap`: the past of a run for debuggers of editors.

use std::io::{BufReader, stdin, stdout};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;

use anyhow::{Context, Result};
use jinsi_dap::{Launch, Opened, serve};
use jinsi_trace::reader::Trace;

use super::{remarks, replay_of, with_instructions};
use crate::cli::messages::{NoAnswer, Remark};
use crate::cli::output::note;
use crate::cli::prepared::ReplayOptions;

const EXAMPLES: &str = "\
Examples:
  jinsi dap                         what an editor starts; its configuration names the trace
  jinsi dap run.jinsi               the same for one trace
  jinsi dap run.jinsi --port 4711   for an editor that connects to a port of this machine

The Debug Adapter Protocol: breakpoints, steps and values over a run that is over, forward and backward. 'docs/editors.md' says how VS Code, Neovim,
Zed and others are told of it.";

/// Arguments of `dap`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The trace, where the editor names none
    #[arg(value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Wait on this port of 127.0.0.1 for one client, instead of speaking on standard input and output. Every user of the machine can connect
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    #[command(flatten)]
    replay: ReplayOptions,
}

pub(crate) fn run(args: &Args) -> Result<bool> {
    let open = |launch: &Launch| open(args, launch);
    let Some(port) = args.port else {
        serve(BufReader::new(stdin()), stdout().lock(), open).context(NoAnswer::NoEditor)?;
        return Ok(true);
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| NoAnswer::Port { port }.to_string())?;
    note(Remark::Waiting {
        address: listener.local_addr()?.to_string(),
    });
    let (client, _) = listener.accept()?;
    drop(listener);
    let input = BufReader::new(client.try_clone()?);
    serve(input, client, open).context(NoAnswer::NoEditor)?;
    Ok(true)
}

/// Opens the run that the editor wants; what has no instructions is replayed.
fn open(args: &Args, launch: &Launch) -> Result<Opened> {
    let file = launch.trace.as_ref().or(args.trace.as_ref());
    let file = file.context(
        "no trace: give one to jinsi dap, or as \"trace\" in the editor's configuration",
    )?;
    let recorded = Trace::open(file)?;
    let mut remarks = remarks(&recorded);
    let opened = match launch.replayed {
        true => replay_of(&args.replay, file)?,
        false => with_instructions(recorded, file, &args.replay)?,
    };
    if opened.is_replay() {
        remarks.push(Remark::Replay.to_string());
    }
    let (trace, file, directory) = opened.into_parts();
    Ok(Opened {
        trace,
        file,
        remarks,
        guard: directory.map(|directory| Box::new(directory) as Box<dyn std::any::Any>),
    })
}
