//! One failure explained: a decision after which it is gone, if it is turned.
//!
//! Of an exception it is turned in what is left of the outermost level. That run is small, was recorded for its slice, and the worker has run it
//! many times; it has the most of the program that any level has. Of a wrong value no level has the test, which alone knows what is right:
//! there it is the whole run, if that is small.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use jinsi_files::temporary;
use jinsi_inspect::{InspectError, Inspector};
use jinsi_jdk::Walls;
use jinsi_level::Level;
use jinsi_omission::jumps::Kind;
use jinsi_omission::{
    Code, Failed, Found, Hand, OmissionError, Question, Suggestion, of_failure, suggestions,
};
use jinsi_omission_answers::{AnswersError, Flip, Shower};
use jinsi_oracle::Oracle;
use jinsi_trace::reader::{ReadError, Trace};

use super::adapters::WorkerReplayer;
use super::turning::{Asked, Turning};
use super::{Case, Config, Flipping, PipelineError, Wanted};
use crate::minimized::Explanation;

/// Events of a run that is looked into, at most.
const MOST_EVENTS: u64 = 200_000;
/// Interactions of its level, at most: they are kept for it.
const MOST_INTERACTIONS: usize = 20_000;
/// Decisions that are turned, at most.
const MOST_TURNED: usize = 12;
/// Time after which no other one is turned.
const PATIENCE: Duration = Duration::from_millis(300);

/// Why a failure is not explained.
#[derive(Debug, thiserror::Error)]
enum NotExplained {
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Omission(#[from] OmissionError),
    #[error(transparent)]
    Inspect(#[from] InspectError),
    #[error(transparent)]
    Sentences(#[from] AnswersError),
}

/// The outermost level of which something is left.
pub(super) struct Outermost {
    /// Its place in the report; `None`: it is the level of all classes.
    index: Option<usize>,
    level: Level,
    left: Vec<u32>,
}

impl Outermost {
    /// This level, unless one further out is known.
    pub(super) fn or(
        known: Option<Self>,
        index: usize,
        level: &Level,
        left: &[u32],
    ) -> Option<Self> {
        let is_further = known
            .as_ref()
            .is_none_or(|known| known.index <= Some(index));
        let is_one = !left.is_empty() && level.interactions.len() <= MOST_INTERACTIONS;
        match is_further && is_one {
            true => Some(Self {
                index: Some(index),
                level: level.clone(),
                left: left.to_vec(),
            }),
            false => known,
        }
    }

    /// The level of all classes, all of it.
    pub(super) fn whole(level: Level, all: Vec<u32>) -> Self {
        Self {
            index: None,
            level,
            left: all,
        }
    }
}

/// What is left of a level, as it was recorded for its slice.
pub(super) struct Recording {
    /// The level's place in the report; `None`: it is the level of all classes.
    pub(super) index: Option<usize>,
    /// Holds the file.
    pub(super) _directory: temporary::Directory,
    pub(super) file: PathBuf,
    /// How it fails.
    pub(super) failed: Failed,
}

impl Recording {
    /// Keeps the one of these that is further out.
    pub(super) fn keep(known: &mut Option<Self>, new: Self) {
        if known.as_ref().is_none_or(|known| known.index <= new.index) {
            *known = Some(new);
        }
    }
}

/// A failure that is to be explained.
pub(super) struct Explaining<'a> {
    pub(super) case: &'a Case<'a>,
    pub(super) config: &'a Config,
    pub(super) wanted: &'a Wanted,
}

impl Explaining<'_> {
    /// The explanation. Where there is none nothing is said: the report is whole without it.
    pub(super) fn explanation(
        &self,
        recorded: &Mutex<Option<Recording>>,
        outermost: Option<Outermost>,
        replayer: &mut WorkerReplayer<'_>,
    ) -> Option<Explanation> {
        if self.wanted.stop.reason().is_some() {
            return None;
        }
        let (recording, outermost) = match &self.case.crash.oracle {
            Oracle::Exception => (recorded.lock().ok()?.take()?, outermost?),
            Oracle::Value(_) => self.whole()?,
            _ => return None,
        };
        explain(&recording, &outermost, replayer).ok()?
    }

    /// All of the run, if it is small and can be run for real.
    fn whole(&self) -> Option<(Recording, Outermost)> {
        let trace = &self.case.run.trace;
        let events = trace.threads().iter().map(|one| trace.event_count(one.no));
        let small = events.sum::<u64>() <= MOST_EVENTS;
        let is_known = trace.surroundings().is_some() && self.config.walls == Walls::Confined;
        let agent = self.wanted.agent.as_ref()?;
        let whole = (small && is_known).then(|| self.case.whole(self.config, agent));
        whole?.ok()
    }
}

/// The failure explained by what is left of a level; nothing if no decision is known after which it is gone.
fn explain(
    recording: &Recording,
    outermost: &Outermost,
    replayer: &mut WorkerReplayer<'_>,
) -> Result<Option<Explanation>, NotExplained> {
    let trace = Trace::open(&recording.file)?;
    let events = trace.threads().iter().map(|one| trace.event_count(one.no));
    if recording.index != outermost.index || events.sum::<u64>() > MOST_EVENTS {
        return Ok(None);
    }
    let code = Code::of(&trace);
    let found = of_failure(&code, &recording.failed)?;
    let mut ranked = suggestions(&found, |_| None, |_| Hand::Unknown);
    ranked.retain(|one| matches!(one.kind, Kind::Jump | Kind::Round));
    let turning = Turning::of(&code, &found, &ranked, MOST_TURNED)?;
    if turning.is_empty() {
        return Ok(None);
    }
    let Outermost { level, left, .. } = outermost;
    let mut flipping = Flipping::of_level(replayer, level, left, turning.sites())?;
    let Some((suggestion, flip)) = confirmed(&found, &ranked, &turning, &mut flipping)? else {
        return Ok(None);
    };
    let inspector = Inspector::new(&trace)?;
    let shower = Shower::new(&inspector, &code, &found, &Question::Failure);
    let sentences = shower.explained(suggestion, &flip);
    let sentences = sentences?;
    Ok(Some(Explanation {
        level: recording.index,
        sentences,
    }))
}

/// A decision, and what came of turning it.
type Confirmed<'s> = (&'s Suggestion, Flip);
/// Is it of who asked for all of it? Does the run not come to where it failed? The rank of the flip. The least speaks most.
type Merit = (bool, bool, u8);

/// The decision that speaks most: the nearest after which the run comes to where it failed, and does not fail; else one after which it does
/// not come there; last those of who asked for all of it.
fn confirmed<'s>(
    found: &Found,
    ranked: &'s [Suggestion],
    turning: &Turning,
    flipping: &mut Flipping<'_, '_>,
) -> Result<Option<Confirmed<'s>>, PipelineError> {
    let until = Instant::now() + PATIENCE;
    let asked = Asked {
        text: None,
        failed: true,
    };
    let mut best: Option<(Merit, Confirmed<'_>)> = None;
    for (no, suggestion) in ranked.iter().enumerate().take(MOST_TURNED) {
        if Instant::now() > until {
            break;
        }
        let flip = turning.turn(no, flipping, asked)?;
        let Some(flip) = flip.filter(Flip::confirms) else {
            continue;
        };
        let of_asker = found.of_asker.contains(&suggestion.jump);
        let merit = (of_asker, flip.avoids(), flip.rank);
        if best.as_ref().is_none_or(|(best, _)| merit < *best) {
            best = Some((merit, (suggestion, flip)));
        }
        if merit == (false, false, 0) {
            break;
        }
    }
    Ok(best.map(|(_, found)| found))
}
