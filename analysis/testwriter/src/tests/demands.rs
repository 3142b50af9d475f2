//! What the recorded test demanded of a value, in place of which another one came.

use std::collections::BTreeSet;

use jinsi_oracle::assertion::Assertion;
use jinsi_oracle::{
    Demand, Expected, FoundBy, GivenOn, Oracle, Sources, Term, WantedException, WrongValue,
};
use jinsi_trace::model::{MemberRef, Value};

use super::compile::assert_compiles;
use super::scene::*;
use super::{ANY, Form, Written, body, first};
use jinsi_level::NodeNo;

const EVERY: &str = "a/Box.every ()Ljava/util/List;";

/// `box.every()` is wrong, and the test demanded this of it.
fn demanding(demand: Option<Demand>, expected: Expected) -> String {
    let mut s = Scene::new();
    let members = [(PUBLIC, "<init> ()V"), (PUBLIC, "every ()Ljava/util/List;")];
    s.class("a/Box", PUBLIC, "java/lang/Object", &members);
    s.make(1, "a/Box", "()V", vec![]);
    s.list(13, "java/util/ArrayList", vec![text("x")]);
    s.call_gives(1, EVERY, vec![], obj(13));
    let wrong = WrongValue {
        sources: Sources::default(),
        node: NodeNo::from_index(0),
        value: obj(13),
        text: Some("[x]".into()),
        element: None,
        expected,
        assertion: Assertion {
            expected: None,
            actual: None,
            condition: false,
            index: None,
        },
        compared: None,
        demand,
        found: FoundBy::Shown,
        callers: BTreeSet::new(),
    };
    s.oracle = Oracle::Value(Box::new(wrong));
    let written = s.write(&[1, 2], ANY);
    assert_compiles(&written, 0);
    let body = body(first(&written, Form::Plain));
    let lines: Vec<&str> = body.lines().map(str::trim).collect();
    lines[lines.len() - 3].to_owned()
}

fn of_list(name: &str, desc: &str, args: Vec<Term>) -> Term {
    Term::Call {
        member: MemberRef {
            owner: "java/util/List".into(),
            name: name.into(),
            desc: desc.into(),
        },
        receiver: Some(Box::new(Term::Delivered)),
        args,
    }
}

#[test]
fn the_test_demands_what_the_recorded_one_did() {
    let size = || of_list("size", "()I", vec![]);
    let literal = |value: Value| Term::Literal(value);
    let texts = |class: &str| Term::Elements {
        class: class.into(),
        items: vec![literal(text("a")), literal(text("b"))],
    };
    let object = "(Ljava/lang/Object;)Z";
    let equal = |actual, expected| Demand::Equal { actual, expected };
    for (demand, wanted) in [
        (
            equal(size(), literal(int(2))),
            "Assertions.assertEquals(2, new Box().every().size());",
        ),
        (
            equal(Term::Delivered, texts("java/util/ArrayList")),
            "Assertions.assertEquals(List.of(\"a\", \"b\"), box.every());",
        ),
        (
            Demand::Holds {
                actual: of_list("contains", object, vec![literal(text("a"))]),
                wanted: true,
            },
            "Assertions.assertTrue(new Box().every().contains(\"a\"));",
        ),
        (
            Demand::Null {
                actual: Term::Delivered,
                wanted: true,
            },
            "Assertions.assertNull(new Box().every());",
        ),
        (
            Demand::InstanceOf {
                actual: of_list("get", "(I)Ljava/lang/Object;", vec![literal(int(0))]),
                wanted: "java/lang/Integer".into(),
            },
            "Assertions.assertInstanceOf(Integer.class, new Box().every().get(0));",
        ),
        (
            Demand::Differs {
                actual: size(),
                from: int(1),
            },
            "Assertions.assertNotEquals(1, new Box().every().size());",
        ),
        (
            Demand::Throws(WantedException::of("java/io/IOException".into())),
            "Assertions.assertThrows(IOException.class, () -> box.every());",
        ),
        (Demand::Stated(size()), "new Box().every().size();"),
    ] {
        assert_eq!(demanding(Some(demand), Expected::Unknown), wanted);
    }
}

#[test]
fn what_should_have_been_is_asserted_by_its_text() {
    assert_eq!(
        demanding(None, Expected::Text("[y]".into())),
        "Assertions.assertEquals(\"[y]\", String.valueOf(new Box().every()));"
    );
}

/// `box.half(box.size())` gave 2, of which the test demanded this; the second call is number 1, the third 2.
fn gives_on(demand: Option<Demand>, given: Vec<GivenOn>, nodes: Vec<NodeNo>) -> Written {
    let mut s = Scene::new();
    let members = [
        (PUBLIC, "<init> ()V"),
        (PUBLIC, "size ()I"),
        (PUBLIC, "half (I)I"),
    ];
    s.class("a/Box", PUBLIC, "java/lang/Object", &members);
    s.make(1, "a/Box", "()V", vec![]);
    s.call_gives(1, "a/Box.size ()I", vec![], int(4));
    s.call_gives(1, "a/Box.half (I)I", vec![int(4)], int(2));
    let wrong = WrongValue {
        sources: Sources { nodes, given },
        node: NodeNo::from_index(2),
        value: int(2),
        text: Some("2".into()),
        element: None,
        expected: Expected::Unknown,
        assertion: Assertion {
            expected: None,
            actual: None,
            condition: false,
            index: None,
        },
        compared: None,
        demand,
        found: FoundBy::Asserted,
        callers: BTreeSet::new(),
    };
    s.oracle = Oracle::Value(Box::new(wrong));
    s.write(&[1, 2, 3], ANY)
}

#[test]
fn what_the_test_gave_on_is_a_call() {
    let size = NodeNo::from_index(1);
    let equal = |expected| {
        Some(Demand::Equal {
            actual: Term::Delivered,
            expected,
        })
    };
    let given = GivenOn {
        node: NodeNo::from_index(2),
        index: 0,
        term: Term::Result(size),
    };
    let three = || equal(Term::Literal(int(3)));
    for (demand, given, nodes, wanted) in [
        (three(), vec![], vec![], "assertEquals(3, box.half(4));"),
        (
            three(),
            vec![given.clone()],
            vec![size],
            "assertEquals(3, box.half(box.size()));",
        ),
        (
            equal(Term::Result(size)),
            vec![],
            vec![size],
            "assertEquals(box.size(), box.half(4));",
        ),
        // Two uses of one result need a variable.
        (
            equal(Term::Result(size)),
            vec![given],
            vec![size],
            "int expected = box.size();\n        Assertions.assertEquals(expected, box.half(expected));",
        ),
    ] {
        let written = gives_on(demand, given, nodes);
        let plain = body(first(&written, Form::Plain));
        assert!(plain.contains(wanted), "{plain}");
        assert_compiles(&written, 0);
    }
}

#[test]
fn what_is_compared_with_a_call_that_is_not_there_is_not_written() {
    let elsewhere = NodeNo::from_index(9);
    let demand = Demand::Equal {
        actual: Term::Delivered,
        expected: Term::Result(elsewhere),
    };
    let written = gives_on(Some(demand), vec![], vec![elsewhere]);
    assert!(written.candidates.iter().all(|c| c.form != Form::Plain));
}
