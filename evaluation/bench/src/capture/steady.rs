//! The steady state: what a program costs once compilers have done their work. The program does twice as much as that takes, and says how
//! long the second half took.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use super::programs::{Compiled, PROGRAMS, Program};
use super::report::Machine;
use super::tools::Tool;
use super::{Bench, printed_seconds};
use jinsi_ground::figures::median;
use jinsi_ground::report::Findings;

/// What is compared with the plain program.
const COMPARED: [Tool; 3] = [Tool::Boundary, Tool::Jacoco, Tool::Jfr];

/// The whole document.
#[derive(Serialize)]
struct SteadyFigures {
    machine: Machine,
    /// Rounds; in each, every program runs with every tool. Figures are medians.
    runs: usize,
    programs: Vec<Steady>,
}

/// A program with every tool.
#[derive(Serialize)]
struct Steady {
    name: &'static str,
    /// The work; the time of its second half is reported.
    work: u64,
    /// What it takes without a tool.
    plain_seconds: f64,
    /// How many times as long it takes without a tool if another processor is busy: two processors may be two threads of one core.
    beside_a_busy_processor: f64,
    tools: Vec<Slower>,
}

/// A tool.
#[derive(Serialize)]
struct Slower {
    tool: &'static str,
    /// How many times as long as without it the work takes; `null` if it could not be measured.
    ratio: Option<f64>,
}

/// Measures, and prints what was measured; false if a program failed.
pub(super) fn run(bench: &Bench<'_>) -> Result<bool> {
    let wanted = |p: &&Program| p.steady > 0 && bench.is_wanted(p);
    ensure!(
        PROGRAMS.iter().any(|p| wanted(&p)),
        "none of these programs has a steady state that is measured"
    );
    let mut report = SteadyFigures {
        machine: Machine::this(&bench.jdk),
        runs: bench.rounds(),
        programs: Vec::new(),
    };
    for program in PROGRAMS.iter().filter(wanted) {
        report.programs.push(measure(bench, program)?);
    }
    jinsi_ground::report::print(&report, bench.arguments.json)
}

fn measure(bench: &Bench<'_>, program: &Program) -> Result<Steady> {
    let compiled = program.compile(&bench.jdk)?;
    let work = match bench.arguments.quick {
        true => program.quick,
        false => ((program.steady as f64 * bench.arguments.scale) as u64).max(1),
    };
    let mut plain = Vec::new();
    let mut busy = Vec::new();
    let mut ratios: [Vec<f64>; COMPARED.len()] = Default::default();
    for round in 0..bench.rounds() {
        let seconds = |tool| seconds(bench, (program, &compiled), tool, work);
        let alone = seconds(Tool::Plain)?.context("the program failed without a tool")?;
        plain.push(alone);
        busy.extend(beside_a_busy_processor(|| seconds(Tool::Plain))?.map(|s| s / alone));
        for (tool, ratios) in COMPARED.into_iter().zip(&mut ratios) {
            ratios.extend(seconds(tool)?.map(|seconds| seconds / alone));
        }
        eprintln!(
            "{}: round {} of {}",
            program.name,
            round + 1,
            bench.rounds()
        );
    }
    let tools = COMPARED
        .into_iter()
        .zip(ratios)
        .map(|(tool, ratios)| Slower {
            tool: tool.name(),
            ratio: (!ratios.is_empty()).then(|| median(ratios)),
        });
    Ok(Steady {
        name: program.name,
        work,
        plain_seconds: median(plain),
        beside_a_busy_processor: median(busy),
        tools: tools.collect(),
    })
}

/// What the second half of the work takes, in seconds; nothing if the run failed.
fn seconds(
    bench: &Bench<'_>,
    program: (&Program, &Compiled),
    tool: Tool,
    work: u64,
) -> Result<Option<f64>> {
    let directory = tempfile::tempdir()?;
    match bench.once(program, tool, work, directory.path())? {
        Ok(run) => {
            let seconds = printed_seconds(&run, "second-half-ns ");
            Ok(Some(seconds.context("the program printed no time")?))
        }
        Err((_, why)) => {
            eprintln!("{}: {why}", tool.name());
            Ok(None)
        }
    }
}

/// Does something while a thread of this process keeps a processor busy.
fn beside_a_busy_processor<T>(what: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut turns = 0u64;
            while !done.load(Ordering::Relaxed) {
                turns = std::hint::black_box(turns + 1);
            }
        });
        let result = what();
        done.store(true, Ordering::Relaxed);
        result
    })
}

impl Findings for SteadyFigures {
    fn holds(&self) -> bool {
        let failed = |tool: &Slower| tool.tool == Tool::Boundary.name() && tool.ratio.is_none();
        !self.programs.iter().flat_map(|p| &p.tools).any(failed)
    }
}
