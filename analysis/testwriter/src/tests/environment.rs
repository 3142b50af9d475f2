//! Tests that stand in for the environment: stubs, replaced static methods, scripts.

use jinsi_trace::model::{Prim, Value};

use super::super::Promise;
use super::compile::assert_compiles;
use super::scene::*;
use super::{ANY, Form, body, first};
use jinsi_level::{Operation, Outcome, Role};

/// A class under test that sums the rows which its source gives, and what may go wrong with them.
fn sum_of_rows() -> Scene {
    let mut s = Scene::new();
    let object = "java/lang/Object";
    let query = (PUBLIC, "query (Ljava/lang/String;)Lorders/Rows;");
    let rows = [
        (PUBLIC, "next ()Z"),
        (PUBLIC, "price (Ljava/lang/String;)F"),
        (PUBLIC, "at (Lorders/Statistics;J)I"),
        (PUBLIC, "log ()V"),
        (PUBLIC, "close ()V throws java/io/IOException"),
    ];
    let statistics = [(PUBLIC, "<init> ()V"), (PUBLIC, "sum (Lorders/Source;)F")];
    let lost = (PUBLIC, "<init> (Ljava/lang/String;)V");
    s.class("orders/Source", PUBLIC, object, &[query])
        .class("orders/Rows", PUBLIC, object, &rows)
        .class("orders/Statistics", PUBLIC, object, &statistics)
        .class("orders/Lost", PUBLIC, "java/io/IOException", &[lost]);
    s
}

#[test]
fn stubs_of_mockito() {
    let mut s = sum_of_rows();
    s.mock(5, "orders/Source")
        .mock(6, "orders/Rows")
        .throwable(7, "orders/Lost", Some("gone"));
    s.make(1, "orders/Statistics", "()V", vec![]);
    let sum = "orders/Statistics.sum (Lorders/Source;)F";
    s.call_fails(1, sum, vec![obj(5)]);
    let query = "orders/Source.query (Ljava/lang/String;)Lorders/Rows;";
    s.answer_gives(5, query, vec![text("all")], obj(6));
    let next = "orders/Rows.next ()Z";
    s.answer_gives(6, next, vec![], boolean(true));
    let price = "orders/Rows.price (Ljava/lang/String;)F";
    let total = Value::Prim(Prim::Float(1.3));
    s.answer_gives(6, price, vec![text("total")], total);
    s.answer_gives(6, next, vec![], boolean(false));
    let at = "orders/Rows.at (Lorders/Statistics;J)I";
    s.answer_gives(6, at, vec![obj(1), long(1)], int(4));
    for (target, outcome) in [
        ("orders/Rows.log ()V", Outcome::Return(None)),
        ("orders/Rows.close ()V", Outcome::Throw(7)),
    ] {
        s.answer(Operation::Call, target, obj(6), vec![], outcome);
    }
    let written = s.write(&[1, 2], ANY);
    insta::assert_snapshot!(first(&written, Form::Mockito).source);
    assert_compiles(&written, 0);
}

/// A stand-in that only a static method is asked about, as at the lowest level of JOD-3.
fn sum_in_units() -> Scene {
    let mut s = Scene::new();
    let object = "java/lang/Object";
    let coarse = (PUBLIC | STATIC, "coarse (Lorders/Source;)Z");
    let statistics = [(PUBLIC, "<init> ()V"), (PUBLIC, "sum (Lorders/Source;)F")];
    s.class("orders/Source", PUBLIC, object, &[(PUBLIC, "size ()J")])
        .class("orders/Units", PUBLIC, object, &[coarse])
        .class("orders/Statistics", PUBLIC, object, &statistics);
    s.mock(5, "orders/Source");
    s.make(1, "orders/Statistics", "()V", vec![]);
    let sum = "orders/Statistics.sum (Lorders/Source;)F";
    s.call_fails(1, sum, vec![obj(5)]);
    s.answer_gives(5, "orders/Source.size ()J", vec![], long(3));
    let coarse = "orders/Units.coarse (Lorders/Source;)Z";
    s.static_answer_gives(coarse, vec![obj(5)], boolean(true));
    s.static_answer_gives(coarse, vec![obj(5)], boolean(false));
    s
}

#[test]
fn static_methods_of_the_environment_are_replaced() {
    let written = sum_in_units().write(&[1, 2], ANY);
    insta::assert_snapshot!(body(first(&written, Form::Mockito)));
    assert_compiles(&written, 0);
}

#[test]
fn static_methods_of_the_jdk_take_the_replay_form() {
    let mut s = sum_in_units();
    s.static_answer_gives("java/lang/System.nanoTime ()J", vec![], long(9));
    let written = s.write(&[1, 2], ANY);
    assert_eq!(written.candidates[0].form, Form::Replay);
    let why = "is a static method of the JDK";
    assert!(written.refused.iter().any(|(_, w)| w.ends_with(why)));
}

#[test]
fn a_private_class_and_a_lambda_take_the_replay_form() {
    let mut s = Scene::new();
    let cell = "a/Box$Cell";
    s.class(
        "a/Box",
        PUBLIC,
        "java/lang/Object",
        &[(PRIVATE | STATIC, "check (La/Box$Cell;[Ljava/lang/Object;)V")],
    );
    s.class(
        cell,
        PRIVATE | STATIC,
        "java/lang/Object",
        &[(0, "<init> (JLa/Box;)V"), (0, "get ()La/Box;")],
    );
    s.mock(9, "a/Box$$Lambda")
        .object(2, "a/Box", Role::Observed)
        .array(8, "[Ljava/lang/Object;", vec![obj(9), Value::Null]);
    s.make(1, cell, "(JLa/Box;)V", vec![long(5), Value::Null]);
    s.call_gives(1, &format!("{cell}.get ()La/Box;"), vec![], obj(2));
    let check = "a/Box.check (La/Box$Cell;[Ljava/lang/Object;)V";
    s.interact(
        Operation::CallStatic,
        check,
        Value::Null,
        vec![obj(1), obj(8)],
        Outcome::Throw(999),
    );
    let written = s.write(&[1, 2, 3], ANY);
    insta::assert_snapshot!(first(&written, Form::Replay).source);
    assert_compiles(&written, 0);
}

#[test]
fn the_last_answer_is_said_once() {
    let mut s = Scene::new();
    let price = "price ()I";
    s.class(
        "orders/Source",
        PUBLIC,
        "java/lang/Object",
        &[(PUBLIC, price)],
    );
    let sum = "sum (Lorders/Source;)F";
    let members = [(PUBLIC, "<init> ()V"), (PUBLIC, sum)];
    s.class("orders/Statistics", PUBLIC, "java/lang/Object", &members);
    s.mock(5, "orders/Source");
    s.make(1, "orders/Statistics", "()V", vec![]);
    s.call_fails(1, &format!("orders/Statistics.{sum}"), vec![obj(5)]);
    for number in [3, 5, 3, 3, 3] {
        let target = format!("orders/Source.{price}");
        s.answer_gives(5, &target, vec![], int(number));
    }
    let written = s.write(&[1, 2], ANY);
    let source = &first(&written, Form::Mockito).source;
    let line = "when(source.price()).thenReturn(3, 5, 3);";
    assert!(source.contains(line), "{source}");
    assert_compiles(&written, 0);
}

/// What a test of the replay form promises if its environment ends a call by an exception of this class.
fn promise_with_answer(class: &str) -> Promise {
    let mut s = sum_in_units();
    s.static_answer_gives("java/lang/System.nanoTime ()J", vec![], long(9));
    s.throwable(77, class, None);
    s.answer(
        Operation::Call,
        "orders/Source.size ()J",
        obj(5),
        vec![],
        Outcome::Throw(77),
    );
    first(&s.write(&[1, 2], ANY), Form::Replay).promise
}

#[test]
fn a_failure_out_of_the_recording_is_only_shown() {
    let failure = ANY.0.replace('.', "/");
    assert_eq!(promise_with_answer(&failure), Promise::Recording);
    assert_eq!(promise_with_answer("java/io/IOException"), Promise::Absence);
}
