//! Room on the disk: how much there is, taking it beforehand, and giving it back.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{FallocateFlags, StatVfs, fallocate, fstatvfs, statvfs};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{Resource, getrlimit};

/// Bytes in a block of [`Metadata`], whatever the file system's own blocks are.
const BLOCK: u64 = 512;

/// Bytes that this user can still write to the disk on which the directory is; `None` if nobody says.
pub fn free_at(directory: &Path) -> Option<u64> {
    statvfs(directory).ok().map(|disk| free(&disk))
}

/// How many bytes a file of `len` bytes can grow by: what is free where it is, or what the process may still write into one file. 0 if
/// nobody says.
pub fn growth(file: &File, len: u64) -> u64 {
    let Ok(disk) = fstatvfs(file) else {
        return 0;
    };
    let limit = getrlimit(Resource::Fsize).current.unwrap_or(u64::MAX);
    free(&disk).min(limit.saturating_sub(len))
}

fn free(disk: &StatVfs) -> u64 {
    disk.f_bavail.saturating_mul(disk.f_frsize)
}

/// Makes the file `len` bytes long and, where the file system can, reserves the range `from..len`, so that a store into its
/// mapping never fails for want of space. Where it cannot, the range is sparse, and a store into it on a full disk raises a fault (see
/// [`crate::faults`]).
///
/// # Errors
/// The space is not there.
pub fn reserve(file: &File, from: u64, len: u64) -> io::Result<()> {
    let size = len.saturating_sub(from);
    match retry_on_intr(|| fallocate(file, FallocateFlags::empty(), from, size)) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => file.set_len(len),
        done => Ok(done?),
    }
}

/// Gives the space of `from..to` back to the file system without changing the file's length; the bytes read as zero then, in mappings of
/// the file as well. Where the file system cannot, nothing happens.
pub fn give_back(file: &File, from: u64, to: u64) {
    let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    let _ = fallocate(file, flags, from, to.saturating_sub(from));
}

/// Bytes that a file takes on the disk, which are fewer than its length if there are holes in it.
pub fn taken(file: &Metadata) -> u64 {
    file.blocks() * BLOCK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_is_taken_and_given_back() {
        let file = tempfile::tempfile().unwrap();
        reserve(&file, 0, 1 << 20).unwrap();
        assert_eq!(file.metadata().unwrap().len(), 1 << 20);
        assert!(growth(&file, 1 << 20) > 0);
        let before = taken(&file.metadata().unwrap());
        give_back(&file, 0, 1 << 19);
        assert_eq!(file.metadata().unwrap().len(), 1 << 20);
        assert!(taken(&file.metadata().unwrap()) <= before);
        assert!(free_at(&std::env::temp_dir()).is_some());
        assert_eq!(free_at(Path::new("/no/such/place")), None);
    }
}
