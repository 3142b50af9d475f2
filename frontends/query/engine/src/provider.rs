//! Tables of runs as the engine asks them: batches are made while they are read.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::arrow::datatypes::{Schema, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::catalog::{Session, TableProvider};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};

use crate::error::QueryError;
use crate::left_out::LeftOut;
use crate::rows::Rows;
use crate::run::Run;
use crate::schema::Table;
use crate::telling::tell;
use crate::wanted::Wanted;

/// Batches that may wait to be read.
const WAITING: usize = 4;

/// A table over runs, each a partition of it.
#[derive(Debug)]
pub(crate) struct OverRuns {
    pub(crate) table: Table,
    pub(crate) runs: Vec<Arc<Run>>,
    /// Where runs are left out that cannot be read; `None`: that is an error.
    pub(crate) left_out: Option<LeftOut>,
}

/// How much of the conditions is looked at here. The engine looks at all of them again.
pub(crate) fn pushdown(filters: &[&Expr]) -> Vec<TableProviderFilterPushDown> {
    let known = filters.iter().map(|filter| match Wanted::knows(filter) {
        true => TableProviderFilterPushDown::Inexact,
        false => TableProviderFilterPushDown::Unsupported,
    });
    known.collect()
}

#[async_trait]
impl TableProvider for OverRuns {
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
        let columns = projection.cloned();
        let schema = match &columns {
            Some(columns) => Arc::new(whole.project(columns)?),
            None => whole,
        };
        let is_wanted = |run: &&Arc<Run>| {
            let left_out = self.left_out.as_ref();
            wanted.has_text("run", &run.name) && left_out.is_none_or(|out| !out.has(&run.name))
        };
        let runs: Vec<&Arc<Run>> = self.runs.iter().filter(is_wanted).collect();
        // What the recordings do not have is said before anything is computed.
        let having = runs.iter().filter(|run| run.has(self.table).is_ok());
        match &self.left_out {
            None => {
                let mut lacking = runs.iter().map(|run| run.has(self.table));
                lacking.try_for_each(|has| has.map_err(external))?;
            }
            Some(out) => out
                .having(self.table, having.clone().count(), runs.len())
                .map_err(external)?,
        }
        let runs = having.copied();
        let part = |runs: Vec<Arc<Run>>| -> Arc<dyn PartitionStream> {
            Arc::new(Part {
                table: self.table,
                runs,
                schema: Arc::clone(&schema),
                columns: columns.clone(),
                wanted: Arc::clone(&wanted),
                left_out: self.left_out.clone(),
            })
        };
        let parts = shares(runs.cloned()).into_iter().map(part).collect();
        streaming(schema, parts)
    }
}

/// A plan that reads these.
pub(crate) fn streaming(
    schema: SchemaRef,
    parts: Vec<Arc<dyn PartitionStream>>,
) -> Result<Arc<dyn ExecutionPlan>> {
    let order = Vec::<datafusion::physical_expr::LexOrdering>::new();
    let plan = StreamingTableExec::try_new(schema, parts, None, order, false, None)?;
    Ok(Arc::new(plan))
}

/// How many parts are read beside each other.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Shares, as many as there are processors at most, so that not all is opened at once. There is one at least.
pub(crate) fn shares<T>(all: impl Iterator<Item = T>) -> Vec<Vec<T>> {
    let most = processors();
    let mut shares: Vec<Vec<T>> = Vec::new();
    for (no, one) in all.enumerate() {
        match shares.get_mut(no % most) {
            Some(share) => share.push(one),
            None => shares.push(vec![one]),
        }
    }
    if shares.is_empty() {
        shares.push(Vec::new());
    }
    shares
}

/// A table of some runs.
struct Part {
    table: Table,
    runs: Vec<Arc<Run>>,
    schema: Arc<Schema>,
    columns: Option<Vec<usize>>,
    wanted: Arc<Wanted>,
    left_out: Option<LeftOut>,
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} runs", self.table.name(), self.runs.len())
    }
}

impl PartitionStream for Part {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut stream = RecordBatchReceiverStreamBuilder::new(Arc::clone(&self.schema), WAITING);
        let to = stream.tx();
        let (table, runs) = (self.table, self.runs.clone());
        let (columns, wanted) = (self.columns.clone(), Arc::clone(&self.wanted));
        let left_out = self.left_out.clone();
        stream.spawn_blocking(move || {
            let mut sink = |batch: Result<_, ArrowError>| {
                let batch = batch.map_err(DataFusionError::from);
                to.blocking_send(batch).is_ok()
            };
            let mut rows = Rows::new(table, columns.as_deref(), &wanted, &mut sink);
            runs.iter().try_for_each(|run| {
                tell(run, table, &mut rows).map_err(|error| {
                    if let Some(left_out) = &left_out {
                        left_out.add(&run.name, &error.to_string());
                    }
                    external(error)
                })
            })
        });
        stream.build()
    }
}

pub(crate) fn external(error: QueryError) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
