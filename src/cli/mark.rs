//! `jinsi mark`: a word to the recording of a running program.

use anyhow::Result;
use jinsi_jdk::attach;
use serde::Serialize;

use super::output::Output;

/// Arguments of `mark`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The program's process id
    #[arg(value_name = "PID")]
    pid: u32,

    /// What is wrong, in your own words
    #[arg(value_name = "TEXT", default_value = "")]
    text: String,
}

#[derive(Serialize)]
struct Marked<'a> {
    pid: u32,
    text: &'a str,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    attach::mark(args.pid, &args.text)?;
    let done = Marked {
        pid: args.pid,
        text: &args.text,
    };
    out.result(&done, |text| {
        writeln!(text, "process {}: marked, its trace will be kept", done.pid)
    })?;
    Ok(true)
}
