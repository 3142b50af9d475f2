use std::collections::BTreeMap;

use jinsi_trace::model::{MemberRef, Prim};

use super::*;
use jinsi_level::{Interaction, ObjectInfo, Operation, Outcome};

fn text(text: &str) -> Value {
    Value::Str(JavaString(text.encode_utf16().collect::<Vec<_>>().into()))
}

fn int(n: i32) -> Value {
    Value::Prim(Prim::Int(n))
}

/// One interaction with these arguments; object 7 is a list with these elements.
fn level(args: Vec<Value>, elements: Vec<Value>) -> Level {
    let list = ObjectInfo {
        id: 7,
        class: "java/util/ArrayList".into(),
        length: None,
        role: Role::Natural {
            initial: Some(Content::Elements(elements)),
        },
    };
    Level {
        interactions: vec![Interaction {
            no: 0,
            node: jinsi_level::NodeNo::FIRST,
            thread: 0,
            turn: None,
            op: Operation::CallStatic,
            member: MemberRef {
                owner: "C".into(),
                name: "m".into(),
                desc: "()V".into(),
            },
            target_class: "C".into(),
            receiver: Value::Null,
            args,
            outcome: Outcome::Open,
            before: vec![],
            outgoing: vec![],
        }],
        objects: BTreeMap::from([(7, list)]),
        ..Level::default()
    }
}

/// The run is the same if the level with the changes satisfies `rule`.
fn shrunk(mut level: Level, budget: usize, rule: impl Fn(&Level) -> bool) -> (Level, usize) {
    let recorded = level.clone();
    let mut asked = 0;
    let mut same = |changes: &[Change]| {
        asked += 1;
        let mut changed = recorded.clone();
        changes.iter().for_each(|c| apply(&mut changed, c));
        rule(&changed)
    };
    let changes = shrink(&mut level, &[0], budget, &mut same);
    let mut changed = recorded.clone();
    changes.iter().for_each(|c| apply(&mut changed, c));
    assert_eq!(changed.interactions, level.interactions);
    assert_eq!(changed.objects, level.objects);
    assert_eq!(changes.len(), level.shrunk.len());
    assert!(rule(&level), "what is left is the same");
    (level, asked)
}

fn argument(level: &Level, index: usize) -> String {
    match &level.interactions[0].args[index] {
        Value::Str(text) => text.to_string(),
        other => panic!("{other:?}"),
    }
}

/// A document with so many members, the last two of which have the value `value`.
fn document(members: usize, value: &str) -> String {
    let member = |n: usize| {
        let value = if n + 2 < members { "some text" } else { value };
        format!("\"member{n}\": \"{value}\"")
    };
    let members: Vec<String> = (0..members).map(member).collect();
    format!("{{{}}}", members.join(", "))
}

#[test]
fn what_is_short_stays_whatever_the_run_says() {
    let elements: Vec<Value> = (0..LONG_CONTENT as i32).map(int).collect();
    let short = "x".repeat(LONG_TEXT);
    let recorded = level(
        vec![int(-2_717_640), text(&short), Value::Object(7)],
        elements,
    );
    assert!(!can_shrink(&recorded, &[0]));
    let (level, asked) = shrunk(recorded.clone(), 1_000, |_| true);
    assert_eq!((level, asked), (recorded, 0));
}

#[test]
fn a_long_document_stays_one_and_keeps_what_is_read_and_what_is_behind() {
    let long = document(40, "needed");
    let recorded = level(vec![text(&long)], vec![]);
    assert!(can_shrink(&recorded, &[0]));
    let (level, _) = shrunk(recorded, 1_000, |level| {
        argument(level, 0).contains("\"member38\": \"needed\"")
    });
    let left = r#"{"member0": "some text", "member38": "needed", "member39": "needed"}"#;
    assert_eq!(argument(&level, 0), left);
    assert_eq!(level.shrunk.len(), 1);
}

#[test]
fn what_is_not_read_at_all_stays() {
    let long = document(40, "");
    let recorded = level(vec![text(&long)], vec![]);
    let (level, _) = shrunk(recorded.clone(), 1_000, |_| true);
    assert_eq!(level, recorded);
}

#[test]
fn a_text_without_a_form_stays() {
    let recorded = level(vec![text(&"to whom it may concern ".repeat(40))], vec![]);
    let (level, asked) = shrunk(recorded.clone(), 1_000, |_| true);
    assert_eq!((level, asked), (recorded, 0));
}

#[test]
fn a_long_collection_loses_elements_and_numbers_stay() {
    let elements: Vec<Value> = (0..100).map(int).collect();
    let recorded = level(vec![Value::Object(7), int(9_000)], elements);
    let (level, _) = shrunk(recorded, 1_000, |level| {
        let values = content(level, 7).unwrap().values();
        values.contains(&int(3)) && values.contains(&int(97))
    });
    let left = content(&level, 7).unwrap().values();
    assert_eq!(left, [int(3), int(97), int(98), int(99)]);
    assert_eq!(level.interactions[0].args[1], int(9_000));
    assert_eq!(level.shrunk[0].shrunk, "4 elements");
}

/// Bytes that are a text lose what their form allows; others lose elements.
#[test]
fn an_array_of_bytes_may_be_a_text() {
    let long = document(40, "needed");
    let bytes = long
        .bytes()
        .map(|b| Value::Prim(Prim::Byte(b.cast_signed())));
    let mut recorded = level(vec![Value::Object(7)], vec![]);
    let array = recorded.objects.get_mut(&7).unwrap();
    array.class = "[B".into();
    array.length = Some(long.len() as u32);
    array.role = Role::Array {
        initial: Some(Content::Array(bytes.collect())),
    };
    let said = |level: &Level| {
        let values = content(level, 7).unwrap().values();
        String::from_utf16(&units(values).unwrap()).unwrap()
    };
    let (level, _) = shrunk(recorded, 1_000, |level| {
        said(level).contains("\"member38\": \"needed\"")
    });
    let left = said(&level);
    assert_eq!(
        left,
        r#"{"member0": "some text", "member38": "needed", "member39": "needed"}"#
    );
    assert_eq!(level.objects[&7].length, Some(left.len() as u32));
}

#[test]
fn nothing_changes_where_everything_is_needed_and_the_budget_holds() {
    let long = document(40, "x");
    let recorded = level(vec![text(&long)], vec![]);
    let rule = |level: &Level| level.interactions[0].args == [text(&long)];
    let (level, _) = shrunk(recorded.clone(), 1_000, rule);
    assert_eq!(level, recorded);
    let (_, asked) = shrunk(recorded, 5, rule);
    assert_eq!(asked, 5);
}

#[test]
fn half_a_pair_of_surrogates_is_shown_by_its_number() {
    let face = JavaString("a\u{1f600}".encode_utf16().collect());
    let half = JavaString(face.0[..2].into());
    let level = level(vec![], vec![]);
    assert_eq!(shown(&level, &Value::Str(face)), "\"a\u{1f600}\"");
    assert_eq!(shown(&level, &Value::Str(half)), r#""a\ud83d""#);
}
