//! The run of a whole level, which has to fail as recorded before anything is left out.

use super::super::ddmin::Verdict;
use super::super::structure::{Structure, first_that_hides};
use super::{LevelResult, Mode, NotReproduced, Search};
use jinsi_level::verdict::Unresolved;
use jinsi_level::{Engine, Level};

/// Interactions that end by an exception of their own, of which it is tried whether the failure needs them.
const MOST_LEFT_OUT: usize = 4;
/// Of so many interactions, those near to the failure are run first.
const MANY: usize = 1000;
/// So many of each ring, besides what is needed in any case.
const NEAR: [usize; 3] = [0, 30, 300];

/// Lists of interactions that stand for the whole run, in the order in which they are to be tried; `own` are those that no other test did,
/// `sliced` those that may have influenced the failure.
///
/// For real, what other tests did costs time, and may need objects that a test cannot make, as what has nothing to do with the failure may.
/// In a replay each interaction has its place.
pub fn whole_runs(level: &Level, own: Option<Vec<u32>>, sliced: Vec<u32>) -> Vec<Vec<u32>> {
    let all: Vec<u32> = level.interactions.iter().map(|i| i.no).collect();
    let mut lists: Vec<Vec<u32>> = match level.engine {
        Engine::Direct => {
            let own = own.unwrap_or_else(|| all.clone());
            let mut sliced = sliced;
            sliced.sort_unstable();
            sliced.retain(|no| own.binary_search(no).is_ok());
            vec![own, sliced, all]
        }
        Engine::Replay => [Some(all), own].into_iter().flatten().collect(),
    };
    lists.dedup();
    lists
}

/// Lists of interactions of `level` near to the criterion, the shortest first: a server has done thousands of things that have nothing to do with the one
/// request that failed. `likely` are those that are probably needed. None for a replay, in which each interaction has its place.
fn near_runs(level: &Level, criterion: u32, likely: &[u32]) -> Vec<Vec<u32>> {
    if level.engine != Engine::Direct {
        return Vec::new();
    }
    let all: Vec<u32> = level.interactions.iter().map(|i| i.no).collect();
    let structure = Structure::of(level, &all, criterion, likely);
    let numbers = |count| -> Vec<u32> {
        let near = structure.around(count);
        near.into_iter().map(|p| all[p as usize]).collect()
    };
    NEAR.map(numbers).into()
}

/// Is it for want of an object that an interaction needs?
fn is_lack(why: &NotReproduced) -> bool {
    use Unresolved::{ArgumentMissing, ReceiverMissing};
    matches!(
        why,
        NotReproduced::Unresolved {
            why: ReceiverMissing | ArgumentMissing,
            ..
        }
    )
}

/// The interaction of `list` that makes what others of it need where nothing shows it, as a server makes what its threads share; if its class can be taken
/// for a caller.
fn hides(level: &Level, list: &[u32], criterion: u32) -> Option<u32> {
    first_that_hides(level, list).filter(|&no| differ(level, no, criterion))
}

/// Are the two interactions on objects of different classes?
fn differ(level: &Level, no: u32, other: u32) -> bool {
    let class = |no| level.interaction(no).map(|i| &i.target_class);
    class(no) != class(other)
}

impl Search<'_> {
    /// What stands for the whole run of `level` if nothing speaks against it: the first of [`whole_runs`].
    pub(super) fn first_whole_run(&self, level: &Level) -> Vec<u32> {
        let own = self.recording.without_other_tests(level);
        let mut lists = whole_runs(level, own, Vec::new()).into_iter();
        lists.next().unwrap_or_default()
    }

    /// Replays the whole level; gives the criterion of the event slice and what is to be minimized, or why the level is not replayable.
    /// `likely` are interactions that are probably needed.
    pub(super) fn strict_replay(
        &mut self,
        result: &mut LevelResult,
        likely: &[u32],
    ) -> Result<(u32, Vec<u32>), NotReproduced> {
        let Some(criterion) = result.criterion else {
            return Err(NotReproduced::NothingRecorded);
        };
        self.replayer.load(&result.level)?;
        let most = match result.level.engine {
            Engine::Direct => MOST_LEFT_OUT,
            Engine::Replay => 0,
        };
        let level = &result.level;
        let near = near_runs(level, criterion, likely);
        let hides = near.first().and_then(|list| hides(level, list, criterion));
        if level.interactions.len() >= MANY {
            match self.near_run(level, criterion, near, hides) {
                Some(Ok(list)) => return Ok((criterion, list)),
                Some(Err((why, no))) => {
                    result.hindrance = Some(no);
                    return Err(why);
                }
                None => {}
            }
        }
        let own = self.recording.without_other_tests(&result.level);
        let sliced = match result.level.engine {
            Engine::Direct => self.recording.event_slice(&result.level, criterion),
            Engine::Replay => Vec::new(),
        };
        let mut not = None;
        for list in whole_runs(&result.level, own, sliced) {
            match self.whole_run(list, criterion, most) {
                Ok(list) => return Ok((criterion, list)),
                // What hinders the likeliest list is the reason.
                Err(why) => drop(not.get_or_insert(why)),
            }
        }
        let (why, hindrance) = not.unwrap_or((NotReproduced::NothingRecorded, None));
        result.hindrance = hindrance.or(hides.filter(|_| is_lack(&why)));
        Err(why)
    }

    /// Runs the lists `near` to the failure until one fails as recorded, or is hindered by an interaction that would hinder any longer list, too, and whose
    /// class can be taken for a caller. `hides` makes what the first list needs. `None`: neither was so, for what such a list lacks is no reason.
    fn near_run(
        &mut self,
        level: &Level,
        criterion: u32,
        near: Vec<Vec<u32>>,
        hides: Option<u32>,
    ) -> Option<Result<Vec<u32>, (NotReproduced, u32)>> {
        for (which, list) in near.into_iter().enumerate() {
            match (self.whole_run(list, criterion, 0), hides) {
                (Ok(list), _) => return Some(Ok(list)),
                (Err((why, Some(no))), _) if differ(level, no, criterion) => {
                    return Some(Err((why, no)));
                }
                (Err((why, _)), Some(no)) if which == 0 && is_lack(&why) => {
                    return Some(Err((why, no)));
                }
                (Err(_), _) => {}
            }
        }
        None
    }

    /// Runs all of `list`. Up to `most` interactions that end by an exception of their own are left out, and the rest is tried again. Gives what
    /// reproduces the failure; or why nothing does, and the first that ended so.
    fn whole_run(
        &mut self,
        mut list: Vec<u32>,
        criterion: u32,
        most: usize,
    ) -> Result<Vec<u32>, (NotReproduced, Option<u32>)> {
        let mut first = None;
        for _ in 0..=most {
            let run = self.replayer.test(&list, Mode::Strict);
            let why = match run.verdict {
                Verdict::Failing => return Ok(list),
                Verdict::Passing | Verdict::Untested => NotReproduced::Passing,
                Verdict::Unresolved(why) => NotReproduced::Unresolved {
                    why,
                    detail: run.detail,
                },
            };
            let by_itself = run.verdict == Verdict::Unresolved(Unresolved::OtherException);
            let ended_in = run.ended_in.filter(|&no| by_itself && no != criterion);
            first.get_or_insert((why, ended_in));
            match ended_in.and_then(|no| list.binary_search(&no).ok()) {
                Some(at) if self.stop.reason().is_none() => drop(list.remove(at)),
                _ => break,
            }
        }
        Err(first.unwrap_or((NotReproduced::NothingRecorded, None)))
    }
}
