//! The `jinsi` command: one file a subcommand; what they do is in `jinsi-analysis`.

mod cli;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::Cli::try_parse() {
        Ok(cli) => cli.run(),
        Err(e) => cli::refuse(&e),
    }
}
