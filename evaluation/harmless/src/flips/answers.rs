//! What the commands say of damaged traces: traces of real runs, in each of which one bit is turned. A command may refuse such a trace,
//! naming why, or answer; but whoever gets an answer has to be informed of the damage with it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail, ensure};
use jinsi_ground::{commands, repository};
use jinsi_jdk::{Jdk, compile};
use serde::Serialize;
use serde_json::Value;

use super::damage::Subject;

/// The runs: a name, the program below `tests/programs`, its arguments, what is observed, and `--detail`.
const RUNS: [(&str, &str, &[&str], &str, &str); 5] = [
    (
        "one thread",
        "vending",
        &["vending.Main"],
        "vending.*",
        INTERACTIONS,
    ),
    ("a tree", "bst", &["bst.Main"], "bst.*", INTERACTIONS),
    (
        "several threads",
        "gang",
        &["gang.app.Main", "failing"],
        "gang.app.*",
        INTERACTIONS,
    ),
    (
        "instructions",
        "vending",
        &["vending.Main"],
        "vending.*",
        INSTRUCTIONS,
    ),
    (
        "the boundary",
        "vending",
        &["vending.Main"],
        "vending.*",
        "boundary",
    ),
];
const INTERACTIONS: &str = "interactions";
const INSTRUCTIONS: &str = "instructions";
/// Every so many traces are given to `slice` and to `replay`, too.
const FURTHER: u64 = 4;
/// Words by which a refusal names what is wrong with a trace.
const NAMING: [&str; 4] = [
    "damaged",
    "is not a jinsi trace",
    "format version",
    "cut off",
];

/// What the commands said of the damaged traces of one run.
#[derive(Debug, Default, Serialize)]
pub(super) struct Answers {
    pub(super) name: &'static str,
    /// Size of the file.
    pub(super) bytes: u64,
    /// Traces in which one bit was turned.
    pub(super) flips: u64,
    /// Commands that were given such a trace.
    pub(super) commands: u64,
    /// Of these: the damage was named, and an answer given; and that was the one of the whole trace.
    pub(super) named: u64,
    pub(super) named_and_same: u64,
    /// No answer, and why.
    pub(super) refused: u64,
    /// The bit is in no segment, but between two of them; the answer is that of the whole trace.
    pub(super) harmless: u64,
}

/// A recorded run.
struct Run {
    subject: Subject,
    /// What the commands say of it as it is: `None` if they refuse it.
    whole: [Option<Value>; 3],
    detail: &'static str,
}

/// The commands that are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Minimize,
    Slice,
    Replay,
}

/// Asks about so many damaged traces, from number `from` on; what went wrong goes to `findings`.
pub(super) fn ask(
    jinsi: &Path,
    jdk: &Jdk,
    (from, count): (u64, u64),
    findings: &mut Vec<String>,
) -> Result<Vec<Answers>> {
    let place = tempfile::tempdir()?;
    let asker = Asker {
        jinsi: jinsi.to_owned(),
        java: jdk.java(),
        out: place.path().join("report"),
    };
    let mut runs = Vec::new();
    let mut answers = Vec::new();
    // A sample need not record them all.
    for run in RUNS.iter().take(count.try_into().unwrap_or(usize::MAX)) {
        let trace = asker.record(jdk, place.path(), run)?;
        let subject = Subject::of(&trace)?;
        answers.push(Answers {
            name: run.0,
            bytes: subject.len(),
            ..Answers::default()
        });
        let asked = [Asked::Minimize, Asked::Slice, Asked::Replay];
        runs.push(Run {
            whole: asked.map(|what| asker.ask(what, &trace).and_then(|o| document(&o))),
            subject,
            detail: run.4,
        });
        let whole = &runs[runs.len() - 1].whole[0];
        let sound = |d: &Value| d["damage"].as_array().is_some_and(Vec::is_empty);
        ensure!(
            whole.as_ref().is_some_and(sound),
            "{}: the whole trace: {whole:?}",
            run.0
        );
    }
    for number in from..from + count {
        let which = (number % runs.len() as u64) as usize;
        asker.one(number, &mut runs[which], &mut answers[which], findings)?;
    }
    Ok(answers)
}

struct Asker {
    jinsi: PathBuf,
    java: PathBuf,
    out: PathBuf,
}

impl Asker {
    fn record(
        &self,
        jdk: &Jdk,
        place: &Path,
        (name, program, main, observe, detail): &(&str, &str, &[&str], &str, &str),
    ) -> Result<PathBuf> {
        let classes = place.join(format!("{program}-classes"));
        let sources = repository::java_sources(&format!("tests/programs/{program}"))?;
        compile::javac(&jdk.compiler()?, &sources, &[], &classes)?;
        let trace = place.join(format!("{}.jinsi", name.replace(' ', "-")));
        let output = commands::record(&self.jinsi, (observe, detail), &trace)
            .arg(&self.java)
            .arg("-cp")
            .arg(&classes)
            .args(*main)
            .output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(trace.is_file(), "{name} is not recorded: {said}");
        Ok(trace)
    }

    /// Turns a bit, asks, and turns it back.
    fn one(
        &self,
        number: u64,
        run: &mut Run,
        answers: &mut Answers,
        findings: &mut Vec<String>,
    ) -> Result<()> {
        let harm = run.subject.turn(number)?;
        answers.flips += 1;
        let mut asked = vec![Asked::Minimize];
        let turn = number / RUNS.len() as u64;
        if turn.is_multiple_of(FURTHER) || run.detail == INSTRUCTIONS {
            asked.push(Asked::Slice);
        }
        if turn % FURTHER == 1 {
            asked.push(Asked::Replay);
        }
        for what in asked {
            answers.commands += 1;
            let output = self.ask(what, run.subject.path());
            let output = output.with_context(|| format!("{what:?} cannot be started"))?;
            let whole = run.whole[what as usize].as_ref();
            if let Err(why) = answers.judge(&output, whole, run.subject.is_used(&harm)) {
                let name = answers.name;
                findings.push(format!("{name}, flip {number} ({harm}): {what:?} {why}"));
            }
        }
        run.subject.repair(&harm)
    }

    fn ask(&self, what: Asked, trace: &Path) -> Option<Output> {
        let mut command = Command::new(&self.jinsi);
        command.arg("--json");
        match what {
            Asked::Minimize => command.args(["minimize", "--no-slice", "--workers", "1", "--out"]),
            Asked::Slice => command.arg("slice"),
            Asked::Replay => command.arg("replay"),
        };
        if what == Asked::Minimize {
            command.arg(&self.out);
        }
        let home = self.java.parent().and_then(Path::parent)?;
        command
            .arg(trace)
            .arg("--java-home")
            .arg(home)
            .output()
            .ok()
    }
}

/// The JSON document of a command that has one.
fn document(output: &Output) -> Option<Value> {
    serde_json::from_slice(&output.stdout).ok()
}

impl Answers {
    /// Counts what a command said of a trace of which it says `whole` undamaged; or what is wrong with that.
    fn judge(&mut self, output: &Output, whole: Option<&Value>, used: bool) -> Result<()> {
        let document = document(output);
        let named = |d: &Value| d["damage"].as_array().is_some_and(|list| !list.is_empty());
        let named = document.as_ref().is_some_and(named);
        let same = document.as_ref().map(plain) == whole.map(plain);
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0 | 1) if named => {
                self.named += 1;
                self.named_and_same += u64::from(same);
            }
            Some(0 | 1) if !used && same => self.harmless += 1,
            Some(0) => bail!("gives an answer and does not name the damage"),
            Some(1) if NAMING.iter().any(|word| said.contains(word)) => self.refused += 1,
            _ => bail!("ends with {}: {said}", output.status),
        }
        Ok(())
    }
}

/// What has to be the same in an answer: all but times, and what is said of damage.
fn plain(document: &Value) -> Value {
    match document {
        Value::Object(fields) => {
            let varies = |name: &str| {
                name.contains("seconds") || ["parts", "damage", "incomplete"].contains(&name)
            };
            let kept = fields.iter().filter(|(name, _)| !varies(name));
            kept.map(|(name, value)| (name.clone(), plain(value)))
                .collect()
        }
        Value::Array(values) => values.iter().map(plain).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use jinsi_platform::process::exit_status;

    use super::*;

    fn output(status: u8, stdout: &str, stderr: &str) -> Output {
        Output {
            status: exit_status(status),
            stdout: stdout.into(),
            stderr: stderr.into(),
        }
    }

    #[test]
    fn an_answer_without_the_damage_is_a_finding() {
        let whole = serde_json::json!({"left": 3, "seconds": 1.5, "damage": []});
        let mut answers = Answers::default();
        let mut judge = |status, stdout: &str, stderr: &str, used| {
            answers.judge(&output(status, stdout, stderr), Some(&whole), used)
        };
        let silent = r#"{"left": 3, "seconds": 2, "damage": []}"#;
        let other = r#"{"left": 2, "seconds": 2, "damage": []}"#;
        judge(0, r#"{"left": 2, "damage": [{}]}"#, "", true).unwrap();
        judge(0, r#"{"left": 3, "damage": [{}]}"#, "", true).unwrap();
        judge(1, "", "jinsi: it is damaged", true).unwrap();
        judge(0, silent, "", false).unwrap();
        judge(0, silent, "", true).unwrap_err();
        judge(0, other, "", false).unwrap_err();
        judge(1, "", "jinsi: no failure was recorded", true).unwrap_err();
        judge(101, "", "damaged, and a panic", true).unwrap_err();
        let Answers {
            named,
            named_and_same,
            refused,
            harmless,
            ..
        } = answers;
        assert_eq!((named, named_and_same, refused, harmless), (2, 1, 1, 1));
    }
}
