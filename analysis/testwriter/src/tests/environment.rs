//! Tests that stand in for the environment: stubs, replaced static methods, scripts.

use jinsi_trace::model::{Prim, Value};

use super::compile::assert_compiles;
use super::scene::*;
use super::{ANY, Form, body, first};
use jinsi_level::{Operation, Outcome, Role};

#[test]
fn stubs_of_mockito() {
    let mut s = Scene::new();
    let (c, rows) = ("orders/Statistics", "orders/Rows");
    let (next, price, at) = (
        "next ()Z",
        "price (Ljava/lang/String;)F",
        "at (Lorders/Statistics;J)I",
    );
    s.class(
        "orders/Source",
        PUBLIC,
        "java/lang/Object",
        &[(PUBLIC, "query (Ljava/lang/String;)Lorders/Rows;")],
    );
    let close = (PUBLIC, "close ()V throws java/io/IOException");
    s.class(
        rows,
        PUBLIC,
        "java/lang/Object",
        &[
            (PUBLIC, next),
            (PUBLIC, price),
            (PUBLIC, at),
            (PUBLIC, "log ()V"),
            close,
        ],
    );
    s.class(
        c,
        PUBLIC,
        "java/lang/Object",
        &[(PUBLIC, "<init> ()V"), (PUBLIC, "sum (Lorders/Source;)F")],
    );
    s.class(
        "orders/Lost",
        PUBLIC,
        "java/io/IOException",
        &[(PUBLIC, "<init> (Ljava/lang/String;)V")],
    );
    s.mock(5, "orders/Source")
        .mock(6, rows)
        .throwable(7, "orders/Lost", Some("gone"));
    s.make(1, c, "()V", vec![]);
    s.call_fails(1, &format!("{c}.sum (Lorders/Source;)F"), vec![obj(5)]);
    let gives = |v: Value| Outcome::Return(Some(v));
    let query = "orders/Source.query (Ljava/lang/String;)Lorders/Rows;";
    s.answer(
        Operation::Call,
        query,
        obj(5),
        vec![text("all")],
        gives(obj(6)),
    );
    s.answer(
        Operation::Call,
        &format!("{rows}.{next}"),
        obj(6),
        vec![],
        gives(boolean(true)),
    );
    s.answer(
        Operation::Call,
        &format!("{rows}.{price}"),
        obj(6),
        vec![text("total")],
        gives(Value::Prim(Prim::Float(1.3))),
    );
    s.answer(
        Operation::Call,
        &format!("{rows}.{next}"),
        obj(6),
        vec![],
        gives(boolean(false)),
    );
    s.answer(
        Operation::Call,
        &format!("{rows}.{at}"),
        obj(6),
        vec![obj(1), long(1)],
        gives(int(4)),
    );
    s.answer(
        Operation::Call,
        &format!("{rows}.log ()V"),
        obj(6),
        vec![],
        Outcome::Return(None),
    );
    s.answer(
        Operation::Call,
        &format!("{rows}.close ()V"),
        obj(6),
        vec![],
        Outcome::Throw(7),
    );
    let written = s.write(&[1, 2], ANY);
    insta::assert_snapshot!(first(&written, Form::Mockito).source);
    assert_compiles(&written, 0);
}

/// A stand-in that only a static method is asked about, as at the lowest level of JOD-3.
#[test]
fn static_methods_of_the_environment_are_replaced() {
    let mut s = Scene::new();
    let (source, units) = ("orders/Source", "orders/Units");
    s.class(source, PUBLIC, "java/lang/Object", &[(PUBLIC, "size ()J")]);
    let coarse = "coarse (Lorders/Source;)Z";
    s.class(
        units,
        PUBLIC,
        "java/lang/Object",
        &[(PUBLIC | STATIC, coarse)],
    );
    let sum = "sum (Lorders/Source;)F";
    let members = [(PUBLIC, "<init> ()V"), (PUBLIC, sum)];
    s.class("orders/Statistics", PUBLIC, "java/lang/Object", &members);
    s.mock(5, source);
    s.make(1, "orders/Statistics", "()V", vec![]);
    s.call_fails(1, &format!("orders/Statistics.{sum}"), vec![obj(5)]);
    let gives = |v: Value| Outcome::Return(Some(v));
    let (size, coarse) = (format!("{source}.size ()J"), format!("{units}.{coarse}"));
    s.answer(
        Operation::Call,
        &size,
        obj(5),
        vec![],
        gives(Value::Prim(Prim::Long(3))),
    );
    s.answer(
        Operation::CallStatic,
        &coarse,
        Value::Null,
        vec![obj(5)],
        gives(boolean(true)),
    );
    s.answer(
        Operation::CallStatic,
        &coarse,
        Value::Null,
        vec![obj(5)],
        gives(boolean(false)),
    );
    let written = s.write(&[1, 2], ANY);
    insta::assert_snapshot!(body(first(&written, Form::Mockito)));
    assert_compiles(&written, 0);

    let clock = "java/lang/System.nanoTime ()J";
    s.answer(
        Operation::CallStatic,
        clock,
        Value::Null,
        vec![],
        gives(Value::Prim(Prim::Long(9))),
    );
    let written = s.write(&[1, 2], ANY);
    assert_eq!(written.candidates[0].form, Form::Replay);
    assert!(
        written
            .refused
            .iter()
            .any(|(_, why)| why.ends_with("is a static method of the JDK"))
    );
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
        let gives = Outcome::Return(Some(int(number)));
        let target = format!("orders/Source.{price}");
        s.answer(Operation::Call, &target, obj(5), vec![], gives);
    }
    let written = s.write(&[1, 2], ANY);
    let source = &first(&written, Form::Mockito).source;
    let line = "when(source.price()).thenReturn(3, 5, 3);";
    assert!(source.contains(line), "{source}");
    assert_compiles(&written, 0);
}
