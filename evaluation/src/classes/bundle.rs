//! Files of classes that go to and from the Java side; the format is that of `evaluation/java/classes/Bundle.java`.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// One class file, and where it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Which group of classes it belongs to: a module, a directory of a jar.
    pub(crate) place: String,
    /// Internal name, or the path of an entry of a jar.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Reads a whole bundle.
pub(crate) fn read(path: &Path) -> Result<Vec<Entry>> {
    let what = || format!("bundle {}", path.display());
    let mut reader = BufReader::with_capacity(1 << 16, File::open(path).with_context(what)?);
    let mut entries = Vec::new();
    while let Some(place) = item(&mut reader).with_context(what)? {
        let name = item(&mut reader)?.with_context(what)?;
        let bytes = item(&mut reader)?.with_context(what)?;
        entries.push(Entry {
            place: String::from_utf8(place)?,
            name: String::from_utf8(name)?,
            bytes,
        });
    }
    Ok(entries)
}

fn item(reader: &mut impl Read) -> Result<Option<Vec<u8>>> {
    let mut len = [0; 4];
    if reader.read(&mut len[..1])? == 0 {
        return Ok(None);
    }
    reader.read_exact(&mut len[1..])?;
    let len = u32::from_be_bytes(len);
    let mut bytes = Vec::new();
    let got = reader.take(u64::from(len)).read_to_end(&mut bytes)?;
    ensure!(got == len as usize, "cut off");
    Ok(Some(bytes))
}

/// Writes a bundle, class by class.
pub(crate) struct Writer(BufWriter<File>);

impl Writer {
    pub(crate) fn new(path: &Path) -> Result<Writer> {
        let file = File::create(path).with_context(|| format!("bundle {}", path.display()))?;
        Ok(Writer(BufWriter::with_capacity(1 << 16, file)))
    }

    pub(crate) fn add(&mut self, place: &str, name: &str, bytes: &[u8]) -> Result<()> {
        for item in [place.as_bytes(), name.as_bytes(), bytes] {
            self.0
                .write_all(&u32::try_from(item.len())?.to_be_bytes())?;
            self.0.write_all(item)?;
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<()> {
        Ok(self.0.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let entries =
            [("", "a/B", &[1, 2][..]), ("é/", "C", &[])].map(|(place, name, bytes)| Entry {
                place: place.to_owned(),
                name: name.to_owned(),
                bytes: bytes.to_vec(),
            });
        let mut writer = Writer::new(file.path()).unwrap();
        for entry in &entries {
            writer.add(&entry.place, &entry.name, &entry.bytes).unwrap();
        }
        writer.finish().unwrap();
        assert_eq!(read(file.path()).unwrap(), entries);
        let bytes = std::fs::read(file.path()).unwrap();
        std::fs::write(file.path(), &bytes[..bytes.len() - 5]).unwrap();
        assert!(read(file.path()).is_err());
    }
}
