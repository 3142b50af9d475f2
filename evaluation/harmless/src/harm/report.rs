//! What came out, for programs and for people.

use std::collections::BTreeMap;

use serde::Serialize;

use jinsi_ground::report::{Findings, outline};

use super::canaries::{Canary, Way, name};
use super::programs::{Task, Walls};

/// What came out. The keys of the JSON document are the names of the fields; they stay as they are.
#[derive(Debug, Default, Serialize)]
pub(super) struct HarmReport {
    /// No effect where a wall stands, and effects where none does.
    pub(super) holds: bool,
    /// Version of the JVM.
    pub(super) java: String,
    /// Does `jinsi` have a second wall? Without one nothing is run with the first one off.
    pub(super) second_wall: bool,
    /// Programs that were recorded.
    pub(super) programs: usize,
    /// Commands that were run on the recordings.
    pub(super) runs: usize,
    pub(super) effects: Effects,
    /// Each effect.
    pub(super) details: Vec<Detail>,
    /// Commands that say that they cannot do it: mostly a replay that was not let do something, and diverged.
    pub(super) refused: usize,
    /// Of these, by walls.
    pub(super) refused_by_walls: BTreeMap<&'static str, usize>,
    /// Commands on endless loops that were stopped before the time that they allow themselves.
    pub(super) stopped: usize,
    /// Programs that show no effect though neither wall stands, and though they have to: the check is blind there. `CANARY/WAY`.
    pub(super) blind: Vec<String>,
    /// The same, of ways that need not show any: what replay makes of them does not get as far. The second wall is not tried by these.
    pub(super) unseen: Vec<String>,
    /// Programs whose recordings do not even replay while both walls stand, though they have to: then walls say nothing.
    pub(super) broken: Vec<String>,
    /// Programs that could not be recorded, and why.
    pub(super) not_recorded: Vec<String>,
    /// The most that any command took where a wall stands.
    pub(super) most: Most,
    /// Wall time of everything.
    pub(super) seconds: f64,
}

/// Number of effects.
#[derive(Debug, Default, Serialize)]
pub(super) struct Effects {
    pub(super) first_off_second_on: usize,
    pub(super) first_on_second_off: usize,
    pub(super) both_off: usize,
    pub(super) both_on: usize,
}

/// Memory, threads and bytes on the disk.
#[derive(Debug, Default, Serialize)]
pub(super) struct Most {
    pub(super) memory_mib: u64,
    pub(super) threads: u64,
    pub(super) disk_mib: u64,
}

/// One effect.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Detail {
    pub(super) canary: Canary,
    pub(super) way: Way,
    pub(super) command: Task,
    pub(super) walls: Walls,
    pub(super) effect: String,
}

/// What was seen of one command.
#[derive(Debug)]
pub(super) struct SeenRun {
    pub(super) task: Task,
    pub(super) walls: Walls,
    pub(super) effects: Vec<String>,
    pub(super) worked: bool,
    pub(super) stopped: bool,
    pub(super) memory: u64,
    pub(super) threads: u64,
    pub(super) disk: u64,
}

impl Walls {
    /// As the report calls it.
    fn words(self) -> &'static str {
        match self {
            Walls::Both => "both_on",
            Walls::First => "first_on_second_off",
            Walls::Second => "first_off_second_on",
            Walls::None => "both_off",
        }
    }
}

impl HarmReport {
    /// Adds what became of a program.
    pub(super) fn add(&mut self, (canary, way): (Canary, Way), runs: Vec<SeenRun>) {
        self.programs += 1;
        let named = format!("{}/{}", name(canary), name(way));
        let off: Vec<&SeenRun> = runs.iter().filter(|r| r.walls == Walls::None).collect();
        if !off.is_empty() && off.iter().all(|r| r.effects.is_empty()) {
            match way {
                Way::Direct => self.blind.push(named.clone()),
                _ => self.unseen.push(named.clone()),
            }
        }
        let both = runs.iter().filter(|r| r.walls == Walls::Both);
        if way == Way::Direct && both.clone().any(|r| !r.worked) {
            self.broken.push(named);
        }
        for run in runs {
            self.runs += 1;
            self.stopped += usize::from(run.stopped);
            if !run.worked {
                self.refused += 1;
                *self.refused_by_walls.entry(run.walls.words()).or_default() += 1;
            }
            if run.walls != Walls::None {
                let most = &mut self.most;
                most.memory_mib = most.memory_mib.max(run.memory >> 20);
                most.threads = most.threads.max(run.threads);
                most.disk_mib = most.disk_mib.max(run.disk >> 20);
            }
            *match run.walls {
                Walls::Both => &mut self.effects.both_on,
                Walls::First => &mut self.effects.first_on_second_off,
                Walls::Second => &mut self.effects.first_off_second_on,
                Walls::None => &mut self.effects.both_off,
            } += run.effects.len();
            self.details
                .extend(run.effects.into_iter().map(|effect| Detail {
                    canary,
                    way,
                    command: run.task,
                    walls: run.walls,
                    effect,
                }));
        }
    }

    /// Judges; `none_tried`: were commands run with neither wall?
    pub(super) fn judge(&mut self, none_tried: bool) {
        self.holds = self.second_wall
            && self.runs > 0
            && self.effects.first_off_second_on == 0
            && self.effects.first_on_second_off == 0
            && (!none_tried || self.effects.both_off > 0)
            && self.effects.both_on == 0
            && self.blind.is_empty()
            && self.broken.is_empty()
            && self.not_recorded.is_empty();
        self.details
            .sort_by_key(|d| (d.walls, d.canary, d.way, d.command));
        self.broken.sort();
        self.blind.sort();
        self.unseen.sort();
    }
}

impl Findings for HarmReport {
    fn holds(&self) -> bool {
        self.holds
    }

    /// Of the effects those that should not be.
    fn text(&self) -> String {
        let details = self.details.iter();
        let wrong: Vec<&Detail> = details.filter(|d| d.walls != Walls::None).collect();
        outline(self, &["details"]) + &outline(&wrong, &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(walls: Walls, effects: &[&str]) -> SeenRun {
        SeenRun {
            task: Task::Replay,
            walls,
            effects: effects.iter().map(|e| (*e).to_owned()).collect(),
            worked: true,
            stopped: false,
            memory: 1 << 20,
            threads: 3,
            disk: 0,
        }
    }

    fn report(runs: Vec<SeenRun>) -> HarmReport {
        let mut report = HarmReport {
            second_wall: true,
            ..HarmReport::default()
        };
        report.add((Canary::Delete, Way::Direct), runs);
        report.judge(true);
        report
    }

    #[test]
    fn walls_hold_if_there_are_effects_without_them_only() {
        let none = || run(Walls::None, &["deleted is gone"]);
        let well = vec![run(Walls::First, &[]), run(Walls::Second, &[]), none()];
        assert!(report(well).holds);
        assert!(!report(vec![run(Walls::First, &["deleted is gone"]), none()]).holds);
        assert!(!report(vec![run(Walls::Second, &["deleted is gone"]), none()]).holds);
    }

    #[test]
    fn a_check_that_sees_nothing_does_not_hold() {
        let report = report(vec![run(Walls::First, &[]), run(Walls::None, &[])]);
        assert_eq!(report.blind, ["delete/direct"]);
        assert!(!report.holds);
    }

    #[test]
    fn what_never_works_does_not_hold() {
        let mut both = run(Walls::Both, &[]);
        both.worked = false;
        let report = report(vec![both, run(Walls::None, &["deleted is gone"])]);
        assert_eq!(report.broken, ["delete/direct"]);
        assert!(!report.holds);
    }

    #[test]
    fn without_a_second_wall_nothing_holds() {
        let mut report = report(vec![run(Walls::None, &["deleted is gone"])]);
        assert!(report.holds);
        report.second_wall = false;
        report.judge(true);
        assert!(!report.holds);
    }
}
