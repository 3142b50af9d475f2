//! Source files: found by package and name below some directories.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Entries of directories that are looked at, and how deep.
const ENTRIES: usize = 100_000;
const DEEPEST: usize = 24;
/// Larger files are no sources that anybody reads.
const LARGEST: u64 = 4 << 20;
/// Where no sources are.
const PASSED: [&str; 3] = ["node_modules", "target", "build"];

/// Where the sources are.
#[derive(Debug, Default)]
pub struct Sources {
    /// By file name.
    files: HashMap<String, Vec<PathBuf>>,
    read: RefCell<HashMap<PathBuf, Option<Rc<[String]>>>>,
}

impl Sources {
    /// What is below these directories.
    pub fn below(directories: &[PathBuf]) -> Self {
        let mut sources = Self::default();
        let mut left = ENTRIES;
        for directory in directories {
            sources.walk(directory, DEEPEST, &mut left);
        }
        sources
    }

    fn walk(&mut self, directory: &Path, depth: usize, left: &mut usize) {
        let Ok(entries) = fs::read_dir(directory) else {
            return;
        };
        let mut directories = Vec::new();
        for entry in entries.flatten() {
            if *left == 0 {
                return;
            }
            *left -= 1;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type();
            if kind.as_ref().is_ok_and(|kind| kind.is_dir()) {
                if !name.starts_with('.') && !PASSED.contains(&name.as_str()) && depth > 0 {
                    directories.push(entry.path());
                }
            } else if is_source(&name) {
                self.files.entry(name).or_default().push(entry.path());
            }
        }
        directories.sort();
        for directory in directories {
            self.walk(&directory, depth - 1, left);
        }
    }

    /// The file in which a class stands, by the class's internal name and the name of the file.
    pub fn find(&self, class: &str, file: &str) -> Option<&Path> {
        let package = class.rsplit_once('/').map_or("", |(package, _)| package);
        let candidates = self.files.get(file)?;
        let fits = |path: &&PathBuf| {
            let parent = path.parent();
            parent.is_some_and(|parent| parent.ends_with(package))
        };
        // Who does not keep packages as directories has one file of the name.
        let fitting = candidates.iter().find(fits);
        let only = candidates.first().filter(|_| candidates.len() == 1);
        fitting.or(only).map(PathBuf::as_path)
    }

    /// The lines of a file.
    pub fn lines(&self, path: &Path) -> Option<Rc<[String]>> {
        if let Some(known) = self.read.borrow().get(path) {
            return known.clone();
        }
        let lines = read(path);
        let mut read = self.read.borrow_mut();
        read.insert(path.to_owned(), lines.clone());
        lines
    }
}

fn is_source(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|e| {
        ["java", "kt", "scala", "groovy"]
            .iter()
            .any(|known| e == *known)
    })
}

fn read(path: &Path) -> Option<Rc<[String]>> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).ok()?;
    file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    Some(text.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_its_package() {
        let root = tempfile::tempdir().unwrap();
        for path in [
            "one/a/b/C.java",
            "two/a/c/C.java",
            "two/a/c/D.java",
            "target/E.java",
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "class\n{}\n").unwrap();
        }
        let sources = Sources::below(&[root.path().to_owned()]);
        let found = |class: &str, file: &str| {
            let found = sources.find(class, file)?;
            Some(found.strip_prefix(root.path()).unwrap().to_owned())
        };
        assert_eq!(found("a/b/C", "C.java"), Some("one/a/b/C.java".into()));
        assert_eq!(found("a/c/C$In", "C.java"), Some("two/a/c/C.java".into()));
        assert_eq!(found("x/C", "C.java"), None);
        assert_eq!(found("x/D", "D.java"), Some("two/a/c/D.java".into()));
        assert_eq!(found("E", "E.java"), None);
        assert_eq!(found("E", "../../two/a/c/D.java"), None);
        let lines = sources.lines(sources.find("a/b/C", "C.java").unwrap());
        assert_eq!(lines.unwrap().len(), 2);
    }
}
