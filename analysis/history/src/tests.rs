//! Histories of small streams written by hand.

use jinsi_trace::model::{ClassNo, Content, Event, EventKind, Payload, SiteNo, Value};
use proptest::prelude::*;

use super::script::{history, value};
use super::{Entity, History, NodeKind, Tables};
use crate::{Moment, NodeNo, Outcome};
use jinsi_natural::Natural;

/// The moment of the event `n`, from 1.
fn at(n: u64) -> Moment {
    Moment::of(n - 1).unwrap()
}

fn no(n: usize) -> NodeNo {
    NodeNo::from_index(n)
}

/// `A.m` or `m*` (call without a recorded callee), nested by parentheses, with its outcome if that is an exception.
fn shape(h: &History) -> String {
    fn node(h: &History, n: NodeNo, out: &mut String) {
        let member = h.member(n).unwrap();
        let thrown = match h.outcome(n) {
            Outcome::Throw(id) => format!("!{id}"),
            Outcome::Open => "?".to_owned(),
            Outcome::Return(_) => String::new(),
        };
        match h.node(n).kind {
            NodeKind::Call => out.push_str(&format!("{}*{thrown}", member.name)),
            _ => out.push_str(&format!("{}.{}{thrown}", h.entity_class(n), member.name)),
        }
        let mut children = h.children(n).peekable();
        if children.peek().is_some() {
            out.push('(');
            for (i, child) in children.enumerate() {
                out.push_str(if i > 0 { " " } else { "" });
                node(h, child, out);
            }
            out.push(')');
        }
    }
    let mut out = String::new();
    let mut at = NodeNo::FIRST;
    while at.index() < h.len() {
        out.push_str(if at > NodeNo::FIRST { " " } else { "" });
        node(h, at, &mut out);
        at = h.node(at).end;
    }
    out
}

#[test]
fn a_recorded_call_and_its_activation_are_one() {
    let h = history(
        "class A
         class B
         s> A.main()V
           new B(I)V 5
             > B.<init>(I)V 5
               obj #1 B
               this #1
             <
           ret #1
           call B.m(I)I #1 7
             s> B.<clinit>()V
             <
             > B.m(I)I #1 7
             < 8
           ret 8
         <",
    );
    assert_eq!(h.anomalies(), 0);
    assert_eq!(shape(&h), "A.main(B.<init> B.m(B.<clinit>))");
    assert_eq!(h.outcome(no(1)), Outcome::Return(Some(value("#1"))));
    assert_eq!(h.outcome(no(2)), Outcome::Return(Some(value("8"))));
    assert_eq!(h.call_site(no(2)).unwrap().target.name, "m");
    assert_eq!(h.entity(no(1)), Entity::Object(1));
    assert_eq!(h.source(no(1)), h.entity(no(0)));
}

#[test]
fn an_activation_below_another_method_is_a_call_back() {
    let h = history(
        "class A
         obj #1 A
         obj #2 A
         s> A.main()V
           obj #3 java/util/TreeSet
           call java/util/TreeSet.add(Ljava/lang/Object;)Z #3 #1
             > A.compareTo(Ljava/lang/Object;)I #1 #2
             < 0
           ret true
         <",
    );
    assert_eq!(h.anomalies(), 0);
    assert_eq!(h.len(), 3);
    assert_eq!(h.node(no(1)).kind, NodeKind::Call);
    assert_eq!(
        (h.node(no(2)).parent, h.node(no(2)).call_site),
        (Some(no(1)), None)
    );
}

#[test]
fn calls_of_the_same_name_with_other_arguments_are_not_merged() {
    let h = history(
        "class A
         obj #1 A
         obj #2 A
         > A.m(I)V #1 1
           call A.m(I)V #2 2
             > A.m(I)V #1 3
             <
             > A.m(I)V #2 2
             <
           ret
         <",
    );
    // The first activation in the call is not its callee, so the call has run something else: neither is merged.
    assert_eq!(h.len(), 4);
    assert_eq!(h.node(no(1)).kind, NodeKind::Call);
}

#[test]
fn light_calls_only_locate() {
    let h = history(
        "class A
         class B
         s> A.main()V
           lightnew B()V
             > B.<init>()V
               obj #1 B
               this #1
             <
           light B.m()V
             > B.m()V #1
             <
           retlight
           light B.m()V
         <",
    );
    assert_eq!(h.anomalies(), 0);
    assert_eq!(shape(&h), "A.main(B.<init> B.m)");
    assert_eq!(h.call_site(no(1)).unwrap().target.owner, "B");
    assert!(h.call_site(no(2)).is_some());
    assert!(!h.continues_construction(no(1)));
}

#[test]
fn constructor_chains_are_one_object() {
    let h = history(
        "class A
         class B : A
         s> B.main()V
           lightnew B(I)V
             > B.<init>(I)V 1
               > A.<init>()V
                 obj #4 B
                 this #4
                 call java/io/PrintStream.println()V #4
                 ret
               <
               this #4
             <
         <",
    );
    assert_eq!(h.anomalies(), 0);
    assert_eq!(shape(&h), "B.main(B.<init>(B.<init>(println*)))");
    assert!(h.continues_construction(no(2)));
    assert_eq!(h.source(no(3)), Entity::Object(4));
}

#[test]
fn an_object_whose_construction_fails_early_is_of_the_class_constructed() {
    let h = history(
        "class A
         class B : A
         throwable #9 java.lang.Error at A.<init>
         s> B.main()V
           new B()V
             > B.<init>()V
               > A.<init>()V
               <! #9
             <! #9
           catch #9
         <",
    );
    assert_eq!(h.anomalies(), 0);
    assert_eq!(shape(&h), "B.main(B.<init>!9(B.<init>!9))");
    assert_eq!(h.entity(no(2)), Entity::Unborn(no(1)));
}

#[test]
fn exceptions_end_the_calls_they_pass() {
    let h = history(
        "class A
         throwable #9 java.lang.Error at A.m
         obj #1 A
         s> A.main()V
           call java/util/List.forEach()V #1
             > A.m()V #1
               calls java/lang/System.gc()V
             <! #9
           catch #9
           call A.n()V #1
           ret
         <",
    );
    assert_eq!(h.anomalies(), 0);
    assert_eq!(shape(&h), "A.main(forEach*!9(A.m!9(gc*!9)) n*)");
}

#[test]
fn what_is_open_at_the_end_stays_open() {
    let h = history("class A\n s> A.main()V\n calls java/lang/System.exit(I)V 1");
    assert_eq!(h.anomalies(), 0);
    assert_eq!(
        (h.outcome(no(0)), h.outcome(no(1))),
        (Outcome::Open, Outcome::Open)
    );
    assert_eq!(h.node(no(0)).end, no(2));
}

#[test]
fn missing_ends_are_repaired_and_counted() {
    let h = history(
        "class A
         class B
         s> A.main()V
           calls B.m()V
             s> B.m()V
               calls java/lang/System.gc()V",
    );
    assert_eq!(h.anomalies(), 0);
    let script = "class A
         class B
         s> A.main()V
           calls B.m()V
             s> B.m()V
             <
           calls B.n()V
           gets B.f:I 1
         <
         s> A.main()V
         <";
    let h = history(script);
    // `B.m`'s CallExit never came (its end is known); `B.n`'s did not either, and its end is not.
    assert_eq!(h.anomalies(), 1);
    assert_eq!(h.outcome(no(1)), Outcome::Return(None));
    assert_eq!(h.outcome(no(2)), Outcome::Open);
    assert_eq!(h.node(no(3)).parent, Some(no(0)));
}

#[test]
fn arrays_fold_contents_stores_and_copies() {
    let h = history(
        "class A
         s> A.main()V                                        // 1
           arr #1 [I 3                                       // 2
           store #1 1 5                                      // 3
           content #1 array 7 8 9                            // 4
           store #1 0 1                                      // 5
           content #1 array 1 8 9                            // 6
           arr #2 [I 4                                       // 7
           calls java/lang/System.arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V #1 0 #2 2 2   // 8
           ret                                               // 9
         <",
    );
    let ints = |v: &[&str]| Some(Content::Array(v.iter().map(|w| value(w)).collect()));
    assert_eq!(h.array_at(1, at(2)), ints(&["0", "0", "0"]));
    assert_eq!(h.array_at(1, at(3)), ints(&["0", "5", "0"]));
    assert_eq!(h.array_at(1, at(5)), ints(&["1", "8", "9"]));
    assert_eq!(h.array_at(2, at(8)), ints(&["0", "0", "0", "0"]));
    assert_eq!(h.array_at(2, at(9)), ints(&["0", "0", "1", "8"]));
    let explained: Vec<bool> = h.snapshots().iter().map(|s| s.explained).collect();
    assert_eq!(explained, [false, true]);
}

#[test]
fn operations_on_a_natural_object_include_those_on_its_views() {
    let h = history(
        "class A
         s> A.main()V
           new java/util/ArrayList()V
           obj #1 java/util/ArrayList
           ret #1
           call java/util/List.add(Ljava/lang/Object;)Z #1 \"x\"
           ret true
           obj #2 java/util/ArrayList$Itr
           call java/util/List.iterator()Ljava/util/Iterator; #1
           ret #2
           obj #3 java/util/HashMap
           new java/util/HashMap()V
           ret #3
           call java/util/Iterator.next()Ljava/lang/Object; #2
           ret \"x\"
           call java/util/Iterator.remove()V #2
           ret
         <",
    );
    let natural = Natural::default();
    let names = |id, from, to| -> Vec<String> {
        let ops = h.natural_ops(&natural, id, from, to);
        ops.iter()
            .map(|&n| h.member(n).unwrap().name.into())
            .collect()
    };
    let all = h.last_moment();
    assert_eq!(
        names(1, Moment::BEGINNING, all),
        ["<init>", "add", "iterator", "next", "remove"]
    );
    assert_eq!(names(1, Moment::BEGINNING, at(6)), ["<init>", "add"]);
    assert_eq!(
        names(2, Moment::BEGINNING, all),
        ["iterator", "next", "remove"]
    );
}

#[test]
fn what_a_static_field_holds_is_made_by_reading_it() {
    let h = history(
        "class A
         s> A.main()V
           obj #1 java/lang/String$CaseInsensitiveComparator
           gets java/lang/String.CASE_INSENSITIVE_ORDER:Ljava/util/Comparator; #1
           obj #2 A
           gets A.one:LA; #2
         <",
    );
    let all = Natural::all_but(["A"].into_iter());
    let ops = |id| h.natural_ops(&all, id, Moment::BEGINNING, h.last_moment());
    let names: Vec<_> = ops(1).iter().map(|&n| h.member(n).unwrap().name).collect();
    assert_eq!(names, ["CASE_INSENSITIVE_ORDER"]);
    // What was recorded is no operation.
    assert_eq!(ops(2), []);
}

const CRASH: &str = "
    class Main
    class P
    class Q : P
    class Z
    throwable #9 java.lang.ArithmeticException at Z.add
    obj #1 Z
    s> Main.main()V
      lightnew Q()V
        > Q.<init>()V
          > P.<init>()V
            obj #2 Q
            this #2
            light Z.diff()V
              > Z.diff()V #1
                light Z.add()V
                > Z.add()V #1
                <! #9
              <! #9
          <! #9
        <! #9
    <! #9
    uncaught #9";

proptest! {
    /// Any shuffling and loss of events gives a well-formed tree, and never a panic.
    #[test]
    fn damaged_streams_give_well_formed_trees(picks in proptest::collection::vec((0usize..30, 0u64..4), 0..120)) {
        let whole = history(CRASH);
        let tables: Tables = whole.tables().clone();
        let sites: Vec<_> = (1..40).filter_map(|no| tables.site(SiteNo::new(no)?).cloned()).collect();
        let events = picks.iter().map(|&(at, id)| match sites.get(at) {
            Some(site) => Event { kind: site.kind, site: Some(site.no), payload: Payload::Operands(vec![Value::Object(id); id as usize]) },
            None => Event { kind: EventKind::Define, site: None, payload: Payload::Define { id, class: ClassNo::FIRST, length: Some(3) } },
        });
        let h = History::build(tables.clone(), 0, events).unwrap();
        for (n, node) in h.nodes() {
            prop_assert!(node.end > n && node.end.index() <= h.len() && node.close >= node.begin);
            if let Some(parent) = h.parent(n) {
                prop_assert!(parent < n && node.end <= h.node(parent).end);
            }
            let _ = (h.entity(n), h.entity_class(n), h.outcome(n), h.args(n), h.source(n));
        }
    }
}

/// An access by the environment is inside whatever is open, and neither ends nor is it anything's own.
#[test]
fn accesses_by_the_environment_end_nothing() {
    let h = history(
        "class A
         env E
         obj #1 A
         by E put A.f:I #1 5
         s> A.main()V
           calls E.run(I)V 1
             by E get A.f:I #1 5
             by E puts A.g:I 2
             > A.back(I)V #1 3
             <
             by E gets A.g:I 2
           ret
           light A.m()V
             by E put A.f:I #1 6
             > A.m()V #1
             <
           retlight
         <
         by E get A.f:I #1 6",
    );
    assert_eq!(h.anomalies(), 0);
    assert_eq!(
        shape(&h),
        "E.f A.main(run*(E.f E.g A.back E.g) E.f A.m) E.f"
    );
    for n in h.numbers().filter(|&n| h.by_outside(n)) {
        assert_eq!(h.source(n), Entity::Outside);
    }
    assert_eq!(h.site(no(7)).unwrap().target.name, "f");
    assert_ne!(
        h.node(no(8)).call_site,
        None,
        "the light call still leads to it"
    );
}

#[test]
fn what_changes_and_what_a_reflective_object_stands_for_is_no_value() {
    let h = history(
        "class A
         obj #1 java/lang/reflect/Field
         content #1 text A.f:I
         obj #2 java/math/BigDecimal
         content #2 text 1.5
         obj #3 java/lang/StringBuilder
         content #3 text 1.5
         s> A.main()V
         <",
    );
    // Others may append to it.
    assert_eq!(h.value_text(3), None);
    assert_eq!(h.member_text(1).as_deref(), Some("A.f:I"));
    assert_eq!(h.value_text(1), None);
    assert_eq!(h.value_text(2).as_deref(), Some("1.5"));
    assert_eq!(h.member_text(2), None);
}
