//! Texts and `null`s that the program gave and its caller handed on to what fails.
//!
//! A text has no identity in a recording, and `null` has none. So what is left of a level gives the failing call the text that was recorded, and where
//! that text is what is wrong, such as a number with a comma, no repaired program can do anything with it. Run for real, the call is given what the
//! earlier call gives.

use jinsi_classfile::descriptor::MethodType;
use jinsi_trace::model::{ObjectId, Value};

use crate::{Interaction, Level, ObjectInfo, Operation, Outcome, Role};

/// Shorter texts are the same by chance.
const SHORTEST: usize = 2;

/// The level, in which the interaction `criterion` is given what earlier ones gave: texts that are the same and that the earlier call made, so that nothing
/// that was handed in before has them in it, and the `null` that a call of the same type gave last. `alone`: does an interaction need nothing of the
/// machine? `None` if there is nothing of the kind.
pub fn handed_on(
    level: &Level,
    criterion: u32,
    alone: &dyn Fn(&Interaction) -> bool,
) -> Option<Level> {
    let last = level.interaction(criterion)?;
    let mut links: Vec<(usize, u32)> = Vec::new();
    for place in (0..last.args.len()).rev() {
        // Of several calls that gave one, the last `null` is that of the last.
        let of_null = links.iter().filter(|(p, _)| last.args[*p] == Value::Null);
        let taken = of_null.map(|(_, giver)| *giver).min();
        if let Some(giver) = giver(level, last, place, taken, alone) {
            links.push((place, giver));
        }
    }
    if links.is_empty() {
        return None;
    }
    let mut level = level.clone();
    for (place, giver) in links {
        let id = match level.interactions[giver as usize].outcome {
            Outcome::Return(Some(Value::Object(id))) => id,
            _ => named(&mut level, giver),
        };
        level.interactions[giver as usize].outcome = Outcome::Return(Some(Value::Object(id)));
        level.interactions[criterion as usize].args[place] = Value::Object(id);
    }
    Some(level)
}

/// Number of the interaction that gave what `last` is given at `place`: a text, or a `null`, which was given before the interaction `taken`.
fn giver(
    level: &Level,
    last: &Interaction,
    place: usize,
    taken: Option<u32>,
    alone: &dyn Fn(&Interaction) -> bool,
) -> Option<u32> {
    let value = &last.args[place];
    let wanted = MethodType::parse(&last.member.desc).ok()?;
    let wanted = wanted.params.get(place)?;
    let before = level.interactions.get(..last.no as usize)?;
    let gives = |i: &&Interaction| {
        i.thread == last.thread
            && matches!(i.op, Operation::Call | Operation::CallStatic)
            && matches!(&i.outcome, Outcome::Return(Some(given)) if given == value)
    };
    let mut givers = before.iter().rev().filter(gives);
    let text = match value {
        Value::Null => {
            let is_one = |i: &&Interaction| {
                result_of(i).as_deref() == wanted.class_name() && taken.is_none_or(|no| i.no < no)
            };
            let giver = givers.find(is_one)?;
            return alone(giver).then_some(giver.no);
        }
        Value::Str(text) if text.0.len() >= SHORTEST => text,
        _ => return None,
    };
    let giver = givers.find(|i| result_of(i).as_deref() == Some("java/lang/String"))?;
    let has_it = |value: &Value| match value {
        Value::Str(other) => other.0.windows(text.0.len()).any(|part| *part == *text.0),
        _ => false,
    };
    let handed_in = before[..=giver.no as usize].iter().flat_map(|i| &i.args);
    let held = level.objects.values().filter_map(|o| match &o.role {
        Role::Array { initial }
        | Role::Natural { initial }
        | Role::Restored { initial }
        | Role::Function { initial, .. } => initial.as_ref(),
        _ => None,
    });
    let mut known = handed_in.chain(held.flat_map(|content| content.values()));
    (!known.any(has_it) && alone(giver)).then_some(giver.no)
}

/// Internal name of the class that the interaction gives objects of.
fn result_of(i: &Interaction) -> Option<String> {
    let result = MethodType::parse(&i.member.desc).ok()?.result?;
    result.class_name().map(str::to_owned)
}

/// A new object of the level, for what its interaction `giver` gives.
fn named(level: &mut Level, giver: u32) -> ObjectId {
    let id = level.objects.keys().next_back().map_or(1, |last| last + 1);
    let info = ObjectInfo {
        id,
        class: result_of(&level.interactions[giver as usize]).unwrap_or_default(),
        length: None,
        role: Role::Given,
    };
    level.objects.insert(id, info);
    id
}

#[cfg(test)]
mod tests {
    use jinsi_trace::model::JavaString;

    use super::*;
    use crate::testing::interaction;

    fn text(text: &str) -> Value {
        Value::Str(JavaString::new(text))
    }

    /// Label #1 is given `first` and gives `made`; then it is given `handed`.
    fn level(first: &str, made: &str, handed: &str) -> Level {
        let mut all = vec![
            interaction(0, Operation::Construct, 0, &[], 1),
            interaction(1, Operation::Call, 1, &[], 0),
            interaction(2, Operation::Call, 1, &[], 0),
        ];
        all[0].args = vec![text(first)];
        all[1].member.desc = "()Ljava/lang/String;".into();
        all[1].outcome = Outcome::Return(Some(text(made)));
        all[2].member.desc = "(LJam;Ljava/lang/String;)V".into();
        all[2].args = vec![Value::Null, text(handed)];
        Level {
            interactions: all,
            ..Level::default()
        }
    }

    #[test]
    fn what_the_program_made_is_handed_on() {
        let level = handed_on(&level("jam", "JAM-7", "JAM-7"), 2, &|_| true).unwrap();
        let Value::Object(id) = level.interactions[2].args[1] else {
            panic!("{:?}", level.interactions[2]);
        };
        let gives = &level.interactions[1].outcome;
        assert_eq!(*gives, Outcome::Return(Some(Value::Object(id))));
        assert_eq!(level.objects[&id].class, "java/lang/String");
        assert_eq!(level.interactions[2].args[0], Value::Null);
    }

    /// The level, in which the call of the label gives a `null` of this type.
    fn giving_null(of: &str) -> Level {
        let mut level = level("jam", "", "JAM-7");
        level.interactions[1].member.desc = of.into();
        level.interactions[1].outcome = Outcome::Return(Some(Value::Null));
        level
    }

    #[test]
    fn null_is_handed_on_if_a_call_of_the_type_gave_it() {
        let level = handed_on(&giving_null("()LJam;"), 2, &|_| true).unwrap();
        let Value::Object(id) = level.interactions[2].args[0] else {
            panic!("{:?}", level.interactions[2]);
        };
        let gives = &level.interactions[1].outcome;
        assert_eq!(*gives, Outcome::Return(Some(Value::Object(id))));
        let info = &level.objects[&id];
        assert_eq!((&*info.class, &info.role), ("Jam", &Role::Given));
        assert_eq!(handed_on(&giving_null("()LPot;"), 2, &|_| true), None);
    }

    #[test]
    fn of_two_nulls_each_is_handed_on_once() {
        let mut level = giving_null("()LJam;");
        let first = level.interactions[1].clone();
        level.interactions[1] = Interaction {
            no: 1,
            ..first.clone()
        };
        level.interactions.insert(2, Interaction { no: 2, ..first });
        level.interactions[3].no = 3;
        level.interactions[3].member.desc = "(LJam;LJam;)V".into();
        level.interactions[3].args = vec![Value::Null, Value::Null];
        let level = handed_on(&level, 3, &|_| true).unwrap();
        let gives = |no: usize| level.interactions[no].outcome.clone();
        let args = level.interactions[3].args.iter().cloned();
        let given: Vec<Outcome> = args.map(|arg| Outcome::Return(Some(arg))).collect();
        assert_eq!(given, [gives(1), gives(2)]);
    }

    #[test]
    fn what_it_was_given_is_not() {
        for (first, made, handed) in [
            ("JAM-7 glasses", "JAM-7", "JAM-7"),
            ("jam", "JAM-7", "JAM-8"),
            ("jam", "J", "J"),
        ] {
            let level = level(first, made, handed);
            assert_eq!(handed_on(&level, 2, &|_| true), None, "{first}");
        }
    }

    #[test]
    fn what_the_machine_had_a_part_in_is_not() {
        assert_eq!(
            handed_on(&level("jam", "JAM-7", "JAM-7"), 2, &|_| false),
            None
        );
    }
}
