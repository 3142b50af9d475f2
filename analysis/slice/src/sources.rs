//! The program's sources, as far as they are found: the text of lines in a slice.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::result::Line;

/// Source files, read when first asked for.
#[derive(Debug)]
pub struct Sources<'a> {
    directories: &'a [PathBuf],
    files: HashMap<PathBuf, Option<Vec<String>>>,
}

impl<'a> Sources<'a> {
    /// Below these directories, each of which has the packages.
    pub fn new(directories: &'a [PathBuf]) -> Self {
        Self {
            directories,
            files: HashMap::new(),
        }
    }

    /// The text of a line; `None` if its file is not found.
    pub fn text(&mut self, line: &Line) -> Option<&str> {
        self.text_at(&line.class, line.file.as_deref()?, line.line)
    }

    /// The text of a line of this file, in which the class is.
    pub fn text_at(&mut self, class: &str, file: &str, line: u16) -> Option<&str> {
        let package = class.rsplit_once('.').map_or("", |(package, _)| package);
        let path = Path::new(&package.replace('.', "/")).join(file);
        let directories = self.directories;
        let lines = self.files.entry(path.clone()).or_insert_with(|| {
            directories.iter().find_map(|directory| {
                let bytes = fs::read(directory.join(&path)).ok()?;
                let text = String::from_utf8_lossy(&bytes);
                Some(text.lines().map(str::to_owned).collect())
            })
        });
        let text = lines.as_ref()?.get(usize::from(line).checked_sub(1)?)?;
        Some(text.trim_end())
    }
}
