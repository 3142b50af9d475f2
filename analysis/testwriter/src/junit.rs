//! The versions of JUnit that tests are written for.

/// Seconds after which a call counts as endless.
pub(super) const PATIENCE: u32 = 2;

/// A version of JUnit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Junit {
    /// JUnit 4, from 4.13 on.
    Four,
    /// JUnit 5 (Jupiter).
    #[default]
    Five,
}

impl Junit {
    /// Its number.
    pub fn number(self) -> u32 {
        match self {
            Junit::Four => 4,
            Junit::Five => 5,
        }
    }

    /// Sources of jinsi's extension (simple names, without suffix) that are for this version alone.
    pub fn extension(self) -> &'static str {
        match self {
            Junit::Four => "JinsiReplayRunner",
            Junit::Five => "JinsiReplay",
        }
    }

    /// Internal name of the annotation of test methods.
    pub(super) fn test(self) -> &'static str {
        match self {
            Junit::Four => "org/junit/Test",
            Junit::Five => "org/junit/jupiter/api/Test",
        }
    }

    /// Internal names of the annotations of what is run before and after each test.
    pub(super) fn around(self) -> [&'static str; 2] {
        match self {
            Junit::Four => ["org/junit/Before", "org/junit/After"],
            Junit::Five => [
                "org/junit/jupiter/api/BeforeEach",
                "org/junit/jupiter/api/AfterEach",
            ],
        }
    }

    /// Internal names of the annotation that has a class run by jinsi, and of the class it names.
    pub(super) fn replay(self) -> [&'static str; 2] {
        match self {
            Junit::Four => ["org/junit/runner/RunWith", "jinsi/junit/JinsiReplayRunner"],
            Junit::Five => [
                "org/junit/jupiter/api/extension/ExtendWith",
                "jinsi/junit/JinsiReplay",
            ],
        }
    }

    /// Internal name of the class whose static methods say what source cannot.
    pub(super) fn recording(self) -> &'static str {
        match self {
            Junit::Four => "jinsi/junit/RecordedTest",
            Junit::Five => "jinsi/junit/JinsiReplay",
        }
    }

    /// Binary name of the class with the assertions.
    pub(super) fn assertions(self) -> &'static str {
        match self {
            Junit::Four => "org.junit.Assert",
            Junit::Five => "org.junit.jupiter.api.Assertions",
        }
    }

    /// What test classes and methods have to be declared as.
    pub(super) fn modifier(self) -> &'static str {
        match self {
            Junit::Four => "public ",
            Junit::Five => "",
        }
    }
}
