//! Which recorded classes are those of the failed test, and which those of the program: by the class of the test, and by where the class path has
//! them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jinsi_jdk::jar;
use jinsi_level::program::is_mock;
use jinsi_trace::model::ClassOrigin;

use super::kept::is_plain;
use super::root_cause::is_of_test;
use super::run::Run;
use crate::minimized::Sides;

/// Names of directories in which builds have classes of tests.
const DIRECTORIES: [&str; 4] = ["test-classes", "test", "testFixtures", "integrationTest"];

/// Ends of the names of jars that builds make of tests.
const JARS: [&str; 2] = ["-tests.jar", "-test-fixtures.jar"];

impl Run {
    /// The sides of the failed test that was chosen; `None` if none was.
    pub(super) fn sides(&self) -> Option<Sides> {
        let class = self.trace.mark(self.test_no?)?.class.replace('.', "/");
        let places = self.class_path_here();
        let places: Vec<Place> = places.iter().map(|path| Place::of(path)).collect();
        let tables = self.history.tables();
        let inherited = tables
            .superclasses(&class)
            .filter(|name| *name != "java/lang/Object");
        let classes = self.trace.classes().iter();
        let classes = classes.filter(|c| c.origin == ClassOrigin::Observed && is_plain(&c.name));
        let recorded: Vec<&str> = classes.map(|c| c.name.as_str()).collect();
        let of_test = |name: &&str| is_of_test(tables, name, &class);
        let own = recorded.iter().copied().filter(of_test);
        let program = program(&recorded, &class, &places);
        Some(Sides {
            own: own.chain(inherited).map(dotted).collect(),
            program: program
                .into_iter()
                .filter(|name| !of_test(name))
                .map(dotted)
                .collect(),
        })
    }
}

fn dotted(internal: &str) -> String {
    internal.replace('/', ".")
}

/// The recorded classes that do not lie where tests lie. All of them, if tests and program lie in the same places: those tell nothing then.
fn program<'a>(recorded: &[&'a str], test: &str, places: &[Place]) -> Vec<&'a str> {
    let at = |class: &str| places.iter().find(|place| place.has(class));
    let own = at(test).map(|place| &place.path);
    let is_for_tests = |place: &&Place| Some(&place.path) == own || is_named_for_tests(&place.path);
    let mut elsewhere = false;
    // Mocks do what the test told them.
    let recorded: Vec<&str> = recorded.iter().copied().filter(|c| !is_mock(c)).collect();
    let program = recorded.iter().copied().filter(|class| {
        let place = at(class);
        let of_tests = place.as_ref().is_some_and(is_for_tests);
        elsewhere |= place.is_some() && !of_tests;
        !of_tests
    });
    let program: Vec<&str> = program.collect();
    match elsewhere {
        true => program,
        false => recorded.clone(),
    }
}

/// Does the name of a directory or a jar say that it has tests?
fn is_named_for_tests(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| {
        DIRECTORIES.contains(&name) || JARS.iter().any(|end| name.ends_with(end))
    })
}

/// An entry of the class path.
struct Place {
    path: PathBuf,
    /// Of a jar, the names of its files.
    files: Option<BTreeSet<String>>,
}

impl Place {
    /// A jar that cannot be read has no files.
    fn of(path: &Path) -> Self {
        let files = path.is_file().then(|| jar::names(path).unwrap_or_default());
        Self {
            path: path.to_owned(),
            files,
        }
    }

    /// Is the class of this internal name there?
    fn has(&self, class: &str) -> bool {
        let file = format!("{class}.class");
        match &self.files {
            Some(files) => files.contains(&file),
            None => self.path.join(file).is_file(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A jar with these files.
    fn jar(path: &str, files: &[&str]) -> Place {
        Place {
            path: path.into(),
            files: Some(files.iter().map(|file| format!("{file}.class")).collect()),
        }
    }

    #[test]
    fn what_lies_with_the_test_is_the_tests() {
        let places = [
            jar("a/checks.jar", &["z/ZooTest", "z/Feeds"]),
            jar("a/zoo.jar", &["z/Zoo"]),
            jar("b/keeper-tests.jar", &["z/KeeperTest"]),
        ];
        let recorded = ["z/ZooTest", "z/Feeds", "z/Zoo", "z/KeeperTest", "z/Made"];
        assert_eq!(
            program(&recorded, "z/ZooTest", &places),
            ["z/Zoo", "z/Made"]
        );
    }

    #[test]
    fn places_that_tests_and_program_share_tell_nothing() {
        let places = [jar("a/all.jar", &["z/ZooTest", "z/Zoo"])];
        let recorded = ["z/ZooTest", "z/Zoo", "z/Made"];
        assert_eq!(program(&recorded, "z/ZooTest", &places), recorded);
        assert_eq!(program(&recorded, "z/ZooTest", &[]), recorded);
    }

    #[test]
    fn mocks_are_not_the_programs() {
        let recorded = ["z/ZooTest", "z/Zoo", "z/Animal$MockitoMock$x7"];
        let places = [
            jar("a/checks.jar", &["z/ZooTest"]),
            jar("a/zoo.jar", &["z/Zoo", "z/Animal"]),
        ];
        assert_eq!(program(&recorded, "z/ZooTest", &places), ["z/Zoo"]);
        assert_eq!(program(&recorded, "z/ZooTest", &[]), recorded[..2]);
    }

    #[test]
    fn names_of_builds_are_known() {
        for path in [
            "x/target/test-classes",
            "x/build/classes/kotlin/test",
            "l/core-1.0-tests.jar",
        ] {
            assert!(is_named_for_tests(Path::new(path)), "{path}");
        }
        for path in [
            "x/target/classes",
            "x/build/classes/java/main",
            "l/contest.jar",
        ] {
            assert!(!is_named_for_tests(Path::new(path)), "{path}");
        }
    }
}
