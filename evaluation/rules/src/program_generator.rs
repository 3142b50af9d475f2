//! Small programs in Java that only look random.

use std::fmt::Write;

use jinsi_ground::numbers::Numbers;

/// Methods of the class; each calls only those behind it.
const METHODS: usize = 5;
/// Statements of each.
const STATEMENTS: usize = 3;

/// A program of one class: objects, fields, loops and calls. Every second dies of an exception, every third catches some.
pub(super) fn program(seed: u64) -> String {
    let mut numbers = Numbers::new(seed + 1);
    let mut text = String::from(
        "package made;\n\nfinal class Made {\n    static int total;\n    int a;\n    int b;\n    Made other;\n\n    Made(int a) {\n        this.a = a;\n    }\n",
    );
    for no in 0..METHODS {
        let _ = writeln!(text, "\n    int m{no}(int n) {{");
        for _ in 0..STATEMENTS {
            let statement = statement(&mut numbers, no, seed.is_multiple_of(3));
            let _ = writeln!(text, "        {statement}");
        }
        text.push_str("        return a + b;\n    }\n");
    }
    text.push_str("\n    int last(int n) {\n        if (n < 0) {\n            throw new IllegalStateException(\"below\");\n        }\n        return n;\n    }\n");
    text.push_str("\n    public static void main(String[] args) {\n        Made made = new Made(1);\n        made.other = new Made(2);\n        made.m0(3);\n");
    if seed % 2 == 1 {
        text.push_str("        made.other.a = made.last(4);\n        made.last(-1);\n");
    }
    text.push_str("    }\n}\n");
    text
}

/// A statement of a method.
fn statement(numbers: &mut Numbers, method: usize, catches: bool) -> String {
    let callee = match method + 1 + numbers.below(METHODS - method) {
        behind if behind < METHODS => format!("m{behind}"),
        _ => "last".to_owned(),
    };
    let number = numbers.below(7);
    match numbers.below(8) {
        0 => format!("a = n + {number};"),
        1 => "b += a;".to_owned(),
        2 => format!("total = total + {callee}({number});"),
        3 => format!("for (int i = 0; i < 2; i++) {{ b = {callee}(i); }}"),
        4 => format!("if (n % 2 == 0) {{ a = {callee}(n); }} else {{ b = {number}; }}"),
        5 => format!("other = new Made({number});"),
        6 if catches => "try { last(-1); } catch (IllegalStateException e) { b = -1; }".to_owned(),
        _ => format!("if (other != null) {{ a = other.{callee}({number}); }}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_gives_one_program() {
        assert_eq!(program(4), program(4));
        assert_ne!(program(4), program(5));
        assert!(program(1).contains("made.last(-1);") && !program(2).contains("made.last(-1);"));
    }
}
