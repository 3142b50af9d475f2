//! What a test asserts, in the words of its project: those of its framework, or AssertJ's.

use super::framework::{Framework, PATIENCE};
use super::line::Line;
use super::writer::{Expr, Writer};

/// AssertJ's entry points.
const ASSERTJ: &str = "org.assertj.core.api.Assertions";
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
const OTHER: &str = "\"expected another value than \"";

/// What is asserted. Texts are expressions in Java.
pub(super) enum Claim<'c> {
    Equal {
        expected: &'c str,
        actual: &'c Expr,
    },
    /// Two numbers with a point.
    Near {
        expected: &'c str,
        actual: &'c Expr,
        tolerance: &'c str,
    },
    ArrayEqual {
        expected: &'c str,
        actual: &'c Expr,
    },
    Different {
        from: &'c str,
        actual: &'c Expr,
        kind: Kind,
    },
    Null {
        actual: &'c Expr,
        wanted: bool,
    },
    Holds {
        condition: &'c str,
        wanted: bool,
    },
    /// It does not hold; the message, an expression, says so if it does.
    HoldsNot {
        condition: &'c str,
        message: &'c str,
    },
    InstanceOf {
        actual: &'c Expr,
        class: &'c str,
    },
    /// The call throws an exception of this class.
    Throws {
        class: &'c str,
        call: &'c str,
    },
}

impl Writer<'_> {
    /// States it, as one statement or several.
    pub(super) fn claim(&mut self, claim: &Claim) {
        if let (false, Framework::Junit3, Claim::Throws { class, call }) =
            (self.assertj, self.framework, claim)
        {
            return self.lines.push(Line::Expect {
                code: format!("{call};"),
                exception: (*class).to_owned(),
            });
        }
        let statement = match (self.assertj, self.framework) {
            (true, _) => self.in_assertj(claim),
            (false, Framework::TestNg) => in_testng(claim),
            (false, Framework::Junit3) => in_junit_3(claim),
            (false, framework) => in_junit(claim, framework),
        };
        match (self.assertj, self.framework.assertions()) {
            (false, Some(class)) => {
                let class = self.imports.class(&class.replace('.', "/"));
                self.code(format!("{class}.{statement};"));
            }
            _ => self.code(statement + ";"),
        }
    }

    /// Asserts that the call ends.
    pub(super) fn claim_end(&mut self, call: Expr) {
        match self.framework {
            // The annotation of the test does.
            Framework::Junit4 | Framework::TestNg => self.code(call.text + ";"),
            Framework::Junit5 => {
                let duration = self.imports.class("java/time/Duration");
                let class = self.imports.class("org/junit/jupiter/api/Assertions");
                let text = &call.text;
                self.code(format!(
                    "{class}.assertTimeoutPreemptively({duration}.ofSeconds({PATIENCE}), () -> {text});"
                ));
            }
            Framework::Junit3 => {
                self.throws = self.throws.max(super::access::Throws::Exception);
                let task = self.imports.class("java/util/concurrent/FutureTask");
                let unit = self.imports.class("java/util/concurrent/TimeUnit");
                let result = self.variables.name("Ljava/util/concurrent/FutureTask;");
                let thread = self.variables.name("Ljava/lang/Thread;");
                // A task that gives a value may throw what it likes.
                let text = &call.text;
                let body = match call.ty.as_str() {
                    "V" => format!("{{ {text}; return null; }}"),
                    _ => text.clone(),
                };
                self.code(format!(
                    "{task}<Object> {result} = new {task}<>(() -> {body});"
                ));
                self.code(format!("Thread {thread} = new Thread({result});"));
                self.code(format!("{thread}.setDaemon(true);"));
                self.code(format!("{thread}.start();"));
                self.code(format!("{result}.get({PATIENCE}, {unit}.SECONDS);"));
            }
        }
    }

    fn in_assertj(&mut self, claim: &Claim) -> String {
        let that = |writer: &mut Self, actual: &Expr| {
            let assert_that = writer.imports.member(ASSERTJ, "assertThat");
            let text = &actual.text;
            let element = actual.ty.trim_start_matches('[');
            let of_its_own = match element.strip_prefix('L') {
                None => true,
                Some(_) if element.len() < actual.ty.len() => true,
                Some(class) => KNOWN.iter().any(|package| class.starts_with(package)),
            };
            // What implements several of the types that AssertJ knows could be meant for any of them.
            match of_its_own {
                true => format!("{assert_that}({text})"),
                false => format!("{assert_that}((Object) {text})"),
            }
        };
        match claim {
            Claim::Equal { expected, actual } | Claim::ArrayEqual { expected, actual } => {
                format!("{}.isEqualTo({expected})", that(self, actual))
            }
            Claim::Near {
                expected,
                actual,
                tolerance,
            } => {
                let within = self.imports.member(ASSERTJ, "within");
                let that = that(self, actual);
                format!("{that}.isCloseTo({expected}, {within}({tolerance}))")
            }
            Claim::Different { from, actual, .. } => {
                format!("{}.isNotEqualTo({from})", that(self, actual))
            }
            Claim::Null { actual, wanted } => {
                let is = if *wanted { "isNull" } else { "isNotNull" };
                format!("{}.{is}()", that(self, actual))
            }
            Claim::Holds { condition, wanted } => {
                let condition = Expr::new(*condition, "Z");
                let is = if *wanted { "isTrue" } else { "isFalse" };
                format!("{}.{is}()", that(self, &condition))
            }
            Claim::HoldsNot { condition, message } => {
                let condition = Expr::new(*condition, "Z");
                let that = that(self, &condition);
                format!("{that}.withFailMessage({message}).isFalse()")
            }
            Claim::InstanceOf { actual, class } => {
                format!("{}.isInstanceOf({class}.class)", that(self, actual))
            }
            Claim::Throws { class, call } => {
                let thrown = self.imports.member(ASSERTJ, "assertThatThrownBy");
                format!("{thrown}(() -> {call}).isInstanceOf({class}.class)")
            }
        }
    }

    /// A statement that asserts that the call throws an exception of the class, and that needs no imports.
    pub(super) fn thrown(&self, class: &str, call: &str) -> String {
        let claim = Claim::Throws { class, call };
        match (self.request.dialect.assertj, self.framework) {
            (true, _) => {
                format!("{ASSERTJ}.assertThatThrownBy(() -> {call}).isInstanceOf({class}.class);")
            }
            (false, Framework::Junit3) => format!(
                "try {{\n    {call};\n    fail(\"{class} is expected\");\n}} catch ({class} expected) {{\n}}"
            ),
            (false, framework) => {
                let assertions = framework.assertions().unwrap_or_default();
                format!("{assertions}.{};", in_junit(&claim, framework))
            }
        }
    }
}

/// In JUnit 4 or 5: a call of a method of the class with its assertions.
fn in_junit(claim: &Claim, framework: Framework) -> String {
    match claim {
        Claim::Equal { expected, actual } => format!("assertEquals({expected}, {})", actual.text),
        Claim::Near {
            expected,
            actual,
            tolerance,
        } => format!("assertEquals({expected}, {}, {tolerance})", actual.text),
        Claim::ArrayEqual { expected, actual } => {
            format!("assertArrayEquals({expected}, {})", actual.text)
        }
        Claim::Different { from, actual, kind } => {
            format!("assertNotEquals({}{from}, {})", cast(*kind), actual.text)
        }
        Claim::Null { actual, wanted } => null(actual, *wanted),
        Claim::Holds { condition, wanted } => holds(condition, *wanted),
        Claim::HoldsNot { condition, message } if framework == Framework::Junit5 => {
            format!("assertFalse({condition}, {message})")
        }
        Claim::HoldsNot { condition, message } => format!("assertFalse({message}, {condition})"),
        Claim::InstanceOf { actual, class } if framework == Framework::Junit5 => {
            format!("assertInstanceOf({class}.class, {})", actual.text)
        }
        Claim::InstanceOf { actual, class } => instance(actual, class),
        Claim::Throws { class, call } => format!("assertThrows({class}.class, () -> {call})"),
    }
}

/// TestNG has the actual value first, and compares the contents of arrays by itself.
fn in_testng(claim: &Claim) -> String {
    match claim {
        Claim::Equal { expected, actual } | Claim::ArrayEqual { expected, actual } => {
            format!("assertEquals({}, {expected})", actual.text)
        }
        Claim::Near {
            expected,
            actual,
            tolerance,
        } => format!("assertEquals({}, {expected}, {tolerance})", actual.text),
        Claim::Different { from, actual, kind } => {
            format!("assertNotEquals({}, {}{from})", actual.text, cast(*kind))
        }
        Claim::HoldsNot { condition, message } => format!("assertFalse({condition}, {message})"),
        Claim::InstanceOf { actual, class } => instance(actual, class),
        Claim::Null { .. } | Claim::Holds { .. } | Claim::Throws { .. } => {
            in_junit(claim, Framework::TestNg)
        }
    }
}

/// JUnit 3 knows neither what is different, nor exceptions, nor the contents of arrays.
fn in_junit_3(claim: &Claim) -> String {
    match claim {
        Claim::Different {
            from,
            actual,
            kind: Kind::Primitive,
        } => format!("assertTrue({OTHER} + {from}, {from} != {})", actual.text),
        Claim::Different { from, actual, .. } => format!(
            "assertFalse({OTHER} + {from}, {from}.equals({}))",
            actual.text
        ),
        Claim::ArrayEqual { expected, actual } => {
            let arrays = "java.util.Arrays.toString";
            let actual = &actual.text;
            format!("assertEquals({arrays}({expected}), {arrays}({actual}))")
        }
        claim => in_junit(claim, Framework::Junit4),
    }
}

/// What the recorded value is to be distinguished from.
fn cast(kind: Kind) -> &'static str {
    match kind {
        Kind::Boxed => "(Object) ",
        Kind::Primitive | Kind::Object => "",
    }
}

fn null(actual: &Expr, wanted: bool) -> String {
    let not = if wanted { "" } else { "Not" };
    format!("assert{not}Null({})", actual.text)
}

fn holds(condition: &str, wanted: bool) -> String {
    let name = if wanted { "assertTrue" } else { "assertFalse" };
    format!("{name}({condition})")
}

fn instance(actual: &Expr, class: &str) -> String {
    format!("assertTrue((Object) {} instanceof {class})", actual.text)
}
