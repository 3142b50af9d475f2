//! Texts that the program made and its caller handed on to what fails.
//!
//! A text has no identity in a recording. So what is left of a level gives the failing call the text that was recorded, and where that text is what is
//! wrong, such as a number with a comma, no repaired program can do anything with it. Run for real, the call is given what the earlier call gives.

use jinsi_trace::model::{ObjectId, Value};

use crate::{Interaction, Level, ObjectInfo, Operation, Outcome, Role};

const STRING: &str = "java/lang/String";
/// Shorter texts are the same by chance.
const SHORTEST: usize = 2;

/// The level, in which the interaction `criterion` is given what earlier ones gave, where the texts are the same and the earlier call made them: nothing
/// that was handed in before has them in it. `alone`: does an interaction need nothing of the machine? `None` if there is no such text.
pub fn handed_on(
    level: &Level,
    criterion: u32,
    alone: &dyn Fn(&Interaction) -> bool,
) -> Option<Level> {
    let last = level.interaction(criterion)?;
    let links: Vec<(usize, u32)> = (0..last.args.len())
        .filter_map(|place| Some((place, giver(level, last, &last.args[place], alone)?)))
        .collect();
    if links.is_empty() {
        return None;
    }
    let mut level = level.clone();
    for (place, giver) in links {
        let id = match level.interactions[giver as usize].outcome {
            Outcome::Return(Some(Value::Object(id))) => id,
            _ => named(&mut level),
        };
        level.interactions[giver as usize].outcome = Outcome::Return(Some(Value::Object(id)));
        level.interactions[criterion as usize].args[place] = Value::Object(id);
    }
    Some(level)
}

/// Number of the interaction that made the text `value` which `last` is given.
fn giver(
    level: &Level,
    last: &Interaction,
    value: &Value,
    alone: &dyn Fn(&Interaction) -> bool,
) -> Option<u32> {
    let Value::Str(text) = value else { return None };
    if text.0.len() < SHORTEST {
        return None;
    }
    let before = level.interactions.get(..last.no as usize)?;
    let gives = |i: &&Interaction| {
        i.thread == last.thread
            && matches!(i.op, Operation::Call | Operation::CallStatic)
            && i.member.desc.ends_with(")Ljava/lang/String;")
            && matches!(&i.outcome, Outcome::Return(Some(given)) if given == value)
    };
    let giver = before.iter().rev().find(gives)?;
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

/// A new object of the level, for a text that one of its interactions makes.
fn named(level: &mut Level) -> ObjectId {
    let id = level.objects.keys().next_back().map_or(1, |last| last + 1);
    let info = ObjectInfo {
        id,
        class: STRING.into(),
        length: None,
        role: Role::Observed,
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
        assert_eq!(level.objects[&id].class, STRING);
        assert_eq!(level.interactions[2].args[0], Value::Null);
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
