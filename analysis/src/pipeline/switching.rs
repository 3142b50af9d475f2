//! Which decisions keep a run failing: those that the failure depends on are turned, one by one, each in a run of its own (Zhang, Gupta and Gupta
//! 2006).

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use jinsi_classfile::opcode;
use jinsi_level::Engine;
use jinsi_level::verdict::TestOutcome;
use jinsi_locate::Place as Line;
use jinsi_locate::rank::{Clue, Kind};
use jinsi_omission::{
    Code, Failed, Found, Occurrence, OmissionError, Place, occurrences, of_failure,
};
use jinsi_replay::rewrite::{FlipKind, FlipSite};
use jinsi_steps::code::Body;
use jinsi_trace::model::MemberRef;
use jinsi_trace::reader::{ReadError, Trace};

use super::{Config, Flipped, Flipping, PipelineError, Run, Steps};

/// Decisions that are turned, at most: the nearest ones.
const MOST_SITES: usize = 80;
/// Times that one of them is turned, at most.
const MOST_TIMES: usize = 6;
/// Runs, at most.
const MOST_RUNS: usize = 240;
/// Time after which no other one is turned.
const PATIENCE: Duration = Duration::from_secs(8);

/// Why no decision was turned.
#[derive(Debug, thiserror::Error)]
pub enum NotSwitched {
    /// The run cannot be done again.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The trace cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The failure cannot be followed back.
    #[error(transparent)]
    Omission(#[from] OmissionError),
}

/// A decision that is turned: the number of its site, and when.
struct Trial {
    site: u32,
    at: Place,
    times: Vec<Time>,
}

/// A time that a decision was made: its number, and how many came behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Time {
    number: u64,
    behind: u64,
}

/// What came of a decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TurnedTally {
    tried: usize,
    /// The run came to where it had failed, and did not fail.
    healed: usize,
    /// It did not come there, and nothing else failed.
    avoided: usize,
    /// How many decisions came behind the last one of these.
    behind: Option<u64>,
}

impl Run {
    /// What turned decisions say of lines. `trace` has the instructions of this run: its own trace, or that of a replay of it, as `steps` says. Nothing,
    /// if there is no decision that can be turned.
    ///
    /// # Errors
    /// See [`NotSwitched`].
    pub fn switched(
        &self,
        trace: &Trace,
        steps: Steps,
        config: &Config,
    ) -> Result<Vec<Clue>, NotSwitched> {
        let code = Code::of(trace);
        let found = of_failure(&code, &Failed::recorded_in(trace)?)?;
        let mut sites = Vec::new();
        let trials = trials(&code, &found, &mut sites)?;
        if trials.is_empty() {
            return Ok(Vec::new());
        }
        let guards = found.innermost.map(|(place, _)| guards(&code, place));
        let guards = guards.unwrap_or_default();
        let innermost = found.innermost.map(|(place, _)| place);
        // What was decided several times may be come to without the one that led to the failure.
        let decided = occurrences(&code, guards.iter().copied())?;
        let once = |at: &&Place| decided.get(*at).is_some_and(|all| all.len() == 1);
        let begin = |at: &Place| Some(begin_of(code.body(at.method)?, *at));
        let marked = guards.iter().filter(once).filter_map(begin);
        let marked = marked.chain(innermost);
        let mut failing = Vec::new();
        for place in marked {
            let no = sites.len() as u32 + 1;
            if let Some(site) = site(&code, place, no, FlipKind::Mark) {
                sites.push(site);
                failing.push(no);
            }
        }
        let failing = Failing {
            marks: failing,
            guards,
        };
        self.move_to_recorded(&mut sites, steps, config)?;
        let engines = [Engine::Direct, Engine::Replay];
        let mut flipping = self.flipping(config, &sites, &engines)?;
        let tally = turn(&trials, &failing, &mut flipping)?;
        Ok(clues(&code, &found, &tally))
    }
}

/// Where the run failed.
struct Failing {
    /// Numbers of its sites: the run has to come to one of them.
    marks: Vec<u32>,
    /// Where the program throws the exception itself: the decisions to do so. Whatever comes to them was looked at, and found to be well if nothing was thrown.
    guards: BTreeSet<Place>,
}

/// The decisions on which it depends that the instruction is come to, if it throws.
fn guards(code: &Code<'_>, at: Place) -> BTreeSet<Place> {
    let throws = code
        .instruction(at)
        .is_some_and(|i| i.opcode == opcode::ATHROW);
    let Some(body) = code.body(at.method).filter(|_| throws) else {
        return BTreeSet::new();
    };
    let controllers = body.control.controllers(body.cfg.block_of(at.at)).iter();
    let decisions = controllers.map(|branch| Place {
        at: body.cfg.block(*branch).last,
        ..at
    });
    decisions.collect()
}

/// Where the block of an instruction begins.
fn begin_of(body: &Body, at: Place) -> Place {
    Place {
        at: body.cfg.block(body.cfg.block_of(at.at)).first,
        ..at
    }
}

/// The nearest decisions, with their sites.
fn trials(
    code: &Code<'_>,
    found: &Found,
    sites: &mut Vec<FlipSite>,
) -> Result<Vec<Trial>, ReadError> {
    let can_turn = |at: &Place| {
        let instruction = code.instruction(*at);
        instruction.is_some_and(|i| FlipSite::can_turn(i.opcode))
    };
    let decisions = found.decisions.iter();
    let mut nearest: Vec<(u32, Place)> = decisions
        .filter(|(at, _)| can_turn(at))
        .map(|(at, distance)| (distance.unwrap_or(u32::MAX), *at))
        .collect();
    nearest.sort_unstable();
    nearest.truncate(MOST_SITES);
    let ran = occurrences(code, nearest.iter().map(|(_, at)| *at))?;
    let mut trials = Vec::new();
    for (_, at) in nearest {
        let times = ran.get(&at).map(|all| chosen(all)).unwrap_or_default();
        let no = sites.len() as u32 + 1;
        let site = site(code, at, no, FlipKind::Turn).filter(|_| !times.is_empty());
        if let Some(site) = site {
            sites.push(site);
            trials.push(Trial {
                site: no,
                at,
                times,
            });
        }
    }
    Ok(trials)
}

fn site(code: &Code<'_>, at: Place, no: u32, kind: FlipKind) -> Option<FlipSite> {
    let method = code.method(at.method);
    Some(FlipSite {
        no,
        method: MemberRef {
            owner: method.owner.as_str().into(),
            name: method.name.as_str().into(),
            desc: method.desc.as_str().into(),
        },
        bci: u16::try_from(code.instruction(at)?.bci).ok()?,
        kind,
    })
}

/// The last times that a decision was made, and the first. None if several threads made it: their order in another run need not be that.
fn chosen(all: &[Occurrence]) -> Vec<Time> {
    let thread = all.first().map(|one| one.activation.thread);
    if all.iter().any(|one| Some(one.activation.thread) != thread) {
        return Vec::new();
    }
    let times = all.iter().map(|one| Time {
        number: one.number,
        behind: one.behind,
    });
    let mut times: Vec<Time> = times.collect();
    times.sort_unstable_by_key(|time| time.behind);
    if times.len() > MOST_TIMES {
        let first = times.pop();
        times.truncate(MOST_TIMES - 1);
        times.extend(first);
    }
    times
}

/// Turns the decisions: each once first, the last time that it was made, the nearest first; then the others from the end of the run on.
fn turn(
    trials: &[Trial],
    failing: &Failing,
    flipping: &mut Flipping<'_, '_>,
) -> Result<BTreeMap<Place, TurnedTally>, PipelineError> {
    let until = Instant::now() + PATIENCE;
    let mut all: BTreeMap<Place, TurnedTally> = BTreeMap::new();
    let last = trials
        .iter()
        .filter_map(|trial| Some((trial, *trial.times.first()?)));
    let others = trials.iter();
    let others =
        others.flat_map(|trial| trial.times.iter().skip(1).map(move |time| (trial, *time)));
    let mut others: Vec<(&Trial, Time)> = others.collect();
    others.sort_by_key(|(_, time)| time.behind);
    for (trial, time) in last.chain(others).take(MOST_RUNS) {
        if Instant::now() > until {
            break;
        }
        let flipped = flipping.flip(trial.site, time.number)?;
        if !flipped.turned {
            continue;
        }
        let tally = all.entry(trial.at).or_default();
        tally.tried += 1;
        if is_gone(&flipped) {
            // To turn the decision to throw tells nothing.
            if failing.guards.contains(&trial.at) {
                tally.avoided += 1;
                continue;
            }
            let marks = &failing.marks;
            match marks.is_empty() || marks.iter().any(|mark| flipped.came.contains(mark)) {
                true => tally.healed += 1,
                false => tally.avoided += 1,
            }
            let behind = tally.behind.unwrap_or(time.behind);
            tally.behind = Some(behind.min(time.behind));
        }
    }
    Ok(all)
}

/// The same exception with another message, or elsewhere, is another failure.
fn is_gone(flipped: &Flipped) -> bool {
    matches!(flipped.outcome, TestOutcome::Passing) && flipped.exception.is_none()
}

fn clues(code: &Code<'_>, found: &Found, tally: &BTreeMap<Place, TurnedTally>) -> Vec<Clue> {
    let mut near: Vec<(Option<u32>, Place, TurnedTally)> = (tally.iter())
        .map(|(at, tally)| (found.decisions.get(at).copied().flatten(), *at, *tally))
        .collect();
    near.sort_by_key(|(distance, ..)| distance.unwrap_or(u32::MAX));
    let clue = |place: &Line, kind, strength, why: &str| Clue {
        place: place.clone(),
        kind,
        strength,
        why: why.to_owned(),
    };
    let last = tally
        .iter()
        .filter_map(|(at, tally)| Some((tally.behind?, *at)));
    let last = last.min().and_then(|(_, at)| line(code, at));
    let why = "no later decision keeps the run from failing when it is turned";
    let mut clues: Vec<Clue> = (last.iter())
        .map(|place| clue(place, Kind::Nearest, 1.0, why))
        .collect();
    let mut further = 0;
    for (_, at, tally) in near {
        let Some(place) = line(code, at) else {
            continue;
        };
        if tally.healed > 0 {
            let why = "the failure goes when its decision is turned once";
            clues.push(clue(&place, Kind::Flip, 1.0, why));
        } else if tally.avoided > 0 {
            further += 1;
            let why = "it does not come to the failure when its decision is turned once";
            clues.push(clue(&place, Kind::Avoid, 1.0 / f64::from(further), why));
        } else {
            let why = "it fails all the same, or otherwise, when its decision is turned";
            clues.push(clue(&place, Kind::Refuted, 1.0, why));
            continue;
        }
        let strength = if tally.healed > 0 { 1.0 } else { 0.5 };
        let why = format!(
            "it runs because of line {}, with which turned it does not fail",
            place.line
        );
        for of in because(code, at) {
            let place = Line {
                line: of,
                ..place.clone()
            };
            clues.push(clue(&place, Kind::Because, strength, &why));
        }
    }
    clues
}

/// Where an instruction stands in the source, if that is known.
fn line(code: &Code<'_>, at: Place) -> Option<Line> {
    let line = code.instruction(at)?.line;
    let class = code.method(at.method).owner.replace('/', ".");
    (line != 0).then_some(Line { class, line })
}

/// The lines of what a decision decides about, but for its own.
fn because(code: &Code<'_>, at: Place) -> BTreeSet<u16> {
    let Some(body) = code.body(at.method) else {
        return BTreeSet::new();
    };
    let own = body.instructions[at.at].line;
    let decision = body.cfg.block_of(at.at);
    let blocks = (0..).zip(body.cfg.blocks());
    let because = blocks.filter(|(no, _)| body.control.controllers(*no).contains(&decision));
    let instructions = because.flat_map(|(_, block)| &body.instructions[block.first..=block.last]);
    let lines = instructions.map(|instruction| instruction.line);
    lines.filter(|line| *line != 0 && *line != own).collect()
}

#[cfg(test)]
mod tests {
    use jinsi_trace::model::EventId;

    use super::*;

    #[test]
    fn the_last_times_and_the_first_are_turned() {
        let ran = |thread, number| Occurrence {
            activation: EventId { thread, index: 0 },
            number,
            behind: 20 - number,
        };
        let all: Vec<Occurrence> = (1..=20).map(|number| ran(0, number)).collect();
        let numbers = |all: &[Occurrence]| -> Vec<u64> {
            chosen(all).iter().map(|time| time.number).collect()
        };
        assert_eq!(numbers(&all), [20, 19, 18, 17, 16, 1]);
        assert_eq!(numbers(&all[..2]), [2, 1]);
        assert!(chosen(&[ran(0, 1), ran(1, 1)]).is_empty());
        assert!(chosen(&[]).is_empty());
    }
}
