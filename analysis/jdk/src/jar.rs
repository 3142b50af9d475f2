//! Jars of class files: what a JVM needs of a ZIP archive (APPNOTE.TXT of PKWARE, 4.3), written with nothing packed; and the names of the files in a
//! jar.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Signatures of the parts.
const FILE: u32 = 0x0403_4b50;
const ENTRY: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
/// Version of the format that is needed to read it.
const VERSION: u16 = 10;
/// Names are UTF-8.
const UTF_8: u16 = 1 << 11;
/// Midnight of 1 January 1980, the first day there is: the time of files says nothing here.
const FIRST_DAY: u16 = 1 << 5 | 1;

/// Sizes of the end and of an entry of the directory, without names and comments.
const END_SIZE: usize = 22;
const ENTRY_SIZE: usize = 46;
/// The longest comment behind the end.
const COMMENT: usize = u16::MAX as usize;
/// The largest directory that is read: that of some 500,000 files.
const DIRECTORY: u32 = 64 << 20;

/// The names of the files in a jar. Only its directory is read.
///
/// # Errors
/// It cannot be read, or is no jar of less than 4 GiB.
pub fn names(jar: &Path) -> io::Result<BTreeSet<String>> {
    let mut file = File::open(jar)?;
    let size = file.metadata()?.len();
    let tail = size.min((END_SIZE + COMMENT) as u64);
    let end = read(&mut file, size - tail, tail)?;
    let is_end = |at: &usize| end[*at..].starts_with(&END.to_le_bytes());
    let at = (0..(end.len() + 1).saturating_sub(END_SIZE))
        .rev()
        .find(is_end);
    let at = at.ok_or_else(no_jar)?;
    let (size, from) = (u32_at(&end, at + 12)?, u32_at(&end, at + 16)?);
    if size > DIRECTORY {
        return Err(no_jar());
    }
    listed(&read(&mut file, from.into(), size.into())?)
}

fn read(file: &mut File, from: u64, size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(from))?;
    file.take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The names in the directory of a jar.
fn listed(mut directory: &[u8]) -> io::Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    while !directory.is_empty() {
        if u32_at(directory, 0)? != ENTRY {
            return Err(no_jar());
        }
        // Name, extra field and comment stand behind each other.
        let [name, extra, comment] = [28, 30, 32].map(|at| u16_at(directory, at));
        let (name, more) = (name?, extra? + comment?);
        let behind = directory.get(ENTRY_SIZE..).ok_or_else(no_jar)?;
        let text = behind.get(..name).ok_or_else(no_jar)?;
        names.insert(String::from_utf8_lossy(text).into_owned());
        directory = behind.get(name + more..).ok_or_else(no_jar)?;
    }
    Ok(names)
}

fn u16_at(bytes: &[u8], at: usize) -> io::Result<usize> {
    let found = bytes.get(at..at + 2).and_then(|b| b.try_into().ok());
    Ok(u16::from_le_bytes(found.ok_or_else(no_jar)?).into())
}

fn u32_at(bytes: &[u8], at: usize) -> io::Result<u32> {
    let found = bytes.get(at..at + 4).and_then(|b| b.try_into().ok());
    Ok(u32::from_le_bytes(found.ok_or_else(no_jar)?))
}

fn no_jar() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "no jar")
}

/// Writes a jar, an entry at a time.
#[derive(Debug)]
pub struct JarWriter<W> {
    to: W,
    at: u32,
    entries: u16,
    directory: Vec<u8>,
}

impl<W: Write> JarWriter<W> {
    /// A jar without entries.
    pub fn new(to: W) -> Self {
        Self {
            to,
            at: 0,
            entries: 0,
            directory: Vec::new(),
        }
    }

    /// Adds a file.
    ///
    /// # Errors
    /// It cannot be written, or there are more than 65,535 or 4 GiB of them.
    pub fn file(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let size = u32::try_from(bytes.len()).map_err(|_| full())?;
        let name_size = u16::try_from(name.len()).map_err(|_| full())?;
        let mut shared = Vec::new();
        for number in [VERSION, UTF_8, 0, 0, FIRST_DAY] {
            shared.extend(number.to_le_bytes());
        }
        for number in [crc32fast::hash(bytes), size, size] {
            shared.extend(number.to_le_bytes());
        }
        shared.extend(name_size.to_le_bytes());
        let mut head = FILE.to_le_bytes().to_vec();
        head.extend(&shared);
        head.extend([0; 2]);
        head.extend(name.as_bytes());
        self.to.write_all(&head)?;
        self.to.write_all(bytes)?;
        let mut entry = ENTRY.to_le_bytes().to_vec();
        entry.extend(VERSION.to_le_bytes());
        entry.extend(&shared);
        // No extra field, no comment, first disk, no attributes.
        entry.extend([0; 12]);
        entry.extend(self.at.to_le_bytes());
        entry.extend(name.as_bytes());
        self.directory.extend(entry);
        let written = u32::try_from(head.len()).ok();
        let end = written.and_then(|n| self.at.checked_add(n)?.checked_add(size));
        self.at = end.ok_or_else(full)?;
        self.entries = self.entries.checked_add(1).ok_or_else(full)?;
        Ok(())
    }

    /// Writes the directory; the writer below comes back.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        let size = u32::try_from(self.directory.len()).map_err(|_| full())?;
        let mut end = END.to_le_bytes().to_vec();
        end.extend([0; 4]);
        for _ in 0..2 {
            end.extend(self.entries.to_le_bytes());
        }
        end.extend(size.to_le_bytes());
        end.extend(self.at.to_le_bytes());
        end.extend([0; 2]);
        self.to.write_all(&self.directory)?;
        self.to.write_all(&end)?;
        self.to.flush()?;
        Ok(self.to)
    }
}

fn full() -> io::Error {
    io::Error::other("too much for a jar")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    use super::*;
    use crate::compile::javac;
    use crate::jdk::Jdk;

    fn jar(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut jar = JarWriter::new(Vec::new());
        for (name, bytes) in files {
            jar.file(name, bytes).unwrap();
        }
        jar.finish().unwrap()
    }

    fn write(path: &Path, text: &str) {
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_jvm_runs_what_is_in_a_jar() {
        let jdk = Jdk::find(None).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        write(
            &at("Lib.java"),
            "package p; class Lib { static String hi = \"hé\"; }",
        );
        write(
            &at("Main.java"),
            "package p; class Main { public static void main(String[] a) throws Exception { System.out.print(Lib.hi.length());
             System.out.print(Main.class.getResourceAsStream(\"/ü/none\").readAllBytes().length); } }",
        );
        javac(&jdk, &[at("Lib.java"), at("Main.java")], &[], &at("out")).unwrap();
        let [lib, main] =
            ["Lib", "Main"].map(|c| fs::read(at(&format!("out/p/{c}.class"))).unwrap());
        let files: [(&str, &[u8]); 3] = [
            ("p/Lib.class", &lib),
            ("ü/none", b""),
            ("p/Main.class", &main),
        ];
        fs::write(at("all.jar"), jar(&files)).unwrap();
        let ran = Command::new(jdk.java())
            .arg("-cp")
            .arg(at("all.jar"))
            .arg("p.Main")
            .output();
        assert_eq!(ran.unwrap().stdout, b"20");
    }

    #[test]
    fn names_are_those_that_were_written() {
        let directory = tempfile::tempdir().unwrap();
        let at = directory.path().join("a.jar");
        let whole = jar(&[("p/A.class", b"1"), ("ü/none", b""), ("p/B.class", b"PK")]);
        let read = |bytes: &[u8]| {
            fs::write(&at, bytes).unwrap();
            names(&at)
        };
        let expected = ["p/A.class", "p/B.class", "ü/none"].map(String::from);
        assert_eq!(read(&whole).unwrap(), expected.clone().into());
        let comment = [whole.as_slice(), b"a comment"].concat();
        assert_eq!(read(&comment).unwrap(), expected.into());
        assert_eq!(read(&jar(&[])).unwrap(), BTreeSet::new());
        // Whatever is damaged, there is an answer.
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x5a;
            let _ = read(&damaged);
            assert!(read(&whole[..at]).is_err(), "{at}");
        }
        assert!(names(&directory.path().join("none.jar")).is_err());
    }

    #[test]
    fn an_empty_jar_is_its_end() {
        let empty = jar(&[]);
        assert_eq!(empty.len(), 22);
        assert_eq!(empty[..4], *b"PK\x05\x06");
    }
}
