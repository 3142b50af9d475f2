mod chance;
mod evaluated;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jinsi_jdk::compile::javac;
use jinsi_jdk::{Jdk, process};
use jinsi_trace::model::{JavaString, Prim};

use self::chance::Chance;
use self::evaluated::Scope;
use super::*;
use crate::classes::ClassTable;

/// Statements as they are printed, and what is imported for them.
fn printed(all: &[JavaStmt]) -> String {
    let table = ClassTable::default();
    let mut names = Names::new(&table, "p", "Test");
    let text = statements(all, 8, &mut names);
    names.imports() + &text
}

fn class(name: &str) -> JavaType {
    JavaType::class(name)
}

fn name(name: &str) -> JavaExpr {
    JavaExpr::name(Variable::new(name), JavaType::object())
}

fn call(of: impl Into<Target>, name: &str, args: Vec<JavaExpr>) -> JavaExpr {
    JavaExpr::call(of, name, args, JavaType::object())
}

fn number(digit: &str, count: usize) -> JavaExpr {
    name(&digit.repeat(count))
}

fn parameter(name: &str) -> Parameter {
    Parameter {
        variable: Variable::new(name),
        ty: None,
    }
}

fn lambda(parameters: Vec<Parameter>, body: JavaExpr) -> JavaExpr {
    let body = LambdaBody::Value(Box::new(body));
    JavaExpr::new(JavaType::object(), Node::Lambda(parameters, body))
}

fn block(parameters: Vec<Parameter>, statements: Vec<JavaExpr>) -> JavaExpr {
    let statements = statements.into_iter().map(JavaStmt::Expression).collect();
    let body = LambdaBody::Block(statements);
    JavaExpr::new(JavaType::object(), Node::Lambda(parameters, body))
}

fn local(ty: JavaType, name: &str, init: JavaExpr) -> Local {
    Local {
        is_final: false,
        ty: Some(ty),
        variable: Variable::new(name),
        init,
        movable: false,
    }
}

#[test]
fn brackets_stand_where_precedence_needs_them() {
    use Operator::{And, Equal, Minus, Multiply, Or, Plus};
    let [a, b, c] = ["a", "b", "c"].map(|n| JavaExpr::name(Variable::new(n), JavaType::INT));
    let int = |l: &JavaExpr, sign, r: &JavaExpr| l.clone().binary(sign, r.clone(), JavaType::INT);
    let is =
        |l: &JavaExpr, sign, r: &JavaExpr| l.clone().binary(sign, r.clone(), JavaType::BOOLEAN);
    let boxes = class("java/lang/Integer");
    let supplier = lambda(vec![parameter("x")], a.clone()).cast(class("q/F"));
    let [sum, difference] = [Plus, Minus].map(|sign| int(&b, sign, &c));
    let nothing = is(&supplier, Equal, &JavaExpr::null());
    let ints = JavaExpr::array_of(JavaType::INT.array(), vec![a.clone(), b.clone()]);
    let either = is(&a, Or, &b);
    let all = [
        int(&a, Minus, &difference),
        int(&difference, Minus, &a),
        int(&sum, Multiply, &a.clone().cast(JavaType::INT)),
        sum.clone().cast(JavaType::INT),
        JavaExpr::int(-5).cast(JavaType::INT),
        JavaExpr::int(-5).cast(boxes),
        is(&either, And, &either),
        is(&a, Or, &is(&b, Or, &c)),
        is(&either, Equal, &c).negated(),
        call(
            either.clone().choose(a.clone(), b.clone(), JavaType::INT),
            "f",
            vec![],
        ),
        a.clone().assign(b.clone().assign(c.clone())),
        either.choose(supplier.clone(), b.clone().assign(c), JavaType::INT),
        call(supplier, "f", vec![]),
        ints.clone().element(JavaExpr::int(0)),
        call(ints, "clone", vec![]),
        call(JavaExpr::make(class("q/C"), vec![]), "f", vec![]),
        JavaExpr::new_array(JavaType::INT.array().array(), 2),
        JavaExpr::text("n").concat(sum.clone()),
        sum.concat(JavaExpr::text("n")),
        a.instance_of(class("q/C")).negated(),
        nothing,
    ];
    insta::assert_snapshot!(printed(&all.map(JavaStmt::Expression)));
}

#[test]
fn long_statements_are_broken_where_readers_expect_it() {
    let list = |digits: usize| (0..digits).map(|_| JavaExpr::literal(Prim::Double(0.123_456_789)));
    let row = || JavaExpr::array_of(JavaType::of("[D"), list(9).collect());
    let words = "word \" \u{e4} ".repeat(20);
    let text = |length: usize| JavaExpr::text(&"t".repeat(length));
    let choice = name("b").choose(number("y", 40), number("n", 40), JavaType::object());
    let sort = lambda(vec![parameter("b"), parameter("c")], choice);
    let long = class(&format!("org/example/{}Exception", "Long".repeat(14)));
    let throws = vec![JavaExpr::class(long.clone()), name("f")];
    let lists = class("java/util/Map").with(vec![long, JavaType::Wildcard]);
    let all = [
        call(
            name("object"),
            "method",
            vec![text(30), text(30), number("c", 30)],
        ),
        call(
            name("object"),
            "method",
            vec![
                number("a", 40),
                call(class("q/A"), "g", vec![name("b"), number("c", 50)]),
            ],
        ),
        JavaExpr::make(class("q/Matrix"), vec![row(), row()]),
        call(name("a"), "sort", vec![sort]),
        call(
            JavaExpr::make(class("q/A"), vec![JavaExpr::text(&words)]),
            "b",
            vec![],
        ),
        // What is called of a text is called of all of it.
        call(text(120), "length", vec![]),
        call(
            call(call(name("a"), "b", vec![number("1", 60)]), "c", vec![]),
            "d",
            vec![number("2", 60)],
        ),
        call(class("q/Assertions"), "assertThrows", throws),
        name("place").assign(call(name("a"), "b", vec![number("1", 90)])),
    ];
    let declaration = JavaStmt::Local(local(lists, "list", call(name("a"), "b", vec![text(60)])));
    let all = all
        .map(JavaStmt::Expression)
        .into_iter()
        .chain([declaration]);
    insta::assert_snapshot!(printed(&all.collect::<Vec<_>>()));
}

#[test]
fn blocks_have_lines_of_their_own() {
    let one = call(name("a"), "f", vec![JavaExpr::text("; }")]);
    let nothing = || block(vec![], vec![one.clone(), call(name("b"), "g", vec![])]);
    let of_call = || block(vec![parameter("call")], vec![one.clone()]);
    let when = call(Target::Imported("q/Mockito"), "when", vec![name("a")]);
    let answer = call(when, "thenAnswer", vec![of_call()]);
    let thrown = call(Target::Own, "thrownBy", vec![nothing()]);
    let e = JavaExpr::class(class("q/E"));
    let two = vec![parameter("b"), parameter("c")];
    let all = vec![
        JavaStmt::Expression(call(answer, "thenReturn", vec![JavaExpr::int(-1)])),
        JavaStmt::Expression(call(
            Target::Own,
            "assertThrows",
            vec![e.clone(), nothing()],
        )),
        JavaStmt::Expression(call(thrown, "isInstanceOf", vec![e])),
        JavaStmt::Expression(call(name("a"), "sort", vec![block(two, vec![one.clone()])])),
        JavaStmt::Local(local(class("q/F"), "f", of_call())),
        JavaStmt::Blank,
        JavaStmt::Try {
            resources: vec![local(
                class("q/R"),
                "r",
                JavaExpr::make(class("q/R"), vec![]),
            )],
            body: vec![JavaStmt::Expression(one.clone())],
            catch: Some((
                class("q/E"),
                Variable::new("exception"),
                vec![JavaStmt::Comment("Words. ".repeat(16))],
            )),
        },
        // Nothing is imported for what is left to the reader.
        JavaStmt::Disabled(vec![
            JavaStmt::Expression(call(class("q/Other"), "f", vec![nothing()])),
            JavaStmt::Expression(call(class("q/R"), "f", vec![])),
        ]),
    ];
    insta::assert_snapshot!(printed(&all));
}

#[test]
fn escaped_characters_are_named_behind_their_line() {
    let say = |text: &str| JavaStmt::Expression(call(name("a"), "f", vec![JavaExpr::text(text)]));
    let unpaired = JavaExpr::string(JavaString([0xd83d, 0x41].into()));
    let all = [
        say("\u{e4} \u{1f600} \u{e4}"),
        say("\u{e1}\u{e2}\u{e3}\u{e4}"),
        say("\\u00e4 \0\u{2028}"),
        JavaStmt::Expression(call(name("a"), "f", vec![unpaired])),
        JavaStmt::Expression(call(
            name("a"),
            "f",
            vec![JavaExpr::literal(Prim::Char(0xe4))],
        )),
    ];
    insta::assert_snapshot!(printed(&all));
}

#[test]
fn a_class_has_what_it_declares_and_names_first_what_its_test_needs() {
    let annotation = |name: &str, values| Annotation {
        class: class(name),
        values,
    };
    let method = |name: &str, annotations, body| JavaMethod {
        doc: Some(Doc::Short("What it does.".into())),
        annotations,
        modifiers: "public ",
        name: name.into(),
        throws: Some(class("java/lang/Exception")),
        body,
    };
    let put = call(class("q/Test"), "put", vec![name("zone")]);
    let reset = call(class("r/Test"), "reset", vec![]);
    let warnings = ["rawtypes", "unchecked"].map(JavaExpr::text).into();
    let limit = vec![("timeout", vec![JavaExpr::int(2000)])];
    let test = JavaMethod {
        doc: Some(Doc::Long(vec![
            Paragraph::Words("Words that are many. ".repeat(6)),
            Paragraph::Lines(vec!["<pre>".into(), "  a  ".into(), "</pre>".into()]),
        ])),
        ..method(
            "test",
            vec![
                annotation("org/junit/Test", limit),
                annotation("java/lang/SuppressWarnings", vec![("", warnings)]),
            ],
            vec![JavaStmt::Expression(put)],
        )
    };
    let zone = Local {
        is_final: true,
        ..local(class("java/util/TimeZone"), "zone", JavaExpr::null())
    };
    let runner = vec![JavaExpr::class(class("q/Runner"))];
    let written = JavaClass {
        doc: Some(Doc::Short("A test.".into())),
        annotations: vec![annotation("org/junit/RunWith", vec![("", runner)])],
        modifiers: "public ",
        name: "ATest".into(),
        extends: Some(class("r/Base")),
        remark: Some("What was there."),
        fields: vec![zone],
        methods: vec![
            method(
                "restore",
                vec![annotation("org/junit/After", vec![])],
                vec![JavaStmt::Expression(reset)],
            ),
            test,
        ],
    };
    let table = ClassTable::default();
    let mut names = Names::new(&table, "p", "ATest");
    insta::assert_snapshot!(source(&written, "p", &mut names));
}

/// Expressions in one class, and how many classes of them there are.
const EACH: usize = 500;
const CLASSES: usize = 6;

/// What is printed compiles, has the type that the model says, and means what the tree does: javac and the JVM are asked.
#[test]
fn printed_expressions_are_what_their_trees_are() {
    let table = ClassTable::default();
    let scope: Scope = chance::parameters()
        .into_iter()
        .map(|(name, init)| (name, evaluated::value(&init, &Vec::new())))
        .collect();
    let directory = tempfile::tempdir().unwrap();
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/java/tests/Base.java");
    let mut sources = vec![base];
    let mut expected = Vec::new();
    let mut codes = Vec::new();
    for no in 0..CLASSES {
        let mut names = Names::new(&table, "p", &format!("C{no}"));
        let mut methods = String::new();
        for n in no * EACH..(no + 1) * EACH {
            let types = chance::types();
            let ty = &types[n % types.len()];
            let expr = Chance::new(n as u64).expr(ty, 1 + n % 5);
            expected.push(format!(
                "{n} {} {}",
                shown(ty),
                evaluated::value(&expr, &scope).shown()
            ));
            let code = method(n, expr, &mut names);
            methods += &code;
            codes.push(code);
        }
        let calls: String = (no * EACH..(no + 1) * EACH)
            .map(|n| format!("        m{n}(A, B, C, D, E, S, INTS);\n"))
            .collect();
        let source = format!(
            "package p;\n\n{}class C{no} extends Base {{\n{}{methods}    static void all() {{\n{calls}    }}\n}}\n",
            names.imports(),
            constants(&mut names),
        );
        sources.push(written(directory.path(), &format!("C{no}"), &source));
    }
    let calls: String = (0..CLASSES).map(|no| format!("C{no}.all(); ")).collect();
    let main = format!(
        "package p;\nclass Main {{ public static void main(String[] args) {{ {calls}System.out.print(Base.OUT); }} }}\n"
    );
    sources.push(written(directory.path(), "Main", &main));
    let jdk = Jdk::find(None).unwrap();
    let out = directory.path().join("classes");
    if let Err(error) = javac(&jdk, &sources, &[], &out) {
        panic!("{error}");
    }
    let mut java = jdk.command();
    java.arg("-cp").arg(&out).arg("p.Main");
    let finished = process::run(&mut java, Duration::from_secs(60)).unwrap();
    let lines: Vec<&str> = finished.stdout.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{}", finished.stderr);
    for ((line, expected), code) in lines.into_iter().zip(expected).zip(codes) {
        assert_eq!(line, expected, "{code}");
    }
}

fn shown(ty: &JavaType) -> String {
    let table = ClassTable::default();
    let mut names = Names::new(&table, "p", "Test");
    let init = JavaExpr::null();
    let text = statements(
        &[JavaStmt::Local(local(ty.clone(), "x", init))],
        0,
        &mut names,
    );
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// A method that shows the expression.
fn method(n: usize, expr: JavaExpr, names: &mut Names<'_>) -> String {
    let parameters = chance::parameters().into_iter().map(|(name, value)| {
        let ty = shown(&value.ty);
        format!("{ty} {name}")
    });
    let parameters: Vec<String> = parameters.collect();
    let value = Local {
        ty: None,
        ..local(JavaType::Void, "value", expr)
    };
    let args = vec![JavaExpr::int(n as i32), name("value")];
    let body = [
        JavaStmt::Local(value),
        JavaStmt::Expression(call(Target::Own, "out", args)),
    ];
    let body = statements(&body, 8, names);
    format!(
        "    static void m{n}({}) {{\n{body}    }}\n",
        parameters.join(", ")
    )
}

/// What is given to the methods.
fn constants(names: &mut Names<'_>) -> String {
    let all = chance::parameters().into_iter().map(|(name, init)| {
        let name = name.to_string().to_uppercase();
        JavaStmt::Local(local(init.ty.clone(), &name, init))
    });
    let all = all.map(|one| statements(&[one], 0, names));
    all.map(|line| format!("    static final {line}")).collect()
}

fn written(directory: &Path, name: &str, source: &str) -> PathBuf {
    let file = directory.join(format!("{name}.java"));
    fs::write(&file, source).unwrap();
    file
}
