//! What is run: `evaluation/corpus/transparency.json`.

use anyhow::{Context, Result};
use jinsi_ground::manifest;
use serde::Deserialize;

/// The published test suites, the programs of ours, and the differences that were looked into.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Corpus {
    suites: Vec<Suite>,
    programs: Vec<Program>,
    reviewed: Vec<Reviewed>,
}

/// A library whose tests are published as a jar of their own.
///
/// Behind the first four, they are the first five components of Apache Commons by the names of their artifacts whose newest release has its tests on
/// Maven Central, that this repository had not named before, and whose tests need no database, server, native library or program, nor what only their own
/// build makes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Suite {
    /// Name for people and for `--only`.
    pub(crate) name: String,
    /// Coordinates of the library; its tests have the classifier `tests`.
    pub(crate) library: String,
    /// What the tests need besides JUnit, hamcrest included.
    pub(crate) needs: Vec<String>,
    /// Classes that are observed.
    pub(super) observe: String,
    /// Regular expression of the names of test classes, as the library's own build selects them, less what is in `leave_out`.
    pub(super) classes: String,
    #[serde(default)]
    pub(super) leave_out: LeftOut,
}

/// Test classes that are not run.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LeftOut {
    /// Regular expression of their names.
    pub(super) classes: String,
    pub(super) why: String,
}

impl Default for LeftOut {
    fn default() -> Self {
        Self {
            classes: String::new(),
            why: "none".to_owned(),
        }
    }
}

/// A program of ours that uses a library; its source is in `evaluation/java/transparency/NAME`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Program {
    /// Name for people and for `--only`.
    pub(super) name: String,
    /// Its main class.
    pub(super) main: String,
    /// The library, and what it needs.
    pub(super) needs: Vec<String>,
    /// Classes that are observed: the program's and the library's.
    pub(super) observe: String,
    /// Exit status it has to end with, lest a program that fails at once counts as the same.
    pub(super) status: i32,
}

/// A difference that was looked into, and is none of the program's behaviour.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reviewed {
    /// The suite's name.
    suite: String,
    /// Part of the test's unique id.
    test: String,
    /// Why it differs.
    reason: String,
}

impl Corpus {
    /// Reads it.
    pub(crate) fn read() -> Result<Self> {
        manifest::read("evaluation/corpus/transparency.json")
    }

    /// The suite with a name.
    pub(crate) fn suite(&self, name: &str) -> Result<&Suite> {
        let suite = self.suites.iter().find(|suite| suite.name == name);
        suite.with_context(|| format!("there is no suite {name}"))
    }

    /// Suites and programs of the given names, all if there are none.
    pub(super) fn wanted(&self, names: &[String]) -> Result<(Vec<&Suite>, Vec<&Program>)> {
        let suites = self.suites.iter().map(|suite| &suite.name);
        let all: Vec<&String> = suites
            .chain(self.programs.iter().map(|p| &p.name))
            .collect();
        let wanted = manifest::wanted(&all, names, |name| name)?;
        let is_wanted = |name: &String| wanted.iter().any(|wanted| **wanted == name);
        let suites = self.suites.iter().filter(|suite| is_wanted(&suite.name));
        let programs = self.programs.iter().filter(|p| is_wanted(&p.name));
        Ok((suites.collect(), programs.collect()))
    }

    /// Why a test of a suite ends otherwise, if that was looked into.
    pub(super) fn reviewed(&self, suite: &Suite, test: &str) -> Option<String> {
        let reviewed = self.reviewed.iter();
        let mut reviewed = reviewed.filter(|r| r.suite == suite.name && test.contains(&r.test));
        reviewed.next().map(|reviewed| reviewed.reason.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_and_programs_are_found_by_name() {
        let corpus = Corpus::read().unwrap();
        let (suites, programs) = corpus.wanted(&[]).unwrap();
        assert_eq!((suites.len(), programs.len()), (9, 5));
        let only = ["commons-io".to_owned(), "kotlin".to_owned()];
        let (suites, programs) = corpus.wanted(&only).unwrap();
        assert_eq!((suites.len(), programs.len()), (1, 1));
        assert!(corpus.wanted(&["none".to_owned()]).is_err());
        let suite = corpus.suite("commons-dbutils").unwrap();
        assert!(corpus.reviewed(suite, "another test").is_none());
    }
}
