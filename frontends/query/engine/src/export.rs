//! Runs as Parquet files: `DIR/version=V/test=T/outcome=O/run=R/calls.parquet` and so on.
//!
//! A run is written beside, and shows in the directory by one renaming: whole, or not at all. Nothing that is there is ever changed.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::error::ArrowError;
use jinsi_files::private;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use crate::error::QueryError;
use crate::pass;
use crate::rows::Rows;
use crate::run::Run;
use crate::schema::Table;
use crate::tables::runs::outcome;
use crate::telling::tell;
use crate::wanted::Wanted;

/// How the name of a run begins that is not there yet.
const UNDONE: &str = ".undone-";
/// What stands in a path for what is not known.
const UNKNOWN: &str = "unknown";

/// Rows of a group, which a query passes over if no number in it is wanted. Smaller ones leave out more, and take more room.
const GROUP: usize = 1 << 17;

/// Batches of a table that may wait to be written.
const WAITING: usize = 4;

/// What came of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// It is in this directory.
    Written(PathBuf),
    /// It was there before.
    Known(PathBuf),
}

/// Writes a run below a directory.
///
/// # Errors
/// It cannot be read or written; nothing of it is left then.
pub fn export(run: &Run, directory: &Path) -> Result<Done, QueryError> {
    let place = place(run, directory);
    if place.exists() {
        return Ok(Done::Known(place));
    }
    let parent = place.parent().unwrap_or(directory);
    private::create_dir_all(parent).map_err(|e| QueryError::io(parent, e))?;
    let undone = tempfile::Builder::new()
        .prefix(UNDONE)
        .tempdir_in(directory);
    let undone = undone.map_err(|e| QueryError::io(directory, e))?;
    let (reported, others): (Vec<Table>, Vec<Table>) = Table::ALL
        .into_iter()
        .partition(|table| pass::tells(*table));
    write(&reported, undone.path(), |rows| pass::tell(run, rows))?;
    for table in others {
        if run.has(table).is_ok() {
            write(&[table], undone.path(), |rows| {
                rows.iter_mut().try_for_each(|rows| tell(run, table, rows))
            })?;
        }
    }
    match std::fs::rename(undone.path(), &place) {
        Ok(()) => {
            // Its name is another now: there is nothing to remove.
            let _ = undone.keep();
            Ok(Done::Written(place))
        }
        // Somebody else has exported the same run meanwhile.
        Err(_) if place.exists() => Ok(Done::Known(place)),
        Err(e) => Err(QueryError::io(place, e)),
    }
}

/// Name of a table's file.
pub(crate) fn file(table: Table) -> String {
    format!("{}.parquet", table.name())
}

/// Where a run is.
fn place(run: &Run, directory: &Path) -> PathBuf {
    let part =
        |name: &str, value: Option<&str>| format!("{name}={}", escaped(value.unwrap_or(UNKNOWN)));
    let test = test(run);
    directory
        .join(part("version", run.label.version.as_deref()))
        .join(part("test", test.as_deref()))
        .join(part("outcome", Some(outcome(run))))
        .join(part("run", Some(&run.name)))
}

/// The test that failed, or what the run was said to be of.
fn test(run: &Run) -> Option<String> {
    let named = run.label.test.clone();
    named.or_else(|| {
        let failure = jinsi_history::failures::pick(run.trace.failures())?;
        Some(run.trace.test_of(failure)?.full_name())
    })
}

/// A value as other engines have it in a path: what a name may not have, as percent signs and digits.
pub(crate) fn escaped(value: &str) -> String {
    let mut out = String::new();
    for byte in value.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'(' | b')' | b'@' => {
                out.push(byte.into());
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    match out.as_str() {
        "" => UNKNOWN.to_owned(),
        "." | ".." => out.replace('.', "%2E"),
        _ => out,
    }
}

/// The value of a part of a path.
pub(crate) fn unescaped(part: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = part.as_bytes();
    while let [first, behind @ ..] = rest {
        let digits = behind
            .get(..2)
            .and_then(|two| std::str::from_utf8(two).ok());
        let byte = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        match (first, byte) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Columns that the path has, and the files have not.
pub(crate) const IN_PATH: [&str; 4] = ["version", "test", "outcome", "run"];

/// The columns of a table that its files have.
pub(crate) fn columns(table: Table) -> Vec<usize> {
    let all = table.columns().iter().enumerate();
    let in_file = all.filter(|(_, column)| !IN_PATH.contains(&column.name));
    in_file.map(|(at, _)| at).collect()
}

/// Writes the files of these tables, each by a thread of its own, while `tell` tells their rows.
fn write(
    tables: &[Table],
    directory: &Path,
    tell: impl FnOnce(&mut [Rows<'_>]) -> Result<(), QueryError>,
) -> Result<(), QueryError> {
    let wanted = Wanted::default();
    std::thread::scope(|scope| {
        let mut writers = Vec::new();
        let mut sinks = Vec::new();
        for &table in tables {
            let (to, batches) = sync_channel(WAITING);
            let path = directory.join(file(table));
            writers.push(scope.spawn(move || write_file(table, &path, batches)));
            sinks.push(move |batch| to.send(batch).is_ok());
        }
        let columns: Vec<Vec<usize>> = tables.iter().copied().map(columns).collect();
        let rows = tables.iter().zip(&columns).zip(&mut sinks);
        let rows = rows.map(|((table, columns), sink)| {
            Rows::new(*table, Some(columns.as_slice()), &wanted, sink)
        });
        let reported = tell(&mut rows.collect::<Vec<_>>());
        drop(sinks);
        let mut written = writers.into_iter().map(|writer| {
            let failed = |_| Err(QueryError::Engine("a table was not written".to_owned()));
            writer.join().unwrap_or_else(failed)
        });
        // Why rows were no longer taken is worth more than that they were not.
        written.try_for_each(|written| written)?;
        reported
    })
}

/// Writes a table's file.
fn write_file(
    table: Table,
    path: &Path,
    batches: Receiver<Result<RecordBatch, ArrowError>>,
) -> Result<(), QueryError> {
    let failed = |e: ParquetError| QueryError::Engine(format!("{}: {e}", path.display()));
    let file = private_file(path)?;
    let schema = Arc::new(table.schema().project(&columns(table)).map_err(arrow)?);
    let compression = Compression::ZSTD(ZstdLevel::try_new(3).map_err(failed)?);
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_max_row_group_row_count(Some(GROUP))
        .build();
    let mut writer = ArrowWriter::try_new(&file, schema, Some(properties)).map_err(failed)?;
    for batch in batches {
        writer.write(&batch.map_err(arrow)?).map_err(failed)?;
    }
    writer.close().map_err(failed)?;
    file.sync_all().map_err(|e| QueryError::io(path, e))
}

fn private_file(path: &Path) -> Result<File, QueryError> {
    private::create(path).map_err(|e| QueryError::io(path, e))
}

fn arrow(error: ArrowError) -> QueryError {
    QueryError::Engine(error.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn paths_keep_values(value in "\\PC{0,20}") {
            let escaped = escaped(&value);
            prop_assert!(!escaped.contains('/') && !escaped.is_empty() && escaped != "..");
            if !value.is_empty() {
                prop_assert_eq!(unescaped(&escaped), value);
            }
        }
    }
}
