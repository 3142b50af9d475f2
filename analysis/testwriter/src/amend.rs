//! What is added to a written test afterwards, when it was compiled and run.

use std::collections::BTreeSet;

const ANNOTATION: &str = "    @SuppressWarnings(";

/// A written test with an annotation for warnings of the compiler (names as `-Xlint` has them) on its method.
pub fn suppressing(source: &str, warnings: &BTreeSet<&str>) -> String {
    let mut names: BTreeSet<String> = warnings.iter().map(|w| (*w).to_owned()).collect();
    let earlier = source
        .lines()
        .find_map(|line| line.strip_prefix(ANNOTATION));
    names.extend(
        earlier
            .iter()
            .flat_map(|e| e.split('"').skip(1).step_by(2))
            .map(str::to_owned),
    );
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let names = match &names[..] {
        [] => return source.to_owned(),
        [one] => one.clone(),
        all => format!("{{{}}}", all.join(", ")),
    };
    let annotation = format!("{ANNOTATION}{names})\n");
    let annotated = source.lines().any(is_annotation);
    let mut out = String::new();
    for line in source.lines().filter(|line| !line.starts_with(ANNOTATION)) {
        if !annotated && is_named_test(line) {
            out += &annotation;
        }
        out += line;
        out.push('\n');
        if is_annotation(line) {
            out += &annotation;
        }
    }
    out
}

/// Does the line make the next method a test?
pub(super) fn is_annotation(line: &str) -> bool {
    let annotation = line.trim().split('(').next().unwrap_or_default();
    let names = [
        "@Test",
        "@org.junit.jupiter.api.Test",
        "@org.junit.Test",
        "@org.testng.annotations.Test",
    ];
    names.contains(&annotation)
}

/// Is it the head of a test of JUnit 3?
pub(super) fn is_named_test(line: &str) -> bool {
    line.starts_with("    public void test") && line.ends_with('{')
}

/// A written test whose comment says that its JVM needs these options.
pub fn running_with(source: &str, options: &[String]) -> String {
    const END: &str = "     */\n";
    let mut said =
        "     *\n     * <p>It needs these options of the JVM, which the recorded program had:\n     *\n     * <pre>\n"
            .to_owned();
    for option in options {
        said += &format!("     * {option}\n");
    }
    said += "     * </pre>\n";
    source.replacen(END, &(said + END), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_suppressed_on_the_method() {
        let source = "class T {\n\n    @Test\n    void m() {\n    }\n}\n";
        let one = suppressing(source, &["rawtypes"].into());
        assert_eq!(
            one,
            "class T {\n\n    @Test\n    @SuppressWarnings(\"rawtypes\")\n    void m() {\n    }\n}\n"
        );
        let two = suppressing(&one, &["deprecation"].into());
        assert!(two.contains(
            "    @Test\n    @SuppressWarnings({\"deprecation\", \"rawtypes\"})\n    void"
        ));
        assert_eq!(two.matches("SuppressWarnings").count(), 1);
        assert_eq!(suppressing(source, &[].into()), source);
    }

    #[test]
    fn the_comment_names_options_of_the_jvm() {
        let source = "class T {\n\n    /**\n     * Run it with JUnit 5.\n     */\n    @Test\n    void t() {\n    }\n}\n";
        let opens = "--add-opens=java.base/java.util=ALL-UNNAMED".to_owned();
        assert_eq!(
            running_with(source, &[opens, "--enable-preview".into()]),
            "class T {\n\n    /**\n     * Run it with JUnit 5.\n     *\n     * <p>It needs these options of the JVM, which the recorded program had:\n     *\n     * <pre>\n     * \
         --add-opens=java.base/java.util=ALL-UNNAMED\n     * --enable-preview\n     * </pre>\n     */\n    @Test\n    void t() {\n    }\n}\n"
        );
    }

    #[test]
    fn tests_of_junit_3_have_no_annotation() {
        let deprecation = BTreeSet::from(["deprecation"]);
        let three = "class T extends TestCase {\n    public void testA() {\n    }\n}\n";
        assert_eq!(
            suppressing(three, &deprecation),
            "class T extends TestCase {\n    @SuppressWarnings(\"deprecation\")\n    public void testA() {\n    }\n}\n"
        );
    }
}
