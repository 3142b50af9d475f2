//! `jinsi events`: the events of a trace, readable.

use std::io::{self, Write};

use anyhow::{Result, ensure};
use jinsi_answers::events::{EventRow, Wanted};
use jinsi_console::nearest::Names;
use jinsi_natural::pattern::Pattern;
use jinsi_trace::model::{ObjectId, ThreadNo};
use jinsi_trace::reader::Trace;

use super::advice::{self, Step};
use super::bad_value::number;
use super::damage;
use super::messages::{NoAnswer, Remark, Way};
use super::output::{Output, ignore_closed_pipe, note};
use super::past::{Past, file};

const EXAMPLES: &str = "\
Examples:
  jinsi events run.jinsi --object 42        all that happened to object #42
  jinsi events run.jinsi --class 'com.foo.*' --limit 100
  jinsi events run.jinsi --replayed         as 'at', 'origin' and 'tree' number them, if the recording has no instructions

A line is thread:index, kind, what happened with which values (objects as Class#number), and where. The events of several threads
come in one order that contradicts nothing they synchronized by; Order lines say where that was.";

/// Arguments of `events`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    past: Past,
    /// Only events that name this object
    #[arg(long, value_name = "ID", value_parser = number::<ObjectId>)]
    object: Option<ObjectId>,
    /// Only events in classes of this name ('*' and '?' are wildcards)
    #[arg(long, value_name = "PATTERN")]
    class: Option<String>,
    /// Only events of this thread
    #[arg(long, value_name = "NUMBER", value_parser = number::<ThreadNo>)]
    thread: Option<ThreadNo>,
    /// Stop after so many
    #[arg(long, value_name = "COUNT")]
    limit: Option<usize>,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let opened = args.past.open_recorded_or_replayed()?;
    let trace = &opened.trace;
    if let Some(thread) = args.thread {
        let known = trace.threads().iter().any(|known| known.no == thread);
        ensure!(known, NoAnswer::NoThread { thread }.to_string());
    }
    let pattern = args.class.as_deref().map(Pattern::new);
    let in_class = |class: &str| pattern.as_ref().is_none_or(|p| p.matches(class));
    let wanted = Wanted {
        object: args.object,
        class: args
            .class
            .as_ref()
            .map(|_| &in_class as &dyn Fn(&str) -> bool),
        thread: args.thread,
        readable: !out.is_json(),
    };
    let mut rows = Vec::new();
    let mut any = false;
    let damaged = damage::of(trace).entries;
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    for row in wanted.of(trace).take(args.limit.unwrap_or(usize::MAX)) {
        let row = damage::named(row.map_err(Into::into), || damage::of(trace))?;
        any = true;
        if out.is_json() {
            rows.push(row);
            continue;
        }
        match row.write(&mut stdout) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => break,
            written => written?,
        }
    }
    ignore_closed_pipe(stdout.flush())?;
    drop(stdout);
    for entry in &damaged {
        note(format!("{}: damaged: {entry}", file(&args.past).display()));
    }
    if !any && damaged.is_empty() && args.limit != Some(0) {
        nothing(args, trace);
    }
    if any && !trace.meta().detail.has_instructions() && !out.is_json() {
        note(Remark::OwnNumbers);
    }
    if out.is_json() {
        rows.extend(damaged.into_iter().map(EventRow::damage));
        out.result(&rows, |_| Ok(()))?;
    }
    Ok(true)
}

/// Says that nothing matches; of a class, which is the nearest.
fn nothing(args: &Args, trace: &Trace) {
    note(NoAnswer::NoEvents);
    let near = args.class.as_deref();
    let near = near.and_then(|typed| Names::of(trace).pattern(typed));
    let step = near.map(|near| Step::new(Way::Nearest, near));
    let step: Vec<Step> = step.into_iter().collect();
    // Who does not read it misses nothing else.
    let _ = write!(io::stderr(), "{}", advice::lines(&step));
}
