//! Runs that were exported, as tables.

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::array::{
    ArrayRef, RecordBatch, RecordBatchOptions, StringArray, new_null_array,
};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::streaming::PartitionStream;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::statistics::Statistics;

use crate::cluster::{Cluster, Files, OneFile};
use crate::error::QueryError;
use crate::export::{IN_PATH, file, unescaped};
use crate::left_out::LeftOut;
use crate::provider::{external, processors, pushdown, shares, streaming};
use crate::schema::Table;
use crate::wanted::Wanted;

/// Rows of a batch.
const BATCH: usize = 8192;
/// Batches that may wait to be read.
const WAITING: usize = 4;

/// A run that was exported.
#[derive(Clone, Debug)]
struct Place {
    directory: PathBuf,
    /// What its path says: version, test, outcome, run.
    values: [String; 4],
}

impl Place {
    fn name(&self) -> String {
        self.directory.display().to_string()
    }
}

/// All runs in a directory.
pub(crate) struct Exported {
    places: Vec<Place>,
    left_out: LeftOut,
    /// Who reads them, if it is not this program.
    cluster: Option<Cluster>,
}

impl Exported {
    /// Looks what is there.
    pub(crate) fn find(
        directory: &Path,
        left_out: &LeftOut,
    ) -> std::result::Result<Self, QueryError> {
        let mut found = vec![(directory.to_owned(), Vec::new())];
        for name in IN_PATH {
            let mut deeper = Vec::new();
            for (above, values) in found {
                for (path, value) in parts(&above, name)? {
                    let values: Vec<String> = values.iter().cloned().chain([value]).collect();
                    deeper.push((path, values));
                }
            }
            found = deeper;
        }
        let place = |(directory, values): (PathBuf, Vec<String>)| {
            let values = values.try_into().ok()?;
            Some(Place { directory, values })
        };
        let mut places: Vec<Place> = found.into_iter().filter_map(place).collect();
        places.sort_by(|one, other| one.directory.cmp(&other.directory));
        Ok(Self {
            places,
            left_out: left_out.clone(),
            cluster: None,
        })
    }

    /// Has a cluster read them.
    pub(crate) fn on(mut self, cluster: Option<Cluster>) -> Self {
        self.cluster = cluster;
        self
    }

    /// Reads all there is, so that what is damaged is left out from now on.
    pub(crate) fn examine(&self) {
        for (table, place) in Table::ALL
            .into_iter()
            .flat_map(|table| self.places.iter().map(move |place| (table, place)))
        {
            let part = Part {
                table,
                places: Vec::new(),
                groups: Groups::ALL,
                schema: table.schema(),
                wanted: Arc::default(),
                left_out: self.left_out.clone(),
            };
            if let Err(error) = part.read(place, &mut |_| true) {
                part.leave_out(place, &error);
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub(crate) fn table(&self, table: Table) -> OverExported {
        OverExported {
            table,
            places: self.places.clone(),
            left_out: self.left_out.clone(),
            cluster: self.cluster.clone(),
        }
    }
}

/// The directories of a partition: `name=VALUE`.
fn parts(above: &Path, name: &str) -> std::result::Result<Vec<(PathBuf, String)>, QueryError> {
    let entries = std::fs::read_dir(above).map_err(|e| QueryError::io(above, e))?;
    let mut all = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| QueryError::io(above, e))?;
        let of = entry.file_name();
        let value = of
            .to_str()
            .and_then(|of| of.strip_prefix(name)?.strip_prefix('='));
        if let Some(value) = value {
            all.push((entry.path(), unescaped(value)));
        }
    }
    Ok(all)
}

/// A table over all of them.
pub(crate) struct OverExported {
    table: Table,
    places: Vec<Place>,
    left_out: LeftOut,
    cluster: Option<Cluster>,
}

impl OverExported {
    /// The files, of which each can be read as far as its end says.
    fn files(&self, places: &[Place], columns: Vec<usize>) -> Result<Files> {
        let of_table = |name: &&str| self.table.column(name).is_some();
        let mut all = Vec::new();
        for place in places {
            let path = place.directory.join(file(self.table));
            let opened = match File::open(&path) {
                Ok(opened) => opened,
                Err(e) if self.table.may_lack(&e) => continue,
                Err(e) => return Err(e.into()),
            };
            if let Err(error) = ArrowReaderMetadata::load(&opened, Default::default()) {
                let why = format!("{}: {error}", self.table.name());
                self.left_out.add(&place.name(), &why);
                return Err(damaged(error));
            }
            let values = IN_PATH.iter().zip(&place.values);
            let values = values.filter(|(name, _)| of_table(name));
            all.push(OneFile {
                bytes: opened.metadata()?.len(),
                path: std::path::absolute(&path)?,
                values: values.map(|(_, value)| value.clone()).collect(),
            });
        }
        Ok(Files {
            schema: self.table.schema(),
            columns,
            in_path: IN_PATH.into_iter().filter(of_table).collect(),
            all,
        })
    }
}

impl fmt::Debug for OverExported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} exported runs",
            self.table.name(),
            self.places.len()
        )
    }
}

#[async_trait]
impl TableProvider for OverExported {
    fn schema(&self) -> SchemaRef {
        self.table.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(pushdown(filters))
    }

    async fn scan(
        &self,
        _: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        _: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let wanted = Arc::new(Wanted::new(filters));
        let whole = self.table.schema();
        let columns: Vec<usize> = match projection {
            Some(columns) => columns.clone(),
            None => (0..whole.fields().len()).collect(),
        };
        let schema = Arc::new(whole.project(&columns)?);
        let of_table = |name: &str| self.table.column(name).is_some();
        let is_wanted = |place: &&Place| {
            let mut values = IN_PATH.iter().zip(&place.values);
            values.all(|(name, value)| !of_table(name) || wanted.has_text(name, value))
                && !self.left_out.has(&place.name())
        };
        let places: Vec<&Place> = self.places.iter().filter(is_wanted).collect();
        let has = |place: &&&Place| {
            !self.table.needs_instructions() || place.directory.join(file(self.table)).exists()
        };
        let having = places.iter().filter(has).count();
        let said = self.left_out.having(self.table, having, places.len());
        said.map_err(external)?;
        if let Some(cluster) = &self.cluster {
            let places: Vec<Place> = places.into_iter().cloned().collect();
            return cluster.scan(self.files(&places, columns)?);
        }
        let part = |(places, groups): (Vec<Place>, Groups)| -> Arc<dyn PartitionStream> {
            Arc::new(Part {
                table: self.table,
                places,
                groups,
                schema: Arc::clone(&schema),
                wanted: Arc::clone(&wanted),
                left_out: self.left_out.clone(),
            })
        };
        let places: Vec<Place> = places.into_iter().cloned().collect();
        let parts = parts_of(places, processors()).into_iter().map(part);
        let parts = parts.collect();
        streaming(schema, parts)
    }
}

/// Which groups of rows of each file are read: one of so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Groups {
    no: usize,
    of: usize,
}

impl Groups {
    const ALL: Self = Self { no: 0, of: 1 };

    fn have(self, group: usize) -> bool {
        group % self.of == self.no
    }
}

/// What is read beside each other: shares of the runs; or of each run, if there are few.
fn parts_of(places: Vec<Place>, processors: usize) -> Vec<(Vec<Place>, Groups)> {
    if places.is_empty() || places.len() >= processors {
        let shares = shares(places.into_iter()).into_iter();
        return shares.map(|share| (share, Groups::ALL)).collect();
    }
    let groups = (0..processors).map(|no| Groups { no, of: processors });
    groups.map(|groups| (places.clone(), groups)).collect()
}

/// A table of some runs.
#[derive(Clone)]
struct Part {
    table: Table,
    places: Vec<Place>,
    groups: Groups,
    schema: SchemaRef,
    wanted: Arc<Wanted>,
    left_out: LeftOut,
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} exported runs",
            self.table.name(),
            self.places.len()
        )
    }
}

impl PartitionStream for Part {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut stream = RecordBatchReceiverStreamBuilder::new(Arc::clone(&self.schema), WAITING);
        let to = stream.tx();
        let part = self.clone();
        stream.spawn_blocking(move || {
            for place in &part.places {
                let mut more = true;
                let read = part.read(place, &mut |batch| {
                    more = to.blocking_send(Ok(batch)).is_ok();
                    more
                });
                if let Err(error) = read {
                    part.leave_out(place, &error);
                    return Err(error);
                }
                if !more {
                    break;
                }
            }
            Ok(())
        });
        stream.build()
    }
}

impl Part {
    /// What is damaged costs its run, not the query, which is asked again.
    fn leave_out(&self, place: &Place, error: &DataFusionError) {
        let why = format!("{}: {}", self.table.name(), error.strip_backtrace());
        self.left_out.add(&place.name(), &why);
    }

    /// Reads the table of a run.
    fn read(&self, place: &Place, to: &mut dyn FnMut(RecordBatch) -> bool) -> Result<()> {
        let path = place.directory.join(file(self.table));
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(e) if self.table.may_lack(&e) => return Ok(()),
            Err(e) => return Err(e.into()),
        };
        let metadata = ArrowReaderMetadata::load(&file, Default::default()).map_err(damaged)?;
        let columns = metadata.schema().fields();
        let wanted: Vec<usize> = (columns.iter().enumerate())
            .filter(|(_, field)| self.schema.column_with_name(field.name()).is_some())
            .map(|(at, _)| at)
            .collect();
        let mask = ProjectionMask::roots(metadata.parquet_schema(), wanted);
        let groups = metadata.metadata().row_groups().iter().enumerate();
        let groups = groups.filter(|(at, group)| self.groups.have(*at) && self.may_have(group));
        let groups: Vec<usize> = groups.map(|(at, _)| at).collect();
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata.clone());
        let reader = builder
            .with_projection(mask)
            .with_row_groups(groups)
            .with_batch_size(BATCH)
            .build()
            .map_err(damaged)?;
        for batch in reader {
            if !to(self.whole(place, &batch?)?) {
                break;
            }
        }
        Ok(())
    }

    /// May rows of this group be wanted, by the least and greatest numbers in it?
    fn may_have(&self, group: &RowGroupMetaData) -> bool {
        group.columns().iter().all(|column| {
            let name = column.column_path().string();
            let bounds = self.wanted.bounds(name.trim_matches('"'));
            match column.statistics() {
                Some(Statistics::Int64(numbers)) => {
                    let has_null = numbers.null_count_opt() != Some(0);
                    let least = numbers.min_opt().is_none_or(|least| *least <= bounds.high);
                    let most = numbers.max_opt().is_none_or(|most| *most >= bounds.low);
                    least && most || bounds.or_null && has_null
                }
                _ => true,
            }
        })
    }

    /// With the columns that the path says, and with nothing in those that the file lacks.
    fn whole(&self, place: &Place, batch: &RecordBatch) -> Result<RecordBatch> {
        let count = batch.num_rows();
        let column = |field: &Arc<datafusion::arrow::datatypes::Field>| -> ArrayRef {
            let in_path = IN_PATH.iter().position(|name| name == field.name());
            if let Some(at) = in_path {
                let value = place.values[at].as_str();
                return Arc::new(StringArray::from_iter_values(std::iter::repeat_n(
                    value, count,
                )));
            }
            match batch.column_by_name(field.name()) {
                Some(array) if array.data_type() == field.data_type() => Arc::clone(array),
                _ => new_null_array(field.data_type(), count),
            }
        };
        let arrays: Vec<ArrayRef> = self.schema.fields().iter().map(column).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(count));
        let schema = Arc::clone(&self.schema);
        Ok(RecordBatch::try_new_with_options(schema, arrays, &options)?)
    }
}

fn damaged(error: ParquetError) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However few runs there are: each group of rows of each is read once.
    #[test]
    fn all_groups_are_shared_out() {
        let place = |no: usize| Place {
            directory: PathBuf::from(no.to_string()),
            values: Default::default(),
        };
        for (runs, processors) in [(0, 2), (1, 2), (1, 1), (3, 4), (5, 2)] {
            let parts = parts_of((0..runs).map(place).collect(), processors);
            assert!(!parts.is_empty());
            let mut read = Vec::new();
            for (places, groups) in &parts {
                let of_file = (0..9).filter(|group| groups.have(*group));
                let of_file: Vec<usize> = of_file.collect();
                read.extend(places.iter().flat_map(|place| {
                    let name = place.name();
                    of_file.iter().map(move |group| (name.clone(), *group))
                }));
            }
            read.sort();
            let all = (0..runs).flat_map(|no| (0..9).map(move |group| (no.to_string(), group)));
            assert_eq!(read, all.collect::<Vec<_>>());
        }
    }
}
