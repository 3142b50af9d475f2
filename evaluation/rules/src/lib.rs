//! `cargo xtask rules`: the published rules of JavaTA over the facts of runs, beside jinsi's queries over the same runs.

mod compare;
mod program_generator;
mod record;

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use jinsi_ground::report::{Findings, brief, print};
use jinsi_ground::{doctor, repository};
use serde::Serialize;

use compare::{Compared, Engines};

/// Options.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only these: `example`, `made`, or the bug of this name; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Programs that are generated
    #[arg(long, value_name = "COUNT", default_value_t = 5)]
    programs: u64,
    /// Moments that are asked about in each run, at most
    #[arg(long, value_name = "COUNT", default_value_t = 60)]
    moments: usize,
    /// Profile in which jinsi is built
    #[arg(long, value_name = "PROFILE", default_value = "dev")]
    profile: String,
    /// Print one JSON document on stdout
    #[arg(long)]
    json: bool,
}

/// Bugs of the corpus whose runs are small enough for rules that go through all facts for each goal.
const BUGS: [&str; 5] = ["cli133", "codec89", "lang457", "lang788", "math209"];

#[derive(Serialize)]
struct ComparedRun {
    run: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<Compared>,
}

#[derive(Serialize)]
struct Document {
    rows: Vec<ComparedRun>,
    holds: bool,
}

/// Compares all runs; `false` if one has another answer.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let has_prolog = Command::new("swipl").arg("--version").output().is_ok();
    ensure!(
        has_prolog,
        "there is no SWI-Prolog here: apt-get install swi-prolog-nox"
    );
    let jdk = doctor::check(None, &doctor::FOR_TESTS)?;
    let engines = Engines {
        jinsi: repository::build_jinsi_in(&arguments.profile)?,
        query: repository::build_query_with(&arguments.profile, &[])?,
        moments: arguments.moments,
    };
    let is_wanted =
        |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|n| n == name);
    let recorder = record::Recorder {
        jdk: &jdk,
        jinsi: &engines.jinsi,
    };
    let mut rows = Vec::new();
    if is_wanted("example") {
        rows.push(row("example", &engines, |place| recorder.example(place)));
    }
    for seed in (0..arguments.programs).filter(|_| is_wanted("made")) {
        let name = format!("made-{seed}");
        rows.push(row(&name, &engines, |place| recorder.made(place, seed)));
    }
    for bug in BUGS.into_iter().filter(|bug| is_wanted(bug)) {
        rows.push(row(bug, &engines, |place| recorder.bug(place, bug)));
    }
    ensure!(!rows.is_empty(), "nothing is called so");
    let holds = rows
        .iter()
        .all(|row| row.compared.as_ref().is_some_and(Compared::is_equal));
    print(&Document { rows, holds }, arguments.json)
}

impl Findings for Document {
    const LONG: &'static [&'static str] = &["rows"];

    fn holds(&self) -> bool {
        self.holds
    }
}

fn row(
    name: &str,
    engines: &Engines,
    record: impl FnOnce(&Path) -> Result<std::path::PathBuf>,
) -> ComparedRun {
    let compared = tempfile::tempdir().map_err(Into::into).and_then(|place| {
        let trace = record(place.path())?;
        engines.compare(&trace, place.path())
    });
    let row = ComparedRun {
        run: name.to_owned(),
        failed: compared.as_ref().err().map(|error| format!("{error:#}")),
        compared: compared.ok(),
    };
    eprintln!("{}", brief(&row));
    row
}
