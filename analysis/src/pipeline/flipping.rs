//! What would have happened, had one jump of the run gone the other way, once: flipped in a replay, which is shut in as all are.

use std::collections::BTreeSet;

use jinsi_level::verdict::{Escaped, TestOutcome, TestResult};
use jinsi_level::{Engine, Level};
use jinsi_replay::rewrite::FlipSite;
use jinsi_replay::worker::Watch;

use super::adapters::WorkerReplayer;
use super::{Config, PipelineError, Run};

/// What came of a flip.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flipped {
    /// How the run ended: failing as recorded, passing, or not known.
    pub outcome: TestOutcome,
    /// Why that is not known, for a person.
    pub detail: String,
    /// The exception that ended it, if one did.
    pub exception: Option<Escaped>,
    /// Did the jump run that often, and was turned?
    pub turned: bool,
    /// How often it ran in all.
    pub times: u64,
    /// The marks that were come to behind it.
    pub came: BTreeSet<u32>,
    /// What was printed.
    pub printed: String,
    /// Was it answered with recorded answers that came elsewhere in the recording?
    pub resynchronized: bool,
}

impl Flipped {
    /// What a test has reported; nothing if it has not.
    fn of(result: TestResult) -> Option<Self> {
        let reported = result.watched?;
        let mut lines = reported.splitn(4, '\n');
        let (turned, times, came) = (lines.next()?, lines.next()?, lines.next()?);
        Some(Self {
            outcome: result.outcome,
            detail: result.detail,
            exception: result.exception,
            turned: turned == "turned",
            times: times.parse().ok()?,
            came: came.split(' ').filter_map(|no| no.parse().ok()).collect(),
            printed: lines.next().unwrap_or_default().to_owned(),
            resynchronized: result.resynchronized,
        })
    }
}

/// A worker: the run's own, or one that was at work before.
enum Held<'r, 'a> {
    Own(Box<WorkerReplayer<'a>>),
    Lent(&'r mut WorkerReplayer<'a>),
}

impl<'a> Held<'_, 'a> {
    fn replayer(&mut self) -> &mut WorkerReplayer<'a> {
        match self {
            Self::Own(replayer) => replayer,
            Self::Lent(replayer) => replayer,
        }
    }
}

/// A run in the hands of a worker, with jumps that can be turned.
pub struct Flipping<'r, 'a> {
    worker: Held<'r, 'a>,
    all: Vec<u32>,
    engine: Engine,
    /// What it comes to if nothing is turned.
    plain: Flipped,
}

impl<'r, 'a> Flipping<'r, 'a> {
    /// What is left of a level, which fails as recorded, by a worker that has tested it.
    ///
    /// # Errors
    /// It does not fail so with jumps that can be turned; the worker cannot be used.
    pub(super) fn of_level(
        replayer: &'r mut WorkerReplayer<'a>,
        level: &Level,
        left: &[u32],
        sites: &[FlipSite],
    ) -> Result<Self, PipelineError> {
        replayer.load_with_flips(level, sites.to_vec())?;
        let mut flipping = Self {
            worker: Held::Lent(replayer),
            all: left.to_vec(),
            engine: level.engine,
            plain: Flipped::default(),
        };
        flipping.plain = flipping.flip(0, 0)?;
        match flipping.plain.outcome {
            TestOutcome::Failing => Ok(flipping),
            _ => Err(PipelineError::NotRun(flipping.plain.detail)),
        }
    }

    /// What the run comes to when a jump is turned, that time (from 1).
    ///
    /// # Errors
    /// The worker cannot be used.
    pub fn flip(&mut self, site: u32, time: u64) -> Result<Flipped, PipelineError> {
        let watch = Watch::Flip { site, time };
        let result = self.worker.replayer().flip(&self.all, watch)?;
        let detail = result.detail.clone();
        let outcome = result.outcome;
        // A worker that died, or a test that it could not run, tells nothing.
        Ok(Flipped::of(result).unwrap_or(Flipped {
            outcome,
            detail,
            ..Flipped::default()
        }))
    }

    /// What it comes to if nothing is turned.
    pub fn plain(&self) -> &Flipped {
        &self.plain
    }

    /// How it runs: for real, or replayed with recorded answers.
    pub fn engine(&self) -> Engine {
        self.engine
    }
}

impl Run {
    /// All recorded classes in the hands of a worker, with jumps that can be turned: by the first of these engines with which the run comes to
    /// what was recorded.
    ///
    /// # Errors
    /// None comes to that; the worker cannot be used.
    pub fn flipping<'a>(
        &'a self,
        config: &'a Config,
        sites: &[FlipSite],
        engines: &[Engine],
    ) -> Result<Flipping<'a, 'a>, PipelineError> {
        self.check_jdk(config)?;
        let mut replayer = WorkerReplayer::start(self, config, 1)?;
        let mut why = String::new();
        for &engine in engines {
            let level = self.level_of_all(config, engine);
            if let Err(error) = replayer.load_with_flips(&level, sites.to_vec()) {
                why = error.to_string();
                continue;
            }
            let all: Vec<u32> = level.interactions.iter().map(|i| i.no).collect();
            let result = replayer.flip(&all, Watch::Flip { site: 0, time: 0 })?;
            let expected = match self.crash {
                Ok(_) => TestOutcome::Failing,
                Err(_) => TestOutcome::Passing,
            };
            why.clone_from(&result.detail);
            let fits = result.outcome == expected;
            if let Some(plain) = Flipped::of(result).filter(|_| fits) {
                return Ok(Flipping {
                    worker: Held::Own(Box::new(replayer)),
                    all,
                    engine,
                    plain,
                });
            }
        }
        Err(PipelineError::NotRun(why))
    }

    /// The level of all recorded classes.
    pub(super) fn level_of_all(&self, config: &Config, engine: Engine) -> Level {
        let observed = self.recorded();
        match engine {
            Engine::Replay => self.project(&config.natural, &observed, self.oracle(), None),
            Engine::Direct => {
                let mut level = self.project_for_real(&observed, self.oracle(), None);
                level.engine = Engine::Direct;
                level.surroundings = self.settings();
                level
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reported_is_read() {
        let reported = |watched: &str| {
            Flipped::of(TestResult {
                watched: Some(watched.to_owned()),
                ..TestResult::default()
            })
        };
        let flipped = reported("turned\n3\n4 7 \na\nb\n").unwrap();
        assert!(flipped.turned);
        assert_eq!(flipped.times, 3);
        assert_eq!(flipped.came, BTreeSet::from([4, 7]));
        assert_eq!(flipped.printed, "a\nb\n");
        let nothing = reported("not turned\n0\n\n").unwrap();
        assert_eq!(nothing, Flipped::default());
        assert_eq!(reported("not turned"), None);
    }
}
