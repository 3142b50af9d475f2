//! Memory that outlives whoever asked for it, and how much there is.
//!
//! What these functions map stays mapped for the rest of the process: threads of the recorded program keep addresses in it, and nobody can
//! ask them to forget these.

use std::fs::File;
use std::io;
use std::ptr;

use memmap2::MmapOptions;
use rustix::mm::{MapFlags, MremapFlags, ProtFlags, mmap_anonymous, mremap_fixed};

/// Size in bytes of the pages that [`replace_page`] replaces.
pub const PAGE: usize = 4096;

/// Bytes that a program may still take, what can be swapped out included; `None` if the system does not say. What a control group allows may be less.
pub fn available() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kib = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    Some((kib("MemAvailable:")? + kib("SwapFree:").unwrap_or(0)) << 10)
}

/// Maps `len` bytes of the file, from `offset` on, for reading and writing. Stores are in the file at once, for every reader and even if the
/// process is killed. Both numbers have to be multiples of [`PAGE`]. An access behind the end of the file raises a fault, about which
/// [`crate::faults::on_lost_page`] can do something.
///
/// # Errors
/// The file or the address space is not to be had.
pub fn map_shared(file: &File, offset: u64, len: usize) -> io::Result<*mut u8> {
    let map = MmapOptions::new().offset(offset).len(len).map_raw(file)?;
    let base = map.as_mut_ptr();
    std::mem::forget(map);
    Ok(base)
}

/// Reserves `len` bytes of address space that read as zeros. Memory is taken only for pages that are written.
///
/// # Errors
/// The address space is not to be had.
pub fn reserve_zeros(len: usize) -> io::Result<*mut u8> {
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    // SAFETY: a new mapping at an address of the kernel's choice touches no memory that is in use.
    let base = unsafe { mmap_anonymous(ptr::null_mut(), len, readable_and_writable(), flags) }?;
    Ok(base.cast())
}

/// Puts a fresh page of memory in the place of the page at `address`, in one step: a thread that looks at it meanwhile sees the old page, or the
/// fresh one as `prepare` left it. `prepare` gets the address of the fresh page, which is zeros. False if there is no memory.
///
/// May be called in a signal handler: takes no lock, allocates nothing but the page, and leaves `errno` alone.
///
/// # Safety
/// `address` is a multiple of [`PAGE`], and lies in a mapping that [`map_shared`] made. `prepare` stores into the page only and does what a signal
/// handler may.
pub unsafe fn replace_page(address: usize, prepare: impl FnOnce(*mut u8)) -> bool {
    // SAFETY: a new mapping at an address of the kernel's choice touches no memory that is in use.
    let fresh = unsafe {
        mmap_anonymous(
            ptr::null_mut(),
            PAGE,
            readable_and_writable(),
            MapFlags::PRIVATE,
        )
    };
    let Ok(fresh) = fresh else {
        return false;
    };
    prepare(fresh.cast());
    let to = ptr::without_provenance_mut(address);
    // SAFETY: the fresh page is this call's alone. It moves to a page that belongs, as the caller promises, to a mapping of ours.
    let moved = unsafe { mremap_fixed(fresh, PAGE, PAGE, MremapFlags::MAYMOVE, to) };
    moved.is_ok()
}

fn readable_and_writable() -> ProtFlags {
    ProtFlags::READ | ProtFlags::WRITE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_are_in_the_file_and_a_page_can_be_replaced() {
        let file = tempfile::tempfile().unwrap();
        file.set_len(3 * PAGE as u64).unwrap();
        let base = map_shared(&file, PAGE as u64, 2 * PAGE).unwrap();
        // SAFETY: both addresses lie in the mapping, which is this test's alone.
        unsafe {
            base.write(7);
            base.add(PAGE).write(8);
        }
        let mut byte = [0];
        crate::files::read_exact_at(&file, &mut byte, PAGE as u64).unwrap();
        assert_eq!(byte, [7]);
        file.set_len(PAGE as u64).unwrap();
        // SAFETY: a page of the mapping; the page given to the closure is writable.
        assert!(unsafe { replace_page(base.addr() + PAGE, |page| page.write(9)) });
        // SAFETY: the page is memory now.
        assert_eq!(unsafe { base.add(PAGE).read() }, 9);
    }

    #[test]
    fn reserved_memory_is_zeros() {
        let base = reserve_zeros(1 << 36).unwrap();
        // SAFETY: the address lies in the mapping, which is this test's alone.
        unsafe {
            let last = base.add((1 << 36) - 1);
            assert_eq!(last.read(), 0);
            last.write(1);
            assert_eq!(last.read(), 1);
        }
    }
}
