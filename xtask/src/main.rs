//! Automation of the repository: `cargo xtask demo`, `cargo xtask test`, `cargo xtask doctor`, `cargo xtask dist`, `cargo xtask maven-plugin`,
//! `cargo xtask builds`, `cargo xtask layers`, `cargo xtask messages`, `cargo xtask report-check`. The measures are called the same way, and are a program of their own,
//! `jinsi-evaluation`: this one is built by everybody's first command, and that takes seconds.

mod builds;
mod demo;
mod dist;
mod layers;
mod maven_plugin;
mod measure;
mod messages;
mod query;
mod report_check;
mod shots;
mod test;

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use jinsi_repository::doctor;

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
    /// Builds jinsi, hardly optimized since that is quicker, fetches Joda-Time, JUnit and Mockito by their Maven coordinates, records one failing run,
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
    Test {
        /// Each end-to-end test goes through every JDK, and not only through one of them in its turn; the long ones run, too
        #[arg(long)]
        long: bool,
    },
    /// Build the sample projects by Maven and Gradle with the plugins
    ///
    /// Installs the plugins into the local Maven repository. Gradle is its whole runtime as it is published for authors of plugins (185 MB).
    /// Failed tests need a report and a test each; caches and up-to-date checks have to work; a passing build may take 1.3 times as long as
    /// without the plugin.
    ///
    /// Then the matrix: small projects that have every pair of Maven, Surefire, test framework, JDK and switch in them, each built without jinsi and
    /// with it. The same tests have to run and end the same way; of the failed one a test has to be kept that passes on the repaired program, in 95 %
    /// of the builds that can be recorded. Two builds take ten seconds and more, and there are some 200. --only and --sample make a part of the matrix,
    /// and nothing else. Leaves target/builds. Exit status 1 if something does not hold.
    Builds(builds::Arguments),
    /// Lay out Gradle's runtime as a program that builds the project in the current directory: `DIRECTORY/bin/gradle`
    ///
    /// No registry has a distribution of Gradle; what is laid out is what Gradle publishes for authors of plugins. It takes tasks, -P, --offline,
    /// --build-cache and --configuration-cache, and uses the JDK that it was laid out with.
    Gradle(builds::LayOut),
    /// Build the Maven plugin with the agent and the command inside
    ///
    /// Leaves it in java-harness/maven-plugin/target; --install makes it known to the projects of this machine.
    MavenPlugin(maven_plugin::Arguments),
    /// Build what a user installs: an archive, a Debian package, and the plugins as a Maven repository
    ///
    /// The archive has the command and the agent, stripped, man pages, completions of bash, zsh and fish, licences, and a bill of materials.
    /// The same commit gives the same bytes. Leaves target/distribution. Exit status 1 if a check does not hold.
    Dist(dist::Arguments),
    /// Build `jinsi-query`, the engine of queries, and run its tests
    ///
    /// It has a workspace of its own, in `frontends/query/engine`, because it takes longer to build than all the rest: an hour the first time, on two busy cores.
    Query(query::Arguments),
    /// Check who knows whom: rooms know lower rooms alone, modules of a crate know each other one way
    ///
    /// The table of crates in ARCHITECTURE.md has to say what the manifests say. Exit status 1 if something is not so.
    Layers(layers::Arguments),
    /// Print all that jinsi says to its users, each with an example
    ///
    /// Reads the texts of errors and messages off the sources. Exit status 1 if a place in a text has no example, or a text breaks the rules of plain
    /// English.
    Messages(messages::Arguments),
    /// Open report.html in a browser without a window, light and dark, wide and narrow
    ///
    /// It must have nothing to complain of, fit into the window, and show every text with a contrast of at least 4.5 to what is behind
    /// it. Exit status 1 if not. Chromium or Chrome is looked for on the PATH; without one the check is skipped, and says so.
    ReportCheck(report_check::Arguments),
    /// Take the pictures of the manual, and check the pages they are of
    ///
    /// With Chromium, Node.js, and Playwright and axe-core of npm: 1280 and 400 pixels wide, light and dark. The recommended test has to be on the first
    /// screen, no code may be cut off, the button has to copy the test, and axe-core must find nothing. Exit status 1 if not. Leaves docs/*.png.
    Shots(shots::Arguments),
    /// Say whether everything is there that the other tasks need
    Doctor,
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Does the task; `false` if something is not as it has to be.
fn run() -> Result<bool> {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    if measure::is_meant(&arguments) {
        return measure::run(&arguments);
    }
    let command = Arguments::command().subcommands(measure::for_help());
    let matches = command.get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    match arguments.task {
        Task::Demo { keep_going, java } => demo::run(java.as_deref(), keep_going),
        Task::Test { long } => test::run(long),
        Task::Builds(arguments) => builds::run(&arguments),
        Task::Gradle(arguments) => builds::lay_out(&arguments),
        Task::MavenPlugin(arguments) => maven_plugin::run(&arguments),
        Task::Dist(arguments) => dist::run(&arguments),
        Task::Layers(arguments) => layers::run(&arguments),
        Task::Messages(arguments) => messages::run(&arguments),
        Task::Query(arguments) => query::run(&arguments),
        Task::ReportCheck(arguments) => report_check::run(&arguments),
        Task::Shots(arguments) => shots::run(&arguments),
        Task::Doctor => doctor::check(None, &doctor::FOR_TESTS).map(|_| true),
    }
}
