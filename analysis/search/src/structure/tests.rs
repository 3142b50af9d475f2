use super::*;
use jinsi_level::{ObjectInfo, Operation, testing};
use jinsi_trace::model::SiteNo;

/// Interaction number `no`: an object with identity `receiver` (0: static), these arguments, this result (0: none).
fn interaction(no: u32, receiver: u64, args: &[u64], result: u64) -> Interaction {
    let op = match receiver {
        0 => Operation::Construct,
        _ => Operation::Call,
    };
    testing::interaction(no, op, receiver, args, result)
}

/// A call of the object `receiver`, which is given the object `arg`.
fn outgoing(receiver: u64, arg: u64) -> Outgoing {
    let called = interaction(0, receiver, &[arg], 0);
    Outgoing {
        node: jinsi_level::NodeNo::FIRST,
        turn: None,
        op: Operation::Call,
        member: called.member,
        target_class: called.target_class,
        site: SiteNo::new(1),
        bci: 0,
        line: 0,
        receiver: called.receiver,
        args: called.args,
        outcome: Outcome::Return(None),
        callbacks: Vec::new(),
        effects: Vec::new(),
    }
}

/// Objects 1 to 9 are observed, others are stand-ins.
fn level(interactions: Vec<Interaction>) -> Level {
    let info = |id| {
        let role = if id < 10 { Role::Observed } else { Role::Mock };
        let class = "C".into();
        let length = None;
        (
            id,
            ObjectInfo {
                id,
                class,
                length,
                role,
            },
        )
    };
    Level {
        interactions,
        objects: (1..20).map(info).collect(),
        ..Level::default()
    }
}

#[test]
fn some_of_each_ring_are_near() {
    let level = level(vec![
        interaction(0, 0, &[], 1),
        interaction(1, 0, &[1], 2),
        interaction(2, 1, &[], 0), // what was done to 1, which 2 was given
        interaction(3, 2, &[], 0),
        interaction(4, 2, &[], 0),
        interaction(5, 3, &[], 0), // has nothing to do with it
        interaction(6, 2, &[], 0),
    ]);
    let structure = Structure::of(&level, &[0, 1, 2, 3, 4, 5, 6], 6, &[]);
    assert_eq!(structure.around(0), [0, 1, 6]);
    assert_eq!(structure.around(1), [0, 1, 2, 4, 6]);
}

#[test]
fn of_one_ring_those_with_a_text_of_the_criterion_come_first() {
    let text = |text: &str| Value::Str(jinsi_trace::model::JavaString::new(text));
    let with = |no, key: &str| Interaction {
        args: vec![text(key)],
        ..interaction(no, 1, &[], 0)
    };
    let level = level(vec![
        interaction(0, 0, &[], 1),
        with(1, "lamp"),
        with(2, "chair"),
        with(3, ""),
        with(4, "lamp"),
        interaction(5, 9, &[], 0), // another ring
    ]);
    let mut level = level;
    let order = |level: &Level| {
        let structure = Structure::of(level, &[0, 1, 2, 3, 4, 5], 4, &[]);
        structure.by_relevance().to_vec()
    };
    assert_eq!(order(&level), [1, 3, 2, 0, 5]);
    level.interactions[4].args = vec![text("")];
    assert_eq!(order(&level), [3, 2, 1, 0, 5]);
}

#[test]
fn what_a_call_makes_and_does_not_return_is_hidden() {
    let mut level = level(vec![
        interaction(0, 0, &[], 1),
        interaction(1, 0, &[], 2),
        interaction(2, 3, &[1], 0),
    ]);
    level.interactions[1].outgoing = vec![outgoing(15, 1)];
    // Nothing gives 3; and 1 was shown before it went out.
    assert_eq!(first_that_hides(&level, &[0, 1, 2]), None);
    level.interactions[1].outgoing = vec![outgoing(15, 3)];
    assert_eq!(first_that_hides(&level, &[0, 1, 2]), Some(1));
    assert_eq!(first_that_hides(&level, &[0, 2]), None);
    level.interactions[1].outcome = Outcome::Return(Some(Value::Object(3)));
    assert_eq!(first_that_hides(&level, &[0, 1, 2]), None);
}

#[test]
fn for_real_what_a_list_holds_is_needed() {
    let mut level = level(vec![
        interaction(0, 0, &[], 1),
        interaction(1, 0, &[], 2),
        interaction(2, 2, &[15], 0),
    ]);
    level.objects.get_mut(&15).unwrap().role = Role::Natural {
        initial: Some(Content::Elements(vec![Value::Object(1)])),
    };
    let near = |level: &Level| Structure::of(level, &[0, 1, 2], 2, &[]).near(0);
    assert_eq!(near(&level), [1, 2]);
    level.engine = Engine::Direct;
    assert_eq!(near(&level), [0, 1, 2]);
}

#[test]
fn what_waits_is_where_the_call_is_that_gave_it() {
    let mut level = level(vec![
        interaction(0, 0, &[], 1),
        interaction(1, 1, &[], 15), // gives what the next one waits for
        interaction(2, 15, &[], 0),
        interaction(3, 1, &[], 0),
    ]);
    let rings = |level: &Level| {
        let all: Vec<&Interaction> = level.interactions.iter().collect();
        rings(level, &all, Some(3))
    };
    assert_eq!(rings(&level), [1, 1, 2, 0]);
    level.interactions[2].member = jinsi_trace::model::MemberRef {
        owner: "reactor/core/publisher/Mono".into(),
        name: "block".into(),
        desc: "()Ljava/lang/Object;".into(),
    };
    assert_eq!(rings(&level), [1, 1, 1, 0]);
    let structure = Structure::of(&level, &[0, 1, 2, 3], 2, &[]);
    assert_eq!(structure.near(0), [0, 1, 2]);
}

#[test]
fn receivers_and_observed_arguments_are_needed() {
    let level = level(vec![
        interaction(0, 0, &[], 1),
        interaction(1, 1, &[15], 2), // hands out 2; 15 is a stand-in
        interaction(2, 0, &[], 3),
        interaction(3, 2, &[3], 0),
        interaction(4, 9, &[], 0), // nobody gives 9: it cannot be known
    ]);
    let all = [0, 1, 2, 3, 4];
    let structure = Structure::of(&level, &all, 3, &[]);
    assert_eq!(structure.first_unmet(&all), None);
    assert_eq!(structure.first_unmet(&[0, 2, 3]), Some(2));
    assert_eq!(structure.first_unmet(&[1]), Some(0));
    assert_eq!(structure.first_unmet(&[4]), None);
    assert_eq!(structure.closure(&[3]), [0, 1, 2, 3]);
    assert_eq!(structure.closed(&[1, 2, 3, 4]), [2, 4]);
    assert_eq!(structure.makers(&all), [0, 1, 2]);
    assert_eq!(structure.makers(&[0, 2, 4]), [0; 0]);
}

#[test]
fn what_a_class_initializer_hands_out_is_always_there() {
    let mut level = level(vec![interaction(0, 0, &[], 1), interaction(1, 1, &[], 0)]);
    let given = |level: &Level| Structure::of(level, &[0, 1], 1, &[]).first_unmet(&[1]);
    assert_eq!(given(&level), Some(0));
    level.class_inits.insert("C".into(), vec![outgoing(15, 1)]);
    assert_eq!(given(&level), None);
}

#[test]
fn the_likely_come_first_then_what_is_near_and_late() {
    let level = level(vec![
        interaction(0, 0, &[], 1),
        interaction(1, 0, &[], 2),
        interaction(2, 2, &[1], 0), // shares 1 with the criterion, so 1 is two steps away
        interaction(3, 1, &[], 0),
        interaction(4, 1, &[], 0),
        interaction(5, 1, &[], 0),
    ]);
    let order = |likely: &[u32]| {
        let structure = Structure::of(&level, &[0, 1, 2, 3, 4, 5], 4, likely);
        (structure.by_relevance().to_vec(), structure.likely())
    };
    assert_eq!(order(&[]), (vec![3, 2, 0, 1, 5], 0));
    assert_eq!(order(&[1, 77]), (vec![1, 3, 2, 0, 5], 1));
}

#[test]
fn the_criterion_needs_what_stays_beside_it() {
    let mut level = level(vec![
        interaction(0, 0, &[], 1),
        interaction(1, 0, &[], 2),
        interaction(2, 1, &[], 0),
        interaction(3, 2, &[], 0),
    ]);
    let all = [0, 1, 2, 3];
    let alone = Structure::of(&level, &all, 3, &[]);
    assert_eq!(alone.closure(&[3]), [1, 3]);
    assert_eq!(alone.first_unmet(&[1, 3]), None);
    level.beside = vec![2];
    let beside = Structure::of(&level, &all, 3, &[]);
    assert_eq!(beside.closure(&[3]), all);
    assert_eq!(beside.first_unmet(&[1, 3]), Some(1));
    assert_eq!(beside.first_unmet(&all), None);
}
