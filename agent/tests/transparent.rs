//! Rewritten classes behave as the originals: programs run with every class rewritten, against the real probes, fully verified. No agent
//! is there, so that the probes record nothing; what is looked at is the inserted code.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use jinsi_agent::instrument::{Part, instrument};
use jinsi_agent::selection::Selection;
use jinsi_trace::pattern::Pattern;

/// The oldest release whose language the programs use.
const RELEASE: &str = "17";

#[test]
fn a_rewritten_program_prints_what_the_original_prints() {
    for jdk in jdks() {
        let work = tempfile::tempdir().unwrap();
        let [probes, plain, rewritten] =
            ["probes", "plain", "rewritten"].map(|n| work.path().join(n));
        compile_probes(&jdk, &probes);
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/Constructs.java");
        let classes = text(&plain);
        succeed(
            tool(&jdk, "javac")
                .args(["--release", RELEASE, "-g", "-d", classes])
                .arg(program),
        );

        let expected = run(&jdk, &probes, &plain);
        let message = "because the return value of \"Constructs.find(int)\" is null";
        let end = stderr(&expected);
        assert!(end.contains(message), "{}: {end}", jdk.display());
        // The two ways classes are rewritten: calls among observed classes are recorded otherwise than calls of the environment.
        for observe in ["*", "Constructs"] {
            let sites = rewrite(&plain, &rewritten, observe, Part::Observed);
            assert!(sites > 500, "{sites} sites with observe={observe}");
            let actual = run(&jdk, &probes, &rewritten);
            let context = format!("{} observe={observe}", jdk.display());
            assert_eq!(stderr(&actual), stderr(&expected), "{context}");
            assert_eq!(stdout(&actual), stdout(&expected), "{context}");
            assert_eq!(actual.status.code(), expected.status.code(), "{context}");
        }
        // The program's classes as those that observed ones inherit from.
        rewrite(&plain, &rewritten, "nothing", Part::Inherited);
        let actual = run(&jdk, &probes, &rewritten);
        let context = format!("{} inherited", jdk.display());
        assert_eq!(stderr(&actual), stderr(&expected), "{context}");
        assert_eq!(stdout(&actual), stdout(&expected), "{context}");
        assert_eq!(actual.status.code(), expected.status.code(), "{context}");
    }
}

/// Rewrites all classes below `from` into `to`; the number of sites in them.
fn rewrite(from: &Path, to: &Path, observe: &str, part: Part) -> usize {
    let selection = Selection::new(vec![Pattern::new(observe)], vec![]);
    fs::create_dir_all(to).unwrap();
    let mut sites = 0;
    for (no, file) in (0..).zip(fs::read_dir(from).unwrap()) {
        let file = file.unwrap().path();
        let mut next = 0;
        let mut next_site = || {
            next += 1;
            next
        };
        let bytes = fs::read(&file).unwrap();
        let done = instrument(no, part, &bytes, &selection, &mut next_site)
            .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        assert_eq!(done.thinned, Vec::<String>::new());
        assert_eq!(done.left_out, Vec::<String>::new());
        sites += done.sites.len();
        fs::write(to.join(file.file_name().unwrap()), done.bytes).unwrap();
    }
    sites
}

fn run(jdk: &Path, probes: &Path, classes: &Path) -> Output {
    let patch = format!("java.base={}", probes.display());
    let mut command = tool(jdk, "java");
    command.args(["--patch-module", &patch, "-Xshare:off"]);
    // Classes of the class path are verified in full by default.
    command.args(["-cp", text(classes), "Constructs"]);
    command.output().unwrap()
}

/// The probes' classes, as the build compiles them.
fn compile_probes(jdk: &Path, out: &Path) {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../java-harness/runtime");
    let patch = format!("java.base={}", runtime.display());
    let sources = fs::read_dir(runtime.join("java/lang")).unwrap();
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
fn jdks() -> Vec<PathBuf> {
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

fn tool(jdk: &Path, name: &str) -> Command {
    let mut command = Command::new(jdk.join("bin").join(name));
    // What the machine's user has set must not change what the tests see.
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"] {
        command.env_remove(variable);
    }
    command
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", stderr(&output));
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
