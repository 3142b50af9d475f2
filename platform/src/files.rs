//! Files: who may read them, access at a place, locks, and names that lead elsewhere.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{Mode, OFlags, open};
use rustix::process::geteuid;

/// Mode of a file that is its owner's only.
pub const OWNERS_FILE: u32 = 0o600;
/// Mode of a directory that is its owner's only.
pub const OWNERS_DIRECTORY: u32 = 0o700;
/// The bits of a mode that say who may do what.
const MODE: u32 = 0o7777;

/// Has what these options make be its owner's only, whatever the process' umask.
pub fn owners_only(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(OWNERS_FILE)
}

/// Has the options open neither what a symbolic link leads to, nor wait for the other end of a pipe: for directories in which others may write.
pub fn untrusted_name(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
}

/// Makes a directory that is its owner's only; with `recursive`, those above it that are missing, too, and one that is there is no error.
///
/// # Errors
/// As [`fs::create_dir`].
pub fn make_directory(path: &Path, recursive: bool) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(recursive).mode(OWNERS_DIRECTORY);
    builder.create(path)
}

/// Makes a file or directory, which must be this user's, its owner's only.
///
/// # Errors
/// It is not there, or somebody else's.
pub fn restrict(path: &Path, is_directory: bool) -> io::Result<()> {
    let mode = match is_directory {
        true => OWNERS_DIRECTORY,
        false => OWNERS_FILE,
    };
    set_mode(path, mode)
}

/// [`restrict`] for an open file.
///
/// # Errors
/// It is somebody else's.
pub fn restrict_file(file: &File) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(OWNERS_FILE))
}

/// Who may do what with a file, as Unix has it.
pub fn mode(of: &Metadata) -> u32 {
    of.permissions().mode() & MODE
}

/// Sets who may do what with a file, as Unix has it.
///
/// # Errors
/// The file is not there, or somebody else's.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// The same, as what makes a file or directory wants it.
pub fn permissions(mode: u32) -> Permissions {
    Permissions::from_mode(mode)
}

/// Is it the file of the user whose rights this process has?
pub fn is_ours(of: &Metadata) -> bool {
    of.uid() == geteuid().as_raw()
}

/// Are both the same file?
pub fn is_same(a: &Metadata, b: &Metadata) -> bool {
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// What the system knows of a file beside its name and content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    /// What it is, and who may do what with it.
    pub mode: u32,
    /// How many names it has.
    pub links: u64,
    /// Its number on its disk.
    pub number: u64,
    /// User and group.
    pub owner: (u32, u32),
    /// When its content changed last: seconds since 1970, and nanoseconds.
    pub modified: (i64, i64),
    /// When anything of it changed last.
    pub changed: (i64, i64),
}

/// What is known of a file.
pub fn details(of: &Metadata) -> Details {
    Details {
        mode: of.mode(),
        links: of.nlink(),
        number: of.ino(),
        owner: (of.uid(), of.gid()),
        modified: (of.mtime(), of.mtime_nsec()),
        changed: (of.ctime(), of.ctime_nsec()),
    }
}

/// Opens a directory, for its lock and what is known of it. The descriptor is closed when another program is started.
///
/// # Errors
/// It is none, or a symbolic link.
pub fn open_directory(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(File::from(open(path, flags, Mode::empty())?))
}

/// Makes a symbolic link at `at` that leads to `to`.
///
/// # Errors
/// As [`std::os::unix::fs::symlink`].
pub fn symbolic_link(to: impl AsRef<Path>, at: impl AsRef<Path>) -> io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

/// Reads exactly as many bytes as `into` has, from `offset` on. The file's own position does not matter and may or may not change.
///
/// # Errors
/// They cannot be read, or the file ends before.
pub fn read_exact_at(file: &File, into: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(into, offset)
}

/// Writes all bytes at `offset`. The file's own position does not matter and may or may not change.
///
/// # Errors
/// They cannot be written, or not all.
pub fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}

/// The bytes of a name, as other programs are given them.
pub fn bytes_of(name: &OsStr) -> &[u8] {
    name.as_bytes()
}
