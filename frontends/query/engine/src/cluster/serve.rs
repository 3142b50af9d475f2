//! Scheduler and executors, for who has no cluster yet. Those that Ballista gives away do as well.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;

use ballista_core::error::BallistaError;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use jinsi_files::private;

use crate::error::QueryError;
use crate::session::runtime;

/// Runs a scheduler that listens there, until it is ended.
///
/// # Errors
/// It cannot listen there.
pub fn scheduler(listen: SocketAddr) -> Result<(), QueryError> {
    let config = SchedulerConfig {
        bind_host: listen.ip().to_string(),
        bind_port: listen.port(),
        ..SchedulerConfig::default()
    };
    let served = runtime()?.block_on(async {
        let cluster = BallistaCluster::new_from_config(&config).await?;
        start_server(cluster, listen, Arc::new(config)).await
    });
    served.map_err(failed)
}

/// Runs an executor of a scheduler, until it is ended. Results lie below `work`, or in a temporary directory, and are fetched from the address
/// `listen`, at a port that is free.
///
/// # Errors
/// There is no scheduler, or nothing can be listened to.
pub fn executor(
    (host, port): (&str, u16),
    listen: IpAddr,
    work: Option<&Path>,
) -> Result<(), QueryError> {
    // Results are as private as what they are of.
    let own;
    let work = match work {
        Some(work) => {
            private::create_dir_all(work).map_err(|e| QueryError::io(work, e))?;
            work
        }
        None => {
            own = tempfile::tempdir().map_err(|e| QueryError::io(std::env::temp_dir(), e))?;
            own.path()
        }
    };
    let [results, grpc] = free(listen)?;
    let config = ExecutorProcessConfig {
        bind_host: listen.to_string(),
        port: results,
        grpc_port: grpc,
        scheduler_host: host.to_owned(),
        scheduler_port: port,
        work_dir: Some(work.display().to_string()),
        ..ExecutorProcessConfig::default()
    };
    let served = runtime()?.block_on(start_executor_process(Arc::new(config)));
    served.map_err(failed)
}

/// Two ports that are free now.
fn free(listen: IpAddr) -> Result<[u16; 2], QueryError> {
    let bound = || TcpListener::bind((listen, 0));
    // Both are held until both are known, so they differ.
    let listeners = bound().and_then(|one| Ok([one, bound()?]));
    let ports = listeners.and_then(|[one, other]| {
        let ports = [one.local_addr()?, other.local_addr()?];
        Ok(ports.map(|address| address.port()))
    });
    ports.map_err(|e| QueryError::Engine(format!("cannot listen at {listen}: {e}")))
}

fn failed(error: BallistaError) -> QueryError {
    QueryError::Engine(error.to_string())
}
