//! From which calls a target is come to, with the object that it is about.
//!
//! If what the target works on is a parameter of its method, only such calls lead there that may hand that object over, and so on back. So a
//! helper that many call with other objects does not make all of its callers suspicious.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use jinsi_classfile::effect::Access;
use jinsi_classfile::opcode;
use jinsi_steps::code::{FieldNo, MethodNo};

use crate::births::Birth;
use crate::code::Code;
use crate::place::Place;
use crate::points::PointsTo;
use crate::uses::Target;
use crate::values::Born;

/// Where a method has the object from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// A parameter, the receiver first.
    pub parameter: u16,
    /// It is in this field of that; `None`: it is that.
    pub field: Option<FieldNo>,
}

/// A method that is to be entered, with the object from there, or anyhow.
type State = (MethodNo, Option<Source>);

/// A call that leads to a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The call.
    pub(crate) place: Place,
    /// Where its method has the object from that is handed over.
    pub(crate) source: Option<Source>,
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

    /// Where the operand of an instruction comes from; `None`: from elsewhere than a parameter, or it differs.
    pub(crate) fn source(&self, place: Place, operand: usize) -> Option<Source> {
        let value = self.code.operand(place, operand)?.value?;
        match *self.code.values(place.method).born.get(value as usize)? {
            Born::Parameter(parameter) => Some(Source {
                parameter,
                field: None,
            }),
            Born::Instruction(at) => {
                let at = at as usize;
                let made = Place { at, ..place };
                let instruction = self.code.instruction(made)?;
                if instruction.opcode == opcode::CHECKCAST {
                    return self.source(made, 0);
                }
                let Access::GetField(_) = instruction.effect.access else {
                    return None;
                };
                let owner = self.source(made, 0)?;
                let field = instruction.field.filter(|_| owner.field.is_none());
                field.map(|field| Source {
                    field: Some(field),
                    ..owner
                })
            }
            Born::Handler | Born::Meeting => None,
        }
    }

    /// All calls that lead to a target in at most so many calls.
    pub(crate) fn reach(&self, target: &Target, birth: Option<Birth>, most: usize) -> Reach {
        let mut reach = Reach::default();
        let own = birth.and(target.operand);
        let source = own.and_then(|operand| self.source(target.place, operand));
        let first = (target.place.method, source);
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
                    let source = before.1;
                    entries.push(Entry {
                        place,
                        source,
                        chain,
                    });
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
    fn before(&self, place: Place, (callee, source): State, birth: Option<Birth>) -> Option<State> {
        let (Some(source), Some(birth)) = (source, birth) else {
            return Some((place.method, None));
        };
        let operand = usize::from(source.parameter);
        let instruction = self.code.instruction(place)?;
        // The body of a function is given what that was made with, and a call-back what its caller has.
        let target = instruction.target.as_deref();
        let is_named = target.is_some_and(|t| *t.name == *self.code.method(callee).name);
        if !is_named || self.code.operand(place, operand).is_none() {
            return Some((place.method, None));
        }
        let here = self.source(place, operand);
        if source.field.is_some() {
            // Of a field of a field nothing is said.
            let here = here.filter(|here| here.field.is_none());
            let field = source.field;
            return Some((place.method, here.map(|here| Source { field, ..here })));
        }
        if !self.points.may_be(place, operand, birth) {
            return None;
        }
        Some((place.method, here))
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
        let from = reach.states.range((callee, None)..);
        let of_callee = from.take_while(|((method, _), _)| *method == callee);
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
