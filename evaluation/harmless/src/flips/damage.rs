//! Turns a bit of a trace, and back.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use jinsi_ground::numbers::Numbers;
use jinsi_platform::files::write_all_at;

/// Sizes of the headers of file and segments, see `trace/src/segment.rs`.
const FILE_HEADER: usize = 64;
const SEGMENT_HEADER: usize = 40;
/// Where in a segment's header its kind, the size of its payload and its checksums are.
const KIND: usize = 4;
const LENGTH: usize = 8;
const CHECKSUM: usize = 24;
const HEADER_CHECKSUM: usize = 28;
const COMMITTED: usize = 32;
const PAGE: usize = 4096;
/// One in so many bits is anywhere; the others are where there is something else than zeros.
const ANYWHERE: usize = 16;
/// Of one in so many the end is missing, too.
const CUT: usize = 10;

/// A trace that is damaged again and again.
pub(super) struct Subject {
    path: PathBuf,
    file: File,
    whole: Vec<u8>,
    /// Pages with something else than zeros.
    pages: Vec<usize>,
    /// Where segments begin, and the size of their payloads.
    segments: Vec<(usize, usize)>,
}

/// What was done to it.
#[derive(Debug)]
pub(super) struct Harm {
    bit: usize,
    /// The checksums fit.
    pub(super) sealed: bool,
    /// How much is left.
    pub(super) cut: Option<u64>,
    /// The segment whose header was written.
    segment: Option<usize>,
}

impl fmt::Display for Harm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (byte, bit) = (self.bit / 8, self.bit % 8);
        write!(f, "bit {bit} of byte {byte}")?;
        if self.sealed {
            write!(f, ", checksums made right")?;
        }
        self.cut.map_or(Ok(()), |len| write!(f, ", cut to {len}"))
    }
}

impl Subject {
    pub(super) fn of(path: &Path) -> Result<Subject> {
        let whole = fs::read(path)?;
        let pages = (0..whole.len().div_ceil(PAGE)).filter(|page| {
            let end = whole.len().min((page + 1) * PAGE);
            whole[page * PAGE..end].iter().any(|&byte| byte != 0)
        });
        let pages: Vec<usize> = pages.collect();
        let segments = segments(&whole);
        ensure!(!segments.is_empty(), "{} has no segment", path.display());
        Ok(Subject {
            path: path.to_owned(),
            file: OpenOptions::new().write(true).open(path)?,
            pages,
            segments,
            whole,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn len(&self) -> u64 {
        self.whole.len() as u64
    }

    /// Turns one bit, always the same for one number; nothing else is done.
    pub(super) fn turn(&mut self, number: u64) -> Result<Harm> {
        Ok(Harm {
            bit: self.turn_bit(&mut Numbers::new(number))?,
            sealed: false,
            cut: None,
            segment: None,
        })
    }

    /// Is what was harmed a part of the header of the file, or of the header or the used length of a segment?
    pub(super) fn is_used(&self, harm: &Harm) -> bool {
        let byte = harm.bit / 8;
        let used =
            |(start, len): &(usize, usize)| (*start..start + SEGMENT_HEADER + len).contains(&byte);
        byte < FILE_HEADER || self.segments.iter().any(used)
    }

    fn turn_bit(&mut self, random: &mut Numbers) -> Result<usize> {
        let byte = if random.below(ANYWHERE) == 0 {
            random.below(self.whole.len())
        } else {
            let begin = self.pages[random.below(self.pages.len())] * PAGE;
            begin + random.below(PAGE.min(self.whole.len() - begin))
        };
        let bit = byte * 8 + random.below(8);
        self.whole[byte] ^= 1 << (bit % 8);
        write_all_at(&self.file, &self.whole[byte..=byte], byte as u64)?;
        Ok(bit)
    }

    /// Turns one bit, always the same for one number; and for some numbers more.
    pub(super) fn harm(&mut self, number: u64) -> Result<Harm> {
        let mut random = Numbers::new(number);
        let bit = self.turn_bit(&mut random)?;
        let byte = bit / 8;
        let behind = self.segments.partition_point(|(start, _)| *start <= byte);
        let segment = behind.checked_sub(1);
        let sealed = random.below(2) == 0 && segment.is_some();
        if let (true, Some(segment)) = (sealed, segment) {
            self.write_header(segment, true)?;
        }
        let cut = random.below(CUT) == 0;
        let cut = cut.then(|| random.below(self.whole.len()) as u64);
        if let Some(len) = cut {
            self.file.set_len(len)?;
        }
        Ok(Harm {
            bit,
            sealed,
            cut,
            segment: segment.filter(|_| sealed),
        })
    }

    /// Undoes it.
    pub(super) fn repair(&mut self, harm: &Harm) -> Result<()> {
        let byte = harm.bit / 8;
        self.whole[byte] ^= 1 << (harm.bit % 8);
        if let Some(len) = harm.cut {
            self.file.set_len(self.len())?;
            for page in self.pages.iter().map(|page| page * PAGE) {
                let end = (page + PAGE).min(self.whole.len());
                if end as u64 > len {
                    write_all_at(&self.file, &self.whole[page..end], page as u64)?;
                }
            }
        }
        write_all_at(&self.file, &self.whole[byte..=byte], byte as u64)?;
        if let Some(segment) = harm.segment {
            self.write_header(segment, false)?;
        }
        Ok(())
    }

    /// Writes the header of a segment, with checksums that fit what is there or as it is.
    fn write_header(&self, segment: usize, sealed: bool) -> Result<()> {
        let (start, len) = self.segments[segment];
        let payload = start + SEGMENT_HEADER;
        let mut header = self.whole[start..payload].to_vec();
        if sealed {
            let checked = match self.whole[start + KIND] {
                // Of a zone and of a dropped chunk only the front is checked.
                3 => len.min(24),
                4 => len.min(40),
                _ => len,
            };
            let sum = crc32fast::hash(&self.whole[payload..payload + checked]);
            header[CHECKSUM..HEADER_CHECKSUM].copy_from_slice(&sum.to_le_bytes());
            let sum = crc32fast::hash(&header[..HEADER_CHECKSUM]);
            header[HEADER_CHECKSUM..COMMITTED].copy_from_slice(&sum.to_le_bytes());
        }
        Ok(write_all_at(&self.file, &header, start as u64)?)
    }
}

fn segments(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = FILE_HEADER;
    while let Some(length) = bytes.get(at + LENGTH..at + LENGTH + 8) {
        let length = length.try_into().map_or(0, u64::from_le_bytes) as usize;
        let end = at.saturating_add(SEGMENT_HEADER).saturating_add(length);
        if end > bytes.len() {
            break;
        }
        found.push((at, length));
        at = end.next_multiple_of(8);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_harmed_is_repaired() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.jinsi");
        jinsi_trace::synthetic::TraceBuilder::new(&path)
            .kill()
            .unwrap();
        let whole = fs::read(&path).unwrap();
        let mut subject = Subject::of(&path).unwrap();
        assert!(subject.segments.len() > 1, "{:?}", subject.segments);
        let (mut sealed, mut cut) = (0, 0);
        for number in 0..40 {
            let harm = subject.harm(number).unwrap();
            assert!(fs::read(&path).unwrap() != whole, "{harm}");
            subject.repair(&harm).unwrap();
            assert!(fs::read(&path).unwrap() == whole, "{harm}");
            sealed += u32::from(harm.sealed);
            cut += u32::from(harm.cut.is_some());
        }
        assert!(sealed > 5 && cut > 0, "{sealed} {cut}");
    }
}
