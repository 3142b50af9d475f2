//! A run tells the rows of a table.

use crate::error::QueryError;
use crate::pass;
use crate::rows::Rows;
use crate::run::Run;
use crate::schema::Table;
use crate::tables;

/// Tells the rows that are wanted.
///
/// # Errors
/// The run has no such table, or cannot be read.
pub(crate) fn tell(run: &Run, table: Table, rows: &mut Rows<'_>) -> Result<(), QueryError> {
    run.has(table)?;
    if !rows.wanted.has_text("run", &run.name) {
        return Ok(());
    }
    match table {
        table if pass::tells(table) => return pass::tell(run, std::slice::from_mut(rows)),
        Table::Runs => tables::runs::tell(run, rows),
        Table::Writes | Table::Locals | Table::Lines => {
            tables::instructions::tell(run, table, rows)?
        }
        Table::Classes => tables::classes::tell(run, rows),
        Table::Members => tables::members::tell(run, rows),
        _ => {}
    }
    rows.flush();
    Ok(())
}
