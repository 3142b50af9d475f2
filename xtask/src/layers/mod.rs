//! `cargo xtask layers`: who may know whom. Rooms know lower rooms alone, files of a crate know each other one way, and the table in
//! ARCHITECTURE.md says what the manifests say.

mod crates;
mod paths;
mod sources;
mod table;

use std::fs;

use anyhow::{Context, Result};
use jinsi_repository as repository;

/// Circles that are known, and are to go. One that is new is wrong, and so is one that stands here and has gone.
const KNOWN: [&str; 8] = [
    "jinsi-instrument: in the crate's root these know each other both ways: accesses, emitter, events, given, order, runs, ways",
    "jinsi-declarative: in the crate's root these know each other both ways: counting, session",
    "jinsi-declarative: in the crate's root these know each other both ways: likely, strategy",
    "jinsi-inspect: in the crate's root these know each other both ways: facts, handed, index, memory, objects, played, point, state",
    "jinsi-replay: in session these know each other both ways: build, write",
    "jinsi-faults: in the crate's root these know each other both ways: report, train",
    "jinsi-asked: in the crate's root these know each other both ways: others, show",
    "jinsi: in cli these know each other both ways: ask, past",
];

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
    let mut found = Vec::new();
    for one in &crates {
        let sources = sources::of(&one.directory)?;
        files += sources.len();
        let circles = sources::circles(&sources);
        found.extend(circles.iter().map(|c| format!("{}: {c}", one.name)));
    }
    let is_known = |circle: &&String| KNOWN.contains(&circle.as_str());
    wrong.extend(found.iter().filter(|c| !is_known(c)).cloned());
    let gone = KNOWN
        .iter()
        .filter(|known| !found.iter().any(|c| c == *known));
    wrong.extend(gone.map(|known| format!("no longer so, take it off the list: {known}")));
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
    for circle in found.iter().filter(is_known) {
        println!("known: {circle}");
    }
    for line in &wrong {
        println!("wrong: {line}");
    }
    Ok(wrong.is_empty())
}
