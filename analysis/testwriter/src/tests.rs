mod compile;
mod containers;
mod demands;
mod environment;
mod frameworks;
mod functions;
mod reading;
mod scene;
mod values;

use jinsi_trace::model::Value;

use self::compile::assert_compiles;
use self::scene::*;
use super::{Candidate, Form, Written};
use jinsi_level::{Operation, Outcome};

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
fn class_names_are_valid() {
    assert_eq!(
        super::class_name("org/joda/time/Period", 3),
        "PeriodLevel3Test"
    );
    assert_eq!(super::class_name("a/B$1", 1), "BLevel1Test");
    assert_eq!(super::class_name("a/B$Inner", 1), "InnerLevel1Test");
    assert_eq!(super::class_name("", 1), "RecordedLevel1Test");
}
