//! What comes of turning the jumps that are to blame.

use anyhow::{Result, ensure};
use jinsi_analysis::pipeline::{Asked, Run, Turning};
use jinsi_level::Engine;
use jinsi_omission::jumps::Kind;
use jinsi_omission::{Finder, Found, Question, Suggestion};
use jinsi_omission_answers::Flip;

use super::Args;
use crate::cli::messages::NoAnswer;
use crate::cli::past::file;
use crate::cli::progress::Spinner;

/// So many suggestions are tried.
const MOST: usize = 20;
/// So many of the places that an exception left are shown, the innermost ones.
const FRAMES: usize = 3;
/// So many are shown if none is confirmed, the nearest ones.
const UNCONFIRMED: usize = 3;
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
            let nearest = rest.len().min(UNCONFIRMED);
            self.ranked.extend(rest.drain(..nearest));
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

/// By suggestion: what came of it.
fn tried(
    args: &Args,
    finder: &Finder<'_, '_>,
    found: &Found,
    question: &Question,
    ranked: &[Suggestion],
) -> Result<Vec<Option<Flip>>> {
    let code = finder.code();
    ensure!(!args.past.is_replayed(), NoAnswer::Replayed.to_string());
    let turning = Turning::of(code, found, ranked, MOST)?;
    if turning.is_empty() {
        return Ok(vec![None; ranked.len()]);
    }
    let run = Run::open(file(&args.past))?;
    let asked = Asked {
        text: match question {
            Question::Output(text) => Some(text),
            _ => None,
        },
        failed: !run.trace().failures().is_empty(),
    };
    let prepared = args.past.replay().prepare(None)?;
    // For real first.
    let engines = [Engine::Direct, Engine::Replay];
    let mut flipping = run.flipping(&prepared.config, turning.sites(), &engines)?;
    let mut flips = Vec::new();
    for no in 0..ranked.len() {
        flips.push(turning.turn(no, &mut flipping, asked)?);
    }
    Ok(flips)
}
