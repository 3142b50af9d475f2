//! Which arguments of a framework's assertion are compared.

use jinsi_trace::model::MemberRef;

use super::spock;

/// What an assertion does with its arguments, which it names by their index. Where it stands on what another call made
/// (`assertThat(x).isEqualTo(y)`), `None` is what that call was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    /// Two are equal.
    Equal {
        /// The value in doubt.
        actual: Option<usize>,
        /// What it is compared with.
        expected: usize,
    },
    /// One is true, or false.
    Holds {
        /// The condition.
        actual: Option<usize>,
        /// What it should be.
        wanted: bool,
    },
    /// One is `null`, or is not.
    Null {
        /// The value in doubt.
        actual: Option<usize>,
        /// Should it be?
        wanted: bool,
    },
    /// A piece of code throws an exception of this class.
    Throws {
        /// The class object.
        class: usize,
    },
    /// Something else, which only the framework can tell.
    Other {
        /// The value in doubt.
        actual: Option<usize>,
    },
}

/// How a framework writes its assertions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// JUnit 3 and 4: the message first, then what is expected.
    MessageFirst,
    /// JUnit 5 and `kotlin.test`: what is expected first, the message last.
    MessageLast,
    /// TestNG: the value in doubt first.
    ActualFirst,
    /// Hamcrest: a value, and a matcher last.
    Matcher,
    /// AssertJ and Truth: one call takes the value, further ones say something of it.
    Fluent,
    /// Kotest: static functions with the value in doubt first.
    Infix,
    /// Spock: conditions, and Groovy's comparisons in them.
    Condition,
}

impl Dialect {
    /// That of the method which is called; `None` if it is no framework's.
    pub(super) fn of(member: &MemberRef) -> Option<Self> {
        let owner = member.owner.as_str();
        let is = |prefixes: &[&str]| prefixes.iter().any(|p| owner.starts_with(p));
        if member.desc.contains("Lorg/hamcrest/Matcher;)") {
            Some(Dialect::Matcher)
        } else if is(&["org/junit/jupiter/", "kotlin/test/"]) {
            Some(Dialect::MessageLast)
        } else if is(&["org/junit/", "junit/framework/"]) {
            Some(Dialect::MessageFirst)
        } else if is(&["org/testng/"]) {
            Some(Dialect::ActualFirst)
        } else if is(&["org/assertj/", "com/google/common/truth/"]) {
            Some(Dialect::Fluent)
        } else if is(&["io/kotest/"]) {
            Some(Dialect::Infix)
        } else if spock::is_condition(member) || spock::is_comparison(member) {
            Some(Dialect::Condition)
        } else {
            None
        }
    }

    /// What the method compares; `None` if that is no value.
    pub(super) fn check(self, member: &MemberRef) -> Option<Check> {
        let name = member.name.as_str();
        let name = name.strip_suffix("$default").unwrap_or(name);
        match self {
            Dialect::MessageFirst => by_name(name, message_first(&member.desc, name), false),
            Dialect::MessageLast => by_name(name, 0, false),
            Dialect::ActualFirst => by_name(name, 0, true),
            Dialect::Matcher => {
                let last = parameters(&member.desc).len().checked_sub(1)?;
                Some(Check::Other {
                    actual: last.checked_sub(1),
                })
            }
            Dialect::Fluent => Some(fluent(member)),
            Dialect::Condition if spock::is_comparison(member) => Some(Check::Equal {
                actual: Some(0),
                expected: 1,
            }),
            Dialect::Condition if member.name != "verifyCondition" => None,
            Dialect::Condition => Some(Check::Holds {
                actual: parameters(&member.desc).len().checked_sub(1),
                wanted: true,
            }),
            Dialect::Infix => Some(match name {
                "shouldBe" => Check::Equal {
                    actual: Some(0),
                    expected: 1,
                },
                _ => Check::Other { actual: Some(0) },
            }),
        }
    }
}

/// 1 if a message stands before what is compared.
fn message_first(desc: &str, name: &str) -> usize {
    let parameters = parameters(desc);
    let least = match name {
        "assertTrue" | "assertFalse" | "assertNull" | "assertNotNull" => 2,
        _ => 3,
    };
    let has = parameters.len() >= least && parameters[0] == "Ljava/lang/String;";
    usize::from(has)
}

fn by_name(name: &str, first: usize, swapped: bool) -> Option<Check> {
    let (actual, expected) = match swapped {
        true => (first, first + 1),
        false => (first + 1, first),
    };
    let one = Some(first);
    Some(match name {
        "assertEquals" | "assertArrayEquals" => Check::Equal {
            actual: Some(actual),
            expected,
        },
        "assertTrue" | "assertFalse" => Check::Holds {
            actual: one,
            wanted: name == "assertTrue",
        },
        "assertNull" | "assertNotNull" => Check::Null {
            actual: one,
            wanted: name == "assertNull",
        },
        "assertThrows" | "assertThrowsExactly" | "expectThrows" | "assertFailsWith" => {
            Check::Throws { class: first }
        }
        "assertIterableEquals" | "assertLinesMatch" | "assertContentEquals" => Check::Other {
            actual: Some(actual),
        },
        "assertNotEquals" | "assertSame" | "assertNotSame" => Check::Other {
            actual: Some(actual),
        },
        _ => return None,
    })
}

fn fluent(member: &MemberRef) -> Check {
    let actual = None;
    match member.name.as_str() {
        "isEqualTo" if is_equality(member) => Check::Equal {
            actual,
            expected: 0,
        },
        "isTrue" | "isFalse" => Check::Holds {
            actual,
            wanted: member.name == "isTrue",
        },
        "isNull" | "isNotNull" => Check::Null {
            actual,
            wanted: member.name == "isNull",
        },
        "isInstanceOf" | "isExactlyInstanceOf" => Check::Throws { class: 0 },
        _ => Check::Other { actual },
    }
}

/// Does it say how near two numbers, or those in two arrays, have to be?
pub(super) fn has_tolerance(member: &MemberRef) -> bool {
    let compares = ["assertEquals", "assertArrayEquals"].contains(&member.name.as_str());
    let parameters = parameters(&member.desc);
    // A message may stand before them, or behind.
    let mut numbers = parameters.iter().filter(|ty| **ty != "Ljava/lang/String;");
    compares && matches!(numbers.nth(2), Some(&("D" | "F")))
}

/// Does an `isEqualTo` of AssertJ's or Truth's ask for what `equals` says? Some read a date or a number off a text, take a template or an offset, or compare
/// moments of different time zones.
fn is_equality(member: &MemberRef) -> bool {
    const BY_MOMENT: [&str; 2] = ["OffsetDateTimeAssert", "ZonedDateTimeAssert"];
    let owner = member.owner.as_str();
    match parameters(&member.desc)[..] {
        ["Ljava/lang/String;"] => owner.ends_with("StringAssert"),
        [_] => !BY_MOMENT.iter().any(|end| owner.ends_with(end)),
        _ => false,
    }
}

/// Does the call only hold others together, which fail by themselves?
pub(super) fn is_group(name: &str) -> bool {
    const GROUPS: [&str; 6] = [
        "assertAll",
        "assertSoftly",
        "close",
        "check",
        // Kotest's, of which the rest is part of the test's own code.
        "throwCollectedErrors",
        "buildAssertionError",
    ];
    GROUPS.contains(&name) || name.starts_with("assertTimeout")
}

/// Does it ask for the very same object, or for another one?
pub(super) fn is_identity(name: &str) -> bool {
    let bare = name.strip_suffix("As").unwrap_or(name);
    let bare = bare.strip_suffix("Instance").unwrap_or(bare);
    bare == "the" || ["same", "Same"].iter().any(|end| bare.ends_with(end))
}

/// Does a method of AssertJ or Truth change how the following ones compare, so that it counts although it gives back what it was called on?
pub(super) fn configures(name: &str) -> bool {
    ["using", "with", "ignoring", "in", "compar", "strict"]
        .iter()
        .any(|p| name.starts_with(p))
}

/// Descriptors of the parameters.
pub(super) fn parameters(desc: &str) -> Vec<&str> {
    let Some(inner) = desc.strip_prefix('(').and_then(|d| d.split_once(')')) else {
        return Vec::new();
    };
    let mut rest = inner.0;
    let mut found = Vec::new();
    while !rest.is_empty() {
        let dimensions = rest.len() - rest.trim_start_matches('[').len();
        let element = &rest[dimensions..];
        let length = match element.strip_prefix('L') {
            Some(_) => element.find(';').map_or(element.len(), |at| at + 1),
            None => element.len().min(1),
        };
        let (one, behind) = rest.split_at(dimensions + length);
        found.push(one);
        rest = behind;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(owner: &str, name: &str, desc: &str) -> Option<Check> {
        let member = MemberRef {
            owner: owner.into(),
            name: name.into(),
            desc: desc.into(),
        };
        Dialect::of(&member)?.check(&member)
    }

    fn equal(actual: usize, expected: usize) -> Option<Check> {
        Some(Check::Equal {
            actual: Some(actual),
            expected,
        })
    }

    #[test]
    fn every_framework_has_its_own_order() {
        let desc = "(JJ)V";
        assert_eq!(check("org/junit/Assert", "assertEquals", desc), equal(1, 0));
        let desc = "(Ljava/lang/String;JJ)V";
        assert_eq!(check("org/junit/Assert", "assertEquals", desc), equal(2, 1));
        let desc = "(DDD)V";
        assert_eq!(check("org/junit/Assert", "assertEquals", desc), equal(1, 0));
        let desc = "(Ljava/lang/String;Ljava/lang/String;)V";
        let owner = "junit/framework/TestCase";
        assert_eq!(check(owner, "assertEquals", desc), equal(1, 0));
        let desc = "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)V";
        assert_eq!(check(owner, "assertEquals", desc), equal(2, 1));
        let owner = "org/junit/jupiter/api/Assertions";
        assert_eq!(check(owner, "assertEquals", desc), equal(1, 0));
        assert_eq!(
            check("org/testng/Assert", "assertEquals", desc),
            equal(0, 1)
        );
        let desc = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/String;ILjava/lang/Object;)V";
        let owner = "kotlin/test/AssertionsKt";
        assert_eq!(check(owner, "assertEquals$default", desc), equal(1, 0));
        let desc = "(Ljava/lang/Object;Ljava/lang/Object;)V";
        let owner = "io/kotest/matchers/ShouldKt";
        assert_eq!(check(owner, "shouldBe", desc), equal(0, 1));
        assert_eq!(check("a/Checks", "assertEquals", desc), None);
    }

    #[test]
    fn sameness_is_no_equality() {
        for name in [
            "assertSame",
            "assertNotSame",
            "isSameAs",
            "isNotSameInstanceAs",
            "sameInstance",
            "theInstance",
            "shouldBeSameInstanceAs",
        ] {
            assert!(is_identity(name), "{name}");
        }
        for name in [
            "assertEquals",
            "hasSameSizeAs",
            "isInstanceOf",
            "shouldBe",
            "samePropertyValuesAs",
        ] {
            assert!(!is_identity(name), "{name}");
        }
    }

    #[test]
    fn numbers_that_are_near_have_a_tolerance() {
        let has = |desc: &str| {
            has_tolerance(&MemberRef {
                owner: "org/junit/Assert".into(),
                name: "assertEquals".into(),
                desc: desc.into(),
            })
        };
        assert!(has("(DDD)V") && has("(Ljava/lang/String;FFF)V"));
        assert!(has("(DDDLjava/lang/String;)V") && has("([D[DD)V"));
        assert!(!has("(DD)V") && !has("(Ljava/lang/String;DD)V") && !has("(JJ)V"));
    }

    #[test]
    fn what_is_read_off_a_text_is_no_equality() {
        let check = |class: &str, desc: &str| {
            let owner = format!("org/assertj/core/api/{class}");
            check(&owner, "isEqualTo", desc)
        };
        let equal = Some(Check::Equal {
            actual: None,
            expected: 0,
        });
        let other = Some(Check::Other { actual: None });
        for (class, desc, wanted) in [
            ("AbstractStringAssert", "(Ljava/lang/String;)V", equal),
            ("AbstractAssert", "(Ljava/lang/Object;)V", equal),
            ("AbstractIntegerAssert", "(I)V", equal),
            ("AbstractInstantAssert", "(Ljava/lang/String;)V", other),
            ("AbstractBigDecimalAssert", "(Ljava/lang/String;)V", other),
            (
                "AbstractStringAssert",
                "(Ljava/lang/String;[Ljava/lang/Object;)V",
                other,
            ),
            (
                "AbstractDoubleAssert",
                "(DLorg/assertj/core/data/Offset;)V",
                other,
            ),
            (
                "AbstractZonedDateTimeAssert",
                "(Ljava/time/ZonedDateTime;)V",
                other,
            ),
        ] {
            assert_eq!(check(class, desc), wanted, "{class} {desc}");
        }
    }

    #[test]
    fn a_message_may_stand_before_a_condition() {
        let holds = |at| {
            Some(Check::Holds {
                actual: Some(at),
                wanted: true,
            })
        };
        let owner = "org/junit/Assert";
        assert_eq!(check(owner, "assertTrue", "(Z)V"), holds(0));
        let desc = "(Ljava/lang/String;Z)V";
        assert_eq!(check(owner, "assertTrue", desc), holds(1));
        let desc = "(ZLjava/lang/String;)V";
        assert_eq!(check("org/testng/Assert", "assertTrue", desc), holds(0));
    }

    #[test]
    fn a_matcher_is_asked_about_what_stands_before_it() {
        let other = |at| Some(Check::Other { actual: Some(at) });
        let desc = "(Ljava/lang/Object;Lorg/hamcrest/Matcher;)V";
        let owner = "org/hamcrest/MatcherAssert";
        assert_eq!(check(owner, "assertThat", desc), other(0));
        let desc = "(Ljava/lang/String;Ljava/lang/Object;Lorg/hamcrest/Matcher;)V";
        assert_eq!(check("org/junit/Assert", "assertThat", desc), other(1));
    }

    #[test]
    fn whatever_has_a_dialect_is_a_framework_and_none_of_the_programs() {
        for owner in [
            "org/junit/Assert",
            "junit/framework/TestCase",
            "org/junit/jupiter/api/Assertions",
            "org/testng/Assert",
            "org/hamcrest/MatcherAssert",
            "org/assertj/core/api/Assertions",
            "com/google/common/truth/Truth",
            "kotlin/test/AssertionsKt",
            "io/kotest/matchers/ShouldKt",
        ] {
            let desc = match owner.contains("hamcrest") {
                true => "(Ljava/lang/Object;Lorg/hamcrest/Matcher;)V",
                false => "(Ljava/lang/Object;Ljava/lang/Object;)V",
            };
            assert!(check(owner, "assertEquals", desc).is_some(), "{owner}");
            let class = owner.replace('/', ".");
            assert!(jinsi_level::frameworks::is_framework(&class), "{class}");
            assert!(!jinsi_level::program::is_the_programs(&class), "{class}");
        }
    }

    #[test]
    fn descriptors_come_apart() {
        assert_eq!(
            parameters("(I[[JLa/B;[Lc/D;Z)V"),
            ["I", "[[J", "La/B;", "[Lc/D;", "Z"]
        );
        assert!(parameters("()V").is_empty() && parameters("x").is_empty());
    }
}
