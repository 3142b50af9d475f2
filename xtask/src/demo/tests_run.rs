//! Runs the tests that jinsi wrote once more, independently of jinsi, in a time zone in which the program itself does not crash.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result};
use jinsi_jdk::compile;
use jinsi_jdk::junit::{self, JunitResult, TestOutcome};

use super::Demo;
use super::check::{self, Check};
use super::report::{Failure, Report};

/// The recorded program does not crash in this time zone. The other option is for a quick start.
const OPTIONS: [&str; 2] = ["-Duser.timezone=UTC", "-XX:TieredStopAtLevel=1"];
/// What the report's directory holds for its tests: the recorded classes, and the JUnit extension.
const BESIDE: [&str; 2] = ["classes", "lib/jinsi-junit"];
/// Methods whose names begin so are not the program's: rewriting put them there.
const BRIDGE: &str = "jinsi$";

/// A written test.
struct Written {
    /// The level it is for.
    level: u32,
    /// Its source file, if there is one.
    source: Option<Source>,
}

/// The source of a test.
struct Source {
    file: PathBuf,
    /// Binary name of its class.
    class: String,
    /// The directory that its package starts in: sources and resources that the test needs may stand there too.
    root: PathBuf,
}

/// One check a level: its test fails with the recorded failure.
///
/// All tests are compiled at once; each then runs in a JVM of its own, so that none finds what another left in static fields.
pub(super) fn in_utc(demo: &Demo, report: &Report) -> Result<Vec<Check>> {
    let tests = report
        .levels
        .iter()
        .map(|level| {
            let file = level.test_file.as_ref().map(|file| demo.out.join(file));
            Ok(Written {
                level: level.level,
                source: file.map(|file| Source::read(&file)).transpose()?,
            })
        })
        .collect::<Result<Vec<Written>>>()?;
    let classes = tempfile::tempdir()?;
    let class_path = compile(demo, &tests, classes.path())?;
    let expected = described_failure(&report.failure);
    Ok(thread::scope(|scope| {
        let running: Vec<_> = tests
            .iter()
            .map(|test| scope.spawn(|| check_level(demo, test, &class_path, &expected)))
            .collect();
        running
            .into_iter()
            .map(|check| check.join().expect("a check does not panic"))
            .collect()
    }))
}

/// Compiles all tests against what a project has (its classes, the library, JUnit, Mockito) and what the report holds; the class path to run
/// them with.
fn compile(demo: &Demo, tests: &[Written], classes: &Path) -> Result<Vec<PathBuf>> {
    let sources: Vec<&Source> = tests
        .iter()
        .filter_map(|test| test.source.as_ref())
        .collect();
    let roots: BTreeSet<PathBuf> = sources.iter().map(|source| source.root.clone()).collect();
    let mut class_path = vec![classes.to_owned()];
    class_path.extend(roots);
    class_path.extend([demo.classes.clone(), demo.joda().to_owned()]);
    class_path.extend(BESIDE.map(|directory| demo.out.join(directory)));
    class_path.extend_from_slice(demo.test_jars());
    let files: Vec<PathBuf> = sources.iter().map(|source| source.file.clone()).collect();
    compile::javac(&demo.jdk, &files, &class_path, classes)?;
    Ok(class_path)
}

fn check_level(demo: &Demo, test: &Written, class_path: &[PathBuf], expected: &str) -> Check {
    let what = format!(
        "level {}: in UTC, the test fails with the recorded failure",
        test.level
    );
    let Some(source) = &test.source else {
        return Check::new(what, false, "there is no test");
    };
    match junit::run(
        &demo.jdk,
        class_path,
        &[&source.class],
        &OPTIONS.map(str::to_owned),
    ) {
        Ok(outcomes) => {
            let found: Vec<String> = outcomes.iter().map(describe).collect();
            Check::new(what, found == [expected], &found.join("; "))
        }
        Err(error) => Check::new(what, false, &error.to_string()),
    }
}

impl Source {
    fn read(file: &Path) -> Result<Source> {
        let text =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let class = class_name(&text, file)
            .with_context(|| format!("{} has no class name", file.display()))?;
        let root = file
            .ancestors()
            .nth(class.split('.').count())
            .unwrap_or(file)
            .to_owned();
        Ok(Source {
            file: file.to_owned(),
            class,
            root,
        })
    }
}

/// The binary name of the class in a source file.
fn class_name(source: &str, file: &Path) -> Option<String> {
    let package = source
        .lines()
        .find_map(|line| line.trim().strip_prefix("package ")?.strip_suffix(';'));
    let simple = file.file_stem()?.to_str()?;
    Some(package.map_or_else(
        || simple.to_owned(),
        |package| format!("{}.{simple}", package.trim()),
    ))
}

/// The end of a test, in the same words as [`described_failure`].
fn describe(outcome: &TestOutcome) -> String {
    let failure = match &outcome.result {
        JunitResult::Passed => return "it passes".to_owned(),
        JunitResult::Skipped(reason) => return format!("it is skipped: {reason}"),
        JunitResult::Failed(failure) => failure,
    };
    let program = failure
        .frames
        .iter()
        .find(|frame| !frame.method.starts_with(BRIDGE));
    let top = program.map(|frame| {
        let file = frame.file.as_deref().unwrap_or("Unknown Source");
        format!("{}.{}({file}:{})", frame.class, frame.method, frame.line)
    });
    described(
        &failure.exception,
        failure.message.as_deref(),
        top.as_deref().unwrap_or("unknown place"),
    )
}

fn described_failure(failure: &Failure) -> String {
    described(
        &failure.class,
        failure.message.as_deref(),
        check::place(failure),
    )
}

fn described(exception: &str, message: Option<&str>, at: &str) -> String {
    format!("{exception}: {} at {at}", message.unwrap_or("no message"))
}

#[cfg(test)]
mod tests {
    use jinsi_jdk::junit;

    use super::*;

    #[test]
    fn the_class_of_a_source() {
        let name = |source| class_name(source, Path::new("x/a/CTest.java"));
        assert_eq!(
            name("// c\npackage p.a;\nclass CTest {}"),
            Some("p.a.CTest".to_owned())
        );
        assert_eq!(name("class CTest {}"), Some("CTest".to_owned()));
    }

    #[test]
    fn the_root_is_where_the_package_starts() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir_all(directory.path().join("p/a")).unwrap();
        let file = directory.path().join("p/a/CTest.java");
        fs::write(&file, "package p.a;\nclass CTest {}").unwrap();
        let source = Source::read(&file).unwrap();
        assert_eq!(
            (source.class.as_str(), source.root.as_path()),
            ("p.a.CTest", directory.path())
        );
        assert!(Source::read(Path::new("/nowhere/C.java")).is_err());
    }

    #[test]
    fn a_test_and_the_report_describe_one_failure_alike() {
        let frame = |method: &str, line| junit::Frame {
            class: "p.C".to_owned(),
            method: method.to_owned(),
            file: Some("C.java".to_owned()),
            line,
        };
        let failed = junit::Failure {
            exception: "p.E".to_owned(),
            message: Some("text".to_owned()),
            frames: vec![frame("jinsi$3", 0), frame("m", 7), frame("n", 8)],
            trace: String::new(),
        };
        let outcome = |result| TestOutcome {
            class: "T".to_owned(),
            method: "t".to_owned(),
            result,
        };
        let recorded = Failure {
            class: "p.E".to_owned(),
            message: Some("text".to_owned()),
            at: "p.C.m(C.java:7)".to_owned(),
            ..Failure::default()
        };
        assert_eq!(
            describe(&outcome(JunitResult::Failed(failed))),
            described_failure(&recorded)
        );
        assert_ne!(
            describe(&outcome(JunitResult::Passed)),
            described_failure(&recorded)
        );
    }
}
