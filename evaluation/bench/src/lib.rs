//! `cargo xtask bench`: the figures that the documents quote, each beside what its peers need, measured in one run.

mod capture;
mod omissions;
mod past;
mod query;
mod questions;
mod recorded;
mod replay;
mod resident;
mod server;
mod slice;
mod trace;

use std::env;
use std::process::Command;

use anyhow::{Context, Result};
use clap::Subcommand;
use jinsi_ground::repository;

/// What is measured.
#[derive(Subcommand)]
pub enum Bench {
    /// Cost of recording: programs as they are, with jinsi, and with JaCoCo, JFR, AppMap and Kieker
    ///
    /// A simulation that does little but call, H2, Eclipse's compiler, Jackson and Commons Math, an empty program and a short test
    /// run. Time of the work and of the process, memory, bytes and nanoseconds an event. Exit status 1 if a program fails with jinsi, or
    /// computes something else.
    Capture(capture::Arguments),
    /// Cost of waiting for a failure (arm=failure): programs as they are, and with the agent while nothing is recorded, in pairs
    ///
    /// H2, Eclipse's compiler, Jackson and Commons Math. Exit status 1 if one of them takes more than 1.01 times as long, and a sign test says so with an
    /// error of 5 %; or if something was recorded.
    Armed(capture::armed::Arguments),
    /// Size and speed of RLESe beside SEQUITUR and zstd, on recordings of numeric kernels and of programs that allocate
    ///
    /// Records six kernels of the Java Grande kind at the sizes of Wang 2007, and two programs that allocate, takes the recordings
    /// apart into sequences, and encodes each of them in every way. Exit status 1 if RLESe is worse than the thesis says for a
    /// kernel, or looks up as many digrams as SEQUITUR.
    Trace(trace::Arguments),
    /// Speed of replay: tests a second of one warm worker, what a second worker gains, and event slices of ten million interactions
    ///
    /// The level has ten interactions with three classes; every test has fresh classes. Exit status 1 below 500 tests a second.
    Replay(replay::Arguments),
    /// What recording instructions costs, and slices: six kernels, H2, Jackson, Commons Math, and a trace of 100 million instructions
    ///
    /// Slowdown, bits an instruction, instructions sliced a second, memory, what relevant slices take more, and RLESe beside SEQUITUR.
    /// Exit status 1 if a figure is not what it has to be.
    Slice(slice::Arguments),
    /// Looking into the past of a run: index, states at random moments, last writers, by the size of the trace; what recording for it costs
    ///
    /// Exit status 1 if a figure is not what it has to be.
    Past(past::Arguments),
    /// Queries: of a trace, of the run exported as Parquet, and of the same files in DuckDB, by the size of the run; and of a thousand runs
    ///
    /// Seconds and memory of the process; all have to give the same rows. DuckDB is asked if it is on the PATH (`pip install duckdb-cli`). Exit status 1 if a figure is not what it has to be. The engine is built first, which takes long the first time.
    Query(query::Arguments),
    /// A web server that is recorded in a file that does not grow: throughput, latency, memory, and what a failed request leaves
    ///
    /// An embedded Tomcat with a small application on Commons Lang 2.3, under load from a second process. Plain and recorded in turn;
    /// then recorded for half an hour. A request runs into a defect of the library (LANG-457), and the packed trace is
    /// minimized in an empty directory; so is that of a server that is killed meanwhile. Exit status 1 if a figure is not what it has to be.
    Server(server::Arguments),
    /// Questions until a defect is found: five programs with containers, one changed line each, by every strategy
    ///
    /// The mutants are drawn by a number, 32 of them; who answers is the program without the change, asked the same call with what the recorded
    /// one was given. Exit status 1 if the best strategy needs more than five answers on average, more than one more than divide-and-query
    /// on any program, or if a verdict is wrong. Takes some two minutes. With --corpus: real bugs, and the release in which each is repaired answers;
    /// does the method that is blamed hold the repair? Exit status 1 if it does for less than 90 %, or takes more than five questions in the median.
    Questions(questions::Arguments),
    /// What a program did not do: Ant's bug 40722, the rank of the branch that kept it from that, seconds and memory
    ///
    /// With --corpus: real bugs whose repair only adds something (tests/omissions), asked about knowing only that they fail: the rank of the
    /// place of the repair; and how much is said of as many others. Exit status 1 if a figure is not what it has to be.
    Omissions(omissions::Arguments),
    /// Where to look first: the programs of the Siemens suite in Java with seeded faults, and bugs of the corpus whose repair is known
    ///
    /// The rank of the wrong line by `jinsi where`, by the difference to the nearest passing run, and by Ochiai of the same runs, ties at the worst
    /// rank; the table of Wang 2007. Exit status 1 if a figure is not what it has to be. Takes some ten minutes; --only NAME takes one program, or `corpus`.
    Where(jinsi_faults::Arguments),
}

/// Measures; `false` if a figure is not what it has to be.
pub fn run(bench: &Bench) -> Result<bool> {
    match bench {
        Bench::Capture(arguments) => capture::run(arguments),
        Bench::Armed(arguments) => capture::armed::run(arguments),
        // What is measured is the command.
        Bench::Omissions(arguments) => omissions::run(arguments),
        _ if cfg!(debug_assertions) => optimized(),
        Bench::Trace(arguments) => trace::run(arguments),
        Bench::Questions(arguments) => questions::run(arguments),
        Bench::Replay(arguments) => replay::run(arguments),
        Bench::Slice(arguments) => slice::run(arguments),
        Bench::Past(arguments) => past::run(arguments),
        Bench::Query(arguments) => query::run(arguments),
        Bench::Server(arguments) => server::run(arguments),
        Bench::Where(arguments) => jinsi_faults::run(arguments),
    }
}

/// Does all of it in a program of the release profile. What most benchmarks measure is code of the process they run in, which in the
/// profile of `cargo xtask` is four times as slow.
fn optimized() -> Result<bool> {
    let program = repository::measures::build("release", false)?;
    let status = Command::new(&program).args(env::args_os().skip(1)).status();
    let status = status.with_context(|| format!("cannot start {}", program.display()))?;
    Ok(status.success())
}
