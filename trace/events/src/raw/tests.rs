//! The raw form against the event model, word by word, and on hostile bytes.

use proptest::prelude::*;

use super::*;
use crate::arbitrary::{SITES, event, shapes};
use crate::model::{ClassNo, Content, Event, JavaString, Payload, Prim, Value};

fn raw(events: &[Event]) -> Vec<u8> {
    let shapes = shapes();
    let mut out = Vec::new();
    for event in events {
        let letters = operand_letters(event.kind, event.site, &shapes).unwrap();
        encode(event, letters.as_deref().unwrap_or_default(), &mut out).unwrap();
    }
    out
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes
        .chunks_exact(8)
        .map(|w| u64::from_le_bytes(w.try_into().unwrap()))
        .collect()
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// What the walk over these words gives.
fn walk(words: &[u64]) -> Vec<Result<Event, RawError>> {
    let shapes = shapes();
    let bytes = bytes(words);
    Walker::new(&bytes)
        .map(|e| e.and_then(|e| e.to_event(&shapes)))
        .collect()
}

fn operands(kind: EventKind, site: u32, values: Vec<Value>) -> Event {
    Event {
        kind,
        site: SiteNo::new(site),
        payload: Payload::Operands(values),
    }
}

fn content(id: u64, content: Content) -> Event {
    Event {
        kind: EventKind::Content,
        site: None,
        payload: Payload::Content { id, content },
    }
}

/// Header word.
fn head(site: u64, kind: EventKind, words: u64) -> u64 {
    site | (kind as u64) << 32 | words << 48
}

#[test]
fn words_of_operands() {
    let text = JavaString::new("abcdefghi");
    let enter = operands(
        EventKind::Enter,
        1,
        vec![
            Value::Str(text),
            Value::Prim(Prim::Int(-2)),
            Value::Prim(Prim::Long(5)),
        ],
    );
    let mut expected = vec![head(1, EventKind::Enter, 5), 9 << 4 | TAG_STRING];
    expected.extend([
        u64::from_le_bytes(*b"abcdefgh"),
        u64::from(b'i'),
        -2i64 as u64,
        5,
    ]);
    assert_eq!(words(&raw(std::slice::from_ref(&enter))), expected);
    assert_eq!(walk(&expected), [Ok(enter)]);

    for (value, expected) in [
        (Value::Null, vec![0]),
        (Value::Object(7), vec![7 << 3 | TAG_OBJECT]),
        (
            Value::Class(ClassNo::from_index(7)),
            vec![7 << 3 | TAG_CLASS],
        ),
        (
            Value::Boxed(Prim::Int(-1)),
            vec![u64::from(b'I') << 3 | TAG_BOX, u64::MAX],
        ),
        (
            Value::Boxed(Prim::Float(1.0)),
            vec![u64::from(b'F') << 3 | TAG_BOX, 0x3f80_0000],
        ),
        (
            Value::Str(JavaString(vec![0xd800].into())),
            vec![2 << 4 | 8 | TAG_STRING, 0xd800],
        ),
        (Value::Str(JavaString::new("")), vec![TAG_STRING]),
    ] {
        let catch = operands(EventKind::Catch, 7, vec![value]);
        let found = words(&raw(&[catch]));
        assert_eq!(found[0], head(7, EventKind::Catch, expected.len() as u64));
        assert_eq!(found[1..], expected);
    }
}

#[test]
fn words_of_definitions_and_contents() {
    let define = |length| Event {
        kind: EventKind::Define,
        site: None,
        payload: Payload::Define {
            id: 3,
            class: ClassNo::from_index(4),
            length,
        },
    };
    assert_eq!(
        words(&raw(&[define(None)])),
        [head(0, EventKind::Define, 2), 3, 4]
    );
    assert_eq!(words(&raw(&[define(Some(0))]))[2], 4 | 1 << 32);
    let shorts = [1, -1, 2].map(|n| Value::Prim(Prim::Short(n)));
    let found = words(&raw(&[content(9, Content::Array(shorts.to_vec()))]));
    let form = FORM_PRIMITIVES | u64::from(b'S') << 8 | 3 << 16;
    assert_eq!(found[1..], [9, form, 0x0002_ffff_0001]);
    let entries = Content::Entries(vec![Value::Null, Value::Object(1)]);
    let found = words(&raw(&[content(9, entries)]));
    assert_eq!(
        found[1..],
        [9, FORM_ENTRIES | 2 << 16, 0, 1 << 3 | TAG_OBJECT]
    );
    let found = words(&raw(&[content(9, Content::TooLarge { len: 1 << 40 })]));
    assert_eq!(found[1..], [9, FORM_TOO_LARGE | 1 << 56]);
}

#[test]
fn long_events_have_a_count_word() {
    for len in [0xfffcu64, 0xfffd, 0x1_2345] {
        let many = content(1, Content::Elements(vec![Value::Null; len as usize]));
        let bytes = raw(&[many.clone(), many.clone()]);
        let long = len + 2 >= LONG_EVENT;
        assert_eq!(words(&bytes)[0] >> 48, (len + 2).min(LONG_EVENT));
        assert_eq!(bytes.len() as u64, 2 * 8 * (len + 3 + u64::from(long)));
        assert_eq!(walk(&words(&bytes)), [Ok(many.clone()), Ok(many)]);
    }
}

/// Between two good events, the walk names a bad one and goes on behind it.
fn assert_stepped_over(bad: &[u64], error: RawError) {
    let exit = [head(2, EventKind::Exit, 0)];
    let ok = || Ok(operands(EventKind::Exit, 2, vec![]));
    let words = [&exit, bad, &exit].concat();
    assert_eq!(walk(&words), [ok(), Err(error), ok()], "{bad:x?}");
}

#[test]
fn headers_that_fit_nothing_are_named_and_stepped_over() {
    let wrong_kind = RawError::WrongKind {
        site: 2,
        kind: EventKind::Call,
    };
    for (bad, error) in [
        (&[99 << 32][..], RawError::Kind(99)),
        (&[1 << 41 | 1 << 32], RawError::Kind(u8::MAX)),
        (
            &[head(99, EventKind::Exit, 0)],
            RawError::UnknownSite { site: 99 },
        ),
        (&[head(2, EventKind::Call, 0)], wrong_kind),
        (&[head(2, EventKind::Exit, 1), 0], RawError::Rest(8)),
    ] {
        assert_stepped_over(bad, error);
    }
}

#[test]
fn malformed_references_are_named_and_stepped_over() {
    let box_of = |letter: u8| u64::from(letter) << 3 | TAG_BOX;
    let odd_string = 3 << 4 | 8 | TAG_STRING;
    let large_class = 1 << 40 | TAG_CLASS;
    for (reference, error) in [
        (&[][..], RawError::Short),
        (&[8], RawError::Reference(8)),
        (&[7], RawError::Reference(7)),
        (&[odd_string, 0], RawError::Reference(odd_string)),
        (&[9 << 4 | TAG_STRING, 0], RawError::Short),
        (&[u64::MAX << 4 | TAG_STRING], RawError::Short),
        (&[large_class], RawError::Reference(large_class)),
        (&[box_of(b'L'), 0], RawError::Letter(b'L')),
        (&[box_of(b'I')], RawError::Short),
    ] {
        let catch = head(7, EventKind::Catch, reference.len() as u64);
        assert_stepped_over(&[&[catch], reference].concat(), error);
    }
}

#[test]
fn malformed_contents_are_named_and_stepped_over() {
    let chars = FORM_PRIMITIVES | u64::from(b'C') << 8;
    let odd_entries = FORM_ENTRIES | 1 << 16;
    let short_text = FORM_TEXT | 1 << 16;
    let endless = chars | u64::MAX << 16;
    for (form, more, error) in [
        (0, &[][..], RawError::Form(0)),
        (FORM_ARRAY | 1 << 33, &[0], RawError::Short),
        (odd_entries, &[0], RawError::Form(odd_entries)),
        (short_text, &[0], RawError::Form(short_text)),
        (FORM_PRIMITIVES | 1 << 16, &[0], RawError::Letter(0)),
        (chars | 5 << 16, &[0], RawError::Short),
        (endless, &[0], RawError::Form(endless)),
    ] {
        let content = head(0, EventKind::Content, 2 + more.len() as u64);
        assert_stepped_over(&[&[content, 1, form], more].concat(), error);
    }
}

#[test]
fn an_event_may_repeat_the_payload_before() {
    let call = [head(9, EventKind::Call, 3), 5 << 3 | TAG_OBJECT, 7, 8];
    let values = vec![
        Value::Object(5),
        Value::Prim(Prim::Int(7)),
        Value::Prim(Prim::Long(8)),
    ];
    let called = || Ok(operands(EventKind::Call, 9, values.clone()));
    let entered = || Ok(operands(EventKind::Enter, 1, values.clone()));
    let enter = head(1, EventKind::Enter, 0) | REPEATS;
    let found = |words: &[&[u64]]| walk(&words.concat());
    assert_eq!(found(&[&call, &[enter]]), [called(), entered()]);
    assert_eq!(
        found(&[&call, &[enter, enter], &call]),
        [called(), entered(), Err(RawError::Repeat), called()],
        "only what has words of its own is repeated"
    );
    assert_eq!(found(&[&[enter]]), [Err(RawError::Repeat)]);
    let with_words = [enter | 1 << 48, 0];
    assert_eq!(
        found(&[&call, &with_words]),
        [called(), Err(RawError::Repeat)]
    );
    let catch = head(7, EventKind::Catch, 0) | REPEATS;
    assert!(found(&[&call, &[catch]])[1].is_err(), "it has to fit");
}

#[test]
fn a_cut_ends_the_walk() {
    let exit = head(2, EventKind::Exit, 0);
    let short = head(7, EventKind::Catch, 3);
    let cut = |words, left| Err(RawError::Cut { words, left });
    assert_eq!(walk(&[short, 0, 0]), [cut(3, 2)]);
    let long = head(0, EventKind::Content, LONG_EVENT);
    assert_eq!(walk(&[long, u64::MAX, exit]), [cut(u64::MAX, 1)]);
    assert_eq!(walk(&[long]), [Err(RawError::Short)]);
    let uneven = [bytes(&[exit]), vec![1, 2, 3]].concat();
    let found: Vec<_> = Walker::new(&uneven).map(|e| e.map(|e| e.kind)).collect();
    assert_eq!(found, [Ok(EventKind::Exit), Err(RawError::Short)]);
}

/// Nothing of it is written.
fn assert_not_written(event: &Event, letters: &str, error: EncodeError) {
    let mut out = vec![1];
    assert_eq!(encode(event, letters, &mut out), Err(error), "{event:?}");
    assert_eq!(out, [1]);
}

#[test]
fn operands_that_contradict_their_site_are_not_written() {
    let wrong = EncodeError::Operands;
    let (int, long) = (Value::Prim(Prim::Int(1)), Value::Prim(Prim::Long(1)));
    for (value, letters, error) in [
        (int, "L", wrong(EventKind::Catch)),
        (Value::Null, "I", wrong(EventKind::Catch)),
        (long, "I", wrong(EventKind::Catch)),
        (Value::Object(u64::MAX), "L", EncodeError::Large(u64::MAX)),
    ] {
        let catch = operands(EventKind::Catch, 7, vec![value]);
        assert_not_written(&catch, letters, error);
    }
    let exit = operands(EventKind::Exit, 2, vec![Value::Null]);
    assert_not_written(&exit, "", wrong(EventKind::Exit));
    let define = operands(EventKind::Define, 0, vec![]);
    assert_not_written(&define, "", EncodeError::Payload(EventKind::Define));
}

#[test]
fn contents_that_contradict_themselves_are_not_written() {
    let int = || Value::Prim(Prim::Int(1));
    let long = Value::Prim(Prim::Long(1));
    for (contradiction, error) in [
        (Content::Elements(vec![int()]), EncodeError::Content),
        (Content::Entries(vec![Value::Null]), EncodeError::Content),
        (Content::Array(vec![int(), long]), EncodeError::Content),
        (
            Content::Array(vec![Value::Null, int()]),
            EncodeError::Content,
        ),
        (
            Content::TooLarge { len: 1 << 48 },
            EncodeError::Large(1 << 48),
        ),
    ] {
        assert_not_written(&content(1, contradiction), "", error);
    }
}

proptest! {
    #[test]
    fn what_is_encoded_is_walked(events in prop::collection::vec(event(), 0..40)) {
        let bytes = raw(&events);
        let found: Result<Vec<Event>, _> = walk(&words(&bytes)).into_iter().collect();
        prop_assert_eq!(found, Ok(events));
    }

    #[test]
    fn the_walk_is_total(words in prop::collection::vec(hostile_word(), 0..40), cut in 0usize..8) {
        let shapes = shapes();
        let bytes = bytes(&words);
        let bytes = &bytes[..bytes.len().saturating_sub(cut)];
        let mut covered = 0;
        for event in Walker::new(bytes).flatten() {
            covered += event.bytes;
            let _ = event.to_event(&shapes);
        }
        prop_assert!(covered <= bytes.len());
    }
}

/// Words that are often nearly right.
fn hostile_word() -> impl Strategy<Value = u64> {
    let header = (0..SITES.len() as u64 + 2, 0u64..18, 0u64..8)
        .prop_map(|(site, kind, words)| site | kind << 32 | words << 48);
    let reference = (0u64..64, 0u64..8).prop_map(|(n, tag)| n << 3 | tag);
    let form = (
        0u64..8,
        prop::sample::select(b"ZBCSIJFDL\0".to_vec()),
        0u64..9,
    )
        .prop_map(|(form, letter, count)| form | u64::from(letter) << 8 | count << 16);
    prop_oneof![6 => header, 3 => reference, 3 => form, 1 => any::<u64>()]
}
