//! `cargo xtask messages`: a program of its own reads the sources, because it needs a parser of Rust.

use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, Result};
use jinsi_repository as repository;

/// Which messages, and how.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Draw some of them; the same number draws the same ones
    #[arg(long, requires = "count")]
    seed: Option<u64>,
    /// How many are drawn
    #[arg(long, requires = "seed")]
    count: Option<usize>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// The same for the program.
    fn words(&self) -> Vec<String> {
        let drawn = self.seed.zip(self.count);
        let drawn =
            drawn.map(|(seed, count)| [format!("--seed={seed}"), format!("--count={count}")]);
        let json = self.json.then(|| "--json".to_owned());
        drawn.into_iter().flatten().chain(json).collect()
    }
}

/// Becomes that program. Returns only if it cannot.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let program = repository::build_messages()?;
    let error = Command::new(&program).args(arguments.words()).exec();
    Err(error).with_context(|| format!("cannot start {}", program.display()))
}
