//! The source of a test in the manner of its project.

/// Blanks of a level of indentation in a written test.
const WRITTEN: usize = 4;

/// The name of a test in a project, the `number`th that is tried: `BarRegressionTest` of `BarLevel3Test`.
pub(super) fn name(written: &str, number: u32) -> String {
    let stem = written.strip_suffix("Test").unwrap_or(written);
    let digits = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let subject = match digits.strip_suffix("Level") {
        Some(subject) if digits != stem && !subject.is_empty() => subject,
        _ => stem,
    };
    match number {
        1 => format!("{subject}RegressionTest"),
        n => format!("{subject}Regression{n}Test"),
    }
}

/// The source with another name of its class, wherever that stands as a word.
pub(super) fn renamed(source: &str, old: &str, new: &str) -> String {
    let in_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut out = String::with_capacity(source.len() + 64);
    let mut rest = source;
    while let Some(at) = rest.find(old) {
        let (before, found) = rest.split_at(at);
        let after = &found[old.len()..];
        let begins = !before.ends_with(in_name);
        let is_word = begins && !after.starts_with(in_name);
        out += before;
        out += if is_word { new } else { old };
        rest = after;
    }
    out + rest
}

/// The source with `unit` for each level of indentation.
pub(super) fn indented(source: &str, unit: &str) -> String {
    let mut out = String::with_capacity(source.len());
    for line in source.lines() {
        let text = line.trim_start_matches(' ');
        let blanks = line.len() - text.len();
        out += &unit.repeat(blanks / WRITTEN);
        out += &" ".repeat(blanks % WRITTEN);
        out += text;
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_named_after_what_they_test() {
        assert_eq!(name("BarLevel3Test", 1), "BarRegressionTest");
        assert_eq!(name("BarLevel12Test", 2), "BarRegression2Test");
        assert_eq!(name("LevelTest", 1), "LevelRegressionTest");
        assert_eq!(name("Level2Test", 1), "Level2RegressionTest");
    }

    #[test]
    fn only_the_whole_name_is_another_one() {
        let source = "class BarLevel3Test { /* -Dtest=BarLevel3Test */ BarLevel3Tests t; FooBarLevel3Test u; }";
        assert_eq!(
            renamed(source, "BarLevel3Test", "BarRegressionTest"),
            "class BarRegressionTest { /* -Dtest=BarRegressionTest */ BarLevel3Tests t; FooBarLevel3Test u; }"
        );
    }

    #[test]
    fn levels_of_indentation_are_the_projects() {
        let source =
            "class A {\n    /**\n     * Text.\n     */\n    void a() {\n        b();\n    }\n}\n";
        let two = "class A {\n  /**\n   * Text.\n   */\n  void a() {\n    b();\n  }\n}\n";
        assert_eq!(indented(source, "  "), two);
        assert_eq!(indented(source, "    "), source);
        assert!(indented(source, "\t").contains("\n\t\tb();\n"));
    }
}
