//! Containers that came from the environment are made for real, or there is no such test.

use jinsi_trace::model::Value;

use super::super::Promise;
use super::compile::assert_compiles;
use super::scene::*;
use super::{ANY, Form, body, first};
use jinsi_level::{Operation, Outcome};

const ALBUM: &str = "shelf/Album";
const SHELF: &str = "shelf/Shelf";

/// A shelf that is given something of this type of the JDK's, which code that was not recorded made.
fn shelf(type_of_jdk: &str) -> Scene {
    let mut s = Scene::new();
    let object = "java/lang/Object";
    let fill = format!("fill (L{type_of_jdk};)V");
    let members = [(PUBLIC, "<init> ()V"), (PUBLIC, fill.as_str())];
    s.class(SHELF, PUBLIC, object, &members)
        .class(
            ALBUM,
            PUBLIC,
            object,
            &[(PUBLIC, "title ()Ljava/lang/String;")],
        )
        .jdk(type_of_jdk, PUBLIC, object)
        .mock(5, "lib/Lazy");
    s.make(1, SHELF, "()V", vec![]);
    s.call_fails(1, &format!("{SHELF}.{fill}"), vec![obj(5)]);
    s
}

/// What of the first test is between its beginning and the failing call, without blanks at the ends of lines.
fn given(s: &mut Scene, form: Form) -> String {
    let written = s.write(&[1, 2], ANY);
    let test = first(&written, form);
    assert_compiles(&written, 0);
    body(test).to_owned()
}

#[test]
fn what_an_iterator_gave_is_in_a_real_list() {
    let mut s = shelf("java/lang/Iterable");
    s.mock(6, "lib/Lazy$Iterator").mock(7, ALBUM);
    s.answer_gives(
        5,
        "java/lang/Iterable.iterator ()Ljava/util/Iterator;",
        vec![],
        obj(6),
    );
    for more in [true, false] {
        s.answer_gives(6, "java/util/Iterator.hasNext ()Z", vec![], boolean(more));
        if more {
            s.answer_gives(
                6,
                "java/util/Iterator.next ()Ljava/lang/Object;",
                vec![],
                obj(7),
            );
        }
    }
    s.answer_gives(
        7,
        &format!("{ALBUM}.title ()Ljava/lang/String;"),
        vec![],
        text("Blue"),
    );
    let test = given(&mut s, Form::Mockito);
    assert!(test.contains("new ArrayList<>(List.of(album))"), "{test}");
    assert!(!test.contains("terator"), "{test}");
}

#[test]
fn what_a_stream_gathered_is_in_a_real_set() {
    let mut s = shelf("java/util/Set");
    s.mock(6, "java/util/stream/ReferencePipeline$Head")
        .mock(7, "java/util/stream/SortedOps$OfRef")
        .list(8, "java/util/ArrayList", vec![text("Blue"), text("Hejira")]);
    s.answer_gives(
        5,
        "java/util/Set.stream ()Ljava/util/stream/Stream;",
        vec![],
        obj(6),
    );
    let sorted = "java/util/stream/Stream.sorted ()Ljava/util/stream/Stream;";
    s.answer_gives(6, sorted, vec![], obj(7));
    s.answer_gives(
        7,
        "java/util/stream/Stream.toList ()Ljava/util/List;",
        vec![],
        obj(8),
    );
    let test = given(&mut s, Form::Plain);
    let set = "fill(new LinkedHashSet<>(List.of(\"Blue\", \"Hejira\")))";
    assert!(test.contains(set), "{test}");
}

#[test]
fn what_a_map_was_asked_is_in_a_real_one() {
    let mut s = shelf("java/util/Map");
    let get = "java/util/Map.get (Ljava/lang/Object;)Ljava/lang/Object;";
    s.answer_gives(5, get, vec![text("Blue")], boxed(1971));
    s.answer_gives(5, get, vec![text("Pink")], Value::Null);
    let test = given(&mut s, Form::Plain);
    assert!(
        test.contains("fill(new LinkedHashMap<>(Map.of(\"Blue\", 1971)))"),
        "{test}"
    );
}

#[test]
fn an_optional_and_an_iterator_are_real() {
    let mut s = shelf("java/util/Optional");
    s.answer_gives(5, "java/util/Optional.isPresent ()Z", vec![], boolean(true));
    s.answer_gives(
        5,
        "java/util/Optional.get ()Ljava/lang/Object;",
        vec![],
        text("Blue"),
    );
    let test = given(&mut s, Form::Plain);
    assert!(test.contains("fill(Optional.of(\"Blue\"))"), "{test}");

    let mut s = shelf("java/util/Iterator");
    s.answer_gives(
        5,
        "java/util/Iterator.next ()Ljava/lang/Object;",
        vec![],
        text("Blue"),
    );
    let test = given(&mut s, Form::Plain);
    assert!(
        test.contains("fill(List.of(\"Blue\").iterator())"),
        "{test}"
    );
}

#[test]
fn what_was_not_asked_is_empty() {
    let test = given(&mut shelf("java/util/Collection"), Form::Plain);
    assert!(test.contains("fill(new ArrayList<>())"), "{test}");
}

/// The test if the list was asked this, and gave that.
#[track_caller]
fn is_not_stood_in_for(asked: &[(&str, Vec<Value>, Value)]) {
    let mut s = shelf("java/util/List");
    for (member, args, call_result) in asked {
        s.answer_gives(
            5,
            &format!("java/util/List.{member}"),
            args.clone(),
            call_result.clone(),
        );
    }
    let written = s.write(&[1, 2], ANY);
    assert_eq!(first(&written, Form::Replay).promise, Promise::Absence);
    let refused = |(form, why): &(Form, String)| {
        *form == Form::Mockito
            && why.ends_with("is answered by a container, which is not stood in for")
    };
    assert!(written.refused.iter().any(refused), "{:?}", written.refused);
}

#[test]
fn what_cannot_be_reported_is_not_stood_in_for() {
    let get = "get (I)Ljava/lang/Object;";
    // The first one is not known; there are more; it was changed; it looks into its elements.
    is_not_stood_in_for(&[(get, vec![int(1)], text("Blue"))]);
    is_not_stood_in_for(&[
        (get, vec![int(0)], text("Blue")),
        ("size ()I", vec![], int(3)),
    ]);
    is_not_stood_in_for(&[(
        "remove (Ljava/lang/Object;)Z",
        vec![text("Blue")],
        boolean(true),
    )]);
    is_not_stood_in_for(&[("hashCode ()I", vec![], int(77))]);
}

#[test]
fn what_a_stream_answers_is_only_shown() {
    let mut s = shelf("java/util/stream/Stream");
    let count = "java/util/stream/Stream.max (Ljava/util/Comparator;)Ljava/util/Optional;";
    s.mock(6, "java/util/Comparators$Natural")
        .mock(7, "java/util/Optional");
    let outcome = Outcome::Return(Some(obj(7)));
    s.answer(Operation::Call, count, obj(5), vec![obj(6)], outcome);
    let written = s.write(&[1, 2], ANY);
    assert_eq!(first(&written, Form::Replay).promise, Promise::Recording);
}
