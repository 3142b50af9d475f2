//! Sessions of several threads, and what no session can say.

use super::*;

/// Threads and turns travel if there are several.
#[test]
fn turns_travel() {
    let turn = |first, pauses: &[(u32, u32)]| {
        let pauses = pauses
            .iter()
            .map(|&(entries, turn)| Pause { entries, turn });
        Some(Box::new(Turn {
            first,
            pauses: pauses.collect(),
        }))
    };
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut of_thread = |no, thread, turn| {
        let base = base().new_tree(&mut runner).unwrap().current();
        Interaction {
            thread,
            turn,
            ..interaction_of(no, base, Vec::new())
        }
    };
    let level = Level {
        interactions: vec![
            of_thread(0, 4, turn(3, &[])),
            of_thread(1, 2, turn(u32::MAX, &[(1, 9), (300, 70_000)])),
        ],
        waits: BTreeMap::from([(
            2,
            vec![
                Wait {
                    meeting: 1,
                    turn: 9,
                },
                Wait {
                    meeting: 300,
                    turn: 70_000,
                },
            ],
        )]),
        ..Level::default()
    };
    let written = Session {
        class_names: ClassNo::first(3).map(|no| (no, format!("C{no}"))).collect(),
        level: Cow::Owned(level),
        ..Session::default()
    };
    let read = read(&write(&written).unwrap()).unwrap();
    let travelled = read.level.interactions.iter().map(|i| (i.thread, &i.turn));
    let sent = written.level.interactions.iter();
    assert!(travelled.eq(sent.map(|i| (i.thread, &i.turn))));
    assert_eq!(read.level.waits, written.level.waits);
}

#[test]
fn what_the_format_cannot_say_is_an_error() {
    let predicate = CrashPredicate {
        message_of_jdk: None,
        class: "a.E".into(),
        message: None,
        at_class: "a.B".into(),
        at_method: "m".into(),
        at_line: 3,
    };
    let mut session = Session {
        level: Cow::Owned(Level::default()),
        class_names: BTreeMap::new(),
        throwables: BTreeMap::new(),
        classes: Vec::new(),
        bridges: Vec::new(),
        traps: Vec::new(),
        predicate,
        salt: None,
        libraries: None,
        stretches: Vec::new(),
        script: None,
    };
    assert!(write(&session).is_ok());
    session.level.to_mut().observed = BTreeSet::from(["a/B".to_owned()]);
    session.level.to_mut().objects.insert(
        4,
        ObjectInfo {
            id: 4,
            class: "a/E".into(),
            length: None,
            role: Role::Throwable,
        },
    );
    assert_eq!(write(&session), Err(WriteError::UnknownThrowable(4)));
    session.level.to_mut().objects.clear();
    session.script = Some(Script {
        setup: vec![Effect::Store {
            array: 1,
            index: 0,
            value: Value::Class(ClassNo::from_index(7)),
        }],
        ..Script::default()
    });
    assert_eq!(
        write(&session),
        Err(WriteError::UnknownClass(ClassNo::from_index(7)))
    );
}
