//! The tutorial, as somebody does it who has nothing yet: its files are written, its commands are run, and what they print is what it says.

use std::fs;
use std::path::Path;
use std::process::Command;

use jinsi_platform::files::set_mode;
use jinsi_platform::process::heed_signals;
use tempfile::tempdir;

use super::desk::with_java;
use super::maven::{installed_for_gradle, samples};
use super::support::{jdks, run, stderr, stdout, succeed};

/// Stands between the commands of a block, in what they print.
const MARK: &str = "=== the next command ===";

/// A part of the page: up to the next heading.
struct Part {
    title: String,
    files: Vec<(String, String)>,
    /// In the order of the page: files that were written by then, and the commands with what they print.
    steps: Vec<Step>,
}

enum Step {
    File(usize),
    Commands(Vec<(String, Vec<String>)>),
}

/// The parts of the page that have commands.
fn parts() -> Vec<Part> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tutorial.md");
    let page = fs::read_to_string(page).unwrap();
    let mut parts: Vec<Part> = Vec::new();
    let mut lines = page.lines();
    let mut file = None;
    while let Some(line) = lines.next() {
        if let Some(title) = line.strip_prefix("#") {
            parts.push(Part {
                title: title.trim_matches(['#', ' ']).to_owned(),
                files: vec![],
                steps: vec![],
            });
        } else if let Some(name) = line.strip_prefix("<!-- file: ") {
            file = name.strip_suffix(" -->").map(str::to_owned);
        } else if let Some(language) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
            let part = parts.last_mut().unwrap();
            if let Some(name) = file.take() {
                part.steps.push(Step::File(part.files.len()));
                part.files.push((name, block.join("\n") + "\n"));
            } else if language == "console" {
                part.steps.push(Step::Commands(commands(&block)));
            }
        }
    }
    parts.retain(|part| !part.steps.is_empty());
    parts
}

fn commands(block: &[&str]) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for line in block {
        match (line.strip_prefix("$ "), all.last_mut()) {
            (Some(command), _) => all.push((command.to_owned(), vec![])),
            (None, Some((_, printed))) => printed.push((*line).to_owned()),
            (None, None) => panic!("no command before {line}"),
        }
    }
    all
}

/// Does a text fit, in which `…` stands for anything?
fn fits(expected: &str, found: &str) -> bool {
    let mut parts = expected.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = found.strip_prefix(first) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

/// The same of lines: one that is `…` alone stands for any number of them.
fn all_fit(expected: &[String], found: &[&str]) -> bool {
    match expected.split_first() {
        None => found.is_empty(),
        Some((any, rest)) if any == "…" => {
            (0..=found.len()).any(|skipped| all_fit(rest, &found[skipped..]))
        }
        Some((line, rest)) => found
            .split_first()
            .is_some_and(|(first, others)| fits(line, first) && all_fit(rest, others)),
    }
}

/// Does a part of the tutorial in this directory.
fn follow(part: &Part, directory: &Path, home: &Path) {
    for step in &part.steps {
        let commands = match step {
            Step::File(number) => {
                let (name, text) = &part.files[*number];
                let file = directory.join(name);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text).unwrap();
                continue;
            }
            Step::Commands(commands) => commands,
        };
        // A block goes on in the directory in which the one before it ended.
        let place = home.join("place");
        let mut script = format!(
            "exec 2>&1\ncd \"$(cat {0} 2>/dev/null || pwd)\"\n",
            place.display()
        );
        for (command, _) in commands {
            script.push_str(&format!("{command}\necho '{MARK}'\n"));
        }
        script.push_str(&format!("pwd >{}\n", place.display()));
        let output = run(shell(&script, home).current_dir(directory));
        let printed = stdout(&output) + &stderr(&output);
        let printed: Vec<&str> = printed.split(&format!("{MARK}\n")).collect();
        for ((command, expected), found) in commands.iter().zip(printed) {
            let lines: Vec<&str> = found.lines().collect();
            assert!(
                all_fit(expected, &lines),
                "{}: $ {command}\nis to print\n{}\nand prints\n{found}",
                part.title,
                expected.join("\n")
            );
        }
    }
}

/// Bash, in a home directory of its own, with this command, a JDK and Maven on the PATH.
fn shell(script: &str, home: &Path) -> Command {
    let jinsi = Path::new(env!("CARGO_BIN_EXE_jinsi")).parent().unwrap();
    let mut path = jinsi.as_os_str().to_owned();
    path.push(":");
    path.push(with_java());
    path.push(":");
    path.push(home.join("bin"));
    // A new home has no local repository; whoever has none yet waits for Maven to fill it, and this test does not.
    let repository = std::env::var_os("HOME").map(|h| Path::new(&h).join(".m2/repository"));
    let repository = repository.expect("a home directory");
    let mut command = Command::new("bash");
    command
        .args(["-c", script])
        .env("PATH", path)
        .env("HOME", home)
        .env("JAVA_HOME", jdks()[0].home())
        .env("LC_ALL", "C.UTF-8")
        .env(
            "MAVEN_OPTS",
            format!("-Dmaven.repo.local={}", repository.display()),
        );
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"] {
        command.env_remove(variable);
    }
    heed_signals(&mut command);
    command
}

/// The parts of these titles, one after the other in one directory.
fn follow_parts(titles: &[&str]) {
    let (directory, home) = (tempdir().unwrap(), tempdir().unwrap());
    let parts = parts();
    for title in titles {
        let part = parts.iter().find(|part| part.title == *title);
        follow(
            part.unwrap_or_else(|| panic!("no part {title}")),
            directory.path(),
            home.path(),
        );
    }
}

#[test]
fn on_the_command_line_and_in_a_server() {
    super::support::agent();
    follow_parts(&["On the command line", "In a server"]);
}

#[test]
fn with_maven() {
    samples();
    let parts = parts();
    let known = [
        "A first hour",
        "On the command line",
        "In a server",
        "With Maven",
        "Kotlin beside Java",
        "With Gradle",
    ];
    assert!(parts.iter().map(|p| p.title.as_str()).eq(known));
    let (directory, home) = (tempdir().unwrap(), tempdir().unwrap());
    write_files(&parts[1], directory.path());
    follow(&parts[3], directory.path(), home.path());
}

/// The files of a part, without its commands.
fn write_files(part: &Part, directory: &Path) {
    for (name, text) in &part.files {
        let file = directory.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

#[test]
#[ignore = "long: Maven fetches Kotlin's compiler, and runs it three times"]
fn with_kotlin() {
    samples();
    follow_parts(&["Kotlin beside Java"]);
}

/// Gradle is laid out by `cargo xtask gradle`: no registry has a distribution.
#[test]
#[ignore = "long: Gradle's runtime is a download of 185 MB"]
fn with_gradle() {
    let _plugin = installed_for_gradle();
    let (directory, home) = (tempdir().unwrap(), tempdir().unwrap());
    let bin = home.path().join("bin");
    fs::create_dir(&bin).unwrap();
    let laid_out = succeed(
        Command::new(env!("CARGO"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args(["xtask", "gradle"])
            .arg(home.path().join("gradle")),
    );
    let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", stdout(&laid_out).trim());
    fs::write(bin.join("gradle"), script).unwrap();
    set_mode(&bin.join("gradle"), 0o755).unwrap();
    let parts = parts();
    write_files(&parts[1], directory.path());
    write_files(&parts[3], directory.path());
    follow(parts.last().unwrap(), directory.path(), home.path());
}

#[test]
fn dots_stand_for_anything() {
    assert!(fits("a … c", "a b c") && fits("…", "") && fits("x", "x") && fits("a…", "ab"));
    assert!(!fits("a … c", "a b d") && !fits("x", "xy") && !fits("…y", "x"));
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(all_fit(&lines("a\n…\nc"), &["a", "b", "b", "c"]));
    assert!(all_fit(&lines("a\n…"), &["a"]));
    assert!(!all_fit(&lines("a\n…\nc"), &["a", "b"]));
}
