//! A library laid out as its build has it: `target/classes`, `target/test-classes`, and a directory in which the tests run.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jinsi_classfile::ClassFile;
use jinsi_ground::files::{files_below, unpack};
use jinsi_ground::repository;
use jinsi_jdk::{Jdk, compile, maven};
use jinsi_platform::files::symbolic_link;

use crate::resolve::Resolved;

const SUFFIX: &str = ".class";
/// Where the Java parts of the measure lie in the repository.
const JAVA: &str = "evaluation/suites/java";

/// What runs the tests, compiled.
pub(crate) struct Tools {
    /// `SuiteRunner`.
    pub(crate) runner: PathBuf,
    /// `jinsi.hits.Hits`.
    pub(crate) hits: PathBuf,
}

impl Tools {
    /// Compiles them into a directory.
    pub(crate) fn compile(jdk: &Jdk, directory: &Path) -> Result<Tools> {
        let launcher = maven::fetch(&[maven::JUNIT])?;
        let part = |name: &str, sources: &[PathBuf]| -> Result<PathBuf> {
            let into = directory.join(name);
            fs::create_dir_all(&into)?;
            compile::javac_for(jdk, Some(11), sources, &launcher, &into)?;
            Ok(into)
        };
        Ok(Tools {
            runner: part(
                "runner",
                &repository::java_sources(&format!("{JAVA}/runner"))?,
            )?,
            hits: part("hits", &repository::java_sources(&format!("{JAVA}/hits"))?)?,
        })
    }
}

/// A library on disk.
pub(crate) struct Site {
    pub(crate) root: PathBuf,
    pub(crate) classes: PathBuf,
    pub(crate) test_classes: PathBuf,
    /// Behind these on the class path of the tests.
    pub(crate) dependencies: Vec<PathBuf>,
    /// Binary names of all classes of the library.
    pub(crate) own: Vec<String>,
    /// Those of the tests' jar.
    pub(crate) of_tests: Vec<String>,
}

impl Site {
    /// Unpacks the jars below `root`, which is made.
    pub(crate) fn lay_out(resolved: &Resolved, jdk: &Jdk, root: &Path) -> Result<Site> {
        let (classes, test_classes) = (
            root.join("target/classes"),
            root.join("target/test-classes"),
        );
        for (jar, into) in [(&resolved.jar, &classes), (&resolved.tests, &test_classes)] {
            unpack(jdk, jar, &[], into)?;
        }
        // Tests read files below the directories of their sources.
        for (part, from) in [("test", &test_classes), ("main", &classes)] {
            let place = root.join("src").join(part);
            fs::create_dir_all(&place)?;
            symbolic_link(from, place.join("resources"))?;
        }
        Site::of(root, classes, test_classes, resolved.class_path.clone())
    }

    /// A library and its tests that lie in directories; the tests run in `root`.
    pub(crate) fn of(
        root: &Path,
        classes: PathBuf,
        test_classes: PathBuf,
        dependencies: Vec<PathBuf>,
    ) -> Result<Site> {
        let site = Site {
            own: names(&classes)?,
            of_tests: names(&test_classes)?,
            root: root.to_owned(),
            classes,
            test_classes,
            dependencies,
        };
        ensure!(!site.own.is_empty(), "the library has no classes");
        ensure!(!site.of_tests.is_empty(), "there are no classes of tests");
        Ok(site)
    }

    /// The class path of the tests as a build has it.
    pub(crate) fn class_path(&self) -> Vec<PathBuf> {
        let mut path = vec![self.test_classes.clone(), self.classes.clone()];
        path.extend_from_slice(&self.dependencies);
        path
    }

    /// A class of the library, by its binary name.
    pub(crate) fn class(&self, name: &str) -> Result<ClassFile> {
        let file = self.file(name);
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(ClassFile::parse(&bytes)?)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.classes
            .join(format!("{}{SUFFIX}", name.replace('.', "/")))
    }

    /// Puts a class in the place of the library's own, until what is returned is dropped.
    pub(crate) fn with_defect(&self, name: &str, class: &ClassFile) -> Result<Defect> {
        let file = self.file(name);
        let original = fs::read(&file)?;
        fs::write(&file, class.to_bytes()?)?;
        Ok(Defect { file, original })
    }

    /// Test classes as Surefire looks for them by itself.
    pub(crate) fn test_names(&self) -> Vec<&str> {
        let names = self.of_tests.iter().map(String::as_str);
        names.filter(|name| is_test(name)).collect()
    }
}

/// A defective class in the place of the original, which comes back at the end.
pub(crate) struct Defect {
    file: PathBuf,
    original: Vec<u8>,
}

impl Drop for Defect {
    fn drop(&mut self) {
        if let Err(error) = fs::write(&self.file, &self.original) {
            // All further runs would have this defect, too.
            panic!("{} cannot be restored: {error}", self.file.display());
        }
    }
}

/// Surefire's default patterns: `Test*`, `*Test`, `*Tests`, `*TestCase`; no nested classes.
fn is_test(name: &str) -> bool {
    let simple = name.rsplit('.').next().unwrap_or(name);
    let ends = ["Test", "Tests", "TestCase"];
    !simple.contains('$')
        && (simple.starts_with("Test") || ends.iter().any(|end| simple.ends_with(end)))
}

/// Binary names of the class files below a directory, sorted. None of `META-INF`, which has classes for other releases of Java.
fn names(directory: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for path in files_below(directory) {
        let below = path.strip_prefix(directory)?.to_string_lossy().into_owned();
        let Some(name) = below.strip_suffix(SUFFIX) else {
            continue;
        };
        if !name.starts_with("META-INF") && !name.ends_with("-info") {
            names.push(name.replace('/', "."));
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Patterns for the agent that stand for all these classes, as the Maven plugin has them: packages, and the names of classes without one.
pub(crate) fn packages<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut patterns: Vec<String> = names
        .map(|name| match name.rsplit_once('.') {
            Some((package, _)) => format!("{package}.*"),
            None => name.clone(),
        })
        .collect();
    patterns.sort_unstable();
    patterns.dedup();
    // A package's pattern stands for those below it, too, and comes before them.
    let mut needed: Vec<String> = Vec::new();
    for pattern in patterns {
        let covers = |n: &String| {
            n.strip_suffix('*')
                .is_some_and(|start| pattern.starts_with(start))
        };
        if !needed.iter().any(covers) {
            needed.push(pattern);
        }
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_known_by_their_names() {
        for name in ["a.TestB", "a.BTest", "BTests", "a.b.CTestCase"] {
            assert!(is_test(name), "{name}");
        }
        for name in ["a.B", "a.BTest$Nested", "a.Testing$1", "test.Helper"] {
            assert!(!is_test(name), "{name}");
        }
    }

    #[test]
    fn a_package_stands_for_those_below() {
        let names = ["a.b.C", "a.b.c.D", "a.bc.E", "F"].map(str::to_owned);
        assert_eq!(packages(names.iter()), ["F", "a.b.*", "a.bc.*"]);
    }
}
