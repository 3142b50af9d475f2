//! zstd frames, with contexts that are used again. Making one asks the processor what it can do, which takes tens of microseconds in a
//! virtual machine: longer than most frames.

use std::io;

use parking_lot::Mutex;
use zstd::bulk::{Compressor, Decompressor};

/// Contexts that are kept.
const KEPT: usize = 4;
/// Level of records.
const LEVEL: i32 = 1;

static COMPRESSORS: Mutex<Vec<Compressor<'static>>> = Mutex::new(Vec::new());
static DECOMPRESSORS: Mutex<Vec<Decompressor<'static>>> = Mutex::new(Vec::new());

/// Takes one out of `kept`, or makes one, and puts it back.
fn with<C, T>(
    kept: &Mutex<Vec<C>>,
    make: impl FnOnce() -> io::Result<C>,
    work: impl FnOnce(&mut C) -> io::Result<T>,
) -> io::Result<T> {
    let found = kept.lock().pop();
    let mut context = found.map_or_else(make, Ok)?;
    let done = work(&mut context);
    let mut kept = kept.lock();
    if kept.len() < KEPT {
        kept.push(context);
    }
    done
}

/// One frame that holds `bytes`, made quickly.
pub(crate) fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    with(
        &COMPRESSORS,
        || Compressor::new(LEVEL),
        |c| c.compress(bytes),
    )
}

/// What a frame holds, an error if that is more than `most` bytes.
pub(crate) fn decompress(frame: &[u8], most: usize) -> io::Result<Vec<u8>> {
    with(&DECOMPRESSORS, Decompressor::new, |d| {
        d.decompress(frame, most)
    })
}
