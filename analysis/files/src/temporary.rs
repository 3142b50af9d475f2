//! Temporary directories: for their owner only, and gone with the process that made them.
//!
//! A directory goes when its [`Directory`] is dropped. When a signal is about to end the process, [`remove_all`] removes those that are
//! left. What a killed process leaves is swept when the next one makes its first directory: each directory is locked (`flock`) by its process
//! as long as it lives, so that what can be locked has no owner any more. That also holds between containers that share a directory
//! for temporary files, where process ids would tell nothing.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::Duration;

use jinsi_platform::files::{self, OWNERS_DIRECTORY, open_directory};

/// How the names of all of them begin.
pub const PREFIX: &str = "jinsi-tmp-";
/// How often a directory is tried that a sweeping process has taken in the moment it was made.
const ATTEMPTS: usize = 100;
/// How often a directory is removed into which others may still be writing, and the pause before the next time.
const REMOVALS: usize = 20;
const PAUSE: Duration = Duration::from_millis(10);

/// Directories that are there.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static SWEPT: Once = Once::new();

/// A temporary directory. It is removed with all that is in it when this is dropped.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    /// Locked.
    _owned: File,
}

impl Directory {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let mut all = all();
        all.retain(|path| *path != self.path);
        // Whoever cannot remove it now sweeps it later.
        let _ = remove_whatever_it_is(&self.path);
    }
}

/// A new empty directory among the temporary files of the system (`TMPDIR`), with mode 0700.
///
/// # Errors
/// It cannot be made or locked.
pub fn directory() -> io::Result<Directory> {
    let parent = std::env::temp_dir();
    SWEPT.call_once(|| sweep(&parent));
    directory_in(&parent)
}

fn directory_in(parent: &Path) -> io::Result<Directory> {
    // Waits for ever once the process is about to end.
    let mut all = all();
    for _ in 0..ATTEMPTS {
        let made = tempfile::Builder::new()
            .prefix(PREFIX)
            .permissions(files::permissions(OWNERS_DIRECTORY))
            .tempdir_in(parent)?;
        let owned = match open_directory(made.path()) {
            // It was swept as soon as it was made.
            Err(e) if e.kind() == io::ErrorKind::NotFound => continue,
            opened => opened?,
        };
        // Where directories cannot be locked nobody can sweep them, either.
        while matches!(owned.lock(), Err(e) if e.kind() == io::ErrorKind::Interrupted) {}
        // Between its making and the lock another process may have swept it.
        if is_at(&owned, made.path()) {
            let path = made.keep();
            all.push(path.clone());
            return Ok(Directory {
                path,
                _owned: owned,
            });
        }
    }
    Err(io::Error::other("temporary directories vanish"))
}

/// Removes all directories of this process, for it is about to end: whoever wants another one waits for ever.
pub fn remove_all() {
    let all = all();
    for path in all.iter() {
        remove(path);
    }
    std::mem::forget(all);
}

/// Removes it, though a process that is about to end may still write into it.
fn remove(path: &Path) {
    for _ in 0..REMOVALS {
        match remove_whatever_it_is(path) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => thread::sleep(PAUSE),
            // What cannot be removed is in nobody's way.
            _ => break,
        }
    }
}

/// Removes a directory with all that is in it. What ran in it may have made directories that their owner cannot look into.
fn remove_whatever_it_is(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_up(path);
            fs::remove_dir_all(path)
        }
        removed => removed,
    }
}

/// Lets its owner look into a directory, and into all that are in it, as far as that can be done. Links are not followed.
fn open_up(directory: &Path) {
    let _ = fs::set_permissions(directory, files::permissions(OWNERS_DIRECTORY));
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let is_directory = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    for entry in entries.filter(is_directory) {
        open_up(&entry.path());
    }
}

/// Removes what processes have left that did not end by themselves: directories with our prefix and mode, of this user, without owner.
fn sweep(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        if let Some(_taken) = left(&entry.path()) {
            remove(&entry.path());
        }
    }
}

/// The directory, locked, if it is one like ours of which the owner is gone. As long as it is locked, whoever has just made it waits, and
/// then finds it gone.
fn left(path: &Path) -> Option<File> {
    let directory = open_directory(path).ok()?;
    let found = directory.metadata().ok()?;
    let ours = files::is_ours(&found) && files::mode(&found) == OWNERS_DIRECTORY;
    let taken = ours && directory.try_lock().is_ok();
    (taken && is_at(&directory, path)).then_some(directory)
}

fn is_at(directory: &File, path: &Path) -> bool {
    match (directory.metadata(), fs::symlink_metadata(path)) {
        (Ok(open), Ok(named)) => files::is_same(&open, &named),
        _ => false,
    }
}

fn all() -> MutexGuard<'static, Vec<PathBuf>> {
    // A list is whole, whatever its last user died of.
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    fn mode(path: &Path) -> u32 {
        files::mode(&fs::metadata(path).unwrap())
    }

    #[test]
    fn a_directory_is_its_owners_and_goes() {
        let made = directory().unwrap();
        let path = made.path().to_owned();
        assert_eq!(mode(&path), 0o700);
        fs::write(path.join("file"), "text").unwrap();
        drop(made);
        assert!(!path.exists());
    }

    #[test]
    fn it_goes_whatever_modes_its_directories_have() {
        let made = directory().unwrap();
        let path = made.path().to_owned();
        let inner = path.join("a").join("b");
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("file"), "text").unwrap();
        for closed in [&inner, &path.join("a")] {
            fs::set_permissions(closed, files::permissions(0)).unwrap();
        }
        drop(made);
        assert!(!path.exists());
    }

    #[test]
    fn whoever_sweeps_takes_no_directory_that_is_being_made() {
        let parent = tempfile::tempdir().unwrap();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            let sweeping = scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    sweep(parent.path());
                }
            });
            // Whoever fails here waits for the other thread first, which must not go on for ever.
            let all = (0..2000).map(|_| directory_in(parent.path()));
            let there = all.map(|made| made.map(|made| made.path().exists()));
            let missing = there.into_iter().find(|there| !matches!(there, Ok(true)));
            done.store(true, Ordering::Relaxed);
            sweeping.join().unwrap();
            assert!(missing.is_none(), "{missing:?}");
        });
    }

    #[test]
    fn what_has_no_owner_is_swept_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let at = |name: &str| parent.path().join(name);
        let make = |name: &str, mode: u32| {
            fs::create_dir(at(name)).unwrap();
            files::set_mode(&at(name), mode).unwrap();
            fs::write(at(name).join("file"), "text").unwrap();
        };
        make("jinsi-tmp-dead", 0o700);
        make("jinsi-tmp-open", 0o755);
        make("other", 0o700);
        fs::write(at("jinsi-tmp-file"), "").unwrap();
        files::symbolic_link(at("other"), at("jinsi-tmp-link")).unwrap();
        let alive = directory_in(parent.path()).unwrap();
        sweep(parent.path());
        assert!(!at("jinsi-tmp-dead").exists());
        assert!(alive.path().exists());
        for name in [
            "jinsi-tmp-open",
            "other",
            "jinsi-tmp-file",
            "jinsi-tmp-link",
        ] {
            assert!(at(name).exists(), "{name}");
        }
    }
}
