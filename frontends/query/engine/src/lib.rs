//! Recorded runs as tables, asked in SQL.
//!
//! A [`Session`] is over one trace, or over all runs in a directory. The engine is Apache DataFusion. Of a trace, the tables
//! ([`schema`]) are made while they are read, and what a query says of threads, moments, classes and objects keeps rows from being made
//! that nobody wants. Runs that were exported ([`export`]) are Parquet files, which other engines read, too.
//! [`catalogue`] has the queries that have names.

pub mod catalogue;
mod cell;
pub mod cluster;
mod ended_node;
mod error;
pub mod export;
mod exported;
pub mod functions;
pub mod kept;
mod left_out;
pub mod minimal;
mod pass;
mod places;
mod provider;
mod rows;
mod run;
pub mod schema;
mod session;
mod tables;
mod telling;
#[cfg(test)]
mod tests;
mod values;
mod wanted;
mod write;

pub use error::QueryError;
pub use run::{Label, Run};
pub use session::{Answer, Session, statements};
