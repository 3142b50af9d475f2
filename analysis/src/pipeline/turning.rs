//! Jumps of suggestions, turned one after the other: what comes of each.

use std::collections::BTreeMap;

use jinsi_level::Engine;
use jinsi_level::verdict::{TestOutcome, Unresolved};
use jinsi_omission::jumps::Kind;
use jinsi_omission::{Code, Found, Occurrence, Place, Suggestion, occurrences};
use jinsi_omission_answers::Flip;
use jinsi_replay::rewrite::{FlipKind, FlipSite};
use jinsi_trace::model::MemberRef;
use jinsi_trace::reader::ReadError;

use super::{Flipped, Flipping, PipelineError};

/// Jumps that can be turned, by suggestion.
pub struct Turning {
    sites: Vec<FlipSite>,
    trials: Vec<Option<Trial>>,
}

/// What is asked of a run with a turned jump.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'q> {
    /// Is this text printed, that is not printed else?
    pub text: Option<&'q str>,
    /// Did the recorded run fail?
    pub failed: bool,
}

/// A jump that is tried: its site, and the numbers of the marks that say that it is done.
struct Trial {
    site: u32,
    times: Vec<u64>,
    marks: Vec<u32>,
    /// That of the place at which it failed.
    failing: Option<u32>,
}

impl Turning {
    /// Of the first `most` of these suggestions.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn of(
        code: &Code<'_>,
        found: &Found,
        ranked: &[Suggestion],
        most: usize,
    ) -> Result<Self, ReadError> {
        let mut sites = Sites::default();
        let trials = trials(code, found, &ranked[..ranked.len().min(most)], &mut sites)?;
        Ok(Self {
            sites: sites.all,
            trials,
        })
    }

    /// What the run is to be loaded with.
    pub fn sites(&self) -> &[FlipSite] {
        &self.sites
    }

    /// How many suggestions there may be one of.
    pub(super) fn len(&self) -> usize {
        self.trials.len()
    }

    /// Is there no jump that can be turned?
    pub fn is_empty(&self) -> bool {
        self.trials.iter().all(Option::is_none)
    }

    /// What comes of turning the jump of the suggestion at this place, the best of its times; nothing if it cannot be turned.
    ///
    /// # Errors
    /// The worker cannot be used.
    pub fn turn(
        &self,
        no: usize,
        flipping: &mut Flipping<'_, '_>,
        asked: Asked<'_>,
    ) -> Result<Option<Flip>, PipelineError> {
        let Some(Some(trial)) = self.trials.get(no) else {
            return Ok(None);
        };
        let mut best: Option<Flip> = None;
        for &time in &trial.times {
            let flipped = flipping.flip(trial.site, time)?;
            let new = flip((&flipped, time), trial, asked, flipping);
            let is_better = |new: &Flip| best.as_ref().is_none_or(|b| new.rank < b.rank);
            if new.as_ref().is_some_and(is_better) {
                best = new;
            }
        }
        Ok(best)
    }
}

/// Sites, each place once.
#[derive(Default)]
struct Sites {
    all: Vec<FlipSite>,
    numbers: BTreeMap<(Place, bool), u32>,
}

impl Sites {
    fn number(&mut self, code: &Code<'_>, place: Place, turns: bool) -> Option<u32> {
        if let Some(no) = self.numbers.get(&(place, turns)) {
            return Some(*no);
        }
        let bci = u16::try_from(code.instruction(place)?.bci).ok()?;
        let method = code.method(place.method);
        let no = self.all.len() as u32 + 1;
        self.all.push(FlipSite {
            no,
            method: MemberRef {
                owner: method.owner.as_str().into(),
                name: method.name.as_str().into(),
                desc: method.desc.as_str().into(),
            },
            bci,
            kind: match turns {
                true => FlipKind::Turn,
                false => FlipKind::Mark,
            },
        });
        self.numbers.insert((place, turns), no);
        Some(no)
    }
}

fn trials(
    code: &Code<'_>,
    found: &Found,
    ranked: &[Suggestion],
    sites: &mut Sites,
) -> Result<Vec<Option<Trial>>, ReadError> {
    let can_turn = |suggestion: &&Suggestion| {
        let instruction = code.instruction(suggestion.jump);
        matches!(suggestion.kind, Kind::Jump | Kind::Round)
            && instruction.is_some_and(|i| FlipSite::can_turn(i.opcode))
    };
    let jumps = ranked
        .iter()
        .filter(can_turn)
        .map(|suggestion| suggestion.jump);
    let times = occurrences(code, jumps)?;
    let mut trials = Vec::new();
    for suggestion in ranked {
        let times = times
            .get(&suggestion.jump)
            .map(|all| chosen(all, suggestion));
        let times = times.filter(|times| !times.is_empty());
        let Some(times) = times else {
            trials.push(None);
            continue;
        };
        let site = sites.number(code, suggestion.jump, true);
        let omitted = suggestion.omitted.iter();
        let marks = omitted.filter_map(|no| {
            let target = found.omissions[*no].target;
            sites.number(code, found.targets[target].place, false)
        });
        let marks = marks.collect();
        let failing = found.innermost;
        let failing = failing.and_then(|(place, _)| sites.number(code, place, false));
        trials.push(site.map(|site| Trial {
            site,
            times,
            marks,
            failing,
        }));
    }
    Ok(trials)
}

/// The last and the first time that a jump ran in the activations of a suggestion. None if several threads ran it: their order in a replay need
/// not be that.
fn chosen(all: &[Occurrence], suggestion: &Suggestion) -> Vec<u64> {
    let thread = all.first().map(|one| one.activation.thread);
    if all.iter().any(|one| Some(one.activation.thread) != thread) {
        return Vec::new();
    }
    let own = all.iter().filter(|one| {
        suggestion
            .activations
            .binary_search(&one.activation)
            .is_ok()
    });
    let mut times: Vec<u64> = own.map(|one| one.number).collect();
    times.sort_unstable();
    let mut chosen: Vec<u64> = times.last().copied().into_iter().collect();
    // Of a loop that ended, only the end is turned.
    if suggestion.kind == Kind::Jump {
        chosen.extend(times.first().filter(|first| Some(*first) != times.last()));
    }
    chosen
}

fn flip(
    (flipped, time): (&Flipped, u64),
    trial: &Trial,
    asked: Asked<'_>,
    flipping: &Flipping<'_, '_>,
) -> Option<Flip> {
    if !flipped.turned && flipped.times > 0 {
        return None;
    }
    let printed = asked
        .text
        .map(|text| flipped.printed.contains(text) && !flipping.plain().printed.contains(text));
    let came = trial.marks.iter().any(|mark| flipped.came.contains(mark));
    let done = printed.unwrap_or(came);
    let exception = flipped
        .exception
        .as_ref()
        .map(|escaped| match &escaped.message {
            Some(message) => format!("{}: {message}", escaped.class),
            None => escaped.class.clone(),
        });
    let (failure, why) = match flipped.outcome {
        // One with another message is another one.
        TestOutcome::Passing if exception.is_some() => ("other", exception),
        TestOutcome::Passing if asked.failed => ("gone", None),
        TestOutcome::Passing => ("none", None),
        TestOutcome::Failing => ("stays", None),
        TestOutcome::Unresolved(Unresolved::OtherException | Unresolved::NullReceiver) => {
            ("other", exception)
        }
        TestOutcome::Unresolved(_) => ("unresolved", Some(flipped.detail.clone())),
    };
    let rank = match (failure, done) {
        ("gone" | "none", true) => 0,
        ("unresolved", true) => 1,
        ("gone", false) => 2,
        ("unresolved", false) => 3,
        ("stays", true) => 4,
        ("none" | "stays", false) => 5,
        _ => 6,
    };
    Some(Flip {
        time,
        times: flipping.plain().times.max(flipped.times),
        done: came,
        came_to: (trial.failing).map(|mark| flipped.came.contains(&mark)),
        printed,
        failure,
        why,
        engine: match flipping.engine() {
            Engine::Direct => "direct",
            Engine::Replay => "replay",
        },
        rank,
    })
}
