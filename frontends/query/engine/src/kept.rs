//! Answers that are kept, by what was asked of which trace, and answers that are compared.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use jinsi_files::private;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sha2::{Digest, Sha256};

use crate::error::QueryError;
use crate::session::Answer;

/// Columns that say where in a run something was. Two runs have the same there by chance.
const ADDRESSES: [&str; 12] = [
    "run", "file", "moment", "step", "event", "index", "call", "caller", "through", "ended",
    "began", "written",
];

/// A directory of answers.
#[derive(Clone, Debug)]
pub struct Kept {
    directory: PathBuf,
}

impl Kept {
    /// Those in a directory, which is made when one is kept.
    pub fn new(directory: &Path) -> Self {
        let directory = directory.to_owned();
        Self { directory }
    }

    /// The file of what is asked of the trace with this name.
    pub fn file(&self, run: &str, sql: &str) -> PathBuf {
        let hash = Sha256::new().chain_update(sql).finalize();
        let digits: String = hash
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self.directory.join(format!("{run}-{digits}.parquet"))
    }

    /// The answer, if it is kept.
    ///
    /// # Errors
    /// It is, and cannot be read.
    pub fn get(&self, run: &str, sql: &str) -> Result<Option<Answer>, QueryError> {
        let path = self.file(run, sql);
        let failed = |e: &dyn std::fmt::Display| {
            QueryError::Engine(format!("{} is damaged, remove it: {e}", path.display()))
        };
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(QueryError::io(path, e)),
        };
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|e| failed(&e))?;
        let schema = builder.schema().clone();
        let reader = builder.build().map_err(|e| failed(&e))?;
        let batches = reader.collect::<Result<_, _>>().map_err(|e| failed(&e))?;
        Ok(Some(Answer { schema, batches }))
    }

    /// Keeps an answer: it is there whole, or not at all.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put(&self, run: &str, sql: &str, answer: &Answer) -> Result<(), QueryError> {
        let path = self.file(run, sql);
        let failed = |e| QueryError::io(&path, e);
        private::create_dir_all(&self.directory).map_err(failed)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.directory).map_err(failed)?;
        answer.parquet(file.as_file_mut())?;
        file.persist(&path).map_err(|e| failed(e.error))?;
        Ok(())
    }
}

/// A row that only one of two answers has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differing {
    /// Is it the second's?
    pub is_second: bool,
    /// Its cells, without those that say where in a run it was; `None`: NULL.
    pub cells: Vec<Option<String>>,
}

/// The columns that are compared, and the rows that only one of two answers has, the first's first.
///
/// # Errors
/// The answers have other columns.
pub fn compare(one: &Answer, other: &Answer) -> Result<(Vec<String>, Vec<Differing>), QueryError> {
    let (names, rows) = comparable(one)?;
    let (others, other_rows) = comparable(other)?;
    if names != others {
        let why = "the two answers have not the same columns";
        return Err(QueryError::Usage(why.to_owned()));
    }
    let mut all = only(&rows, &other_rows, false);
    all.extend(only(&other_rows, &rows, true));
    Ok((names, all))
}

type Row = Vec<Option<String>>;

fn comparable(answer: &Answer) -> Result<(Vec<String>, Vec<Row>), QueryError> {
    let names = answer.columns();
    let kept: Vec<usize> = (0..names.len())
        .filter(|at| !ADDRESSES.contains(&names[*at]))
        .collect();
    let rows = answer.texts()?.into_iter();
    let rows = rows.map(|row| kept.iter().map(|at| row[*at].clone()).collect());
    Ok((
        kept.iter().map(|at| names[*at].to_owned()).collect(),
        rows.collect(),
    ))
}

/// The rows of one that the other has not, or not so often.
fn only(rows: &[Row], others: &[Row], is_second: bool) -> Vec<Differing> {
    let mut left: HashMap<&Row, usize> = HashMap::new();
    for row in others {
        *left.entry(row).or_default() += 1;
    }
    let mut all = Vec::new();
    for row in rows {
        match left.get_mut(row) {
            Some(count) if *count > 0 => *count -= 1,
            _ => all.push(Differing {
                is_second,
                cells: row.clone(),
            }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_have_is_no_difference() {
        let rows = |texts: &[&str]| -> Vec<Row> {
            texts
                .iter()
                .map(|text| vec![Some((*text).to_owned())])
                .collect()
        };
        let found = only(&rows(&["a", "b", "a"]), &rows(&["a", "c"]), false);
        let cells: Vec<_> = found
            .iter()
            .map(|d| d.cells[0].as_deref().unwrap())
            .collect();
        assert_eq!(cells, ["b", "a"]);
    }
}
