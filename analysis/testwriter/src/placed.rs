//! The source of a test in its place in a project.

/// Blanks of a level of indentation in a written test.
const WRITTEN: usize = 4;

/// The name of a test in a project, the `number`th that is tried: `BarRegressionTest` of `BarLevel3Test`.
pub fn name(written: &str, number: u32) -> String {
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

/// The source with `unit` for each level of indentation.
pub fn indented(source: &str, unit: &str) -> String {
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
    fn levels_of_indentation_are_the_projects() {
        let source =
            "class A {\n    /**\n     * Text.\n     */\n    void a() {\n        b();\n    }\n}\n";
        let two = "class A {\n  /**\n   * Text.\n   */\n  void a() {\n    b();\n  }\n}\n";
        assert_eq!(indented(source, "  "), two);
        assert_eq!(indented(source, "    "), source);
        assert!(indented(source, "\t").contains("\n\t\tb();\n"));
    }
}
