//! Whether turned decisions are possible: a solver is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use jinsi_classfile::cfg::{BlockNo, Ending};
use jinsi_steps::code::{Body, MethodNo, Program};
use jinsi_trace::reader::Trace;
use serde::Serialize;

use super::LookError;
use super::gathered::Gathered;
use crate::coverage::ways;
use crate::place::Place;
use crate::rank::{Clue, Kind};
use crate::reason::{Reason, Remark};
use crate::solver::{May, Solver};

/// What a solver is asked at most.
const MOST_ASKED: usize = 500;

/// What a solver said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// Ways that it was asked about.
    pub ways: usize,
    /// Of these, those that no state of the program goes.
    pub impossible: usize,
    /// Those of which it has not said, or that nobody understood.
    pub unknown: usize,
    /// Lines whose decision cannot have been another.
    pub lines: usize,
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Remark::Solver {
            ways: self.ways,
            impossible: self.impossible,
            unknown: self.unknown,
            lines: self.lines,
        }
        .fmt(f)
    }
}

/// The blocks up to a decision, and the one that it did not lead to.
type Turned = (MethodNo, Vec<BlockNo>);

impl Gathered<'_> {
    /// Of decisions that were turned, those say nothing which no state of the program turns: all the ways that the run came there by lead on as they did.
    pub(super) fn ask(
        &mut self,
        mut solver: Solver,
        trace: &Trace,
        program: &Program,
    ) -> Result<Asked, LookError> {
        let is_turned = |kind| matches!(kind, Kind::Flip | Kind::Nearest | Kind::Avoid);
        let turned = self.clues.iter().filter(|clue| is_turned(clue.kind));
        let places: BTreeSet<Place> = turned.map(|clue| clue.place.clone()).collect();
        let mut asked = Asked::default();
        let mut possible: BTreeMap<Place, bool> = BTreeMap::new();
        for (place, (method, way)) in
            turned_ways(program, &ways(trace, program, self.failing)?, &places)
        {
            let known = possible.entry(place).or_default();
            let Some(body) = program.get(method).body.as_ref().filter(|_| !*known) else {
                continue;
            };
            if way.is_empty() || asked.ways == MOST_ASKED {
                *known = true;
                continue;
            }
            asked.ways += 1;
            let may = solver.may_go(body, &way);
            asked.impossible += usize::from(may == May::Not);
            asked.unknown += usize::from(may == May::Unknown);
            *known = may != May::Not;
        }
        let cannot_be = |place: &Place| possible.get(place) == Some(&false);
        asked.lines = places.iter().filter(|place| cannot_be(place)).count();
        for clue in &mut self.clues {
            if is_turned(clue.kind) && cannot_be(&clue.place) {
                clue.kind = Kind::Refuted;
                clue.why = Reason::Impossible.to_string();
            }
        }
        let because_of = |are_possible: bool| -> BTreeSet<Place> {
            let of = places.iter().filter(|at| cannot_be(at) != are_possible);
            of.flat_map(|place| because(program, place)).collect()
        };
        let (refuted, rest) = (because_of(false), because_of(true));
        let is_only_of_refuted = |at: &Place| refuted.contains(at) && !rest.contains(at);
        let is_kept = |clue: &Clue| clue.kind != Kind::Because || !is_only_of_refuted(&clue.place);
        self.clues.retain(is_kept);
        Ok(asked)
    }
}

/// The lines of what the decisions of a line decide about.
fn because(program: &Program, decision: &Place) -> BTreeSet<Place> {
    let methods = program.methods().iter();
    let methods = methods.filter(|of| of.owner.replace('/', ".") == decision.class);
    let bodies = methods.filter_map(|method| method.body.as_ref());
    let lines = bodies.flat_map(|body| {
        let line_of = |no: BlockNo| body.instructions[body.cfg.block(no).last].line;
        let blocks = (0..).zip(body.cfg.blocks());
        let because = blocks.filter(move |(no, _)| {
            let mut on = body.control.controllers(*no).iter();
            on.any(|branch| line_of(*branch) == decision.line)
        });
        because.flat_map(|(_, block)| &body.instructions[block.first..=block.last])
    });
    let places = lines.map(|instruction| Place {
        line: instruction.line,
        ..decision.clone()
    });
    places.collect()
}

/// By place: up to its decisions as the run came there, and then the other way; an empty way where it is not known which that is.
fn turned_ways(
    program: &Program,
    ways: &[(MethodNo, Vec<BlockNo>)],
    places: &BTreeSet<Place>,
) -> BTreeSet<(Place, Turned)> {
    let mut all = BTreeSet::new();
    for (method, way) in ways {
        let of = program.get(*method);
        let Some(body) = &of.body else {
            continue;
        };
        let class = of.owner.replace('/', ".");
        if !places.iter().any(|place| place.class == class) {
            continue;
        }
        for at in 0..way.len() {
            let block = body.cfg.block(way[at]);
            let place = Place {
                class: class.clone(),
                line: body.instructions[block.last].line,
            };
            if block.successors.len() > 1 && places.contains(&place) {
                let turned = other_way(body, way, at).unwrap_or_default();
                all.insert((place, (*method, turned)));
            }
        }
    }
    all
}

fn other_way(body: &Body, way: &[BlockNo], at: usize) -> Option<Vec<BlockNo>> {
    let block = body.cfg.block(way[at]);
    let went = way.get(at + 1)?;
    let other = block.successors.iter().find(|next| *next != went)?;
    let is_known = block.ending == Ending::Branch && block.successors.contains(went);
    is_known.then(|| [&way[..=at], &[*other]].concat())
}
