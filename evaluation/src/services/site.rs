//! Runs a service, plain and recorded.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_ground::commands;
use jinsi_jdk::{Jdk, process};
use serde::Deserialize;
use tempfile::TempDir;

use super::manifest::Service;

/// Time for one run; each takes some seconds.
const LIMIT: Duration = Duration::from_secs(300);
/// Name of the trace in a service's directory.
const TRACE: &str = "t.jinsi";

/// A compiled service.
pub(super) struct Site<'a> {
    run: &'a Service,
    jdk: &'a Jdk,
    jinsi: PathBuf,
    class_path: OsString,
    /// Classes and trace.
    pub(super) directory: TempDir,
}

/// What the clients say in the end.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Load {
    /// Good requests that were to be made.
    pub(super) requests: u32,
    /// Of these, those that were answered as they should be.
    pub(super) answered: u32,
    /// Of these, others.
    pub(super) errors: u32,
    /// Bad requests of which the service said that they failed.
    pub(super) failed: u32,
}

impl<'a> Site<'a> {
    /// Compiles a service for a JDK; the agent is beside the `jinsi` command.
    pub(super) fn prepare(run: &'a Service, jdk: &'a Jdk, jinsi: &Path) -> Result<Self> {
        let directory = tempfile::tempdir()?;
        let classes = directory.path().join("classes");
        let class_path = commands::compiled(jdk, &run.sources, &run.needs, &classes)?;
        Ok(Self {
            run,
            jdk,
            jinsi: jinsi.to_owned(),
            class_path: std::env::join_paths(class_path)?,
            directory,
        })
    }

    /// Where the trace of a recorded run is.
    pub(super) fn trace(&self) -> PathBuf {
        self.directory.path().join(TRACE)
    }

    /// So many requests without the agent.
    pub(super) fn plain(&self, requests: u32) -> Result<Load> {
        self.loaded(requests, None)
    }

    /// So many requests with it.
    pub(super) fn recorded(&self, requests: u32, detail: &str, trace: &Path) -> Result<Load> {
        let Service { observe, fail, .. } = self.run;
        let options = format!("observe={observe},detail={detail},on=failure,fail={fail}");
        let option = commands::agent(&self.jinsi, &options, trace);
        let load = self.loaded(requests, Some(option))?;
        ensure!(trace.is_file(), "no failure was recorded");
        Ok(load)
    }

    fn loaded(&self, requests: u32, agent: Option<String>) -> Result<Load> {
        let mut command: Command = self.jdk.command();
        command
            .current_dir(self.directory.path())
            .args(agent)
            .args(&self.run.jvm)
            .arg("-cp")
            .arg(&self.class_path)
            .arg(&self.run.main)
            .arg(requests.to_string());
        let finished = process::run(&mut command, LIMIT)?;
        let line = finished.stdout.lines().last().unwrap_or_default();
        serde_json::from_str(line).with_context(|| {
            let said = finished.stderr.lines().last().unwrap_or_default();
            format!("the clients say {line:?}, the JVM {said:?}")
        })
    }
}
