//! From which calls a target is come to, with the object that it is about.
//!
//! If what the target works on is a parameter of its method, only such calls lead there that may hand that object over, and so on back. So a
//! helper that many call with other objects does not make all of its callers suspicious.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use jinsi_steps::code::MethodNo;

use crate::births::Birth;
use crate::code::{Code, Place};
use crate::points::PointsTo;
use crate::uses::Target;
use crate::values::Born;

/// A method that is to be entered, with the object as this parameter, or anyhow.
type State = (MethodNo, Option<u16>);

/// A call that leads to a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The call.
    pub(crate) place: Place,
    /// The methods from that of the call to that of the target.
    pub(crate) chain: Vec<MethodNo>,
}

/// The calls of each method, by callee.
pub(crate) struct Callers<'a, 't> {
    code: &'a Code<'t>,
    points: &'a dyn PointsTo,
    calls: HashMap<MethodNo, Vec<Place>>,
}

/// What leads to one target.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// By method: calls in it, of which no two are the same.
    pub(crate) entries: BTreeMap<MethodNo, Vec<Entry>>,
    /// How far the target is, and the state behind the call on the shortest way there.
    states: BTreeMap<State, (usize, Option<State>)>,
}

impl<'a, 't> Callers<'a, 't> {
    pub(crate) fn of(code: &'a Code<'t>, points: &'a dyn PointsTo) -> Self {
        let mut calls: HashMap<MethodNo, Vec<Place>> = HashMap::new();
        for (method, body) in code.bodies() {
            for at in 0..body.instructions.len() {
                let place = Place { method, at };
                for callee in points.callees(place) {
                    calls.entry(*callee).or_default().push(place);
                }
            }
        }
        Self {
            code,
            points,
            calls,
        }
    }

    /// What the operand of an instruction is in its method: a parameter, or anything else.
    fn parameter(&self, place: Place, operand: usize) -> Option<u16> {
        let value = self.code.operand(place, operand)?.value?;
        match self.code.values(place.method).born.get(value as usize)? {
            Born::Parameter(no) => Some(*no),
            _ => None,
        }
    }

    /// All calls that lead to a target in at most so many calls.
    pub(crate) fn reach(&self, target: &Target, birth: Option<Birth>, most: usize) -> Reach {
        let mut reach = Reach::default();
        let own = birth.and(target.operand);
        let parameter = own.and_then(|operand| self.parameter(target.place, operand));
        let first = (target.place.method, parameter);
        reach.states.insert(first, (0, None));
        let mut pending = VecDeque::from([first]);
        let mut seen: BTreeSet<Place> = BTreeSet::new();
        while let Some(state) = pending.pop_front() {
            let distance = reach.states[&state].0;
            if distance == most {
                continue;
            }
            for &place in self.calls.get(&state.0).into_iter().flatten() {
                let Some(before) = self.before(place, state, birth) else {
                    continue;
                };
                let way = reach.way(state);
                // Who calls itself on the way gets there without that, too.
                if seen.insert(place) && !way.contains(&place.method) {
                    let chain = std::iter::once(place.method).chain(way).collect();
                    let entries = reach.entries.entry(place.method).or_default();
                    entries.push(Entry { place, chain });
                }
                reach.states.entry(before).or_insert_with(|| {
                    pending.push_back(before);
                    (distance + 1, Some(state))
                });
            }
        }
        reach
    }

    /// The state in which a method is if the call in it leads to another state; `None`: it does not, with the object.
    fn before(
        &self,
        place: Place,
        (callee, parameter): State,
        birth: Option<Birth>,
    ) -> Option<State> {
        let (Some(parameter), Some(birth)) = (parameter, birth) else {
            return Some((place.method, None));
        };
        let operand = usize::from(parameter);
        let instruction = self.code.instruction(place)?;
        // The body of a function is given what that was made with, and a call-back what its caller has.
        let target = instruction.target.as_deref();
        let is_named = target.is_some_and(|t| *t.name == *self.code.method(callee).name);
        if !is_named || self.code.operand(place, operand).is_none() {
            return Some((place.method, None));
        }
        if !self.points.may_be(place, operand, birth) {
            return None;
        }
        Some((place.method, self.parameter(place, operand)))
    }

    /// The way to the target from a call that would run this method.
    pub(crate) fn way_by(
        &self,
        reach: &Reach,
        place: Place,
        callee: MethodNo,
        birth: Option<Birth>,
        most: usize,
    ) -> Option<Vec<MethodNo>> {
        let of_callee = reach
            .states
            .range((callee, None)..=(callee, Some(u16::MAX)));
        let there = of_callee.filter(|(state, (distance, _))| {
            *distance < most && self.before(place, **state, birth).is_some()
        });
        let nearest = there.min_by_key(|(_, (distance, _))| *distance);
        let way = reach.way(*nearest?.0);
        (!way.contains(&place.method)).then_some(way)
    }
}

impl Reach {
    /// The methods from a state to the target.
    fn way(&self, state: State) -> Vec<MethodNo> {
        let next = |state: &State| self.states.get(state).and_then(|(_, next)| *next);
        let states = std::iter::successors(Some(state), next);
        states.map(|(method, _)| method).collect()
    }
}
