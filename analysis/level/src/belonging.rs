//! What belongs to a value that is wrong although the state from which it came does not show it.
//!
//! A copy that forgets a field, a call that should have cleared a list: without the call the wrong value is the same, but what would be right is
//! another one, and whoever expects it of the shorter run asks for what no repaired program gives. So of the objects that the value came from, and of
//! those that these were made of or with, the calls stay that a right program may notice, also those behind the making: who was given an object may hold
//! it, and look at it only when asked. A call that was given the object itself may have been the one to fill it. What is read off an object of the environment, as the text of a
//! stream, came from those that hold it, too: they write to it. An exception is treated alike: of its object the calls stay that write what the throwing
//! code reads.

use std::collections::{HashMap, HashSet};

use jinsi_trace::model::{ObjectId, Operation, Prim, Value};

use crate::deciding::Deciding;
use crate::{Effect, Interaction, Level, Outcome};
use jinsi_history::History;

/// Beginnings of the names of methods that only say whether something is so.
const QUESTIONS: [&str; 13] = [
    "accepts", "can", "contains", "ends", "equals", "exists", "has", "is", "matches", "should",
    "starts", "supports", "test",
];

/// Beginnings of the names of methods that only give something.
const LOOKS: [&str; 8] = [
    "compare", "count", "get", "hashCode", "length", "size", "toString", "value",
];

/// Exceptions that the JVM throws by itself: what they complain of is a value, and not a state.
const OF_JVM: [&str; 7] = [
    "java.lang.ArithmeticException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.ArrayStoreException",
    "java.lang.ClassCastException",
    "java.lang.NegativeArraySizeException",
    "java.lang.NullPointerException",
    "java.lang.StackOverflowError",
];

/// Numbers of the driven interactions before `criterion`, which gave the wrong value, that a right program may notice in it, ascending; `kept` are those
/// that are left already.
pub fn belonging(history: &History, level: &Level, criterion: u32, kept: &[u32]) -> Vec<u32> {
    let Some(last) = level.interaction(criterion) else {
        return Vec::new();
    };
    let mut sources = Sources::of(last);
    sources.subject = object(&last.receiver);
    let before = &level.interactions[..=criterion as usize];
    if is_of_environment(history, &last.receiver) {
        sources.add_holders(&last.receiver, before);
    }
    for asserted in asserted(history, last, before) {
        sources.add_holders(asserted, before);
    }
    sources.add_those_at_work(last, before, kept);
    let mut deciding = Deciding::of(history, level, criterion);
    that_stay(level, criterion, sources, |i| {
        may_be_noticed(history, i) || deciding.has(i)
    })
}

/// What `last` is an assertion about, if it is one: what a static call of the environment is given, or the one with which its chain begins.
fn asserted<'l>(
    history: &History,
    last: &'l Interaction,
    before: &'l [Interaction],
) -> &'l [Value] {
    let mut first = last;
    while is_of_environment(history, &first.receiver) {
        let held = object(&first.receiver);
        // A call that gives what it is called on does not make it.
        let made = before.iter().find(|i| given(i) == held);
        match made.filter(|made| made.no < first.no) {
            Some(made) => first = made,
            None => return &[],
        }
    }
    let is_static = first.op == Operation::CallStatic;
    match is_static && !is_observed(history, &first.target_class) {
        true => &first.args,
        false => &[],
    }
}

/// Is it an object whose class is not observed?
fn is_of_environment(history: &History, value: &Value) -> bool {
    let class = history.class_of_value(value);
    class.is_some_and(|class| !is_observed(history, class))
}

fn is_observed(history: &History, class: &str) -> bool {
    history.tables().observed_classes().any(|c| c == class)
}

/// Numbers of the driven interactions before `criterion`, in which the program threw because of a state, that change what decides about the exception,
/// ascending. Without them it may be thrown for another reason, and rightly: that of an iterator which was never asked for an element.
pub fn deciding(history: &History, level: &Level, criterion: u32) -> Vec<u32> {
    let last = level.interaction(criterion);
    let Some(last) = last.filter(|last| is_refused(history, last)) else {
        return Vec::new();
    };
    let mut deciding = Deciding::of(history, level, criterion);
    // A call that left its write out, which is the defect, writes nothing that could be seen.
    that_stay(level, criterion, Sources::of(last), |i| {
        deciding.has(i) || may_change(i) && deciding.does_more_than_read(i)
    })
}

/// Did the program itself throw, because it was not in a state for the call?
fn is_refused(history: &History, last: &Interaction) -> bool {
    let Outcome::Throw(id) = last.outcome else {
        return false;
    };
    let tables = history.tables();
    tables.throwable(id).is_some_and(|def| {
        let thrown_in = def
            .frames
            .first()
            .map(|frame| frame.class.replace('.', "/"));
        let by_program =
            thrown_in.is_some_and(|class| tables.observed_classes().any(|known| known == class));
        by_program && !OF_JVM.contains(&def.class.as_str())
    })
}

/// By its name, may the call change what it is called on?
fn may_change(i: &Interaction) -> bool {
    let name = i.member.name.as_str();
    let looks = QUESTIONS.iter().chain(&LOOKS);
    i.op == Operation::Call && !looks.into_iter().any(|word| name.starts_with(word))
}

/// Those of the interactions before `criterion` that are calls of what it came from, and that `stays` accepts.
fn that_stay<'l>(
    level: &'l Level,
    criterion: u32,
    mut sources: Sources<'l>,
    mut stays: impl FnMut(&Interaction) -> bool,
) -> Vec<u32> {
    let before = &level.interactions[..criterion as usize];
    let mut first_givers: HashMap<ObjectId, u32> = HashMap::new();
    let mut called: HashSet<ObjectId> = HashSet::new();
    for i in before {
        if let Some(id) = given(i) {
            first_givers.entry(id).or_insert(i.no);
        }
        called.extend(object(&i.receiver));
    }
    loop {
        let mut walked = sources.clone();
        let found = walk_back(before, &mut walked, &first_givers, &mut stays);
        // What was handed to one of them may have been changed behind that: such calls are met before it is known that they matter.
        let held = walked.held.intersection(&called);
        let new: Vec<ObjectId> = held
            .filter(|id| !sources.objects.contains(id))
            .copied()
            .collect();
        if new.is_empty() {
            return found;
        }
        sources.objects.extend(new);
    }
}

/// One walk of [`that_stay`], from the last interaction to the first, in which `sources` grow.
fn walk_back<'l>(
    before: &'l [Interaction],
    sources: &mut Sources<'l>,
    first_givers: &HashMap<ObjectId, u32>,
    stays: &mut impl FnMut(&Interaction) -> bool,
) -> Vec<u32> {
    let mut found = Vec::new();
    // What a later call was given was made by an earlier one.
    for i in before.iter().rev() {
        let made = given(i)
            .filter(|id| sources.objects.contains(id) && first_givers.get(id) == Some(&i.no));
        let is_noticed = sources.has(i) && stays(i);
        if is_noticed {
            found.push(i.no);
        }
        if is_noticed || made.is_some() {
            sources.add_all(i);
            sources.held.extend(i.args.iter().filter_map(object));
        }
        sources.add_taken(i);
    }
    found.reverse();
    found
}

/// The object that the interaction gave.
fn given(i: &Interaction) -> Option<ObjectId> {
    match &i.outcome {
        Outcome::Return(Some(value)) => object(value),
        _ => None,
    }
}

fn object(value: &Value) -> Option<ObjectId> {
    match value {
        Value::Object(id) => Some(*id),
        _ => None,
    }
}

/// The objects and classes that a value came from.
#[derive(Clone, Default)]
struct Sources<'l> {
    objects: HashSet<ObjectId>,
    /// Those that one of them was given.
    held: HashSet<ObjectId>,
    classes: HashSet<&'l str>,
    /// The one that gave the wrong value. A call that was given it may be the one to fill it, as a parser fills its handler.
    subject: Option<ObjectId>,
}

impl<'l> Sources<'l> {
    /// What the interaction is asked on and given.
    fn of(last: &'l Interaction) -> Self {
        let mut sources = Self::default();
        sources.add_all(last);
        sources.add_taken(last);
        sources
    }

    /// The objects that were given `held`, or a holder of it, in one of the interactions or before: a writer over the stream, and what prints to that.
    fn add_holders(&mut self, held: &Value, interactions: &[Interaction]) {
        self.objects.extend(holders(held, interactions));
    }

    /// Those that hold what `last` is asked on and are called in an interaction that is left: what they did to it they may have to undo.
    fn add_those_at_work(&mut self, last: &Interaction, before: &[Interaction], kept: &[u32]) {
        let holders = holders(&last.receiver, before);
        let kept = kept.iter().filter_map(|&no| before.get(no as usize));
        let called = kept.filter_map(|i| object(&i.receiver));
        self.objects
            .extend(called.filter(|id| holders.contains(id)));
    }

    fn add_all(&mut self, i: &'l Interaction) {
        self.add_objects(i.args.iter().chain([&i.receiver]));
        if i.op == Operation::CallStatic {
            self.classes.insert(&i.target_class);
        }
    }

    /// What one of them was taken out of before the interaction: `tree.above(3).get(0)`.
    fn add_taken(&mut self, i: &'l Interaction) {
        for effect in i.before.iter().rev() {
            let Effect::Natural {
                receiver,
                args,
                result: Some(Value::Object(id)),
                ..
            } = effect
            else {
                continue;
            };
            if self.objects.contains(id) {
                self.add_objects(args.iter().chain([receiver]));
            }
        }
    }

    fn add_objects(&mut self, values: impl Iterator<Item = &'l Value>) {
        self.objects.extend(values.filter_map(object));
    }

    /// Is it a call of one of them, or one that was given the subject?
    fn has(&self, i: &Interaction) -> bool {
        let is_subject = |arg: &Value| object(arg).is_some_and(|id| self.subject == Some(id));
        if matches!(i.op, Operation::Call | Operation::CallStatic) && i.args.iter().any(is_subject)
        {
            return true;
        }
        match (i.op, &i.receiver) {
            (Operation::CallStatic | Operation::PutStatic, _) => {
                self.classes.contains(i.target_class.as_str())
            }
            (Operation::Call | Operation::PutField, Value::Object(id)) => self.objects.contains(id),
            _ => false,
        }
    }
}

/// The object `held`, and all that were given it, or one of them, in one of the interactions or before.
fn holders(held: &Value, interactions: &[Interaction]) -> HashSet<ObjectId> {
    let mut holders: HashSet<ObjectId> = object(held).into_iter().collect();
    let mut note = |args: &[Value], receiver: &Value, made: Option<&Value>| {
        let given = |arg: &Value| object(arg).is_some_and(|id| holders.contains(&id));
        if args.iter().any(given) {
            let now_holding = [Some(receiver), made].into_iter().flatten();
            holders.extend(now_holding.filter_map(object));
        }
    };
    for i in interactions {
        for effect in &i.before {
            if let Effect::Natural {
                receiver,
                args,
                result,
                ..
            } = effect
            {
                note(args, receiver, result.as_ref());
            }
        }
        let made = match &i.outcome {
            Outcome::Return(value) => value.as_ref(),
            _ => None,
        };
        note(&i.args, &i.receiver, made);
    }
    holders
}

/// May the call do something, so that a right program goes on otherwise behind it? One that only gives something, or says whether it is so, does not.
fn may_be_noticed(history: &History, i: &Interaction) -> bool {
    match &i.outcome {
        Outcome::Return(None) => true,
        Outcome::Return(Some(Value::Prim(Prim::Boolean(_)))) => {
            let name = i.member.name.as_str();
            !i.args.is_empty() && !QUESTIONS.iter().any(|word| name.starts_with(word))
        }
        Outcome::Return(Some(value)) if *value == i.receiver => true,
        Outcome::Return(Some(Value::Object(id))) => {
            let mentions = history.object(*id).map(|object| object.mentions());
            // It was made meanwhile.
            mentions.is_some_and(|nodes| nodes.iter().all(|n| *n >= i.node))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_history::script::history;
    use jinsi_trace::model::MemberRef;

    const NEW: Operation = Operation::Construct;
    const CALL: Operation = Operation::Call;
    const STATIC: Operation = Operation::CallStatic;

    /// An object of the environment.
    const STREAM: u64 = 9;

    /// An interaction: operation, name, receiver and argument (0: none), and what it gave.
    type Row<'r> = (Operation, &'r str, u64, u64, Option<Value>);

    /// Names of those that belong to the last one, of a level of these.
    fn kept(rows: &[Row]) -> Vec<String> {
        beside(rows, &[])
    }

    /// The same, where the interactions `kept` are left already.
    fn beside(rows: &[Row], kept: &[u32]) -> Vec<String> {
        let object = |id: u64| match id {
            0 => Value::Null,
            id => Value::Object(id),
        };
        let interactions = rows
            .iter()
            .zip(0..)
            .map(|((op, name, on, with, call_result), no)| {
                let node = jinsi_history::NodeNo::FIRST;
                Interaction {
                    no,
                    node,
                    thread: 0,
                    turn: None,
                    op: *op,
                    member: MemberRef {
                        owner: "A".into(),
                        name: (*name).into(),
                        desc: "()V".into(),
                    },
                    target_class: "A".into(),
                    receiver: object(*on),
                    args: (*with != 0).then(|| object(*with)).into_iter().collect(),
                    outcome: Outcome::Return(call_result.clone()),
                    before: vec![],
                    outgoing: vec![],
                }
            });
        let level = Level {
            interactions: interactions.collect(),
            ..Level::default()
        };
        let h = history(
            "class A
             obj #1 A
             obj #2 A
             obj #3 A
             obj #9 java/io/StringWriter
             s> A.main()V
               > A.a()V #1
               <
               > A.a()V #2
               <
               > A.a()V #3
               <
             <",
        );
        let criterion = rows.len() as u32 - 1;
        let found = belonging(&h, &level, criterion, kept);
        let name = |no: u32| level.interactions[no as usize].member.name.to_string();
        found.into_iter().map(name).collect()
    }

    fn gives(id: u64) -> Option<Value> {
        Some(Value::Object(id))
    }

    fn is(truth: bool) -> Option<Value> {
        Some(Value::Prim(Prim::Boolean(truth)))
    }

    fn number() -> Option<Value> {
        Some(Value::Prim(Prim::Int(3)))
    }

    #[test]
    fn what_was_done_to_the_original_of_a_copy_belongs_to_it() {
        let rows = [
            (NEW, "<init>", 0, 0, gives(1)),
            (CALL, "setDiscount", 1, 0, None),
            (CALL, "pay", 1, 0, number()),
            (NEW, "<init>", 0, 0, gives(3)),
            (CALL, "setOther", 3, 0, None),
            (NEW, "<init>", 0, 1, gives(2)),
            (CALL, "pay", 2, 0, number()),
        ];
        assert_eq!(kept(&rows), ["setDiscount"]);
    }

    #[test]
    fn what_was_done_to_a_part_behind_the_making_of_the_whole_belongs_to_it() {
        let rows = [
            (NEW, "<init>", 0, 0, gives(1)),
            (NEW, "<init>", 0, 0, gives(3)),
            (NEW, "<init>", 0, 1, gives(2)),
            (CALL, "rename", 1, 0, None),
            (CALL, "rename", 3, 0, None),
            (CALL, "title", 2, 0, number()),
        ];
        assert_eq!(kept(&rows), ["rename"]);
    }

    #[test]
    fn what_a_factory_made_before_belongs_to_what_it_makes() {
        let rows = [
            (NEW, "<init>", 0, 0, gives(1)),
            (CALL, "amount", 1, 0, gives(1)),
            (CALL, "next", 1, 0, gives(3)),
            (CALL, "next", 1, 0, gives(2)),
            (CALL, "sum", 2, 0, number()),
        ];
        // The second one is needed anyway.
        assert_eq!(kept(&rows), ["amount", "next"]);
    }

    #[test]
    fn a_call_without_effect_belongs_and_a_question_does_not() {
        let rows = [
            (NEW, "<init>", 0, 0, gives(1)),
            (CALL, "clear", 1, 0, None),
            (CALL, "remove", 1, 3, is(false)),
            (CALL, "contains", 1, 3, is(false)),
            (CALL, "isEmpty", 1, 0, is(true)),
            (CALL, "size", 1, 0, number()),
        ];
        assert_eq!(kept(&rows), ["clear", "remove"]);
    }

    #[test]
    fn what_writes_to_a_stream_belongs_to_what_is_read_off_it() {
        let rows = [
            (NEW, "<init>", 0, STREAM, gives(1)),
            (NEW, "<init>", 0, 1, gives(2)),
            (NEW, "<init>", 0, 0, gives(3)),
            (CALL, "print", 2, 0, None),
            (CALL, "print", 3, 0, None),
            (CALL, "toString", STREAM, 0, number()),
        ];
        assert_eq!(kept(&rows), ["print"]);
        // Who holds an object of the program does not write to it from outside.
        let rows = [
            (NEW, "<init>", 0, 0, gives(1)),
            (NEW, "<init>", 0, 1, gives(2)),
            (CALL, "print", 2, 0, None),
            (CALL, "sum", 1, 0, number()),
        ];
        assert!(kept(&rows).is_empty());
    }

    #[test]
    fn a_call_that_was_given_what_is_asked_may_have_filled_it() {
        let rows = [
            (NEW, "<init>", 0, 0, gives(1)),
            (NEW, "<init>", 0, 0, gives(2)),
            (
                CALL,
                "handles",
                2,
                1,
                Some(Value::Prim(Prim::Boolean(true))),
            ),
            (CALL, "print", 2, 1, None),
            (CALL, "sum", 1, 0, number()),
        ];
        assert_eq!(kept(&rows)[..], ["handles", "print"]);
        assert!(kept(&[rows[0].clone(), rows[1].clone(), rows[4].clone()]).is_empty());
    }

    #[test]
    fn what_a_holder_did_it_may_have_to_undo() {
        let rows = [
            (NEW, "<init>", 0, 0, gives(1)),
            (NEW, "<init>", 0, 1, gives(2)),
            (CALL, "take", 2, 0, number()),
            (CALL, "close", 2, 0, None),
            (CALL, "used", 1, 0, number()),
        ];
        assert_eq!(beside(&rows, &[0, 1, 2, 4]), ["close"]);
        assert!(beside(&rows, &[0, 4]).is_empty());
    }

    #[test]
    fn of_static_calls_those_of_the_same_class_belong() {
        let rows = [
            (STATIC, "register", 0, 0, None),
            (CALL, "turn", 2, 0, None),
            (STATIC, "count", 0, 0, number()),
        ];
        assert_eq!(kept(&rows), ["register"]);
    }
}
