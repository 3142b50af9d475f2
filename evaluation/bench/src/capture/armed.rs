//! Cost of waiting for a failure (`arm=failure`): each program runs as it is, and with the agent while nothing is recorded, in pairs.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use jinsi_ground::commands;
use jinsi_ground::figures::median;
use jinsi_ground::report::Findings;
use jinsi_jdk::Jdk;
use serde::Serialize;

use super::programs::{Compiled, PROGRAMS, Program};
use super::report::Machine;
use super::tools::{Tool, Toolbox};
use super::{Bench, printed_seconds};

/// How many times as long as without the agent the work may take.
const MOST: f64 = 1.01;
/// Chance of error of the test that says it takes longer.
const ERROR: f64 = 0.05;

/// What is measured, and how often.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
    /// Only these programs (repeat it for several)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Pairs of runs of each program, the one without the agent first in every other pair
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    pairs: u16,
    /// Little work, one pair, jinsi not optimized: a smoke test whose figures mean nothing
    #[arg(long)]
    quick: bool,
    /// Multiply the work by this
    #[arg(long, value_name = "F", default_value_t = 1.0)]
    scale: f64,
    /// The JDK to use instead of JAVA_HOME or the `java` on the PATH: its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
    /// A `jinsi` command with `libjinsi.so` beside it (default: the release profile is built)
    #[arg(long, value_name = "FILE")]
    jinsi: Option<PathBuf>,
}

/// The whole document.
#[derive(Serialize)]
struct ArmedFigures {
    machine: Machine,
    pairs: usize,
    programs: Vec<Waiting>,
    /// Is all as it has to be?
    holds: bool,
}

/// A program that waits for a failure which does not come.
#[derive(Serialize)]
struct Waiting {
    name: &'static str,
    work: u64,
    /// What the work takes without the agent.
    plain_seconds: f64,
    /// How many times as long it takes with it: the median of the pairs.
    ratio: f64,
    /// Pairs in which it took more than [`MOST`] times as long.
    above: usize,
    /// The chance that there are so many if it takes as often less as more (sign test, one-sided).
    chance: f64,
}

/// Measures, and prints what was measured; false if waiting costs something, or a program failed.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let rounds = super::Arguments {
        json: arguments.json,
        only: arguments.only.clone(),
        runs: arguments.pairs,
        quick: arguments.quick,
        steady: true,
        scale: arguments.scale,
        time_limit: 600,
        java: arguments.java.clone(),
    };
    let profile = if arguments.quick { "dev" } else { "release" };
    let bench = Bench {
        toolbox: Toolbox {
            jinsi: commands::jinsi(arguments.jinsi.as_deref(), profile)?,
        },
        jdk: Jdk::find(arguments.java.as_deref())?,
        arguments: &rounds,
    };
    // The bank does not wait for a failure: nearly half of its calls end by one.
    let waits = |p: &&Program| p.work > 0 && p.threads == 1 && p.name != super::SCALING[0];
    let wanted = |p: &&Program| waits(p) && bench.is_wanted(p);
    let programs: Vec<&Program> = PROGRAMS.iter().filter(wanted).collect();
    ensure!(!programs.is_empty(), "none of these programs is measured");
    let programs = programs.into_iter().map(|program| measure(&bench, program));
    let programs = programs.collect::<Result<Vec<Waiting>>>()?;
    let report = ArmedFigures {
        machine: Machine::this(&bench.jdk),
        pairs: bench.rounds(),
        holds: programs.iter().all(Waiting::holds),
        programs,
    };
    jinsi_ground::report::print(&report, arguments.json)
}

fn measure(bench: &Bench<'_>, program: &Program) -> Result<Waiting> {
    let compiled = program.compile(&bench.jdk)?;
    let full = if program.steady > 0 {
        program.steady
    } else {
        program.work
    };
    let work = match bench.arguments.quick {
        true => program.quick,
        false => ((full as f64 * bench.arguments.scale) as u64).max(1),
    };
    let seconds = |tool| seconds(bench, (program, &compiled), tool, work);
    let (mut plain, mut ratios) = (Vec::new(), Vec::new());
    for pair in 0..bench.rounds() {
        let (alone, armed) = if pair % 2 == 0 {
            let alone = seconds(Tool::Plain)?;
            (alone, seconds(Tool::Armed)?)
        } else {
            let armed = seconds(Tool::Armed)?;
            (seconds(Tool::Plain)?, armed)
        };
        plain.push(alone);
        ratios.push(armed / alone);
        eprintln!("{}: pair {} of {}", program.name, pair + 1, bench.rounds());
    }
    let above = ratios.iter().filter(|&&ratio| ratio > MOST).count();
    Ok(Waiting {
        name: program.name,
        work,
        plain_seconds: median(plain),
        chance: chance(above, ratios.len()),
        ratio: median(ratios),
        above,
    })
}

/// What the work takes, or its second half if compilers have done theirs by then.
fn seconds(
    bench: &Bench<'_>,
    (program, compiled): (&Program, &Compiled),
    tool: Tool,
    work: u64,
) -> Result<f64> {
    let directory = tempfile::tempdir()?;
    let run = bench.once((program, compiled), tool, work, directory.path())?;
    let run =
        run.map_err(|(_, why)| anyhow::anyhow!("{} with {}: {why}", program.name, tool.name()))?;
    if tool == Tool::Armed {
        let recorded = bench.toolbox.recorded(tool, directory.path())?;
        ensure!(
            recorded.bytes == 0,
            "{}: something was recorded",
            program.name
        );
    }
    let key = if program.steady > 0 {
        "second-half-ns "
    } else {
        "work-ns "
    };
    printed_seconds(&run, key).context("the program printed no time")
}

/// The chance that at least `above` of `all` throws of a coin are heads.
fn chance(above: usize, all: usize) -> f64 {
    let mut ways = 1.0;
    let mut sum = 0.0;
    for heads in 0..=all {
        if heads >= above {
            sum += ways;
        }
        ways *= (all - heads) as f64 / (heads + 1) as f64;
    }
    sum / 2f64.powi(all as i32)
}

impl Waiting {
    /// The work takes no longer, or nobody can tell.
    fn holds(&self) -> bool {
        self.ratio <= MOST || self.chance > ERROR
    }
}

impl Findings for ArmedFigures {
    fn holds(&self) -> bool {
        self.holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_of_a_coin() {
        assert_eq!(chance(0, 3), 1.0);
        assert_eq!(chance(3, 3), 0.125);
        assert_eq!(chance(2, 3), 0.5);
        assert!((chance(15, 20) - 0.0207).abs() < 1e-4);
        assert!(chance(14, 20) > ERROR);
    }
}
