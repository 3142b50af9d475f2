//! Taking the staging zones out of a finished trace.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use jinsi_platform::files::{owners_only, write_all_at};
use jinsi_platform::space::give_back;

use super::append::{Appender, PlacedZone};
use super::lost::PAGE;
use crate::segment::{FILE_HEADER_BYTES, FLAG_CLEAN, FLAGS_OFFSET, file_header};

/// Marks the trace as closed, if it is `clean`. Up to `rewrite_limit` bytes, its segments are copied into a new file without zones, which
/// then takes the trace's name: the old file stays as long as threads of this process have it mapped, so their stores go on
/// hitting memory. If that fails (a full disk, a directory that cannot be written), or would take long, the zones stay. In either file their
/// space is given back: all but the first page of each buffer that is mapped, because a thread that is still storing must find its cursor.
pub(super) fn close(
    appender: &Appender,
    path: &Path,
    rewrite_limit: u64,
    clean: bool,
) -> io::Result<()> {
    let rewritten = appender.written() <= rewrite_limit && rewrite(appender, path, clean).is_ok();
    for PlacedZone { zone, mapped, .. } in &appender.zones {
        let kept = if *mapped { PAGE as u64 } else { 0 };
        for buffer in (0..zone.count).map(|place| zone.first + place * zone.buffer_bytes) {
            give_back(&appender.file, buffer + kept, buffer + zone.buffer_bytes);
        }
    }
    if rewritten {
        return Ok(());
    }
    if clean {
        mark_clean(&appender.file)
    } else {
        Ok(())
    }
}

fn mark_clean(file: &File) -> io::Result<()> {
    write_all_at(file, &FLAG_CLEAN.to_le_bytes(), FLAGS_OFFSET)
}

/// Name of the new file while it is written.
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".closing");
    name.into()
}

fn rewrite(appender: &Appender, path: &Path, clean: bool) -> io::Result<()> {
    let temporary = temporary(path);
    let done = copy(appender, &temporary, clean).and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    done
}

fn copy(appender: &Appender, to: &Path, clean: bool) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    let mut out = owners_only(&mut options).open(to)?;
    out.write_all(&file_header(false))?;
    let zones = appender
        .zones
        .iter()
        .map(|zone| (zone.range.clone(), Vec::new()));
    let mut replaced: Vec<(Range<u64>, Vec<u8>)> = zones.chain(appender.dropped()).collect();
    replaced.sort_by_key(|(range, _)| range.start);
    let mut from = FILE_HEADER_BYTES;
    let end = (appender.tail..appender.tail, Vec::new());
    for (range, instead) in replaced.iter().chain([&end]) {
        // All other access to this file is positioned, so its own position is free.
        (&*appender.file).seek(SeekFrom::Start(from))?;
        let len = range.start - from;
        if io::copy(&mut (&*appender.file).take(len), &mut out)? != len {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        out.write_all(instead)?;
        from = range.end;
    }
    if clean { mark_clean(&out) } else { Ok(()) }
}
