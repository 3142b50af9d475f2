//! What is recorded and replayed: `evaluation/corpus/replay-suite.json`.

use anyhow::Result;
use jinsi_ground::manifest;
use serde::Deserialize;

/// All of the manifest.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub(super) runs: Vec<RecordedRun>,
    pub(super) causes: Vec<Cause>,
}

/// A run that is recorded.
#[derive(Deserialize)]
pub(super) struct RecordedRun {
    /// Name for people and for `--only`.
    pub(super) name: String,
    /// Classes that are observed.
    pub(super) observe: String,
    #[serde(flatten)]
    pub(super) what: What,
}

/// What runs.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum What {
    /// A program of ours.
    Program {
        /// Directories of the repository with its sources.
        sources: Vec<String>,
        /// Coordinates of what it needs.
        needs: Vec<String>,
        main: String,
        args: Vec<String>,
    },
    /// Test classes of a suite of `cargo xtask transparency`.
    Suite {
        /// The suite's name.
        suite: String,
        /// Regular expression of the names of test classes.
        tests: String,
    },
    /// Test classes of another library that publishes its tests.
    Library {
        /// Coordinates of the library; its tests have the classifier `tests`.
        library: String,
        /// Coordinates of what the tests need besides JUnit.
        needs: Vec<String>,
        /// Regular expression of the names of test classes.
        tests: String,
    },
}

/// Why levels diverge, as far as it was found out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cause {
    /// What the detail of such a divergence contains, all of it.
    pub(super) detail: Vec<String>,
    /// Only in this run, if given.
    pub(super) run: Option<String>,
    /// In words.
    pub(super) cause: String,
}

impl Manifest {
    /// Reads it.
    pub(super) fn read() -> Result<Self> {
        manifest::read("evaluation/corpus/replay-suite.json")
    }

    /// The runs of the given names, all if there are none.
    pub(super) fn wanted(&self, names: &[String]) -> Result<Vec<&RecordedRun>> {
        manifest::wanted(&self.runs, names, |run| &run.name)
    }

    /// Why a level of a run diverged, if that is known.
    pub(super) fn cause(&self, run: &str, detail: &str) -> Option<&str> {
        let fits = |c: &&Cause| {
            c.run.as_deref().is_none_or(|r| r == run)
                && c.detail.iter().all(|part| detail.contains(part.as_str()))
        };
        self.causes.iter().find(fits).map(|c| c.cause.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::transparency::Corpus;
    use jinsi_ground::repository;

    #[test]
    fn the_manifest_names_what_exists() {
        let manifest = Manifest::read().unwrap();
        let suites = Corpus::read().unwrap();
        assert!(manifest.runs.len() >= 40);
        let names: BTreeSet<&str> = manifest.runs.iter().map(|r| r.name.as_str()).collect();
        assert_eq!(names.len(), manifest.runs.len(), "names are distinct");
        for run in &manifest.runs {
            match &run.what {
                What::Program { sources, .. } => assert!(
                    sources
                        .iter()
                        .all(|s| !repository::java_sources(s).unwrap().is_empty()),
                    "{}",
                    run.name
                ),
                What::Suite { suite, .. } => {
                    assert!(suites.suite(suite).is_ok(), "{}", run.name);
                }
                What::Library { library, .. } => {
                    assert_eq!(library.split(':').count(), 3, "{}", run.name);
                }
            }
        }
        assert!(manifest.wanted(&["none".into()]).is_err());
        assert_eq!(manifest.wanted(&["jod3".into()]).unwrap().len(), 1);
    }

    #[test]
    fn a_cause_needs_all_its_words() {
        let manifest = Manifest {
            runs: Vec::new(),
            causes: vec![Cause {
                detail: vec!["one".into(), "two".into()],
                run: Some("r".into()),
                cause: "both".into(),
            }],
        };
        assert_eq!(manifest.cause("r", "two and one"), Some("both"));
        assert_eq!(manifest.cause("r", "two"), None);
        assert_eq!(manifest.cause("s", "two and one"), None);
    }
}
