//! What is in the directory of a report, and how it is cleared.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What every test of a suite needs alike, below the report's directory: it is there once.
const SHARED: [&str; 2] = ["classes", "lib"];

/// Files and directories that are made in the directory of a report, by name. A table of the manual has them, too.
const NAMES: [&str; 10] = [
    "agent.options",
    "classes",
    "comment.md",
    "index.html",
    "lib",
    "native",
    "report.html",
    "report.json",
    "tests",
    "tests.json",
];

/// By one of these a directory is known to be that of a report.
const MARKS: [&str; 3] = ["report.json", "tests.json", "agent.options"];

/// What `jinsi debug` records, by one of these names.
const TRACES: [&str; 2] = ["trace.jinsi", "boundary.jinsi"];

/// What was removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// Files and directories, as they lay in the directories that were cleared.
    pub paths: Vec<PathBuf>,
    /// The bytes of the files.
    pub bytes: u64,
}

/// Moves what the report in `own`, below `root`, has as all others there have to `root`; what differs stays.
///
/// # Errors
/// A file cannot be read or moved.
pub fn share(own: &Path, root: &Path) -> io::Result<()> {
    for name in SHARED {
        let from = own.join(name);
        if from.is_dir() {
            merge(&from, &root.join(name))?;
        }
    }
    Ok(())
}

fn merge(from: &Path, to: &Path) -> io::Result<()> {
    if !to.exists() {
        return fs::rename(from, to);
    }
    for entry in fs::read_dir(from)? {
        let (entry, there) = {
            let entry = entry?;
            (entry.path(), to.join(entry.file_name()))
        };
        if entry.is_dir() && (there.is_dir() || !there.exists()) {
            merge(&entry, &there)?;
        } else if !there.exists() {
            fs::rename(&entry, &there)?;
        } else if there.is_file() && fs::read(&entry)? == fs::read(&there)? {
            fs::remove_file(&entry)?;
        }
    }
    match fs::remove_dir(from) {
        Err(e) if e.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
        done => done,
    }
}

/// Is this the directory of a report, or of those of a suite?
pub fn is_report(directory: &Path) -> bool {
    let mut names = MARKS.iter().chain(&TRACES);
    names.any(|name| directory.join(name).is_file())
}

/// Removes what jinsi has written into the directory of a report; traces, and answers about them, only if `traces` says so, for they cannot be made again. What else is
/// there stays, and so does the directory then.
///
/// # Errors
/// Something cannot be removed.
pub fn clear(directory: &Path, traces: bool, removed: &mut Removed) -> io::Result<()> {
    let mut entries: Vec<PathBuf> = fs::read_dir(directory)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_trace = name.ends_with(".jinsi") && !is_expanded(&name);
        if path.is_symlink() {
            continue;
        }
        let is_of_trace = is_trace || name.ends_with(".jinsi.ask");
        let has_gone = traces && is_of_trace && path.is_file();
        if NAMES.contains(&&*name) || is_expanded(&name) || is_derived(&path) || has_gone {
            removed.bytes += size(&path)?;
            match path.is_dir() {
                true => fs::remove_dir_all(&path)?,
                false => fs::remove_file(&path)?,
            }
            removed.paths.push(path);
        } else if path.is_dir() && is_report(&path) {
            clear(&path, traces, removed)?;
        } else if path.is_dir() {
            // What is left where an earlier call has removed the report.
            let _ = fs::remove_dir(&path);
        }
    }
    match fs::remove_dir(directory) {
        Err(e) if e.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
        done => done,
    }
}

/// Removes the indexes and replays of traces that lie in a directory: they are made again when they are needed.
///
/// # Errors
/// Something cannot be removed.
pub fn clear_derived(directory: &Path, removed: &mut Removed) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if is_derived(&path) {
            removed.bytes += size(&path)?;
            fs::remove_file(&path)?;
            removed.paths.push(path);
        }
    }
    Ok(())
}

/// Made of a trace that was recorded at the boundary: one of several traces has a number in its name.
fn is_expanded(name: &str) -> bool {
    name.starts_with("expanded") && name.ends_with(".jinsi")
}

/// Made of a trace, and made again when it is needed: its index, or the trace of its replay.
fn is_derived(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let named = [".jinsi.index", ".replayed.jinsi"];
    named.iter().any(|end| name.ends_with(end)) && path.is_file() && !path.is_symlink()
}

fn size(path: &Path) -> io::Result<u64> {
    let found = fs::symlink_metadata(path)?;
    if !found.is_dir() {
        return Ok(found.len());
    }
    let mut all = 0;
    for entry in fs::read_dir(path)? {
        all += size(&entry?.path())?;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, files: &[(&str, &str)]) {
        for (file, text) in files {
            let file = root.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
    }

    #[test]
    fn what_tests_have_alike_is_there_once() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        for test in ["a", "b"] {
            write(
                root,
                &[
                    (&format!("{test}/lib/jinsi-junit/X.class"), "same"),
                    (&format!("{test}/classes/p/A.class"), "same"),
                    (&format!("{test}/classes/p/Own.class"), test),
                    (&format!("{test}/report.json"), test),
                ],
            );
            share(&root.join(test), root).unwrap();
        }
        for (file, text) in [
            ("lib/jinsi-junit/X.class", "same"),
            ("classes/p/A.class", "same"),
            ("classes/p/Own.class", "a"),
            ("b/classes/p/Own.class", "b"),
            ("b/report.json", "b"),
        ] {
            assert_eq!(fs::read_to_string(root.join(file)).unwrap(), text, "{file}");
        }
        assert!(!root.join("a/lib").exists() && !root.join("a/classes").exists());
        assert!(!root.join("b/lib").exists());
    }

    #[test]
    fn only_what_is_ours_is_removed() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().join("jinsi");
        let ours = [
            ("tests.json", "{}"),
            ("index.html", ""),
            ("lib/x", "12345"),
            ("test-7.jinsi", ""),
            ("test-7.jinsi.index", ""),
            ("expanded.jinsi", ""),
            ("expanded-2.jinsi", ""),
            ("test-7.jinsi.ask", "{}"),
            ("a.BTest.c/report.json", "{}"),
            ("a.BTest.c/tests/a/T.java", ""),
        ];
        write(&root, &ours);
        write(&root, &[("notes.txt", "theirs"), ("mine/tests/T.java", "")]);
        let mut removed = Removed::default();
        clear(&root, false, &mut removed).unwrap();
        assert_eq!(removed.bytes, 9);
        // Answers are somebody's, as long as there is what they are about.
        assert!(root.join("test-7.jinsi").is_file() && root.join("test-7.jinsi.ask").is_file());
        for made_again in ["test-7.jinsi.index", "expanded.jinsi", "expanded-2.jinsi"] {
            assert!(!root.join(made_again).exists(), "{made_again}");
        }
        assert!(root.join("notes.txt").is_file() && root.join("mine/tests/T.java").is_file());
        assert!(!root.join("a.BTest.c").exists() && !root.join("lib").exists());

        fs::remove_file(root.join("notes.txt")).unwrap();
        fs::remove_dir_all(root.join("mine")).unwrap();
        clear(&root, true, &mut removed).unwrap();
        assert!(!root.exists());
    }
}
