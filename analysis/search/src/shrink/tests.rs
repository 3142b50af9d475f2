use std::collections::BTreeMap;

use jinsi_trace::model::MemberRef;

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

/// Fails if the level with the changes satisfies `rule`.
fn shrunk(mut level: Level, budget: usize, rule: impl Fn(&Level) -> bool) -> (Level, usize) {
    let recorded = level.clone();
    let mut asked = 0;
    let mut fails = |changes: &[Change]| {
        asked += 1;
        let mut changed = recorded.clone();
        changes.iter().for_each(|c| apply(&mut changed, c));
        rule(&changed)
    };
    let changes = shrink(&mut level, &[0], budget, &mut fails);
    let mut changed = recorded.clone();
    changes.iter().for_each(|c| apply(&mut changed, c));
    assert_eq!(changed.interactions, level.interactions);
    assert_eq!(changed.objects, level.objects);
    assert_eq!(changes.len(), level.shrunk.len());
    assert!(rule(&level), "what is left fails");
    (level, asked)
}

#[test]
fn each_value_gets_as_simple_as_a_person_would_make_it() {
    let long = "key=value; and more; and yet more of it";
    let recorded = level(
        vec![
            text(long),
            int(-2_717_640),
            int(7),
            text("Gift card"),
            Value::Object(7),
        ],
        vec![int(1), text("xx"), int(9_000), int(4)],
    );
    let (level, _) = shrunk(recorded, 1_000, |level| {
        let args = &level.interactions[0].args;
        let Value::Str(key) = &args[0] else {
            return false;
        };
        let Some(list) = content(level, 7) else {
            return false;
        };
        let large = |v: &Value| matches!(v, Value::Prim(Prim::Int(n)) if *n > 0);
        key.to_string().contains("=value") && list.values().iter().any(large)
    });
    let args = &level.interactions[0].args;
    let Value::Str(key) = &args[0] else {
        panic!("{:?}", args[0]);
    };
    let key = key.to_string();
    assert!(key.contains("=value") && key.len() <= 24, "{key}");
    let words: Vec<&str> = key.split([' ', '=', ';']).collect();
    assert!(
        words
            .iter()
            .all(|w| long.split([' ', '=', ';']).any(|l| l == *w)),
        "{key}"
    );
    assert_eq!(args[1..4], [int(0), int(0), text("Gift card")]);
    let left = content(&level, 7).unwrap().values();
    assert!(matches!(left, [Value::Prim(_)]), "{left:?}");
    let texts: Vec<&str> = level.shrunk.iter().map(|s| s.shrunk.as_str()).collect();
    assert_eq!(texts, [&*format!("\"{key}\""), "0", "0", "1 element"]);
}

/// Bytes that are a text lose words; others lose elements.
#[test]
fn an_array_of_bytes_may_be_a_text() {
    let bytes = |text: &str| -> Vec<Value> {
        let bytes = text
            .bytes()
            .map(|b| Value::Prim(Prim::Byte(b.cast_signed())));
        bytes.collect()
    };
    let mut recorded = level(vec![Value::Object(7)], vec![]);
    let array = recorded.objects.get_mut(&7).unwrap();
    array.class = "[B".into();
    array.role = Role::Array {
        initial: Some(Content::Array(bytes(
            "some {\"items\": [{\"sku\": 1}]} more",
        ))),
    };
    let needed = bytes("items");
    let (level, _) = shrunk(recorded, 1_000, |level| {
        let Some(Content::Array(values)) = content(level, 7) else {
            return false;
        };
        values.windows(needed.len()).any(|w| w == needed)
    });
    let left = content(&level, 7).unwrap().values();
    assert!(left.len() <= 24 && left.len() < 34, "{left:?}");
}

#[test]
fn nothing_changes_where_everything_is_needed_and_the_budget_holds() {
    let long = "a b c d e f g h i j k l m n";
    let recorded = level(vec![text(long), int(170)], vec![]);
    let rule = |level: &Level| level.interactions[0].args == [text(long), int(170)];
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
