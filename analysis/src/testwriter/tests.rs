mod compile;
mod reading;
mod scene;

use jinsi_trace::model::{Content, Prim, Value};

use self::compile::assert_compiles;
use self::scene::*;
use super::{Candidate, Form, Written};
use crate::level::{Effect, Operation, Outcome, Role};

const ANY: (&str, Option<&str>, &str, &str, i32) = (
    "java.lang.IllegalStateException",
    Some("broken"),
    "a.Box",
    "check",
    12,
);

fn body(candidate: &Candidate) -> &str {
    let from = candidate.source.find("    @Test\n").unwrap();
    &candidate.source[from..]
}

fn first(written: &Written, form: Form) -> &Candidate {
    let found = &written.candidates[0];
    assert_eq!(found.form, form, "refused: {:?}", written.refused);
    found
}

const BUILDER: &str = "org/joda/time/tz/DateTimeZoneBuilder";

fn jod3() -> Scene {
    let mut s = Scene::new();
    let rule =
        "addRecurringSavings (Ljava/lang/String;IIICIIIZI)Lorg/joda/time/tz/DateTimeZoneBuilder;";
    let offset = "setStandardOffset (I)Lorg/joda/time/tz/DateTimeZoneBuilder;";
    let zone = "toDateTimeZone (Ljava/lang/String;Z)Lorg/joda/time/DateTimeZone;";
    let members = [
        (PUBLIC, "<init> ()V"),
        (PUBLIC, rule),
        (PUBLIC, offset),
        (PUBLIC, zone),
    ];
    s.class(BUILDER, PUBLIC, "java/lang/Object", &members);
    s.class(
        "org/joda/time/DateTimeZone",
        PUBLIC,
        "java/lang/Object",
        &[],
    );
    s.make(1, BUILDER, "()V", vec![]);
    s.call_gives(
        1,
        &format!("{BUILDER}.{offset}"),
        vec![int(-28_378_000)],
        obj(1),
    );
    let args = vec![
        text("PDT"),
        int(3_600_000),
        int(1987),
        int(i32::MAX),
        ch('w'),
        int(4),
        int(1),
        int(7),
        boolean(true),
        int(7_200_000),
    ];
    s.call_gives(1, &format!("{BUILDER}.{rule}"), args, obj(1));
    s.call_fails(
        1,
        &format!("{BUILDER}.{zone}"),
        vec![text("America/Los_Angeles"), boolean(false)],
    );
    s
}

const OVERFLOW: (&str, Option<&str>, &str, &str, i32) = (
    "java.lang.ArithmeticException",
    Some("Adding time zone offset caused overflow"),
    "org.joda.time.chrono.ZonedChronology$ZonedDurationField",
    "getOffsetToAdd",
    348,
);

#[test]
fn jod3_at_the_level_of_the_builder() {
    let mut s = jod3();
    let written = s.write(&[1, 3, 4], OVERFLOW);
    let plain = first(&written, Form::Plain);
    assert_eq!(
        plain.source_path(),
        "org/joda/time/tz/DateTimeZoneBuilderLevel2Test.java"
    );
    assert_eq!(plain.script_path(), None);
    insta::assert_snapshot!(plain.source);
    assert_compiles(&written, 0);

    // The environment was asked for the default time zone: a static call, which only a script can answer.
    let zone = "org/joda/time/DateTimeZone.getDefault ()Lorg/joda/time/DateTimeZone;";
    s.mock(40, "org/joda/time/DateTimeZone");
    s.answer(
        Operation::CallStatic,
        zone,
        Value::Null,
        vec![],
        Outcome::Return(Some(obj(40))),
    );
    let written = s.write(&[1, 3, 4], OVERFLOW);
    let replay = first(&written, Form::Replay);
    assert_eq!(
        replay.script_path().as_deref(),
        Some("org/joda/time/tz/DateTimeZoneBuilderLevel2Test.jinsi")
    );
    assert_eq!(
        written.refused.iter().map(|r| r.0).collect::<Vec<_>>(),
        [Form::Plain, Form::Mockito]
    );
    insta::assert_snapshot!(replay.source);
    assert_compiles(&written, 0);
}

#[test]
fn jod3_at_the_level_of_period() {
    let mut s = Scene::new();
    let period = "org/joda/time/Period";
    let constructor = "(JJLorg/joda/time/PeriodType;)V";
    s.class("org/joda/time/PeriodType", PUBLIC, "java/lang/Object", &[]);
    let other = (PUBLIC, "<init> (JJLorg/joda/time/Chronology;)V");
    s.class(
        period,
        PUBLIC,
        "java/lang/Object",
        &[(PUBLIC, "<init> (JJLorg/joda/time/PeriodType;)V"), other],
    );
    s.mock(89, "org/joda/time/PeriodType");
    s.make_fails(
        period,
        constructor,
        vec![long(i64::MIN), long(-2_717_640_422_000), obj(89)],
    );
    let zone = "org/joda/time/DateTimeZone.getDefault ()Lorg/joda/time/DateTimeZone;";
    s.answer(
        Operation::CallStatic,
        zone,
        Value::Null,
        vec![],
        Outcome::Return(Some(obj(89))),
    );
    let written = s.write(&[1], OVERFLOW);
    insta::assert_snapshot!(body(first(&written, Form::Replay)));
    assert_compiles(&written, 0);
}

fn number_writer() -> Scene {
    let mut s = Scene::new();
    let c = "numberwriter/NumberWriter";
    let write = "writeNumbers ()V throws java/io/IOException";
    let members = [
        (0, "<init> ()V"),
        (0, "setFile (Ljava/lang/String;)V"),
        (0, "setNumbers (I)V"),
        (PUBLIC, write),
    ];
    s.class(c, 0, "java/lang/Object", &members);
    s.jdk("java/io/FileWriter", PUBLIC, "java/io/OutputStreamWriter");
    s.make(1, c, "()V", vec![]);
    s.call(
        1,
        &format!("{c}.setFile (Ljava/lang/String;)V"),
        vec![text("C:\\user\\\"out\".txt")],
    );
    s.call(1, &format!("{c}.setNumbers (I)V"), vec![int(2)]);
    s.call_fails(1, &format!("{c}.writeNumbers ()V"), vec![]);
    s
}

#[test]
fn number_writer_is_package_private_and_throws_a_checked_exception() {
    let written = number_writer().write(
        &[1, 2, 3, 4],
        (
            "java.io.IOException",
            None,
            "numberwriter.NumberWriter",
            "write",
            0,
        ),
    );
    let plain = first(&written, Form::Plain);
    assert_eq!(plain.package, "numberwriter");
    insta::assert_snapshot!(plain.source);
    assert_compiles(&written, 0);
}

#[test]
fn number_writer_without_its_file() {
    let mut s = number_writer();
    s.mock(7, "java/io/FileWriter");
    let new = "java/io/FileWriter.<init> (Ljava/lang/String;)V";
    s.answer(
        Operation::Construct,
        new,
        Value::Null,
        vec![text("x")],
        Outcome::Return(Some(obj(7))),
    );
    let written = s.write(&[1, 3, 4], ANY);
    assert_eq!(
        written.refused[1].1,
        "java.io.FileWriter.<init> is no method"
    );
    insta::assert_snapshot!(body(first(&written, Form::Replay)));
    assert_compiles(&written, 0);
}

#[test]
fn an_environment_that_may_run_for_real_makes_way_for_a_plain_test() {
    let answered = |real| {
        let mut s = number_writer();
        s.mock(7, "java/io/FileWriter");
        let new = "java/io/FileWriter.<init> (Ljava/lang/String;)V";
        s.answer(
            Operation::Construct,
            new,
            Value::Null,
            vec![text("x")],
            Outcome::Return(Some(obj(7))),
        );
        s.real_environment = real;
        s.write(&[1, 3, 4], ANY)
    };
    let plain = |written: &Written| {
        let found = written.candidates.iter().find(|c| c.form == Form::Plain);
        found.cloned()
    };
    assert!(plain(&answered(false)).is_none());
    let written = answered(true);
    let first = plain(&written).expect("a plain test");
    assert_eq!(written.candidates[0], first);
    assert!(first.real_environment && first.source.contains("runs for real"));
    assert!(written.candidates[1..].iter().all(|c| !c.real_environment));
    assert_compiles(&written, 0);
}

#[test]
fn warnings_are_suppressed_on_the_method() {
    let source = "class T {\n\n    @Test\n    void m() {\n    }\n}\n";
    let one = super::suppressing(source, &["rawtypes"].into());
    assert_eq!(
        one,
        "class T {\n\n    @Test\n    @SuppressWarnings(\"rawtypes\")\n    void m() {\n    }\n}\n"
    );
    let two = super::suppressing(&one, &["deprecation"].into());
    assert!(
        two.contains("    @Test\n    @SuppressWarnings({\"deprecation\", \"rawtypes\"})\n    void")
    );
    assert_eq!(two.matches("SuppressWarnings").count(), 1);
    assert_eq!(super::suppressing(source, &[].into()), source);
}

#[test]
fn xml_tree() {
    let mut s = Scene::new();
    let c = "xmltree/XMLElement";
    let (name, add, count) = (
        "setName (Ljava/lang/String;)V",
        "addChild (Lxmltree/XMLElement;)V",
        "getNumberOfChildren ()I",
    );
    s.class(
        c,
        PUBLIC,
        "java/lang/Object",
        &[
            (PUBLIC, "<init> ()V"),
            (PUBLIC, name),
            (PUBLIC, add),
            (PUBLIC, count),
        ],
    );
    s.make(1, c, "()V", vec![]);
    s.call(1, &format!("{c}.{name}"), vec![text("x")]);
    s.make(2, c, "()V", vec![]);
    s.call(2, &format!("{c}.{name}"), vec![text("r")]);
    s.make(3, c, "()V", vec![]);
    s.call(2, &format!("{c}.{add}"), vec![obj(3)]);
    s.call(3, &format!("{c}.{name}"), vec![text("c")]);
    s.call_fails(2, &format!("{c}.{count}"), vec![]);
    let written = s.write(&[3, 5, 6, 8], ANY);
    insta::assert_snapshot!(body(first(&written, Form::Plain)));
    assert_compiles(&written, 0);
}

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

/// `a.Box` with one method for each way of taking a value.
fn boxes() -> Scene {
    let mut s = Scene::new();
    s.class(
        "a/Box",
        PUBLIC,
        "java/lang/Object",
        &[
            (PUBLIC, "<init> ()V"),
            (PUBLIC, "ints ([I)V"),
            (PUBLIC, "all (Ljava/util/List;)V"),
            (PUBLIC, "map (Ljava/util/Map;)V"),
            (PUBLIC, "any (Ljava/lang/Object;)V"),
            (PUBLIC, "put (Ljava/lang/String;)V"),
            (PUBLIC, "put (Ljava/lang/Integer;)V"),
            (PUBLIC, "self ()La/Box;"),
            (PUBLIC, "child ()La/Box;"),
            (PUBLIC, "color (La/Color;)V"),
            (PUBLIC, "find ()Ljava/lang/Object;"),
            (PUBLIC, "check ()V"),
        ],
    );
    s.class("a/Color", PUBLIC | ENUM, "java/lang/Enum", &[]);
    s.class("a/Color$1", ENUM, "a/Color", &[]);
    s.make(1, "a/Box", "()V", vec![]);
    s
}

#[test]
fn arrays_lists_maps_and_values() {
    let mut s = boxes();
    s.array(10, "[I", vec![int(1), int(2)]);
    s.array(
        11,
        "[Ljava/lang/String;",
        vec![text("a\u{e9}"), Value::Null],
    );
    s.object(12, "[[B", Role::Array { initial: None });
    s.list(13, "java/util/ArrayList", vec![text("x"), text("y")]);
    s.list(
        14,
        "java/util/Collections$UnmodifiableList",
        vec![text("z"), Value::Null],
    );
    s.list(15, "java/util/ArrayList", vec![]);
    s.object(
        16,
        "java/util/HashMap",
        Role::Natural {
            initial: Some(entries(&[(text("k"), boxed(1))])),
        },
    );
    s.object(17, "java/math/BigDecimal", Role::Text("1.50".into()));
    s.object(18, "a/Color$1", Role::Text("RED".into()));
    s.object(
        19,
        "java/time/ZoneRegion",
        Role::Text("Europe/Berlin".into()),
    );
    s.array(20, "[Ljava/lang/Object;", vec![obj(10)]);
    s.call(1, "a/Box.ints ([I)V", vec![obj(10)]);
    for id in [11, 12, 20, 17, 19] {
        s.call(1, "a/Box.any (Ljava/lang/Object;)V", vec![obj(id)]);
    }
    for id in [13, 14, 15] {
        s.call(1, "a/Box.all (Ljava/util/List;)V", vec![obj(id)]);
    }
    s.call(1, "a/Box.map (Ljava/util/Map;)V", vec![obj(16)]);
    s.call(1, "a/Box.color (La/Color;)V", vec![obj(18)]);
    s.call(1, "a/Box.put (Ljava/lang/String;)V", vec![Value::Null]);
    s.call(1, "a/Box.put (Ljava/lang/Integer;)V", vec![boxed(-5)]);
    s.call_fails(1, "a/Box.any (Ljava/lang/Object;)V", vec![Value::Null]);
    let kept: Vec<u32> = (1..=s.level.interactions.len() as u32).collect();
    let written = s.write(&kept, ANY);
    insta::assert_snapshot!(body(first(&written, Form::Plain)));
    assert_compiles(&written, 0);
}

#[test]
fn changes_from_outside_are_made_even_by_left_out_interactions() {
    let mut s = boxes();
    s.array(10, "[I", vec![int(1), int(2)])
        .list(13, "java/util/ArrayList", vec![text("x")]);
    s.object(14, "java/util/LinkedList", Role::Natural { initial: None });
    s.array(99, "[I", vec![int(0)]);
    s.change(Effect::Store {
        array: 10,
        index: 1,
        value: int(7),
    });
    s.change(Effect::Store {
        array: 99,
        index: 0,
        value: int(1),
    });
    s.call(1, "a/Box.check ()V", vec![]);
    s.call(1, "a/Box.ints ([I)V", vec![obj(10)]);
    s.call(1, "a/Box.all (Ljava/util/List;)V", vec![obj(13)]);
    s.change(Effect::Store {
        array: 10,
        index: 0,
        value: int(9),
    });
    s.change(Effect::Content {
        id: 13,
        content: Content::Elements(vec![text("z")]),
    });
    s.change(natural(
        Operation::Construct,
        "java/util/LinkedList.<init> ()V",
        obj(14),
        vec![],
        None,
    ));
    let add = "java/util/LinkedList.add (Ljava/lang/Object;)Z";
    s.change(natural(
        Operation::Call,
        add,
        obj(14),
        vec![text("w")],
        Some(boolean(true)),
    ));
    s.call(1, "a/Box.check ()V", vec![]);
    s.call(1, "a/Box.all (Ljava/util/List;)V", vec![obj(14)]);
    s.call_fails(1, "a/Box.ints ([I)V", vec![obj(10)]);
    let written = s.write(&[1, 3, 4, 6, 7], ANY);
    insta::assert_snapshot!(body(first(&written, Form::Plain)));
    assert_compiles(&written, 0);
    assert!(
        written.candidates[1].source.contains("ArrayList arrayList")
            || written.candidates[1].source.contains("ArrayList list")
    );
}

#[test]
fn results_and_earlier_exceptions() {
    let mut s = boxes();
    s.object(2, "a/Box", Role::Observed)
        .object(3, "a/Box", Role::Observed)
        .object(4, "a/Box", Role::Observed);
    s.throwable(50, "java/lang/IllegalStateException", Some("once"));
    s.call_gives(1, "a/Box.self ()La/Box;", vec![], obj(1));
    s.call_gives(1, "a/Box.child ()La/Box;", vec![], obj(2));
    s.call_gives(1, "a/Box.child ()La/Box;", vec![], obj(3));
    s.call_gives(1, "a/Box.find ()Ljava/lang/Object;", vec![], obj(4));
    s.call_throws(2, "a/Box.check ()V", vec![], 50);
    s.call(4, "a/Box.check ()V", vec![]);
    s.call_fails(2, "a/Box.check ()V", vec![]);
    let written = s.write(&[1, 2, 3, 4, 5, 6, 7, 8], ANY);
    insta::assert_snapshot!(body(first(&written, Form::Plain)));
    assert_compiles(&written, 0);
}

/// Generic signatures are not at hand: what they forbid compiles without type arguments.
#[test]
fn a_container_of_another_type_than_declared_is_written_raw() {
    let mut s = boxes();
    s.list(
        13,
        "java/util/Collections$UnmodifiableList",
        vec![boxed(1), Value::Null],
    );
    s.list(14, "java/util/ArrayList", vec![boxed(2)]);
    s.call(1, "a/Box.all (Ljava/util/List;)V", vec![obj(13)]);
    s.call(1, "a/Box.all (Ljava/util/List;)V", vec![obj(14)]);
    s.call_fails(1, "a/Box.all (Ljava/util/List;)V", vec![obj(14)]);
    let written = s.write(&[1, 2, 3, 4], ANY);
    insta::assert_snapshot!(body(&written.candidates[1]));
    assert_compiles(&written, 1);
}

#[test]
fn an_object_whose_making_was_left_out_needs_the_script() {
    let mut s = boxes();
    s.call_fails(1, "a/Box.check ()V", vec![]);
    let written = s.write(&[2], ANY);
    assert_eq!(
        written.refused[0].1,
        "an object of a.Box was made by an interaction that is left out"
    );
    assert!(
        first(&written, Form::Replay)
            .source
            .contains("Box box = JinsiReplay.object(1);")
    );
}

#[test]
fn a_list_that_holds_itself_does_not_hang() {
    let mut s = boxes();
    s.list(13, "java/util/ArrayList", vec![obj(13)]);
    s.call_fails(1, "a/Box.all (Ljava/util/List;)V", vec![obj(13)]);
    let written = s.write(&[1, 2], ANY);
    assert_eq!(first(&written, Form::Replay).form, Form::Replay);
}

#[test]
fn nothing_kept_gives_no_test() {
    let written = boxes().write(&[], ANY);
    assert!(written.candidates.is_empty());
    assert_eq!(written.refused.len(), 1);
}

#[test]
fn class_names_are_valid() {
    assert_eq!(
        super::class_name("org/joda/time/Period", 3),
        "PeriodLevel3Test"
    );
    assert_eq!(super::class_name("a/B$1", 1), "BLevel1Test");
    assert_eq!(super::class_name("a/B$Inner", 1), "InnerLevel1Test");
    assert_eq!(super::class_name("", 1), "RecordedLevel1Test");
}
