mod turns;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use jinsi_trace::model::{
    ClassNo, Content, FieldName, Frame, JavaString, MemberRef, Prim, SiteNo, Value,
};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;

use super::*;
use jinsi_level::function::Function;
use jinsi_level::surroundings::Setting;
use jinsi_level::{Engine, ObjectInfo, Outcome, Pause, Role, Turn, Wait};

fn name() -> BoxedStrategy<String> {
    "[a-zß/$<>\\[;]{0,6}".boxed()
}

fn java_string() -> BoxedStrategy<JavaString> {
    vec(any::<u16>(), 0..5)
        .prop_map(|units| JavaString(units.into()))
        .boxed()
}

fn prim() -> BoxedStrategy<Prim> {
    prop_oneof![
        any::<bool>().prop_map(Prim::Boolean),
        any::<i8>().prop_map(Prim::Byte),
        any::<u16>().prop_map(Prim::Char),
        any::<i16>().prop_map(Prim::Short),
        any::<i32>().prop_map(Prim::Int),
        any::<i64>().prop_map(Prim::Long),
        any::<u32>().prop_map(|bits| Prim::Float(f32::from_bits(bits))),
        any::<u64>().prop_map(|bits| Prim::Double(f64::from_bits(bits))),
    ]
    .boxed()
}

fn value() -> BoxedStrategy<Value> {
    prop_oneof![
        Just(Value::Null),
        prim().prop_map(Value::Prim),
        java_string().prop_map(Value::Str),
        prim().prop_map(Value::Boxed),
        class_no().prop_map(Value::Class),
        any::<u64>().prop_map(Value::Object),
    ]
    .boxed()
}

fn class_no() -> impl Strategy<Value = ClassNo> {
    (0usize..3).prop_map(ClassNo::from_index)
}

fn values() -> BoxedStrategy<Vec<Value>> {
    vec(value(), 0..4).boxed()
}

fn member() -> BoxedStrategy<MemberRef> {
    (name(), name(), name())
        .prop_map(|(owner, name, desc)| MemberRef {
            owner: owner.into(),
            name: name.into(),
            desc: desc.into(),
        })
        .boxed()
}

fn operation() -> BoxedStrategy<Operation> {
    prop::sample::select(vec![
        Operation::Construct,
        Operation::Call,
        Operation::CallStatic,
        Operation::GetField,
        Operation::PutField,
        Operation::GetStatic,
        Operation::PutStatic,
    ])
    .boxed()
}

fn outcome() -> BoxedStrategy<Outcome> {
    prop_oneof![
        Just(Outcome::Open),
        Just(Outcome::Return(None)),
        value().prop_map(|v| Outcome::Return(Some(v))),
        any::<u64>().prop_map(Outcome::Throw),
    ]
    .boxed()
}

fn content() -> BoxedStrategy<Content> {
    prop_oneof![
        values().prop_map(Content::Array),
        values().prop_map(Content::Elements),
        values().prop_map(Content::Entries),
        java_string().prop_map(Content::Text),
        any::<u64>().prop_map(|len| Content::TooLarge { len }),
        fields(),
    ]
    .boxed()
}

fn fields() -> BoxedStrategy<Content> {
    let field = (class_no(), name(), value());
    vec(field, 0..4)
        .prop_map(|fields| {
            let named = fields
                .into_iter()
                .map(|(class, name, value)| (FieldName { class, name }, value));
            Content::Fields(named.collect())
        })
        .boxed()
}

fn effect() -> BoxedStrategy<Effect> {
    prop_oneof![
        (any::<u64>(), content()).prop_map(|(id, content)| Effect::Content { id, content }),
        (any::<u64>(), any::<u32>(), value()).prop_map(|(array, index, value)| Effect::Store {
            array,
            index,
            value
        }),
        (
            operation(),
            member(),
            value(),
            values(),
            option::of(value())
        )
            .prop_map(|(op, member, receiver, args, result)| Effect::Natural {
                op,
                member,
                receiver,
                args,
                result
            }),
    ]
    .boxed()
}

fn effects() -> BoxedStrategy<Vec<Effect>> {
    vec(effect(), 0..3).boxed()
}

type Base = (
    Operation,
    MemberRef,
    String,
    Value,
    Vec<Value>,
    Outcome,
    Vec<Effect>,
);

fn base() -> BoxedStrategy<Base> {
    (
        operation(),
        member(),
        name(),
        value(),
        values(),
        outcome(),
        effects(),
    )
        .boxed()
}

fn interaction_of(no: u32, base: Base, outgoing: Vec<Outgoing>) -> Interaction {
    let (op, member, target_class, receiver, args, outcome, before) = base;
    Interaction {
        no,
        node: jinsi_level::NodeNo::FIRST,
        thread: 0,
        turn: None,
        op,
        member,
        target_class,
        receiver,
        args,
        outcome,
        before,
        outgoing,
    }
}

fn outgoing() -> BoxedStrategy<Outgoing> {
    let of = |base: Base, place: (u32, u16, u16), callbacks: Vec<Interaction>| {
        let (op, member, target_class, receiver, args, outcome, effects) = base;
        Outgoing {
            node: jinsi_level::NodeNo::FIRST,
            turn: None,
            op,
            member,
            target_class,
            site: SiteNo::new(place.0),
            bci: place.1,
            line: place.2,
            receiver,
            args,
            outcome,
            callbacks,
            effects,
        }
    };
    let leaf = (base(), any::<(u32, u16, u16)>()).prop_map(move |(b, p)| of(b, p, Vec::new()));
    leaf.prop_recursive(2, 12, 3, move |inner| {
        let callback = (any::<u32>(), base(), vec(inner, 0..3))
            .prop_map(|(no, base, outgoing)| interaction_of(no, base, outgoing));
        (base(), any::<(u32, u16, u16)>(), vec(callback, 0..3))
            .prop_map(move |(b, p, c)| of(b, p, c))
    })
    .boxed()
}

fn interaction() -> BoxedStrategy<Interaction> {
    (any::<u32>(), base(), vec(outgoing(), 0..3))
        .prop_map(|(no, base, out)| interaction_of(no, base, out))
        .boxed()
}

fn throwable() -> BoxedStrategy<ThrowableDef> {
    let frame = (name(), name(), option::of(name()), any::<i32>()).prop_map(
        |(class, method, file, line)| Frame {
            class,
            method,
            file,
            line,
        },
    );
    (
        name(),
        option::of(name()),
        option::of(name()),
        any::<u64>(),
        vec(frame, 0..3),
    )
        .prop_map(|(class, message, text, cause, frames)| ThrowableDef {
            id: 0,
            class: class.replace('/', "."),
            message,
            text,
            cause,
            frames,
        })
        .boxed()
}

fn function() -> impl Strategy<Value = Function> {
    let names = (name(), name(), name(), name(), name());
    (names, any::<u8>(), member()).prop_map(|(names, kind, target)| {
        let (maker, method, factory, erased, instantiated) = names;
        Function {
            maker,
            method,
            factory,
            erased,
            instantiated,
            kind,
            target,
        }
    })
}

/// Objects, and the throwables among them.
fn objects() -> BoxedStrategy<(BTreeMap<u64, ObjectInfo>, BTreeMap<u64, ThrowableDef>)> {
    let role = prop_oneof![
        Just(Role::Observed),
        Just(Role::Given),
        Just(Role::Mock),
        option::of(content()).prop_map(|initial| Role::Array { initial }),
        option::of(content()).prop_map(|initial| Role::Natural { initial }),
        name().prop_map(Role::Text),
        Just(Role::Throwable),
        Just(Role::Hidden),
        (function(), option::of(content())).prop_map(|(function, initial)| {
            let function = Box::new(function);
            Role::Function { function, initial }
        }),
    ];
    let object = (name(), option::of(0u32..i32::MAX as u32), role, throwable());
    btree_map(any::<u64>(), object, 0..5)
        .prop_map(|map| {
            let mut objects = BTreeMap::new();
            let mut throwables = BTreeMap::new();
            for (id, (mut class, length, role, mut throwable)) in map {
                if role == Role::Throwable {
                    class = throwable.class.replace('.', "/");
                    throwable.id = id;
                    throwables.insert(id, throwable);
                }
                objects.insert(
                    id,
                    ObjectInfo {
                        id,
                        class,
                        length,
                        role,
                    },
                );
            }
            (objects, throwables)
        })
        .boxed()
}

fn code() -> BoxedStrategy<(Vec<SessionClass>, Vec<Bridge>, Vec<Trap>)> {
    let class = (name(), any::<bool>(), vec(any::<u8>(), 0..20)).prop_map(|(name, code, bytes)| {
        SessionClass {
            name,
            kind: if code {
                ClassKind::Code
            } else {
                ClassKind::Environment
            },
            bytes,
        }
    });
    let bridge = (
        operation(),
        member(),
        name(),
        name(),
        any::<(u32, u16, u16, u32)>(),
    )
        .prop_map(
            |(op, member, class, method, (no, bci, line, site))| Bridge {
                no,
                op,
                desc: member.desc.to_string(),
                member,
                class,
                method,
                bci,
                line,
                site: SiteNo::new(site),
            },
        );
    let trap =
        (any::<u32>(), operation(), member()).prop_map(|(no, op, member)| Trap { no, op, member });
    (vec(class, 0..3), vec(bridge, 0..3), vec(trap, 0..3)).boxed()
}

fn predicate() -> BoxedStrategy<CrashPredicate> {
    (name(), option::of(name()), name(), name(), any::<i32>())
        .prop_map(
            |(class, message, at_class, at_method, at_line)| CrashPredicate {
                message_of_jdk: Some(17).filter(|_| at_line % 2 == 0),
                class,
                message,
                at_class,
                at_method,
                at_line,
            },
        )
        .boxed()
}

fn script() -> BoxedStrategy<Script> {
    // Numbers inside a script's answer follow its own; u32::MAX has no successor.
    let no = any::<u32>().prop_map(|no| no / 2);
    (effects(), vec((no, outgoing()), 0..3), today())
        .prop_map(|(setup, answers, today)| Script {
            setup,
            answers,
            today,
        })
        .boxed()
}

fn today() -> BoxedStrategy<Today> {
    let role = prop_oneof![
        Just(ClassRole::Observed),
        Just(ClassRole::Inherited),
        Just(ClassRole::Natural),
        Just(ClassRole::Environment),
    ];
    let part = (name(), role, any::<[bool; 3]>(), any::<[u32; 2]>());
    let part = part.prop_map(
        |(name, role, [of_others, only_inherited, initialized], [length, checksum])| Part {
            name,
            role,
            of_others,
            only_inherited,
            initialized,
            length,
            checksum,
        },
    );
    (name(), vec(part, 0..3))
        .prop_map(|(rules, parts)| Today { rules, parts })
        .boxed()
}

/// What a session has by what runs it: `direct`, the libraries and the surroundings; `replay`, a script or none, or files with its interactions.
#[derive(Clone, Debug)]
enum ByEngine {
    Direct(Vec<PathBuf>, Vec<Setting>),
    Replay(Option<Script>),
    Stretches(Vec<PathBuf>),
}

fn by_engine() -> BoxedStrategy<ByEngine> {
    let files = |count| vec("/[a-z]{1,8}".prop_map(PathBuf::from), count);
    prop_oneof![
        (files(0..3), vec(setting(), 0..4))
            .prop_map(|(libraries, settings)| ByEngine::Direct(libraries, settings)),
        option::of(script()).prop_map(ByEngine::Replay),
        files(1..3).prop_map(ByEngine::Stretches),
    ]
    .boxed()
}

/// What is driven, without what the objects in it are and what runs it.
fn interactions() -> BoxedStrategy<Level> {
    (
        btree_set(name(), 0..3),
        btree_map(name(), vec(outgoing(), 0..3), 0..3),
        effects(),
        vec(interaction(), 0..4),
    )
        .prop_map(|(observed, class_inits, statics, interactions)| Level {
            observed,
            interactions,
            class_inits,
            statics,
            ..Level::default()
        })
        .boxed()
}

fn session() -> BoxedStrategy<Session<'static>> {
    let salt = option::of(any::<u32>());
    (
        interactions(),
        objects(),
        code(),
        (predicate(), salt),
        by_engine(),
    )
        .prop_map(|(level, objects, code, (predicate, salt), by_engine)| {
            let (objects, throwables) = objects;
            let (classes, bridges, traps) = code;
            let mut session = Session::default();
            let mut level = level;
            match by_engine {
                ByEngine::Direct(libraries, settings) => {
                    level.engine = Engine::Direct;
                    level.surroundings = settings;
                    session.libraries = Some(libraries);
                }
                ByEngine::Replay(script) => session.script = script,
                ByEngine::Stretches(files) => session.stretches = files,
            }
            let level = Level { objects, ..level };
            Session {
                level: Cow::Owned(level),
                class_names: ClassNo::first(3).map(|no| (no, format!("C{no}"))).collect(),
                throwables,
                classes,
                bridges,
                traps,
                predicate,
                salt,
                ..session
            }
        })
        .boxed()
}

/// What reading may change: classes are numbered anew, those that nothing names are gone.
fn assert_same(written: &Session<'_>, read: &Session<'_>) {
    let text = |s: &Session<'_>| {
        let names = s.class_names.clone();
        let mut s = s.clone();
        s.class_names = BTreeMap::new();
        let mut text = format!("{s:?}");
        for (no, name) in names {
            text = text.replace(&format!("Class({no})"), &format!("Class<{name}>"));
            text = text.replace(&format!("class: {no},"), &format!("class: <{name}>,"));
        }
        text
    };
    assert_eq!(text(written), text(read));
}

fn setting() -> impl Strategy<Value = Setting> {
    prop_oneof![
        any::<String>().prop_map(Setting::TimeZone),
        any::<String>().prop_map(Setting::Locale),
        (any::<String>(), any::<String>())
            .prop_map(|(name, value)| Setting::Property { name, value }),
    ]
}

proptest! {
    #[test]
    fn round_trip(session in session()) {
        let bytes = write(&session).unwrap();
        let back = read(&bytes).unwrap();
        assert_same(&session, &back);
        prop_assert_eq!(write(&back).unwrap(), bytes);
    }

    #[test]
    fn damage_is_an_error_never_a_panic(session in session(), at in any::<prop::sample::Index>(), bit in 0u8..8) {
        let mut bytes = write(&session).unwrap();
        let cut = at.index(bytes.len());
        prop_assert!(read(&bytes[..cut]).is_err());
        bytes[cut] ^= 1 << bit;
        let _ = read(&bytes);
    }

    #[test]
    fn numbers_are_those_of_the_file(session in session()) {
        let numbered = Numbered::new(&session.level);
        let mut plain = session.clone();
        plain.script = None;
        plain.libraries = None;
        let bytes = write(&plain).unwrap();
        // The reader refuses numbers that do not count from 1 in the order of the file.
        let back = read(&bytes).unwrap();
        let again = Numbered::new(&back.level);
        prop_assert_eq!(numbered.len(), again.len());
        for no in 1..=numbered.len() as u32 {
            let (a, b) = (numbered.get(no).unwrap(), again.get(no).unwrap());
            prop_assert_eq!((&a.member, a.bci), (&b.member, b.bci));
        }
        prop_assert!(numbered.get(0).is_none());
        prop_assert!(numbered.get(numbered.len() as u32 + 1).is_none());
    }
}
