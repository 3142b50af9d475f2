//! What `jinsi where` tells of a recording, read from its document.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_jdk::process;
use jinsi_locate::Place;
use jinsi_locate::rank::{Clue, Kind};
use serde::Deserialize;

use super::EvaluationSetup;

/// Who says what is possible.
pub(super) const SOLVER: &str = "z3";
/// Time for it.
const LIMIT: Duration = Duration::from_secs(300);

/// Of the document what counts here.
#[derive(Debug, Deserialize)]
pub(super) struct WhereReport {
    pub(super) lines: Vec<ReportedLine>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ReportedLine {
    pub(super) class: String,
    pub(super) line: u16,
    pub(super) file: Option<String>,
    clues: Vec<ReportedClue>,
}

#[derive(Debug, Deserialize)]
struct ReportedClue {
    kind: Kind,
    strength: f64,
    why: String,
}

impl ReportedLine {
    pub(super) fn place(&self) -> Place {
        Place {
            class: self.class.clone(),
            line: self.line,
        }
    }

    pub(super) fn clues(&self) -> impl Iterator<Item = Clue> {
        self.clues.iter().map(|clue| Clue {
            place: self.place(),
            kind: clue.kind,
            strength: clue.strength,
            why: clue.why.clone(),
        })
    }
}

impl WhereReport {
    /// What is reported of this trace, with the report if there is one. The document is kept beside it.
    pub(super) fn of(
        ground: &EvaluationSetup,
        trace: &Path,
        report: Option<&Path>,
    ) -> Result<Self> {
        Self::asked(ground, (trace, "where.json"), report, &[])
    }

    /// The same, where a solver says which turned decisions are possible.
    pub(super) fn possible(ground: &EvaluationSetup, trace: &Path) -> Result<Self> {
        let options = ["--solver", SOLVER];
        Self::asked(ground, (trace, "possible.json"), None, &options)
    }

    fn asked(
        ground: &EvaluationSetup,
        (trace, kept): (&Path, &str),
        report: Option<&Path>,
        options: &[&str],
    ) -> Result<Self> {
        let kept = trace.with_extension(kept);
        if !kept.exists() {
            let mut command = Command::new(&ground.jinsi);
            command
                .env("JAVA_HOME", ground.jdk.home())
                .args(["--json", "where"])
                .arg(trace)
                .args(options);
            if let Some(report) = report {
                command.arg("--report").arg(report);
            }
            let done = process::run(&mut command, LIMIT)?;
            ensure!(done.status.success(), "jinsi where: {}", done.stderr);
            fs::write(&kept, &done.stdout)?;
        }
        let text = fs::read_to_string(&kept)?;
        serde_json::from_str(&text).context("the document of jinsi where")
    }
}
