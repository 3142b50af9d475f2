//! There is no client of a cluster in this program: it was built without the feature `ballista`.

use std::convert::Infallible;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::error::Result;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{SessionConfig, SessionContext};

use super::Files;
use crate::error::QueryError;

/// A cluster: there is none.
#[derive(Clone, Debug)]
pub struct Cluster(Infallible);

impl Cluster {
    /// The cluster whose scheduler listens there: always an error.
    ///
    /// # Errors
    /// This program cannot ask a cluster.
    pub fn at(_: &str) -> std::result::Result<Self, QueryError> {
        Err(QueryError::Usage(
            "this jinsi-query was built without a cluster's client: cargo build --release --manifest-path frontends/query/engine/Cargo.toml --features ballista"
                .into(),
        ))
    }

    pub(crate) fn configured(&self, _: SessionConfig) -> SessionConfig {
        match self.0 {}
    }

    pub(crate) fn scan(&self, _: Files) -> Result<Arc<dyn ExecutionPlan>> {
        match self.0 {}
    }

    pub(crate) async fn run(
        &self,
        _: Arc<dyn ExecutionPlan>,
        _: &SessionContext,
    ) -> Result<Option<Vec<RecordBatch>>> {
        match self.0 {}
    }
}
