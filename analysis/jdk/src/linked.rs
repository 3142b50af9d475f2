//! Where a launcher finds the C library: what its ELF file says of it. On most systems that is `/lib`; a JDK that brought its own C library, or
//! was pointed at one, has it somewhere else.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use object::elf::{DT_RPATH, DT_RUNPATH, FileHeader64, PT_INTERP};
use object::read::elf::{Dyn, FileHeader, ProgramHeader};
use object::{Endianness, StringTable};

/// Largest launcher that is looked into, in bytes.
const LARGEST: u64 = 64 << 20;

/// Absolute directories from which a program takes its loader and its libraries, as the file itself names them. None if it is no 64-bit ELF
/// file; what is relative to the program is left out.
pub(crate) fn directories(program: &Path) -> Vec<PathBuf> {
    let small = |size: &u64| *size <= LARGEST;
    let Some(_) = fs::metadata(program).ok().map(|m| m.len()).filter(small) else {
        return Vec::new();
    };
    let bytes = fs::read(program).unwrap_or_default();
    let mut found: Vec<_> = named(&bytes).unwrap_or_default();
    found.retain(|path| path.is_absolute() && path.parent().is_some() && path.is_dir());
    found.sort();
    found.dedup();
    found
}

fn named(bytes: &[u8]) -> Option<Vec<PathBuf>> {
    let header = FileHeader64::<Endianness>::parse(bytes).ok()?;
    let endian = header.endian().ok()?;
    let segments = header.program_headers(endian, bytes).ok()?;
    let mut found = Vec::new();
    for segment in segments {
        if segment.p_type(endian) == PT_INTERP {
            let loader = segment.data(endian, bytes).ok()?;
            let loader = loader.split(|&byte| byte == 0).next()?;
            found.extend(path(loader).parent().map(Path::to_owned));
        }
    }
    let sections = header.sections(endian, bytes).ok()?;
    if let Some((entries, link)) = sections.dynamic(endian, bytes).ok()? {
        let texts: StringTable<'_> = sections.strings(endian, bytes, link).ok()?;
        for entry in entries {
            if [DT_RPATH, DT_RUNPATH].contains(&entry.tag32(endian).unwrap_or(0)) {
                let text = entry.string(endian, texts).ok()?;
                found.extend(text.split(|&byte| byte == b':').map(path));
            }
        }
    }
    Some(found)
}

fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_names_the_place_of_its_loader() {
        let this = std::env::current_exe().unwrap();
        let places = directories(&this);
        assert!(!places.is_empty());
        let has_loader = |directory: &PathBuf| {
            let mut entries = fs::read_dir(directory).unwrap().flatten();
            entries.any(|e| e.file_name().to_string_lossy().contains("ld-"))
        };
        assert!(places.iter().any(has_loader), "{places:?}");
    }

    #[test]
    fn what_is_no_program_names_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let script = directory.path().join("java");
        fs::write(&script, "#!/bin/sh\n").unwrap();
        assert!(directories(&script).is_empty());
        let this = fs::read(std::env::current_exe().unwrap()).unwrap();
        for len in [4, 40, 64, 100, 1000] {
            fs::write(&script, &this[..len]).unwrap();
            assert!(directories(&script).is_empty(), "{len} bytes");
        }
        assert!(directories(directory.path()).is_empty());
    }
}
