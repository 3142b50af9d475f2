//! A working directory like the one that a program was recorded in: its tests read files by relative names (`src/test/resources/a.json`).

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use jinsi_files::private;

/// Directories that a build writes to. A program may, too, so each is one of its own here, with those in it, and only files are linked.
const OUTPUT: [&str; 3] = ["target", "build", "out"];
/// How the names of directories end in which nothing but a compiler writes.
const OF_COMPILER: &str = "classes";
/// Entries that are shown. A project has few in its directory; what has more is none.
const MOST: usize = 2_000;

/// The files and directories in `recorded` that a program is shown, which may read them: all but the hidden ones, among which are keys and the
/// like. None if `recorded` cannot be read.
pub fn visible(recorded: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(recorded).into_iter().flatten().flatten();
    let is_hidden = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_none_or(|name| name.starts_with('.'))
    };
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| !is_hidden(path)).take(MOST).collect()
}

/// Shows these entries of a directory in the directory `work`, by links: what a program writes goes to `work` alone.
///
/// # Errors
/// Nothing can be made in `work`, or an entry not be read.
pub fn furnish(work: &Path, visible: &[PathBuf]) -> io::Result<()> {
    let mut left = MOST;
    for from in visible {
        let name = from.file_name().unwrap_or_default();
        let to = work.join(name);
        match OUTPUT.iter().any(|output| name == *output) {
            true => copy(from, &to, &mut left)?,
            false => link(from, &to)?,
        }
    }
    Ok(())
}

/// Makes directories like these, with links to the files in them.
fn copy(from: &Path, to: &Path, left: &mut usize) -> io::Result<()> {
    let name = from.file_name().unwrap_or_default().to_string_lossy();
    if !from.is_dir() || from.is_symlink() || name.ends_with(OF_COMPILER) {
        return link(from, to);
    }
    private::create_dir_all(to)?;
    for entry in fs::read_dir(from)?.flatten() {
        if take(left) {
            copy(&entry.path(), &to.join(entry.file_name()), left)?;
        }
    }
    Ok(())
}

fn take(left: &mut usize) -> bool {
    let is_room = *left > 0;
    *left = left.saturating_sub(1);
    is_room
}

/// What is there already stays.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    match symlink(from, to) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_by_relative_names_and_written_apart() {
        let (recorded, work) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (recorded, work) = (recorded.path(), work.path());
        for directory in ["src/test/resources", "target/classes", "target/a/b", ".git"] {
            fs::create_dir_all(recorded.join(directory)).unwrap();
        }
        for file in ["src/test/resources/a.json", "target/classes/b", ".git/c"] {
            fs::write(recorded.join(file), file).unwrap();
        }
        furnish(work, &visible(recorded)).unwrap();
        for file in ["src/test/resources/a.json", "target/classes/b"] {
            assert_eq!(fs::read_to_string(work.join(file)).unwrap(), file);
        }
        assert!(!work.join(".git").exists());
        fs::write(work.join("target/a/b/report"), "new").unwrap();
        assert!(!recorded.join("target/a/b/report").exists());
        // Once more, as for a JVM that takes the place of a lost one.
        furnish(work, &visible(recorded)).unwrap();
    }
}
