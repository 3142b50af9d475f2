//! The command, the agent and the engine of queries, built so that their bytes do not tell where and by whom.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use jinsi_repository as repository;

/// What cargo built.
pub(super) struct Natives {
    pub(super) command: PathBuf,
    pub(super) agent: PathBuf,
    /// The engine of queries.
    pub(super) query: PathBuf,
}

impl Natives {
    /// Builds all in the profile `dist`.
    pub(super) fn build() -> Result<Natives> {
        let environment = environment()?;
        let command = repository::build_jinsi_with("dist", &environment)?;
        let agent = command.with_file_name("libjinsi.so");
        let query = repository::build_query_with("dist", &environment)?;
        Ok(Natives {
            command,
            agent,
            query,
        })
    }

    /// The directory that holds all.
    pub(super) fn directory(&self) -> Result<&Path> {
        self.command
            .parent()
            .context("the command is in a directory")
    }
}

/// Directories of this machine become names: panics and C's assertions tell files.
fn environment() -> Result<Vec<(&'static str, String)>> {
    let home = match env::var_os("CARGO_HOME") {
        Some(home) => PathBuf::from(home),
        None => PathBuf::from(env::var_os("HOME").context("the user has no home directory")?)
            .join(".cargo"),
    };
    let named = [
        format!("{}=/cargo", home.display()),
        format!("{}=/jinsi", repository::root().display()),
    ];
    let rust = named
        .each_ref()
        .map(|pair| format!("--remap-path-prefix={pair}"));
    let c = named
        .each_ref()
        .map(|pair| format!("-ffile-prefix-map={pair}"));
    Ok(vec![
        // Cargo's own separator: a path may have a space.
        ("CARGO_ENCODED_RUSTFLAGS", rust.join("\u{1f}")),
        ("CFLAGS", c.join(" ")),
    ])
}
