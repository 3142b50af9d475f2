//! Arguments and exit status of the command.

mod arm;
mod ask;
mod bad_value;
mod clean;
mod compact;
mod debug;
mod doctor;
mod embedded;
mod events;
mod expand;
mod generate;
mod info;
mod job;
mod locate;
mod mark;
mod messages;
mod minimize;
mod mistyped;
mod oracle;
mod pack;
mod past;
mod prepared;
mod query;
mod record;
mod replay;
mod slice;
mod small_tests;
mod usage;
mod why_not;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::LazyLock;

use clap::{Parser, Subcommand};
use jinsi_console::{
    advice, answer, damage, failed_tests, markdown, nothing, output, progress, terminal, unread,
};
use jinsi_files::temporary;
use jinsi_platform::signals;

use messages::Remark;

/// Exit status: the thing asked for did not work out.
const FAILED: u8 = 1;
/// Exit status: usage.
const USAGE: u8 = 2;

/// Says what is wrong with a call that was refused; or prints what it asked for: help, or the version.
pub(crate) fn refuse(refused: &clap::Error) -> ExitCode {
    if !refused.use_stderr() {
        // Printing fails only if the terminal is gone.
        let _ = refused.print();
        return ExitCode::SUCCESS;
    }
    let arguments: Vec<OsString> = std::env::args_os().collect();
    match usage::explained(refused, &arguments) {
        Some(error) => output::error(&error),
        None => {
            let _ = refused.print();
        }
    }
    ExitCode::from(USAGE)
}

/// What `--version` says behind the name: a report of a defect needs the commit, and whoever cannot open a trace the format.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{} (commit {}, trace format {})",
        env!("CARGO_PKG_VERSION"),
        env!("JINSI_COMMIT"),
        jinsi_trace::FORMAT_VERSION
    )
});

const ABOUT: &str = "Turns one failing Java run into a minimal unit test";

/// The exit statuses, and what each says. The manual has the same table.
const STATUSES: [(u8, &str); 3] = [
    (0, "done"),
    (
        FAILED,
        "what was asked for did not work out: no failure was recorded, no written test reproduces it, a replay diverged, a file cannot be read",
    ),
    (USAGE, "wrong usage: nothing was done"),
];

/// What `--help` says: what the command is, and how it ends.
static LONG_ABOUT: LazyLock<String> = LazyLock::new(|| {
    let statuses = STATUSES.map(|(status, says)| format!("  {status}  {says}"));
    format!("{WHAT}\n\nExit status:\n{}", statuses.join("\n"))
});

const WHAT: &str = "\
Turns one failing Java run into a minimal unit test.

jinsi records the interactions of a failing run once (a native agent inside the JVM), replays them against a replaced
environment, removes every interaction that the failure does not need, and writes what is left as a JUnit test: one test a
level of abstraction, from the class that threw up to main.

  jinsi debug --observe 'com.foo.*' --out report -- java -cp app.jar com.foo.Main

leaves report/report.html, report/report.json and the tests. The program's own exit status is in the report.";

/// The command line.
#[derive(Parser)]
#[command(name = "jinsi", version = VERSION.as_str(), about = ABOUT, long_about = LONG_ABOUT.as_str())]
pub(crate) struct Cli {
    /// Print one JSON document on stdout and nothing else there
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a program, record it, minimize every level, write tests and report: the main job
    Debug(debug::Args),
    /// Run a program and only record it
    Record(record::Args),
    /// What is in a trace: sizes, classes, threads, failures, losses
    Info(info::Args),
    /// Encode a trace again, smaller: what was recorded in a hurry, or left behind by a killed process
    Compact(compact::Args),
    /// One small file to mail, made of a trace; of a program that still runs, too
    Pack(pack::Args),
    /// Say of a running program that something is wrong with it: its trace is kept, and says when
    Mark(mark::Args),
    /// Record a running program now, of one that waits for a failure (arm=failure)
    Arm(arm::Args),
    /// The events of a trace, readable
    Events(events::Args),
    /// Replay the whole recording strictly; any divergence is an error that names the event
    Replay(replay::Args),
    /// Replay a recording of the boundary, and record that with all interactions
    Expand(expand::Args),
    /// Minimize a recorded failure: event slice, delta debugging, unit test
    Minimize(minimize::Args),
    /// The source lines that made the run fail, or computed what a line used
    Slice(slice::Args),
    /// Where to look first: the lines of the program, ranked by all that speaks for them
    Where(locate::Args),
    /// What was the case at a moment of the run: the stack, variables, objects
    At(past::at::Args),
    /// All that a field, an element or an object ever held, and who wrote it
    History(past::history::Args),
    /// Where a value came from, step by step
    Origin(past::origin::Args),
    /// Who called whom, with what, and what came of it
    Tree(past::tree::Args),
    /// What expressions were, each time a line ran
    Logpoint(past::logpoint::Args),
    /// The run as facts for Prolog
    Facts(past::facts::Args),
    /// A run, or a thousand of them, asked in SQL
    Query(jinsi_query_options::Query),
    /// Runs as Parquet files, for many of them to be asked together
    Export(jinsi_query_options::Export),
    /// A page of the run in the browser: calls, variables, source, at any moment
    View(past::view::Args),
    /// The past for the debugger of an editor, by the Debug Adapter Protocol
    Dap(past::dap::Args),
    /// The past for coding assistants, by the Model Context Protocol
    Mcp(past::mcp::Args),
    /// Remove what the other commands have left: reports, tests, and if asked for traces
    Clean(clean::Args),
    /// Which method is to blame: questions about calls, few of them
    Ask(ask::Args),
    /// Why something was not done: which branch kept it from happening
    WhyNot(why_not::Args),
    /// What this machine can do: Java, compiler, agent, and whether replays can run in a sandbox
    Doctor(doctor::Args),
    /// Write man pages and completions of shells below a directory, for who packs jinsi
    #[command(hide = true)]
    Generate(generate::Args),
}

impl Cli {
    /// Does what was asked for and says how it went.
    pub(crate) fn run(self) -> ExitCode {
        let out = output::Output::new(self.json);
        let handled = signals::before_the_end(temporary::remove_all);
        if let Err(e) = handled.and_then(|()| signals::outlive_file_limits()) {
            output::note(Remark::Signals { why: e.to_string() });
        }
        let done = match self.command {
            Command::Debug(args) => debug::run(&args, &out),
            Command::Record(args) => record::run(&args, &out),
            Command::Info(args) => info::run(&args, &out),
            Command::Compact(args) => compact::run(&args, &out),
            Command::Pack(args) => pack::run(&args, &out),
            Command::Mark(args) => mark::run(&args, &out),
            Command::Arm(args) => arm::run(&args, &out),
            Command::Events(args) => events::run(&args, &out),
            Command::Replay(args) => replay::run(&args, &out),
            Command::Expand(args) => expand::run(&args, &out),
            Command::Minimize(args) => minimize::run(&args, &out),
            Command::Slice(args) => slice::run(&args, &out),
            Command::Where(args) => locate::run(&args, &out),
            Command::At(args) => past::at::run(&args, &out),
            Command::History(args) => past::history::run(&args, &out),
            Command::Origin(args) => past::origin::run(&args, &out),
            Command::Tree(args) => past::tree::run(&args, &out),
            Command::Logpoint(args) => past::logpoint::run(&args, &out),
            Command::Facts(args) => past::facts::run(&args, &out),
            Command::Query(args) => query::query(&args),
            Command::Export(args) => query::export(&args),
            Command::View(args) => past::view::run(&args, &out),
            Command::Dap(args) => past::dap::run(&args),
            Command::Mcp(args) => past::mcp::run(&args),
            Command::Clean(args) => clean::run(&args, &out),
            Command::Ask(args) => ask::run(&args, &out),
            Command::WhyNot(args) => why_not::run(&args, &out),
            Command::Doctor(args) => doctor::run(&args, &out),
            Command::Generate(args) => generate::run(&args, &out),
        };
        match done {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(FAILED),
            Err(e) => {
                let error = unread::advised(e);
                output::error(&error);
                ExitCode::from(if advice::is_usage(&error) {
                    USAGE
                } else {
                    FAILED
                })
            }
        }
    }
}
