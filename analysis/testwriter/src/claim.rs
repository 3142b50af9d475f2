//! What a test asserts, in the words of its project: those of its framework, or AssertJ's.

use jinsi_trace::model::Prim;

use super::access::Throws;
use super::classes::ClassLookup;
use super::framework::{Dialect, Framework, PATIENCE};
use super::java::{
    JavaExpr, JavaStmt, JavaType, LambdaBody, Operator, Target, Variable, source_path,
};
use super::writer::{Expr, Writer, run};

/// AssertJ's entry points.
pub(super) const ASSERTJ: &str = "org/assertj/core/api/Assertions";
/// Packages and types of which AssertJ has assertions of their own, and so an `assertThat` that is meant for them.
const KNOWN: [&str; 7] = [
    "java/lang/",
    "java/math/",
    "java/time/",
    "java/util/Collection",
    "java/util/List",
    "java/util/Map",
    "java/util/Set",
];

/// What a value should not be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Primitive,
    /// An object of a class such as `Integer`, which overloaded assertions could take for a primitive.
    Boxed,
    Object,
}

/// What JUnit 3 says of a value that it should not be.
const OTHER: &str = "expected another value than ";

/// What is asserted.
pub(super) enum Claim {
    Equal {
        expected: JavaExpr,
        actual: JavaExpr,
    },
    /// Two numbers with a point.
    Near {
        expected: JavaExpr,
        actual: JavaExpr,
        tolerance: JavaExpr,
    },
    ArrayEqual {
        expected: JavaExpr,
        actual: JavaExpr,
    },
    Different {
        from: JavaExpr,
        actual: JavaExpr,
        kind: Kind,
    },
    Null {
        actual: JavaExpr,
        wanted: bool,
    },
    Holds {
        condition: JavaExpr,
        wanted: bool,
    },
    /// It does not hold; the message says so if it does.
    HoldsNot {
        condition: JavaExpr,
        message: JavaExpr,
    },
    InstanceOf {
        actual: JavaExpr,
        class: JavaType,
    },
    /// The call throws an exception of this class.
    Throws {
        class: JavaType,
        call: LambdaBody,
    },
}

impl Writer<'_> {
    /// States it, as one statement or several.
    pub(super) fn claim(&mut self, claim: Claim) {
        let statement = self.stated_as(claim, self.assertj);
        self.lines.push(statement);
    }

    /// The statement that asserts it, by AssertJ or by the framework's own assertions.
    pub(super) fn stated_as(&self, claim: Claim, assertj: bool) -> JavaStmt {
        let dialect = Dialect {
            framework: self.framework,
            assertj,
        };
        stated(claim, dialect, self.request.classes)
    }

    /// Asserts that the call ends.
    pub(super) fn claim_end(&mut self, call: Expr) {
        let seconds = JavaExpr::int(PATIENCE);
        match self.framework {
            // The annotation of the test does.
            Framework::Junit4 | Framework::TestNg => self.code(call.code),
            Framework::Junit5 => {
                let duration = JavaType::class("java/time/Duration");
                let limit = JavaExpr::factory(duration, "ofSeconds", vec![seconds]);
                let assertions = JavaType::class("org/junit/jupiter/api/Assertions");
                let args = vec![limit, run(call.into())];
                let name = "assertTimeoutPreemptively";
                self.code(JavaExpr::call(assertions, name, args, JavaType::Void));
            }
            Framework::Junit3 => self.end_of_task(call, seconds),
        }
    }

    /// The call ends in a thread of its own.
    fn end_of_task(&mut self, call: Expr, seconds: JavaExpr) {
        self.throws = self.throws.max(Throws::Exception);
        let class = JavaType::class("java/util/concurrent/FutureTask");
        // A task that gives a value may throw what it likes.
        let body = match call.ty() {
            JavaType::Void => LambdaBody::Block(vec![
                JavaStmt::Expression(call.code),
                JavaStmt::Return(JavaExpr::null()),
            ]),
            _ => call.into(),
        };
        let made = JavaExpr::make_generic(class.clone(), true, vec![run(body)]);
        let declared = class.with(vec![JavaType::object()]);
        let task = self.declare(None, declared, made.into()).code;
        let class = JavaType::class("java/lang/Thread");
        let made = JavaExpr::make(class.clone(), vec![task.clone()]);
        let thread = self.declare(None, class, made.into()).code;
        for (name, args) in [
            ("setDaemon", vec![JavaExpr::literal(Prim::Boolean(true))]),
            ("start", Vec::new()),
        ] {
            self.code(JavaExpr::call(thread.clone(), name, args, JavaType::Void));
        }
        let units = JavaType::class("java/util/concurrent/TimeUnit");
        let unit = JavaExpr::field(units.clone(), "SECONDS", units);
        let args = vec![seconds, unit];
        self.code(JavaExpr::call(task, "get", args, JavaType::object()));
    }
}

/// The statement that asserts the claim.
fn stated(claim: Claim, dialect: Dialect, classes: &dyn ClassLookup) -> JavaStmt {
    if dialect.assertj {
        return JavaStmt::Expression(in_assertj(claim));
    }
    JavaStmt::Expression(match (dialect.framework, claim) {
        (Framework::Junit3, Claim::Throws { class, call }) => {
            return expected(class, call, classes);
        }
        (Framework::TestNg, claim) => in_testng(claim),
        (Framework::Junit3, claim) => in_junit_3(claim),
        (framework, claim) => in_junit(claim, framework),
    })
}

/// JUnit 3 cannot say that a call has to throw.
fn expected(class: JavaType, call: LambdaBody, classes: &dyn ClassLookup) -> JavaStmt {
    let (_, path) = source_path(classes, class.class_name().unwrap_or_default());
    let message = JavaExpr::text(&format!("{} is expected", path.join(".")));
    let mut body = match call {
        LambdaBody::Value(call) => vec![JavaStmt::Expression(*call)],
        LambdaBody::Block(statements) => statements,
    };
    let fail = JavaExpr::call(Target::Own, "fail", vec![message], JavaType::Void);
    body.push(JavaStmt::Expression(fail));
    let handler = vec![JavaStmt::Comment("That is right.".into())];
    JavaStmt::Try {
        resources: Vec::new(),
        body,
        catch: Some((class, Variable::new("expected"), handler)),
    }
}

/// A method of an assertion of AssertJ's, by which it goes on.
fn then(that: JavaExpr, name: &str, args: Vec<JavaExpr>) -> JavaExpr {
    let ty = that.ty.clone();
    JavaExpr::call(that, name, args, ty)
}

/// A static method of AssertJ's.
fn of_assertj(name: &str, args: Vec<JavaExpr>) -> JavaExpr {
    JavaExpr::call(Target::Imported(ASSERTJ), name, args, JavaType::object())
}

fn that(actual: JavaExpr) -> JavaExpr {
    let known = |class: &str| KNOWN.iter().any(|package| class.starts_with(package));
    // What implements several of the types that AssertJ knows could be meant for any of them.
    let actual = match actual.ty.class_name() {
        Some(class) if !known(class) => actual.cast(JavaType::object()),
        _ => actual,
    };
    of_assertj("assertThat", vec![actual])
}

fn in_assertj(claim: Claim) -> JavaExpr {
    match claim {
        Claim::Equal { expected, actual } | Claim::ArrayEqual { expected, actual } => {
            then(that(actual), "isEqualTo", vec![expected])
        }
        Claim::Near {
            expected,
            actual,
            tolerance,
        } => {
            let within = of_assertj("within", vec![tolerance]);
            then(that(actual), "isCloseTo", vec![expected, within])
        }
        Claim::Different { from, actual, .. } => then(that(actual), "isNotEqualTo", vec![from]),
        Claim::Null { actual, wanted } => {
            let is = if wanted { "isNull" } else { "isNotNull" };
            then(that(actual), is, Vec::new())
        }
        Claim::Holds { condition, wanted } => {
            let is = if wanted { "isTrue" } else { "isFalse" };
            then(that(as_condition(condition)), is, Vec::new())
        }
        Claim::HoldsNot { condition, message } => {
            let that = then(
                that(as_condition(condition)),
                "withFailMessage",
                vec![message],
            );
            then(that, "isFalse", Vec::new())
        }
        Claim::InstanceOf { actual, class } => {
            then(that(actual), "isInstanceOf", vec![JavaExpr::class(class)])
        }
        Claim::Throws { class, call } => {
            let thrown = of_assertj("assertThatThrownBy", vec![run(call)]);
            then(thrown, "isInstanceOf", vec![JavaExpr::class(class)])
        }
    }
}

/// An assertion of a framework's own.
fn assertion(framework: Framework, name: &str, args: Vec<JavaExpr>) -> JavaExpr {
    let of = match framework.assertions() {
        Some(class) => Target::Static(JavaType::class(class)),
        None => Target::Own,
    };
    JavaExpr::call(of, name, args, JavaType::Void)
}

fn in_junit(claim: Claim, framework: Framework) -> JavaExpr {
    let (name, args) = match claim {
        Claim::Equal { expected, actual } => ("assertEquals", vec![expected, actual]),
        Claim::Near {
            expected,
            actual,
            tolerance,
        } => ("assertEquals", vec![expected, actual, tolerance]),
        Claim::ArrayEqual { expected, actual } => ("assertArrayEquals", vec![expected, actual]),
        Claim::Different { from, actual, kind } => {
            ("assertNotEquals", vec![distinguished(from, kind), actual])
        }
        Claim::Null { actual, wanted } => {
            let name = if wanted {
                "assertNull"
            } else {
                "assertNotNull"
            };
            (name, vec![actual])
        }
        Claim::Holds { condition, wanted } => {
            let name = if wanted { "assertTrue" } else { "assertFalse" };
            (name, vec![condition])
        }
        Claim::HoldsNot { condition, message } => match framework {
            Framework::Junit5 | Framework::TestNg => ("assertFalse", vec![condition, message]),
            Framework::Junit3 | Framework::Junit4 => ("assertFalse", vec![message, condition]),
        },
        Claim::InstanceOf { actual, class } => match framework {
            Framework::Junit5 => ("assertInstanceOf", vec![JavaExpr::class(class), actual]),
            _ => {
                let object = actual.cast(JavaType::object());
                ("assertTrue", vec![object.instance_of(class)])
            }
        },
        Claim::Throws { class, call } => ("assertThrows", vec![JavaExpr::class(class), run(call)]),
    };
    assertion(framework, name, args)
}

/// TestNG has the actual value first, and compares the contents of arrays by itself.
fn in_testng(claim: Claim) -> JavaExpr {
    let (name, args) = match claim {
        Claim::Equal { expected, actual } | Claim::ArrayEqual { expected, actual } => {
            ("assertEquals", vec![actual, expected])
        }
        Claim::Near {
            expected,
            actual,
            tolerance,
        } => ("assertEquals", vec![actual, expected, tolerance]),
        Claim::Different { from, actual, kind } => {
            ("assertNotEquals", vec![actual, distinguished(from, kind)])
        }
        claim => return in_junit(claim, Framework::TestNg),
    };
    assertion(Framework::TestNg, name, args)
}

/// JUnit 3 knows neither what is different, nor exceptions, nor the contents of arrays.
fn in_junit_3(claim: Claim) -> JavaExpr {
    let (name, args) = match claim {
        Claim::Different { from, actual, kind } => {
            let message = JavaExpr::text(OTHER).concat(from.clone());
            match kind {
                Kind::Primitive => {
                    let differs = from.binary(Operator::Unequal, actual, JavaType::BOOLEAN);
                    ("assertTrue", vec![message, differs])
                }
                Kind::Boxed | Kind::Object => {
                    let same = JavaExpr::call(from, "equals", vec![actual], JavaType::BOOLEAN);
                    ("assertFalse", vec![message, same])
                }
            }
        }
        Claim::ArrayEqual { expected, actual } => {
            ("assertEquals", vec![contents(expected), contents(actual)])
        }
        claim => return in_junit(claim, Framework::Junit3),
    };
    assertion(Framework::Junit3, name, args)
}

/// `Arrays.toString(array)`
pub(super) fn contents(array: JavaExpr) -> JavaExpr {
    let arrays = JavaType::class("java/util/Arrays");
    JavaExpr::call(arrays, "toString", vec![array], JavaType::string())
}

/// What the recorded value is to be distinguished from.
fn distinguished(from: JavaExpr, kind: Kind) -> JavaExpr {
    match kind {
        Kind::Boxed => from.cast(JavaType::object()),
        Kind::Primitive | Kind::Object => from,
    }
}

/// To AssertJ, a condition is nothing but true or false.
fn as_condition(condition: JavaExpr) -> JavaExpr {
    JavaExpr {
        ty: JavaType::BOOLEAN,
        ..condition
    }
}

#[cfg(test)]
mod tests {
    use super::super::classes::ClassTable;
    use super::super::java::{Names, statements};
    use super::*;

    fn claims() -> Vec<Claim> {
        let call = |ty| JavaExpr::call(Target::Own, "f", Vec::new(), ty);
        let [int, text] = [JavaType::INT, JavaType::string()];
        let object = || call(JavaType::class("a/Box"));
        let integer = JavaType::class("java/lang/Integer");
        let real = |v| JavaExpr::literal(Prim::Double(v));
        let different = |from, kind| Claim::Different {
            from,
            actual: call(JavaType::string()),
            kind,
        };
        vec![
            Claim::Equal {
                expected: JavaExpr::int(-1),
                actual: call(int.clone()),
            },
            Claim::Equal {
                expected: JavaExpr::null(),
                actual: object(),
            },
            Claim::Near {
                expected: real(1.5),
                actual: call(JavaType::of("D")),
                tolerance: real(0.1),
            },
            Claim::ArrayEqual {
                expected: JavaExpr::new_array(int.clone().array(), 2),
                actual: call(int.array()),
            },
            different(JavaExpr::int(3), Kind::Primitive),
            different(
                JavaExpr::factory(integer, "valueOf", vec![JavaExpr::int(3)]),
                Kind::Boxed,
            ),
            different(JavaExpr::text("x"), Kind::Object),
            Claim::Null {
                actual: object(),
                wanted: false,
            },
            Claim::Holds {
                condition: call(JavaType::BOOLEAN),
                wanted: true,
            },
            Claim::HoldsNot {
                condition: call(JavaType::BOOLEAN),
                message: JavaExpr::text("no ").concat(call(text.clone())),
            },
            Claim::InstanceOf {
                actual: object(),
                class: text,
            },
            Claim::Throws {
                class: JavaType::class("java/util/concurrent/CompletionException"),
                call: LambdaBody::Value(Box::new(object())),
            },
        ]
    }

    #[test]
    fn each_dialect_has_its_words() {
        let table = ClassTable::default();
        let frameworks = Framework::ALL.map(|framework| (framework, false));
        let mut out = String::new();
        for (framework, assertj) in frameworks.into_iter().chain([(Framework::Junit5, true)]) {
            let dialect = Dialect { framework, assertj };
            let all = claims().into_iter();
            let all: Vec<JavaStmt> = all.map(|claim| stated(claim, dialect, &table)).collect();
            let mut names = Names::new(&table, "a", "Test");
            let by = if assertj { " with AssertJ" } else { "" };
            out += &format!("// {}{by}\n", framework.title());
            out += &statements(&all, 0, &mut names);
        }
        insta::assert_snapshot!(out);
    }
}
