//! `cargo xtask bench server`: an embedded Tomcat that is recorded for as long as wanted, in a file that does not grow; what that costs;
//! and the failure of one request, minimized elsewhere from what was mailed.

mod endurance;
mod failure;
mod pairs;
mod report;
mod site;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use jinsi_ground::doctor;

use jinsi_ground::report::Judged;
use report::ServerFigures;
use site::Site;

/// Bytes that a trace may have, beside its staging area: so few that its beginning is dropped many times.
const MAX_SIZE: u64 = 4 << 20;

/// Options of the benchmark.
#[derive(Args)]
pub struct Arguments {
    /// Print one JSON document on stdout instead of text
    #[arg(long)]
    json: bool,
    /// How long the recorded server is under load, in minutes
    #[arg(long, default_value_t = 30.0)]
    minutes: f64,
    /// Requests a second meanwhile, and where latency is compared
    #[arg(long, default_value_t = 400.0)]
    rate: f64,
    /// Pairs of measurements, plain and recorded in turn
    #[arg(long, default_value_t = 7)]
    pairs: usize,
    /// Length of each measurement in seconds
    #[arg(long, default_value_t = 4.0)]
    seconds: f64,
    /// The JDK to use instead of JAVA_HOME or the `java` on the PATH: its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
}

/// Measures and prints; `false` if a figure is not what it has to be.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let jdk = doctor::check(arguments.java.as_deref(), &doctor::FOR_DEMO)?;
    let site = Site::prepare(jdk, MAX_SIZE)?;
    eprintln!("throughput and latency");
    let pairs = pairs::measure(&site, arguments.pairs, arguments.seconds, arguments.rate)?;
    eprintln!("killed while a request fails");
    let killed = failure::killed(&site)?;
    eprintln!("{} minutes under load", arguments.minutes);
    let time = Duration::from_secs_f64(arguments.minutes * 60.0);
    let mut server = site.start_recorded("endless.jinsi")?;
    let endurance = endurance::measure(&site, &mut server, time, arguments.rate)?;
    eprintln!("a request fails");
    let failed = failure::packed(&site, server, arguments.rate)?;
    let figures = ServerFigures::new(&site, pairs, endurance, failed, killed);
    jinsi_ground::report::print(&Judged::of(figures), arguments.json)
}
