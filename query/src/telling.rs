//! A run tells the rows of a table.

use crate::error::QueryError;
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
        Table::Runs => tables::runs::tell(run, rows),
        Table::Events => tables::events::tell(run, rows)?,
        Table::Calls => tables::calls::tell(run, rows)?,
        Table::Accesses => tables::accesses::tell(run, rows)?,
        Table::Writes | Table::Locals | Table::Lines => {
            tables::instructions::tell(run, table, rows)?
        }
        Table::Objects => tables::objects::tell(run, rows)?,
        Table::Exceptions => tables::exceptions::tell(run, rows)?,
        Table::Threads => tables::threads::tell(run, rows)?,
        Table::Classes => tables::classes::tell(run, rows),
        Table::Members => tables::members::tell(run, rows),
        Table::Output => tables::output::tell(run, rows)?,
    }
    rows.flush();
    Ok(())
}
