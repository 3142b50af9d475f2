//! The `jinsi` command: one file a subcommand; what they do is in `jinsi-analysis`.

mod cli;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::Cli::try_parse() {
        Ok(cli) => cli.run(),
        Err(e) => {
            let usage = e.use_stderr();
            // Printing fails only if the terminal is gone.
            let _ = e.print();
            if usage {
                ExitCode::from(cli::USAGE)
            } else {
                ExitCode::SUCCESS
            }
        }
    }
}
