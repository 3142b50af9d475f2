//! The licences of what is linked, as one text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::packages::Package;

/// Names that texts of licences have begin so, in capitals.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];

/// A text that lists the foreign crates and has each licence text once, with the crates that have it.
pub(super) fn text(packages: &[Package]) -> Result<String> {
    let foreign: Vec<&Package> = packages.iter().filter(|p| p.is_foreign()).collect();
    let mut text = "jinsi is linked with the crates below, and with the standard library of Rust (MIT OR Apache-2.0).\n\n".to_owned();
    let mut texts = BTreeMap::<String, Vec<String>>::new();
    for package in &foreign {
        let licence = package.licence.as_deref().unwrap_or("see below");
        writeln!(text, "{} {}: {licence}", package.name, package.version)?;
        for found in below(&package.directory, 1)? {
            let names = texts.entry(found).or_default();
            let name = format!("{} {}", package.name, package.version);
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
    }
    let mut texts: Vec<_> = texts.into_iter().collect();
    texts.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
    for (licence, names) in texts {
        let line = "=".repeat(100);
        write!(
            text,
            "\n{line}\n{}\n{line}\n\n{}\n",
            names.join(", "),
            licence.trim_end()
        )?;
    }
    Ok(text)
}

/// Texts of licences in a directory, and `deep` directories down: crates that bring a library of C have its licence there.
fn below(directory: &Path, deep: u32) -> Result<Vec<String>> {
    let unreadable = || format!("cannot read {}", directory.display());
    let mut entries = fs::read_dir(directory)
        .with_context(unreadable)?
        .map(|entry| Ok(entry.with_context(unreadable)?.path()))
        .collect::<Result<Vec<_>>>()?;
    entries.sort();
    let mut texts = Vec::new();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        if entry.is_dir() {
            if deep > 0 {
                texts.extend(below(&entry, deep - 1)?);
            }
        } else if NAMES.iter().any(|n| name.to_uppercase().starts_with(n)) {
            let bytes = fs::read(&entry).with_context(unreadable)?;
            texts.push(String::from_utf8_lossy(&bytes).replace('\r', ""));
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_two_crates_share_comes_once() {
        let directory = tempfile::tempdir().unwrap();
        let package = |name: &str, own: &str| {
            let at = directory.path().join(name);
            fs::create_dir_all(at.join("lib")).unwrap();
            fs::write(at.join("LICENSE-MIT"), "the shared text").unwrap();
            fs::write(at.join("lib/COPYING"), own).unwrap();
            Package {
                name: name.to_owned(),
                version: "1.0.0".to_owned(),
                licence: Some("MIT".to_owned()),
                repository: None,
                directory: at,
                checksum: Some(String::new()),
                needs: Vec::new(),
            }
        };
        let text = text(&[package("a", "text of a"), package("b", "text of b")]).unwrap();
        assert_eq!(text.matches("the shared text").count(), 1);
        assert!(text.contains("\na 1.0.0, b 1.0.0\n"), "{text}");
        assert!(text.contains("text of a") && text.contains("text of b"));
        assert!(text.contains("b 1.0.0: MIT"));
    }
}
