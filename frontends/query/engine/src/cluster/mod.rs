//! Exported runs, asked on a cluster: Apache Ballista's, which takes the plans of the engine that is here, too.
//!
//! A plan is made here, and names the Parquet files; executors read them by the same paths. Only the feature `ballista` brings the client.

#[cfg(not(feature = "ballista"))]
mod absent;
#[cfg(feature = "ballista")]
mod ballista;
#[cfg(feature = "ballista")]
mod serve;

use std::path::PathBuf;

use datafusion::arrow::datatypes::SchemaRef;

#[cfg(not(feature = "ballista"))]
pub use absent::Cluster;
#[cfg(feature = "ballista")]
pub use ballista::Cluster;
#[cfg(feature = "ballista")]
pub use serve::{executor, scheduler};

/// The files of a table, for others to read.
#[cfg_attr(not(feature = "ballista"), allow(dead_code))]
pub(crate) struct Files {
    /// The columns of the table.
    pub(crate) schema: SchemaRef,
    /// Those that are wanted, in this order.
    pub(crate) columns: Vec<usize>,
    /// Columns that the path of a file says, in the order of its values.
    pub(crate) in_path: Vec<&'static str>,
    pub(crate) all: Vec<OneFile>,
}

/// A file, its size in bytes, and what its path says.
#[cfg_attr(not(feature = "ballista"), allow(dead_code))]
pub(crate) struct OneFile {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    pub(crate) values: Vec<String>,
}
