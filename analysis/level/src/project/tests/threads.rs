//! Levels of several threads.

use std::collections::BTreeSet;

use crate::project::project;
use crate::{Level, Pause, Turn};
use jinsi_history::History;
use jinsi_history::script::history;
use jinsi_natural::Natural;

/// The run as `A` sees it.
fn level(history: &History) -> Level {
    let observed = BTreeSet::from(["A".to_owned()]);
    project(history, &Natural::default(), &observed)
}

/// Thread 0 calls out while thread 1 calls in, twice, and waits for a monitor the second time.
const RUN: &str = "
    class A
    env O
    obj #1 A
    arr #2 [I 2
    s> A.main()V
        calls O.wait()V
    @1
    > A.put(I)V #1 5
        load #2 0 0
    <
    @0
    acquire
        ret
        s> A.look()V
        content #2 array 7 0
        <
    @1
    > A.put(I)V #1 6
        s> A.inner()V
    @0
        calls O.take([I)V #2
        ret
    <
    @1
        acquire
        <
    <
";

#[test]
fn interactions_of_all_threads_are_in_the_order_in_which_they_began() {
    let history = history(RUN);
    assert!(history.is_threaded());
    assert_eq!(history.anomalies(), 0);
    let level = level(&history);
    let all: Vec<(u32, u32, &str)> = level
        .interactions
        .iter()
        .map(|i| (i.no, i.thread, i.member.name.as_str()))
        .collect();
    assert_eq!(all, [(0, 0, "main"), (1, 1, "put"), (2, 1, "put")]);
    // The nodes of a thread are neighbours: what main did is one range.
    let main = &level.interactions[0];
    let inside = main.node..history.node(main.node).end;
    assert!(
        inside
            .start
            .until(inside.end)
            .all(|n| history.thread_of(n) == 0)
    );
    assert!(
        level.interactions[1..]
            .iter()
            .all(|i| !inside.contains(&i.node))
    );
    let outgoing: Vec<&str> = main
        .outgoing
        .iter()
        .map(|o| o.member.name.as_str())
        .collect();
    assert_eq!(outgoing, ["wait", "take"]);
}

#[test]
fn a_thread_goes_on_where_it_had_waited() {
    let history = history(RUN);
    let level = level(&history);
    let turn = |turn: &Option<Box<Turn>>| turn.as_deref().expect("a turn").clone();
    let [main, first, second] = &level.interactions[..] else {
        panic!("{level:#?}");
    };
    let (wait, take) = (&main.outgoing[0], &main.outgoing[1]);
    // Main goes on behind the first of the two, and is done before the second has its monitor.
    let begins = [
        turn(&main.turn),
        turn(&first.turn),
        turn(&wait.turn),
        turn(&second.turn),
    ];
    let firsts: Vec<u32> = begins.iter().map(|t| t.first).collect();
    assert!(firsts.is_sorted(), "{firsts:?}");
    let Turn { pauses, .. } = turn(&second.turn);
    let [
        Pause {
            entries: 2,
            turn: late,
        },
    ] = pauses[..]
    else {
        panic!("{pauses:?}");
    };
    assert!(late > turn(&take.turn).first);
    assert!(first.turn.as_deref().is_some_and(|t| t.pauses.is_empty()));
}

/// Who lets others go on and then enters a monitor that they have left waits for nobody, and is behind them all the same.
#[test]
fn a_thread_that_let_others_go_on_is_behind_them() {
    let turns = |behind: &str| {
        let history = history(&format!(
            "
    class A
    obj #1 A
    arr #2 [I 2
    s> A.main()V
    @1
    > A.put(I)V #1 5
        load #2 0 0
    <
    @0
    release
        {behind}
    <
"
        ));
        let level = level(&history);
        let first = |no: usize| {
            level.interactions[no]
                .turn
                .as_deref()
                .expect("a turn")
                .clone()
        };
        (first(0), first(1))
    };
    let (main, put) = turns("load #2 1 0");
    let pause = main.pauses.first().map(|p| (p.entries, p.turn > put.first));
    assert_eq!(pause, Some((1, true)), "{main:?}");
    // If it does nothing more, it was there first.
    let (main, put) = turns("");
    assert!(main.pauses.is_empty() && main.first < put.first, "{main:?}");
}

#[test]
fn one_thread_has_no_turns() {
    let history = history("class A\ns> A.main()V\n<");
    assert!(!history.is_threaded());
    assert_eq!(level(&history).interactions[0].turn, None);
}

/// Two methods of thread 1: the first meets others twice and waits the second time, then it lets others go on; the second one waits at once.
const MET: &str = "
    class A
    class B
    obj #1 A
    s> A.main()V
    @1
    > A.put(I)V #1 5
        met 1
        met 1
        released 0
        s> B.inner()V
            met 1
        <
    <
    @0
        met 1
    <
";

#[test]
fn a_thread_waits_where_it_has_met_others() {
    let history = history(MET);
    let all = BTreeSet::from(["A".to_owned(), "B".to_owned()]);
    let waits = |observed: &BTreeSet<String>, thread| -> Vec<u32> {
        let level = project(&history, &Natural::default(), observed);
        assert!(level.interactions.iter().all(|i| {
            let turn = i.turn.as_deref().expect("a turn");
            turn.pauses.is_empty() && turn.first == history.node(i.node).begin.get()
        }));
        let waits = &level.waits[&thread];
        assert!(waits.is_sorted_by_key(|w| w.turn));
        waits.iter().map(|w| w.meeting).collect()
    };
    assert_eq!(waits(&all, 1), [1, 2, 3]);
    assert_eq!(waits(&all, 0), [1]);
    // Only what is in the level's own code counts there; what orders the thread otherwise does so at the next meeting.
    let some = BTreeSet::from(["A".to_owned()]);
    assert_eq!(waits(&some, 1), [1, 2, 3]);
    let others = BTreeSet::from(["B".to_owned()]);
    assert_eq!(waits(&others, 1), [1]);
}

#[test]
fn what_was_not_reported_is_not_known_of_some_classes() {
    let history = history(&MET.replace("released 0", "released 3"));
    let of = |classes: &[&str]| {
        let observed = classes.iter().map(|&c| c.to_owned()).collect();
        project(&history, &Natural::default(), &observed).waits
    };
    let meetings: Vec<u32> = of(&["A", "B"])[&1].iter().map(|w| w.meeting).collect();
    assert_eq!(meetings, [1, 2, 6]);
    assert!(of(&["A"]).is_empty());
}
