//! The written tests in a fresh Maven project that has JUnit, Mockito, the library, and jinsi's extension where a test says so.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use jinsi_analysis::report::json::{Failure, LevelReport, StackFrame};
use jinsi_ground::bugs::Bug;
use jinsi_jdk::junit::{self, JunitResult};
use jinsi_jdk::{maven, process};
use jinsi_level::frameworks;
use jinsi_oracle::assertion;

use super::debug::{Debugged, Debugger};
use jinsi_ground::repository;

/// Time for Maven; the first run downloads its plugins.
const LIMIT: Duration = Duration::from_secs(280);
/// Plugins and JUnit, pinned so that every machine runs the same ones.
const RESOURCES: &str = "org.apache.maven.plugins:maven-resources-plugin:3.3.1";
const COMPILER: &str = "org.apache.maven.plugins:maven-compiler-plugin:3.13.0";
const SUREFIRE: &str = "org.apache.maven.plugins:maven-surefire-plugin:3.2.5";
const JUPITER: &str = "org.junit.jupiter:junit-jupiter:5.10.2";
/// What runs tests of JUnit 4, which it brings along.
const VINTAGE: &str = "org.junit.vintage:junit-vintage-engine:5.10.2";
/// What [`THROWN`] is compiled against.
const LAUNCHER: &str = "org.junit.platform:junit-platform-launcher:1.10.2";
/// Tells the class of what a test threw: Surefire's reports have what the exception's `toString` begins with.
const THROWN: &str = include_str!("Thrown.java");
/// Where it does, below the project's directory.
const THROWN_FILE: &str = "target/thrown.txt";

/// For each level: `fails rightly`, or what is wrong; `None` where there is no test.
pub(super) fn check(
    bug: &Bug,
    debugged: &Debugged,
    debugger: &Debugger,
) -> Result<Vec<Option<String>>> {
    let levels = &debugged.report.levels;
    if levels.iter().all(|level| level.test_file.is_none()) {
        return Ok(vec![None; levels.len()]);
    }
    let project = debugged
        .directory
        .parent()
        .context("the report has a directory")?
        .join("surefire");
    set_up(bug, debugged, debugger, &project)?;
    let mut mvn = Command::new("mvn");
    mvn.current_dir(&project)
        .env("JAVA_HOME", debugger.jdk.home())
        .args([
            "-B",
            "-Dmaven.test.failure.ignore=true",
            &format!("{RESOURCES}:testResources"),
            &format!("{COMPILER}:compile"),
            &format!("{COMPILER}:testCompile"),
            &format!("{SUREFIRE}:test"),
        ]);
    let finished = process::run(&mut mvn, LIMIT)?;
    let outcomes = junit::read_reports(&project.join("target/surefire-reports"))?;
    // Nobody throws anything: no file.
    let thrown = fs::read_to_string(project.join(THROWN_FILE)).unwrap_or_default();
    let thrown: BTreeMap<&str, &str> = thrown.lines().filter_map(|l| l.split_once(' ')).collect();
    let ended: BTreeMap<&str, &JunitResult> = outcomes
        .iter()
        .map(|o| (o.class.as_str(), &o.result))
        .collect();
    let judge = |level: &LevelReport| {
        let file = level.test_file.as_ref()?;
        let class = class_of(file);
        let simple = format!("{}.java:", class.rsplit('.').next().unwrap_or_default());
        let complaint = |line: &&str| {
            (line.starts_with("[WARNING]") || line.starts_with("[ERROR]")) && line.contains(&simple)
        };
        Some(match ended.get(class.as_str()) {
            _ if finished.stdout.lines().any(|l| complaint(&l)) => {
                let line = finished.stdout.lines().find(complaint);
                format!("javac complains: {}", line.unwrap_or_default())
            }
            None => format!("Surefire did not run it ({})", finished.status),
            Some(result) => {
                let thrown = thrown.get(class.as_str()).copied().unwrap_or_default();
                verdict(result, thrown, &debugged.report.failure)
            }
        })
    };
    Ok(levels.iter().map(judge).collect())
}

/// Binary name of the class in a test file, `tests/a/BTest.java`.
pub(super) fn class_of(file: &str) -> String {
    let path = file.strip_prefix("tests/").unwrap_or(file);
    path.strip_suffix(".java").unwrap_or(path).replace('/', ".")
}

/// Is this the recorded failure? `thrown` is the class of what the test threw.
fn verdict(result: &JunitResult, thrown: &str, recorded: &Failure) -> String {
    let failure = match result {
        JunitResult::Passed => return "it passes".into(),
        JunitResult::Skipped(why) => return format!("it is skipped: {why}"),
        JunitResult::Failed(failure) => failure,
    };
    let message = failure.message.as_deref().unwrap_or_default();
    let top = failure
        .frames
        .iter()
        .find(|f| !f.method.starts_with("jinsi$"))
        .map(|f| format!("{}.{}(", f.class, f.method))
        .unwrap_or_default();
    if recorded.kind == "assertion" && frameworks::is_assertion(thrown) {
        // Replay has no fields of exceptions; one that makes its message of them has none, and is known by its place.
        let there = |frame: &StackFrame| frame.text.starts_with(&top);
        let silent = message.is_empty() && thrown == recorded.class;
        return match is_about(failure, recorded) || silent && recorded.stack.iter().any(there) {
            true => "fails rightly".into(),
            false => format!("asserts something else: {}", failure.trace),
        };
    }
    if recorded.kind == "hang" && message.contains("timed out") {
        return "fails rightly".into();
    }
    // What the test of an output asserts is in its source, and is no more than that.
    if recorded.kind == "output"
        && frameworks::is_assertion(thrown)
        && !message.starts_with("replay: ")
    {
        return "fails rightly".into();
    }
    if jinsi_jdk::surefire::causes(&failure.trace)
        .iter()
        .any(|cause| is_cause(cause, recorded))
    {
        return "fails rightly".into();
    }
    let place = recorded.stack.first().map_or("", |f| f.text.as_str());
    // Where the stack overflows is chance.
    let anywhere = recorded.class == "java.lang.StackOverflowError";
    if thrown == recorded.class && (anywhere || place.starts_with(&top)) {
        return "fails rightly".into();
    }
    format!(
        "fails with {thrown} ({}) at {top})",
        failure.message.as_deref().unwrap_or("no message")
    )
}

/// Is this cause of what the test threw the recorded failure, out of the same code of the program's? Where the JDK threw it depends on the loader.
fn is_cause(cause: &junit::Failure, recorded: &Failure) -> bool {
    let place = recorded.stack.iter().find(|f| f.level.is_some());
    let there = |f: &junit::Frame, place: &StackFrame| {
        place
            .text
            .starts_with(&format!("{}.{}(", f.class, f.method))
    };
    cause.exception == recorded.class
        && place.is_some_and(|place| cause.frames.iter().any(|f| there(f, place)))
}

/// Does the test assert the value that the recorded assertion shows, if that shows it?
fn is_about(failure: &junit::Failure, recorded: &Failure) -> bool {
    let shown = recorded.actual.as_deref();
    // The value that a test alone saw is in no written one.
    let shown = shown.filter(|_| recorded.found.as_deref() == Some("shown"));
    let text = failure.message.as_deref().unwrap_or_default();
    shown.is_none_or(|shown| {
        let frames = failure.frames.iter();
        assertion::is_about(text, frames.map(|f| (&*f.class, &*f.method)), shown)
    })
}

fn set_up(bug: &Bug, debugged: &Debugged, debugger: &Debugger, project: &Path) -> Result<()> {
    let jdk = &debugger.jdk;
    let tests = project.join("src/test/java");
    copy(&debugged.directory.join("tests"), &tests, &|path| {
        path.extension().is_some_and(|e| e == "java")
    })?;
    copy(
        &debugged.directory.join("tests"),
        &project.join("src/test/resources"),
        &|path| path.extension().is_some_and(|e| e == "jinsi"),
    )?;
    let driver = project.join("src/main/java").join(bug.package());
    fs::create_dir_all(&driver)?;
    for source in bug.driver()? {
        fs::copy(&source, driver.join(source.file_name().unwrap_or_default()))?;
    }
    let extension = debugged.directory.join("lib/jinsi-junit");
    let jar = extension.is_dir().then(|| project.join("jinsi-junit.jar"));
    if let Some(jar) = &jar {
        let mut command = Command::new(jdk.home().join("bin/jar"));
        command.arg("--create").arg("--file").arg(jar);
        repository::run(command.arg("-C").arg(&extension).arg("."))?;
    }
    let services = project.join("src/test/resources/META-INF/services");
    fs::create_dir_all(&services)?;
    let service = services.join("org.junit.platform.launcher.TestExecutionListener");
    fs::write(service, "jinsi.check.Thrown\n")?;
    let check = tests.join("jinsi/check");
    fs::create_dir_all(&check)?;
    fs::write(check.join("Thrown.java"), THROWN)?;
    let text = project_file(bug, jar.as_ref(), jdk.version().feature, debugger.junit);
    fs::write(project.join("pom.xml"), text)?;
    Ok(())
}

/// Copies the files that `wanted` accepts.
fn copy(from: &Path, into: &Path, wanted: &dyn Fn(&Path) -> bool) -> Result<()> {
    fs::create_dir_all(into)?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let path: PathBuf = entry?.path();
        let target = into.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &target, wanted)?;
        } else if wanted(&path) {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

fn project_file(bug: &Bug, extension: Option<&PathBuf>, release: u32, junit: u32) -> String {
    let engine = if junit == 4 { VINTAGE } else { JUPITER };
    let dependency = |coordinates: &str, more: &str| {
        let mut parts = coordinates.split(':');
        let mut part = || parts.next().unwrap_or_default();
        format!(
            "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>{more}</dependency>\n",
            part(),
            part(),
            part()
        )
    };
    // What the manifest names is all that the library has, as in the recorded run.
    let alone = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>";
    let mut dependencies: String = bug
        .coordinates
        .iter()
        .map(|c| dependency(c, alone))
        .collect();
    for coordinates in [engine, LAUNCHER, maven::MOCKITO[0]] {
        dependencies += &dependency(coordinates, "<scope>test</scope>");
    }
    if let Some(jar) = extension {
        let more = format!(
            "<scope>system</scope><systemPath>{}</systemPath>",
            jar.display()
        );
        dependencies += &dependency("jinsi:jinsi-junit:1", &more);
    }
    format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>\n\
         <groupId>jinsi</groupId><artifactId>{}</artifactId><version>1</version>\n\
         <properties><maven.compiler.release>{release}</maven.compiler.release>\n\
         <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>\n\
         <maven.compiler.showWarnings>true</maven.compiler.showWarnings>\n\
         <surefire.trimStackTrace>false</surefire.trimStackTrace><trimStackTrace>false</trimStackTrace></properties>\n\
         <dependencies>\n{dependencies}</dependencies>\n\
         <build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><configuration><compilerArgs><arg>-Xlint:all</arg>\
         </compilerArgs></configuration></plugin></plugins></build></project>\n",
        bug.package()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_of_a_test_file() {
        assert_eq!(class_of("tests/a/b/CTest.java"), "a.b.CTest");
        assert_eq!(class_of("tests/CTest.java"), "CTest");
    }

    #[test]
    fn a_wrapped_failure_has_it_as_a_cause_from_the_same_place() {
        let frame = |text: &str, level| StackFrame {
            text: text.into(),
            level,
        };
        let recorded = Failure {
            class: "p.Inner".into(),
            stack: vec![
                frame("jdk.Loader.load(Loader.java:1)", None),
                frame("p.C.m(C.java:3)", Some(1)),
            ],
            ..Failure::default()
        };
        let wrapped = |cause: &str| {
            JunitResult::Failed(junit::Failure {
                exception: "p.Outer".into(),
                message: None,
                frames: Vec::new(),
                trace: format!("p.Outer\n\tat q.T.t(T.java:1)\nCaused by: {cause}"),
            })
        };
        let fails = |cause: &str| verdict(&wrapped(cause), "p.Outer", &recorded);
        let there = "\n\tat java.Other.find(Other.java:9)\n\tat p.C.m(C.java:3)\n\t... 1 more";
        assert_eq!(fails(&format!("p.Inner: int{there}")), "fails rightly");
        assert_ne!(fails(&format!("p.Other: int{there}")), "fails rightly");
        assert_ne!(fails("p.Inner: int\n\tat p.C.n(C.java:8)"), "fails rightly");
    }

    #[test]
    fn a_right_failure_has_type_and_place() {
        let failed = |method: &str| {
            JunitResult::Failed(junit::Failure {
                exception: "what it says of itself".into(),
                message: None,
                frames: ["jinsi$1", method]
                    .map(|method| junit::Frame {
                        class: "p.C".into(),
                        method: method.into(),
                        file: None,
                        line: 0,
                    })
                    .to_vec(),
                trace: String::new(),
            })
        };
        let recorded = Failure {
            class: "p.E".into(),
            stack: vec![StackFrame {
                text: "p.C.m(C.java:3)".into(),
                level: None,
            }],
            ..Failure::default()
        };
        let rightly = "fails rightly";
        assert_eq!(verdict(&failed("m"), "p.E", &recorded), rightly);
        assert_ne!(verdict(&failed("n"), "p.E", &recorded), rightly);
        assert_ne!(verdict(&failed("m"), "p.F", &recorded), rightly);
        assert_eq!(verdict(&JunitResult::Passed, "", &recorded), "it passes");
        let asserted = Failure {
            kind: "assertion".into(),
            class: "p.AssertionError".into(),
            actual: Some("1".into()),
            found: Some("shown".into()),
            ..recorded
        };
        let thrown = "p.AssertionError";
        assert_eq!(verdict(&failed("m"), thrown, &asserted), rightly);
        assert_ne!(verdict(&failed("n"), thrown, &asserted), rightly);
        assert_ne!(verdict(&failed("m"), "p.E", &asserted), rightly);
    }

    #[test]
    fn the_project_has_the_library_alone() {
        let bug = Bug::wanted(jinsi_ground::bugs::CHOSEN, &["CLI-133".into()])
            .unwrap()
            .remove(0);
        let text = project_file(&bug, None, 17, 5);
        assert!(
            text.contains("<artifactId>commons-cli</artifactId><version>1.1</version><exclusions>")
        );
        assert!(text.contains("-Xlint:all") && !text.contains("jinsi-junit"));
        let jar = PathBuf::from("/x/j.jar");
        let text = project_file(&bug, Some(&jar), 17, 4);
        assert!(text.contains("<systemPath>/x/j.jar</systemPath>"));
        assert!(text.contains("junit-vintage-engine") && !text.contains("junit-jupiter"));
    }
}
