//! Values, and what holds them: arrays, lists, maps, and what becomes of them.

use jinsi_trace::model::{Content, Prim, Value};

use super::super::measure::Measure;
use super::compile::assert_compiles;
use super::scene::*;
use super::{ANY, Form, body, first};
use jinsi_level::{Effect, Operation, Role};

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
            (PUBLIC, "every ()Ljava/util/List;"),
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

/// The compiler knows the type arguments of what a call gives; and a number that is used once needs no name.
#[test]
fn results_have_the_type_that_the_compiler_infers_where_it_can() {
    let written = |infers: bool| {
        let mut s = boxes();
        s.infers_types = infers;
        s.list(13, "java/util/ArrayList", vec![boxed(1)]);
        s.call_gives(1, "a/Box.every ()Ljava/util/List;", vec![], obj(13));
        s.call(1, "a/Box.all (Ljava/util/List;)V", vec![obj(13)]);
        s.call(1, "a/Box.all (Ljava/util/List;)V", vec![obj(13)]);
        s.object(14, "java/math/BigDecimal", Role::Text("2.50".into()));
        let new = "java/math/BigDecimal.<init> (Ljava/lang/String;)V";
        let made = jinsi_level::Outcome::Return(Some(obj(14)));
        s.interact(
            Operation::Construct,
            new,
            Value::Null,
            vec![text("2.50")],
            made,
        );
        s.call_fails(1, "a/Box.any (Ljava/lang/Object;)V", vec![obj(14)]);
        let written = s.write(&[1, 2, 3, 4, 5, 6], ANY);
        body(first(&written, Form::Plain)).to_owned()
    };
    let body = written(true);
    for line in [
        "var list = box.every();",
        "box.any(new BigDecimal(\"2.50\"));",
    ] {
        assert!(body.lines().any(|l| l.trim() == line), "{line}: {body}");
    }
    let body = written(false);
    assert!(body.contains("List list = box.every();"), "{body}");
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
    let replay = first(&written, Form::Replay);
    assert!(replay.source.contains("Box box = JinsiReplay.object(1);"));
    let measure = Measure {
        opaque: 1,
        lines: 2,
    };
    assert_eq!(replay.measure, measure);
}

/// Java would take it for the array of the elements itself.
#[test]
fn an_array_alone_in_a_list_is_cast() {
    let mut s = boxes();
    s.array(10, "[Ljava/lang/String;", vec![text("x")]);
    s.list(13, "java/util/Arrays$ArrayList", vec![obj(10)]);
    s.list(14, "java/util/ArrayList", vec![Value::Null]);
    s.call(1, "a/Box.any (Ljava/lang/Object;)V", vec![obj(13)]);
    s.call(1, "a/Box.any (Ljava/lang/Object;)V", vec![obj(14)]);
    s.call_fails(1, "a/Box.check ()V", vec![]);
    let written = s.write(&[1, 2, 3, 4], ANY);
    let body = body(first(&written, Form::Plain));
    for line in [
        "box.any(Arrays.asList((Object) new String[] {\"x\"}));",
        "box.any(new ArrayList<>(Arrays.asList((Object) null)));",
    ] {
        assert!(body.lines().any(|l| l.trim() == line), "{line}: {body}");
    }
    assert_compiles(&written, 0);
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

/// A test is in one package only.
#[test]
fn what_the_unnamed_package_asks_for_is_the_reason() {
    let mut s = Scene::new();
    s.class(
        "Bare",
        PUBLIC,
        "java/lang/Object",
        &[(PUBLIC, "<init> ()V")],
    );
    s.class(
        "b/Shy",
        PUBLIC,
        "java/lang/Object",
        &[(0, "<init> ()V"), (PUBLIC, "take (LBare;)V")],
    );
    s.make(1, "Bare", "()V", vec![]);
    s.make(2, "b/Shy", "()V", vec![]);
    s.call_fails(2, "b/Shy.take (LBare;)V", vec![obj(1)]);
    let written = s.write(&[1, 2, 3], ANY);
    assert_eq!(
        written.refused[0],
        (
            Form::Plain,
            "constructor of b.Shy is not accessible from a test in the unnamed package".into()
        )
    );
}

#[test]
fn casts_stand_where_they_are_needed_and_few_elements_are_set_one_by_one() {
    let mut s = Scene::new();
    s.class(
        "a/Pad",
        PUBLIC,
        "java/lang/Object",
        &[
            (PUBLIC, "<init> ()V"),
            (PUBLIC, "fill (Ljava/lang/Object;IC)V"),
            (PUBLIC, "fill (IIC)V"),
            (PUBLIC, "put (Ljava/lang/Object;)V"),
            (PUBLIC, "put (Ljava/lang/String;)V"),
            (PUBLIC, "write ([B)V"),
            (PUBLIC, "check ()V"),
        ],
    );
    s.make(1, "a/Pad", "()V", vec![]);
    let byte = |v| Value::Prim(Prim::Byte(v));
    let mut sparse = vec![byte(0); 20];
    sparse[17] = byte(7);
    s.array(10, "[B", vec![byte(1), byte(-2)])
        .array(11, "[B", sparse)
        .array(12, "[B", vec![])
        .array(
            13,
            "[B",
            "{\"é\":1}".bytes().map(|b| byte(b as i8)).collect(),
        )
        .array(14, "[B", vec![byte(65), byte(66), byte(1), byte(67)]);
    for id in 10..=14 {
        s.call(1, "a/Pad.write ([B)V", vec![obj(id)]);
    }
    for value in [text("x"), boxed(5)] {
        let args = vec![value, int(1), ch('-')];
        s.call(1, "a/Pad.fill (Ljava/lang/Object;IC)V", args);
    }
    s.call(1, "a/Pad.put (Ljava/lang/Object;)V", vec![text("x")]);
    s.call_fails(1, "a/Pad.check ()V", vec![]);
    let kept: Vec<u32> = (1..=s.level.interactions.len() as u32).collect();
    let written = s.write(&kept, ANY);
    let body = body(first(&written, Form::Plain));
    for line in [
        "pad.write(new byte[] {1, -2});",
        "byte[] bytes = new byte[20];",
        "bytes[17] = 7;",
        "pad.write(bytes);",
        "pad.write(new byte[0]);",
        "pad.write(\"{\\\"\\u00e9\\\":1}\".getBytes(StandardCharsets.UTF_8)); // U+00E9",
        "pad.write(new byte[] {65, 66, 1, 67});",
        "pad.fill(\"x\", 1, '-');",
        "pad.fill((Object) 5, 1, '-');",
        "pad.put((Object) \"x\");",
    ] {
        assert!(body.lines().any(|l| l.trim() == line), "{line}: {body}");
    }
    assert_compiles(&written, 0);
}
