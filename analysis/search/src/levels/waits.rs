//! What a call handed over is waited for, even if the failure does not need that: else it is chance whether it runs before what fails.

use std::collections::HashSet;

use jinsi_level::{Engine, Interaction, Level, Outcome, later};
use jinsi_trace::model::{ObjectId, Value};

use super::super::ddmin::{Removal, Verdict};
use super::{LevelResult, Mode, Progress, Search};

/// `kept`, and of `among` what waits for the objects that calls in `kept` gave. All lists ascend.
pub(super) fn with_waits(level: &Level, kept: &[u32], among: &[u32]) -> Vec<u32> {
    let interactions = |list: &[u32]| -> Vec<&Interaction> {
        let found = list.iter().filter_map(|&no| level.interaction(no));
        found.collect()
    };
    let given: HashSet<ObjectId> = (interactions(kept).into_iter())
        .filter_map(|i| match i.outcome {
            Outcome::Return(Some(Value::Object(id))) => Some(id),
            _ => None,
        })
        .collect();
    let last = kept.last().copied().unwrap_or_default();
    let waits = interactions(among).into_iter().filter(|i| {
        let waits = later::waits(i);
        i.no < last && waits.is_some_and(|waits| given.contains(&waits.object))
    });
    let mut all: Vec<u32> = waits.map(|i| i.no).chain(kept.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What the removals of `kept` give, if `removals` are those of some of them: without each other one it failed, too.
pub(super) fn removals_of(kept: &[u32], removals: &[Removal]) -> Vec<Removal> {
    let of = |&left_out: &u32| {
        let known = removals.iter().find(|r| r.left_out == left_out);
        let verdict = known.map_or(Verdict::Failing, |r| r.verdict);
        Removal { left_out, verdict }
    };
    kept.iter().map(of).collect()
}

impl Search<'_> {
    /// Puts back what waits for the objects that the kept calls gave, if that fails as well. The level is loaded.
    pub(super) fn wait_for_given(&mut self, result: &mut LevelResult, progress: &mut dyn Progress) {
        if result.level.engine != Engine::Direct || self.stop.reason().is_some() {
            return;
        }
        let all: Vec<u32> = result.level.interactions.iter().map(|i| i.no).collect();
        let list = with_waits(&result.level, &result.kept, &all);
        if list.len() == result.kept.len() {
            return;
        }
        let run = self.replayer.test(&list, Mode::Resynchronizing);
        progress.tested(list.len(), &run.verdict);
        result.tally.count(run.verdict);
        if run.verdict == Verdict::Failing {
            result.removals = removals_of(&list, &result.removals);
            result.kept = list;
            result.used_answers = run.used_answers;
        }
    }
}

#[cfg(test)]
mod tests {
    use jinsi_level::Operation;
    use jinsi_level::testing::interaction;
    use jinsi_trace::model::MemberRef;

    use super::*;

    #[test]
    fn what_a_kept_call_gave_is_waited_for() {
        let waits = |no, on| Interaction {
            member: MemberRef {
                owner: "reactor/core/publisher/Mono".into(),
                name: "block".into(),
                desc: "()Ljava/lang/Object;".into(),
            },
            ..interaction(no, Operation::Call, on, &[], 0)
        };
        let level = Level {
            interactions: vec![
                interaction(0, Operation::Call, 1, &[], 2),
                waits(1, 2),
                interaction(2, Operation::Call, 1, &[], 3),
                waits(3, 3),
                interaction(4, Operation::Call, 1, &[], 4),
                waits(5, 4),
                waits(6, 4),
            ],
            ..Level::default()
        };
        let all = [0, 1, 2, 3, 4, 5, 6];
        assert_eq!(with_waits(&level, &[0, 4, 5], &all), [0, 1, 4, 5]);
        assert_eq!(with_waits(&level, &[0, 4, 5], &[0, 4, 5]), [0, 4, 5]);
        assert_eq!(with_waits(&level, &[], &all), [] as [u32; 0]);
        let passing = Removal {
            left_out: 4,
            verdict: Verdict::Passing,
        };
        let both = removals_of(&[1, 4], std::slice::from_ref(&passing));
        assert_eq!(both[0].verdict, Verdict::Failing);
        assert_eq!(both[1], passing);
    }
}
