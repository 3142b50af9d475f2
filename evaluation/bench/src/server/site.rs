//! The server, its clients, and what they are made of.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use anyhow::{Context, Result, ensure};
use jinsi_ground::{commands, repository};
use jinsi_jdk::{Jdk, compile, maven};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use jinsi_ground::figures::median;

/// The application, and what orders from it.
const SHOP: &str = "tests/server/shop";
const LOAD: &str = "tests/server/load";
/// What it stands on. The last one has the defect (LANG-457).
pub(super) const ARTIFACTS: [&str; 3] = [
    "org.apache.tomcat.embed:tomcat-embed-core:10.1.13",
    "org.apache.tomcat:tomcat-annotations-api:10.1.13",
    "commons-lang:commons-lang:2.3",
];
/// How the server is recorded, but for the sizes and the file. `fail` is the manual's recipe for what a servlet lets pass.
pub(super) const OPTIONS: &str = "observe=shop.*:org.apache.commons.lang.*,exclude=shop.Server,detail=boundary,on=failure,\
    fail=java.lang.RuntimeException:jakarta.servlet.ServletException,at-max=window";
/// The heap is there from the beginning, so that what the process grows by is something else.
const JVM: [&str; 3] = ["-Xms192m", "-Xmx192m", "-XX:+AlwaysPreTouch"];
/// A quantity without digits.
const BAD_ORDER: &str = "/order?customer=ann&lines=apple:2,pear:l";
/// Seconds until the clients are fast.
const WARM_UP: &str = "1.5";
/// Requests at a time.
const CONNECTIONS: &str = "4";

/// All that is needed to run the server.
pub(super) struct Site {
    pub(super) jdk: Jdk,
    pub(super) jinsi: PathBuf,
    pub(super) max_size: u64,
    class_path: std::ffi::OsString,
    load: PathBuf,
    /// Classes and traces.
    pub(super) directory: TempDir,
}

/// What clients have measured.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(super) struct Load {
    pub(super) requests: u64,
    /// Answers other than 200, and connections that broke.
    pub(super) errors: u64,
    pub(super) seconds: f64,
    pub(super) p50_us: f64,
    pub(super) p99_us: f64,
}

impl Load {
    /// Of slices: the times are the medians of theirs.
    pub(super) fn of(slices: &[Load]) -> Self {
        Self {
            requests: slices.iter().map(|l| l.requests).sum(),
            errors: slices.iter().map(|l| l.errors).sum(),
            seconds: slices.iter().map(|l| l.seconds).sum(),
            p50_us: median(slices.iter().map(|l| l.p50_us).collect()),
            p99_us: median(slices.iter().map(|l| l.p99_us).collect()),
        }
    }

    /// Requests a second.
    pub(super) fn throughput(&self) -> f64 {
        self.requests as f64 / self.seconds
    }
}

/// A running server; killed when dropped.
pub(super) struct Server {
    pub(super) child: Child,
    /// It ends when this does.
    _input: Option<ChildStdin>,
    port: u16,
    /// Its trace, if it is recorded.
    pub(super) trace: Option<PathBuf>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Server {
    /// Ends it as `kill -9` does.
    pub(super) fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Site {
    pub(super) fn prepare(jdk: Jdk, max_size: u64) -> Result<Self> {
        let jinsi = repository::build_jinsi()?;
        let directory = tempfile::tempdir()?;
        let (shop, load) = (directory.path().join("shop"), directory.path().join("load"));
        let jars = maven::fetch(&ARTIFACTS)?;
        compile::javac(&jdk, &repository::java_sources(SHOP)?, &jars, &shop)?;
        compile::javac(&jdk, &repository::java_sources(LOAD)?, &[], &load)?;
        Ok(Self {
            class_path: std::env::join_paths(std::iter::once(&shop).chain(&jars))?,
            jdk,
            jinsi,
            max_size,
            load,
            directory,
        })
    }

    /// Starts the server as it is.
    pub(super) fn start(&self) -> Result<Server> {
        self.start_with(None)
    }

    /// Starts the server with the agent; the trace gets this name.
    pub(super) fn start_recorded(&self, trace: &str) -> Result<Server> {
        self.start_with(Some(self.directory.path().join(trace)))
    }

    fn start_with(&self, trace: Option<PathBuf>) -> Result<Server> {
        let mut command = self.jdk.command();
        if let Some(trace) = &trace {
            let options = format!("{OPTIONS},max-size={}", self.max_size);
            command.arg(commands::agent(&self.jinsi, &options, trace));
        }
        let mut child = command
            .args(JVM)
            .arg("-cp")
            .arg(&self.class_path)
            .arg("shop.Server")
            .current_dir(self.directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("cannot start the server")?;
        let input = child.stdin.take();
        let mut line = String::new();
        if let Some(output) = child.stdout.take() {
            BufReader::new(output).read_line(&mut line)?;
        }
        let mut server = Server {
            child,
            _input: input,
            port: 0,
            trace,
        };
        let port = line.trim().strip_prefix("port ");
        server.port = port
            .and_then(|port| port.parse().ok())
            .with_context(|| format!("the server does not say its port, but {line:?}"))?;
        Ok(server)
    }

    /// Clients that order for so many seconds: `rate` times a second, or as often as they can if that is 0.
    pub(super) fn load(&self, server: &Server, seconds: f64, rate: f64) -> Result<Child> {
        self.client(server)
            .args([
                CONNECTIONS,
                WARM_UP,
                &seconds.to_string(),
                &rate.to_string(),
            ])
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the clients")
    }

    /// What the clients say in the end.
    pub(super) fn measured(&self, clients: Child) -> Result<Load> {
        let output = clients.wait_with_output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let load: Load = serde_json::from_str(text.trim())
            .with_context(|| format!("the clients say {text:?}"))?;
        ensure!(load.requests > 0, "not one request was answered");
        Ok(load)
    }

    /// [`Site::load`] to its end.
    pub(super) fn loaded(&self, server: &Server, seconds: f64, rate: f64) -> Result<Load> {
        self.measured(self.load(server, seconds, rate)?)
    }

    /// Places the order that the library's defect lets fail; the status of the answer.
    pub(super) fn order_badly(&self, server: &Server) -> Result<String> {
        let output = self.client(server).arg(BAD_ORDER).output()?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn client(&self, server: &Server) -> Command {
        let mut command = self.jdk.command();
        command
            .arg("-Xmx128m")
            .arg("-cp")
            .arg(&self.load)
            .args(["load.Load", &server.port.to_string()]);
        command
    }
}

/// Bytes that a file takes on the disk: what was dropped from it are holes.
pub(super) fn allocated(file: &Path) -> Result<u64> {
    let metadata = std::fs::metadata(file).with_context(|| format!("{}", file.display()))?;
    Ok(jinsi_platform::space::taken(&metadata))
}
