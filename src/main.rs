//! The `jinsi` command: one file a subcommand; what they do is in `jinsi-analysis`.

mod cli;

use std::process::ExitCode;

use clap::Parser;
use mimalloc::MiMalloc;

/// Memory that one thread allocates and another gives back is what most of an index is made in. The agent has the allocator of its JVM.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    match cli::Cli::try_parse() {
        Ok(cli) => cli.run(),
        Err(e) => cli::refuse(&e),
    }
}
