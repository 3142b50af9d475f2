//! The files that messages are declared in.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::text::Message;
use crate::{java, rust};

/// The rooms whose messages users meet.
const ROOMS: [&str; 8] = [
    "agent",
    "analysis",
    "classfile",
    "frontends",
    "java-harness",
    "platform",
    "src",
    "trace",
];
/// Directories without messages for users.
const LEFT_OUT: [&str; 5] = ["target", "tests", "benches", "examples", "fuzz"];

/// All messages, in the order of rooms, crates, files and lines.
pub(crate) fn messages(root: &Path) -> Result<Vec<Message>> {
    let mut all = Vec::new();
    for room in ROOMS {
        for file in files(&root.join(room))? {
            let text = || fs::read_to_string(&file).with_context(|| file.display().to_string());
            let of = of(root, &file);
            if file.extension().is_some_and(|e| e == "rs") {
                let messages = rust::messages(&of, &text()?);
                all.extend(messages.with_context(|| file.display().to_string())?);
            } else if file.file_name().is_some_and(|name| name == "Message.java") {
                all.extend(java::messages(&of, &text()?));
            }
        }
    }
    Ok(all)
}

/// The directory of the crate, or of the module of Java, below the repository.
fn of(root: &Path, file: &Path) -> String {
    let is_one = |directory: &&Path| {
        ["Cargo.toml", "pom.xml", "build.gradle"]
            .iter()
            .any(|name| directory.join(name).is_file())
    };
    let directory = file.ancestors().skip(1).find(is_one).unwrap_or(root);
    let below = directory.strip_prefix(root).unwrap_or(directory);
    match below.as_os_str().is_empty() {
        true => "src".to_owned(),
        false => below.display().to_string(),
    }
}

fn files(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory).with_context(|| directory.display().to_string())?;
    let mut entries: Vec<PathBuf> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    entries.sort();
    let mut all = Vec::new();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        match entry.is_dir() {
            true if LEFT_OUT.contains(&&*name) || name.starts_with('.') => {}
            true => all.extend(files(&entry)?),
            false if name == "tests.rs" => {}
            false => all.push(entry),
        }
    }
    Ok(all)
}
