//! JDKs, and running programs on them; what the tests on real JVMs share.

// Not every test needs all of it.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs a main class against the probes in `probes`.
pub(crate) fn run(jdk: &Path, probes: &Path, classes: &Path, main: &str) -> Output {
    run_with(jdk, probes, classes, main, &[])
}

/// The same with arguments.
pub(crate) fn run_with(
    jdk: &Path,
    probes: &Path,
    classes: &Path,
    main: &str,
    arguments: &[&str],
) -> Output {
    let patch = format!("java.base={}", probes.display());
    let mut command = tool(jdk, "java");
    command.args(["--patch-module", &patch, "-Xshare:off"]);
    // Classes of the class path are verified in full by default.
    command.args(["-cp", text(classes), main]).args(arguments);
    command.output().unwrap()
}

/// The probes' classes, as the build compiles them.
pub(crate) fn compile_probes(jdk: &Path, out: &Path) {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../java-harness/runtime");
    let generated = out.with_extension("generated");
    jinsi_probes::java::write(&generated).unwrap();
    let roots = [runtime, generated];
    let patch = format!(
        "java.base={}",
        text(Path::new(&env::join_paths(&roots).unwrap()))
    );
    let sources = roots
        .iter()
        .flat_map(|root| fs::read_dir(root.join("java/lang")).unwrap());
    let mut javac = tool(jdk, "javac");
    javac.args([
        "-nowarn",
        "-Xlint:-options",
        "-source",
        "11",
        "-target",
        "11",
    ]);
    javac.args(["--patch-module", &patch, "-d", text(out)]);
    succeed(javac.args(sources.map(|s| s.unwrap().path())));
}

/// The JDK that `JAVA_HOME` or the `PATH` names, and its siblings on this machine.
pub(crate) fn jdks() -> Vec<PathBuf> {
    let on_path = || {
        let path = env::var_os("PATH")?;
        let mut places = env::split_paths(&path).map(|dir| dir.join("javac"));
        let javac = fs::canonicalize(places.find(|javac| javac.is_file())?).ok()?;
        Some(javac.parent()?.parent()?.to_owned())
    };
    let named = env::var_os("JAVA_HOME").map(PathBuf::from);
    let first = named
        .or_else(on_path)
        .expect("these tests need a JDK: JAVA_HOME, or javac on the PATH");
    let siblings = first.parent().and_then(|dir| fs::read_dir(dir).ok());
    let siblings = siblings.into_iter().flatten().flatten().map(|e| e.path());
    let homes = std::iter::once(first.clone()).chain(siblings);
    let compiles = |home: &PathBuf| home.join("bin/javac").is_file();
    let real: BTreeSet<PathBuf> = homes
        .filter(compiles)
        .filter_map(|home| fs::canonicalize(home).ok())
        .collect();
    real.into_iter().collect()
}

/// Options of a JVM that ends soon.
const QUICK: [&str; 2] = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/// A program of a JDK.
pub(crate) fn tool(jdk: &Path, name: &str) -> Command {
    let mut command = Command::new(jdk.join("bin").join(name));
    // What the machine's user has set must not change what the tests see.
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"] {
        command.env_remove(variable);
    }
    // The quick compiler is enough for what ends within a second.
    let prefix = match name {
        "java" => "",
        _ => "-J",
    };
    command.args(QUICK.map(|option| format!("{prefix}{option}")));
    command
}

/// Runs it; it has to succeed.
pub(crate) fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", stderr(&output));
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
