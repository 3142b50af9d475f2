//! A program with defects, the same repaired, and tests of it that fail: whether the recommended tests tell the two apart.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jinsi_jdk::junit::{self, JunitResult};
use jinsi_jdk::{Jdk, compile, maven};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::suites::class_path;
use super::support::{agent, jdks, jinsi, run, stderr};

/// Name and source of a class, or name and content of another file.
type Class<'s> = (&'s str, &'s str);

/// Classes of one package.
pub(super) struct Repairable<'s> {
    pub(super) package: &'s str,
    pub(super) broken: &'s [Class<'s>],
    pub(super) repaired: &'s [Class<'s>],
    pub(super) tests: &'s [Class<'s>],
    /// Names and contents of files in the directory in which the tests run, and jinsi.
    pub(super) files: &'s [Class<'s>],
}

/// What came of the failed tests.
pub(super) struct Tried<'s> {
    of: &'s Repairable<'s>,
    directory: TempDir,
    jdk: Jdk,
    /// JUnit and AssertJ.
    frameworks: Vec<PathBuf>,
    broken: PathBuf,
    repaired: PathBuf,
    /// The tests that were recorded.
    tests: PathBuf,
    /// `tests.json`.
    report: Value,
}

impl Repairable<'_> {
    /// Runs the tests with these further options of the agent, and minimizes what fails.
    pub(super) fn tried(&self, options: &[&str]) -> Tried<'_> {
        let mut frameworks: Vec<PathBuf> = std::env::split_paths(class_path()).collect();
        frameworks.extend(maven::fetch(&[maven::ASSERTJ, maven::JUNIT_4[1]]).unwrap());
        let mut tried = Tried {
            of: self,
            directory: tempdir().unwrap(),
            jdk: jdks().remove(0),
            frameworks,
            broken: PathBuf::new(),
            repaired: PathBuf::new(),
            tests: PathBuf::new(),
            report: Value::Null,
        };
        tried.broken = tried.compile("classes", self.broken, &[]);
        tried.repaired = tried.compile("repaired", self.repaired, &[]);
        tried.tests = tried.compile("tests", self.tests, std::slice::from_ref(&tried.broken));
        tried.write_files();
        tried.record_and_minimize(options);
        tried
    }
}

impl Tried<'_> {
    fn out(&self) -> PathBuf {
        self.directory.path().join("report")
    }

    /// Compiles these sources beside each other.
    fn compile(&self, name: &str, sources: &[Class], further: &[PathBuf]) -> PathBuf {
        let from = self.directory.path().join(format!("{name}-src"));
        let to = self.directory.path().join(name);
        fs::create_dir_all(&from).unwrap();
        let files: Vec<PathBuf> = sources
            .iter()
            .map(|(name, source)| {
                let file = from.join(format!("{name}.java"));
                fs::write(&file, source).unwrap();
                file
            })
            .collect();
        let all = [further, &self.frameworks].concat();
        compile::javac(&self.jdk, &files, &all, &to).unwrap();
        to
    }

    fn write_files(&self) {
        for (name, content) in self.of.files {
            let file = self.directory.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, content).unwrap();
        }
    }

    fn record_and_minimize(&mut self, options: &[&str]) {
        let trace = self.directory.path().join("t.jinsi");
        let package = self.of.package;
        let options = options.iter().map(|option| format!(",{option}"));
        let agent = format!(
            "-agentpath:{}=observe={package}.*,on=failure,out={}{}",
            agent().display(),
            trace.display(),
            options.collect::<String>()
        );
        let all = [
            &[self.tests.clone(), self.broken.clone()][..],
            &self.frameworks,
        ]
        .concat();
        let mut java = Command::new(self.jdk.java());
        java.current_dir(self.directory.path())
            .arg(agent)
            .arg("-cp")
            .arg(std::env::join_paths(all).unwrap())
            .args(["org.junit.platform.console.ConsoleLauncher", "execute"]);
        for (class, _) in self.of.tests {
            java.args(["-c", &format!("{package}.{class}")]);
        }
        let recorded = run(&mut java);
        assert!(trace.is_file(), "{}", stderr(&recorded));
        let output = run(jinsi()
            .current_dir(self.directory.path())
            .args(["minimize", "--no-slice", "--out"])
            .arg(self.out())
            .arg(&trace));
        assert!(output.status.success(), "{}", stderr(&output));
        let report = fs::read(self.out().join("tests.json")).unwrap();
        self.report = serde_json::from_slice(&report).unwrap();
    }

    fn of_test(&self, name: &str) -> Option<&Value> {
        let name = format!(".{name}");
        let mut all = self.report["tests"].as_array().unwrap().iter();
        all.find(|test| {
            let full = test["test"].as_str().unwrap();
            full.split('(').next().unwrap().ends_with(&name)
        })
    }

    /// The source of the recommended test.
    pub(super) fn kept(&self, name: &str) -> Option<String> {
        let keep = self.of_test(name)?["keep"].as_str()?;
        Some(fs::read_to_string(self.out().join(keep)).unwrap())
    }

    /// Why the test was left out of the expanded recording, if it was.
    pub(super) fn not_expanded(&self, name: &str) -> Option<String> {
        let directory = self.of_test(name)?["directory"].as_str()?;
        let report = fs::read(self.out().join(directory).join("report.json")).unwrap();
        let report: Value = serde_json::from_slice(&report).unwrap();
        report["capture"]["not_expanded"].as_str().map(String::from)
    }

    /// Does the written test, compiled with the program, fail?
    fn fails(&self, name: &str, source: &str, program: &Path) -> bool {
        let further = [program.to_owned(), self.tests.clone()];
        let class = source
            .split("class ")
            .nth(1)
            .and_then(|rest| rest.split_whitespace().next());
        let class = class.unwrap();
        let compiled = self.compile(name, &[(class, source)], &further);
        let all = [&[compiled][..], &further, &self.frameworks].concat();
        let class = format!("{}.{class}", self.of.package);
        let here = format!("-Duser.dir={}", self.directory.path().display());
        let outcomes = junit::run(&self.jdk, &all, &[&class], &[here]).unwrap();
        assert_eq!(outcomes.len(), 1, "{name}");
        matches!(outcomes[0].result, JunitResult::Failed(_))
    }

    /// Each of these tests has a recommended one with this text in it, which fails on the program as it is and passes on the repaired one.
    #[track_caller]
    pub(super) fn assert_flips(&self, wanted: &[(&str, &str)]) {
        let mut wrong = Vec::new();
        for (name, text) in wanted {
            let Some(source) = self.kept(name) else {
                let report = self.of_test(name);
                wrong.push(format!("{name}: no test is recommended: {report:#?}"));
                continue;
            };
            // Where a statement is broken does not matter.
            let words: Vec<&str> = source.split_whitespace().collect();
            if !words.join(" ").contains(text) {
                wrong.push(format!("{name}: {source}"));
            }
            if !self.fails(&format!("{name}-as-it-is"), &source, &self.broken) {
                wrong.push(format!("{name} passes on the program as it is: {source}"));
            }
            if self.fails(&format!("{name}-repaired"), &source, &self.repaired) {
                wrong.push(format!("{name} fails on the repaired program: {source}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
