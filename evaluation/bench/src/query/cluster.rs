//! A cluster on this machine: a scheduler, and executors.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// How long a scheduler may take to listen.
const LIMIT: Duration = Duration::from_secs(30);
/// How often it is tried.
const POLL: Duration = Duration::from_millis(50);

/// The processes of a cluster, which end with it.
pub(super) struct Cluster {
    address: String,
    processes: Vec<Child>,
}

impl Cluster {
    /// Starts a scheduler and so many executors of `jinsi-query`. What they keep is in `place`.
    pub(super) fn started(query: &Path, executors: usize, place: &Path) -> Result<Self> {
        let free = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let mut cluster = Self {
            address: free.to_string(),
            processes: Vec::new(),
        };
        let address = cluster.address.clone();
        cluster.start(Command::new(query).args(["scheduler", "--listen", &address]))?;
        let begin = Instant::now();
        while TcpStream::connect(free).is_err() {
            ensure!(begin.elapsed() < LIMIT, "the scheduler does not listen");
            thread::sleep(POLL);
        }
        for no in 0..executors {
            let work = place.join(format!("executor-{no}"));
            std::fs::create_dir_all(&work)?;
            let mut executor = Command::new(query);
            executor.args(["executor", "--scheduler", &address, "--work"]);
            cluster.start(executor.arg(work))?;
        }
        Ok(cluster)
    }

    fn start(&mut self, command: &mut Command) -> Result<()> {
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let process = command.stderr(Stdio::null()).spawn();
        self.processes
            .push(process.context("cannot start jinsi-query")?);
        Ok(())
    }

    /// Where the scheduler listens.
    pub(super) fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for process in &mut self.processes {
            // It may have ended by itself.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
