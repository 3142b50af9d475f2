//! Files as they will lie on the user's machine, before they are packed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Permissions of what is run.
pub(super) const PROGRAM: u32 = 0o755;
/// Permissions of what is read.
pub(super) const DATA: u32 = 0o644;

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct File {
    /// Permissions: [`PROGRAM`] or [`DATA`].
    pub(super) mode: u32,
    pub(super) bytes: Vec<u8>,
}

/// Files by their paths, which have `/` between the names and none in front. Sorted, so that they are packed in the same order everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tree(BTreeMap<String, File>);

impl Tree {
    /// Adds a file; one of the same path is replaced.
    pub(super) fn add(&mut self, path: impl Into<String>, mode: u32, bytes: impl Into<Vec<u8>>) {
        let file = File {
            mode,
            bytes: bytes.into(),
        };
        self.0.insert(path.into(), file);
    }

    /// Adds what a file of this machine holds.
    pub(super) fn add_file(
        &mut self,
        path: impl Into<String>,
        mode: u32,
        from: &Path,
    ) -> Result<()> {
        let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
        self.add(path, mode, bytes);
        Ok(())
    }

    /// Adds all that a directory of this machine holds, below `path`.
    pub(super) fn add_directory(&mut self, path: &str, from: &Path) -> Result<()> {
        let unreadable = || format!("cannot read {}", from.display());
        for entry in fs::read_dir(from).with_context(unreadable)? {
            let entry = entry.with_context(unreadable)?.path();
            let name = entry.file_name().unwrap_or_default().to_string_lossy();
            let path = format!("{path}/{name}");
            if entry.is_dir() {
                self.add_directory(&path, &entry)?;
            } else {
                self.add_file(path, DATA, &entry)?;
            }
        }
        Ok(())
    }

    /// The same files at other paths; `path` says which, and `None` leaves a file out.
    pub(super) fn moved(&self, path: impl Fn(&str) -> Option<String>) -> Tree {
        let files = self.0.iter();
        Tree(
            files
                .filter_map(|(old, file)| Some((path(old)?, file.clone())))
                .collect(),
        )
    }

    /// Paths and files, sorted by path.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &File)> {
        self.0.iter().map(|(path, file)| (path.as_str(), file))
    }

    /// Sum of the sizes in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.0.values().map(|file| file.bytes.len() as u64).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_come_in_whole_and_in_order() {
        let from = tempfile::tempdir().unwrap();
        fs::create_dir(from.path().join("b")).unwrap();
        for name in ["b/c", "z", "a"] {
            fs::write(from.path().join(name), name).unwrap();
        }
        let mut tree = Tree::default();
        tree.add_directory("share", from.path()).unwrap();
        tree.add("bin/x", PROGRAM, "x");
        let paths = |tree: &Tree| tree.files().map(|(p, _)| p.to_owned()).collect::<Vec<_>>();
        assert_eq!(paths(&tree), ["bin/x", "share/a", "share/b/c", "share/z"]);
        assert_eq!(tree.bytes(), 6);
        let moved = tree.moved(|path| Some(path.strip_prefix("share/")?.to_owned()));
        assert_eq!(paths(&moved), ["a", "b/c", "z"]);
    }
}
