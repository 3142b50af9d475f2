//! The bugs: `tests/corpus/*/bug.json`, each with its driver beside it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jinsi_analysis::report::json::{Failure, Link};
use jinsi_jdk::maven;
use jinsi_oracle::Writing;
use jinsi_oracle::given::Given;
use serde::{Deserialize, Serialize};

use crate::{files, repository};

/// Where the bugs that were chosen are, in the repository.
pub const CHOSEN: &str = "tests/corpus";
/// Where those are that a rule drew (`README.md` there has it).
pub const BLIND: &str = "tests/blind";
/// The manifest in the directory of a bug.
const MANIFEST: &str = "bug.json";

/// A bug of a released library, and the program that shows it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bug {
    /// Directory that has the manifest.
    #[serde(skip)]
    directory: PathBuf,
    /// Name for people and for `--only`.
    pub id: String,
    /// The library in which the bug is.
    pub library: String,
    /// Maven coordinates of the library and of what it needs.
    pub coordinates: Vec<String>,
    /// Those of a release in which it is repaired, and of what that needs: plain tests must pass there.
    #[serde(default)]
    pub repaired: Vec<String>,
    /// Where it was reported.
    pub report: String,
    /// What is wrong, in a sentence.
    pub summary: String,
    /// The driver's main class; its package is the directory's name.
    pub main: String,
    /// Directory of the repository with the driver's sources, if not that of the manifest.
    pub sources: Option<String>,
    /// Classes that are observed.
    pub observe: String,
    /// `user.timezone` of the recorded run.
    pub time_zone: Option<String>,
    /// Seconds after which the recorded run is stopped, of a program that does not end.
    pub time_limit: Option<u32>,
    /// Language and country of the recorded run, as in `fr-FR`.
    pub locale: Option<String>,
    /// Further options of the JVM.
    #[serde(default)]
    pub options: Vec<String>,
    /// Where it shows.
    #[serde(default)]
    pub java: Java,
    /// Options of `jinsi debug` by which the user names what is wrong.
    #[serde(default)]
    pub oracle: Vec<String>,
    /// How it shows.
    pub failure: Expected,
    /// Where the chain back from the failure has to end, if that is known.
    pub ends: Option<End>,
    /// Lines that the repair changed, `File.java:LINE` of the broken library, where that is known: those at which one would have found it.
    #[serde(default)]
    pub fixed: Vec<String>,
    /// How these were found.
    pub fixed_source: Option<String>,
    /// What the thesis has for it (Burger 2011, Table 9.4), if it is one of its bugs.
    pub thesis: Option<Thesis>,
}

/// Versions of Java on which a bug shows, both inclusive.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Java {
    min: Option<u32>,
    max: Option<u32>,
}

impl Java {
    /// Does it show on this one?
    pub fn has(&self, feature: u32) -> bool {
        self.min.is_none_or(|min| feature >= min) && self.max.is_none_or(|max| feature <= max)
    }
}

/// A failure as far as it is the same on every JVM.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// `exception`; `assertion`: a wrong value; or another one of `docs/oracles.md`.
    #[serde(default = "exception")]
    pub kind: String,
    /// Of an assertion, the wrong value as it shows that; empty if it does not, or if that is not known.
    #[serde(default)]
    pub actual: String,
    /// Binary name of the exception's class.
    #[serde(rename = "type")]
    pub class: String,
    /// Part of the message; empty if there is none, or none that stays the same.
    pub message: String,
    /// Beginning of the topmost frame, `package.Class.method`; empty if it varies (stack overflows).
    pub at: String,
}

fn exception() -> String {
    "exception".into()
}

impl Expected {
    /// Is it the recorded one?
    pub fn fits(&self, recorded: &Failure) -> bool {
        let frame = recorded
            .stack
            .first()
            .map_or(recorded.at.as_str(), |f| f.text.as_str());
        recorded.kind == self.kind
            && recorded.class == self.class
            && (self.actual.is_empty() || recorded.actual.as_ref() == Some(&self.actual))
            && frame.starts_with(&self.at)
            && recorded
                .message
                .as_deref()
                .unwrap_or_default()
                .contains(&self.message)
    }
}

/// The end of a chain: the state that is wrong first.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// Binary name of the object's class.
    class: String,
    /// What is wrong with it.
    predicate: String,
    /// Part of the interaction by which it became so.
    by: String,
    /// Fewer lines than these must be executed by what is left there.
    lines: u64,
}

impl End {
    /// Does the chain end here, with fewer lines?
    pub fn fits(&self, chain: &[Link]) -> bool {
        chain.last().is_some_and(|last| {
            last.class.as_ref() == Some(&self.class)
                && last.predicate == self.predicate
                && last.by.as_ref().is_some_and(|by| by.contains(&self.by))
                && last.level.lines_executed.is_some_and(|n| n < self.lines)
        })
    }
}

/// The figures of the thesis for a bug.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Thesis {
    /// Levels in all.
    pub levels: u32,
    /// Levels that were minimized, the lowest ones: up to that of the defect.
    pub examined: u32,
    /// Interactions of the largest level.
    pub interactions: u64,
    /// Interactions left at one of these levels, at most.
    pub relevant: u64,
    /// Tests, all levels together.
    pub tests: u64,
    /// Run time.
    pub seconds: u64,
}

impl Bug {
    /// The failure as one who replays the trace names it, if the trace does not tell.
    pub fn given(&self) -> Option<Given> {
        match (self.failure.kind.as_str(), &*self.oracle) {
            ("hang", _) => Some(Given::Endless),
            ("output", [_, text]) => Some(Given::Output(Writing::Text(text.clone()))),
            _ => None,
        }
    }

    /// All bugs of a place, by directory.
    pub fn all(place: &str) -> Result<Vec<Bug>> {
        let place = repository::root().join(place);
        let mut directories: Vec<PathBuf> = fs::read_dir(&place)
            .with_context(|| format!("cannot read {}", place.display()))?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.join(MANIFEST).is_file())
            .collect();
        directories.sort();
        directories.iter().map(|d| Self::read(d)).collect()
    }

    /// Those of the given names, all if there are none.
    pub fn wanted(place: &str, names: &[String]) -> Result<Vec<Bug>> {
        let all = Self::all(place)?;
        for name in names {
            let known = all.iter().any(|bug| bug.is(name));
            ensure!(known, "no bug is called {name}");
        }
        let wanted = |bug: &Bug| names.is_empty() || names.iter().any(|name| bug.is(name));
        Ok(all.into_iter().filter(wanted).collect())
    }

    fn read(directory: &Path) -> Result<Bug> {
        let file = directory.join(MANIFEST);
        let text = files::text(&file)?;
        let mut bug = Self::parse(&text).with_context(|| file.display().to_string())?;
        bug.directory = directory.to_owned();
        let name = directory.file_name().unwrap_or_default();
        ensure!(
            bug.package() == name.to_string_lossy(),
            "{}: the package of {} is not the directory's name",
            file.display(),
            bug.main
        );
        Ok(bug)
    }

    /// Reads a manifest.
    fn parse(text: &str) -> Result<Bug> {
        let bug: Bug = serde_json::from_str(text)?;
        for (name, value) in [
            ("id", &bug.id),
            ("library", &bug.library),
            ("report", &bug.report),
            ("summary", &bug.summary),
            ("observe", &bug.observe),
            ("failure.kind", &bug.failure.kind),
        ] {
            ensure!(!value.trim().is_empty(), "{name} is empty");
        }
        ensure!(
            !["exception", "assertion"].contains(&bug.failure.kind.as_str())
                || !bug.failure.class.is_empty(),
            "failure.type is empty"
        );
        let is_class = |part: &str| !part.is_empty() && !part.contains(['.', ':', ',']);
        let parts: Vec<&str> = bug.main.split('.').collect();
        ensure!(
            parts.len() == 2 && parts.iter().all(|p| is_class(p)),
            "main is no class of a package: {}",
            bug.main
        );
        ensure!(
            bug.locale.iter().all(|l| l.split('-').count() == 2),
            "locale is no language with a country, as in fr-FR"
        );
        Ok(bug)
    }

    /// A program of our own, and no released library?
    pub fn is_own(&self) -> bool {
        self.coordinates.is_empty()
    }

    fn is(&self, name: &str) -> bool {
        self.id.eq_ignore_ascii_case(name) || self.package() == name
    }

    /// Package of the driver, and name of the bug's directory.
    pub fn package(&self) -> &str {
        self.main.split('.').next().unwrap_or_default()
    }

    /// The faulty library, and what it needs.
    pub fn jars(&self) -> Result<Vec<PathBuf>> {
        Ok(maven::fetch(&self.coordinates)?)
    }

    /// Sources of the driver.
    pub fn driver(&self) -> Result<Vec<PathBuf>> {
        match &self.sources {
            Some(directory) => repository::java_sources(directory),
            None => repository::java_sources(&self.directory.to_string_lossy()),
        }
    }

    /// Coordinates that stay beside those of the repaired release: the driver needs them there, too.
    pub fn beside_repaired(&self) -> Vec<&str> {
        let replaced = |of: &&str| self.repaired.iter().any(|r| artifact(r) == artifact(of));
        let all = self.coordinates.iter().map(String::as_str);
        all.filter(|of| !replaced(of)).collect()
    }

    /// Options of the JVM that is recorded.
    pub fn jvm_options(&self) -> Vec<String> {
        let mut options = self.options.clone();
        if let Some(zone) = &self.time_zone {
            options.push(format!("-Duser.timezone={zone}"));
        }
        if let Some((language, country)) = self.locale.as_deref().and_then(|l| l.split_once('-')) {
            options.push(format!("-Duser.language={language}"));
            options.push(format!("-Duser.country={country}"));
        }
        options
    }
}

/// Group and artifact of coordinates.
fn artifact(coordinates: &str) -> &str {
    let end = coordinates.match_indices(':').nth(1);
    end.map_or(coordinates, |(at, _)| &coordinates[..at])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jinsi_analysis::report::json::StackFrame;

    use super::*;

    const TEXT: &str = r#"{"id": "X-1", "library": "x", "coordinates": ["x:x:1"], "report": "r", "summary": "s",
        "main": "x1.X1", "observe": "x.*:x1.*", "time_zone": "UTC", "locale": "fr-FR", "options": ["-Da=b"],
        "java": {"max": 22}, "failure": {"type": "E", "message": "part", "at": "x.X.m"}}"#;

    #[test]
    fn the_corpus_is_large_and_its_drivers_are_there() {
        let bugs = Bug::all(CHOSEN).unwrap();
        assert!(bugs.len() >= 25, "{}", bugs.len());
        let ids: BTreeSet<&str> = bugs.iter().map(|b| b.id.as_str()).collect();
        assert_eq!(ids.len(), bugs.len(), "ids are distinct");
        let libraries: BTreeSet<&str> = bugs.iter().map(|b| b.library.as_str()).collect();
        assert!(libraries.len() >= 10, "{libraries:?}");
        let silent = bugs.iter().filter(|b| b.failure.kind != "exception");
        assert!(silent.count() >= 15, "bugs that do not crash");
        for bug in &bugs {
            let class = bug.main.replace('.', "/");
            let simple = class.rsplit('/').next().unwrap();
            let driver = bug.driver().unwrap();
            assert!(
                driver
                    .iter()
                    .any(|f| f.file_stem().is_some_and(|stem| stem == simple)),
                "{}",
                bug.id
            );
        }
    }

    #[test]
    fn a_bug_is_found_by_its_id_or_directory() {
        let found = |name: &str| Bug::wanted(CHOSEN, &[name.to_owned()]).map(|bugs| bugs.len());
        assert_eq!(found("jod-3").unwrap(), 1);
        assert_eq!(found("jod3").unwrap(), 1);
        assert!(found("nothing").is_err());
        assert_eq!(
            Bug::wanted(CHOSEN, &[]).unwrap().len(),
            Bug::all(CHOSEN).unwrap().len()
        );
    }

    #[test]
    fn zone_locale_and_options_become_options_of_the_jvm() {
        let bug = Bug::parse(TEXT).unwrap();
        assert_eq!(
            bug.jvm_options(),
            [
                "-Da=b",
                "-Duser.timezone=UTC",
                "-Duser.language=fr",
                "-Duser.country=FR"
            ]
        );
        assert!(bug.java.has(11) && bug.java.has(22) && !bug.java.has(23));
    }

    #[test]
    fn what_the_repaired_release_replaces_is_not_beside_it() {
        let mut bug = Bug::parse(TEXT).unwrap();
        bug.coordinates = vec!["x:x:1".into(), "x:y:1".into()];
        bug.repaired = vec!["x:x:2".into()];
        assert_eq!(bug.beside_repaired(), ["x:y:1"]);
    }

    #[test]
    fn bad_manifests_are_refused() {
        for (good, bad) in [
            ("\"id\": \"X-1\"", "\"id\": \" \""),
            ("x1.X1", "X1"),
            ("x1.X1", "a.b.C"),
            ("fr-FR", "fr"),
            ("\"library\"", "\"libary\""),
            ("\"failure\"", "\"failures\""),
        ] {
            assert!(TEXT.contains(good));
            assert!(Bug::parse(&TEXT.replacen(good, bad, 1)).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_chain_ends_where_it_has_to() {
        let text = r#"{"class": "a.B", "predicate": "field c is 1", "by": "set(", "lines": 9}"#;
        let end: End = serde_json::from_str(text).unwrap();
        let link = |class: &str, predicate: &str, by: &str, lines: u64| {
            let mut link = Link {
                predicate: predicate.into(),
                class: Some(class.into()),
                by: Some(by.into()),
                ..Link::default()
            };
            link.level.lines_executed = Some(lines);
            link
        };
        let good = || link("a.B", "field c is 1", "b.set(1)", 8);
        assert!(end.fits(&[Link::default(), good()]));
        assert!(!end.fits(&[good(), Link::default()]) && !end.fits(&[]));
        assert!(!end.fits(&[link("a.C", "field c is 1", "b.set(1)", 8)]));
        assert!(!end.fits(&[link("a.B", "field c is 2", "b.set(1)", 8)]));
        assert!(!end.fits(&[link("a.B", "field c is 1", "b.get()", 8)]));
        assert!(!end.fits(&[link("a.B", "field c is 1", "b.set(1)", 9)]));
    }

    #[test]
    fn a_failure_fits_by_type_part_of_the_message_and_place() {
        let expected = Bug::parse(TEXT).unwrap().failure;
        let recorded = |class: &str, message: Option<&str>, frame: &str| Failure {
            kind: "exception".into(),
            class: class.into(),
            message: message.map(str::to_owned),
            stack: vec![StackFrame {
                text: frame.into(),
                level: None,
            }],
            ..Failure::default()
        };
        assert!(expected.fits(&recorded("E", Some("a part of it"), "x.X.m(X.java:3)")));
        assert!(!expected.fits(&recorded("F", Some("a part of it"), "x.X.m(X.java:3)")));
        assert!(!expected.fits(&recorded("E", None, "x.X.m(X.java:3)")));
        assert!(!expected.fits(&recorded("E", Some("part"), "x.Y.m(X.java:3)")));
    }
}
