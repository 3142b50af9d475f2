//! What the tests share: the command, the JDKs of the machine, the compiled programs.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::thread;

use jinsi_jdk::{Jdk, compile, maven};
use jinsi_platform::process::heed_signals;
use serde_json::Value;
use tempfile::TempDir;

/// The oldest JDK that is supported.
const OLDEST: u32 = 17;

/// All supported JDKs of the machine; on the machines that run these tests at least two.
pub(crate) fn jdks() -> Vec<Jdk> {
    let jdks: Vec<Jdk> = Jdk::all()
        .expect("a JDK")
        .into_iter()
        .filter(|j| j.version().feature >= OLDEST)
        .collect();
    assert!(!jdks.is_empty(), "no JDK {OLDEST} or later found");
    jdks
}

/// The JDKs that a test goes through: one, by the test's name, so that the tests together go through each. With `JINSI_EVERY_JDK` set,
/// each test goes through all of them.
pub(crate) fn tried_jdks() -> Vec<Jdk> {
    in_turn(jdks())
}

/// One of these, by the test's name; all with `JINSI_EVERY_JDK` set.
pub(crate) fn in_turn<T>(mut all: Vec<T>) -> Vec<T> {
    if env::var_os("JINSI_EVERY_JDK").is_some() {
        return all;
    }
    let thread = thread::current();
    let name = thread.name().unwrap_or_default();
    let turn = name.bytes().map(usize::from).sum::<usize>() % all.len();
    vec![all.swap_remove(turn)]
}

/// The `jinsi` command.
pub(crate) fn jinsi() -> Command {
    agent();
    let mut command = Command::new(env!("CARGO_BIN_EXE_jinsi"));
    // What the machine's user has set must not change what the tests see.
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"] {
        command.env_remove(variable);
    }
    heed_signals(&mut command);
    command
}

/// The agent library. `cargo test` builds the command but not the library beside it, so this does.
pub(crate) fn agent() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let library = BUILT.get_or_init(|| {
        let library = Path::new(env!("CARGO_BIN_EXE_jinsi")).with_file_name("libjinsi.so");
        let mut build = Command::new(env!("CARGO"));
        build.current_dir(env!("CARGO_MANIFEST_DIR")).args([
            "build",
            "--quiet",
            // All packages, for their features: those of one alone would have most of them built once more.
            "--workspace",
            // As `cargo xtask test` does: its libraries take long to build.
            "--exclude",
            "jinsi-mcp",
            "--lib",
        ]);
        if library.parent().is_some_and(|p| p.ends_with("release")) {
            build.arg("--release");
        }
        let built = run(&mut build);
        assert!(built.status.success(), "{}", stderr(&built));
        assert!(library.is_file(), "{} is not built", library.display());
        library
    });
    library.clone()
}

/// Programs that need no library; packages of `tests/programs` each.
const PROGRAMS: &[&str] = &[
    "asked/app",
    "asked/out",
    "baskets",
    "bst",
    "busy",
    "chain",
    "chances",
    "construction",
    "crews",
    "depot/app",
    "depot/out",
    "edges/app",
    "edges/lib",
    "env/app",
    "env/out",
    "family",
    "fares",
    "fields",
    "gang/app",
    "gang/out",
    "garbage",
    "golden",
    "grids",
    "handed",
    "handles",
    "heirs/app",
    "heirs/lib",
    "indexed",
    "inheritance",
    "jobs",
    "late/app",
    "late/out",
    "later/app",
    "later/out",
    "ledger/app",
    "ledger/lib",
    "mergesort",
    "mocks/app",
    "mocks/out",
    "notices",
    "numberwriter",
    "offers/app",
    "offers/lib",
    "omitted",
    "opened",
    "pointed",
    "pooled",
    "postings",
    "prices",
    "proxied",
    "queried",
    "redefined",
    "redefined/app",
    "redefined/lib",
    "refused",
    "refused/core",
    "replayed/app",
    "replayed/out",
    "restored",
    "shapes",
    "shelves",
    "shop",
    "sliced",
    "spent",
    "spin",
    "spot",
    "strays/app",
    "strays/lib",
    "taken",
    "taken/shelf",
    "threads",
    "tellers",
    "tellers/accounts",
    "till",
    "unwound",
    "vending",
    "waiting",
    "worker",
    "wrapped",
    "xmltree",
];

/// Class directory of `tests/programs` (the ones that need no library), compiled once.
pub(crate) fn programs() -> &'static Path {
    static COMPILED: OnceLock<TempDir> = OnceLock::new();
    COMPILED
        .get_or_init(|| compile_programs(PROGRAMS, &[]))
        .path()
}

/// Class path of the JOD-3 program: its classes, and Joda-Time 1.6.
pub(crate) fn jod3() -> String {
    static COMPILED: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    on_library(&COMPILED, "jod3", "joda-time:joda-time:1.6")
}

/// Class path of the program on top of commons-collections: its classes, and the library.
pub(crate) fn linked() -> String {
    static COMPILED: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let library = "org.apache.commons:commons-collections4:4.4";
    on_library(&COMPILED, "linked", library)
}

/// Class path of the programs of `tests/programs/beans`, and Gson.
pub(crate) fn beans() -> String {
    static COMPILED: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    on_library(&COMPILED, "beans", "com.google.code.gson:gson:2.10.1")
}

/// Class path of a program of `tests/programs`, compiled once, and of the library that it needs.
fn on_library(compiled: &OnceLock<(TempDir, PathBuf)>, program: &str, coordinates: &str) -> String {
    let (classes, library) = compiled.get_or_init(|| {
        let jars = maven::fetch(&[coordinates]).expect("the library from Maven Central");
        (compile_programs(&[program], &jars), jars[0].clone())
    });
    format!("{}:{}", classes.path().display(), library.display())
}

/// Compiles programs of `tests/programs` into a directory of their own.
pub(crate) fn compile_programs(names: &[&str], class_path: &[PathBuf]) -> TempDir {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut sources = Vec::new();
    for name in names {
        let entries = std::fs::read_dir(root.join(name)).expect("program sources");
        let files = entries.map(|e| e.expect("readable").path());
        sources.extend(files.filter(|p| p.extension() == Some(OsStr::new("java"))));
    }
    let out = TempDir::new().expect("temporary directory");
    // The oldest JDK compiles, so that all of them can run the classes.
    let oldest = jdks()
        .into_iter()
        .min_by_key(|j| j.version().feature)
        .expect("a JDK");
    compile::javac(&oldest, &sources, class_path, out.path()).expect("the programs compile");
    out
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Output {
    command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

/// [`run`], which has to succeed.
#[track_caller]
pub(crate) fn succeed(command: &mut Command) -> Output {
    let output = run(command);
    assert!(output.status.success(), "{}", stderr(&output));
    output
}

/// The option of a JVM that loads the agent with these options, and records into this file.
pub(crate) fn recording_option(options: &str, trace: &Path) -> String {
    let (agent, trace) = (agent(), trace.display());
    format!("-agentpath:{}={options},out={trace}", agent.display())
}

/// This is in a text.
#[track_caller]
pub(crate) fn has(text: &str, part: &str) {
    assert!(text.contains(part), "no {part:?} in: {text}");
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

/// Records `main` (of the programs; its arguments may follow, with blanks) with the given observed classes; the trace's path.
pub(crate) fn record(jdk: &Jdk, directory: &Path, main: &str, observe: &str) -> PathBuf {
    record_from(jdk, directory, programs().as_os_str(), main, observe)
}

/// [`record`] with this detail.
pub(crate) fn record_in(
    jdk: &Jdk,
    directory: &Path,
    main: &str,
    (observe, detail): (&str, &str),
) -> PathBuf {
    recorded(
        jdk,
        directory,
        programs().as_os_str(),
        main,
        (observe, detail),
    )
}

/// [`record`] from another class path.
pub(crate) fn record_from(
    jdk: &Jdk,
    directory: &Path,
    class_path: &OsStr,
    main: &str,
    observe: &str,
) -> PathBuf {
    recorded(jdk, directory, class_path, main, (observe, "interactions"))
}

/// [`record`] from another class path, with another detail.
pub(crate) fn recorded(
    jdk: &Jdk,
    directory: &Path,
    class_path: &OsStr,
    main: &str,
    (observe, detail): (&str, &str),
) -> PathBuf {
    let trace = directory.join("t.jinsi");
    let java = jdk.java();
    let output = succeed(
        jinsi()
            .current_dir(directory)
            .args(["record", "--observe", observe, "--detail", detail, "-o"])
            .arg(&trace)
            .arg("--")
            .args([java.as_os_str(), OsStr::new("-cp"), class_path])
            .args(main.split(' ')),
    );
    assert!(trace.is_file(), "{}", stderr(&output));
    trace
}

/// The level was run for real, and its test is one in plain Java that fails as recorded.
pub(crate) fn is_plain(level: &Value) {
    assert_eq!(level["engine"], "direct", "{level:#}");
    assert_eq!(level["test_form"], "plain", "{level:#}");
    assert_eq!(level["test_outcome"], "reproduces", "{level:#}");
    assert_eq!(level["test_opaque"], 0, "{level:#}");
}

/// `jinsi minimize --json` for one observed set; the report.
pub(crate) fn minimize(trace: &Path, observe: &str) -> Value {
    let out = trace.with_file_name("report");
    let output = succeed(
        jinsi()
            .args(["--json", "minimize", "--observe", observe, "--out"])
            .arg(&out)
            .arg(trace),
    );
    json(&output)
}

/// The numbers in a report's list of interactions.
pub(crate) fn numbers(list: &Value) -> Vec<u64> {
    list.as_array()
        .expect("a list")
        .iter()
        .map(|i| i["number"].as_u64().expect("a number"))
        .collect()
}

/// The text in one line, without the margins of comments.
pub(crate) fn one_line(text: &str) -> String {
    let lines = text.lines().map(|l| l.trim().trim_start_matches("* "));
    lines.collect::<Vec<_>>().join(" ")
}
