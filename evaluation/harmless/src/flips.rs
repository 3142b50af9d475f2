//! Damaged traces: real ones, of several kinds, in which bits are turned or the end is missing. Whatever is read of them, nothing may
//! panic, run for ever, or take much more memory than the whole trace does; and no command may answer as if nothing were wrong.

mod answers;
mod damage;
mod memory;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use jinsi_ground::report::{Findings, print};
use jinsi_ground::repository;
use jinsi_history::info::Info;
use jinsi_history::{History, Tables};
use jinsi_jdk::Jdk;
use jinsi_trace::compact::compact;
use jinsi_trace::model::Record;
use jinsi_trace::reader::{ReadError, Trace};
use jinsi_trace::synthetic::TraceBuilder;
use jinsi_trace::writer::{AtMax, WriterOptions};
use serde::Serialize;

use crate::kill::{self, Start, Victim};
use answers::Answers;
use damage::Subject;

/// Time that one trace may take to be read. The longest takes some milliseconds.
const LIMIT: Duration = Duration::from_secs(30);
/// Steps of a worker of a program that is recorded: a thousand events and more.
const STEPS: u64 = 40;
/// The same where the oldest events are to be dropped.
const MANY_STEPS: u64 = 250;
/// Memory that a damaged trace may take on top of twice that of the whole one: what a chunk and a record may be unpacked to.
const SLACK: usize = 8 << 20;
/// Kinds of traces.
const KINDS: u64 = 4;
/// Findings that are reported in full.
const REPORTED: usize = 20;

/// How many, and how the results are printed.
#[derive(clap::Args)]
pub struct Arguments {
    /// How many damaged traces are read
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    flips: u64,
    /// How many further ones `jinsi minimize`, and some also `slice` and `replay`, are asked about
    #[arg(long, value_name = "N", default_value_t = 200)]
    answers: u64,
    /// Number of the first, so that many can be tried in parts
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: u64,
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
    /// jinsi as `cargo test` builds it, not optimized
    #[arg(long)]
    dev: bool,
    /// The JDK to use instead of JAVA_HOME or the `java` on the PATH: its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
}

/// What came out. The keys of the JSON document are the names of the fields; they stay as they are.
#[derive(Debug, Default, Serialize)]
struct FlipReport {
    traces: Vec<Kind>,
    /// What the commands said of other damaged traces.
    answers: Vec<Answers>,
    /// What went wrong: panics, too much memory, answers without a word of the damage. Has to be empty.
    findings: Vec<String>,
    /// Nothing went wrong.
    holds: bool,
    /// Wall time in seconds.
    seconds: f64,
}

/// What was seen of one kind of trace.
#[derive(Debug, Default, Serialize)]
struct Kind {
    name: &'static str,
    /// Size of the file.
    bytes: u64,
    /// Events in the whole trace.
    events: u64,
    /// Most memory, in bytes, that reading the whole trace takes, and any damaged one.
    memory_whole: usize,
    memory_damaged: usize,
    /// Damaged traces that were read.
    flips: u64,
    /// Of these, with a checksum that fits what is damaged.
    sealed: u64,
    /// Of these, with a missing end, too.
    cut: u64,
    /// Of these, refused when opened; readable but not whole, and so said; and as whole as before.
    refused: u64,
    damaged: u64,
    unharmed: u64,
}

/// Runs everything; false if anything was found.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let begin = Instant::now();
    let jdk = Jdk::find(arguments.java.as_deref())?;
    let profile = if arguments.dev { "dev" } else { "release" };
    let jinsi = repository::build_jinsi_in(profile)?;
    let victim = Victim::new(jdk.clone(), &jinsi)?;
    let directory = tempfile::tempdir()?;
    let mut report = FlipReport::default();
    let asked = (arguments.from, arguments.answers);
    report.answers = answers::ask(&jinsi, &jdk, asked, &mut report.findings)?;
    let mut subjects = Vec::new();
    memory::count();
    for (name, path) in traces(&victim, directory.path())? {
        let subject = Subject::of(&path)?;
        let mut read = Ok(0);
        let memory_whole =
            memory::peak_of(|| read = Trace::open(&path).map(|t| everything(&t, |_| true)));
        report.traces.push(Kind {
            name,
            bytes: subject.len(),
            events: read.with_context(|| format!("the whole trace: {name}"))?,
            memory_whole,
            ..Kind::default()
        });
        subjects.push(subject);
    }
    let turn = Arc::new(AtomicU64::new(0));
    watch(turn.clone());
    // A panic is a finding, and said as one.
    std::panic::set_hook(Box::new(|_| {}));
    for flip in arguments.from..arguments.from + arguments.flips {
        turn.store(flip + 1, Ordering::Relaxed);
        let which = (flip % KINDS) as usize;
        if let Some(finding) = one(flip, &mut subjects[which], &mut report.traces[which])?
            && report.findings.len() < REPORTED
        {
            report.findings.push(finding);
        }
    }
    turn.store(0, Ordering::Relaxed);
    let _ = std::panic::take_hook();
    report.holds = report.findings.is_empty();
    report.seconds = begin.elapsed().as_secs_f64();
    print(&report, arguments.json)
}

/// Ends the process if one trace takes too long.
fn watch(turn: Arc<AtomicU64>) {
    thread::spawn(move || {
        let (mut last, mut since) = (0, Instant::now());
        loop {
            thread::sleep(Duration::from_secs(1));
            let now = turn.load(Ordering::Relaxed);
            if now != last || now == 0 {
                (last, since) = (now, Instant::now());
            } else if since.elapsed() > LIMIT {
                eprintln!("flip {}: not read within {} s", now - 1, LIMIT.as_secs());
                std::process::exit(1);
            }
        }
    });
}

/// Reads one damaged trace; what is wrong with that, if anything is.
fn one(flip: u64, subject: &mut Subject, kind: &mut Kind) -> Result<Option<String>> {
    let harm = subject.harm(flip)?;
    kind.flips += 1;
    kind.sealed += u64::from(harm.sealed);
    kind.cut += u64::from(harm.cut.is_some());
    let mut read = Ok(Err(ReadError::Empty(PathBuf::new())));
    let peak = memory::peak_of(|| {
        read = catch_unwind(AssertUnwindSafe(|| {
            Trace::open(subject.path()).map(|trace| {
                let turn = (flip / KINDS) as usize % trace.threads().len().max(1);
                let events = everything(&trace, |place| place == turn);
                (events, trace.damage().len())
            })
        }));
    });
    subject.repair(&harm)?;
    kind.memory_damaged = kind.memory_damaged.max(peak);
    let said = |what: String| Some(format!("{}, flip {flip} ({harm}): {what}", kind.name));
    match read {
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            return Ok(said(format!("panics: {}", text.unwrap_or_default())));
        }
        Ok(Err(_)) => kind.refused += 1,
        Ok(Ok((events, damage))) if damage > 0 || events != kind.events => kind.damaged += 1,
        Ok(Ok(_)) => kind.unharmed += 1,
    }
    let most = 2 * kind.memory_whole + SLACK;
    Ok((peak > most)
        .then(|| said(format!("{peak} bytes of memory, more than {most}")))
        .flatten())
}

/// Reads all that is in a trace; number of events. Of the threads whose turn it is the history is loaded.
fn everything(trace: &Trace, is_turn: impl Fn(usize) -> bool) -> u64 {
    let mut events = 0;
    for (place, thread) in trace.threads().iter().enumerate() {
        events += trace.events(thread.no).map_while(Result::ok).count() as u64;
        // From the other end there may be more or fewer before the first error.
        trace
            .events_backward(thread.no)
            .take_while(Result::is_ok)
            .for_each(drop);
        if !is_turn(place) {
            continue;
        }
        let tables = Tables::new(
            trace.classes().iter().cloned(),
            trace.sites().iter().cloned(),
            trace.throwables().iter().cloned(),
            trace.failures().iter().cloned(),
        );
        let stream = trace.events(thread.no).map_while(Result::ok);
        // A history that is too long is an answer, too.
        let _ = History::build(tables, thread.no, stream);
    }
    trace.merged().take_while(Result::is_ok).for_each(drop);
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = Info::of(trace, true).write_text(&mut text);
    events
}

/// Records a small program in several ways.
fn traces(victim: &Victim, directory: &Path) -> Result<Vec<(&'static str, PathBuf)>> {
    let record = |name: &str, steps: u64, kill: bool| -> Result<PathBuf> {
        let place = directory.join(name);
        std::fs::create_dir(&place)?;
        let start = Start {
            steps: if kill { u64::MAX >> 2 } else { steps },
            pause: if kill { 5000 } else { 0 },
            agent: true,
        };
        let mut child = victim.spawn(start, &place)?;
        if kill {
            kill::work_until(&mut child, &place, steps)?;
            child.kill()?;
            child.wait()?;
        } else {
            let status = child.wait()?;
            ensure!(status.success(), "the program ends with {status}");
        }
        Ok(kill::trace_of(child.id(), &place))
    };
    let closed = record("closed", STEPS, false)?;
    let compacted = directory.join("compacted.jinsi");
    compact(&Trace::open(&closed)?, &compacted)?;
    let oldest = directory.join("oldest.jinsi");
    drop_oldest(&Trace::open(&record("many", MANY_STEPS, false)?)?, &oldest)?;
    Ok(vec![
        ("killed", record("killed", STEPS, true)?),
        ("closed", closed),
        ("compacted", compacted),
        ("at-max=oldest", oldest),
    ])
}

/// Writes a trace again as with `at-max=oldest`, but so that less is left than the agent allows.
fn drop_oldest(trace: &Trace, to: &Path) -> Result<()> {
    let mut max = trace.file_bytes();
    loop {
        write_again(trace, to, max)?;
        let written = Trace::open(to)?;
        let left = written.threads().iter().map(|t| written.event_count(t.no));
        ensure!(left.sum::<u64>() > 0, "all events were dropped");
        if written.events_dropped() > 0 {
            return Ok(());
        }
        std::fs::remove_file(to)?;
        max = max / 20 * 19;
    }
}

fn write_again(trace: &Trace, to: &Path, max: u64) -> Result<()> {
    let sites = Record::Sites(trace.sites().to_vec());
    let classes = trace.classes().iter().cloned().map(Record::Class);
    let mut builder = TraceBuilder::with_options(
        to,
        WriterOptions {
            buffer_bytes: 64 << 10,
            max_bytes: Some(max),
            at_max: AtMax::Oldest,
            ..WriterOptions::default()
        },
    )
    .record(Record::Meta(trace.meta().clone()));
    for record in classes.chain([sites]) {
        builder = builder.record(record);
    }
    for thread in trace.threads() {
        let (no, name) = (thread.no, thread.name.clone());
        builder = builder.record(Record::Thread { no, name });
        builder = builder.events(no, trace.events(no).map_while(Result::ok));
    }
    Ok(builder.finish()?)
}

impl Findings for FlipReport {
    fn holds(&self) -> bool {
        self.holds
    }
}
