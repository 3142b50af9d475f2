//! `cargo xtask bench past`: what it takes to look into the past of a run: the index of a trace, states at random moments, last writers;
//! and what recording the values for it costs.

mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use jinsi_ground::{doctor, repository};
use jinsi_inspect::{Inspector, Moment, State, Variable, index_of};
use jinsi_trace::model::{EventId, ObjectId, Value};
use jinsi_trace::reader::Trace;

use super::slice::subjects::{self, Subject};
use super::slice::{Bench, LIMITS, count, ended};
use jinsi_ground::child::{self, Limits};
use jinsi_ground::report::Judged;
use report::{Cost, PastFigures, Process, Questions, TraceRow};

/// Options of the benchmark.
#[derive(Args)]
pub struct Arguments {
    /// Print one JSON document on stdout instead of the table
    #[arg(long)]
    json: bool,
    /// Sizes of the traces, in events
    #[arg(long, value_name = "EVENTS", value_delimiter = ',', default_values_t = [1_000_000, 10_000_000, 100_000_000])]
    events: Vec<u64>,
    /// Only these programs; may be repeated
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// How often recording is measured; figures are medians; 0: not at all
    #[arg(long, default_value_t = 3)]
    rounds: u32,
}

/// Programs whose past is asked about: one of arrays, one of objects and calls.
const ASKED: [&str; 2] = ["heapsort", "jackson"];
/// An index may take so long: more than it should for 10^9 events.
const AN_INDEX: Duration = Duration::from_secs(1_800);
/// Elements of an array that may be asked about.
const ELEMENTS: u32 = 64;
/// Questions of each kind.
const QUESTIONS: usize = 200;
/// What the random moments are drawn with.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Measures and prints; `false` if something is worse than it has to be.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let bench = Bench {
        jdk: doctor::check(None, &doctor::FOR_DEMO)?,
        jinsi: repository::build_jinsi()?,
        rounds: arguments.rounds,
    };
    let mut figures = PastFigures {
        java: bench.jdk.version().to_string(),
        costs: Vec::new(),
        rows: Vec::new(),
    };
    for subject in subjects::chosen(&bench.jdk, &arguments.only)? {
        if arguments.rounds > 0 {
            eprintln!("{}: what recording costs", subject.name);
            figures.costs.push(cost(&bench, &subject)?);
        }
        let asked = !arguments.only.is_empty() || ASKED.contains(&subject.name);
        for &events in arguments.events.iter().filter(|_| asked) {
            eprintln!("{}: {events} events", subject.name);
            let row = row(&bench, &subject, events)?;
            figures.rows.push(row);
        }
    }
    jinsi_ground::report::print(&Judged::of(figures), arguments.json)
}

/// What the details cost that have instructions, beside the program as it is.
fn cost(bench: &Bench, subject: &Subject) -> Result<Cost> {
    let place = tempfile::tempdir()?;
    let file = place.path().join("run.jinsi");
    let work = subject.work(1.0);
    let mut ratios = [Vec::new(), Vec::new()];
    let mut bytes = [0; 2];
    for _ in 0..bench.rounds {
        let seconds = |trace| bench.seconds(subject, work, place.path(), trace);
        let plain = seconds(None)?.work;
        for (at, detail) in ["instructions", "states"].into_iter().enumerate() {
            ratios[at].push(seconds(Some((detail, &file)))?.work / plain);
            bytes[at] = fs::metadata(&file)?.len();
        }
    }
    let [instructions, states] = ratios.map(jinsi_ground::figures::median);
    Ok(Cost {
        program: subject.name,
        instructions,
        states,
        instructions_bytes: bytes[0],
        states_bytes: bytes[1],
    })
}

/// A trace of about so many events, with all its figures.
fn row(bench: &Bench, subject: &Subject, events: u64) -> Result<TraceRow> {
    let place = tempfile::tempdir()?;
    let file = place.path().join("run.jinsi");
    bench.record_about(subject, events, place.path(), ("states", &file))?;
    let made = asked_once(&bench.jinsi, &file, place.path())?;
    let read = asked_once(&bench.jinsi, &file, place.path())?;
    let index_bytes = fs::metadata(index_of(&file)).map_or(0, |index| index.len());
    let opening = Instant::now();
    let trace = Trace::open(&file)?;
    let opening = opening.elapsed().as_secs_f64();
    let decoding = Instant::now();
    for thread in trace.threads() {
        for event in trace.events(thread.no) {
            event?;
        }
    }
    let decoding = decoding.elapsed().as_secs_f64();
    let (inspector, _) = Inspector::kept(&trace, &file)?;
    let (states, writers) = asked(&inspector)?;
    let events = count(&trace);
    Ok(TraceRow {
        program: subject.name,
        events,
        trace_bytes: trace.file_bytes(),
        index_bytes,
        events_decoded_a_second: events as f64 / decoding,
        trace_open_seconds: opening,
        index_made: made,
        index_read: read,
        states,
        writers,
    })
}

/// A process that is asked one thing about a trace. The first one makes the index.
fn asked_once(jinsi: &PathBuf, file: &Path, place: &Path) -> Result<Process> {
    let mut command = Command::new(jinsi);
    command.args(["--json", "at"]).arg(file).arg("0:100");
    let limits = Limits {
        time: AN_INDEX,
        ..LIMITS
    };
    let run = ended(child::run(&mut command, place, limits)?, "jinsi at")?;
    Ok(Process {
        seconds: run.whole.as_secs_f64(),
        peak_kib: run.memory.peak_kib,
    })
}

/// Times of states at random moments, and of who had written what a random variable held there.
fn asked(inspector: &Inspector<'_>) -> Result<(Questions, Questions)> {
    let trace = inspector.trace();
    let threads: Vec<(u32, u64)> = (trace.threads().iter())
        .map(|thread| (thread.no, trace.event_count(thread.no)))
        .filter(|(_, events)| *events > 0)
        .collect();
    let all: u64 = threads.iter().map(|(_, events)| events).sum();
    ensure!(all > 0, "nothing was recorded");
    let mut random = SEED;
    let mut next = |below: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below.max(1)
    };
    let (mut states, mut writers) = (Vec::new(), Vec::new());
    while states.len() < QUESTIONS {
        let mut index = next(all);
        let thread = threads.iter().find(|(_, events)| {
            let found = index < *events;
            index -= if found { 0 } else { *events };
            found
        });
        let &(thread, _) = thread.context("there is one")?;
        let moment = Moment::after(EventId { thread, index });
        let began = Instant::now();
        let Ok(state) = inspector.state(moment) else {
            // No instruction comes behind it.
            continue;
        };
        states.push(began.elapsed());
        let variables: Vec<Variable> = objects(&state)
            .flat_map(|id| inspector.variables_of(id, ELEMENTS))
            .map(|(_, variable)| variable)
            .collect();
        if !variables.is_empty() {
            let variable = &variables[next(variables.len() as u64) as usize];
            let began = Instant::now();
            inspector.value(variable, state.moment)?;
            writers.push(began.elapsed());
        }
    }
    Ok((Questions::of(states), Questions::of(writers)))
}

/// What the local variables of a state refer to.
fn objects(state: &State) -> impl Iterator<Item = ObjectId> {
    let frames = state.frames.iter();
    let values = frames.flat_map(|frame| {
        let locals = frame.locals.iter().map(|local| &local.value);
        frame.this.iter().chain(locals)
    });
    values.filter_map(|seen| match seen.known() {
        Some(Value::Object(id)) => Some(*id),
        _ => None,
    })
}
