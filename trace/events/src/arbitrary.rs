//! Random events for property tests.

use proptest::prelude::*;

use crate::model::{
    CallOp, ClassNo, Content, Event, EventKind, FieldName, JavaString, MemberRef, Payload, Prim,
    Site, SiteNo, Value,
};
use crate::raw::{Shortening, SiteShape, encode, operand_letters, packed_width, unpack};

/// Sites 1..=KINDS.len(): kind and operands.
pub const SITES: [(EventKind, &str); 10] = [
    (EventKind::Enter, "LIJ"),
    (EventKind::Exit, ""),
    (EventKind::Call, "ZBCSIJFDL"),
    (EventKind::CallExit, "L"),
    (EventKind::ArrayStore, "LIL"),
    (EventKind::PutStatic, "D"),
    (EventKind::Catch, "L"),
    (EventKind::Call, ""),
    (EventKind::Call, "LIJ"),
    (EventKind::Exit, "L"),
];

/// The sites that [`SITES`] says.
pub fn sites() -> Vec<Site> {
    let numbered = SITES.into_iter().enumerate();
    numbered
        .map(|(at, (kind, operands))| Site {
            no: SiteNo::FIRST.behind(at),
            kind,
            class: ClassNo::from_index(7),
            method: "m".into(),
            desc: "()V".into(),
            access: 1,
            bci: 3,
            line: 9,
            target: MemberRef {
                owner: "a/B".into(),
                name: "m".into(),
                desc: "()V".into(),
            },
            op: CallOp::Virtual,
            operands: operands.into(),
            light: false,
            outside: false,
            stepwise: false,
            parts: Vec::new(),
        })
        .collect()
}

fn prim(letter: char) -> BoxedStrategy<Prim> {
    let word = prop_oneof![any::<u64>(), 0u64..4];
    word.prop_filter_map("a primitive", move |w| Prim::from_word(letter, w))
        .boxed()
}

/// A text, of one byte a character or two.
pub fn string() -> impl Strategy<Value = JavaString> {
    let units = prop_oneof![any::<u16>(), 0u16..0x100, 0xd800u16..0xe000];
    prop::collection::vec(units, 0..12).prop_map(|units| JavaString(units.into()))
}

fn class() -> impl Strategy<Value = ClassNo> {
    (0..u32::MAX).prop_filter_map("a number", |no| ClassNo::checked(no.into()))
}

/// A reference, also to boxes, texts and classes.
pub fn reference() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        (0u64..20).prop_map(Value::Object),
        (0..=u64::MAX >> 3).prop_map(Value::Object),
        class().prop_map(Value::Class),
        string().prop_map(Value::Str),
        prop::sample::select("ZBCSIJFD".chars().collect::<Vec<_>>())
            .prop_flat_map(prim)
            .prop_map(Value::Boxed),
    ]
}

/// A value of the type with this letter.
pub fn value(letter: char) -> BoxedStrategy<Value> {
    match letter {
        'L' => reference().boxed(),
        letter => prim(letter).prop_map(Value::Prim).boxed(),
    }
}

/// What an array or a container holds, in all forms.
pub fn content() -> impl Strategy<Value = Content> {
    let many = || prop::collection::vec(reference(), 0..6);
    let pairs = prop::collection::vec((reference(), reference()), 0..4);
    prop_oneof![
        many().prop_map(Content::Array),
        many().prop_map(Content::Elements),
        pairs.prop_map(|p| Content::Entries(p.into_iter().flat_map(|(k, v)| [k, v]).collect())),
        string().prop_map(Content::Text),
        (0u64..1 << 48).prop_map(|len| Content::TooLarge { len }),
        fields(),
        prop::sample::select("ZBCSIJFD".chars().collect::<Vec<_>>()).prop_flat_map(|letter| {
            prop::collection::vec(value(letter), 1..20).prop_map(Content::Array)
        }),
    ]
}

fn fields() -> impl Strategy<Value = Content> {
    let letter = prop::sample::select("ZBCSIJFDL".chars().collect::<Vec<_>>());
    let field = (class(), any::<String>(), letter.prop_flat_map(value));
    prop::collection::vec(field, 0..6).prop_map(|fields| {
        let named = fields
            .into_iter()
            .map(|(class, name, value)| (FieldName { class, name }, value));
        Content::Fields(named.collect())
    })
}

/// An event at one of [`SITES`], or one that has none.
pub fn event() -> impl Strategy<Value = Event> {
    let with_site = (0..SITES.len()).prop_flat_map(|at| {
        let site = Some(SiteNo::FIRST.behind(at));
        let (kind, letters) = SITES[at];
        let values: Vec<_> = letters.chars().map(value).collect();
        values.prop_map(move |values| Event {
            kind,
            site,
            payload: Payload::Operands(values),
        })
    });
    let define =
        (any::<u64>(), class(), prop::option::of(0..u32::MAX)).prop_map(|(id, class, length)| {
            Event {
                kind: EventKind::Define,
                site: None,
                payload: Payload::Define { id, class, length },
            }
        });
    let content = (any::<u64>(), content()).prop_map(|(id, content)| Event {
        kind: EventKind::Content,
        site: None,
        payload: Payload::Content { id, content },
    });
    let uncaught = reference().prop_map(|v| Event {
        kind: EventKind::Uncaught,
        site: None,
        payload: Payload::Operands(vec![v]),
    });
    let order = any::<i64>().prop_map(|stamp| Event {
        kind: EventKind::Order,
        site: None,
        payload: Payload::Operands(vec![Value::Prim(Prim::Long(stamp))]),
    });
    let mark = any::<i64>().prop_map(|word| Event {
        kind: EventKind::Mark,
        site: None,
        payload: Payload::Operands(vec![Value::Prim(Prim::Long(word))]),
    });
    prop_oneof![6 => with_site, 1 => define, 1 => content, 1 => uncaught, 1 => order, 1 => mark]
}

/// Contents of a few primitive arrays of all types and of several sizes, which change now and then, now little, now much; and other events between them.
pub fn arrays() -> impl Strategy<Value = Vec<Event>> {
    const ARRAYS: [(u8, usize); 10] = [
        (b'B', 0),
        (b'B', 63),
        (b'B', 64),
        (b'Z', 65),
        (b'C', 4000),
        (b'S', 33),
        (b'I', 100),
        (b'J', 8),
        (b'F', 17),
        (b'D', 300),
    ];
    let sizes = prop_oneof![3 => 0usize..3, 2 => 3usize..40, 1 => Just(usize::MAX)];
    let change = (0..ARRAYS.len(), any::<prop::sample::Index>(), sizes, 0u8..2);
    let steps = prop::collection::vec((change, prop::option::weighted(0.2, event())), 0..60);
    steps.prop_map(|steps| {
        let size = |(letter, count)| packed_width(letter).unwrap_or(1) * count;
        let mut arrays = ARRAYS.map(|array| vec![0; size(array)]);
        let events = steps
            .into_iter()
            .flat_map(|((no, at, changed, by), other)| {
                let bytes = &mut arrays[no];
                let at = at.index(bytes.len() + 1);
                for byte in bytes.iter_mut().skip(at).take(changed) {
                    *byte = (*byte + by) & 1;
                }
                let content = Content::Array(unpack(ARRAYS[no].0, bytes));
                // Two share an identity, as no two arrays of a program do.
                let id = no as u64 % 9;
                let payload = Payload::Content { id, content };
                let content = Event {
                    kind: EventKind::Content,
                    site: None,
                    payload,
                };
                [Some(content), other].into_iter().flatten()
            });
        events.collect()
    })
}

/// The raw form of events, contents by what has changed where that is less; and without that.
pub fn shortened(events: &[Event]) -> [Vec<u8>; 2] {
    let (mut short, mut whole) = (Vec::new(), Vec::new());
    let (mut arrays, shapes) = (Shortening::default(), shapes());
    for event in events {
        let letters = operand_letters(event.kind, event.site, &shapes);
        let letters = letters.ok().flatten();
        let begin = short.len();
        for raw in [&mut short, &mut whole] {
            // None of these contradicts itself.
            let _ = encode(event, letters.as_deref().unwrap_or_default(), raw);
        }
        arrays.last(&mut short, begin);
    }
    [short, whole]
}

/// Kind and operands of the sites.
pub fn shapes() -> std::collections::HashMap<SiteNo, SiteShape> {
    sites().iter().map(|s| (s.no, SiteShape::of(s))).collect()
}
