//! How the interactions of a session use its objects: which types an object must have, and whether observed code or the environment made
//! it. Both follow from the places where its identity occurs.

use std::collections::{HashMap, HashSet};

use jinsi_trace::model::{MemberRef, ObjectId, Text, Value};

use super::Session;
use jinsi_level::{Effect, Interaction, Level, Operation, Outcome, Outgoing};

/// What the places where an object occurs say of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Use {
    /// Internal names of the types that places ask for, each once, `java/lang/Object` left out.
    pub(super) types: Vec<Text>,
    /// Observed code made the object itself: it goes out before it comes in. Without a known content, replay cannot make it.
    pub(super) made_inside: bool,
}

/// The uses of objects.
#[derive(Debug, Default)]
pub(super) struct Uses {
    by_object: HashMap<ObjectId, Use>,
    /// One copy of each name.
    names: HashSet<Text>,
}

impl Uses {
    /// The uses of all objects that occur in `session`, read in recorded order.
    pub(super) fn of(session: &Session<'_>) -> Self {
        let mut uses = Self::default();
        let mut reading = Reading::new(&mut uses);
        let script = session.script.as_ref();
        script.iter().for_each(|s| reading.effects(&s.setup));
        reading.level(&session.level);
        let answers = script.iter().flat_map(|s| &s.answers);
        answers.for_each(|(_, o)| reading.outgoing(o));
        uses
    }

    /// Reads what comes next, too.
    pub(super) fn read(&mut self, level: &Level) {
        Reading::new(self).level(level);
    }

    /// What is known of the object `id`, if it occurs.
    pub(super) fn get(&self, id: ObjectId) -> Option<&Use> {
        self.by_object.get(&id)
    }

    fn name(&mut self, name: &str) -> Text {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let name = Text::from(name);
        self.names.insert(name.clone());
        name
    }
}

struct Reading<'s, 'u> {
    uses: &'u mut Uses,
    /// Class types of the parameters and of the result, by descriptor; `None` for other types.
    signatures: HashMap<&'s str, Signature<'s>>,
}

type Signature<'s> = std::rc::Rc<(Vec<Option<&'s str>>, Option<&'s str>)>;

impl<'s, 'u> Reading<'s, 'u> {
    fn new(uses: &'u mut Uses) -> Self {
        Self {
            uses,
            signatures: HashMap::new(),
        }
    }

    fn level(&mut self, level: &'s Level) {
        let inits = level.class_inits.values();
        inits.for_each(|o| self.outgoings(o));
        self.effects(&level.statics);
        level.interactions.iter().for_each(|i| self.incoming(i));
    }

    fn incoming(&mut self, i: &'s Interaction) {
        self.effects(&i.before);
        self.note(&i.receiver, Some(&i.member.owner), false);
        self.arguments(i.op, &i.member, &i.args, false);
        self.outgoings(&i.outgoing);
        self.result(i.op, &i.member, &i.outcome, true);
    }

    fn outgoings(&mut self, list: &'s [Outgoing]) {
        list.iter().for_each(|o| self.outgoing(o));
    }

    fn outgoing(&mut self, o: &'s Outgoing) {
        self.note(&o.receiver, Some(&o.member.owner), true);
        self.arguments(o.op, &o.member, &o.args, true);
        o.callbacks.iter().for_each(|i| self.incoming(i));
        self.effects(&o.effects);
        self.result(o.op, &o.member, &o.outcome, false);
    }

    fn effects(&mut self, effects: &'s [Effect]) {
        for effect in effects {
            match effect {
                Effect::Content { content, .. } => {
                    content
                        .values()
                        .iter()
                        .for_each(|v| self.note(v, None, false));
                }
                Effect::Store { value, .. } => self.note(value, None, false),
                Effect::Natural {
                    op,
                    member,
                    receiver,
                    args,
                    result,
                } => {
                    self.note(receiver, None, false);
                    self.arguments(*op, member, args, false);
                    if let Some(result) = result {
                        let signature = self.signature(&member.desc);
                        self.note(result, signature.1, false);
                    }
                }
            }
        }
    }

    fn arguments(&mut self, op: Operation, member: &'s MemberRef, args: &'s [Value], out: bool) {
        if !args.iter().any(|v| matches!(v, Value::Object(_))) {
            return;
        }
        let signature = self.signature(&member.desc);
        let write = matches!(op, Operation::PutField | Operation::PutStatic);
        for (k, value) in args.iter().enumerate() {
            let class = if write {
                signature.1
            } else {
                signature.0.get(k).copied().flatten()
            };
            self.note(value, class, out);
        }
    }

    fn result(&mut self, op: Operation, member: &'s MemberRef, outcome: &'s Outcome, out: bool) {
        match outcome {
            Outcome::Return(Some(value @ Value::Object(_))) => {
                let class = match op {
                    Operation::Construct => Some(member.owner.as_str()),
                    _ => self.signature(&member.desc).1,
                };
                self.note(value, class, out);
            }
            Outcome::Throw(id) if *id != 0 => self.note(&Value::Object(*id), None, out),
            _ => {}
        }
    }

    fn note(&mut self, value: &Value, class: Option<&'s str>, out: bool) {
        let Value::Object(id) = value else { return };
        let used = self.uses.by_object.entry(*id).or_insert_with(|| Use {
            types: Vec::new(),
            made_inside: out,
        });
        let class = class.filter(|c| *c != "java/lang/Object");
        let new = class.filter(|c| !used.types.iter().any(|t| t.as_str() == *c));
        if let Some(class) = new {
            let name = self.uses.name(class);
            self.uses.by_object.entry(*id).or_default().types.push(name);
        }
    }

    fn signature(&mut self, desc: &'s str) -> Signature<'s> {
        let known = self.signatures.entry(desc);
        known
            .or_insert_with(|| std::rc::Rc::new(parse(desc)))
            .clone()
    }
}

/// Class types of parameters and of the result (of a field: its type).
fn parse(desc: &str) -> (Vec<Option<&str>>, Option<&str>) {
    let Some(rest) = desc.strip_prefix('(') else {
        return (Vec::new(), class_type(desc));
    };
    let (mut rest, result) = rest.split_once(')').unwrap_or((rest, ""));
    let mut parameters = Vec::new();
    while !rest.is_empty() {
        let dimensions = rest.len() - rest.trim_start_matches('[').len();
        let element = &rest[dimensions..];
        let len = match element.find(';') {
            Some(end) if element.starts_with('L') => end + 1,
            _ => element.chars().next().map_or(0, char::len_utf8),
        };
        parameters.push(class_type(&rest[..dimensions + len]));
        rest = &rest[dimensions + len..];
    }
    (parameters, class_type(result))
}

fn class_type(desc: &str) -> Option<&str> {
    desc.strip_prefix('L')?.strip_suffix(';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_types_of_a_descriptor() {
        assert_eq!(
            parse("(ILjava/lang/String;[[La/B;[JLc/D;)La/E;"),
            (
                vec![None, Some("java/lang/String"), None, None, Some("c/D")],
                Some("a/E")
            )
        );
        assert_eq!(parse("()V"), (vec![], None));
        assert_eq!(parse("La/B;"), (vec![], Some("a/B")));
        assert_eq!(parse("(["), (vec![None], None));
    }
}
