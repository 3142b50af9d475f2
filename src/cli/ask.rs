//! `jinsi ask`: asks whether calls were right, until one method is to blame.

mod minimized;

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::Result;
use jinsi_analysis::pipeline::Config;
use jinsi_asked::{Asked, Asserted, Options, Saved};
use jinsi_console::asking::{Asking, GoOn, OtherRun, Others};
use jinsi_counterpart::{Counterpart, Setting};
use jinsi_declarative::Strategy;
use jinsi_trace::model::ThreadNo;
use jinsi_trace::reader::Trace;

use super::bad_value::number;
use super::messages::NoAnswer;
use super::minimize::patterns;
use super::output::Output;
use super::past::{Past, file};
use super::progress::Spinner;
use super::small_tests::SmallTests;

const EXAMPLES: &str = "\
Examples:
  jinsi ask run.jinsi                              one question at a time, until one method is to blame
  jinsi ask run.jinsi --trust 'com.foo.util.*'     nothing of these classes is asked about
  jinsi ask run.jinsi --right old/app.jar          what an older version, which worked, gives answers what it can
  jinsi ask run.jinsi --passed other.jinsi         calls that gave the same for the same in a run that passed are right
  jinsi ask run.jinsi --minimized                  about what is left of the run when it is minimized: fewer calls
  jinsi ask run.jinsi --wrong result               the run gave a wrong result: only calls that had a part in it are asked about
  printf 'n\\ny\\nn\\n' | jinsi ask run.jinsi --json --fresh

A call is right if it did all that it should, for what it was given: what it returned, what it changed, what it printed. If one thing of that is
wrong, say which: 'n result', 'n c[2]', 'n this.size', 'n exception'. Answers are kept beside the trace, in FILE.ask, and the next time it goes on
from there.";

/// Arguments of `ask`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    past: Past,
    /// Minimize the run first, and ask about what is left of it: that is run again, and recorded beside the trace, in FILE.left.jinsi. Any
    /// recording of a failure will do, with all interactions
    #[arg(long, conflicts_with = "replayed")]
    minimized: bool,
    /// How the next question is chosen
    #[arg(long, value_name = "HOW", default_value = "likely")]
    strategy: How,
    /// Classes whose methods have no defect: wildcards over the dotted name, joined by ':'. Those of the JDK, and all that is not recorded, never
    /// have one here
    #[arg(long, value_name = "PATTERNS", default_value = "")]
    trust: String,
    /// Another version of the program's classes, which is right: a class path. It is asked the same, in a sandbox, and answers what it can
    #[arg(long, value_name = "CLASSPATH")]
    right: Option<String>,
    /// The trace of a run that passed, with detail=states (repeat it for several): where a call there was given the same and gave the same, it is right
    #[arg(long, value_name = "TRACE")]
    passed: Vec<PathBuf>,
    /// Answers about another trace, which lies beside them (repeat it for several): they hold for calls that were given the same and gave the same
    #[arg(long, value_name = "FILE.ask")]
    answers: Vec<PathBuf>,
    /// This is wrong of what the whole run gave: result, exception, or what can be reached from what it was given, such as this.size, c[2], Foo.total
    #[arg(long, value_name = "PART")]
    wrong: Option<String>,
    /// The thread whose calls are asked about (default: that of the failure, else main)
    #[arg(long, value_name = "NUMBER", value_parser = number::<ThreadNo>)]
    thread: Option<ThreadNo>,
    /// Ask about each call alone: never about several that a loop made, together. Where others may answer (--right, --passed, --answers) that is
    /// so anyway
    #[arg(long)]
    alone: bool,
    /// Ask until one call is left, even if it is known before which method it is
    #[arg(long)]
    call: bool,
    /// Forget the answers of earlier sessions
    #[arg(long)]
    fresh: bool,
    /// Neither take nor keep answers: those that are kept stay as they are
    #[arg(long, conflicts_with = "fresh")]
    unsaved: bool,
}

/// A strategy.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum How {
    /// A call, and if it is wrong what it called, in that order
    TopDown,
    /// The call below which half of the suspected calls are
    Divide,
    /// The call that leaves as many to be asked about either way
    Optimal,
    /// Half by covered branches; those that right calls covered count less
    Edges,
    /// Half by covered def-use chains
    Chains,
    /// The call whose answer tells most about which method it is
    Likely,
}

impl From<How> for Strategy {
    fn from(how: How) -> Self {
        match how {
            How::TopDown => Self::TopDown,
            How::Divide => Self::Divide,
            How::Optimal => Self::Optimal,
            How::Edges => Self::Edges,
            How::Chains => Self::Chains,
            How::Likely => Self::Likely,
        }
    }
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let prepared = match args.right.is_some() || args.minimized {
        true => Some(args.past.replay().prepare(None)?),
        false => None,
    };
    let config = prepared.as_ref().map(|prepared| &prepared.config);
    let (opened, file) = match config.filter(|_| args.minimized) {
        Some(config) => {
            let left = minimized::left(file(&args.past), config)?;
            (Past::open_recorded(&left)?, left)
        }
        // Its options are also those of the other version.
        None if prepared.is_some() => (args.past.open_to_run()?, file(&args.past).to_owned()),
        None => (args.past.open()?, file(&args.past).to_owned()),
    };
    let trace = &opened.trace;
    let inspector = opened.inspector()?;
    let thread = thread(args, trace)?;
    let spinner = Spinner::new("going over the calls");
    let tree = jinsi_asked::tree(&inspector, thread)?;
    drop(spinner);
    let options = Options {
        strategy: args.strategy.into(),
        trust: patterns(&args.trust),
        exact: args.call,
        together: !args.alone && !args.asks_others(),
        place: (!args.unsaved).then_some(Saved::beside(&file)),
        fresh: args.fresh,
        is_left: args.minimized,
    };
    let asked = Asked::new(&inspector, &tree, &options)?;
    let counterpart = config.zip(args.right.as_deref());
    let counterpart =
        counterpart.map(|(config, right)| Counterpart::new(&inspector, setting(config, right)));
    let runs = OtherRun::all(&args.passed, &args.answers)?;
    let inspectors: Result<Vec<_>> = runs.iter().map(OtherRun::inspector).collect();
    let inspectors = inspectors?;
    let tests = SmallTests {
        file: &file,
        whole: (args.minimized || opened.is_replay()).then_some(self::file(&args.past)),
        options: args.past.replay(),
        colours: out.has_colours(),
    };
    let mut asking = Asking {
        asked,
        trace,
        asserted: Asserted::new(&inspector),
        others: Others::new(&inspector, runs.iter().zip(&inspectors)),
        counterpart,
        by_user: BTreeSet::new(),
        tests: &|call| tests.of(call),
        quiet: out.is_json(),
    };
    if let Some(part) = &args.wrong {
        asking.begin_with(part)?;
    }
    let next = asking.ask_all()?;
    let replayed = match args.past.is_replayed() {
        true => " --replayed",
        false => "",
    };
    let go_on = GoOn {
        ask: args.command(),
        at: format!("jinsi at {}{replayed}", file.display()),
    };
    asking.finish(&file, next, &go_on, out)
}

/// In which the version of the classes on this class path is asked.
fn setting(config: &Config, right: &str) -> Setting {
    Setting {
        jdk: config.jdk.clone(),
        harness: config.harness.clone(),
        class_path: std::env::split_paths(right).collect(),
        walls: config.walls,
    }
}

impl Args {
    /// May somebody else answer? That is asked about calls only.
    fn asks_others(&self) -> bool {
        self.right.is_some() || !self.passed.is_empty() || !self.answers.is_empty()
    }

    /// The command that goes on with this session.
    fn command(&self) -> String {
        let trace = file(&self.past).display();
        match (self.minimized, self.past.is_replayed()) {
            (true, _) => format!("jinsi ask {trace} --minimized"),
            (_, true) => format!("jinsi ask {trace} --replayed"),
            _ => format!("jinsi ask {trace}"),
        }
    }
}

fn thread(args: &Args, trace: &Trace) -> Result<ThreadNo> {
    let Some(thread) = args.thread else {
        return Ok(jinsi_asked::thread(trace)?);
    };
    let known = trace.threads().iter().any(|t| t.no == thread);
    anyhow::ensure!(known, NoAnswer::NoThread { thread }.to_string());
    Ok(thread)
}
