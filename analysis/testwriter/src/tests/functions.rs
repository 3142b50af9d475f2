//! Functions, what static members give, and exceptions that are looked at.

use std::path::Path;

use jinsi_jdk::Jdk;
use jinsi_jdk::compile::javac;
use jinsi_trace::model::{Content, MemberRef, Prim, Value};

use super::compile::assert_compiles;
use super::scene::*;
use super::{ANY, Form, body, first};
use jinsi_level::function::Function;
use jinsi_level::{Effect, Operation, Outcome, Role};

fn reader() -> Scene {
    let mut s = Scene::new();
    let object = "java/lang/Object";
    let members = [
        (PUBLIC, "<init> ()V"),
        (PUBLIC, "each (Ljava/util/function/Function;)V"),
        (PUBLIC, "sorted (Ljava/util/Comparator;)V"),
        (PUBLIC, "read (Lin/Source;)I"),
        (PUBLIC, "fail ()V"),
        (
            PUBLIC | STATIC,
            "half (Ljava/lang/String;)Ljava/lang/Integer;",
        ),
        (
            PRIVATE | STATIC,
            "hidden (Ljava/lang/String;)Ljava/lang/Integer;",
        ),
    ];
    s.class("in/Reader", PUBLIC, object, &members);
    s.class("in/Source", PUBLIC, object, &[(PUBLIC, "read ([C)I")]);
    s.make(1, "in/Reader", "()V", vec![]);
    s
}

/// From a text to a number.
const OF_TEXT: &str = "(Ljava/lang/String;)Ljava/lang/Integer;";

fn function(maker: &str, target: MemberRef, captured: Vec<Value>) -> Role {
    Role::Function {
        function: Box::new(Function {
            maker: maker.into(),
            method: "apply".into(),
            factory: "()Ljava/util/function/Function;".into(),
            erased: "(Ljava/lang/Object;)Ljava/lang/Object;".into(),
            instantiated: OF_TEXT.into(),
            kind: 6,
            target,
        }),
        initial: Some(Content::Elements(captured)),
    }
}

fn half(name: &str) -> Role {
    function("in/Main", member("in/Reader", name, OF_TEXT), vec![])
}

#[test]
fn references_are_written_as_such() {
    for (name, times, wanted) in [
        ("half", 1, "reader.each(Reader::half);"),
        (
            "half",
            2,
            "Function<String, Integer> function = Reader::half;",
        ),
        ("hidden", 1, ""),
    ] {
        let mut s = reader();
        s.object(5, "in/Main$$Lambda/0x1", half(name));
        let each = "in/Reader.each (Ljava/util/function/Function;)V";
        for _ in 0..times {
            s.call(1, each, vec![obj(5)]);
        }
        s.call_fails(1, "in/Reader.fail ()V", vec![]);
        let kept: Vec<u32> = (1..=times + 2).collect();
        let written = s.write(&kept, ANY);
        let plain = written.candidates.iter().find(|c| c.form == Form::Plain);
        match wanted {
            "" => assert!(plain.is_none()),
            wanted => assert!(
                plain.unwrap().source.contains(wanted),
                "{}",
                plain.unwrap().source
            ),
        }
        assert_compiles(&written, 0);
    }
}

/// What the compiler has put in between is called as the source has it; where several methods could be meant, it stays.
#[test]
fn methods_of_the_compiler_are_called_as_in_the_source() {
    const OF_COMPILER: u16 = PUBLIC | 0x1040;
    let erased = "(Ljava/lang/Object;)Z";
    for (members, wanted) in [
        (vec!["(Ljava/lang/String;)Z"], Some("(\"c\")")),
        (vec!["(Ljava/lang/String;)Z", "(I)Z"], Some("(\"c\")")),
        (vec!["(Ljava/lang/String;)Z", "(Lin/Rule;)Z"], None),
    ] {
        let members: Vec<String> = members.iter().map(|desc| format!("test {desc}")).collect();
        let bridge = format!("test {erased}");
        let mut all = vec![(PUBLIC, "<init> ()V"), (OF_COMPILER, bridge.as_str())];
        all.extend(members.iter().map(|member| (PUBLIC, member.as_str())));
        let mut s = Scene::new();
        s.class("in/Rule", PUBLIC, "java/lang/Object", &all);
        s.make(1, "in/Rule", "()V", vec![]);
        s.call_fails(1, &format!("in/Rule.test {erased}"), vec![text("c")]);
        let written = s.write(&[1, 2], ANY);
        let plain = written.candidates.iter().find(|c| c.form == Form::Plain);
        let source = plain.map_or("", |plain| plain.source.as_str());
        let called = wanted.is_some_and(|wanted| source.contains(&format!(".test{wanted}")));
        assert_eq!(called, wanted.is_some(), "{members:?} {source}");
    }
}

/// The compiler repeats public methods of a less visible superclass, so that all can call them.
#[test]
fn methods_that_the_compiler_repeats_are_called_where_they_are_visible() {
    let test = (PUBLIC, "test (Ljava/lang/String;)Z");
    let mut s = Scene::new();
    s.class("in/Base", 0, "java/lang/Object", &[(0, "<init> ()V"), test]);
    let repeated = (PUBLIC | 0x1040, test.1);
    s.class(
        "in/Rule",
        PUBLIC,
        "in/Base",
        &[(PUBLIC, "<init> ()V"), repeated],
    );
    s.make(1, "in/Rule", "()V", vec![]);
    s.call_fails(1, "in/Rule.test (Ljava/lang/String;)Z", vec![text("c")]);
    let written = s.write(&[1, 2], ANY);
    let plain = written.candidates.iter().find(|c| c.form == Form::Plain);
    let source = plain.map_or("", |plain| plain.source.as_str());
    assert!(source.contains("new Rule().test(\"c\")"), "{source}");
}

/// The class file of `in.Lambdas`, and those of its anonymous classes.
fn lambdas() -> [Vec<u8>; 3] {
    let directory = tempfile::tempdir().unwrap();
    let declarations = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/java");
    let source = declarations.join("in/Lambdas.java");
    javac(&Jdk::find(None).unwrap(), &[source], &[], directory.path()).unwrap();
    ["Lambdas", "Lambdas$1", "Lambdas$2"]
        .map(|name| std::fs::read(directory.path().join(format!("in/{name}.class"))).unwrap())
}

/// From a letter, which it captures, and a text to a number.
const WITH_LETTER: &str = "(CLjava/lang/String;)Ljava/lang/Integer;";

/// Lambdas as javac compiles them, in the class `in.Lambdas`; the bodies, by the methods that they stand in, and their numbers in the class.
const BODIES: [(&str, &str, &str); 12] = [
    ("sum$0", OF_TEXT, "string -> string.length() * 2 + 1"),
    (
        "several$1",
        OF_TEXT,
        "string -> Arrays.asList(string, \"b\").size()",
    ),
    (
        "made$2",
        OF_TEXT,
        "string -> new StringBuilder(string).append('x').length()",
    ),
    (
        "statements$3",
        OF_TEXT,
        "string -> { System.gc(); return 7; }",
    ),
    (
        "number$4",
        WITH_LETTER,
        "string -> (string + (int) 'a').length()",
    ),
    (
        "place$5",
        WITH_LETTER,
        "string -> string.indexOf((int) 'a')",
    ),
    ("branch$6", OF_TEXT, "string -> string.isEmpty() ? 1 : 2"),
    (
        "several$7",
        OF_TEXT,
        "string -> string.length() > 3 && !string.isEmpty() || string.startsWith(\"a\") ? 1 : 2",
    ),
    (
        "compared$8",
        OF_TEXT,
        "string -> (double) string.length() * 0.5 < 3.0 && string.charAt(0) != 'x' ? -1 : string.length()",
    ),
    (
        "chosen$9",
        OF_TEXT,
        "string -> (string.equals(\"a\") ? null : string) == null ? Boolean.valueOf(string.length() >= 2 && string.length() <= 5).hashCode() : 0",
    ),
    // What goes round is not written.
    ("round$10", OF_TEXT, ""),
    (
        "element$11",
        OF_TEXT,
        "string -> string.split(\" \")[0].length() + (new int[] {4, 5})[string.length()]",
    ),
];

#[test]
fn bodies_are_read_off_their_instructions() {
    let [class, ..] = lambdas();
    for (name, of, wanted) in BODIES {
        let mut s = reader();
        s.recorded("in/Lambdas", &class);
        let captured = match of == WITH_LETTER {
            true => vec![ch('a')],
            false => vec![],
        };
        let target = member("in/Lambdas", &format!("lambda${name}"), of);
        let role = function("in/Lambdas", target, captured);
        s.object(5, "in/Lambdas$$Lambda/0x1", role);
        let each = "in/Reader.each (Ljava/util/function/Function;)V";
        s.call(1, each, vec![obj(5)]);
        s.call_fails(1, "in/Reader.fail ()V", vec![]);
        let written = s.write(&[1, 2, 3], ANY);
        let plain = written.candidates.iter().find(|c| c.form == Form::Plain);
        let text = plain.map(|plain| body(plain).split_whitespace().collect::<Vec<_>>().join(" "));
        match (wanted, text) {
            ("", text) => assert_eq!(text, None),
            (wanted, text) => {
                let text = text
                    .unwrap_or_default()
                    .replace("each( ", "each(")
                    .replace(" .", ".");
                assert!(text.contains(&format!("each({wanted})")), "{name}: {text}");
                assert_compiles(&written, 0);
            }
        }
    }
}

/// A function of several statements has a variable if it is used twice; its block is that of a statement.
#[test]
fn blocks_of_functions_can_be_kept() {
    let [class, ..] = lambdas();
    let mut s = reader();
    s.recorded("in/Lambdas", &class);
    let target = member("in/Lambdas", "lambda$statements$3", OF_TEXT);
    let role = function("in/Lambdas", target, vec![]);
    s.object(5, "in/Lambdas$$Lambda/0x1", role);
    for _ in 0..2 {
        let each = "in/Reader.each (Ljava/util/function/Function;)V";
        s.call(1, each, vec![obj(5)]);
    }
    s.call_fails(1, "in/Reader.fail ()V", vec![]);
    let written = s.write(&[1, 2, 3, 4], ANY);
    let plain = body(first(&written, Form::Plain));
    let lines = [
        "        Function<String, Integer> function = string -> {",
        "            System.gc();",
        "            return 7;",
        "        };\n",
    ];
    assert!(plain.contains(&lines.join("\n")), "{plain}");
    assert_compiles(&written, 0);
}

#[test]
fn what_cannot_be_named_comes_from_a_static_member() {
    let mut s = reader();
    let class = "java/util/Comparators$NaturalOrderComparator";
    s.jdk(class, ENUM, "java/lang/Enum");
    s.object(5, class, Role::Text("INSTANCE".into()));
    let source = member(
        "java/util/Comparator",
        "naturalOrder",
        "()Ljava/util/Comparator;",
    );
    s.sources.push((5, source));
    s.call(
        1,
        "in/Reader.sorted (Ljava/util/Comparator;)V",
        vec![obj(5)],
    );
    s.call_fails(1, "in/Reader.fail ()V", vec![]);
    let written = s.write(&[1, 2, 3], ANY);
    let plain = body(first(&written, Form::Plain));
    assert!(
        plain.contains("reader.sorted(Comparator.naturalOrder());"),
        "{plain}"
    );
    assert_compiles(&written, 0);
}

#[test]
fn an_exception_that_is_looked_at_later_is_kept() {
    let mut s = reader();
    s.throwable(7, "java/lang/IllegalStateException", Some("gone"));
    s.interact(
        Operation::Call,
        "in/Reader.fail ()V",
        obj(1),
        vec![],
        Outcome::Throw(7),
    );
    s.call_fails(
        7,
        "java/lang/IllegalStateException.getMessage ()Ljava/lang/String;",
        vec![],
    );
    let written = s.write(&[1, 2, 3], ANY);
    let plain = body(first(&written, Form::Plain));
    let caught = "assertThrows(IllegalStateException.class, () -> reader.fail());";
    let words: Vec<&str> = plain.split_whitespace().collect();
    let plain = words.join(" ");
    assert!(
        plain.contains(caught) && plain.contains("exception.getMessage();"),
        "{plain}"
    );
    assert_compiles(&written, 0);
}

#[test]
fn arrays_that_are_filled_are_answers() {
    let mut s = reader();
    s.mock(5, "in/Source");
    s.array(6, "[C", vec![Value::Prim(Prim::Char(0)); 4]);
    s.call_fails(1, "in/Reader.read (Lin/Source;)I", vec![obj(5)]);
    s.answer_gives(5, "in/Source.read ([C)I", vec![obj(6)], int(2));
    let filled = ['a', 'b', '\0', '\0'].map(ch).to_vec();
    s.answers[0].effects.push(Effect::Content {
        id: 6,
        content: Content::Array(filled),
    });
    s.answer_gives(5, "in/Source.read ([C)I", vec![obj(6)], int(-1));
    let written = s.write(&[1, 2], ANY);
    let mockito = &first(&written, Form::Mockito).source;
    assert!(mockito.contains("call.getArgument(0), 0, 2"), "{mockito}");
    assert!(mockito.contains(".thenReturn(-1)"), "{mockito}");
    assert_compiles(&written, 0);
}

/// An object of an anonymous class is written as the lambda that it is, unless it has a state.
#[test]
fn anonymous_classes_are_written_as_functions() {
    let [_, function, counting] = lambdas();
    for (times, wanted) in [
        (
            1,
            "reader.each(string -> string.length() < 3 ? 3 : string.indexOf(\"b\"));",
        ),
        (
            2,
            "Function<String, Integer> function = string -> string.length() < 3 ? 3 : string.indexOf(\"b\");",
        ),
    ] {
        let mut s = reader();
        s.recorded("in/Lambdas$1", &function);
        s.make(
            5,
            "in/Lambdas$1",
            "(Lin/Lambdas;ILjava/lang/String;)V",
            vec![Value::Null, int(3), text("b")],
        );
        let each = "in/Reader.each (Ljava/util/function/Function;)V";
        for _ in 0..times {
            s.call(1, each, vec![obj(5)]);
        }
        s.call_fails(1, "in/Reader.fail ()V", vec![]);
        let kept: Vec<u32> = (1..=times + 3).collect();
        let written = s.write(&kept, ANY);
        let plain = written.candidates.iter().find(|c| c.form == Form::Plain);
        let text = body(plain.unwrap()).split_whitespace().collect::<Vec<_>>();
        let text = text.join(" ").replace("each( ", "each(").replace(" .", ".");
        assert!(text.contains(wanted), "{text}");
        assert_compiles(&written, 0);
    }
    let mut s = reader();
    s.recorded("in/Lambdas$2", &counting);
    s.make(5, "in/Lambdas$2", "(Lin/Lambdas;)V", vec![Value::Null]);
    let each = "in/Reader.each (Ljava/util/function/Function;)V";
    s.call(1, each, vec![obj(5)]);
    s.call_fails(1, "in/Reader.fail ()V", vec![]);
    // It is more than a function.
    let written = s.write(&[1, 2, 3, 4], ANY);
    let plain = written.candidates.iter().find(|c| c.form == Form::Plain);
    let text = body(plain.unwrap()).split_whitespace().collect::<Vec<_>>();
    let text = text.join(" ").replace(" .", ".");
    for part in [
        "Class.forName(\"in.Lambdas$2\").getDeclaredConstructor(Class.forName(\"in.Lambdas\"));",
        "constructor.setAccessible(true);",
        "(Function) constructor.newInstance((Object) null);",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert_compiles(&written, 0);
}
