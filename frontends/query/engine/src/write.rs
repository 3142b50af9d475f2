//! Answers as text: tables for people, CSV, JSON, Parquet.

use std::io::{self, Write};

use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Float64Type};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use parquet::arrow::ArrowWriter;
use serde::{Serialize, Serializer};
use serde_json::{Number, Value};

use crate::error::QueryError;
use crate::session::Answer;

/// A column of a table for people is cut after so many characters.
const WIDEST: usize = 60;

impl Answer {
    /// The names of the columns.
    pub fn columns(&self) -> Vec<&str> {
        let fields = self.schema.fields().iter();
        fields.map(|field| field.name().as_str()).collect()
    }

    /// The same without a column.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn without(self, column: &str) -> Result<Answer, QueryError> {
        let names = self.columns();
        let left = (0..names.len()).filter(|at| names[*at] != column);
        let left: Vec<usize> = left.collect();
        let failed = |e: datafusion::arrow::error::ArrowError| QueryError::Engine(e.to_string());
        let schema = self.schema.project(&left).map_err(failed)?;
        let batches = self.batches.iter().map(|batch| batch.project(&left));
        Ok(Answer {
            schema: schema.into(),
            batches: batches.collect::<Result<_, _>>().map_err(failed)?,
        })
    }

    /// The rows as texts; `None`: NULL.
    ///
    /// # Errors
    /// A value cannot be written.
    pub fn texts(&self) -> Result<Vec<Vec<Option<String>>>, QueryError> {
        let mut rows = Vec::new();
        for batch in &self.batches {
            let columns: Vec<Vec<Option<String>>> = batch
                .columns()
                .iter()
                .map(texts)
                .collect::<Result<_, _>>()?;
            for row in 0..batch.num_rows() {
                rows.push(columns.iter().map(|column| column[row].clone()).collect());
            }
        }
        Ok(rows)
    }

    /// As a table for people, whose long values are cut.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn table(&self, to: &mut dyn Write) -> Result<(), QueryError> {
        let names = self.columns();
        let rows = self.texts()?;
        let shown = |cell: &Option<String>| cell.as_deref().map_or_else(String::new, cut);
        let rows: Vec<Vec<String>> = rows
            .iter()
            .map(|row| row.iter().map(shown).collect())
            .collect();
        let width = |column: usize| {
            let cells = rows.iter().map(|row| row[column].chars().count());
            cells
                .chain([names[column].chars().count()])
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..names.len()).map(width).collect();
        let numbers: Vec<bool> = (self.schema.fields().iter())
            .map(|field| field.data_type().is_numeric())
            .collect();
        let mut line = |cells: &[&str]| -> io::Result<()> {
            let mut text = String::new();
            for ((cell, width), is_number) in cells.iter().zip(&widths).zip(&numbers) {
                let padded = match is_number {
                    true => format!("{cell:>width$}  "),
                    false => format!("{cell:<width$}  "),
                };
                text.push_str(&padded);
            }
            writeln!(to, "{}", text.trim_end())
        };
        line(&names).map_err(closed)?;
        let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        line(&rules.iter().map(String::as_str).collect::<Vec<_>>()).map_err(closed)?;
        for row in &rows {
            line(&row.iter().map(String::as_str).collect::<Vec<_>>()).map_err(closed)?;
        }
        Ok(())
    }

    /// As comma-separated values (RFC 4180), with a line of names.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn csv(&self, to: &mut dyn Write) -> Result<(), QueryError> {
        let mut line = |cells: Vec<String>| writeln!(to, "{}", cells.join(","));
        line(self.columns().iter().map(|name| csv_cell(name)).collect()).map_err(closed)?;
        for row in self.texts()? {
            let cells = row
                .iter()
                .map(|cell| cell.as_deref().map_or_else(String::new, csv_cell));
            line(cells.collect()).map_err(closed)?;
        }
        Ok(())
    }

    /// As one JSON document: a list of rows, the columns of each in their order. Of several columns with one name, the second is `name_2`.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn json(&self, to: &mut dyn Write) -> Result<(), QueryError> {
        let names = distinct(&self.columns());
        let mut batches = Vec::new();
        for batch in &self.batches {
            let columns = batch.columns().iter().map(jsons);
            batches.push(columns.collect::<Result<Vec<_>, _>>()?);
        }
        let rows = self
            .batches
            .iter()
            .zip(&batches)
            .flat_map(|(batch, columns)| {
                let names = &names;
                (0..batch.num_rows()).map(move |at| Row { names, columns, at })
            });
        let written = serde_json::to_writer_pretty(&mut *to, &rows.collect::<Vec<_>>());
        written.map_err(io::Error::from).map_err(closed)?;
        writeln!(to).map_err(closed)
    }

    /// As a Parquet file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn parquet(&self, to: &mut (dyn Write + Send)) -> Result<(), QueryError> {
        let failed = |e: parquet::errors::ParquetError| QueryError::Engine(e.to_string());
        let schema = self.schema.clone();
        let mut writer = ArrowWriter::try_new(to, schema, None).map_err(failed)?;
        for batch in &self.batches {
            let columns = batch.columns().to_vec();
            let same = RecordBatch::try_new(self.schema.clone(), columns);
            let same = same.map_err(|e| QueryError::Engine(e.to_string()))?;
            writer.write(&same).map_err(failed)?;
        }
        writer.close().map_err(failed)?;
        Ok(())
    }
}

/// A row of columns.
struct Row<'a> {
    names: &'a [String],
    columns: &'a [Vec<Value>],
    at: usize,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let cells = self.columns.iter().map(|column| &column[self.at]);
        to.collect_map(self.names.iter().zip(cells))
    }
}

/// The names, each once.
fn distinct(names: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        let others = (2..).map(|no| format!("{name}_{no}"));
        let mut free = std::iter::once((*name).to_owned()).chain(others);
        all.extend(free.find(|name| !all.contains(name)));
    }
    all
}

fn closed(error: io::Error) -> QueryError {
    QueryError::io("standard output", error)
}

fn cut(text: &str) -> String {
    let flat: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    match flat.chars().count() > WIDEST {
        true => flat.chars().take(WIDEST - 1).chain(['…']).collect(),
        false => flat,
    }
}

fn csv_cell(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

fn texts(column: &datafusion::arrow::array::ArrayRef) -> Result<Vec<Option<String>>, QueryError> {
    let options = FormatOptions::default();
    let failed = |e: datafusion::arrow::error::ArrowError| QueryError::Engine(e.to_string());
    let formatter = ArrayFormatter::try_new(column.as_ref(), &options).map_err(failed)?;
    let cell = |row| match column.is_null(row) {
        true => Ok(None),
        false => formatter.value(row).try_to_string().map(Some),
    };
    (0..column.len())
        .map(cell)
        .collect::<Result<_, _>>()
        .map_err(failed)
}

fn jsons(column: &datafusion::arrow::array::ArrayRef) -> Result<Vec<Value>, QueryError> {
    let texts = texts(column)?;
    let data = column.data_type().clone();
    let value = |(row, text): (usize, Option<String>)| match (text, &data) {
        (None, _) => Value::Null,
        (Some(text), DataType::Boolean) => Value::Bool(text == "true"),
        (Some(_), DataType::Float64) => {
            let number = column.as_primitive::<Float64Type>().value(row);
            Number::from_f64(number).map_or(Value::Null, Value::Number)
        }
        (Some(text), of) if of.is_integer() => match text.parse::<Number>() {
            Ok(number) => Value::Number(number),
            Err(_) => Value::String(text),
        },
        (Some(text), _) => Value::String(text),
    };
    Ok(texts.into_iter().enumerate().map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_for_people_only() {
        assert_eq!(cut("a\nb"), "a b");
        assert_eq!(cut(&"x".repeat(100)).chars().count(), WIDEST);
        assert_eq!(csv_cell("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(csv_cell("plain"), "plain");
        assert_eq!(
            distinct(&["a", "b", "a", "a_2", "a"]),
            ["a", "b", "a_2", "a_2_2", "a_3"]
        );
    }
}
