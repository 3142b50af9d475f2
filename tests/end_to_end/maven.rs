//! The Maven plugin, installed as a user has it: one `mvn test` leaves a minimal test for each test that failed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::support::{agent, run, stdout};

/// What of `java-harness` the plugin is built from.
const HARNESS: [&str; 3] = ["pom.xml", "build-support", "maven-plugin"];
/// What the plugin for Gradle is built of besides.
const FOR_GRADLE: [&str; 2] = ["gradle-plugin", "gradle-marker"];

/// The sample projects with the plugin that they use, which is built and installed into the local repository.
pub(super) fn samples() -> &'static Path {
    static INSTALLED: OnceLock<TempDir> = OnceLock::new();
    INSTALLED.get_or_init(|| installed(&HARNESS, &[])).path()
}

/// The plugin for Gradle, built and installed into the local repository; what it is made from goes with the value.
pub(super) fn installed_for_gradle() -> TempDir {
    installed(&[&HARNESS[..], &FOR_GRADLE].concat(), &["-Pgradle"])
}

/// Copies these parts of `java-harness`, and has Maven build and install them.
fn installed(parts: &[&str], options: &[&str]) -> TempDir {
    let directory = tempdir().unwrap();
    let harness = Path::new(env!("CARGO_MANIFEST_DIR")).join("java-harness");
    for part in parts {
        copy(&harness.join(part), &directory.path().join(part));
    }
    let library = agent();
    let natives = format!("-Djinsi.natives={}", library.parent().unwrap().display());
    let arguments = [&["install", natives.as_str()], options].concat();
    let built = mvn(directory.path(), &arguments);
    assert!(built.status.success(), "{}", stdout(&built));
    directory
}

fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        std::fs::copy(from, to).unwrap();
        return;
    }
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let name = entry.unwrap().file_name();
        if name != OsStr::new("target") {
            copy(&from.join(&name), &to.join(&name));
        }
    }
}

/// A copy of the project `name` of `tests`.
fn project(name: &str) -> TempDir {
    samples();
    let project = tempdir().unwrap();
    copy(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests")
            .join(name),
        project.path(),
    );
    project
}

fn mvn(directory: &Path, arguments: &[&str]) -> Output {
    run(Command::new("mvn")
        .current_dir(directory)
        .env_remove("JAVA_TOOL_OPTIONS")
        .arg("-B")
        .args(arguments))
}

/// Files of `target/jinsi` whose names end so.
fn left(project: &Path, suffix: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(project.join("target/jinsi")) else {
        return vec![];
    };
    let paths = entries.map(|e| e.unwrap().path());
    paths
        .filter(|p| p.to_string_lossy().ends_with(suffix))
        .collect()
}

/// What `tests.json` says of each test: its name, and whether it is reproduced by written tests that are there.
fn reproduced(project: &Path) -> Vec<(String, bool)> {
    let directory = project.join("target/jinsi");
    let text = std::fs::read(directory.join("tests.json")).unwrap();
    let report: Value = serde_json::from_slice(&text).unwrap();
    let mut tests: Vec<_> = report["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| {
            let file = test["test_files"][0].as_str();
            let written = file.is_some_and(|f| directory.join(f).is_file());
            let own = test["directory"].as_str();
            let page = own.is_some_and(|d| directory.join(d).join("report.html").is_file());
            let name = test["test"].as_str().unwrap().to_owned();
            (name, test["reproduces"] == true && written && page)
        })
        .collect();
    tests.sort();
    tests
}

/// Two modules, built at the same time, whose tests run in two JVMs at a time: each JVM leaves a trace, and each failed test a report and a
/// test. The first module's own JVM arguments are still there (one of its tests looks). The second has JUnit 4 without
/// the JUnit Platform, and no `observe`: the project's own classes are recorded, and its tests.
#[test]
fn one_command_leaves_a_minimal_test_for_each_failed_one() {
    samples();
    let all = tempdir().unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let modules = ["maven-sample", "maven-junit4"].map(|name| {
        let module = all.path().join(name);
        copy(&tests.join(name), &module);
        module
    });
    let parent = "<project><modelVersion>4.0.0</modelVersion><groupId>all</groupId><artifactId>all</artifactId><version>1</version>
        <packaging>pom</packaging><modules><module>maven-sample</module><module>maven-junit4</module></modules></project>";
    std::fs::write(all.path().join("pom.xml"), parent).unwrap();
    let built = mvn(
        all.path(),
        &["-T2", "-fae", "test", "-DforkCount=2", "-DreuseForks=false"],
    );
    assert_eq!(built.status.code(), Some(1));
    let said = stdout(&built);
    let [sample, junit4] = &modules;
    for ran in [
        "Tests run: 6, Failures: 0, Errors: 3",
        "Tests run: 2, Failures: 0, Errors: 1",
    ] {
        assert!(said.contains(ran), "{said}");
    }
    // A trace for each JVM, and what it was expanded to.
    assert_eq!(left(sample, ".jinsi").len(), 4, "{said}");
    assert!(!said.contains("minimized at one level"), "{said}");
    let failed = [
        "sample.ColumnTest.cutsLongNames",
        "sample.TableTest.leavesPartsOut",
        "sample.TableTest.showsRowsWithoutValue",
    ];
    let expected = failed.map(|t| (t.to_owned(), true));
    assert_eq!(reproduced(sample), expected, "{said}");

    assert_eq!(left(junit4, ".jinsi").len(), 2, "{said}");
    let test = "stock.StockTest.packsWhatWasOrdered".to_owned();
    assert_eq!(reproduced(junit4), [(test, true)], "{said}");
    let options = std::fs::read_to_string(junit4.join("target/jinsi/agent.options")).unwrap();
    assert!(options.lines().any(|l| l == "observe=stock.*"), "{options}");
    assert!(!options.contains("exclude="), "{options}");
}

/// A build whose tests pass is green and leaves no trace, not even the ones of the build before.
#[test]
#[ignore = "long: several builds"]
fn good_builds_stay_green_and_leave_nothing() {
    let project = project("maven-sample");
    let earlier = project.path().join("target/jinsi/test-1.jinsi");
    std::fs::create_dir_all(earlier.parent().unwrap()).unwrap();
    std::fs::write(&earlier, "of an earlier build").unwrap();
    let an_hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let file = std::fs::File::options().write(true).open(&earlier).unwrap();
    file.set_modified(an_hour_ago).unwrap();
    let built = mvn(
        project.path(),
        &[
            "test",
            "-Dtest=TableTest#hasRows+keepsArgumentsOfTheProject",
        ],
    );
    assert!(built.status.success(), "{}", stdout(&built));
    assert!(stdout(&built).contains("Tests run: 2, Failures: 0"));
    assert_eq!(left(project.path(), ".jinsi"), Vec::<PathBuf>::new());
    assert_eq!(left(project.path(), "tests.json"), Vec::<PathBuf>::new());
}

/// `-Djinsi.skip` does nothing at all. Tests inside Maven's own JVM run as ever, and one line says what to do.
#[test]
#[ignore = "long: several builds"]
fn skipping_and_tests_without_a_jvm_of_their_own() {
    let project = project("maven-sample");
    let ran = "Tests run: 6, Failures: 0, Errors: 3";
    // The tests are run all the same, though Surefire's arguments name a property that nobody sets then.
    let skipped = mvn(project.path(), &["test", "-Djinsi.skip"]);
    assert!(!project.path().join("target/jinsi").exists());
    let said = stdout(&skipped);
    assert!(said.contains("[jinsi] skipped"), "{said}");
    assert!(said.contains(ran), "{said}");
    let inside = mvn(project.path(), &["test", "-DforkCount=0"]);
    let said = stdout(&inside);
    assert!(said.contains("Tests run: 6, Failures: 0"), "{said}");
    let why = "[WARNING] [jinsi] tests are not recorded: maven-surefire-plugin (default-test): its tests run inside Maven's JVM";
    assert!(said.contains(why), "{said}");
    assert!(said.contains("but nothing was recorded"), "{said}");
}

/// What keeps the agent from being loaded, or leaves it out, changes no build: it is said in one line.
#[test]
#[ignore = "long: several builds"]
fn what_cannot_be_recorded_is_built_all_the_same() {
    let project = project("maven-junit4");
    let ran = "Tests run: 2, Failures: 0, Errors: 1";
    for (option, line) in [
        (
            "-Djinsi.maxSize=much",
            "does not start with jinsi's agent: max-size=much",
        ),
        ("-Djinsi.directory=/dev/null/x", "cannot prepare"),
        ("-Dos.arch=riscv64", "jinsi runs on Linux on x86-64 only"),
    ] {
        let said = stdout(&mvn(project.path(), &["test", option]));
        assert!(said.contains(ran), "{option}: {said}");
        let lines = said.lines().filter(|l| {
            l.starts_with("[WARNING] [jinsi] tests are not recorded: ") && l.contains(line)
        });
        assert_eq!(lines.count(), 1, "{option}: {said}");
    }
}

/// A few builds of the matrix of `cargo xtask builds`: with the plugin the same tests run and end the same way, and of the failed one there is a test that passes on
/// the repaired program.
#[test]
#[ignore = "long: fetches releases of Maven, and builds with them"]
fn builds_of_all_kinds_are_the_same_with_the_plugin() {
    samples();
    let output = run(Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["xtask", "builds", "--json", "--installed", "--sample", "3"]));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["totals"]["builds"], 3, "{report:#}");
    assert_eq!(report["holds"], true, "{report:#}");
}

/// The plugin has the version of the command it carries.
#[test]
fn versions_agree() {
    for file in [
        "pom.xml",
        "build-support/pom.xml",
        "maven-plugin/pom.xml",
        "gradle-plugin/pom.xml",
        "gradle-marker/pom.xml",
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("java-harness")
            .join(file);
        let text = std::fs::read_to_string(path).unwrap();
        let version = text
            .split("<version>")
            .nth(1)
            .and_then(|t| t.split('<').next());
        assert_eq!(version, Some(env!("CARGO_PKG_VERSION")), "{file}");
    }
    let query = Path::new(env!("CARGO_MANIFEST_DIR")).join("frontends/query/engine/Cargo.toml");
    let query = std::fs::read_to_string(query).unwrap();
    let version = concat!("\nversion = \"", env!("CARGO_PKG_VERSION"), "\"\n");
    assert!(query.contains(version), "frontends/query/engine/Cargo.toml");
}
