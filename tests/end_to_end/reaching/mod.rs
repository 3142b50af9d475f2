//! What the program did once is never done again, however it was called: a property of generated programs.
//!
//! `JINSI_REACH_ALL=1` takes every case; `JINSI_REACH_SEED=N` another sample.

mod generator;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use jinsi_jdk::{Jdk, compile};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use super::support::{jdks, jinsi, json, run, stderr, tried_jdks};
use generator::Case;

/// Cases of a sample.
const SAMPLE: usize = 40;
/// Cases of it that are not replayed to the end, and therefore recorded each by itself.
const OTHERS: usize = 1;
const UNTOUCHED: &str = "untouched";

/// A compiled program and the files that it does something to.
struct Program {
    classes: TempDir,
    files: TempDir,
    cases: Vec<Case>,
}

impl Program {
    fn new(cases: Vec<Case>) -> Self {
        let sources = tempdir().unwrap();
        let files = generator::write(&cases, sources.path());
        let oldest = jdks().into_iter().min_by_key(|j| j.version().feature);
        let classes = tempdir().unwrap();
        compile::javac(&oldest.unwrap(), &files, &[], classes.path()).unwrap();
        Self {
            classes,
            files: tempdir().unwrap(),
            cases,
        }
    }

    fn file(&self, case: usize, end: &str) -> PathBuf {
        self.files.path().join(format!("{case}.{end}"))
    }

    fn set(&self) {
        for case in 0..self.cases.len() {
            fs::write(self.file(case, "there"), UNTOUCHED).unwrap();
            let absent = self.file(case, "absent");
            let _ = fs::remove_file(&absent).or_else(|_| fs::remove_dir(&absent));
        }
    }

    /// Cases that have done something to their files.
    fn touched(&self) -> BTreeSet<usize> {
        let untouched = |case: &usize| {
            fs::read_to_string(self.file(*case, "there")).is_ok_and(|t| t == UNTOUCHED)
                && !self.file(*case, "absent").exists()
        };
        (0..self.cases.len())
            .filter(|case| !untouched(case))
            .collect()
    }

    /// Records the cases with these numbers.
    fn record(&self, jdk: &Jdk, detail: &str, numbers: &[usize]) -> PathBuf {
        self.set();
        let trace = self.files.path().join(format!("{detail}.jinsi"));
        let _ = fs::remove_file(&trace);
        let output = run(jinsi()
            .env("REACH_TEST", "set")
            .args(["record", "--detail", detail, "--observe", "reach.*", "-o"])
            .arg(&trace)
            .arg("--")
            .arg(jdk.java())
            .arg("-cp")
            .arg(self.classes.path())
            .arg("reach.Main")
            .arg(self.files.path())
            .args(numbers.iter().map(usize::to_string)));
        let said = stderr(&output);
        assert!(said.contains("IllegalStateException: "), "{said}");
        for &number in numbers {
            let Case { member, way } = self.cases[number];
            let works = said.contains(&format!("{number}="));
            assert!(works, "{} by {} fails: {said}", member.name, way.name);
        }
        trace
    }

    /// Runs a command of a trace, which does nothing to the files; what it said.
    fn spared(&self, jdk: &Jdk, trace: &Path, command: &[&str]) -> std::process::Output {
        self.set();
        let output = run(jinsi()
            .current_dir(self.files.path())
            .env("REACH_TEST", "other")
            .args(command)
            // What replay does not do it has to spare by itself.
            .arg("--unconfined")
            // Classes that the JVM makes, of proxies, are of its own version.
            .arg("--java-home")
            .arg(jdk.home())
            .arg(trace));
        let touched: Vec<_> = self
            .touched()
            .into_iter()
            .map(|c| (self.cases[c].member.name, self.cases[c].way.name))
            .collect();
        assert!(touched.is_empty(), "{command:?} has done {touched:?}");
        output
    }

    /// Nothing is done again, and all is heard again. If not, the error is what the command says.
    fn replays(&self, jdk: &Jdk, trace: &Path) -> Result<(), Value> {
        let output = self.spared(jdk, trace, &["--json", "replay"]);
        let all = json(&output);
        match all["outcome"].as_str() {
            Some("failing") => Ok(()),
            _ => Err(all),
        }
    }
}

/// A small generator of numbers: the sample is the same each time.
fn sample(mut from: Vec<Case>, count: usize) -> Vec<Case> {
    let given = env::var("JINSI_REACH_SEED")
        .ok()
        .and_then(|s| s.parse().ok());
    let mut seed: u64 = given.unwrap_or(1);
    let mut taken = Vec::new();
    while taken.len() < count && !from.is_empty() {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let at = (seed >> 33) as usize % from.len();
        taken.push(from.swap_remove(at));
    }
    taken
}

fn cases() -> Vec<Case> {
    let all = generator::all();
    match env::var_os("JINSI_REACH_ALL") {
        Some(_) => all,
        None => sample(all, SAMPLE),
    }
}

#[test]
#[ignore = "long: many programs"]
fn nothing_is_done_twice() {
    let program = Program::new(cases());
    let numbers: Vec<usize> = (0..program.cases.len()).collect();
    let exact = |number: &usize| program.cases[*number].way.exact;
    let (replayed, others): (Vec<usize>, Vec<usize>) = numbers.iter().partition(|n| exact(n));
    for jdk in tried_jdks() {
        for other in others.iter().take(OTHERS) {
            let trace = program.record(&jdk, "interactions", &[*other]);
            program.spared(&jdk, &trace, &["replay"]);
        }
        for detail in ["interactions", "boundary"] {
            let trace = program.record(&jdk, detail, &replayed);
            if let Err(wrong) = program.replays(&jdk, &trace) {
                panic!("{} {detail}: {wrong}", jdk.version());
            }
            if detail == "interactions" {
                program.spared(&jdk, &trace, &["minimize", "--out", "report"]);
            } else {
                program.spared(&jdk, &trace, &["slice"]);
                let expanded = format!("expanded-{}", jdk.version());
                let output = program.spared(&jdk, &trace, &["expand", "-o", &expanded]);
                assert!(output.status.success(), "{}", stderr(&output));
            }
        }
    }
}

/// Finds out which cases are not replayed to the end, one by one: for whoever adds some.
#[test]
#[ignore = "long: each case by itself"]
fn each_case_by_itself() {
    let program = Program::new(generator::all());
    let jdk = jdks().remove(0);
    let mut wrong = Vec::new();
    for number in 0..program.cases.len() {
        let trace = program.record(&jdk, "interactions", &[number]);
        let Case { member, way } = program.cases[number];
        if let Err(why) = program.replays(&jdk, &trace)
            && way.exact
        {
            wrong.push(format!("{} by {}: {why}", member.name, way.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
