//! Event slicing (Burger 2011, Algorithm 2): the driven interactions that can have influenced one of them, by the objects they share.
//!
//! A possible dependence has no direction, so the slice is the connected component of the criterion in the bipartite graph of
//! interactions and objects: union-find over objects gives it in one pass, with four bytes an interaction and some forty an object.

use std::collections::{BTreeMap, HashSet};

use jinsi_trace::model::{ObjectId, Value};
use rustc_hash::FxHashMap;

use crate::{Effect, Interaction, Level, ObjectInfo, Operation, Outcome, Outgoing, Role};

/// Numbers of the driven interactions that the one numbered `criterion` may depend on, itself included, in order. Empty if there
/// is no such interaction. What stays beside it ([`Level::beside`]) is a criterion, too.
///
/// Objects of an interaction: receiver, class of a static member, arguments, returned object. Beyond Algorithm 2, which
/// knows neither contents nor answers: observed objects that the interaction can only find if they were made before, namely
/// those held by its arrays and natural objects, and those that its environment hands it.
pub fn event_slice(level: &Level, criterion: u32) -> Vec<u32> {
    let mut slicer = Slicer::default();
    let all = level.interactions.iter();
    all.for_each(|i| slicer.add(&level.objects, i));
    if !level.interactions.iter().any(|i| i.no == criterion) {
        return Vec::new();
    }
    let beside = level.beside.iter().filter(|no| **no < criterion);
    let criteria: Vec<u32> = beside.chain([&criterion]).copied().collect();
    slicer.slice(&criteria)
}

/// No object: an interaction that touches nothing.
const NOTHING: u32 = u32::MAX;

/// An event slice under construction: takes the interactions one after another and keeps none of them.
#[derive(Debug, Default)]
pub struct Slicer {
    things: Things,
    sets: Sets,
    /// Number and one object of each interaction.
    interactions: Vec<(u32, u32)>,
}

impl Slicer {
    /// The next interaction. `objects` are those of the level, as far as it names them.
    pub fn add(&mut self, objects: &BTreeMap<ObjectId, ObjectInfo>, interaction: &Interaction) {
        let mut first = NOTHING;
        let sets = &mut self.sets;
        self.things.of(objects, interaction, &mut |thing| {
            sets.grow(thing);
            if first == NOTHING {
                first = thing;
            } else {
                sets.join(first, thing);
            }
        });
        self.interactions.push((interaction.no, first));
    }

    /// The slice of the interactions so far, by several criteria, ascending; see [`event_slice`].
    pub fn slice(&mut self, criteria: &[u32]) -> Vec<u32> {
        let sets = &mut self.sets;
        let is_criterion = |no: &u32| criteria.binary_search(no).is_ok();
        let mut roots = HashSet::new();
        for (no, thing) in &self.interactions {
            if *thing != NOTHING && is_criterion(no) {
                roots.insert(sets.root(*thing));
            }
        }
        let all = self.interactions.iter();
        let in_slice = all.filter(|(no, thing)| {
            is_criterion(no) || *thing != NOTHING && roots.contains(&sets.root(*thing))
        });
        in_slice.map(|(no, _)| *no).collect()
    }
}

/// Numbers the objects of possible dependences, and the classes that stand for their static state, from 0 in the order of their
/// occurrence.
#[derive(Debug, Default)]
pub struct Things {
    numbers: FxHashMap<ObjectId, u32>,
    classes: FxHashMap<String, u32>,
    /// What arrays and natural objects hold of observed objects, through nested ones.
    held: FxHashMap<ObjectId, Box<[u32]>>,
}

impl Things {
    /// Tells `each` what `interaction` may depend on or influence; some things more than once. `objects` are those of its level.
    pub fn of(
        &mut self,
        objects: &BTreeMap<ObjectId, ObjectInfo>,
        interaction: &Interaction,
        each: &mut dyn FnMut(u32),
    ) {
        let mut look = Look {
            things: self,
            objects,
        };
        look.interaction(interaction, each);
    }

    /// The number of object `id`.
    pub fn number(&mut self, id: ObjectId) -> u32 {
        let next = (self.numbers.len() + self.classes.len()) as u32;
        *self.numbers.entry(id).or_insert(next)
    }

    fn class(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.classes.get(name) {
            return known;
        }
        let next = (self.numbers.len() + self.classes.len()) as u32;
        self.classes.insert(name.to_owned(), next);
        next
    }
}

/// A look at what an interaction names.
struct Look<'l> {
    things: &'l mut Things,
    objects: &'l BTreeMap<ObjectId, ObjectInfo>,
}

impl Look<'_> {
    fn interaction(&mut self, interaction: &Interaction, each: &mut dyn FnMut(u32)) {
        match interaction.receiver {
            Value::Object(id) => each(self.things.number(id)),
            _ if interaction.op == Operation::Construct => {}
            _ => each(self.things.class(&interaction.target_class)),
        }
        let returned = returned(&interaction.outcome);
        for value in interaction.args.iter().chain(returned) {
            if let Value::Object(id) = value {
                each(self.things.number(*id));
                self.held(*id, each);
            }
        }
        if let Outcome::Throw(id) = interaction.outcome {
            // Whoever caught it may have looked at it.
            each(self.things.number(id));
        }
        self.effects(&interaction.before, each);
        self.answers(&interaction.outgoing, each);
    }

    /// Tells what `values` name if it is observed, or holds something that is.
    fn observed<'v>(
        &mut self,
        values: impl IntoIterator<Item = &'v Value>,
        each: &mut dyn FnMut(u32),
    ) {
        for value in values {
            if let Value::Object(id) = value {
                match self.objects.get(id).map(|o| &o.role) {
                    Some(Role::Observed | Role::Given) => each(self.things.number(*id)),
                    Some(
                        Role::Array { .. }
                        | Role::Natural { .. }
                        | Role::Restored { .. }
                        | Role::Function { .. },
                    ) => {
                        self.held(*id, each);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Observed objects in the first content of the array or natural object `id`, through nested ones.
    fn held(&mut self, id: ObjectId, each: &mut dyn FnMut(u32)) {
        if let Some(known) = self.things.held.get(&id) {
            known.iter().for_each(|&thing| each(thing));
            return;
        }
        let holds = match self.objects.get(&id).map(|o| &o.role) {
            Some(
                Role::Array { initial }
                | Role::Natural { initial }
                | Role::Function { initial, .. },
            ) => initial.as_ref().is_some_and(|c| !c.values().is_empty()),
            Some(Role::Restored { .. } | Role::Observed | Role::Given) => true,
            _ => false,
        };
        if !holds {
            return;
        }
        let found = self.search(id);
        found.iter().for_each(|&thing| each(thing));
        self.things.held.insert(id, found.into());
    }

    fn search(&mut self, id: ObjectId) -> Vec<u32> {
        let mut found = Vec::new();
        let mut seen = HashSet::from([id]);
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let content = match self.objects.get(&id).map(|o| &o.role) {
                Some(
                    Role::Array { initial }
                    | Role::Natural { initial }
                    | Role::Function { initial, .. },
                ) => initial.as_ref(),
                Some(Role::Restored { initial }) => {
                    found.push(self.things.number(id));
                    initial.as_ref()
                }
                Some(Role::Observed | Role::Given) => {
                    found.push(self.things.number(id));
                    None
                }
                _ => None,
            };
            for value in content.map_or(&[][..], |c| c.values()) {
                if let Value::Object(inner) = value
                    && seen.insert(*inner)
                {
                    work.push(*inner);
                }
            }
        }
        found
    }

    fn effects(&mut self, effects: &[Effect], each: &mut dyn FnMut(u32)) {
        for effect in effects {
            match effect {
                Effect::Content { content, .. } => self.observed(content.values(), each),
                Effect::Store { value, .. } => self.observed([value], each),
                Effect::Natural { args, .. } => self.observed(args, each),
            }
        }
    }

    fn answers(&mut self, outgoing: &[Outgoing], each: &mut dyn FnMut(u32)) {
        for answer in outgoing {
            self.observed(returned(&answer.outcome), each);
            self.effects(&answer.effects, each);
            for callback in &answer.callbacks {
                self.observed(callback.args.iter().chain([&callback.receiver]), each);
                self.effects(&callback.before, each);
                self.answers(&callback.outgoing, each);
            }
        }
    }
}

fn returned(outcome: &Outcome) -> Option<&Value> {
    match outcome {
        Outcome::Return(value) => value.as_ref(),
        _ => None,
    }
}

/// Disjoint sets of numbered things, with path halving and union by size.
#[derive(Debug, Default)]
struct Sets {
    parent: Vec<u32>,
    size: Vec<u32>,
}

impl Sets {
    /// Makes room for `thing`, on its own so far.
    fn grow(&mut self, thing: u32) {
        let from = self.parent.len() as u32;
        self.parent.extend(from..=thing);
        self.size.resize(self.parent.len(), 1);
    }

    fn root(&mut self, at: u32) -> u32 {
        let parent = &mut self.parent;
        let mut at = at as usize;
        while parent[at] as usize != at {
            parent[at] = parent[parent[at] as usize];
            at = parent[at] as usize;
        }
        at as u32
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            let smaller = self.size[a as usize] < self.size[b as usize];
            let (small, large) = if smaller { (a, b) } else { (b, a) };
            self.parent[small as usize] = large;
            self.size[large as usize] += self.size[small as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::interaction;
    use crate::{ObjectInfo, Operation};
    use jinsi_trace::model::Content;
    use proptest::prelude::*;

    fn level(interactions: Vec<Interaction>) -> Level {
        Level {
            interactions,
            ..Level::default()
        }
    }

    /// Algorithm 2 as printed, over objects read off afresh each time.
    fn naive(level: &Level, criterion: u32) -> Vec<u32> {
        let of = |i: &Interaction| {
            let receiver = match i.receiver {
                Value::Object(_) => Some(format!("{:?}", i.receiver)),
                _ if i.op == Operation::Construct => None,
                _ => Some(i.target_class.clone()),
            };
            let mut found: HashSet<String> = receiver.into_iter().collect();
            let named = i.args.iter().chain(returned(&i.outcome));
            let mut work: Vec<&Value> = named.collect();
            found.extend(work.iter().map(|v| format!("{v:?}")));
            let mut seen = HashSet::new();
            while let Some(value) = work.pop() {
                let Value::Object(id) = value else { continue };
                match level.objects.get(id).map(|o| &o.role) {
                    Some(Role::Observed) => {
                        found.insert(format!("{value:?}"));
                    }
                    Some(Role::Array { initial: Some(c) } | Role::Natural { initial: Some(c) })
                        if seen.insert(id) =>
                    {
                        work.extend(c.values());
                    }
                    _ => {}
                }
            }
            found.remove("Null");
            found
        };
        let Some(start) = level.interactions.iter().find(|i| i.no == criterion) else {
            return Vec::new();
        };
        let mut slice = HashSet::from([criterion]);
        let mut depends = of(start);
        loop {
            let size = slice.len();
            for event in level.interactions.iter().rev() {
                let objects = of(event);
                if !objects.is_disjoint(&depends) {
                    slice.insert(event.no);
                    depends.extend(objects);
                }
            }
            if slice.len() == size {
                let mut slice: Vec<u32> = slice.into_iter().collect();
                slice.sort_unstable();
                return slice;
            }
        }
    }

    #[test]
    fn figure_4_9() {
        use Operation::{Call, Construct};
        let (x, r, c) = (1, 2, 3);
        let level = level(vec![
            interaction(1, Construct, 0, &[], x),
            interaction(2, Call, x, &[], 0),
            interaction(3, Construct, 0, &[], r),
            interaction(4, Call, r, &[], 0),
            interaction(5, Construct, 0, &[], c),
            interaction(6, Call, r, &[c], 0),
            interaction(7, Call, c, &[], 0),
            interaction(8, Call, r, &[], 0),
        ]);
        assert_eq!(event_slice(&level, 8), [3, 4, 5, 6, 7, 8]);
        assert_eq!(event_slice(&level, 1), [1, 2]);
        assert_eq!(event_slice(&level, 9), [0u32; 0]);
    }

    #[test]
    fn what_stays_beside_the_criterion_is_one_too() {
        let mut level = level(vec![
            interaction(0, Operation::Construct, 0, &[], 1),
            interaction(1, Operation::Construct, 0, &[], 2),
            interaction(2, Operation::Call, 1, &[], 0),
            interaction(3, Operation::Call, 2, &[], 0),
        ]);
        assert_eq!(event_slice(&level, 3), [1, 3]);
        level.beside = vec![2];
        assert_eq!(event_slice(&level, 3), [0, 1, 2, 3]);
        // What comes behind has no part in it.
        assert_eq!(event_slice(&level, 1), [1, 3]);
        assert_eq!(event_slice(&level, 4), [0u32; 0]);
    }

    #[test]
    fn static_state_is_shared_through_its_class() {
        let mut level = level(vec![
            interaction(0, Operation::CallStatic, 0, &[], 0),
            interaction(1, Operation::CallStatic, 0, &[], 0),
            interaction(2, Operation::CallStatic, 0, &[], 0),
        ]);
        level.interactions[1].target_class = "D".into();
        assert_eq!(event_slice(&level, 2), [0, 2]);
    }

    #[test]
    fn observed_objects_in_contents_count() {
        let mut level = level(vec![
            interaction(0, Operation::Construct, 0, &[], 1),
            interaction(1, Operation::Construct, 0, &[], 2),
            interaction(2, Operation::CallStatic, 0, &[9], 0),
        ]);
        let info = |id, role| {
            (
                id,
                ObjectInfo {
                    id,
                    class: "C".into(),
                    length: None,
                    role,
                },
            )
        };
        let initial = Some(Content::Elements(vec![Value::Object(2)]));
        level.objects = [
            info(1, Role::Observed),
            info(2, Role::Observed),
            info(9, Role::Natural { initial }),
        ]
        .into();
        assert_eq!(event_slice(&level, 2), [1, 2]);
    }

    fn logs() -> impl Strategy<Value = Vec<(u8, u64, Vec<u64>, u64)>> {
        proptest::collection::vec(
            (
                0u8..3,
                1u64..14,
                proptest::collection::vec(0u64..14, 0..3),
                0u64..14,
            ),
            1..25,
        )
    }

    /// What each object holds; observed if nothing.
    fn containers() -> impl Strategy<Value = Vec<Vec<u64>>> {
        proptest::collection::vec(proptest::collection::vec(1u64..14, 0..3), 13)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]
        #[test]
        fn equals_algorithm_2(log in logs(), containers in containers(), criterion in 0u32..25) {
            let interactions = log.iter().enumerate().map(|(no, (kind, receiver, args, returned))| {
                let no = no as u32;
                match kind {
                    0 => interaction(no, Operation::Construct, 0, args, *returned),
                    1 => interaction(no, Operation::Call, *receiver, args, *returned),
                    _ => {
                        let mut i = interaction(no, Operation::CallStatic, 0, args, *returned);
                        i.target_class = format!("C{receiver}");
                        i
                    }
                }
            });
            let mut level = level(interactions.collect());
            level.objects = containers.iter().enumerate().map(|(n, held)| {
                let id = 1 + n as u64;
                let values = held.iter().map(|&h| Value::Object(h)).collect();
                let role = match held.len() {
                    0 => Role::Observed,
                    1 => Role::Array { initial: Some(Content::Array(values)) },
                    _ => Role::Natural { initial: Some(Content::Elements(values)) },
                };
                (id, ObjectInfo { id, class: "C".into(), length: None, role })
            }).collect();
            prop_assert_eq!(event_slice(&level, criterion), naive(&level, criterion));
        }
    }
}
