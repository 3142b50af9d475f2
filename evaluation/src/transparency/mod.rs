//! Programs do not notice that they are recorded: published test suites and programs on well-known libraries, each run with and
//! without the agent and compared.

mod outcomes;
mod programs;
mod run;
mod suites;
mod table;
mod test_jar;

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use jinsi_ground::report::{brief, print_or};
use jinsi_ground::{doctor, repository};
use jinsi_jdk::Jdk;
use jinsi_trace::model::Detail;
use serde::Serialize;

use programs::ProgramReport;
use run::Agent;
use suites::SuiteReport;
pub(crate) use table::SUITES;
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
    let wanted = |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|o| o == name);
    for name in &arguments.only {
        ensure!(
            table::names().any(|known| known == name),
            "no suite and no program is called {name}: there are {}",
            table::names().collect::<Vec<_>>().join(", ")
        );
    }
    let jdks = jdks(&arguments.java)?;
    let compiler = oldest(&doctor::usable_jdks()?)?;
    let agent = Agent::of(repository::build_jinsi()?)?;
    let details = arguments.detail.iter();
    let agents: Vec<Agent> = details.map(|&detail| agent.with_detail(detail)).collect();
    let mut report = TransparencyReport {
        suites: Vec::new(),
        programs: Vec::new(),
    };
    for program in table::PROGRAMS.iter().filter(|p| wanted(p.name)) {
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
    for suite in SUITES.iter().filter(|s| wanted(s.name)) {
        for jdk in &jdks {
            let all = suites::run(suite, runner.path(), jdk, &compiler, &agents)
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
    let all = doctor::usable_jdks()?;
    let first = oldest(&all)?;
    let last = all
        .into_iter()
        .max_by_key(|jdk| jdk.version().feature)
        .filter(|jdk| jdk.version().feature != first.version().feature);
    Ok(std::iter::once(first).chain(last).collect())
}

/// What it compiles runs on all of them.
pub(crate) fn oldest(jdks: &[Jdk]) -> Result<Jdk> {
    jdks.iter()
        .min_by_key(|jdk| jdk.version().feature)
        .cloned()
        .context("no JDK with a compiler")
}
