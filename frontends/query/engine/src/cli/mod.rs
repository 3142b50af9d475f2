//! Arguments and exit status.

#[cfg(feature = "ballista")]
mod cluster;
mod export;
mod output;
mod query;
mod shell;
mod start;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use jinsi_query::QueryError;
use jinsi_query_options::{Export, Query};

use output::{Output, Usage};

/// The engine of `jinsi query` and `jinsi export`
#[derive(Parser)]
#[command(name = "jinsi-query", bin_name = "jinsi", version)]
pub(crate) struct Cli {
    /// Print one JSON document on stdout and nothing else there
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// A run, or a thousand of them, asked in SQL
    Query(Query),
    /// Runs as Parquet files, for many of them to be asked together
    Export(Export),
    /// Shares out what exported runs are asked, among executors
    #[cfg(feature = "ballista")]
    Scheduler(cluster::Scheduler),
    /// Reads exported runs for a scheduler
    #[cfg(feature = "ballista")]
    Executor(cluster::Executor),
}

impl Cli {
    /// Does what was asked for; 0: done, 1: it did not work out, 2: wrong usage.
    pub(crate) fn run(self) -> ExitCode {
        let out = Output::new(self.json);
        let done = match &self.command {
            Command::Query(args) => start::run(args, &out),
            Command::Export(args) => export::run(args, &out),
            #[cfg(feature = "ballista")]
            Command::Scheduler(args) => args.run(),
            #[cfg(feature = "ballista")]
            Command::Executor(args) => args.run(),
        };
        match done {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(1),
            Err(error) => {
                output::error(&error);
                let mut causes = error.chain();
                let is_usage = causes.any(|cause| {
                    cause.is::<Usage>()
                        || matches!(cause.downcast_ref(), Some(QueryError::Usage(_)))
                });
                ExitCode::from(if is_usage { 2 } else { 1 })
            }
        }
    }
}
