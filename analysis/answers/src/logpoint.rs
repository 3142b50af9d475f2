//! What expressions were, each time a line ran.

use std::io::{self, Write};
use std::path::PathBuf;

use jinsi_inspect::{InspectError, Line, Path};
use serde::Serialize;

use crate::said::{Shown, Writer, distinguish};

/// The times that a line was come to.
#[derive(Serialize)]
pub struct Document {
    /// The recording.
    pub trace: PathBuf,
    /// The line.
    pub line: String,
    /// How often it was come to in all.
    pub times: u64,
    /// Those that are shown.
    pub hits: Vec<Hit>,
}

/// A line was come to.
#[derive(Serialize)]
pub struct Hit {
    /// When.
    pub moment: String,
    /// In which call.
    pub call: String,
    /// The expressions, and what they were.
    pub values: Vec<Value>,
}

/// An expression.
#[derive(Serialize)]
pub struct Value {
    /// As it was asked for.
    pub expression: String,
    /// What it was.
    #[serde(flatten)]
    pub value: Shown,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The line.
    pub line: &'a Line,
    /// What is shown each time.
    pub expressions: &'a [Path],
    /// So many times are left out first.
    pub skip: u64,
    /// So many times are shown.
    pub limit: usize,
}

/// What the expressions were.
///
/// # Errors
/// The trace cannot be read.
pub fn document(
    writer: &Writer<'_, '_>,
    trace: PathBuf,
    wanted: Wanted<'_>,
) -> Result<Document, InspectError> {
    let inspector = writer.inspector;
    let times = inspector.count_of_line(wanted.line)?;
    let logged = inspector.log(wanted.line, wanted.expressions, wanted.skip, wanted.limit)?;
    let hits = logged.iter().map(|hit| Hit {
        moment: hit.moment.to_string(),
        call: hit.activation.to_string(),
        values: (wanted.expressions.iter().zip(&hit.values))
            .map(|(path, value)| Value {
                expression: path.to_string(),
                value: match value {
                    Ok(seen) => writer.seen_at(seen, hit.moment),
                    Err(why) => Shown {
                        value: None,
                        text: None,
                        object: None,
                        unknown: Some(why.to_string()),
                    },
                },
            })
            .collect(),
    });
    let mut hits: Vec<Hit> = hits.collect();
    let values = hits.iter_mut().flat_map(|hit| &mut hit.values);
    distinguish(values.map(|value| &mut value.value));
    Ok(Document {
        trace,
        line: wanted.line.to_string(),
        times,
        hits,
    })
}

impl Document {
    /// As text.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print(&self, to: &mut dyn Write) -> io::Result<()> {
        for hit in &self.hits {
            write!(to, "{:>12}", hit.moment)?;
            for value in &hit.values {
                write!(to, "  {} = {}", value.expression, value.value)?;
            }
            writeln!(to)?;
        }
        writeln!(to, "{} of {} times", self.hits.len(), self.times)
    }
}
