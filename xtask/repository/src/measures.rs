//! The measures: commands of `cargo xtask` that a program of its own does, because it takes minutes to build.

use std::path::PathBuf;

use anyhow::Result;

use crate::{LONG_TO_BUILD, built, cargo};

/// Names of the measures, and what each does in one line. A test of the program compares them with its own.
pub const ALL: [(&str, &str); 18] = [
    (
        "transparency",
        "Run published test suites and programs on well-known libraries with and without the agent, and compare",
    ),
    (
        "replay-suite",
        "Record programs and published tests, and replay each strictly at every level",
    ),
    (
        "services",
        "Record services of every kind at the boundary under load, have one request fail, and minimize that to the service's own call",
    ),
    (
        "applications",
        "Start small applications on published frameworks with a defect each, recorded at the default, and see whether the test that comes of it flips",
    ),
    (
        "corpus",
        "Minimize real bugs of released libraries, and print the thesis' tables for them",
    ),
    (
        "assertions",
        "Assert in every way of every framework, and run the tests that come of it on the repaired program",
    ),
    (
        "suites",
        "Make small defects in published libraries, and minimize the tests of theirs that fail, as a build does it",
    ),
    (
        "neighbours",
        "Record and minimize five failing tests beside other agents and tools in the same JVM, named before jinsi and after it",
    ),
    (
        "verify-classes",
        "Rewrite every class of the JDKs and of many published artifacts, and have the JVM verify them",
    ),
    (
        "fuzz-classes",
        "Damage class files, and have a JVM that still accepts them accept what the rewriter makes of them",
    ),
    (
        "past",
        "Have a debugger step through programs, instruction by instruction, and compare what it sees with what a recording says",
    ),
    (
        "rules",
        "Ask runs by the published rules of JavaTA on SWI-Prolog, and by jinsi's queries, and compare",
    ),
    (
        "matrix",
        "Check that everything works, and comes to the same, on Java 11, 17, 21 and 25",
    ),
    (
        "bench",
        "Measure what the documents quote, beside its peers",
    ),
    (
        "kill",
        "Kill programs that record at random instants, and see that every event is in their traces",
    ),
    (
        "flip-bits",
        "Read real traces in which bits are turned or the end is missing",
    ),
    (
        "harm",
        "Have programs do harmful things, and see that nothing of it is done again with their recordings",
    ),
    (
        "train-dictionary",
        "Make the dictionary anew with which records of classes are packed",
    ),
];

/// Whether a command of `cargo xtask` is a measure.
pub fn has(name: &str) -> bool {
    ALL.iter().any(|(measure, _)| *measure == name)
}

/// Builds the program in a profile; where it is. Unless the `progress` of cargo is wanted, only errors are printed.
pub fn build(profile: &str, progress: bool) -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "--profile", profile]);
    command.args(["--message-format", "json-render-diagnostics"]);
    if !progress {
        command.arg("--quiet");
    }
    // The packages of the tests, for their features: else most of them are built once more.
    command.args(["--workspace", "--exclude", LONG_TO_BUILD]);
    command.args(["--bin", PROGRAM]);
    built(&mut command, PROGRAM)
}

/// The program, and its package.
const PROGRAM: &str = "jinsi-evaluation";
