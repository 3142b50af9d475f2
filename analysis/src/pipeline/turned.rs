//! Suggestions in the order of what came of turning their jumps.

use jinsi_level::Engine;
use jinsi_omission::jumps::Kind;
use jinsi_omission::{Found, Question, Suggestion};
use jinsi_omission_answers::Flip;

use super::{Asked, Config, PipelineError, Run, Steps, Turning};

/// So many of the places that an exception left are shown, the innermost ones.
const FRAMES: usize = 3;
/// So many are shown if none is confirmed, the nearest ones.
const UNCONFIRMED: usize = 3;
/// Where one comes that was not tried.
const UNTRIED: u8 = 3;

impl Turning {
    /// By suggestion: what came of turning its jump in this run. The suggestions are of a trace with such steps.
    ///
    /// # Errors
    /// The run cannot be replayed.
    pub fn turn_all(
        &self,
        run: &Run,
        config: &Config,
        question: &Question,
        steps: Steps,
    ) -> Result<Vec<Option<Flip>>, PipelineError> {
        let asked = Asked {
            text: match question {
                Question::Output(text) => Some(text),
                _ => None,
            },
            failed: !run.trace().failures().is_empty(),
        };
        // For real first.
        let engines = [Engine::Direct, Engine::Replay];
        let mut sites = self.sites().to_vec();
        run.move_to_recorded(&mut sites, steps, config)?;
        let mut flipping = run.flipping(config, &sites, &engines)?;
        let all = 0..self.len();
        all.map(|no| self.turn(no, &mut flipping, asked)).collect()
    }
}

/// Suggestions in their final order.
pub struct Verified {
    /// The suggestions, each with what came of turning its jump.
    pub ranked: Vec<(Suggestion, Option<Flip>)>,
    /// Why none was tried.
    pub note: Option<String>,
    /// How many of them are left out.
    pub hidden: usize,
}

impl Verified {
    /// None was tried, since nobody wanted it, or for a reason.
    pub fn untried(ranked: Vec<Suggestion>, why: Option<String>) -> Self {
        Self {
            ranked: ranked.into_iter().map(|one| (one, None)).collect(),
            note: why,
            hidden: 0,
        }
    }

    /// Those first for which it is done and the failure goes. Of a failure, those are left out that do not speak for themselves, unless `all` are
    /// wanted.
    pub fn of(found: &Found, ranked: Vec<Suggestion>, flips: Vec<Option<Flip>>, all: bool) -> Self {
        let flips = flips.into_iter().chain(std::iter::repeat(None));
        let mut ranked: Vec<(Suggestion, Option<Flip>)> = ranked.into_iter().zip(flips).collect();
        ranked.sort_by_key(|(_, flip)| flip.as_ref().map_or(UNTRIED, |flip| flip.rank));
        let mut verified = Self {
            ranked,
            note: None,
            hidden: 0,
        };
        if found.of_failure {
            let others = verified.part(found);
            match all {
                true => verified.ranked.extend(others),
                false => verified.hidden = others.len(),
            }
        }
        verified
    }

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
