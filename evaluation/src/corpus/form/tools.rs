//! What judges the form of sources: the compiler's lint, Checkstyle with Google's rules, google-java-format.

use std::collections::BTreeMap;
use std::env::join_paths;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_jdk::{Jdk, maven, process};

use super::lines;

/// Time for one of them.
const LIMIT: Duration = Duration::from_secs(120);
/// google-java-format, with all it needs.
const FORMAT: &str = "com.google.googlejavaformat:google-java-format:1.28.0:all-deps";
/// Packages of the compiler that it reads sources with.
const READS: [&str; 6] = ["api", "code", "file", "parser", "tree", "util"];
/// Checkstyle, with what it needs for checks of Java sources.
const CHECKSTYLE: [&str; 12] = [
    "com.puppycrawl.tools:checkstyle:10.26.1",
    "info.picocli:picocli:4.7.7",
    "org.antlr:antlr4-runtime:4.13.2",
    "commons-beanutils:commons-beanutils:1.11.0",
    "commons-collections:commons-collections:3.2.2",
    "commons-logging:commons-logging:1.2",
    "com.google.guava:guava:33.4.8-jre",
    "com.google.guava:failureaccess:1.0.3",
    "org.reflections:reflections:0.10.2",
    "net.sf.saxon:Saxon-HE:12.5",
    "org.xmlresolver:xmlresolver:5.2.2",
    "org.xmlresolver:xmlresolver:5.2.2:data",
];
/// Its rules for Google's style, which are warnings unless this property says otherwise.
const RULES: &str = "/google_checks.xml";
const SEVERITY: &str = "-Dorg.checkstyle.google.severity=error";
/// Rules about names that a test repeats: those of the program.
const OF_NAMES: [&str; 4] = [
    "AbbreviationAsWordInName",
    "MethodName",
    "PackageName",
    "TypeName",
];
/// Warnings that are not about the source: entries of the class path, and class files in it.
const NOT_OF_SOURCES: [&str; 2] = ["-Xlint:-path", "-Xlint:-classfile"];

/// What is said about files, by file.
pub(super) type Said = BTreeMap<PathBuf, Vec<String>>;

/// What the compiler of `jdk` says with all warnings.
pub(super) fn lint(jdk: &Jdk, files: &[PathBuf], class_path: &[PathBuf]) -> Result<Said> {
    let out = tempfile::tempdir()?;
    let mut command = Command::new(jdk.require_javac()?);
    command
        .args(["-J-Duser.language=en", "-encoding", "UTF-8", "-proc:none"])
        .args(["-Xlint:all", "-Werror", "-Xmaxwarns", "10000"])
        .args(NOT_OF_SOURCES)
        .arg("-cp")
        .arg(join_paths(class_path)?)
        .arg("-d")
        .arg(out.path())
        .args(files);
    let finished = process::run(&mut command, LIMIT)?;
    let text = finished.stdout + &finished.stderr;
    let mut said = Said::new();
    for line in text.lines() {
        let about = files.iter().find_map(|file| {
            let rest = line.strip_prefix(&*file.to_string_lossy())?;
            Some((file, rest.trim_start_matches(':')))
        });
        if let Some((file, what)) = about {
            said.entry(file.clone()).or_default().push(what.to_owned());
        }
    }
    ensure!(
        finished.status.success() || !said.is_empty(),
        "javac of Java {} says: {text}",
        jdk.version()
    );
    Ok(said)
}

/// What Checkstyle says with Google's rules, and how often that is about a name that is the program's.
pub(super) fn checkstyle(jdk: &Jdk, files: &[PathBuf]) -> Result<(Said, usize)> {
    let jars = maven::fetch(&CHECKSTYLE)?;
    let mut command = Command::new(jdk.java());
    command
        .args([SEVERITY, "-cp"])
        .arg(join_paths(jars)?)
        .args(["com.puppycrawl.tools.checkstyle.Main", "-c", RULES])
        .args(files);
    let finished = process::run(&mut command, LIMIT)?;
    ensure!(
        finished.stdout.contains("Audit done."),
        "Checkstyle says: {}{}",
        finished.stdout,
        finished.stderr
    );
    let mut said = Said::new();
    let mut names = 0;
    for line in finished.stdout.lines() {
        let Some(line) = line.strip_prefix("[ERROR] ") else {
            continue;
        };
        let file = files
            .iter()
            .find(|file| line.starts_with(&*file.to_string_lossy()));
        let file = file.with_context(|| format!("Checkstyle says: {line}"))?;
        if is_of_the_program(line, file)? {
            names += 1;
            continue;
        }
        let what = line[file.to_string_lossy().len()..].trim_start_matches(':');
        said.entry(file.clone()).or_default().push(what.to_owned());
    }
    Ok((said, names))
}

/// Is a complaint about a name that the test has of the program: its package, and what class and method are called after?
fn is_of_the_program(line: &str, file: &Path) -> Result<bool> {
    let rule = line.rsplit('[').next().unwrap_or_default();
    let rule = rule.trim_end_matches(']');
    if !OF_NAMES.contains(&rule) {
        return Ok(false);
    }
    let name = line.split('\'').nth(1).unwrap_or_default();
    let source = fs::read_to_string(file)?;
    let declares = |text: String| source.contains(&text);
    Ok(rule == "PackageName"
        || declares(format!("class {name} "))
        || declares(format!(" void {name}(")))
}

/// In which lines google-java-format would have something else than another width.
pub(super) fn formatted(jdk: &Jdk, files: &[PathBuf]) -> Result<Said> {
    let jar = maven::fetch(&[FORMAT])?;
    let directory = tempfile::tempdir()?;
    let mut copies = Vec::new();
    for (no, file) in files.iter().enumerate() {
        let copy = directory.path().join(format!("{no}.java"));
        fs::copy(file, &copy)?;
        copies.push(copy);
    }
    let exports = READS
        .map(|name| format!("--add-exports=jdk.compiler/com.sun.tools.javac.{name}=ALL-UNNAMED"));
    let mut command = Command::new(jdk.java());
    command
        .args(exports)
        .arg("-cp")
        .arg(join_paths(jar)?)
        .arg("com.google.googlejavaformat.java.Main")
        // Four blanks, as a written test has; imports in the order of Google's style, which Checkstyle looks at, and not of Android's; where
        // a text is cut is a matter of width.
        .args(["--aosp", "--skip-sorting-imports"])
        .args(["--skip-reflowing-long-strings", "--replace"])
        .args(&copies);
    let finished = process::run(&mut command, LIMIT)?;
    ensure!(
        finished.status.success(),
        "google-java-format says: {}",
        finished.stderr
    );
    let mut said = Said::new();
    for (file, copy) in files.iter().zip(&copies) {
        let (ours, theirs) = (fs::read_to_string(file)?, fs::read_to_string(copy)?);
        if let Some((ours, theirs)) = lines::difference(&ours, &theirs) {
            said.insert(file.clone(), vec![format!("{ours:?} would be {theirs:?}")]);
        }
    }
    Ok(said)
}
