//! Services of every kind are recorded at the boundary under load, and one request fails: what is left of each run is the service's own call.

mod manifest;
pub(crate) mod minimized;
mod report;
mod site;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use jinsi_ground::{commands, doctor};
use jinsi_jdk::Jdk;

use manifest::{Manifest, Service};
use minimized::Minimized;
use report::{ServiceReport, ServicesReport};
use site::{Load, Site};

/// What is run, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
    /// Only these services (repeat it for several)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// JDK to run and minimize with (default: the oldest found): its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
    /// The `jinsi` command, with the agent beside it, instead of the one that is built
    #[arg(long, value_name = "PATH")]
    jinsi: Option<PathBuf>,
    /// Requests of each service
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    requests: u32,
    /// Seconds that minimizing may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    limit: u64,
    /// How much is recorded
    #[arg(long, value_name = "DETAIL", default_value = "boundary")]
    detail: String,
    /// Keep traces and reports in this directory
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// Runs the services; false if one does not hold.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let manifest = Manifest::read()?;
    let runs = manifest.wanted(&arguments.only)?;
    let jdks = Jdks::find(arguments)?;
    let jinsi = commands::jinsi(arguments.jinsi.as_deref(), "release")?;
    let mut results = Vec::new();
    for run in runs {
        let mut one = judged(arguments, run, &jdks, &jinsi);
        one.judge(run);
        eprintln!("{}", jinsi_ground::report::brief(&one));
        results.push(one);
    }
    let java = jdks.usual.version().to_string();
    let report = ServicesReport::new(java, arguments.detail.clone(), arguments.requests, results);
    jinsi_ground::report::print(&report, arguments.json)
}

/// The JDKs that services run on.
struct Jdks {
    usual: Jdk,
    /// All others, the oldest first.
    others: Vec<Jdk>,
}

impl Jdks {
    fn find(arguments: &Arguments) -> Result<Self> {
        let mut others = doctor::usable_jdks()?;
        let usual = doctor::jdk_or_oldest(arguments.java.as_deref())?;
        others.sort_by_key(|jdk| jdk.version().feature);
        Ok(Self { usual, others })
    }

    /// The one for a service that needs Java of this release, or a later one.
    fn for_release(&self, release: u32) -> Result<&Jdk> {
        std::iter::once(&self.usual)
            .chain(&self.others)
            .find(|jdk| jdk.version().feature >= release)
            .with_context(|| format!("there is no JDK {release} or later"))
    }
}

/// Runs a service, records it and minimizes that.
fn judged(arguments: &Arguments, run: &Service, jdks: &Jdks, jinsi: &Path) -> ServiceReport {
    let mut report = ServiceReport::of(run, arguments.requests);
    if let Err(error) = fill(&mut report, arguments, run, jdks, jinsi) {
        report.why = Some(format!("{error:#}"));
    }
    report
}

fn fill(
    report: &mut ServiceReport,
    arguments: &Arguments,
    run: &Service,
    jdks: &Jdks,
    jinsi: &Path,
) -> Result<()> {
    let jdk = jdks.for_release(run.java)?;
    report.java = jdk.version().to_string();
    let site = Site::prepare(run, jdk, jinsi)?;
    let (plain, seconds) = timed(|| site.plain(arguments.requests))?;
    report.plain_seconds = seconds;
    let trace = site.trace();
    let (recorded, seconds) =
        timed(|| site.recorded(arguments.requests, &arguments.detail, &trace))?;
    report.recorded_seconds = seconds;
    report.loaded(&plain, &recorded);
    report.trace_bytes = std::fs::metadata(&trace)?.len();
    kept(arguments, |keep| {
        let to = keep.join(format!("{}.jinsi", run.name));
        Ok(std::fs::copy(&trace, to).map(|_| ())?)
    })?;
    let out = match &arguments.keep {
        Some(keep) => std::path::absolute(keep)?.join(&run.name),
        None => site.directory.path().join("report"),
    };
    let limit = Duration::from_secs(arguments.limit);
    report.minimized(Minimized::of(jinsi, jdk, &trace, &out, limit, &[])?);
    Ok(())
}

/// Does something with the directory in which traces are kept, if there is one.
fn kept(arguments: &Arguments, work: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let Some(keep) = &arguments.keep else {
        return Ok(());
    };
    std::fs::create_dir_all(keep)?;
    work(keep)
}

/// What comes of something, and how many seconds it takes.
fn timed(work: impl FnOnce() -> Result<Load>) -> Result<(Load, f64)> {
    let began = Instant::now();
    let load = work()?;
    Ok((load, began.elapsed().as_secs_f64()))
}
