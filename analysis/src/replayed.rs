//! Strict replays, and those of some interactions: what they came to, as documents and texts.

use std::io::{self, Write};

use jinsi_history::Outcome;
use jinsi_history::describe::Describer;
use jinsi_level::verdict::{TestOutcome, TestResult, Unresolved};
use jinsi_replay::session::Numbered;
use jinsi_trace::reader::Trace;
use serde::Serialize;

use crate::pipeline::{Config, PipelineError, Replay, Run};

/// A replay of one level.
#[derive(Serialize)]
pub struct ReplayDocument {
    /// Observed classes, dotted.
    pub observed: Vec<String>,
    /// Interactions of the level.
    pub interactions: usize,
    /// Those that were replayed.
    pub replayed: usize,
    /// What it came to.
    #[serde(flatten)]
    pub verdict: VerdictDocument,
    /// Was an answer taken that came elsewhere in the recording?
    pub resynchronized: bool,
    /// Outgoing interactions whose answers were used, in order.
    pub answers: Vec<String>,
    /// What is to be known besides.
    pub notes: Vec<String>,
}

/// What a replay came to.
#[derive(Serialize)]
pub struct VerdictDocument {
    /// `failing`, `passing` or `unresolved`.
    pub outcome: &'static str,
    /// The situation, if unresolved.
    pub why: Option<&'static str>,
    /// The same in words.
    pub detail: String,
}

impl VerdictDocument {
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

    /// In words.
    pub fn text(&self) -> String {
        match (self.why, self.outcome) {
            (Some(why), _) => format!("unresolved ({why}): {}", self.detail),
            (None, "failing") => "failing: the recorded failure appeared".into(),
            (None, outcome) => format!("{outcome}: it did not appear"),
        }
    }
}

/// A level, replayed.
#[derive(Serialize)]
pub struct LevelDocument {
    /// Its name.
    pub level: String,
    /// How many classes are observed.
    pub observed: usize,
    /// Its interactions.
    pub interactions: usize,
    /// What its replay came to.
    #[serde(flatten)]
    pub verdict: VerdictDocument,
    /// What is to be known besides.
    pub notes: Vec<String>,
}

/// All levels, replayed.
#[derive(Serialize)]
pub struct LevelsDocument {
    /// The levels.
    pub levels: Vec<LevelDocument>,
    /// How many of them did not replay as recorded.
    pub diverged: usize,
}

impl ReplayDocument {
    /// Of a replay with this result, of all interactions unless their number is given.
    pub fn of(replay: &Replay<'_>, result: &TestResult, replayed: Option<usize>) -> Self {
        let level = replay.level();
        let numbered = Numbered::new(level);
        let answers = result.used_answers.iter();
        let answers = answers.filter_map(|&no| numbered.get(no));
        Self {
            observed: level.observed.iter().map(|c| c.replace('/', ".")).collect(),
            interactions: level.interactions.len(),
            replayed: replayed.unwrap_or(level.interactions.len()),
            verdict: VerdictDocument::of(result),
            resynchronized: result.resynchronized,
            answers: answers
                .map(|a| format!("{}.{}{}", a.member.owner, a.member.name, a.member.desc))
                .collect(),
            notes: result.notes.clone(),
        }
    }

    /// How much was replayed.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print_sum(&self, to: &mut dyn Write) -> io::Result<()> {
        writeln!(
            to,
            "{} of {} interactions with {} observed classes replayed, {} answers of the environment used",
            self.replayed,
            self.interactions,
            self.observed.len(),
            self.answers.len()
        )
    }

    /// The notes.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn print_notes(&self, to: &mut dyn Write) -> io::Result<()> {
        let mut notes = self.notes.iter();
        notes.try_for_each(|note| writeln!(to, "note: {note}"))
    }
}

/// What happened, in order.
///
/// # Errors
/// It cannot be written.
pub fn print_verbose(
    trace: &Trace,
    replay: &Replay<'_>,
    result: &TestResult,
    to: &mut dyn Write,
) -> io::Result<()> {
    let numbered = Numbered::new(replay.level());
    let describer = Describer::new(trace);
    for &no in &result.used_answers {
        let Some(answer) = numbered.get(no) else {
            continue;
        };
        let member = &answer.member;
        let owner = member.owner.replace('/', ".");
        let place = answer.site.and_then(|site| trace.site(site));
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

impl LevelsDocument {
    /// Replays every level of a run. One that cannot even be handed to the worker has diverged, too. `say` is told what is replayed.
    ///
    /// # Errors
    /// There is no worker.
    pub fn of(
        run: &Run,
        config: &Config,
        mut say: impl FnMut(String),
    ) -> Result<Self, PipelineError> {
        let mut levels = Vec::new();
        let names = run.levels();
        let mut replay = run.replay(config, None)?;
        for (no, name) in names.iter().enumerate() {
            say(format!(
                "level {} of {}, {}",
                no + 1,
                names.len(),
                name.name
            ));
            let done = replay.load(&name.observed).and_then(|()| replay.strict());
            let (verdict, notes) = match done {
                Ok(result) => (VerdictDocument::of(&result), result.notes),
                Err(error) => {
                    let verdict = VerdictDocument {
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
        Ok(Self { levels, diverged })
    }

    /// A line a level.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print_levels(&self, to: &mut dyn Write) -> io::Result<()> {
        self.levels.iter().try_for_each(|level| {
            writeln!(
                to,
                "{:<44} {:>9} interactions  {}",
                level.level,
                level.interactions,
                level.verdict.text()
            )
        })
    }

    /// How many levels replayed as recorded.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print_sum(&self, to: &mut dyn Write) -> io::Result<()> {
        let total = self.levels.len();
        writeln!(
            to,
            "{} of {total} levels replayed as recorded",
            total - self.diverged
        )
    }
}
