//! Rows on their way to the engine: gathered into batches, those left out that nobody wants.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BooleanBuilder, Float64Builder, Int64Builder, RecordBatch, RecordBatchOptions,
    StringBuilder,
};
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;

use crate::cell::Cell;
use crate::schema::{Table, Type};
use crate::wanted::Wanted;

/// Rows of a batch.
const BATCH: usize = 8192;

/// Gathers the cells of a column.
pub(crate) enum Builder {
    Int(Int64Builder),
    Text(StringBuilder),
    Bool(BooleanBuilder),
    Real(Float64Builder),
}

impl Builder {
    pub(crate) fn new(of: Type) -> Self {
        match of {
            Type::Int => Builder::Int(Int64Builder::new()),
            Type::Text => Builder::Text(StringBuilder::new()),
            Type::Bool => Builder::Bool(BooleanBuilder::new()),
            Type::Real => Builder::Real(Float64Builder::new()),
        }
    }

    /// What is of another type is taken for nothing.
    pub(crate) fn push(&mut self, cell: &Cell<'_>) {
        match (self, cell) {
            (Builder::Int(to), Cell::Int(value)) => to.append_value(*value),
            (Builder::Text(to), Cell::Text(value)) => to.append_value(value),
            (Builder::Bool(to), Cell::Bool(value)) => to.append_value(*value),
            (Builder::Real(to), Cell::Real(value)) => to.append_value(*value),
            (Builder::Int(to), _) => to.append_null(),
            (Builder::Text(to), _) => to.append_null(),
            (Builder::Bool(to), _) => to.append_null(),
            (Builder::Real(to), _) => to.append_null(),
        }
    }

    pub(crate) fn finish(&mut self) -> ArrayRef {
        match self {
            Builder::Int(from) => Arc::new(from.finish()),
            Builder::Text(from) => Arc::new(from.finish()),
            Builder::Bool(from) => Arc::new(from.finish()),
            Builder::Real(from) => Arc::new(from.finish()),
        }
    }
}

/// Where batches go; it says no when it wants no more.
pub(crate) type Sink<'a> = dyn FnMut(Result<RecordBatch, ArrowError>) -> bool + 'a;

/// Rows of a table.
pub(crate) struct Rows<'a> {
    table: Table,
    pub(crate) wanted: &'a Wanted,
    schema: SchemaRef,
    /// The columns that are asked for, and their places in the table.
    builders: Vec<(usize, Builder)>,
    /// By column: is it asked for, or must the row be looked at for it?
    used: Vec<bool>,
    count: usize,
    sink: &'a mut Sink<'a>,
    more: bool,
}

impl<'a> Rows<'a> {
    /// Rows with these columns, or all.
    pub(crate) fn new(
        table: Table,
        columns: Option<&[usize]>,
        wanted: &'a Wanted,
        sink: &'a mut Sink<'a>,
    ) -> Self {
        let all: Vec<usize> = (0..table.columns().len()).collect();
        let columns = columns.unwrap_or(&all);
        let whole = table.schema();
        let fields = columns.iter().map(|&at| whole.field(at).clone());
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let builder = |&at: &usize| (at, Builder::new(table.columns()[at].of));
        let used = |at: &usize| columns.contains(at) || wanted.is_about(table.columns()[*at].name);
        Self {
            table,
            wanted,
            schema,
            builders: columns.iter().map(builder).collect(),
            used: all.iter().map(used).collect(),
            count: 0,
            sink,
            more: true,
        }
    }

    /// The table that they are of.
    pub(crate) fn table(&self) -> Table {
        self.table
    }

    /// Are more rows wanted?
    pub(crate) fn more(&self) -> bool {
        self.more
    }

    /// The cell, if its column is of any use.
    pub(crate) fn cell<'c, T: Into<Cell<'c>>>(
        &self,
        column: &str,
        cell: impl FnOnce() -> T,
    ) -> Cell<'c> {
        match self.table.column(column) {
            Some(at) if self.used[at] => cell().into(),
            _ => Cell::Null,
        }
    }

    /// A row, with a cell for each column of the table.
    pub(crate) fn push<const N: usize>(&mut self, cells: [Cell<'_>; N]) {
        debug_assert_eq!(N, self.used.len(), "{:?}", self.table);
        if !self.more || !self.wanted.admits(self.table, &cells) {
            return;
        }
        for (at, builder) in &mut self.builders {
            builder.push(cells.get(*at).unwrap_or(&Cell::Null));
        }
        self.count += 1;
        if self.count == BATCH {
            self.flush();
        }
    }

    /// Hands over what is left.
    pub(crate) fn flush(&mut self) {
        if self.count == 0 || !self.more {
            return;
        }
        let arrays = self
            .builders
            .iter_mut()
            .map(|(_, builder)| builder.finish());
        let arrays: Vec<ArrayRef> = arrays.collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.count));
        let schema = Arc::clone(&self.schema);
        let batch = RecordBatch::try_new_with_options(schema, arrays, &options);
        self.count = 0;
        self.more = (self.sink)(batch);
    }
}
