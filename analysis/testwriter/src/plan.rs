//! What a test has to say, before any source is written: the steps in order, the objects they need, and how often.

use std::collections::{BTreeSet, HashMap, HashSet};

use jinsi_trace::model::{Content, MemberRef, ObjectId, Value};

use super::access::taken;
use super::java::JavaType;
use jinsi_level::{Effect, Interaction, Level, Operation, Role};

/// One thing a test does.
#[derive(Clone, Copy, Debug)]
pub(super) enum PlannedStep<'a> {
    /// A kept interaction.
    Interact(&'a Interaction),
    /// A change from outside to an array or natural object that a kept interaction sees.
    Change(&'a Effect),
}

/// Steps and objects of a test.
pub(super) struct Plan<'a> {
    /// In recorded order. Changes stand before their interaction, those of left-out interactions included.
    pub(super) steps: Vec<PlannedStep<'a>>,
    uses: HashMap<ObjectId, Use<'a>>,
}

/// How the steps use one object.
#[derive(Debug, Default)]
pub(super) struct Use<'a> {
    /// Times it is mentioned.
    pub(super) count: usize,
    /// Index of the step that mentions it last.
    pub(super) last: usize,
    /// Parameter types it is passed as.
    pub(super) passed_as: BTreeSet<JavaType>,
    /// Members accessed on it.
    pub(super) members: Vec<&'a MemberRef>,
}

impl<'a> Plan<'a> {
    /// The plan for `kept` (numbers of driven interactions, ascending).
    pub(super) fn new(level: &'a Level, kept: &[u32]) -> Self {
        let keep: HashSet<u32> = kept.iter().copied().collect();
        let last = kept
            .last()
            .map_or(0, |&no| no as usize + 1)
            .min(level.interactions.len());
        let recorded = &level.interactions[..last];
        let needed = needed(level, recorded, &keep);
        let mut steps = Vec::new();
        for interaction in recorded {
            let changes = interaction
                .before
                .iter()
                .filter(|e| targets(level, e).any(|id| needed.contains(&id)));
            steps.extend(changes.map(PlannedStep::Change));
            if keep.contains(&interaction.no) {
                steps.push(PlannedStep::Interact(interaction));
            }
        }
        let mut plan = Self {
            steps,
            uses: HashMap::new(),
        };
        plan.count(level);
        plan
    }

    /// How the object is used, if at all.
    pub(super) fn usage(&self, id: ObjectId) -> Option<&Use<'a>> {
        self.uses.get(&id)
    }

    /// Is the object mentioned after step `step`?
    pub(super) fn needed_after(&self, id: ObjectId, step: usize) -> bool {
        self.uses.get(&id).is_some_and(|u| u.last > step)
    }

    /// Mocks among the objects, ascending.
    pub(super) fn mocks(&self, level: &Level) -> BTreeSet<ObjectId> {
        let is_mock = |id: &ObjectId| {
            level
                .objects
                .get(id)
                .is_some_and(|o| matches!(o.role, Role::Mock | Role::Hidden))
        };
        self.uses.keys().copied().filter(is_mock).collect()
    }

    fn count(&mut self, level: &Level) {
        for at in 0..self.steps.len() {
            match self.steps[at] {
                PlannedStep::Interact(i) => {
                    self.access(level, at, i.op, &i.member, &i.receiver, &i.args)
                }
                PlannedStep::Change(Effect::Natural {
                    op,
                    member,
                    receiver,
                    args,
                    ..
                }) => {
                    self.access(level, at, *op, member, receiver, args);
                }
                // Until its first mention the object is written with the changed content; later it takes a statement.
                PlannedStep::Change(Effect::Content { id, content }) => {
                    if self.uses.contains_key(id) {
                        self.mention(level, at, *id);
                        content_ids(content).for_each(|c| self.hold(level, at, *id, c));
                    }
                }
                PlannedStep::Change(Effect::Store { array, value, .. }) => {
                    if self.uses.contains_key(array) {
                        self.mention(level, at, *array);
                        object(value)
                            .into_iter()
                            .for_each(|v| self.hold(level, at, *array, v));
                    }
                }
            }
        }
    }

    fn access(
        &mut self,
        level: &Level,
        at: usize,
        op: Operation,
        member: &'a MemberRef,
        receiver: &Value,
        args: &[Value],
    ) {
        if let Some(id) = object(receiver).filter(|_| op != Operation::Construct) {
            self.mention(level, at, id);
            self.uses.entry(id).or_default().members.push(member);
        }
        let types = taken(member);
        for (i, id) in args
            .iter()
            .enumerate()
            .filter_map(|(i, v)| Some((i, object(v)?)))
        {
            self.mention(level, at, id);
            if let Some(ty) = types.get(i) {
                let usage = self.uses.entry(id).or_default();
                usage.passed_as.insert(ty.clone());
            }
        }
    }

    fn mention(&mut self, level: &Level, at: usize, id: ObjectId) {
        let usage = self.uses.entry(id).or_default();
        usage.count += 1;
        usage.last = at;
        // What an array or container holds is written where it is written itself: at its first mention.
        if usage.count == 1 {
            initial(level, id)
                .into_iter()
                .flat_map(content_ids)
                .for_each(|c| self.hold(level, at, id, c));
        }
    }

    /// `held` is in the array or container `by`.
    fn hold(&mut self, level: &Level, at: usize, by: ObjectId, held: ObjectId) {
        self.mention(level, at, held);
        let class = level.objects.get(&by).map_or("", |o| o.class.as_str());
        if class.starts_with('[')
            && let Some(element) = JavaType::of(class).element()
        {
            let usage = self.uses.entry(held).or_default();
            usage.passed_as.insert(element.clone());
        }
    }
}

/// The objects that `keep` needs, directly or through contents and the operations that made them.
fn needed(level: &Level, recorded: &[Interaction], keep: &HashSet<u32>) -> HashSet<ObjectId> {
    let mut changes: HashMap<ObjectId, Vec<&Effect>> = HashMap::new();
    for effect in recorded.iter().flat_map(|i| &i.before) {
        targets(level, effect).for_each(|id| changes.entry(id).or_default().push(effect));
    }
    let kept = recorded.iter().filter(|i| keep.contains(&i.no));
    let mut open: Vec<ObjectId> = kept
        .flat_map(|i| i.args.iter().chain([&i.receiver]))
        .filter_map(object)
        .collect();
    let mut needed = HashSet::new();
    while let Some(id) = open.pop() {
        if !needed.insert(id) {
            continue;
        }
        open.extend(initial(level, id).into_iter().flat_map(content_ids));
        for effect in changes.get(&id).into_iter().flatten() {
            match effect {
                Effect::Content { content, .. } => open.extend(content_ids(content)),
                Effect::Store { value, .. } => open.extend(object(value)),
                Effect::Natural { receiver, args, .. } => {
                    open.extend(args.iter().chain([receiver]).filter_map(object));
                }
            }
        }
    }
    needed
}

/// Classes of the JDK, or beginnings of their names, whose objects nothing changes.
const VALUES: [&str; 8] = [
    "java/lang/String",
    "java/math/Big",
    "java/net/UR",
    "java/nio/file/Path",
    "java/time/",
    "java/util/Locale",
    "java/util/UUID",
    "java/util/regex/Pattern",
];
/// Those among them that change all the same.
const CHANGING: [&str; 4] = [
    "java/lang/StringBu",
    "java/net/URLC",
    "java/time/format/DateTimeFormatterBuilder",
    "java/util/Locale$Builder",
];

/// Can nothing change an object of the class?
fn is_value(class: &str) -> bool {
    let begins = |all: &[&str]| all.iter().any(|name| class.starts_with(name));
    begins(&VALUES) && !begins(&CHANGING)
}

/// The objects an effect changes or makes.
fn targets(level: &Level, effect: &Effect) -> impl Iterator<Item = ObjectId> + use<> {
    let (first, second) = match effect {
        Effect::Content { id, .. } => (Some(*id), None),
        Effect::Store { array, .. } => (Some(*array), None),
        Effect::Natural {
            op,
            receiver,
            result,
            ..
        } => {
            let changed = object(receiver).filter(|id| {
                let class = level.objects.get(id).map(|o| o.class.as_str());
                *op == Operation::Construct || !class.is_some_and(is_value)
            });
            (changed, result.as_ref().and_then(object))
        }
    };
    first.into_iter().chain(second)
}

fn initial(level: &Level, id: ObjectId) -> Option<&Content> {
    match &level.objects.get(&id)?.role {
        Role::Array { initial }
        | Role::Natural { initial }
        | Role::Restored { initial }
        | Role::Function { initial, .. } => initial.as_ref(),
        _ => None,
    }
}

/// The object a value names.
pub(super) fn object(value: &Value) -> Option<ObjectId> {
    match value {
        Value::Object(id) => Some(*id),
        _ => None,
    }
}

fn content_ids(content: &Content) -> impl Iterator<Item = ObjectId> {
    content.values().iter().filter_map(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_distinguished_from_what_makes_them() {
        for class in [
            "java/lang/String",
            "java/math/BigInteger",
            "java/time/LocalDate",
            "java/net/URI",
        ] {
            assert!(is_value(class), "{class}");
        }
        for class in [
            "java/lang/StringBuilder",
            "java/util/ArrayList",
            "java/util/Locale$Builder",
        ] {
            assert!(!is_value(class), "{class}");
        }
    }
}
