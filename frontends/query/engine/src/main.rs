//! `jinsi-query`: what `jinsi query` and `jinsi export` become. It takes the same words.

mod cli;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    cli::Cli::parse().run()
}
