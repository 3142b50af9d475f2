//! How much of a written test there is to read, and to understand.

use super::amend::{is_annotation, is_named_test};

/// What makes a test easy or hard to keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measure {
    /// Objects that only the recording can make, so that a reader does not see what they are.
    pub opaque: usize,
    /// Lines of the test method's body, without remarks.
    pub lines: usize,
}

/// How the extension's methods hand out an object of the recording.
const OPAQUE: [&str; 2] = ["JinsiReplay.object(", "RecordedTest.object("];

impl Measure {
    /// Of the source of a test class.
    pub fn of(source: &str) -> Self {
        let opaque = OPAQUE.iter().map(|call| source.matches(call).count());
        Self {
            opaque: opaque.sum(),
            lines: statements(source).count(),
        }
    }
}

/// The lines of the test method's body in a written test class, without remarks, indented as they are there.
pub fn statements(source: &str) -> impl Iterator<Item = &str> {
    let in_body = source
        .lines()
        .skip_while(|line| !is_annotation(line) && !is_named_test(line))
        .skip_while(|line| !line.ends_with('{'))
        .skip(1);
    // Statements are indented, the end of the method is not.
    let body = in_body.take_while(|line| *line != "    }");
    body.filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_body_and_objects_of_the_recording_are_counted() {
        let source = "class T {\n\n    @BeforeEach\n    void surround() {\n        a();\n    }\n\n    /** x */\n    @Test\n    @SuppressWarnings(\"x\")\n    void m() throws Exception {\n        A a = new A(JinsiReplay.object(3));\n\n        // remark\n        a.b(JinsiReplay.object(4),\n                1);\n    }\n}\n";
        let expected = Measure {
            opaque: 2,
            lines: 3,
        };
        assert_eq!(Measure::of(source), expected);
        let statements: Vec<&str> = statements(source).map(str::trim).collect();
        assert_eq!(statements.last(), Some(&"1);"));
    }
}
