//! The frameworks that tests are written for.

/// Seconds after which a call counts as endless.
pub(super) const PATIENCE: i32 = 2;

/// What finds and runs the tests of a project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framework {
    /// JUnit 3: methods of a `TestCase`, by their names.
    Junit3,
    /// JUnit 4, from 4.13 on.
    Junit4,
    /// JUnit 5 (Jupiter).
    #[default]
    Junit5,
    /// TestNG, from 6.9.5 on.
    TestNg,
}

/// The words in which the tests of a project are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// What runs them.
    pub framework: Framework,
    /// Assertions are AssertJ's, where it has them.
    pub assertj: bool,
}

impl Framework {
    /// All, the eldest first.
    pub const ALL: [Self; 4] = [Self::Junit3, Self::Junit4, Self::Junit5, Self::TestNg];

    /// What people call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Junit3 => "JUnit 3",
            Self::Junit4 => "JUnit 4",
            Self::Junit5 => "JUnit 5",
            Self::TestNg => "TestNG",
        }
    }

    /// The same without its version.
    pub(super) fn family(self) -> &'static str {
        match self {
            Self::Junit3 | Self::Junit4 | Self::Junit5 => "JUnit",
            Self::TestNg => "TestNG",
        }
    }

    /// The one that jinsi's extension serves in its place: JUnit 4 or 5.
    pub fn of_extension(self) -> Self {
        match self {
            Self::Junit3 | Self::Junit4 => Self::Junit4,
            Self::Junit5 | Self::TestNg => Self::Junit5,
        }
    }

    /// Sources of jinsi's extension (simple names, without suffix) that are for this one alone.
    pub fn extension(self) -> &'static str {
        match self.of_extension() {
            Self::Junit4 => "JinsiReplayRunner",
            _ => "JinsiReplay",
        }
    }

    /// Internal name of the annotation of test methods. JUnit 3 goes by the method's name.
    pub(super) fn test(self) -> Option<&'static str> {
        match self {
            Self::Junit3 => None,
            Self::Junit4 => Some("org/junit/Test"),
            Self::Junit5 => Some("org/junit/jupiter/api/Test"),
            Self::TestNg => Some("org/testng/annotations/Test"),
        }
    }

    /// Internal name of the class that test classes extend.
    pub(super) fn extends(self) -> Option<&'static str> {
        (self == Self::Junit3).then_some("junit/framework/TestCase")
    }

    /// Internal names of the annotations of what is run before and after each test. JUnit 3 calls `setUp` and `tearDown`.
    pub(super) fn around(self) -> Option<[&'static str; 2]> {
        match self {
            Self::Junit3 => None,
            Self::Junit4 => Some(["org/junit/Before", "org/junit/After"]),
            Self::Junit5 => Some([
                "org/junit/jupiter/api/BeforeEach",
                "org/junit/jupiter/api/AfterEach",
            ]),
            Self::TestNg => Some([
                "org/testng/annotations/BeforeMethod",
                "org/testng/annotations/AfterMethod",
            ]),
        }
    }

    /// Internal names of the annotation that has a class run by jinsi, and of the class it names.
    pub(super) fn replay(self) -> [&'static str; 2] {
        match self.of_extension() {
            Self::Junit4 => ["org/junit/runner/RunWith", "jinsi/junit/JinsiReplayRunner"],
            _ => [
                "org/junit/jupiter/api/extension/ExtendWith",
                "jinsi/junit/JinsiReplay",
            ],
        }
    }

    /// Internal name of the class whose static methods say what source cannot.
    pub(super) fn recording(self) -> &'static str {
        match self.of_extension() {
            Self::Junit4 => "jinsi/junit/RecordedTest",
            _ => "jinsi/junit/JinsiReplay",
        }
    }

    /// Internal name of the class with the assertions; those of JUnit 3 are inherited.
    pub(super) fn assertions(self) -> Option<&'static str> {
        match self {
            Self::Junit3 => None,
            Self::Junit4 => Some("org/junit/Assert"),
            Self::Junit5 => Some("org/junit/jupiter/api/Assertions"),
            Self::TestNg => Some("org/testng/Assert"),
        }
    }

    /// The assertion that gives the exception which a call throws: its class, and its name; JUnit 3 has none.
    pub(super) fn gives_exception(self) -> Option<(&'static str, &'static str)> {
        let name = match self {
            Self::TestNg => "expectThrows",
            Self::Junit3 | Self::Junit4 | Self::Junit5 => "assertThrows",
        };
        Some((self.assertions()?, name))
    }

    /// What test classes and methods have to be declared as.
    pub(super) fn modifier(self) -> &'static str {
        match self {
            Self::Junit5 => "",
            Self::Junit3 | Self::Junit4 | Self::TestNg => "public ",
        }
    }

    /// The name of the test method that is to be called `name`.
    pub(super) fn method(self, name: &str) -> String {
        let mut letters = name.chars();
        match (self, letters.next()) {
            (Self::Junit3, Some(first)) => {
                format!("test{}{}", first.to_uppercase(), letters.as_str())
            }
            _ => name.to_owned(),
        }
    }

    /// By which name its annotation takes the milliseconds that a test may take.
    pub(super) fn limit(self) -> Option<&'static str> {
        match self {
            Self::Junit4 => Some("timeout"),
            Self::TestNg => Some("timeOut"),
            Self::Junit3 | Self::Junit5 => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_of_junit_3_begin_with_test() {
        assert_eq!(Framework::Junit3.method("packs"), "testPacks");
        assert_eq!(Framework::Junit4.method("packs"), "packs");
    }

    #[test]
    fn the_extension_is_for_two_of_them() {
        for framework in Framework::ALL {
            let served = framework.of_extension();
            assert_eq!(served.of_extension(), served);
            assert!(served.test().is_some());
        }
    }
}
