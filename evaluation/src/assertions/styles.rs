//! The projects of `tests/styles`: one a framework, with the same program, each laid out twice: as it is, and repaired.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_ground::repository;
use jinsi_jdk::Jdk;
use jinsi_jdk::junit::{self, JunitResult};
use jinsi_jdk::process::{Finished, run_with_descendants};

/// The projects, the program that all of them test, and the parent of their poms.
const PLACE: &str = "tests/styles";
/// The only line that differs in the repaired program.
const DEFECT: &str = "DONE = false";
const REPAIRED: &str = "DONE = true";
/// What the plugin may take for a failed test is 20 minutes; downloads come on top.
const LIMIT: Duration = Duration::from_secs(1800);

/// What can be wrong, or how it is asserted. The name of a test begins with one of them.
const KINDS: [&str; 27] = [
    "number",
    "text",
    "list",
    "map",
    "set",
    "optional",
    "record",
    "array",
    "bigDecimal",
    "date",
    "enumValue",
    "booleanValue",
    "nullValue",
    "same",
    "iterable",
    "json",
    "throws",
    "doesNotThrow",
    "soft",
    "allOf",
    "timeout",
    "mock",
    "custom",
    "helper",
    "loop",
    "lambda",
    "thread",
];

/// A framework, and its project.
pub(super) struct Style {
    pub(super) name: &'static str,
    /// The class with the tests.
    class: &'static str,
    /// The style that it has the tests of, if it has none of its own.
    tests_of: Option<&'static str>,
    /// The property by which the framework is asked for one test, where Surefire cannot ask for it.
    filter: Option<&'static str>,
    /// Kinds that the framework has no way for.
    lacks: &'static [&'static str],
}

impl Style {
    /// A style with tests of its own, in Java.
    const fn of(name: &'static str, lacks: &'static [&'static str]) -> Self {
        Self {
            name,
            class: "checks.TimetableTest",
            tests_of: None,
            filter: None,
            lacks,
        }
    }
}

/// All of them.
pub(super) const STYLES: [Style; 7] = [
    Style::of("JUnit3", &["soft", "allOf", "timeout"]),
    Style::of("JUnit4", &["allOf"]),
    Style::of("JUnit5", &[]),
    Style {
        tests_of: Some("JUnit5"),
        ..Style::of("JUnit6", &[])
    },
    Style::of("TestNG", &["allOf"]),
    // A feature that takes too long is waited for, even if it never ends.
    Style {
        class: "checks.TimetableSpec",
        ..Style::of("Spock", &["soft", "timeout"])
    },
    // Its time-outs are those of coroutines, which code that never waits does not see.
    Style {
        class: "checks.TimetableSpec",
        filter: Some("kotest.filter.tests"),
        ..Style::of("Kotest", &["timeout"])
    },
];

impl Style {
    /// The test of a kind, as Maven is asked for it.
    pub(super) fn test(&self, method: &str) -> Vec<String> {
        let (_, class) = self.class.rsplit_once('.').unwrap_or(("", self.class));
        match self.filter {
            Some(property) => vec![format!("-Dtest={class}"), format!("-D{property}={method}")],
            None => vec![format!("-Dtest={class}#{method}")],
        }
    }

    /// These tests of `all` that the style has, as Maven is asked for them; `None` if it cannot be.
    pub(super) fn tests(&self, methods: &[String], all: usize) -> Option<Vec<String>> {
        let (_, class) = self.class.rsplit_once('.').unwrap_or(("", self.class));
        match self.filter {
            Some(_) if methods.len() < all => None,
            Some(_) => Some(vec![format!("-Dtest={class}")]),
            None => Some(vec![format!("-Dtest={class}#{}", methods.join("+"))]),
        }
    }

    /// Class and method of a test, as the plugin has it.
    pub(super) fn name_of(&self, method: &str) -> String {
        format!("{}.{method}", self.class)
    }

    /// Whether a written test names the class of the failed one.
    pub(super) fn is_called_by(&self, source: &str) -> bool {
        let (package, class) = self.class.rsplit_once('.').unwrap_or(("", self.class));
        let words = || source.split(|c: char| !c.is_alphanumeric() && c != '_');
        let in_package = source.contains(&format!("package {package};"));
        source.contains(self.class) || (in_package && words().any(|word| word == class))
    }
}

/// A project that is laid out.
pub(super) struct Project {
    /// Where its pom is.
    pub(super) root: PathBuf,
}

impl Project {
    /// Copies the project of a style, its parent and the program into a directory.
    pub(super) fn lay_out(style: &Style, place: &Path, repaired: bool) -> Result<Self> {
        let from = repository::root().join(PLACE);
        // The directories have the names of the styles.
        let name = style.name.to_lowercase();
        let root = place.join(&name);
        let main = root.join("src/main/java");
        fs::create_dir_all(place)?;
        repository::run(
            Command::new("cp")
                .arg("-r")
                .args([from.join(&name), root.clone()]),
        )?;
        fs::copy(from.join("pom.xml"), place.join("pom.xml"))?;
        fs::create_dir_all(&main)?;
        repository::run(
            Command::new("cp")
                .arg("-r")
                .args([from.join("program/rail"), main.clone()]),
        )?;
        if let Some(other) = style.tests_of {
            let tests = from.join(other.to_lowercase()).join("src/test");
            repository::run(Command::new("cp").arg("-r").args([tests, root.join("src")]))?;
        }
        if repaired {
            let file = main.join("rail/Repair.java");
            let text = fs::read_to_string(&file)?;
            ensure!(text.contains(DEFECT), "{} has no defect", file.display());
            fs::write(&file, text.replace(DEFECT, REPAIRED))?;
        }
        Ok(Self { root })
    }

    /// Runs Maven, as its user does.
    pub(super) fn maven(&self, jdk: &Jdk, words: &[&str]) -> Result<Finished> {
        let mut mvn = Command::new("mvn");
        mvn.current_dir(&self.root)
            .env("JAVA_HOME", jdk.home())
            .env_remove("JAVA_TOOL_OPTIONS")
            .args(["-B", "-Dstyle.color=never"])
            .args(words);
        Ok(run_with_descendants(&mut mvn, LIMIT)?)
    }

    /// Runs tests without the plugin: how each ended, by class and method. `None`: they do not compile.
    pub(super) fn outcomes(&self, jdk: &Jdk, words: &[&str]) -> Result<Outcomes> {
        let reports = self.root.join("target/surefire-reports");
        if reports.exists() {
            fs::remove_dir_all(&reports)?;
        }
        let words = [&["test", "-Djinsi.skip"], words].concat();
        let finished = self.maven(jdk, &words)?;
        let ended = junit::read_reports(&reports)?;
        ensure!(
            !ended.is_empty(),
            "no test was run in {}: {}",
            self.root.display(),
            errors_of(&finished)
        );
        Ok(ended
            .into_iter()
            .map(|test| ((test.class, test.method), test.result))
            .collect())
    }
}

/// How tests ended, by class and method.
pub(super) type Outcomes = BTreeMap<(String, String), JunitResult>;

/// What Maven says of its failure.
pub(super) fn errors_of(finished: &Finished) -> String {
    let errors = finished
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("[ERROR] "));
    errors.take(3).collect::<Vec<_>>().join("; ")
}

/// The tests of a style, by their kinds: all fail on the program, and pass on the repaired one.
pub(super) fn tests_of(style: &Style, [broken, repaired]: [&Outcomes; 2]) -> Result<Vec<String>> {
    let methods = |outcomes: &Outcomes, wanted: fn(&JunitResult) -> bool| -> Result<Vec<String>> {
        let tests = outcomes.iter().map(|((_, method), result)| {
            ensure!(wanted(result), "{}.{method}: {result:?}", style.name);
            Ok(method.clone())
        });
        tests.collect()
    };
    let tests = methods(broken, |r| matches!(r, JunitResult::Failed(_)))?;
    let right = methods(repaired, |r| matches!(r, JunitResult::Passed))?;
    ensure!(
        tests == right,
        "{}: not the same tests in both programs",
        style.name
    );
    for kind in KINDS {
        let has = tests.iter().any(|test| kind_of(test).starts_with(kind));
        let lacks = style.lacks.contains(&kind);
        ensure!(has != lacks, "{}: whether it has {kind}", style.name);
    }
    Ok(tests)
}

/// The kind that a test is of, with its way of it. JUnit 3 has a word in front.
pub(super) fn kind_of(method: &str) -> String {
    let rest = method
        .strip_prefix("test")
        .filter(|rest| rest.starts_with(char::is_uppercase));
    let Some(rest) = rest else {
        return method.to_owned();
    };
    let mut letters = rest.chars();
    let first = letters.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// Puts a written test among those of a project, under a name that no other has; that name, with its package.
pub(super) fn put(source: &str, name: &str, unlike: &str, project: &Project) -> Result<String> {
    let package = source
        .lines()
        .find_map(|line| line.strip_prefix("package ")?.strip_suffix(';'));
    let package = package.unwrap_or_default();
    let own = format!("{unlike}{name}");
    let place = project
        .root
        .join("src/test/java")
        .join(package.replace('.', "/"));
    fs::create_dir_all(&place)?;
    let file = place.join(format!("{own}.java"));
    let text = source.replace(&format!("class {name} "), &format!("class {own} "));
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(if package.is_empty() {
        own
    } else {
        format!("{package}.{own}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_the_name_without_the_word_of_junit_3() {
        assert_eq!(kind_of("bigDecimal"), "bigDecimal");
        assert_eq!(kind_of("testBigDecimal"), "bigDecimal");
        assert_eq!(kind_of("tested"), "tested");
    }

    #[test]
    fn a_test_that_calls_the_failed_one_is_known() {
        let style = &STYLES[2];
        assert!(style.is_called_by("package checks;\n new TimetableTest().list();"));
        assert!(style.is_called_by("package rail;\nimport checks.TimetableTest;"));
        assert!(
            !style.is_called_by(
                "package checks;\nclass TimetableTestLevel2Test {\n new Timetable();"
            )
        );
        assert!(!style.is_called_by("package rail;\nclass TimetableTest2 {"));
    }
}
