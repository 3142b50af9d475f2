//! `jinsi view`: the page of a run, in the browser.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_answers::Sources;
use jinsi_asked::Saved;
use jinsi_files::private;
use jinsi_trace::reader::Trace;
use jinsi_view::{Engine, NoEngine, NoTest, Subject, Tests, View, browser, still};
use serde::{Deserialize, Serialize};

use super::{Opened, Past, When, file, remarks};
use crate::cli::messages::{self, NoAnswer, Remark};
use crate::cli::output::{Output, note};
use crate::cli::small_tests::SmallTests;
use crate::cli::{advice, query, unread};

const EXAMPLES: &str = "\
Examples:
  jinsi view run.jinsi                             the page of the run, at the failure
  jinsi view report                                with the report that debug or minimize wrote there, which leads into it
  jinsi view run.jinsi --at 0:1234                 at a moment
  jinsi view run.jinsi --source src/main/java      with the sources below a directory
  jinsi view run.jinsi --html run.html             the page as one file that needs neither server nor trace, for small runs
  jinsi view run.jinsi --no-open --port 8080       prints the address only; on a machine without a browser, behind a tunnel

What is not recorded with detail=states or instructions is replayed first, strictly; the replay is shown, and kept. The address has a token: only who
knows it gets an answer, and only on this machine. Ctrl-C ends it.";

/// Ports that are tried first, by what is looked at: the browser keeps notes by the port.
const PORTS: std::ops::Range<u64> = 17_000..32_000;

/// Arguments of `view`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    past: Past,
    /// Where it begins: THREAD:EVENT, THREAD:EVENT+STEPS, or 'failure'
    #[arg(long, value_name = "MOMENT")]
    at: Option<When>,
    /// Directory of the program's sources; may be repeated (default: the working directory)
    #[arg(long, value_name = "DIR")]
    source: Vec<PathBuf>,
    /// Write the page as one file, with all answers in it, and end; for small runs
    #[arg(long, value_name = "FILE", conflicts_with_all = ["no_open", "port"])]
    html: Option<PathBuf>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Listen on this port of 127.0.0.1 (default: one that is free, the same for the same trace if it can be)
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

/// What of a report says which trace it is about.
#[derive(Deserialize)]
struct Report {
    trace: PathBuf,
}

#[derive(Serialize)]
struct Document {
    trace: PathBuf,
    address: String,
}

#[derive(Serialize)]
struct Written {
    trace: PathBuf,
    page: PathBuf,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let (trace, report) = subject(file(&args.past))?;
    let recorded = Trace::open(&trace)?;
    let meta = recorded.meta();
    let key = format!("{}-{}", meta.started_ms, meta.pid);
    let mut remarks = remarks(&recorded);
    let opened = args.past.open_at(&trace)?;
    if opened.is_replay() {
        remarks.push("You see a replay; event numbers differ from the trace's.".to_owned());
    }
    let wish = PORTS.start + (meta.started_ms ^ u64::from(meta.pid)) % (PORTS.end - PORTS.start);
    drop(recorded);
    let inspector = opened.inspector()?;
    let begin = args.at.as_ref().map(|at| at.moment(&inspector));
    let begin = begin.transpose()?;
    let sources = sources(args);
    let engine = args.html.is_none().then(|| engine(&opened.file));
    let engine = engine.transpose()?;
    let subject = Subject {
        name: trace.display().to_string(),
        key,
        report,
        remarks,
        begin,
        engine,
        kept: args.html.is_none().then(|| Saved::beside(&trace)),
        tests: Some(tests(args, &trace, &opened)),
    };
    if let Some(file) = &args.html {
        return write(
            file,
            &trace,
            still::page(&inspector, &subject, sources)?,
            out,
        );
    }
    let view = View::bind(args.port, wish as u16)?;
    let address = view.address();
    let document = Document {
        trace: trace.clone(),
        address: address.clone(),
    };
    out.result(&document, |to| {
        writeln!(to, "{address}")?;
        to.flush()
    })?;
    let _page = match args.no_open {
        true => None,
        false => browser::open(&address)
            .inspect_err(|e| note(Remark::NoBrowser { why: e.to_string() }))
            .ok(),
    };
    view.serve(&inspector, &subject, sources)
        .context(NoAnswer::NoPage)?;
    Ok(true)
}

/// Who answers SQL about this trace; or where to get that.
fn engine(trace: &Path) -> Result<Engine> {
    let program = query::program().map_err(|error| {
        let next = advice::lines(advice::next(&error));
        NoEngine(format!("{}\n{next}", advice::text(&error)))
    });
    Ok(Engine {
        program,
        trace: std::path::absolute(trace).context(messages::unread(trace))?,
        patience: None,
    })
}

/// Who writes tests of calls.
fn tests(args: &Args, trace: &Path, opened: &Opened) -> Tests {
    let (file, options) = (opened.file.clone(), args.past.replay().clone());
    let whole = opened.is_replay().then(|| trace.to_owned());
    Tests::new(move |call| {
        let tests = SmallTests {
            file: &file,
            whole: whole.as_deref(),
            options: &options,
            colours: false,
        };
        tests.of(call).map_err(|why| NoTest(format!("{why:#}")))
    })
}

fn sources(args: &Args) -> Sources {
    match args.source.is_empty() {
        true => Sources::below(&[PathBuf::from(".")]),
        false => Sources::below(&args.source),
    }
}

/// Writes the page that is one file. It has values of the run, so it is its owner's.
fn write(file: &Path, trace: &Path, page: String, out: &Output) -> Result<bool> {
    private::write(file, page).with_context(|| messages::unwritten(file))?;
    let document = Written {
        trace: trace.to_owned(),
        page: file.to_owned(),
    };
    out.result(&document, |to| {
        writeln!(to, "{} has the page of {}", file.display(), trace.display())
    })?;
    Ok(true)
}

/// The trace, and the report that stands beside it, of a file or of a directory with a report.
fn subject(file: &Path) -> Result<(PathBuf, Option<String>)> {
    if !file.is_dir() {
        return Ok((file.to_owned(), None));
    }
    let read = |name: &str| {
        let path = file.join(name);
        std::fs::read_to_string(&path).with_context(|| messages::unread(&path))
    };
    let page = read("report.html").map_err(|_| no_report(file))?;
    let beside = file.join("trace.jinsi");
    if beside.is_file() {
        return Ok((beside, Some(page)));
    }
    let report: Report = serde_json::from_str(&read("report.json")?).with_context(|| {
        NoAnswer::Unreadable {
            path: file.join("report.json").display(),
        }
        .to_string()
    })?;
    Ok((report.trace, Some(page)))
}

/// That a directory has no report, and what it has.
fn no_report(directory: &Path) -> anyhow::Error {
    let what = NoAnswer::NoReportIn {
        path: directory.display(),
    };
    advice::error(what, unread::in_its_place(directory))
}
