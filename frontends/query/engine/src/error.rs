//! Why a query has no answer.

use std::path::PathBuf;
use std::sync::Arc;

use datafusion::error::DataFusionError;
use jinsi_history::TooLong;
use jinsi_inspect::InspectError;
use jinsi_trace::model::Detail;
use jinsi_trace::reader::ReadError;

/// Why a query has no answer.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum QueryError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    TooLong(#[from] TooLong),
    #[error(transparent)]
    Inspect(#[from] InspectError),
    #[error(
        "the table {table} needs every instruction, and the trace has detail={detail}; replay it first: jinsi expand FILE -o STATES --detail states"
    )]
    Detail { table: &'static str, detail: Detail },
    #[error("no run has the table {0}, which needs a recording with --detail states")]
    Lacking(&'static str),
    #[error("{}: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The run cannot be read as calls and objects; that was found out when it was first asked for.
    #[error("{0}")]
    Begun(Arc<QueryError>),
    #[error("{0}")]
    Engine(String),
    #[error("{0}")]
    Usage(String),
    #[error("no runs in {}: neither exported ones nor traces", .0.display())]
    NoRuns(PathBuf),
}

impl QueryError {
    pub(crate) fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        let path = path.into();
        Self::Io { path, source }
    }
}

impl From<DataFusionError> for QueryError {
    fn from(error: DataFusionError) -> Self {
        // What a table said of itself comes through the engine as it was.
        if let DataFusionError::External(inner) = error.find_root()
            && let Some(known) = inner.downcast_ref::<QueryError>()
        {
            return match known {
                Self::Usage(text) => Self::Usage(text.clone()),
                other => Self::Engine(other.to_string()),
            };
        }
        let text = error.strip_backtrace();
        Self::Engine(text.trim_end().to_owned())
    }
}
