//! `jinsi arm`: a running program that waits for a failure is recorded now.

use anyhow::Result;
use jinsi_jdk::attach;
use serde::Serialize;

use super::output::Output;

/// Arguments of `arm`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The program's process id
    #[arg(value_name = "PID")]
    pid: u32,

    /// End the recording after so many seconds; by default as the agent's arm-for says
    #[arg(long = "for", value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: Option<u64>,
}

#[derive(Serialize)]
struct Armed {
    pid: u32,
    seconds: Option<u64>,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    attach::arm(args.pid, args.seconds)?;
    let done = Armed {
        pid: args.pid,
        seconds: args.seconds,
    };
    out.result(&done, |text| {
        writeln!(
            text,
            "process {}: recording begins, until the next failure",
            done.pid
        )
    })?;
    Ok(true)
}
