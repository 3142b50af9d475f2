//! The client.

use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use ballista_core::config::BallistaConfig;
use ballista_core::execution_plans::execute_physical_plan;
use ballista_core::extension::SessionConfigExt;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::{FieldRef, Schema};
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::physical_plan::{FileGroup, FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::object_store::ObjectMeta;
use datafusion::object_store::path::Path;
use datafusion::physical_plan::{ExecutionPlan, common};
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion::scalar::ScalarValue;
use datafusion_proto::physical_plan::AsExecutionPlan;
use datafusion_proto::protobuf::PhysicalPlanNode;

use super::{Files, OneFile};
use crate::error::QueryError;
use crate::provider::external;

/// Parts in which the files of a table are read, each by one executor: more of them than there are executors, so that these end together.
const PARTS: usize = 16;

/// How long a scheduler may take to accept a connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// A cluster, by its scheduler.
#[derive(Clone, Debug)]
pub struct Cluster {
    address: String,
}

impl Cluster {
    /// The cluster whose scheduler listens there: `HOST:PORT`.
    ///
    /// # Errors
    /// It is no such address, or nobody listens there.
    pub fn at(address: &str) -> std::result::Result<Self, QueryError> {
        let found = address.to_socket_addrs().map(|mut all| all.next());
        let Ok(Some(socket)) = found else {
            let text = format!("not the address of a scheduler: {address}; HOST:PORT");
            return Err(QueryError::Usage(text));
        };
        TcpStream::connect_timeout(&socket, PATIENCE).map_err(|e| {
            QueryError::Engine(format!(
                "no scheduler listens at {address}: {e}; 'jinsi-query scheduler' starts one"
            ))
        })?;
        let address = address.to_owned();
        Ok(Self { address })
    }

    /// Plans are made as a cluster can run them.
    pub(crate) fn configured(&self, config: SessionConfig) -> SessionConfig {
        config.with_target_partitions(PARTS).upgrade_for_ballista()
    }

    /// A plan that reads these files, wherever it is run.
    pub(crate) fn scan(&self, files: Files) -> Result<Arc<dyn ExecutionPlan>> {
        let fields = files.schema.fields();
        let is_in_path = |name: &str| files.in_path.contains(&name);
        let in_files: Vec<FieldRef> = (fields.iter())
            .filter(|field| !is_in_path(field.name()))
            .cloned()
            .collect();
        let in_path = files.in_path.iter().map(|name| {
            let field = files.schema.field_with_name(name)?;
            Ok(Arc::new(field.clone()))
        });
        let in_path: Vec<FieldRef> = in_path.collect::<Result<_>>()?;
        let table = TableSchema::builder(Arc::new(Schema::new(in_files)));
        let table = table.with_table_partition_cols(in_path).build();
        let columns = files.columns.iter().map(|at| {
            let at = table.table_schema().index_of(fields[*at].name())?;
            Ok(at)
        });
        let columns = columns.collect::<Result<Vec<usize>>>()?;
        let mut groups: Vec<Vec<PartitionedFile>> = Vec::new();
        for (no, file) in files.all.iter().enumerate() {
            if no < PARTS {
                groups.push(Vec::new());
            }
            groups[no % PARTS].push(partitioned(file)?);
        }
        let source = Arc::new(ParquetSource::new(table));
        let scan = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), source)
            .with_file_groups(groups.into_iter().map(FileGroup::new).collect())
            .with_projection_indices(Some(columns))?
            .build();
        Ok(DataSourceExec::from_data_source(scan))
    }

    /// Has the plan run; `None`: it is not to be sent to others.
    pub(crate) async fn run(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        context: &SessionContext,
    ) -> Result<Option<Vec<RecordBatch>>> {
        let config = context.copied_config();
        let codec = config.ballista_physical_extension_codec();
        if !reads_files(plan.as_ref())
            || PhysicalPlanNode::try_from_physical_plan(Arc::clone(&plan), codec.as_ref()).is_err()
        {
            return Ok(None);
        }
        let ballista: BallistaConfig = config.ballista_config();
        let session = context.session_id();
        let rows = execute_physical_plan::<PhysicalPlanNode>(
            format!("http://{}", self.address),
            &ballista,
            plan,
            codec.as_ref(),
            session,
            config,
        );
        let rows = rows.await.map_err(|error| self.named(&error))?;
        let rows = common::collect(rows).await;
        rows.map(Some).map_err(|error| self.named(&error))
    }

    fn named(&self, error: &DataFusionError) -> DataFusionError {
        let why = error.strip_backtrace();
        let text = format!("the cluster at {}: {why}", self.address);
        external(QueryError::Engine(text))
    }
}

/// A file as the engine names it.
fn partitioned(file: &OneFile) -> Result<PartitionedFile> {
    let location = Path::from_absolute_path(&file.path);
    let location = location.map_err(|e| DataFusionError::External(Box::new(e)))?;
    let meta = ObjectMeta {
        location,
        last_modified: Default::default(),
        size: file.bytes,
        e_tag: None,
        version: None,
    };
    let values = file.values.iter();
    let values = values.map(|value| ScalarValue::from(value.as_str()));
    Ok(PartitionedFile::new_from_meta(meta).with_partition_values(values.collect()))
}

/// Does the plan read files?
fn reads_files(plan: &dyn ExecutionPlan) -> bool {
    let own = plan.downcast_ref::<DataSourceExec>().is_some();
    own || plan
        .children()
        .into_iter()
        .any(|below| reads_files(below.as_ref()))
}
