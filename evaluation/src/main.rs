//! The program that `cargo xtask` builds and runs for the commands of the evaluation.

use std::process::ExitCode;

use clap::Parser;
use jinsi_evaluation::Evaluation;

/// The measures of the jinsi repository
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Evaluation,
}

fn main() -> ExitCode {
    match Arguments::parse().task.run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
