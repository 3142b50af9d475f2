//! The front desk: what answers wrong calls and runs without a result. Each page of the snapshots has the calls, their status, and all that
//! they say; on stdout is nothing but what the program itself prints.

mod programs;
mod suites;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::{env, fs};

use jinsi_platform::files::symbolic_link;
use tempfile::{TempDir, tempdir};

use super::support::{compile_programs, jdks, jinsi, run, stderr, stdout, succeed};

/// A directory with the programs' classes, and the page of what was said in it.
struct Desk {
    directory: TempDir,
    page: String,
}

impl Desk {
    fn new() -> Self {
        static CLASSES: OnceLock<TempDir> = OnceLock::new();
        let classes = CLASSES.get_or_init(|| compile_programs(&["desk", "xmltree"], &[]));
        let directory = tempdir().unwrap();
        symbolic_link(classes.path(), directory.path().join("classes")).unwrap();
        Self {
            directory,
            page: String::new(),
        }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    /// `jinsi` with these arguments, which has the JDK's programs on the PATH.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = jinsi();
        command
            .current_dir(self.path())
            .env("PATH", with_java())
            .args(arguments);
        command
    }

    /// Calls it, and writes down what it says.
    fn call(&mut self, arguments: &[&str]) -> Output {
        let mut command = self.command(arguments);
        self.note(arguments, &mut command)
    }

    fn note(&mut self, arguments: &[&str], command: &mut Command) -> Output {
        let output = run(command);
        let status = output.status.code();
        let status = status.map_or_else(|| "by a signal".into(), |s| s.to_string());
        let said = self.general(&stderr(&output));
        let quoted = arguments.iter().map(|a| match a.contains([' ', '*']) {
            true => format!("'{a}'"),
            false => (*a).to_owned(),
        });
        let call: Vec<String> = quoted.collect();
        let printed = stdout(&output);
        let printed = match printed.is_empty() {
            true => String::new(),
            false => format!("stdout:\n{}", self.general(&printed)),
        };
        let call = self.general(&call.join(" "));
        self.page.push_str(&format!(
            "$ jinsi {call}\nstatus {status}\n{printed}{said}\n"
        ));
        output
    }

    /// What is said, without what differs from machine to machine.
    fn general(&self, text: &str) -> String {
        let directory = self.path().display().to_string();
        let text = text
            .replace(env!("CARGO_BIN_EXE_jinsi"), "jinsi")
            .replace(&directory, "DIR")
            .replace(&env::temp_dir().display().to_string(), "TMP")
            .replace(env!("CARGO_PKG_VERSION"), "VERSION");
        let lines = text.lines().filter(|line| !line.contains(" events of "));
        lines.fold(String::new(), |all, line| all + &placeless(line) + "\n")
    }

    /// Records a program of the class path that observes this; no failure of it is looked for.
    fn record(&self, trace: &str, observe: &str, program: &[&str]) -> PathBuf {
        let mut command = self.command(&["record", "--observe", observe, "-o", trace, "--"]);
        succeed(command.args(["java", "-cp", "classes"]).args(program));
        self.path().join(trace)
    }
}

/// The line without the place in a file that is in it: how long a trace is depends on the number of its process.
fn placeless(line: &str) -> String {
    match line.split_once("at offset ") {
        Some((before, behind)) => {
            let rest = behind.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{before}at offset N{rest}")
        }
        None => line.to_owned(),
    }
}

/// The PATH with a JDK's programs first.
pub(super) fn with_java() -> OsString {
    let java = jdks()[0].java().to_owned();
    let first = java.parent().unwrap().to_owned();
    let path = env::var_os("PATH").unwrap_or_default();
    let rest: Vec<PathBuf> = env::split_paths(&path).collect();
    env::join_paths(std::iter::once(first).chain(rest)).unwrap()
}

/// A program that is not named as it has to be, and places where no trace can be: nothing is run.
#[test]
fn calls_that_run_nothing() {
    let mut desk = Desk::new();
    fs::write(desk.path().join("file"), "").unwrap();
    for arguments in [
        &["debug"][..],
        &[
            "debug",
            "--observe",
            "xmltree.*",
            "java",
            "-cp",
            "classes",
            "xmltree.Main",
        ],
        &["record", "-o", "t.jinsi", "./gradlew", "test"],
        &["java", "-cp", "classes", "xmltree.Main"],
        &["minimise", "t.jinsi"],
        &["minimize", "t.jinsi", "--tset", "ATest"],
        &["debug", "--observe", "a.*,b.*", "--", "java", "Main"],
        &["debug", "--", "java", "-jar", "nothere.jar"],
        &["debug", "--", "nosuchprogram"],
        &["debug", "--out", "file", "--", "java", "Main"],
        &["debug", "--into", "nowhere", "--", "java", "Main"],
        &["debug", "--", "true"],
        &["record", "-o", "classes", "--", "java", "Main"],
        &["record", "-o", "/proc/nope/t.jinsi", "--", "java", "Main"],
    ] {
        let output = desk.call(arguments);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}");
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
    insta::assert_snapshot!(desk.page);
}

#[test]
fn traces_that_are_not_there() {
    let mut desk = Desk::new();
    fs::write(desk.path().join("text.txt"), "no trace at all ".repeat(100)).unwrap();
    for arguments in [
        &["minimize", "nothere.jinsi"][..],
        &["--json", "info", "nothere.jinsi"],
        &["slice", "nowhere/nothere.jinsi"],
        &["minimize", "."],
        &["events", "text.txt"],
        &["where", "text.txt"],
        &["mark", "2147483647"],
    ] {
        let output = desk.call(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
    fs::write(desk.path().join("empty.jinsi"), "").unwrap();
    desk.call(&["replay", "nothere.jinsi"]);
    desk.call(&["minimize", "empty.jinsi"]);
    insta::assert_snapshot!(desk.page);
}

#[test]
fn options_that_would_do_nothing() {
    let mut desk = Desk::new();
    for arguments in [
        &["minimize", "a.jinsi", "b.jinsi", "--failure", "1"][..],
        &["minimize", "a.jinsi", "b.jinsi", "--wrong", "Order.total"],
        &["minimize", "a.jinsi", "--test", "ATest", "--hang"],
        &[
            "minimize",
            "a.jinsi",
            "--failure",
            "1",
            "--wrong",
            "Order.total",
        ],
        &["minimize", "a.jinsi", "--failure", "1", "--test", "ATest"],
        &["minimize", "a.jinsi", "--source", "src", "--no-slice"],
        &["minimize", "a.jinsi", "--levels=0"],
        &["minimize", "a.jinsi", "--levels=2", "--observe", "a.*"],
        &["slice", "a.jinsi", "--zoom", "1"],
        &["replay", "a.jinsi", "--levels", "--only", "1"],
    ] {
        let output = desk.call(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
    insta::assert_snapshot!(desk.page);
}
