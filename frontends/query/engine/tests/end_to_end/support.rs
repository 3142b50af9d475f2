//! What the tests share: the command, Java, the compiled programs of the repository.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A program of the JDK that `JAVA_HOME` names, or that is on the `PATH`.
fn of_jdk(program: &str) -> PathBuf {
    match std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
        Some(home) => Path::new(&home).join("bin").join(program),
        None => PathBuf::from(program),
    }
}

/// `java`.
pub(crate) fn java() -> PathBuf {
    of_jdk("java")
}

/// What `jinsi query` and `jinsi export` become.
pub(crate) fn asked() -> Command {
    Command::new(env!("CARGO_BIN_EXE_jinsi-query"))
}

/// The `jinsi` command, which records.
pub(crate) fn jinsi() -> Command {
    let beside = Path::new(env!("CARGO_BIN_EXE_jinsi-query"));
    let program = beside.with_file_name("jinsi");
    let built = program.is_file() && program.with_file_name("libjinsi.so").is_file();
    assert!(
        built,
        "no jinsi beside {}: cargo xtask query builds it",
        beside.display()
    );
    let mut command = Command::new(program);
    // What the machine's user has set must not change what the tests see.
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"] {
        command.env_remove(variable);
    }
    command
}

/// The agent library.
pub(crate) fn agent() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_jinsi-query")).with_file_name("libjinsi.so")
}

/// A package of `tests/programs`.
pub(crate) fn sources(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/programs")
        .join(name)
}

/// Compiles a package of `tests/programs` into a directory of its own.
pub(crate) fn compiled(name: &str) -> TempDir {
    let entries = std::fs::read_dir(sources(name)).expect("program sources");
    let files = entries.map(|entry| entry.expect("readable").path());
    let sources: Vec<PathBuf> = files
        .filter(|path| path.extension() == Some(OsStr::new("java")))
        .collect();
    let out = TempDir::new().expect("temporary directory");
    let javac = of_jdk("javac");
    let said = run(Command::new(javac)
        .args(["-g", "-d"])
        .arg(out.path())
        .args(&sources));
    assert!(said.status.success(), "{}", stderr(&said));
    out
}

/// Records a program into a file of the directory; its path.
pub(crate) fn recorded(
    directory: &Path,
    class_path: &Path,
    main: &str,
    (observe, detail): (&str, &str),
) -> PathBuf {
    let trace = directory.join("t.jinsi");
    let java = java();
    let output = run(jinsi()
        .current_dir(directory)
        .args(["record", "--observe", observe, "--detail", detail, "-o"])
        .arg(&trace)
        .arg("--")
        .args([java.as_os_str(), OsStr::new("-cp"), class_path.as_os_str()])
        .arg(main));
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(trace.is_file(), "{}", stderr(&output));
    trace
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Output {
    command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

/// Standard output as text.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Standard error as text.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The JSON document on stdout.
pub(crate) fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| {
        panic!(
            "no JSON on stdout ({e}): {}\nstderr: {}",
            stdout(output),
            stderr(output)
        )
    })
}
