//! What a rolling history tells, against the history that is kept whole.

use jinsi_trace::model::{Event, EventId, EventKind, Payload, Site, SiteNo, Value};
use proptest::prelude::*;

use super::*;
use crate::script::history;
use crate::{Moment, Outcome};

/// Calls that become one with their callees, some behind a class initializer; accesses by others; exceptions.
const RUN: &str = "
    class A
    class B
    env E
    throwable #9 java.lang.ArithmeticException at B.m
    obj #1 B
    s> A.main()V
      new B(I)V 5
        > B.<init>(I)V 5
          this #1
        <
      ret #1
      call B.m(I)I #1 7
        s> B.<clinit>()V
          puts B.n:I 3
        <
        by E get B.f:I #1 5
        > B.m(I)I #1 7
          put B.f:I #1 6
          light A.one()V
            > A.one()V #1
            <
          retlight
          calls E.run(I)V 1
            > B.back(I)V #1 3
            <! #9
        <! #9
      catch #9
    <
    uncaught #9";

/// All that is reported of a node, with moments in place of numbers.
#[derive(Clone, Debug, PartialEq)]
struct Row {
    begin: Moment,
    thread: ThreadNo,
    kind: NodeKind,
    sites: (SiteNo, Option<SiteNo>),
    parent: Option<Moment>,
    close: Option<Moment>,
    outcome: Outcome,
    receiver: Value,
    args: Vec<Value>,
    depth: u32,
}

fn row(history: &History, node: NodeNo, thread: ThreadNo, depth: u32) -> Row {
    let of = history.node(node);
    let outcome = history.outcome(node);
    Row {
        begin: of.begin,
        thread,
        kind: of.kind,
        sites: (of.site, of.call_site),
        parent: of.parent.map(|parent| history.node(parent).begin),
        close: (outcome != Outcome::Open).then_some(of.close),
        outcome,
        receiver: history.receiver(node).clone(),
        args: history.args(node).to_vec(),
        depth,
    }
}

fn whole(history: &History) -> Vec<Row> {
    let depth = |node| {
        let above = std::iter::successors(history.parent(node), |at| history.parent(*at));
        let activations = above.filter(|at| history.node(*at).kind == NodeKind::Activation);
        activations.count() as u32
    };
    let rows = history.numbers();
    rows.map(|node| row(history, node, history.thread_of(node), depth(node)))
        .collect()
}

proptest! {
    /// However the events are shuffled, and whenever what is over is forgotten.
    #[test]
    fn what_is_over_is_reported_as_in_the_whole_history(
        picks in proptest::collection::vec((0usize..40, 0u64..4, 0u32..3), 0..160),
        in_order in any::<bool>(),
        most in 1usize..12,
    ) {
        let tables = history(RUN).tables().clone();
        let sites = (1..60).filter_map(|no| tables.site(SiteNo::new(no)?).cloned());
        let sites: Vec<Site> = sites.collect();
        let mut indexes = [0; 3];
        let merged = picks.iter().enumerate().map(|(at, &(pick, id, thread))| {
            let thread = if in_order { (at / 20 % 3) as u32 } else { thread };
            let pick = if in_order { at } else { pick };
            let site = &sites[pick % sites.len()];
            let index = indexes[thread as usize];
            indexes[thread as usize] += 1;
            let payload = Payload::Operands(vec![Value::Object(1); id as usize]);
            Merged { thread, index, event: Event { kind: site.kind, site: Some(site.no), payload } }
        });
        let merged: Vec<Merged> = merged.collect();
        let kept = History::build_merged(tables.clone(), merged.clone()).unwrap();
        let first = merged.first().map_or(0, |merged| merged.thread);
        let mut rolling = Rolling::keeping(tables, first, most);
        let mut rows = Vec::new();
        let mut over = |history: &History, reported: Over| rows.push(row(history, reported.node, reported.thread, reported.depth));
        for merged in merged {
            let at = EventId { thread: merged.thread, index: merged.index };
            rolling.event(merged, &mut over).unwrap();
            prop_assert_eq!(rolling.history().event_at(rolling.history().last_moment()), Some(at));
        }
        rolling.finish(&mut over);
        prop_assert!(rolling.history().is_empty());
        rows.sort_by_key(|row| row.begin);
        let mut expected = whole(&kept);
        expected.sort_by_key(|row| row.begin);
        prop_assert_eq!(rows, expected);
        prop_assert_eq!(rolling.history().anomalies(), kept.anomalies());
    }
}

/// A long run of short calls within one that stays open.
#[test]
fn what_is_over_takes_no_room() {
    let tables = history(RUN).tables().clone();
    let sites = (1..60).filter_map(|no| tables.site(SiteNo::new(no)?).cloned());
    let sites: Vec<Site> = sites.collect();
    let site = |kind, method| {
        let found = sites
            .iter()
            .find(|site| site.kind == kind && site.method == method);
        found.unwrap().no
    };
    let event = |index, kind, method, values| Merged {
        thread: 0,
        index,
        event: Event {
            kind,
            site: Some(site(kind, method)),
            payload: Payload::Operands(values),
        },
    };
    let mut rolling = Rolling::keeping(tables.clone(), 0, 100);
    let mut reported = 0;
    let mut over = |_: &History, _: Over| reported += 1;
    let main = event(0, EventKind::Enter, "main", Vec::new());
    rolling.event(main, &mut over).unwrap();
    for call in 0..10_000 {
        let given = vec![Value::Object(1)];
        let begins = event(2 * call + 1, EventKind::Enter, "one", given);
        let ends = event(2 * call + 2, EventKind::Exit, "one", Vec::new());
        rolling.event(begins, &mut over).unwrap();
        rolling.event(ends, &mut over).unwrap();
        assert!(rolling.history().len() <= 100);
    }
    rolling.finish(&mut over);
    assert_eq!(reported, 10_001);
}
