//! The programs that are measured: a simulation that does little but call, and libraries at work.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use jinsi_ground::files::unpack;
use jinsi_ground::repository;
use jinsi_jdk::{Jdk, compile, maven};
use tempfile::TempDir;

/// A program of ours; its sources are in `evaluation/java/bench/DIRECTORY`.
///
/// If there is work, its first argument says how much. It prints `work-ns N`, the time that the work took, and `checksum N`, which
/// depends on the arguments only; if it has steady work, `second-half-ns N`, too, the time of its second half. Without work there is no
/// first argument, and nothing is printed: such a program is for its start-up.
pub(crate) struct Program {
    /// Name for people and for `--only`.
    pub(crate) name: &'static str,
    /// What it does, in a line.
    pub(super) what: &'static str,
    /// Below `evaluation/java/bench`.
    directory: &'static str,
    main: &'static str,
    /// Coordinates of the library, and of what it needs.
    needs: &'static [&'static str],
    /// Coordinates of sources that are unpacked, and named by the second argument.
    sources: Option<&'static str>,
    /// Arguments behind the first.
    more: &'static [&'static str],
    /// First argument: work that takes 1.5 to 4 seconds on an idle machine; 0 if there is none.
    pub(super) work: u64,
    /// First argument for work in whose second half compilers have nothing to do; 0 if that is not asked for.
    pub(super) steady: u64,
    /// First argument for a smoke test.
    pub(super) quick: u64,
    /// Packages of the whole application, without the `.*`.
    pub(crate) application: &'static str,
    /// One package of it.
    pub(super) package: &'static str,
    /// Threads that do the work.
    pub(super) threads: u32,
}

const JACKSON: &[&str] = &[
    "com.fasterxml.jackson.core:jackson-databind:2.17.2",
    "com.fasterxml.jackson.core:jackson-core:2.17.2",
    "com.fasterxml.jackson.core:jackson-annotations:2.17.2",
];

/// Name of the first program on one thread, and on two.
pub(super) const SCALING: [&str; 2] = ["bank", "bank-2-threads"];

/// A program of one thread that needs no library, and has no work.
const PROGRAM: Program = Program {
    name: "",
    what: "",
    directory: "",
    main: "",
    needs: &[],
    sources: None,
    more: &[],
    work: 0,
    steady: 0,
    quick: 0,
    application: "",
    package: "",
    threads: 1,
};

/// The programs, in the order in which they run.
pub(crate) const PROGRAMS: &[Program] = &[
    Program {
        name: SCALING[0],
        what: "20 million transfers: two look-ups in a map, two calls, field writes; 45 % end by a new exception",
        directory: "bank",
        main: "bank.Main",
        more: &["1"],
        work: 20_000_000,
        quick: 20_000,
        application: "bank",
        package: "bank.accounts",
        ..PROGRAM
    },
    Program {
        name: SCALING[1],
        what: "the same on two threads, each with accounts of its own and as many transfers",
        directory: "bank",
        main: "bank.Main",
        more: &["2"],
        work: 20_000_000,
        quick: 20_000,
        application: "bank",
        package: "bank.accounts",
        threads: 2,
        ..PROGRAM
    },
    Program {
        name: "h2",
        what: "H2 2.2.224 in memory: inserts, updates, deletes, joins, groups, sorting",
        directory: "h2",
        main: "sql.Main",
        needs: &["com.h2database:h2:2.2.224"],
        work: 16,
        steady: 160,
        quick: 1,
        application: "org.h2",
        package: "org.h2.mvstore",
        ..PROGRAM
    },
    Program {
        name: "ecj",
        what: "Eclipse's compiler 3.33.0 compiles the 80 files of Commons Codec 1.16.0",
        directory: "ecj",
        main: "compiling.Main",
        needs: &["org.eclipse.jdt:ecj:3.33.0"],
        sources: Some("commons-codec:commons-codec:1.16.0:sources"),
        work: 1,
        quick: 1,
        application: "org.eclipse.jdt",
        package: "org.eclipse.jdt.internal.compiler.lookup",
        ..PROGRAM
    },
    Program {
        name: "jackson",
        what: "Jackson 2.17.2 writes and parses documents, bound to objects and as trees",
        directory: "jackson",
        main: "json.Main",
        needs: JACKSON,
        work: 10_000,
        steady: 150_000,
        quick: 20,
        application: "com.fasterxml.jackson",
        package: "com.fasterxml.jackson.core",
        ..PROGRAM
    },
    Program {
        name: "math",
        what: "Commons Math 3.6.1: decompositions of matrices, Fourier transforms, roots, statistics",
        directory: "math",
        main: "numbers.Main",
        needs: &["org.apache.commons:commons-math3:3.6.1"],
        work: 500,
        steady: 20_000,
        quick: 2,
        application: "org.apache.commons.math3",
        package: "org.apache.commons.math3.linear",
        ..PROGRAM
    },
    Program {
        name: "empty",
        what: "a main method that does nothing: what is added to the start of a JVM",
        directory: "empty",
        main: "empty.Main",
        application: "empty",
        package: "empty",
        ..PROGRAM
    },
    Program {
        name: "junit",
        what: "JUnit's console launcher runs three small test classes: what is added to a short test run",
        directory: "junit",
        main: "org.junit.platform.console.ConsoleLauncher",
        needs: &[maven::JUNIT],
        more: &[
            "execute",
            "--disable-banner",
            "--details=none",
            "--select-package=shop",
        ],
        application: "shop",
        package: "shop",
        ..PROGRAM
    },
];

/// A program that can be started.
pub(crate) struct Compiled {
    classes: TempDir,
    jars: Vec<PathBuf>,
    sources: Option<TempDir>,
    main: &'static str,
    more: &'static [&'static str],
}

impl Program {
    /// Fetches what it needs and compiles it.
    pub(crate) fn compile(&self, jdk: &Jdk) -> Result<Compiled> {
        let compile = || {
            let jars = maven::fetch(self.needs)?;
            let classes = tempfile::tempdir()?;
            let sources =
                repository::java_sources(&format!("evaluation/java/bench/{}", self.directory))?;
            compile::javac(jdk, &sources, &jars, classes.path())?;
            let sources = self.sources.map(|jar| unpacked(jdk, jar)).transpose()?;
            anyhow::Ok(Compiled {
                classes,
                jars,
                more: self.more,
                sources,
                main: self.main,
            })
        };
        compile().with_context(|| format!("the program {}", self.name))
    }
}

impl Compiled {
    /// The command that does so much work in a directory of its own, with more options of the JVM.
    pub(crate) fn command(
        &self,
        jdk: &Jdk,
        options: &[String],
        work: u64,
        directory: &Path,
    ) -> Result<Command> {
        let jars = self.jars.iter().map(PathBuf::as_path);
        let class_path = std::env::join_paths(std::iter::once(self.classes.path()).chain(jars))?;
        let mut command = jdk.command();
        command
            .current_dir(directory)
            .args(options)
            .arg("-cp")
            .arg(class_path)
            .arg(self.main);
        if work > 0 {
            command.arg(work.to_string());
        }
        let sources = self.sources.as_ref().map(TempDir::path);
        command.args(sources).args(self.more);
        Ok(command)
    }
}

/// Unpacks a jar of sources. A module's declaration is taken away: the classes are compiled without what else the module asks for.
fn unpacked(jdk: &Jdk, coordinates: &str) -> Result<TempDir> {
    let jar = maven::fetch(&[coordinates])?.remove(0);
    let directory = tempfile::tempdir()?;
    unpack(jdk, &jar, &[], directory.path())?;
    let module = directory.path().join("module-info.java");
    if module.exists() {
        std::fs::remove_file(module)?;
    }
    Ok(directory)
}
