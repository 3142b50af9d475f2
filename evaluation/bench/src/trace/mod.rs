//! `cargo xtask bench trace`: RLESe beside SEQUITUR and zstd on the same sequences (Wang 2007, Tables 3.5 to 3.7).

pub(super) mod codecs;
pub(super) mod columns;
mod kernels;
mod report;

use anyhow::Result;
use clap::Args;
use jinsi_ground::{doctor, repository};

use report::TraceFigures;

/// Options of the benchmark.
#[derive(Args)]
pub struct Arguments {
    /// Print one JSON document on stdout instead of the table
    #[arg(long)]
    json: bool,
    /// How often everything is measured; figures are medians
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Only this kernel; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// The size of all problems as a part of the thesis' sizes; the table of the thesis is for 1
    #[arg(long, default_value_t = 1.0)]
    scale: f64,
}

/// Measures and prints; `false` if something is worse than it has to be.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let jdk = doctor::check(None, &doctor::FOR_DEMO)?;
    let programs = kernels::Programs::compile(&jdk, repository::build_jinsi()?)?;
    let mut report = TraceFigures::new(&jdk, arguments.rounds, arguments.scale);
    for kernel in kernels::chosen(&arguments.only)? {
        let size = kernel.size(arguments.scale);
        eprintln!("{} {size}: recording", kernel.name);
        let recorded = programs.record(kernel, size)?;
        eprintln!(
            "{} {size}: {} symbols in {} sequences",
            kernel.name,
            recorded.symbols(),
            recorded.columns.len()
        );
        report.add(kernel, size, &recorded)?;
    }
    jinsi_ground::report::print(&report, arguments.json)
}
