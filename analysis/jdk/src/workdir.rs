//! A working directory like the one that a program was recorded in: its tests read files by relative names (`src/test/resources/a.json`).

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use jinsi_files::private;

/// Directories that a build writes to. A program may, too, so each is one of its own here, and only what is in them is linked.
const OUTPUT: [&str; 3] = ["target", "build", "out"];
/// Entries of a directory that are shown. A project has few; what has more is no project.
const MOST: usize = 1_000;

/// Shows in the directory `work` what is in `recorded`, by links: what a program writes goes to `work` alone. Hidden files are left out, and
/// what cannot be linked is missing.
///
/// # Errors
/// `recorded` cannot be read, or nothing be made in `work`.
pub fn furnish(work: &Path, recorded: &Path) -> io::Result<()> {
    for entry in fs::read_dir(recorded)?.take(MOST).flatten() {
        let name = entry.file_name();
        let Some(text) = name.to_str().filter(|text| !text.starts_with('.')) else {
            continue;
        };
        let (from, to) = (entry.path(), work.join(&name));
        if OUTPUT.contains(&text) && from.is_dir() {
            private::create_dir_all(&to)?;
            for inner in fs::read_dir(&from)?.take(MOST).flatten() {
                link(&inner.path(), &to.join(inner.file_name()))?;
            }
        } else {
            link(&from, &to)?;
        }
    }
    Ok(())
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
        for directory in ["src/test/resources", "target/classes", ".git"] {
            fs::create_dir_all(recorded.join(directory)).unwrap();
        }
        for file in ["src/test/resources/a.json", "target/classes/b", ".git/c"] {
            fs::write(recorded.join(file), file).unwrap();
        }
        furnish(work, recorded).unwrap();
        for file in ["src/test/resources/a.json", "target/classes/b"] {
            assert_eq!(fs::read_to_string(work.join(file)).unwrap(), file);
        }
        assert!(!work.join(".git").exists());
        fs::write(work.join("target/report"), "new").unwrap();
        assert!(!recorded.join("target/report").exists());
        // Once more, as for a JVM that takes the place of a lost one.
        furnish(work, recorded).unwrap();
    }
}
