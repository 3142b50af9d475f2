//! Programs do not notice that they are recorded: published test suites and programs on well-known libraries, each run with and
//! without the agent and compared.

mod corpus;
mod outcomes;
mod programs;
mod run;
mod suites;
mod test_jar;

use std::path::PathBuf;

use anyhow::{Context, Result};
use jinsi_ground::report::{brief, print_or};
use jinsi_ground::{commands, doctor};
use jinsi_jdk::Jdk;
use jinsi_trace::model::Detail;
use serde::Serialize;

pub(crate) use corpus::Corpus;
use programs::ProgramReport;
use run::Agent;
use suites::SuiteReport;
pub(crate) use test_jar::{TestJar, compile_runner};

/// What is run, and where.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
    /// Only these suites and programs (repeat it for several)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// How much of the suites is recorded (repeat it for several)
    #[arg(long, default_value = "interactions")]
    detail: Vec<Detail>,
    /// JDK to run on: its home directory or its `java` program (repeat it for several; default: the oldest and the newest found)
    #[arg(long, value_name = "PATH")]
    java: Vec<PathBuf>,
}

/// All that was found.
#[derive(Serialize)]
struct TransparencyReport {
    suites: Vec<SuiteReport>,
    programs: Vec<ProgramReport>,
}

/// Runs everything; false if there is a difference without a reviewed reason.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let corpus = Corpus::read()?;
    let (suites, programs) = corpus.wanted(&arguments.only)?;
    let jdks = jdks(&arguments.java)?;
    let compiler = doctor::jdk_or_oldest(None)?;
    let agent = Agent::of(commands::jinsi(None, "release")?);
    let details = arguments.detail.iter();
    let agents: Vec<Agent> = details.map(|&detail| agent.with_detail(detail)).collect();
    let mut report = TransparencyReport {
        suites: Vec::new(),
        programs: Vec::new(),
    };
    for program in programs {
        let compiled = programs::compile(program, &compiler)
            .with_context(|| format!("the program {}", program.name))?;
        for jdk in &jdks {
            let one = programs::run(program, &compiled, jdk, &agent)
                .with_context(|| format!("the program {}", program.name))?;
            eprintln!("{}", brief(&one));
            report.programs.push(one);
        }
    }
    let runner = compile_runner(&compiler)?;
    for suite in suites {
        for jdk in &jdks {
            let all = suites::run((&corpus, suite), runner.path(), jdk, &compiler, &agents)
                .with_context(|| format!("the suite {}", suite.name))?;
            report.suites.extend(all);
        }
    }
    let held =
        report.suites.iter().all(SuiteReport::holds) && report.programs.iter().all(|p| p.same);
    let not = if held { "All" } else { "NOT all" };
    print_or(&report, arguments.json, || {
        format!("{not} of it is the same with the agent.\n")
    })?;
    Ok(held)
}

/// The JDKs that were named; else the oldest and the newest of the machine.
fn jdks(named: &[PathBuf]) -> Result<Vec<Jdk>> {
    if !named.is_empty() {
        return named
            .iter()
            .map(|path| Ok(Jdk::find(Some(path))?))
            .collect();
    }
    let first = doctor::jdk_or_oldest(None)?;
    let last = doctor::usable_jdks()?
        .into_iter()
        .max_by_key(|jdk| jdk.version().feature)
        .filter(|jdk| jdk.version().feature != first.version().feature);
    Ok(std::iter::once(first).chain(last).collect())
}
