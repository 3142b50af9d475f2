mod values;
mod whole;

use jinsi_trace::model::{MemberRef, Value};

use super::*;
use jinsi_level::Operation;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const FAILURE: ObjectId = 99;

fn names(list: &[&str]) -> BTreeSet<String> {
    list.iter().map(|s| (*s).to_owned()).collect()
}

fn level_of(observed: &BTreeSet<String>, n: u32) -> Level {
    let interactions = (0..n)
        .map(|no| Interaction {
            no,
            node: NodeNo::from_index(no as usize),
            thread: 0,
            turn: None,
            op: Operation::Call,
            member: MemberRef {
                owner: "a/A".into(),
                name: format!("m{no}").into(),
                desc: "()V".into(),
            },
            target_class: "a/A".into(),
            receiver: Value::Object(1),
            args: vec![],
            outcome: if no + 1 == n {
                Outcome::Throw(FAILURE)
            } else {
                Outcome::Return(None)
            },
            before: vec![],
            outgoing: vec![],
        })
        .collect();
    Level {
        observed: observed.clone(),
        interactions,
        ..Level::default()
    }
}

/// What a recording says of which only interactions are known: all can be done, nothing waits, and there is nothing around them.
macro_rules! only_interactions {
    () => {
        fn project_for_real(
            &mut self,
            observed: &BTreeSet<String>,
            driver: Option<NodeNo>,
        ) -> Level {
            self.project(observed, driver)
        }
        fn can_be_done(&self, _: &Interaction) -> bool {
            true
        }
        fn awaited(&mut self, level: Level, _: u32) -> Level {
            level
        }
        fn handed_on(&self, _: &Level, _: u32) -> Option<Level> {
            None
        }
        fn is_during(&self, _: NodeNo, _: &[String]) -> bool {
            false
        }
        fn surroundings(&self) -> Vec<Setting> {
            Vec::new()
        }
        fn belonging(&self, _: &Level, _: u32, _: &[u32]) -> Vec<u32> {
            Vec::new()
        }
    };
}
use only_interactions;

/// There is no further worker.
macro_rules! one_worker {
    () => {
        fn idle(&mut self) -> bool {
            false
        }
        fn begin(&mut self, _: &[u32]) -> bool {
            false
        }
        fn ended(&mut self, _: bool) -> Option<(Vec<u32>, TestRun)> {
            None
        }
    };
}
use one_worker;

/// Ten interactions on every observed set; the slice, and what no other test did, is what the test says it is.
struct Stub {
    slice: Vec<u32>,
    own: Option<Vec<u32>>,
}

impl Recording for Stub {
    only_interactions!();
    fn project(&mut self, observed: &BTreeSet<String>, _: Option<NodeNo>) -> Level {
        level_of(observed, 10)
    }
    fn without_other_tests(&self, _: &Level) -> Option<Vec<u32>> {
        self.own.clone()
    }
    fn event_slice(&mut self, _: &Level, criterion: u32) -> Vec<u32> {
        assert_eq!(criterion, 9);
        self.slice.clone()
    }
}

type Rule = fn(&BTreeSet<String>, &[u32]) -> (Verdict, Option<&'static str>);

struct Table {
    observed: BTreeSet<String>,
    rule: Rule,
    strict: Verdict,
    refuse: Option<String>,
    tests: u64,
    changes: Vec<Change>,
    has_lines: bool,
}

impl Table {
    fn new(rule: Rule) -> Self {
        Self {
            observed: BTreeSet::new(),
            rule,
            strict: Verdict::Failing,
            refuse: None,
            tests: 0,
            changes: Vec::new(),
            has_lines: false,
        }
    }
}

impl Replayer for Table {
    one_worker!();
    fn load(&mut self, level: &Level) -> Result<(), LoadError> {
        self.observed = level.observed.clone();
        match &self.refuse {
            Some(class) if level.observed.contains(class) => {
                Err(LoadError(format!("no bytes of {class}")))
            }
            _ => Ok(()),
        }
    }
    fn load_counting(&mut self, level: &Level) -> Result<bool, LoadError> {
        self.load(level).map(|()| self.has_lines)
    }
    fn vary(&mut self, changes: &[Change]) -> Result<(), LoadError> {
        self.changes = changes.to_vec();
        Ok(())
    }
    fn test(&mut self, subset: &[u32], mode: Mode) -> TestRun {
        let (verdict, blocked_on) = match mode {
            Mode::Strict => (self.strict, None),
            Mode::Resynchronizing => {
                self.tests += 1;
                (self.rule)(&self.observed, subset)
            }
        };
        TestRun {
            verdict,
            detail: "interaction 3".into(),
            resynchronized: subset.len() < 10,
            notes: vec![],
            used_answers: subset.to_vec(),
            blocked_on: blocked_on.map(str::to_owned),
            ended_in: None,
            back_edges: 0,
            lines: subset.len() as u32,
            way: 0,
        }
    }
}

fn run(slice: &[u32], table: &mut Table, recorded: &[&str], stack: &[&str]) -> Vec<LevelResult> {
    run_by(Strategy::Grow, slice, table, recorded, stack)
}

fn run_by(
    strategy: Strategy,
    slice: &[u32],
    table: &mut Table,
    recorded: &[&str],
    stack: &[&str],
) -> Vec<LevelResult> {
    run_until(
        StopSignal::default(),
        strategy,
        slice,
        table,
        recorded,
        stack,
    )
}

fn run_until(
    stop: StopSignal,
    strategy: Strategy,
    slice: &[u32],
    table: &mut Table,
    recorded: &[&str],
    stack: &[&str],
) -> Vec<LevelResult> {
    let stack: Vec<String> = stack.iter().map(|s| (*s).to_owned()).collect();
    let specs = level_specs(&stack, &BTreeSet::new());
    let mut recording = Stub {
        slice: slice.to_vec(),
        own: None,
    };
    let recorded = names(recorded);
    let mut search = Search {
        recording: &mut recording,
        replayer: table,
        recorded: &recorded,
        failure: FAILURE,
        shows: None,
        strategy,
        direct: false,
        shrink: false,
        stop,
        likely: Vec::new(),
    };
    let of = specs.len();
    let level = |spec| search.level(spec, of, &mut ());
    specs.iter().map(level).collect()
}

fn needs(subset: &[u32], needed: &[u32]) -> Verdict {
    if needed.iter().all(|n| subset.contains(n)) {
        Verdict::Failing
    } else {
        Verdict::Passing
    }
}

#[test]
fn the_observed_set_grows_along_the_stack() {
    let stack = ["a/Field", "a/Chrono", "a/Field", "a/Main"].map(str::to_owned);
    let specs = level_specs(&stack, &BTreeSet::new());
    assert_eq!(specs.len(), 3);
    assert_eq!(specs[0].observed, names(&["a/Field"]));
    assert_eq!(specs[0].callers, names(&["a/Chrono", "a/Main"]));
    assert_eq!(specs[2].observed, names(&["a/Chrono", "a/Field", "a/Main"]));
    assert_eq!((specs[2].level, specs[2].joins.as_str()), (3, "a/Main"));
    assert!(specs[2].callers.is_empty());
    // What the lowest is given, another recorded class may have got wrong.
    assert_eq!(
        [false, true, true],
        [0, 1, 2].map(|i: usize| specs[i].by_test)
    );
}

#[test]
fn slice_then_minimize_and_keep_the_final_run() {
    let mut table = Table::new(|_, s| (needs(s, &[4, 9]), None));
    let results = run(&[2, 4, 6, 9], &mut table, &[], &["a/A"]);
    let result = &results[0];
    assert_eq!(result.strict_replay, StrictReplay::Reproduced);
    assert_eq!(
        (result.sliced.as_slice(), result.kept.as_slice()),
        ([2, 4, 6, 9].as_slice(), [4, 9].as_slice())
    );
    assert_eq!(
        result.used_answers,
        [4, 9],
        "answers of the run of the result"
    );
    assert!(result.resynchronized);
    assert_eq!(result.tally.tests, table.tests);
    assert_eq!(
        result
            .removals
            .iter()
            .map(|r| r.left_out)
            .collect::<Vec<_>>(),
        [4, 9]
    );
    assert_eq!(
        result
            .kept_interactions()
            .map(|i| i.member.name.as_str())
            .collect::<Vec<_>>(),
        ["m4", "m9"]
    );
}

#[test]
fn a_slice_that_does_not_fail_falls_back_to_everything() {
    let mut table = Table::new(|_, s| (needs(s, &[0, 9]), None));
    let results = run(&[4, 9], &mut table, &[], &["a/A"]);
    assert_eq!(results[0].kept, [0, 9]);
    assert_eq!(results[0].sliced.len(), 10);
    assert_eq!(results[0].notes.len(), 1);
    assert_eq!(
        results[0].tally.tests, table.tests,
        "the lost test of the slice is counted"
    );
}

#[test]
fn a_level_that_is_not_replayable_says_why_and_the_next_still_comes() {
    let mut table = Table::new(|_, s| (needs(s, &[9]), None));
    table.refuse = Some("a/B".into());
    let results = run(&[9], &mut table, &[], &["a/A", "a/B"]);
    assert_eq!(results[0].kept, [9]);
    assert_eq!(
        results[1].strict_replay,
        StrictReplay::NotReplayable(NotReproduced::NotLoaded(LoadError(
            "no bytes of a/B".into()
        )))
    );
    assert!(results[1].kept.is_empty() && results[1].tally.tests == 0);

    let mut table = Table::new(|_, s| (needs(s, &[9]), None));
    table.strict = Verdict::Unresolved(Unresolved::NoAlternative);
    let results = run(&[9], &mut table, &[], &["a/A", "a/B"]);
    let reason = StrictReplay::NotReplayable(NotReproduced::Unresolved {
        why: Unresolved::NoAlternative,
        detail: "interaction 3".into(),
    });
    assert_eq!(
        [&results[0].strict_replay, &results[1].strict_replay],
        [&reason, &reason]
    );
}

#[test]
fn a_level_that_fails_only_in_strict_mode_is_not_replayable() {
    let mut table = Table::new(|_, _| (Verdict::Unresolved(Unresolved::Harness), None));
    let results = run(&(0..10).collect::<Vec<_>>(), &mut table, &[], &["a/A"]);
    assert!(
        matches!(&results[0].strict_replay, StrictReplay::NotReplayable(r) if r.name() == "harness" && r.to_string().contains("could not be finished"))
    );
    assert_eq!(results[0].tally.tests, table.tests);
}

/// Leaving 3 out asks `a/Helper` something new unless it runs itself.
fn helper_is_asked(observed: &BTreeSet<String>, s: &[u32]) -> (Verdict, Option<&'static str>) {
    match needs(s, &[5, 9]) {
        Verdict::Failing if !s.contains(&3) && !observed.contains("a/Helper") => (
            Verdict::Unresolved(Unresolved::NeverRecorded),
            Some("a/Helper"),
        ),
        verdict => (verdict, None),
    }
}

#[test]
fn a_missing_answer_of_a_recorded_class_widens_the_level() {
    let mut table = Table::new(helper_is_asked);
    let results = run(
        &(0..10).collect::<Vec<_>>(),
        &mut table,
        &["a/A", "a/Helper", "a/Main"],
        &["a/A", "a/Main"],
    );
    let result = &results[0];
    assert!(result.widened);
    assert_eq!(result.kept, [5, 9]);
    assert_eq!(
        result.level.observed,
        names(&["a/A", "a/Helper"]),
        "callers stay outside"
    );
    assert_eq!(result.spec.observed, names(&["a/A"]));
    assert_eq!(
        results
            .iter()
            .map(|r| r.tally.tests + r.other_attempt_tests)
            .sum::<u64>(),
        table.tests
    );
    assert!(
        result
            .notes
            .iter()
            .any(|n| n.contains("2 calls are left instead of 3"))
    );
}

#[test]
fn callers_and_unrecorded_classes_do_not_widen() {
    let all: Vec<u32> = (0..10).collect();
    for recorded in [&["a/A"][..], &["a/A", "a/Helper"]] {
        let mut table = Table::new(helper_is_asked);
        let results = run(&all, &mut table, recorded, &["a/A", "a/Helper"]);
        assert!(!results[0].widened);
        assert_eq!(results[0].kept, [3, 5, 9]);
    }
}

#[test]
fn the_narrow_result_wins_a_tie() {
    let rule: Rule = |_, s| match needs(s, &[5, 9]) {
        Verdict::Passing => (
            Verdict::Unresolved(Unresolved::NoAlternative),
            Some("a/Helper"),
        ),
        verdict => (verdict, None),
    };
    let mut table = Table::new(rule);
    let results = run(
        &(0..10).collect::<Vec<_>>(),
        &mut table,
        &["a/A", "a/Helper"],
        &["a/A"],
    );
    assert!(!results[0].widened);
    assert_eq!(results[0].level.observed, names(&["a/A"]));
    assert!(
        results[0]
            .notes
            .iter()
            .any(|n| n.contains("which is no better"))
    );
}

#[test]
fn an_unreplayable_wide_level_leaves_the_narrow_one() {
    let mut table = Table::new(helper_is_asked);
    table.refuse = Some("a/Helper".into());
    let results = run(
        &(0..10).collect::<Vec<_>>(),
        &mut table,
        &["a/A", "a/Helper"],
        &["a/A"],
    );
    assert_eq!(
        (results[0].kept.as_slice(), results[0].widened),
        ([3, 5, 9].as_slice(), false)
    );
    assert!(
        results[0]
            .notes
            .iter()
            .any(|n| n.contains("no bytes of a/Helper"))
    );
}

#[test]
fn the_criterion_is_the_last_interaction_that_let_the_failure_out() {
    let mut level = level_of(&names(&["a/A"]), 5);
    level.interactions[2].outcome = Outcome::Throw(FAILURE);
    level.interactions[4].outcome = Outcome::Return(None);
    assert_eq!(criterion(&level, FAILURE, None), Some(2));
    level.interactions[3].outcome = Outcome::Throw(7);
    assert_eq!(criterion(&level, FAILURE, None), Some(2));
    assert_eq!(
        criterion(&level, 1234, None),
        Some(3),
        "wrapped on its way out"
    );
    assert_eq!(criterion(&Level::default(), FAILURE, None), None);
}

#[test]
fn both_searches_end_in_the_same_and_the_figures_of_ddmin_come_on_demand() {
    let rule: Rule = |_, s| (needs(s, &[4, 9]), None);
    let all: Vec<u32> = (0..10).collect();
    let by = |strategy| {
        let mut table = Table::new(rule);
        let result = run_by(strategy, &all, &mut table, &[], &["a/A"]).remove(0);
        assert_eq!(result.kept, [4, 9]);
        (result, table.tests)
    };
    let (grown, _) = by(Strategy::Grow);
    let (plain, plain_tests) = by(Strategy::Ddmin);
    let (both, both_tests) = by(Strategy::Both);
    assert_eq!((grown.plain, plain.plain), (None, None));
    assert_eq!(plain.tally.tests, plain_tests);
    assert_eq!(both.tally, grown.tally);
    let figures = both.plain.unwrap();
    assert_eq!((figures.tests, figures.kept), (plain_tests, 2));
    assert_eq!(grown.tally.tests + figures.tests, both_tests);
    assert!(grown.tally.tests <= plain_tests);
    let (probable, probable_tests) = by(Strategy::ProbDd);
    let (all_three, all_tests) = by(Strategy::All);
    assert_eq!(
        (all_three.tally, all_three.plain.map(|p| p.tests)),
        (both.tally, Some(plain_tests))
    );
    assert_eq!(
        all_three.probdd.map(|p| (p.tests, p.kept)),
        Some((probable_tests, 2))
    );
    assert_eq!(probable.tally.tests, probable_tests);
    assert_eq!(all_tests, both_tests + probable_tests);
}

#[test]
fn what_is_left_of_one_level_is_tried_first_on_the_next() {
    let rule: Rule = |_, s| (needs(s, &[1, 9]), None);
    let all: Vec<u32> = (0..10).collect();
    for strategy in [Strategy::Grow, Strategy::ProbDd] {
        let mut table = Table::new(rule);
        let results = run_by(strategy, &all, &mut table, &[], &["a/A", "a/B"]);
        assert_eq!(
            (results[0].kept.as_slice(), results[1].kept.as_slice()),
            ([1, 9].as_slice(), [1, 9].as_slice())
        );
        assert!(results[1].tally.tests < results[0].tally.tests);
    }
}

#[test]
fn a_search_that_is_stopped_ends_with_what_fails_so_far() {
    static WISH: AtomicBool = AtomicBool::new(false);
    let all: Vec<u32> = (0..10).collect();
    for strategy in [Strategy::Grow, Strategy::Ddmin, Strategy::ProbDd] {
        WISH.store(false, Ordering::Relaxed);
        // The wish comes with the first test that fails.
        let mut table = Table::new(|_, s| {
            let verdict = needs(s, &[2, 4, 9]);
            if verdict == Verdict::Failing {
                WISH.store(true, Ordering::Relaxed);
            }
            (verdict, None)
        });
        let stop = StopSignal::new(Some(&WISH), None);
        let results = run_until(stop, strategy, &all, &mut table, &[], &["a/A"]);
        let result = &results[0];
        assert_eq!(result.stopped, Some(StopReason::Interrupted));
        assert_eq!(needs(&result.kept, &[2, 4, 9]), Verdict::Failing);
        assert_eq!(result.used_answers, result.kept);
        assert_eq!(result.tally.tests, table.tests, "no test came afterwards");
        let untested = Verdict::Untested;
        assert!(result.removals.iter().any(|r| r.verdict == untested));
    }
}

#[test]
fn without_time_for_a_test_nothing_is_left_and_nothing_is_claimed() {
    let mut table = Table::new(|_, s| (needs(s, &[9]), None));
    let stop = StopSignal::new(None, Some(Duration::ZERO));
    let results = run_until(stop, Strategy::Grow, &[9], &mut table, &[], &["a/A"]);
    assert_eq!(results[0].stopped, Some(StopReason::Budget));
    assert_eq!(results[0].strict_replay, StrictReplay::Reproduced);
    assert!(results[0].kept.is_empty());
    assert_eq!(table.tests, 0);
}

#[test]
fn lines_are_counted_with_everything_and_with_what_is_left() {
    let all: Vec<u32> = (0..10).collect();
    let counted = |has_lines| {
        let mut table = Table::new(|_, s| (needs(s, &[4, 9]), None));
        table.has_lines = has_lines;
        let result = run(&all, &mut table, &[], &["a/A"]).remove(0);
        (result.lines_recorded, result.lines_executed)
    };
    assert_eq!(counted(true), (Some(10), Some(2)));
    assert_eq!(counted(false), (None, None));
}

/// What another test of the suite did may wait for ever.
#[test]
fn for_real_nothing_of_another_test_is_run() {
    let rule: Rule = |_, s| {
        assert!(s.iter().all(|no| *no >= 6), "{s:?}");
        (needs(s, &[7, 9]), None)
    };
    let mut table = Table::new(rule);
    table.has_lines = true;
    let mut recording = Stub {
        slice: (0..10).collect(),
        own: Some((6..10).collect()),
    };
    let recorded = names(&["a/A"]);
    let mut search = Search {
        recording: &mut recording,
        replayer: &mut table,
        recorded: &recorded,
        failure: FAILURE,
        shows: None,
        strategy: Strategy::Grow,
        direct: true,
        shrink: false,
        stop: StopSignal::default(),
        likely: Vec::new(),
    };
    let spec = level_specs(&["a/A".to_owned()], &BTreeSet::new()).remove(0);
    let result = search.level(&spec, 1, &mut ());
    assert_eq!(result.kept, [7, 9]);
    assert_eq!(
        (result.lines_recorded, result.lines_executed),
        (Some(4), Some(2))
    );
}
