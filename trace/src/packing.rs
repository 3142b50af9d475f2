//! zstd frames, with contexts that are used again. Making one asks the processor what it can do, which takes tens of microseconds in a
//! virtual machine: longer than most frames.

use std::io;

use parking_lot::Mutex;
use zstd::bulk::{Compressor, Decompressor};

/// Contexts that are kept.
const KEPT: usize = 4;
/// Level of records.
const LEVEL: i32 = 1;
/// What class files have in common: names and descriptors of the JDK, attributes, instructions. Made by `cargo xtask train-dictionary`
/// from classes of this repository; with other bytes, traces have another version.
const CLASSES: &[u8] = include_bytes!("classes.dict");

/// What a frame may refer to besides what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dictionary {
    /// Nothing.
    None,
    /// Pieces of class files. The files of real libraries become a tenth to a seventh smaller by it, and are packed in three quarters
    /// of the time; records of sites do not, because each text is in them once.
    Classes,
}

/// Contexts of frames with one dictionary.
struct Contexts {
    dictionary: &'static [u8],
    compressors: Mutex<Vec<Compressor<'static>>>,
    decompressors: Mutex<Vec<Decompressor<'static>>>,
}

static WITHOUT: Contexts = Contexts::of(&[]);
static OF_CLASSES: Contexts = Contexts::of(CLASSES);

impl Contexts {
    const fn of(dictionary: &'static [u8]) -> Contexts {
        Contexts {
            dictionary,
            compressors: Mutex::new(Vec::new()),
            decompressors: Mutex::new(Vec::new()),
        }
    }

    fn with(dictionary: Dictionary) -> &'static Contexts {
        match dictionary {
            Dictionary::None => &WITHOUT,
            Dictionary::Classes => &OF_CLASSES,
        }
    }
}

/// Takes one out of `kept`, or makes one, and puts it back.
fn borrow<C, T>(
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
pub(crate) fn compress(bytes: &[u8], dictionary: Dictionary) -> io::Result<Vec<u8>> {
    let contexts = Contexts::with(dictionary);
    borrow(
        &contexts.compressors,
        || Compressor::with_dictionary(LEVEL, contexts.dictionary),
        |c| c.compress(bytes),
    )
}

/// What a frame with this dictionary holds, an error if that is more than `most` bytes.
pub(crate) fn decompress(frame: &[u8], most: usize, dictionary: Dictionary) -> io::Result<Vec<u8>> {
    let contexts = Contexts::with(dictionary);
    borrow(
        &contexts.decompressors,
        || Decompressor::with_dictionary(contexts.dictionary),
        |d| d.decompress(frame, most),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment;

    #[test]
    fn another_dictionary_is_another_version_of_the_format() {
        assert_eq!(
            (segment::VERSION, crc32fast::hash(CLASSES)),
            (10, 0xd346474f)
        );
    }

    #[test]
    fn a_frame_is_read_with_its_own_dictionary_only() {
        let bytes =
            b"(Ljava/lang/String;)Ljava/lang/StringBuilder; LineNumberTable SourceFile".repeat(4);
        let [plain, short] =
            [Dictionary::None, Dictionary::Classes].map(|d| compress(&bytes, d).unwrap());
        assert!(short.len() < plain.len());
        assert_eq!(
            decompress(&plain, bytes.len(), Dictionary::None).unwrap(),
            bytes
        );
        assert_eq!(
            decompress(&short, bytes.len(), Dictionary::Classes).unwrap(),
            bytes
        );
        assert!(decompress(&short, bytes.len(), Dictionary::None).is_err());
    }
}
