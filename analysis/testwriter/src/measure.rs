//! How much of a written test there is to read, and to understand.

use super::amend::{is_annotation, is_named_test};
use super::java::{JavaClass, JavaExpr, JavaStmt, Node, Target};

/// What makes a test easy or hard to keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measure {
    /// Objects that only the recording can make, so that a reader does not see what they are.
    pub opaque: usize,
    /// Lines of the test method's body, without remarks.
    pub lines: usize,
}

impl Measure {
    /// Of a test class and its source; `recording`: the class that hands out objects of the recording, by its method `object`.
    pub(super) fn of(class: &JavaClass, recording: &str, source: &str) -> Self {
        let mut opaque = 0;
        let mut count = |part: &JavaExpr| {
            let Node::Call(Target::Static(of), name, _) = &part.node else {
                return false;
            };
            opaque += usize::from(of.is_class(recording) && name == "object");
            false
        };
        let statements = class.methods.iter().flat_map(|method| &method.body);
        for part in statements.flat_map(JavaStmt::parts) {
            part.any(&mut count);
        }
        Self {
            opaque,
            lines: self::statements(source).count(),
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
    fn lines_of_the_body_are_counted() {
        let source = "class T {\n\n    @BeforeEach\n    void surround() {\n        a();\n    }\n\n    /** x */\n    @Test\n    @SuppressWarnings(\"x\")\n    void m() throws Exception {\n        A a = new A(JinsiReplay.object(3));\n\n        // remark\n        a.b(JinsiReplay.object(4),\n                1);\n    }\n}\n";
        let statements: Vec<&str> = statements(source).map(str::trim).collect();
        assert_eq!(statements.len(), 3);
        assert_eq!(statements.last(), Some(&"1);"));
    }
}
