//! Files and directories for their owner only: what is written about a recording can hold whatever the recorded program handled.
//!
//! Files have mode 0600, directories 0700, as traces have, whatever the umask of the process. A directory that is there already keeps its mode,
//! for somebody chose it; a file that is there already, and is written anew, does not.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use jinsi_platform::files;
use tempfile::NamedTempFile;

/// Makes a directory and those above it that are missing.
///
/// # Errors
/// As [`fs::create_dir_all`].
pub fn create_dir_all(path: &Path) -> io::Result<()> {
    files::make_directory(path, true)
}

/// Makes a directory that is not there.
///
/// # Errors
/// As [`fs::create_dir`].
pub fn create_dir(path: &Path) -> io::Result<()> {
    files::make_directory(path, false)
}

/// Writes a file, in the place of one that is there.
///
/// # Errors
/// As [`fs::write`].
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    create(path)?.write_all(bytes.as_ref())
}

/// Writes a file whole or not at all, in the place of one that is there: whoever reads meanwhile has the old one, or the new one.
///
/// # Errors
/// As [`fs::write`] and [`fs::rename`].
pub fn replace(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut made = beside(path)?;
    made.write_all(bytes.as_ref())?;
    made.persist(path)?;
    Ok(())
}

/// Moves a file, in the place of one that is there: whoever reads meanwhile has the old one, or the new one. Also from another file system.
///
/// # Errors
/// As [`fs::copy`] and [`fs::rename`]; then `from` is still there, and `to` as it was.
pub fn move_to(from: &Path, to: &Path) -> io::Result<()> {
    if fs::rename(from, to).is_ok() {
        return Ok(());
    }
    let mut made = beside(to)?;
    io::copy(&mut File::open(from)?, made.as_file_mut())?;
    made.persist(to)?;
    // It is there twice then, which does no harm.
    let _ = fs::remove_file(from);
    Ok(())
}

/// A file of its owner's, in the directory of another.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let parent = path.parent().filter(|parent| *parent != Path::new(""));
    let made = tempfile::Builder::new()
        .prefix(".jinsi-")
        .tempfile_in(parent.unwrap_or(Path::new(".")))?;
    files::restrict_file(made.as_file())?;
    Ok(made)
}

/// Copies the contents of a file, not its mode.
///
/// # Errors
/// As [`fs::copy`].
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut from = File::open(from)?;
    io::copy(&mut from, &mut create(to)?)?;
    Ok(())
}

/// Makes what others have written below `path`, a directory of ours, the owner's only: a compiler's classes have the modes that the umask
/// gives them.
///
/// # Errors
/// Something of it cannot be read, or is somebody else's.
pub fn restrict(path: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    if found.is_dir() {
        files::restrict(path, true)?;
        for entry in fs::read_dir(path)? {
            restrict(&entry?.path())?;
        }
    } else if found.is_file() {
        files::restrict(path, false)?;
    }
    Ok(())
}

/// Opens a file to be written from its beginning.
///
/// # Errors
/// As [`File::create`].
pub fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    let file = files::owners_only(&mut options).open(path)?;
    // One that was there; but a terminal or a pipe stays what it is.
    if file.metadata()?.is_file() {
        files::restrict_file(&file)?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        files::mode(&fs::metadata(path).unwrap())
    }

    #[test]
    fn what_is_made_is_the_owners_only() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        fs::create_dir(at("there")).unwrap();
        files::set_mode(&at("there"), 0o755).unwrap();
        fs::write(at("there/old"), "old").unwrap();
        files::set_mode(&at("there/old"), 0o644).unwrap();
        create_dir_all(&at("there/a/b")).unwrap();
        write(&at("there/old"), "new").unwrap();
        write(&at("there/a/file"), "text").unwrap();
        copy(&at("there/a/file"), &at("there/a/b/copy")).unwrap();
        replace(&at("there/old"), "newer").unwrap();
        assert_eq!(mode(&at("there")), 0o755);
        for directory in ["there/a", "there/a/b"] {
            assert_eq!(mode(&at(directory)), 0o700, "{directory}");
        }
        for file in ["there/old", "there/a/file", "there/a/b/copy"] {
            assert_eq!(mode(&at(file)), 0o600, "{file}");
        }
        assert_eq!(fs::read(at("there/old")).unwrap(), b"newer");
        assert_eq!(fs::read_dir(at("there")).unwrap().count(), 2);
        assert_eq!(fs::read(at("there/a/b/copy")).unwrap(), b"text");
    }
}
