//! Compiles the Java of `java-harness` with `javac` and embeds it: the probes' runtime into the agent, the replay worker into the
//! command. The probes that there are in many forms are written first, by `jinsi-probes`. The JUnit extension is embedded as source,
//! because it is compiled against the user's own JUnit; the native library that it needs is built by a cargo of its own. The command is given
//! which commit it is built from.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let harness = Path::new("java-harness");
    println!("cargo:rerun-if-changed=java-harness/runtime");
    println!("cargo:rerun-if-changed=java-harness/replay/jinsi");
    println!("cargo:rerun-if-changed=java-harness/server/jinsi");
    println!("cargo:rerun-if-changed=java-harness/rerun/jinsi");
    println!("cargo:rerun-if-changed=java-harness/junit/jinsi");
    println!("cargo:rerun-if-env-changed=JAVA_HOME");
    println!("cargo:rustc-env=JINSI_COMMIT={}", commit());

    let javac = javac();
    compile_runtime(&javac, harness, &out);
    for part in ["replay", "server", "rerun"] {
        let sources = harness.join(part).join("jinsi");
        compile(&javac, &["--release", "11"], &[&sources], &out.join(part));
    }
    embed(
        &out.join("runtime.rs"),
        "RUNTIME_CLASSES",
        "Class files of the probes' runtime: internal name, bytes.",
        &out.join("runtime"),
        "class",
    );
    embed(
        &out.join("replay.rs"),
        "REPLAY_CLASSES",
        "Class files of the replay worker: path, bytes.",
        &out.join("replay"),
        "class",
    );
    embed(
        &out.join("server.rs"),
        "SERVER_CLASSES",
        "Class files of what compiles and runs tests on request: path, bytes.",
        &out.join("server"),
        "class",
    );
    embed(
        &out.join("rerun.rs"),
        "RERUN_CLASSES",
        "Class files of what runs one test by the program's own test engine: path, bytes.",
        &out.join("rerun"),
        "class",
    );
    embed(
        &out.join("junit.rs"),
        "JUNIT_SOURCES",
        "Sources of the JUnit extension: path, bytes.",
        &fs::canonicalize(harness.join("junit")).expect("java-harness/junit"),
        "java",
    );
    println!(
        "cargo:rustc-env=JINSI_REWRITER={}",
        rewriter(&out).display()
    );
}

/// What the rewriter's library is made of.
const REWRITER: [&str; 7] = [
    "analysis/rewrite/Cargo.toml",
    "analysis/rewrite/src",
    "analysis/rewrite/native",
    "classfile/src",
    "trace/natural/src",
    "trace/events/src",
    "Cargo.lock",
];

/// Builds the library that rewrites classes where written tests run, and gives its path. Cargo cannot have a program depend on a library of this
/// kind; so another cargo builds it, in a directory of its own, which nobody locks.
fn rewriter(out: &Path) -> PathBuf {
    for part in REWRITER {
        println!("cargo:rerun-if-changed={part}");
    }
    let variable = |name: &str| env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"));
    // It is carried along, so it is as small as what is given away.
    let (profile, directory) = match &*variable("PROFILE") {
        "debug" => ("dev", "debug"),
        _ => ("dist", "dist"),
    };
    let target = variable("TARGET");
    let place = out.join("rewriter");
    let mut cargo = Command::new(variable("CARGO"));
    cargo
        .args(["build", "--quiet", "--offline", "--locked"])
        .args(["--package", "jinsi-rewriter", "--profile", profile])
        .args(["--target", &target, "--target-dir"])
        .arg(&place)
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        // Its directory is its own: nothing is built there once more, but for a change of it.
        .env("CARGO_INCREMENTAL", "0")
        // Unoptimized, it takes most of the time of a written test.
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
        .env("CARGO_PROFILE_DEV_STRIP", "symbols")
        // Of Clippy, which does not build.
        .env_remove("RUSTC_WORKSPACE_WRAPPER");
    let status = cargo.status();
    let status = status.unwrap_or_else(|e| panic!("cannot start cargo for the rewriter: {e}"));
    assert!(status.success(), "jinsi-rewriter does not build");
    place
        .join(target)
        .join(directory)
        .join("libjinsi_rewriter.so")
}

/// Compiles the probes' runtime, after those of its classes are written that are generated.
fn compile_runtime(javac: &Path, harness: &Path, out: &Path) {
    let sources = [harness.join("runtime"), out.join("generated")];
    jinsi_probes::java::write(&sources[1]).expect("OUT_DIR is writable");
    let patch = env::join_paths(&sources).expect("no separators in paths");
    let patch = format!("java.base={}", patch.display());
    // Classes of java.base cannot be compiled with --release: they name its internals.
    compile(
        javac,
        &["-source", "11", "-target", "11", "--patch-module", &patch],
        &[&sources[0], &sources[1]],
        &out.join("runtime"),
    );
}

/// The commit that is checked out, in twelve hex digits; `unknown` outside of git.
fn commit() -> String {
    // A commit writes to this log, and so does a checkout.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"])
        && Path::new(&log).is_file()
    {
        println!("cargo:rerun-if-changed={log}");
    }
    git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "unknown".to_owned())
}

/// What git prints, if there is a git, and this is a repository of its.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    (output.status.success() && !text.trim().is_empty()).then(|| text.trim().to_owned())
}

fn javac() -> PathBuf {
    match env::var_os("JAVA_HOME") {
        Some(home) if !home.is_empty() => Path::new(&home).join("bin/javac"),
        _ => PathBuf::from("javac"),
    }
}

fn compile(javac: &Path, options: &[&str], sources: &[&Path], out: &Path) {
    if out.exists() {
        fs::remove_dir_all(out).expect("OUT_DIR is writable");
    }
    fs::create_dir_all(out).expect("OUT_DIR is writable");
    let mut files = Vec::new();
    for directory in sources {
        collect(directory, "java", &mut files);
    }
    let status = Command::new(javac)
        .args([
            "-nowarn",
            "-Xlint:-options",
            "-encoding",
            "UTF-8",
            "-g",
            "-d",
        ])
        .arg(out)
        .args(options)
        .args(&files)
        .status()
        .unwrap_or_else(|e| {
            panic!(
                "cannot run {}: {e}; a JDK (17 or newer) is needed, on PATH or as JAVA_HOME",
                javac.display()
            )
        });
    assert!(status.success(), "javac failed on {sources:?}");
}

fn collect(dir: &Path, extension: &str, into: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    for entry in entries {
        let path = entry.expect("readable directory").path();
        if path.is_dir() {
            collect(&path, extension, into);
        } else if path.extension().is_some_and(|e| e == extension) {
            into.push(path);
        }
    }
    into.sort();
}

fn embed(file: &Path, name: &str, doc: &str, dir: &Path, extension: &str) {
    let mut files = Vec::new();
    collect(dir, extension, &mut files);
    let mut text = format!("/// {doc}\npub(crate) static {name}: &[(&str, &[u8])] = &[\n");
    for path in files {
        let relative = path.strip_prefix(dir).expect("below").with_extension("");
        writeln!(
            text,
            "    ({:?}, include_bytes!({:?})),",
            relative.display().to_string(),
            path.display().to_string()
        )
        .expect("String");
    }
    text.push_str("];\n");
    fs::write(file, text).expect("OUT_DIR is writable");
}
