//! Packing: the same files give the same bytes, whoever packs them, when and where.

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::{Result, ensure};
use flate2::{Compression, GzBuilder};

use super::tree::Tree;

/// A compressed tar archive. Every path in it begins with `prefix`; everything belongs to root and is of the time `epoch`, in seconds of
/// Unix.
pub(super) fn tar_gz(tree: &Tree, prefix: &str, epoch: u64) -> Result<Vec<u8>> {
    let mut builder = tar::Builder::new(gz_writer());
    let mut directories = BTreeSet::new();
    for (path, file) in tree.files() {
        let path = format!("{prefix}{path}");
        for directory in parents(&path) {
            if directories.insert(directory.to_owned()) {
                let mut header = header(tar::EntryType::Directory, 0o755, 0, epoch)?;
                builder.append_data(&mut header, directory, &[][..])?;
            }
        }
        let size = file.bytes.len() as u64;
        let mut header = header(tar::EntryType::Regular, file.mode, size, epoch)?;
        builder.append_data(&mut header, &path, &file.bytes[..])?;
    }
    Ok(builder.into_inner()?.finish()?)
}

/// Compressed as `gzip -9n` does: without name and time.
pub(super) fn gz(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut writer = gz_writer();
    writer.write_all(bytes)?;
    Ok(writer.finish()?)
}

fn gz_writer() -> flate2::write::GzEncoder<Vec<u8>> {
    GzBuilder::new()
        .mtime(0)
        .write(Vec::new(), Compression::best())
}

/// Directories that a path goes through, outermost first, with the `/` behind them.
fn parents(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/')
        .map(|(at, _)| &path[..=at])
        .filter(|p| *p != "./")
}

fn header(kind: tar::EntryType, mode: u32, size: u64, epoch: u64) -> Result<tar::Header> {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_size(size);
    header.set_mtime(epoch);
    header.set_uid(0);
    header.set_gid(0);
    header.set_username("root")?;
    header.set_groupname("root")?;
    Ok(header)
}

/// An archive in the form of `ar`, as Debian packages are.
pub(super) fn ar(members: &[(&str, &[u8])], epoch: u64) -> Result<Vec<u8>> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        ensure!(name.len() <= 16, "{name} is too long a name for ar");
        let size = bytes.len();
        writeln!(
            archive,
            "{name:<16}{epoch:<12}{owner:<6}{owner:<6}{mode:<8}{size:<10}`",
            owner = 0,
            mode = "100644"
        )?;
        archive.extend_from_slice(bytes);
        if size % 2 == 1 {
            archive.push(b'\n');
        }
    }
    Ok(archive)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::super::tree::{DATA, PROGRAM};
    use super::*;

    fn sample(order: &[(&str, u32)]) -> Tree {
        let mut tree = Tree::default();
        for (path, mode) in order {
            tree.add(*path, *mode, path.as_bytes());
        }
        tree
    }

    #[test]
    fn the_same_files_give_the_same_bytes() {
        let long = format!("share/{}/file", "long".repeat(40));
        let files = [
            ("bin/jinsi", PROGRAM),
            ("lib/jinsi/libjinsi.so", DATA),
            (&long, DATA),
        ];
        let mut turned = files;
        turned.reverse();
        let packed = tar_gz(&sample(&files), "jinsi-1/", 1_700_000_000).unwrap();
        assert_eq!(
            packed,
            tar_gz(&sample(&turned), "jinsi-1/", 1_700_000_000).unwrap()
        );
        assert_ne!(
            packed,
            tar_gz(&sample(&files), "jinsi-1/", 1_700_000_001).unwrap()
        );
        assert_eq!(gz(b"text").unwrap(), gz(b"text").unwrap());
    }

    #[test]
    fn directories_come_once_and_before_their_files() {
        let tree = sample(&[("b/c/d", PROGRAM), ("b/a", DATA)]);
        let packed = tar_gz(&tree, "./", 7).unwrap();
        let mut archive = tar::Archive::new(GzDecoder::new(&packed[..]));
        let mut seen = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let header = entry.header();
            assert_eq!((header.uid().unwrap(), header.mtime().unwrap()), (0, 7));
            let mode = header.mode().unwrap();
            let path = entry.path().unwrap().display().to_string();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            seen.push(format!("{path} {mode:o} {text}"));
        }
        assert_eq!(
            seen,
            ["b/ 755 ", "b/a 644 b/a", "b/c/ 755 ", "b/c/d 755 b/c/d"]
        );
    }

    #[test]
    fn members_of_ar_begin_at_even_places() {
        let packed = ar(&[("debian-binary", b"2.0"), ("x", b"ab")], 5).unwrap();
        let text = String::from_utf8(packed).unwrap();
        let expected = "!<arch>\n\
            debian-binary   5           0     0     100644  3         `\n2.0\n\
            x               5           0     0     100644  2         `\nab";
        assert_eq!(text, expected);
        assert!(ar(&[("a name of seventeen", b"")], 5).is_err());
    }
}
