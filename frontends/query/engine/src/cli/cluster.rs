//! `jinsi-query scheduler` and `jinsi-query executor`: a cluster.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use jinsi_query::cluster;

use super::output::{note, usage};

/// Options of `scheduler`.
#[derive(Args)]
pub(super) struct Scheduler {
    /// Listen here. Who can connect can have any file read that executors can
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:50050")]
    listen: SocketAddr,
}

/// Options of `executor`.
#[derive(Args)]
pub(super) struct Executor {
    /// The scheduler
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
    scheduler: String,
    /// Give results away at this address
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Keep results in this directory, instead of a temporary one
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,
}

impl Scheduler {
    pub(super) fn run(&self) -> Result<bool> {
        note(&format!("scheduler at {}", self.listen));
        cluster::scheduler(self.listen)?;
        Ok(true)
    }
}

impl Executor {
    pub(super) fn run(&self) -> Result<bool> {
        let parts = self.scheduler.rsplit_once(':');
        let parts = parts.and_then(|(host, port)| Some((host, port.parse().ok()?)));
        let Some(scheduler) = parts else {
            let text = format!("not the address of a scheduler: {}", self.scheduler);
            return Err(usage(text));
        };
        note(&format!("executor of {}", self.scheduler));
        cluster::executor(scheduler, self.listen, self.work.as_deref())?;
        Ok(true)
    }
}
