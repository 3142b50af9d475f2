//! `jinsi debug`: the main job.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use jinsi_analysis::job::JobError;
use jinsi_analysis::minimized::Timing;
use jinsi_analysis::pipeline::Earlier;
use jinsi_files::private;
use jinsi_oracle::given::Given;
use jinsi_recorder::{Options, Recording, Selection};
use jinsi_trace::model::{Detail, OTHER_VERSION};
use jinsi_trace::reader::Trace;

use super::advice::{self, Step};
use super::embedded::agent_library;
use super::job::{Common, Program, SECOND_TRY, job, seconds};
use super::messages::{self, Cannot, NotRecorded, Remark, Way};
use super::minimize;
use super::output::{self, Output};
use super::record::SelectionOptions;

const EXAMPLES: &str = "\
Examples:
  jinsi debug --observe 'com.foo.*' --out report -- java -cp app.jar com.foo.Main
  jinsi debug --fail java.lang.IllegalStateException -- java -jar server.jar
  jinsi debug --observe 'com.foo.*' -- mvn -q exec:exec

The program runs once, with its own input and output; a second time only if its recording cannot be expanded. Of a test suite, only failed tests
are run a second time, each alone, where its recording gives no test (--second-try=0: none is). Afterwards report/ holds report.html for people, report.json for
programs, the recording, and one test a level of abstraction: at level 1 only the object in which the exception was thrown is
observed, at each further level the next object on the stack joins it.";

/// The recording of all interactions, in the directory of the report.
const TRACE: &str = "trace.jinsi";
/// That of the boundary, which is expanded to [`TRACE`].
const AT_BOUNDARY: &str = "boundary.jinsi";
/// Bytes of class files of libraries that are kept unless something else is said.
const KEEP_CLASSES: &str = "64M";

/// Arguments of `debug`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    selection: SelectionOptions,
    #[command(flatten)]
    common: Common,
    /// Stop the program after so many seconds; that it did not end by itself is the failure then
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// The failing program, behind `--`: java and its arguments, or a script that starts java
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    // What is going to be missing had better be known before the program has run.
    let given = args.common.oracle.given()?;
    args.common.replay.walls()?;
    args.common.project()?;
    let directory = args.common.out();
    if directory.is_file() {
        let what = NotRecorded::ReportIsFile {
            path: directory.display(),
        };
        let step = Step::new(Way::Another, "--out report");
        return Err(advice::error(what, vec![step]));
    }
    private::create_dir_all(directory).with_context(|| messages::uncreated(directory))?;
    // A trace is never overwritten by the agent; those of an earlier `debug` into the same directory are meant to be.
    for name in [TRACE, AT_BOUNDARY] {
        remove(&directory.join(name))?;
    }
    let hangs = matches!(given, Some(Given::Endless));
    let detail = args.selection.detail.unwrap_or(Detail::Boundary);
    let Some(first) = recorded(args, detail, &[], out)? else {
        return Ok(false);
    };
    let earlier = earlier(&first);
    // Without a limit, it is the user who ends a program that hangs.
    let ends = !hangs || args.time_limit.is_some();
    let can_repeat = detail == Detail::Boundary && ends;
    let done = minimized(args, &first, earlier.clone(), can_repeat, out);
    match done.as_ref().map_err(anyhow::Error::downcast_ref) {
        Err(Some(JobError::NotExpanded { why })) => once_more(args, &first, earlier, why, out),
        Err(_) => match later_versions(&first.trace)? {
            versions if versions.is_empty() => done,
            versions => of_later_versions(args, (detail, &versions), earlier, out),
        },
        _ => done,
    }
}

/// Classes that the failure passed through in a version which is not recorded, since another class loader had an earlier one, as the agent takes
/// them.
fn later_versions(trace: &Path) -> Result<Vec<String>> {
    let trace = Trace::open(trace)?;
    let thrown = trace.throwables().iter().flat_map(|t| &t.frames);
    let classes: BTreeSet<String> = thrown.map(|frame| frame.class.replace('.', "/")).collect();
    let mut others: BTreeMap<&str, u32> = BTreeMap::new();
    let skipped = trace.skipped().iter();
    for class in skipped.filter(|s| s.reason == OTHER_VERSION && classes.contains(&s.class)) {
        *others.entry(&class.class).or_insert(1) += 1;
    }
    let versions = others.into_iter();
    let versions = versions.map(|(class, last)| format!("{}@{last}", class.replace('/', ".")));
    Ok(versions.collect())
}

/// The program is run once more, with the last version recorded of classes that several class loaders have.
fn of_later_versions(
    args: &Args,
    (detail, versions): (Detail, &[String]),
    earlier: Earlier,
    out: &Output,
) -> Result<bool> {
    let names: Vec<&str> = versions
        .iter()
        .filter_map(|version| version.split('@').next())
        .collect();
    output::note(Remark::Versions {
        classes: &names.join(", "),
    });
    let file = args.common.out().join(name_of(detail));
    remove(&file)?;
    let Some(second) = recorded(args, detail, versions, out)? else {
        return Ok(false);
    };
    let known = Earlier {
        parts: [earlier.parts, vec![timing(&second)]].concat(),
        exit_status: second.exit_status,
        ..Earlier::default()
    };
    minimized(args, &second, known, false, out)
}

/// The program is run once more, with all interactions recorded, for its recording at the boundary cannot be expanded.
fn once_more(
    args: &Args,
    first: &Recording,
    earlier: Earlier,
    why: &str,
    out: &Output,
) -> Result<bool> {
    output::note(Remark::OnceMore { why });
    let again = || -> Result<bool> {
        let Some(second) = recorded(args, Detail::Interactions, &[], out)? else {
            return Ok(false);
        };
        let known = Earlier {
            parts: [earlier.parts.clone(), vec![timing(&second)]].concat(),
            exit_status: second.exit_status,
            once_more: Some(why.to_owned()),
            ..Earlier::default()
        };
        minimized(args, &second, known, false, out)
    };
    again().or_else(|error| {
        // It need not fail a second time.
        output::note(Remark::FirstUsed {
            why: format!("{error:#}"),
        });
        minimized(args, first, earlier.clone(), false, out)
    })
}

/// The file with a recording of this detail.
fn name_of(detail: Detail) -> &'static str {
    match detail {
        Detail::Boundary => AT_BOUNDARY,
        _ => TRACE,
    }
}

fn remove(file: &Path) -> Result<()> {
    if !file.exists() {
        return Ok(());
    }
    fs::remove_file(file).with_context(|| {
        Cannot::Replace {
            path: file.display(),
        }
        .to_string()
    })
}

/// Runs and records the program; `None` if that was interrupted.
/// `versions`: those of classes of which not the first one is.
fn recorded(
    args: &Args,
    detail: Detail,
    versions: &[String],
    out: &Output,
) -> Result<Option<Recording>> {
    let directory = args.common.out();
    let file = directory.join(name_of(detail));
    // The trace may be minimized again where the program's libraries are not.
    let keep_classes = args.selection.keep_classes.clone();
    let selection = Selection {
        keep_classes: Some(keep_classes.unwrap_or_else(|| KEEP_CLASSES.into())),
        detail: Some(detail),
        versions: versions.to_vec(),
        ..args.selection.selection()
    };
    let options = Options {
        agent: &agent_library()?,
        limit: args.time_limit,
        stdout_to_stderr: out.is_json(),
    };
    let file = file.to_string_lossy();
    let recorded = jinsi_recorder::record(&selection, &file, &args.command, &options)?;
    if recorded.interrupted {
        output::interrupted(&recorded.trace, Some(directory));
        return Ok(None);
    }
    Ok(Some(recorded))
}

fn earlier(recorded: &Recording) -> Earlier {
    Earlier {
        parts: vec![timing(recorded)],
        exit_status: recorded.exit_status,
        ..Earlier::default()
    }
}

fn timing(recorded: &Recording) -> Timing {
    Timing {
        part: "run and record the program".into(),
        seconds: recorded.seconds,
    }
}

/// Minimizes what was recorded.
fn minimized(
    args: &Args,
    recorded: &Recording,
    earlier: Earlier,
    can_repeat: bool,
    out: &Output,
) -> Result<bool> {
    let wanted = args.common.wanted()?;
    let traces = [recorded.trace.clone()];
    let mut job = job(&traces, &args.common, &wanted)?;
    job.earlier = earlier;
    job.expanded_name = TRACE;
    job.can_repeat = can_repeat;
    if args.common.second_try.is_none() && !recorded.stopped {
        job.second_try = seconds(SECOND_TRY).unwrap_or_default();
    }
    if recorded.stopped && job.given.is_none() {
        job.given = Some(Given::Endless);
    }
    let program = Program {
        command: Some(&args.command),
        java: recorded.java.as_deref(),
    };
    minimize::run_job(&job, &args.common, program, out)
}
