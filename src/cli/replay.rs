//! `jinsi replay`: strict sequential replay of a recording, or of some of its interactions.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};
use jinsi_analysis::pipeline::{Config, Replay, Run};
use jinsi_history::Outcome;
use jinsi_history::damage::Damaged;
use jinsi_history::describe::Describer;
use jinsi_level::verdict::{TestOutcome, TestResult, Unresolved};
use jinsi_replay::session::Numbered;
use serde::Serialize;

use super::damage::{self, Named};
use super::messages::NoAnswer;
use super::minimize::patterns;
use super::output::Output;
use super::prepared::ReplayOptions;
use super::progress::Spinner;

const EXAMPLES: &str = "\
Examples:
  jinsi replay run.jinsi                                         everything, in the recorded order
  jinsi replay run.jinsi --observe com.foo.Parser                as this class saw the run
  jinsi replay run.jinsi --observe com.foo.Parser --only 1,4,9   what do these interactions alone give?
  jinsi replay run.jinsi --levels                                does it replay, whatever is observed?";

/// Arguments of `replay`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The trace
    #[arg(value_name = "FILE")]
    trace: PathBuf,
    /// The observed set: wildcards over the dotted name, joined by ':' (default: everything that was recorded)
    #[arg(long, value_name = "PATTERNS")]
    observe: Option<String>,
    /// Replay only these interactions (numbers from 1, as the report has them, joined by ','), re-synchronizing
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    only: Option<Vec<u32>>,
    /// Replay strictly at every level: all that was recorded, along the failure's stack, and each class alone
    #[arg(long, conflicts_with_all = ["observe", "only"])]
    levels: bool,
    /// Say what happened: each answer of the environment that was used, and how the replay ended
    #[arg(long, conflicts_with = "levels")]
    verbose: bool,
    #[command(flatten)]
    replay: ReplayOptions,
}

#[derive(Serialize)]
struct Document {
    observed: Vec<String>,
    interactions: usize,
    replayed: usize,
    #[serde(flatten)]
    verdict: Verdict,
    resynchronized: bool,
    /// Outgoing interactions whose answers were used, in order.
    answers: Vec<String>,
    notes: Vec<String>,
}

/// What a replay came to.
#[derive(Serialize)]
struct Verdict {
    /// `failing`, `passing` or `unresolved`.
    outcome: &'static str,
    /// The situation, if unresolved.
    why: Option<&'static str>,
    detail: String,
}

impl Verdict {
    fn of(result: &TestResult) -> Self {
        let (outcome, why) = match result.outcome {
            TestOutcome::Failing => ("failing", None),
            TestOutcome::Passing => ("passing", None),
            TestOutcome::Unresolved(why) => ("unresolved", Some(why.name())),
        };
        Self {
            outcome,
            why,
            detail: result.detail.clone(),
        }
    }

    fn text(&self) -> String {
        match (self.why, self.outcome) {
            (Some(why), _) => format!("unresolved ({why}): {}", self.detail),
            (None, "failing") => "failing: the recorded failure appeared".into(),
            (None, outcome) => format!("{outcome}: it did not appear"),
        }
    }
}

/// A level of `--levels`.
#[derive(Serialize)]
struct LevelDocument {
    level: String,
    observed: usize,
    interactions: usize,
    #[serde(flatten)]
    verdict: Verdict,
    notes: Vec<String>,
}

/// What `--levels` prints.
#[derive(Serialize)]
struct LevelsDocument {
    levels: Vec<LevelDocument>,
    /// How many of them did not replay as recorded.
    diverged: usize,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let spinner = Spinner::new("replaying");
    let run = Run::open(&args.trace)?;
    let done = replayed(args, &run, spinner, out);
    damage::named(done, || run.damage())
}

fn replayed(args: &Args, run: &Run, spinner: Spinner, out: &Output) -> Result<bool> {
    let prepared = args.replay.prepare(None)?;
    if args.levels {
        let document = all_levels(run, &prepared.config, &spinner)?;
        drop(spinner);
        return print_levels(&document, &run.damage(), out);
    }
    let wanted = args.observe.as_deref().map(patterns);
    let mut replay = run.replay(&prepared.config, wanted.as_deref())?;
    let result = one(args, &mut replay)?;
    drop(spinner);
    print_one(args, run, &replay, &result, out)?;
    // What differs from the recording did not work out; a subset was asked about, and every answer is one.
    let diverged = matches!(result.outcome, TestOutcome::Unresolved(_));
    Ok(args.only.is_some() || !diverged)
}

fn one(args: &Args, replay: &mut Replay<'_>) -> Result<TestResult> {
    let total = replay.level().interactions.len();
    Ok(match &args.only {
        None => replay.strict()?,
        Some(numbers) => {
            if let Some(bad) = numbers.iter().find(|&&n| n == 0 || n as usize > total) {
                bail!(NoAnswer::NoInteraction { bad: *bad, total }.to_string());
            }
            replay.subset(&numbers.iter().map(|n| n - 1).collect::<Vec<_>>())?
        }
    })
}

fn print_one(
    args: &Args,
    run: &Run,
    replay: &Replay<'_>,
    result: &TestResult,
    out: &Output,
) -> Result<()> {
    let level = replay.level();
    let numbered = Numbered::new(level);
    let answers = result
        .used_answers
        .iter()
        .filter_map(|&no| numbered.get(no));
    let document = Document {
        observed: level.observed.iter().map(|c| c.replace('/', ".")).collect(),
        interactions: level.interactions.len(),
        replayed: args
            .only
            .as_ref()
            .map_or(level.interactions.len(), Vec::len),
        verdict: Verdict::of(result),
        resynchronized: result.resynchronized,
        answers: answers
            .map(|a| format!("{}.{}{}", a.member.owner, a.member.name, a.member.desc))
            .collect(),
        notes: result.notes.clone(),
    };
    let damaged = run.damage();
    out.result(&Named::new(&document, &damaged), |to| {
        writeln!(
            to,
            "{} of {} interactions with {} observed classes replayed, {} answers of the environment used",
            document.replayed,
            document.interactions,
            document.observed.len(),
            document.answers.len()
        )?;
        if args.verbose {
            verbose(run, &numbered, result, to)?;
        }
        for note in &document.notes {
            writeln!(to, "note: {note}")?;
        }
        damage::print(&damaged, to)?;
        writeln!(to, "{}", document.verdict.text())
    })?;
    Ok(())
}

/// What happened, in order.
fn verbose(
    run: &Run,
    numbered: &Numbered<'_>,
    result: &TestResult,
    to: &mut dyn Write,
) -> io::Result<()> {
    let describer = Describer::new(run.trace());
    for &no in &result.used_answers {
        let Some(answer) = numbered.get(no) else {
            continue;
        };
        let member = &answer.member;
        let owner = member.owner.replace('/', ".");
        let place = answer.site.and_then(|site| run.trace().site(site));
        let asked = place.map_or_else(|| "natural code".into(), |site| describer.location(site));
        let outcome = match &answer.outcome {
            Outcome::Return(None) => "returned".into(),
            Outcome::Return(Some(value)) => format!("gave {}", describer.value(value)),
            Outcome::Throw(id) => format!("threw #{id}"),
            Outcome::Open => "had not ended".into(),
        };
        let name = &member.name;
        writeln!(to, "answer {no}: {owner}.{name} {outcome}, for {asked}")?;
    }
    if let Some(no) = result.ended_in {
        writeln!(to, "ended in interaction {}", no + 1)?;
    }
    if let Some(exception) = &result.exception {
        let message = exception.message.as_deref().unwrap_or("no message");
        writeln!(to, "ended by {}: {message}", exception.class)?;
    }
    writeln!(to, "{} backward branches", result.back_edges)
}

/// Replays every level. One that cannot even be handed to the worker has diverged, too.
fn all_levels(run: &Run, config: &Config, spinner: &Spinner) -> Result<LevelsDocument> {
    let mut levels = Vec::new();
    let names = run.levels();
    let mut replay = run.replay(config, None)?;
    for (no, name) in names.iter().enumerate() {
        spinner.say(format!(
            "level {} of {}, {}",
            no + 1,
            names.len(),
            name.name
        ));
        let done = replay.load(&name.observed).and_then(|()| replay.strict());
        let (verdict, notes) = match done {
            Ok(result) => (Verdict::of(&result), result.notes),
            Err(error) => {
                let verdict = Verdict {
                    outcome: "unresolved",
                    why: Some(Unresolved::Harness.name()),
                    detail: error.to_string(),
                };
                (verdict, Vec::new())
            }
        };
        levels.push(LevelDocument {
            level: name.name.clone(),
            observed: name.observed.len(),
            interactions: replay.level().interactions.len(),
            verdict,
            notes,
        });
    }
    let diverged = levels.iter().filter(|l| l.verdict.why.is_some()).count();
    Ok(LevelsDocument { levels, diverged })
}

/// True if no level diverged.
fn print_levels(document: &LevelsDocument, damaged: &Damaged, out: &Output) -> Result<bool> {
    out.result(&Named::new(document, damaged), |to| {
        for level in &document.levels {
            writeln!(
                to,
                "{:<44} {:>9} interactions  {}",
                level.level,
                level.interactions,
                level.verdict.text()
            )?;
        }
        damage::print(damaged, to)?;
        let total = document.levels.len();
        writeln!(
            to,
            "{} of {total} levels replayed as recorded",
            total - document.diverged
        )
    })?;
    Ok(document.diverged == 0)
}
