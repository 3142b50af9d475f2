//! What comes of turning the jumps that are to blame.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use jinsi_analysis::pipeline::{Flipped, Flipping, Run};
use jinsi_level::Engine;
use jinsi_level::verdict::{TestOutcome, Unresolved};
use jinsi_omission::jumps::Kind;
use jinsi_omission::{Code, Finder, Found, Occurrence, Place, Question, Suggestion, occurrences};
use jinsi_omitted::Flip;
use jinsi_replay::rewrite::{FlipKind, FlipSite};
use jinsi_trace::model::MemberRef;

use super::Args;
use crate::cli::past::file;
use crate::cli::progress::Spinner;

/// So many suggestions are tried.
const MOST: usize = 20;
/// So many of the places that an exception left are shown, the innermost ones.
const FRAMES: usize = 3;
/// Where one comes that was not tried.
const UNTRIED: u8 = 3;

/// Suggestions in their final order.
pub(super) struct Verified {
    pub(super) ranked: Vec<(Suggestion, Option<Flip>)>,
    /// Why none was tried.
    pub(super) note: Option<String>,
}

impl Verified {
    /// None was tried.
    fn none(ranked: Vec<Suggestion>) -> Self {
        Self {
            ranked: ranked.into_iter().map(|one| (one, None)).collect(),
            note: None,
        }
    }
}

impl Verified {
    /// Of a failure: what speaks most first, and apart from it what is not shown unless it is asked for.
    ///
    /// First comes the innermost place that the exception left. Behind it are decisions after which the run came there and did not fail,
    /// then the nearest after which it did not come there. Those further off of that kind only keep the program from all that followed, and
    /// are as good as any. Nor is shown what was refuted, or is not known while something is.
    fn part(&mut self, found: &Found) -> Vec<(Suggestion, Option<Flip>)> {
        let mut ranked = Vec::new();
        let mut rest = Vec::new();
        let mut refuted = Vec::new();
        let mut avoided = false;
        for (suggestion, flip) in std::mem::take(&mut self.ranked) {
            let frame = found.frames.get(&suggestion.jump).copied();
            let frame = frame.filter(|_| suggestion.kind == Kind::Cut);
            let refutes = flip.as_ref().is_some_and(Flip::refutes);
            let avoids = flip.as_ref().is_some_and(Flip::avoids);
            let confirms = flip.as_ref().is_some_and(Flip::confirms);
            let class = match frame {
                Some(frame) if frame < FRAMES => Some(3 * frame),
                None if avoids => (!std::mem::replace(&mut avoided, true)).then_some(1),
                None if confirms => {
                    Some(1 + usize::from(found.of_asker.contains(&suggestion.jump)))
                }
                _ => None,
            };
            match class {
                Some(class) => ranked.push((class, (suggestion, flip))),
                None if refutes => refuted.push((suggestion, flip)),
                None => rest.push((suggestion, flip)),
            }
        }
        ranked.sort_by_key(|(class, _)| *class);
        self.ranked = ranked.into_iter().map(|(_, one)| one).collect();
        if self.ranked.is_empty() {
            self.ranked.append(&mut rest);
        }
        rest.append(&mut refuted);
        rest
    }
}

/// What is shown of the suggestions, turned unless that is not wanted, and how many of them are left out: of a failure, those that do not
/// speak for themselves.
pub(super) fn shown(
    args: &Args,
    finder: &Finder<'_, '_>,
    found: &Found,
    question: &Question,
    ranked: Vec<Suggestion>,
) -> (Verified, usize) {
    if args.no_flip {
        return (Verified::none(ranked), 0);
    }
    let mut verified = verified(args, finder, found, question, ranked);
    // Where nothing was turned, nothing speaks for itself.
    if !found.of_failure || verified.note.is_some() {
        return (verified, 0);
    }
    let others = verified.part(found);
    if !args.all {
        return (verified, others.len());
    }
    verified.ranked.extend(others);
    (verified, 0)
}

/// Turns the jumps of the first suggestions; those first for which it is done and the failure goes.
fn verified(
    args: &Args,
    finder: &Finder<'_, '_>,
    found: &Found,
    question: &Question,
    ranked: Vec<Suggestion>,
) -> Verified {
    let _spinner = Spinner::new("turning jumps");
    let flips = match tried(args, finder, found, question, &ranked) {
        Ok(flips) => flips,
        Err(error) => {
            return Verified {
                note: Some(format!("{error:#}")),
                ..Verified::none(ranked)
            };
        }
    };
    let mut all: Vec<(Suggestion, Option<Flip>)> = ranked.into_iter().zip(flips).collect();
    all.sort_by_key(|(_, flip)| flip.as_ref().map_or(UNTRIED, |flip| flip.rank));
    Verified {
        ranked: all,
        note: None,
    }
}

/// A jump that is tried: its site, and the numbers of the marks that say that it is done.
struct Trial {
    site: u32,
    times: Vec<u64>,
    marks: Vec<u32>,
    /// That of the place at which it failed.
    failing: Option<u32>,
}

/// By suggestion: what came of it.
fn tried(
    args: &Args,
    finder: &Finder<'_, '_>,
    found: &Found,
    question: &Question,
    ranked: &[Suggestion],
) -> Result<Vec<Option<Flip>>> {
    let code = finder.code();
    ensure!(
        !args.past.is_replayed(),
        "it is the recording of a replay that is asked"
    );
    let mut sites = Sites::default();
    let trials = trials(code, found, ranked, &mut sites)?;
    if trials.iter().all(Option::is_none) {
        return Ok(vec![None; ranked.len()]);
    }
    let run = Run::open(file(&args.past))?;
    let failed = !run.trace().failures().is_empty();
    let prepared = args.past.replay().prepare(None)?;
    // For real first.
    let engines = [Engine::Direct, Engine::Replay];
    let mut flipping = run.flipping(&prepared.config, &sites.all, &engines)?;
    let mut flips = Vec::new();
    for trial in trials {
        let mut best: Option<Flip> = None;
        for time in trial.iter().flat_map(|trial| trial.times.clone()) {
            let Some(trial) = &trial else { continue };
            let flipped = flipping.flip(trial.site, time)?;
            let flip = flip((&flipped, time), trial, question, (&flipping, failed));
            if flip
                .as_ref()
                .is_some_and(|new| best.as_ref().is_none_or(|b| new.rank < b.rank))
            {
                best = flip;
            }
        }
        flips.push(best);
    }
    flips.resize(ranked.len(), None);
    Ok(flips)
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
) -> Result<Vec<Option<Trial>>> {
    let first = &ranked[..ranked.len().min(MOST)];
    let can_turn = |suggestion: &&Suggestion| {
        let instruction = code.instruction(suggestion.jump);
        matches!(suggestion.kind, Kind::Jump | Kind::Round)
            && instruction.is_some_and(|i| FlipSite::can_turn(i.opcode))
    };
    let jumps = first
        .iter()
        .filter(can_turn)
        .map(|suggestion| suggestion.jump);
    let times = occurrences(code, jumps)?;
    let mut trials = Vec::new();
    for suggestion in first {
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
        let innermost = found.frames.iter().find(|(_, no)| **no == 0);
        let failing = innermost.and_then(|(place, _)| sites.number(code, *place, false));
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
    question: &Question,
    (flipping, failed): (&Flipping<'_>, bool),
) -> Option<Flip> {
    if !flipped.turned && flipped.times > 0 {
        return None;
    }
    let printed = match question {
        Question::Output(text) => {
            Some(flipped.printed.contains(text) && !flipping.plain().printed.contains(text))
        }
        _ => None,
    };
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
        TestOutcome::Passing if failed => ("gone", None),
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
