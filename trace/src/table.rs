//! Table records in segments.
//!
//! Payload: flags u32 (bit 0: the rest is one zstd frame; bit 1: the record is one of sites, in the form that `sites` describes; bit 2: the
//! frame is one with the dictionary of class files; bit 3: the record is one of class files), size of the rest before compression u32. If bit 1
//! is not set the rest is the size of the JSON text u32, the record as JSON, and, for a class, the bytes of its class file. For class files, the
//! size of each u32 follows the JSON text, and then the bytes of all.

mod sites;

use std::borrow::Cow;
use std::sync::Arc;

use thiserror::Error;

use crate::model::{ClassFile, Record};
use crate::packing::{self, Dictionary};
use crate::varint::Reader;

const FLAG_ZSTD: u32 = 1;
const FLAG_SITES: u32 = 2;
const FLAG_CLASSES: u32 = 4;
const FLAG_FILES: u32 = 8;
const ZSTD_OF_CLASSES: u32 = FLAG_ZSTD | FLAG_CLASSES;
/// Below this a frame costs more than it saves.
const WORTH_COMPRESSING: usize = 256;
/// The same with the dictionary of class files, which has most of what a small record says.
const WORTH_OF_CLASSES: usize = 64;
/// A record that compresses better is stored as it is, so that a reader need not have more memory than this many times what it read.
const MAX_RATIO: usize = 32;

/// Why a record cannot be written.
#[derive(Debug, Error)]
pub enum RecordError {
    /// It has no JSON form.
    #[error("table record has no JSON form: {0}")]
    Json(#[from] serde_json::Error),
    /// It cannot be compressed.
    #[error("table record cannot be compressed: {0}")]
    Zstd(std::io::Error),
    /// It is larger than 4 GiB.
    #[error("table record of {0} bytes is too large")]
    Large(usize),
}

/// The payload of a table segment.
pub(crate) fn encode(record: &Record) -> Result<Vec<u8>, RecordError> {
    let size = |n: usize| u32::try_from(n).map_err(|_| RecordError::Large(n));
    let (form, rest, memory) = match record {
        // As JSON they would be most of what is written while classes load.
        Record::Sites(of) => {
            let (rest, memory) = sites::encode(of);
            (FLAG_SITES, rest, memory)
        }
        Record::ClassFiles(_) => {
            let rest = as_json(record)?;
            let memory = rest.len();
            (FLAG_FILES, rest, memory)
        }
        _ => {
            let rest = as_json(record)?;
            let memory = rest.len();
            (0, rest, memory)
        }
    };
    let full = size(rest.len())?;
    let (packing, dictionary, worth) = match record {
        Record::Class(_) | Record::ClassFiles(_) => {
            (ZSTD_OF_CLASSES, Dictionary::Classes, WORTH_OF_CLASSES)
        }
        _ => (FLAG_ZSTD, Dictionary::None, WORTH_COMPRESSING),
    };
    let (packing, rest) = if rest.len() < worth {
        (0, rest)
    } else {
        let packed = packing::compress(&rest, dictionary).map_err(RecordError::Zstd)?;
        if packed.len() * MAX_RATIO < memory {
            (0, rest)
        } else {
            (packing, packed)
        }
    };
    let flags = form | packing;
    let mut payload = Vec::with_capacity(rest.len() + 8);
    payload.extend(flags.to_le_bytes());
    payload.extend(full.to_le_bytes());
    payload.extend(rest);
    Ok(payload)
}

fn as_json(record: &Record) -> Result<Vec<u8>, RecordError> {
    let mut rest = vec![0; 4];
    serde_json::to_writer(&mut rest, record)?;
    let json = rest.len() - 4;
    let json = u32::try_from(json).map_err(|_| RecordError::Large(json))?;
    rest[..4].copy_from_slice(&json.to_le_bytes());
    match record {
        Record::Class(class) => rest.extend(&*class.bytes),
        Record::ClassFiles(kept) => {
            for file in &kept.files {
                let size = file.bytes.len();
                let size = u32::try_from(size).map_err(|_| RecordError::Large(size))?;
                rest.extend(size.to_le_bytes());
            }
            kept.files.iter().for_each(|file| rest.extend(&*file.bytes));
        }
        _ => {}
    }
    Ok(rest)
}

/// Has this payload class files? They are not read before somebody asks for them.
pub(crate) fn has_class_files(payload: &[u8]) -> bool {
    let flags = Reader::new(payload).u32();
    flags.is_some_and(|flags| flags & FLAG_FILES != 0)
}

/// The record of a table segment; `None` if the payload is no record.
pub(crate) fn decode(payload: &[u8]) -> Option<Record> {
    let mut reader = Reader::new(payload);
    let (flags, full) = (reader.u32()?, reader.u32()?);
    let unpack = |dictionary| {
        let full = usize::try_from(full).ok()?;
        if full > reader.rest().len().saturating_mul(MAX_RATIO) {
            return None;
        }
        packing::decompress(reader.rest(), full, dictionary).ok()
    };
    let rest = match flags & !(FLAG_SITES | FLAG_FILES) {
        0 => Cow::Borrowed(reader.rest()),
        FLAG_ZSTD => Cow::Owned(unpack(Dictionary::None)?),
        ZSTD_OF_CLASSES => Cow::Owned(unpack(Dictionary::Classes)?),
        _ => return None,
    };
    if rest.len() as u64 != u64::from(full) {
        return None;
    }
    match flags & FLAG_SITES {
        0 => from_json(&rest),
        _ => sites::decode(&rest, payload.len() * MAX_RATIO).map(Record::Sites),
    }
}

fn from_json(rest: &[u8]) -> Option<Record> {
    let mut reader = Reader::new(rest);
    let json = reader.u32()?;
    let json = reader.bytes(usize::try_from(json).ok()?)?;
    let mut record = serde_json::from_slice(json).ok()?;
    match &mut record {
        Record::Class(class) => class.bytes = Arc::from(reader.rest()),
        Record::ClassFiles(kept) => split(&mut kept.files, &mut reader)?,
        _ if !reader.rest().is_empty() => return None,
        _ => {}
    }
    Some(record)
}

/// Gives each file its bytes.
fn split(files: &mut [ClassFile], from: &mut Reader<'_>) -> Option<()> {
    let sizes: Option<Vec<u32>> = files.iter().map(|_| from.u32()).collect();
    for (file, size) in files.iter_mut().zip(sizes?) {
        file.bytes = Arc::from(from.bytes(usize::try_from(size).ok()?)?);
    }
    from.rest().is_empty().then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ClassFiles;

    fn kept(sizes: &[usize]) -> Record {
        let files = sizes.iter().enumerate();
        let files = files.map(|(n, &size)| ClassFile {
            name: format!("lib/C{n}"),
            bytes: (0..size).map(|at| (at * at + n) as u8).collect(),
        });
        Record::ClassFiles(ClassFiles {
            files: files.collect(),
            left_out: 3,
        })
    }

    #[test]
    fn class_files_come_back() {
        for sizes in [&[] as &[usize], &[0], &[5, 0, 1_000], &[70_000, 9]] {
            let record = kept(sizes);
            let payload = encode(&record).unwrap();
            assert!(has_class_files(&payload));
            assert_eq!(decode(&payload), Some(record));
        }
        let other = encode(&Record::Salt(1)).unwrap();
        assert!(!has_class_files(&other) && !has_class_files(&[8, 0]));
    }

    #[test]
    fn sizes_that_are_not_there_are_refused() {
        let payload = encode(&kept(&[5, 3])).unwrap();
        assert!(decode(&payload).is_some(), "not packed: it is short");
        let size = payload.len() - 5 - 3 - 8;
        for wrong in [4, 6, u8::MAX] {
            let mut payload = payload.clone();
            payload[size] = wrong;
            assert_eq!(decode(&payload), None);
        }
    }
}
