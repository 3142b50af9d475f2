//! `cargo xtask layers`: who may know whom. Rooms know lower rooms alone, files of a crate know each other one way, and the table in
//! ARCHITECTURE.md says what the manifests say.

mod crates;
mod paths;
mod sources;
mod table;

use std::fs;

use anyhow::{Context, Result};
use jinsi_repository as repository;

/// What is to be done besides checking.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write the table of crates in ARCHITECTURE.md anew
    #[arg(long)]
    write: bool,
}

/// Checks, and prints what it found; false if something is not as it should be.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let root = repository::root();
    let crates = crates::all(root)?;
    let mut wrong = crates::upward(&crates);
    let mut files = 0;
    for one in &crates {
        let sources = sources::of(&one.directory)?;
        files += sources.len();
        let circles = sources::circles(&sources);
        wrong.extend(circles.iter().map(|c| format!("{}: {c}", one.name)));
    }
    let page = root.join("ARCHITECTURE.md");
    let text = fs::read_to_string(&page).context("ARCHITECTURE.md")?;
    let wanted = table::with(&text, &table::of(&crates))?;
    if arguments.write {
        fs::write(&page, wanted)?;
    } else if wanted != text {
        wrong.push("ARCHITECTURE.md: its table of crates is not what the manifests say; cargo xtask layers --write".into());
    }
    println!(
        "checked: {} crates, by room; {files} files, by what modules name of each other; the table in ARCHITECTURE.md",
        crates.len()
    );
    for line in &wrong {
        println!("wrong: {line}");
    }
    Ok(wrong.is_empty())
}
