//! Runs one JVM with or without the agent.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;
use jinsi_ground::commands::{agent, info};
use jinsi_jdk::process::{self, Finished};
use jinsi_trace::model::Detail;
use serde::Serialize;
use serde_json::Value;

/// Name of the trace in the directory of a run.
const TRACE: &str = "t.jinsi";

/// The agent, and the command that reads its traces.
#[derive(Clone)]
pub(super) struct Agent {
    jinsi: PathBuf,
    detail: Detail,
}

/// What a recording was like.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Recording {
    /// Size of the trace.
    pub(super) trace_bytes: u64,
    /// Events in it.
    pub(super) events: u64,
    /// Observed classes that were rewritten.
    pub(super) classes_rewritten: u64,
    /// What was not recorded, and why.
    pub(super) classes_skipped: Vec<String>,
    /// What of the trace cannot be read: has to be nothing.
    pub(super) damage: Vec<String>,
}

/// A JVM that has ended.
pub(super) struct Ran {
    /// What it printed, and how it ended.
    pub(super) finished: Finished,
    /// Wall time.
    pub(super) seconds: f64,
}

impl Agent {
    /// The agent beside the `jinsi` command, in the detail that it has by itself.
    pub(super) fn of(jinsi: PathBuf) -> Agent {
        Agent {
            jinsi,
            detail: Detail::Interactions,
        }
    }

    /// The same in this detail.
    pub(super) fn with_detail(&self, detail: Detail) -> Agent {
        Agent {
            detail,
            ..self.clone()
        }
    }

    /// How much it records.
    pub(super) fn detail(&self) -> Detail {
        self.detail
    }

    /// The option that loads the agent, which records into `directory`.
    pub(super) fn option(&self, observe: &str, directory: &Path) -> String {
        let options = format!("observe={observe},detail={}", self.detail);
        agent(&self.jinsi, &options, &directory.join(TRACE))
    }

    /// What is in the trace in `directory`; removes it.
    pub(super) fn recording(&self, directory: &Path) -> Result<Recording> {
        let trace = directory.join(TRACE);
        let info = info(&self.jinsi, &trace)?;
        fs::remove_file(&trace)?;
        let list = |key: &str| info[key].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Ok(Recording {
            trace_bytes: info["bytes"].as_u64().unwrap_or_default(),
            events: info["events"].as_u64().unwrap_or_default(),
            classes_rewritten: info["classes"]["observed"].as_u64().unwrap_or_default(),
            classes_skipped: list("skipped")
                .iter()
                .map(|s| format!("{}: {}", text(&s["class"]), text(&s["reason"])))
                .collect(),
            damage: list("damage").iter().map(text).collect(),
        })
    }
}

/// Runs a command to its end.
pub(super) fn run(command: &mut Command, limit: Duration) -> Result<Ran> {
    let start = Instant::now();
    let finished = process::run(command, limit)?;
    Ok(Ran {
        finished,
        seconds: start.elapsed().as_secs_f64(),
    })
}
