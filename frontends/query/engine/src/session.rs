//! A session: tables that are asked in SQL.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::collect;
use datafusion::prelude::{DataFrame, SQLOptions, SessionConfig, SessionContext};
use tokio::runtime::Runtime;

use crate::cluster::Cluster;
use crate::error::QueryError;
use crate::exported::Exported;
use crate::functions;
use crate::left_out::LeftOut;
use crate::provider::OverRuns;
use crate::run::Run;
use crate::schema::Table;

/// Memory that a query may take before it uses the disk, in bytes.
const MEMORY: usize = 1 << 30;
/// Names of tables.
const SCHEMA: &str = "public";

/// Tables, and an engine over them.
pub struct Session {
    context: SessionContext,
    runtime: Runtime,
    left_out: LeftOut,
    several: bool,
    /// Who is asked, if it is not this program, and the runs.
    cluster: Option<(Cluster, Exported)>,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The columns.
    pub schema: SchemaRef,
    /// The rows.
    pub batches: Vec<RecordBatch>,
}

impl Answer {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Session {
    /// Over one trace; or over all runs in a directory, exported ones or traces.
    ///
    /// # Errors
    /// There is nothing that can be read.
    pub fn open(path: &Path) -> Result<Self, QueryError> {
        if !path.is_dir() {
            return Self::of(vec![Run::open(path)?]);
        }
        let session = Self::new(true, None)?;
        let exported = Exported::find(path, &session.left_out)?;
        if !exported.is_empty() {
            session.register_exported(&exported)?;
            return Ok(session);
        }
        let mut runs = Vec::new();
        for file in traces(path)? {
            match Run::open(&file) {
                Ok(run) => runs.push(run),
                Err(error) => session
                    .left_out
                    .add(&file.display().to_string(), &error.to_string()),
            }
        }
        if runs.is_empty() {
            return Err(QueryError::NoRuns(path.to_owned()));
        }
        session.register(runs)?;
        Ok(session)
    }

    /// Over all exported runs in a directory, which a cluster reads.
    ///
    /// # Errors
    /// There are none.
    pub fn on_cluster(path: &Path, cluster: Cluster) -> Result<Self, QueryError> {
        let mut session = Self::new(true, Some(&cluster))?;
        let none = || {
            let path = path.display();
            QueryError::Usage(format!(
                "{path} has no exported runs, which is what a cluster can be asked about: jinsi export --parquet DIR FILE…"
            ))
        };
        if !path.is_dir() {
            return Err(none());
        }
        let exported = Exported::find(path, &session.left_out)?;
        if exported.is_empty() {
            return Err(none());
        }
        let exported = exported.on(Some(cluster.clone()));
        session.register_exported(&exported)?;
        session.cluster = Some((cluster, exported));
        Ok(session)
    }

    fn register_exported(&self, exported: &Exported) -> Result<(), QueryError> {
        for table in Table::ALL {
            let over = Arc::new(exported.table(table));
            self.context.register_table(table.name(), over)?;
        }
        Ok(())
    }

    /// Over these runs.
    ///
    /// # Errors
    /// The engine cannot be started.
    pub fn of(runs: Vec<Run>) -> Result<Self, QueryError> {
        let session = Self::new(runs.len() > 1, None)?;
        session.register(runs)?;
        Ok(session)
    }

    fn new(several: bool, cluster: Option<&Cluster>) -> Result<Self, QueryError> {
        let config = with_names(SessionConfig::new());
        let config = match cluster {
            Some(cluster) => cluster.configured(config),
            None => config,
        };
        let memory =
            RuntimeEnvBuilder::new().with_memory_pool(Arc::new(FairSpillPool::new(MEMORY)));
        let context = SessionContext::new_with_config_rt(config, memory.build_arc()?);
        Ok(Self {
            context,
            runtime: runtime()?,
            left_out: LeftOut::default(),
            several,
            cluster: None,
        })
    }

    fn register(&self, runs: Vec<Run>) -> Result<(), QueryError> {
        let reported = runs.into_iter().map(|run| run.noted_in(&self.left_out));
        let runs: Vec<Arc<Run>> = reported.map(Arc::new).collect();
        for function in functions::ALL {
            let run = match runs.as_slice() {
                [run] => Some(Arc::clone(run)),
                _ => None,
            };
            let over = functions::OverRun {
                function: *function,
                run,
            };
            self.context.register_udtf(function.name, Arc::new(over));
        }
        for table in Table::ALL {
            let runs = runs.clone();
            let left_out = self.several.then(|| self.left_out.clone());
            let over = OverRuns {
                table,
                runs,
                left_out,
            };
            self.context.register_table(table.name(), Arc::new(over))?;
        }
        Ok(())
    }

    /// Has other rows in a table.
    #[cfg(test)]
    pub(crate) fn replace(
        &self,
        table: Table,
        rows: &[Vec<crate::cell::Cell<'static>>],
    ) -> Result<(), QueryError> {
        let columns: Vec<_> = (table.columns().iter().map(|c| (c.name, c.of))).collect();
        let batch = functions::batch(&columns, rows)?;
        let over = datafusion::catalog::MemTable::try_new(batch.schema(), vec![vec![batch]])?;
        self.context.deregister_table(table.name())?;
        self.context.register_table(table.name(), Arc::new(over))?;
        Ok(())
    }

    /// Are several runs asked?
    pub fn is_of_several(&self) -> bool {
        self.several
    }

    /// What was left out since this was asked last, and why.
    pub fn notes(&self) -> Vec<String> {
        self.left_out.news()
    }

    /// Asks. Only questions are answered: nothing that writes files or reads others.
    ///
    /// # Errors
    /// It is no query, or it cannot be computed.
    pub fn ask(&self, sql: &str) -> Result<Answer, QueryError> {
        self.ask_first(sql, None)
    }

    /// The same; of the rows, so many at most.
    ///
    /// # Errors
    /// It is no query, or it cannot be computed.
    pub fn ask_first(&self, sql: &str, most: Option<usize>) -> Result<Answer, QueryError> {
        loop {
            let before = self.left_out.count();
            let asked = self.runtime.block_on(self.once(sql, most));
            // Others do not say which of the files it was.
            if let (Err(_), Some((_, exported))) = (&asked, &self.cluster) {
                exported.examine();
            }
            // A run among others was found damaged while it was read: what it had reported already must not count.
            if self.left_out.count() == before {
                return asked;
            }
        }
    }

    async fn once(&self, sql: &str, most: Option<usize>) -> Result<Answer, QueryError> {
        let plan = self.context.state().create_logical_plan(sql).await?;
        refuse_writing(&plan)?;
        // What is wrapped in something else, too.
        let reading = SQLOptions::new()
            .with_allow_dml(false)
            .with_allow_statements(false);
        reading.verify_plan(&plan)?;
        // Plans that are explained are rows, and can be no part of others.
        let explained = matches!(plan, LogicalPlan::Explain(_) | LogicalPlan::Analyze(_));
        let mut frame = self.context.execute_logical_plan(plan).await?;
        if most.is_some() && !explained {
            frame = frame.limit(0, most)?;
        }
        let schema = Arc::new(frame.schema().as_arrow().clone());
        let batches = match &self.cluster {
            Some((cluster, _)) => self.collect_on(cluster, frame).await?,
            None => frame.collect().await?,
        };
        Ok(Answer { schema, batches })
    }

    /// What a cluster answers; this program, where the plan cannot be sent to others.
    async fn collect_on(
        &self,
        cluster: &Cluster,
        frame: DataFrame,
    ) -> Result<Vec<RecordBatch>, QueryError> {
        let tasks = Arc::new(frame.task_ctx());
        let plan = frame.create_physical_plan().await?;
        match cluster.run(Arc::clone(&plan), &self.context).await? {
            Some(batches) => Ok(batches),
            None => Ok(collect(plan, tasks).await?),
        }
    }

    /// Makes views and whatever else a file of statements says, each ended by a semicolon at a line's end.
    ///
    /// # Errors
    /// One of them is wrong: it is named.
    pub fn run_file(&self, file: &Path) -> Result<(), QueryError> {
        let text = std::fs::read_to_string(file).map_err(|e| QueryError::io(file, e))?;
        for statement in statements(&text) {
            self.ask(&statement).map_err(|error| {
                let head = statement
                    .lines()
                    .find(|line| !line.trim_start().starts_with("--"));
                let head = head.unwrap_or_default().trim();
                QueryError::Usage(format!("{}: {head}: {error}", file.display()))
            })?;
        }
        Ok(())
    }
}

/// What tables are called in.
fn with_names(config: SessionConfig) -> SessionConfig {
    config
        .with_default_catalog_and_schema("jinsi", SCHEMA)
        .with_information_schema(true)
}

pub(crate) fn runtime() -> Result<Runtime, QueryError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    runtime.map_err(|e| QueryError::Engine(e.to_string()))
}

/// The traces in a directory, by name.
fn traces(directory: &Path) -> Result<Vec<PathBuf>, QueryError> {
    let entries = std::fs::read_dir(directory).map_err(|e| QueryError::io(directory, e))?;
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut traces: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|e| e == "jinsi"))
        .collect();
    traces.sort();
    Ok(traces)
}

/// The engine can write files and take in others: a query must not.
fn refuse_writing(plan: &LogicalPlan) -> Result<(), QueryError> {
    use datafusion::logical_expr::DdlStatement;
    let what = match plan {
        LogicalPlan::Copy(_) => "COPY",
        LogicalPlan::Dml(_) => "INSERT, UPDATE and DELETE",
        LogicalPlan::Ddl(DdlStatement::CreateView(_) | DdlStatement::DropView(_)) => return Ok(()),
        LogicalPlan::Ddl(_) => "what creates or drops anything but views",
        _ => return Ok(()),
    };
    Err(QueryError::Usage(format!(
        "{what} is not allowed: runs are only read"
    )))
}

/// The statements of a text, each ended by a semicolon at a line's end.
pub fn statements(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut statement = String::new();
    for line in text.lines() {
        statement.push_str(line);
        statement.push('\n');
        if line.trim_end().ends_with(';') {
            all.push(std::mem::take(&mut statement));
        }
    }
    all.push(statement);
    let empty = |statement: &String| {
        let mut lines = statement.lines().map(str::trim);
        lines.all(|line| line.is_empty() || line.starts_with("--"))
    };
    all.retain(|statement| !empty(statement));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_end_with_semicolons() {
        let text = "-- a; b\nselect 1;\n\nselect\n  2;\nselect 3\n";
        let expected = ["-- a; b\nselect 1;\n", "\nselect\n  2;\n", "select 3\n"];
        assert_eq!(statements(text), expected);
        assert!(statements("\n-- nothing\n").is_empty());
    }
}
