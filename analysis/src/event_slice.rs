//! Event slicing (Algorithm 2, digest §5.3): the driven interactions that can have influenced one of them, by the objects they share.
//!
//! A possible dependence has no direction, so the slice is the connected component of the criterion in the bipartite graph of
//! interactions and objects: union-find over objects gives it in one pass.

use std::collections::{HashMap, HashSet};

use jinsi_trace::model::{ObjectId, Value};

use crate::level::{Effect, Interaction, Level, Outcome, Outgoing, Role};

/// An object of a possible dependence; classes stand for their static state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Thing<'a> {
    Object(ObjectId),
    Class(&'a str),
}

/// Numbers of the driven interactions that the one numbered `criterion` may depend on, itself included, in order. Empty if there
/// is no such interaction.
///
/// Objects of an interaction: receiver, class of a static member, arguments, returned object. Beyond Algorithm 2, which
/// knows neither contents nor answers: observed objects that the interaction can only find if they were made before, namely
/// those held by its arrays and natural objects, and those that its environment hands it.
pub fn event_slice(level: &Level, criterion: u32) -> Vec<u32> {
    let mut sets = Sets::default();
    let mut roots = Vec::with_capacity(level.interactions.len());
    for interaction in &level.interactions {
        let mut things = things(level, interaction)
            .into_iter()
            .map(|t| sets.number(t));
        let first = things.next();
        if let Some(first) = first {
            let rest: Vec<usize> = things.collect();
            rest.into_iter().for_each(|other| sets.join(first, other));
        }
        roots.push(first);
    }
    let Some(at) = level.interactions.iter().position(|i| i.no == criterion) else {
        return Vec::new();
    };
    let root = roots[at].map(|thing| sets.root(thing));
    level
        .interactions
        .iter()
        .zip(roots)
        .filter(|(i, thing)| {
            i.no == criterion || (root.is_some() && thing.map(|t| sets.root(t)) == root)
        })
        .map(|(i, _)| i.no)
        .collect()
}

/// What an interaction may depend on or influence.
fn things<'a>(level: &Level, interaction: &'a Interaction) -> HashSet<Thing<'a>> {
    let mut found = Found {
        level,
        things: HashSet::new(),
    };
    match interaction.receiver {
        Value::Object(id) => found.add(id),
        _ if interaction.op == crate::level::Operation::Construct => {}
        _ => {
            found.things.insert(Thing::Class(&interaction.target_class));
        }
    }
    for value in interaction
        .args
        .iter()
        .chain(returned(&interaction.outcome))
    {
        if let Value::Object(id) = value {
            found.add(*id);
            found.held(*id);
        }
    }
    found.effects(&interaction.before);
    found.answers(&interaction.outgoing);
    found.things
}

struct Found<'l, 'a> {
    level: &'l Level,
    things: HashSet<Thing<'a>>,
}

impl Found<'_, '_> {
    fn add(&mut self, id: ObjectId) {
        self.things.insert(Thing::Object(id));
    }

    /// Adds what `values` name if it is observed, or holds something that is.
    fn observed<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) {
        for value in values {
            if let Value::Object(id) = value {
                if self
                    .level
                    .objects
                    .get(id)
                    .is_some_and(|o| o.role == Role::Observed)
                {
                    self.add(*id);
                } else {
                    self.held(*id);
                }
            }
        }
    }

    /// Observed objects in the first content of the array or natural object `id`, through nested ones.
    fn held(&mut self, id: ObjectId) {
        let mut seen = HashSet::from([id]);
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            let content = match self.level.objects.get(&id).map(|o| &o.role) {
                Some(Role::Array { initial } | Role::Natural { initial }) => initial.as_ref(),
                Some(Role::Restored { initial }) => {
                    self.add(id);
                    initial.as_ref()
                }
                Some(Role::Observed) => {
                    self.add(id);
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
    }

    fn effects(&mut self, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Content { content, .. } => self.observed(content.values()),
                Effect::Store { value, .. } => self.observed([value]),
                Effect::Natural { args, .. } => self.observed(args),
            }
        }
    }

    fn answers(&mut self, outgoing: &[Outgoing]) {
        for answer in outgoing {
            self.observed(returned(&answer.outcome));
            self.effects(&answer.effects);
            for callback in &answer.callbacks {
                self.observed(callback.args.iter().chain([&callback.receiver]));
                self.effects(&callback.before);
                self.answers(&callback.outgoing);
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
#[derive(Default)]
struct Sets<'a> {
    numbers: HashMap<Thing<'a>, usize>,
    parent: Vec<usize>,
    size: Vec<usize>,
}

impl<'a> Sets<'a> {
    fn number(&mut self, thing: Thing<'a>) -> usize {
        let next = self.parent.len();
        let number = *self.numbers.entry(thing).or_insert(next);
        if number == next {
            self.parent.push(next);
            self.size.push(1);
        }
        number
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            let (small, large) = if self.size[a] < self.size[b] {
                (a, b)
            } else {
                (b, a)
            };
            self.parent[small] = large;
            self.size[large] += self.size[small];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::{ObjectInfo, Operation};
    use jinsi_trace::model::{Content, MemberRef};
    use proptest::prelude::*;

    /// An interaction of class `C`: `receiver` 0 for a static call, arguments, returned object (0 none).
    fn interaction(
        no: u32,
        op: Operation,
        receiver: u64,
        args: &[u64],
        returned: u64,
    ) -> Interaction {
        let object = |id: u64| {
            if id == 0 {
                Value::Null
            } else {
                Value::Object(id)
            }
        };
        Interaction {
            no,
            node: no,
            thread: 0,
            op,
            member: MemberRef {
                owner: "C".into(),
                name: "m".into(),
                desc: "()V".into(),
            },
            target_class: "C".into(),
            receiver: object(receiver),
            args: args.iter().map(|&a| object(a)).collect(),
            outcome: Outcome::Return((returned != 0).then(|| object(returned))),
            before: Vec::new(),
            outgoing: Vec::new(),
        }
    }

    fn level(interactions: Vec<Interaction>) -> Level {
        Level {
            interactions,
            ..Level::default()
        }
    }

    /// Algorithm 2 as printed.
    fn naive(level: &Level, criterion: u32) -> Vec<u32> {
        let of = |i: &Interaction| {
            things(level, i)
                .into_iter()
                .map(|t| format!("{t:?}"))
                .collect::<HashSet<_>>()
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]
        #[test]
        fn equals_algorithm_2(log in logs(), criterion in 0u32..25) {
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
            let level = level(interactions.collect());
            prop_assert_eq!(event_slice(&level, criterion), naive(&level, criterion));
        }
    }
}
