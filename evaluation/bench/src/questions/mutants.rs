//! One-line mutants of Java sources: the common errors of programmers.

use std::path::PathBuf;

/// What stands in a line, and what somebody may have written instead.
const SLIPS: [(&str, &str); 26] = [
    (" < ", " <= "),
    (" < ", " > "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" > ", " < "),
    (" >= ", " > "),
    (" == ", " != "),
    (" != ", " == "),
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " + "),
    (" / ", " * "),
    (" + 1", ""),
    (" - 1", ""),
    (" + 1", " + 2"),
    (" && ", " || "),
    (".left", ".right"),
    (".right", ".left"),
    ("true", "false"),
    ("false", "true"),
    ("rotateLeft(", "rotateRight("),
    ("rotateRight(", "rotateLeft("),
    ("[0]", "[1]"),
    ("[1]", "[0]"),
    ("[2]", "[1]"),
    (" 0", " 1"),
];

/// A changed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mutant {
    /// File, relative to the program.
    pub(super) file: PathBuf,
    /// Line, from 1.
    pub(super) line: usize,
    pub(super) was: String,
    pub(super) is: String,
    /// Name of the method that it is in.
    pub(super) method: String,
}

/// All mutants of a source.
pub(super) fn of_source(file: &str, text: &str) -> Vec<Mutant> {
    let mut all = Vec::new();
    let class = file.trim_end_matches(".java");
    let mut method = String::new();
    let mut inside = false;
    for (no, line) in text.lines().enumerate() {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        if indent == 4 && code.ends_with('{') {
            let name = code.split('(').next().unwrap_or_default();
            let name = name.rsplit(' ').next().unwrap_or_default();
            method = if name == class { "<init>" } else { name }.to_owned();
            inside = true;
            continue;
        }
        if indent == 4 && code == "}" {
            inside = false;
        }
        if !inside || indent < 8 {
            continue;
        }
        let mut add = |is: String| {
            all.push(Mutant {
                file: file.into(),
                line: no + 1,
                was: code.to_owned(),
                is: is.trim().to_owned(),
                method: method.clone(),
            });
        };
        for (was, slip) in SLIPS {
            for (at, _) in line.match_indices(was) {
                add(format!("{}{slip}{}", &line[..at], &line[at + was.len()..]));
            }
        }
        let statement =
            code.ends_with(';') && !code.starts_with("return") && !code.starts_with('}');
        // What declares something cannot be left out.
        let declares = code
            .split(" = ")
            .next()
            .is_some_and(|left| left.contains(' '));
        if statement && !declares {
            add(String::new());
        }
    }
    all
}

impl Mutant {
    /// The source with the changed line.
    pub(super) fn apply(&self, text: &str) -> String {
        let lines = text
            .lines()
            .enumerate()
            .map(|(no, line)| match no + 1 == self.line {
                true => format!("{}\n", self.is),
                false => format!("{line}\n"),
            });
        lines.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_in_methods_and_know_which() {
        let text = "class A {\n    int n = 0;\n\n    A() {\n        n = n + 1;\n    }\n\n    int f(int a) {\n        return a < 1 ? 0 : 1;\n    }\n}\n";
        let all = of_source("A.java", text);
        let of = |method: &str| {
            let found = all.iter().filter(|m| m.method == method);
            found.map(|m| m.is.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(of("<init>"), ["n = n - 1;", "n = n;", "n = n + 2;", ""]);
        assert_eq!(
            of("f"),
            [
                "return a <= 1 ? 0 : 1;",
                "return a > 1 ? 0 : 1;",
                "return a < 1 ? 1 : 1;"
            ]
        );
        assert!(all[0].apply(text).contains("\nn = n - 1;\n"));
    }
}
