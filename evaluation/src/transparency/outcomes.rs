//! What became of each test of a suite, and how two runs differ.

use jinsi_ground::published::without_hashes;
use std::collections::BTreeMap;

use serde::Serialize;

/// Tests by unique id; what became of each. Where an id occurs more than once in a run, its outcomes in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcomes(BTreeMap<String, String>);

/// A test that did not end alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Difference {
    /// The test's unique id.
    pub(super) test: String,
    /// What became of it without the agent; `absent` if it did not run.
    pub(super) plain: String,
    /// What became of it with the agent.
    pub(super) agent: String,
    /// Why, where that is known.
    pub(super) reason: Option<String>,
}

impl Outcomes {
    /// Reads the lines of the test runner: outcome, milliseconds, unique id, separated by tabs.
    pub(super) fn parse(lines: &str) -> Outcomes {
        let mut all = BTreeMap::<String, String>::new();
        for line in lines.lines() {
            let mut parts = line.splitn(3, '\t');
            if let (Some(outcome), Some(_), Some(id)) = (parts.next(), parts.next(), parts.next()) {
                all.entry(without_hashes(id))
                    .and_modify(|before| *before = format!("{before}, {outcome}"))
                    .or_insert_with(|| outcome.to_owned());
            }
        }
        Outcomes(all)
    }

    /// How many tests.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// How many of them end with `kind`: `SUCCESSFUL`, `FAILED`, …
    pub(super) fn count(&self, kind: &str) -> usize {
        self.0.values().filter(|o| o.starts_with(kind)).count()
    }

    /// What became of a test.
    pub(super) fn of(&self, test: &str) -> &str {
        self.0.get(test).map_or("absent", String::as_str)
    }

    /// Tests that ended otherwise in `agent`.
    pub(super) fn differences(&self, agent: &Outcomes) -> Vec<Difference> {
        let only_there = agent.0.keys().filter(|id| !self.0.contains_key(*id));
        self.0
            .keys()
            .chain(only_there)
            .filter(|id| self.of(id) != agent.of(id))
            .map(|id| Difference {
                test: id.clone(),
                plain: self.of(id).to_owned(),
                agent: agent.of(id).to_owned(),
                reason: None,
            })
            .collect()
    }
}

/// The test class in a unique id: `[class:NAME]` of Jupiter, `[runner:NAME]` of the vintage engine.
pub(super) fn class_of(test: &str) -> Option<&str> {
    let start = ["[class:", "[runner:"]
        .iter()
        .find_map(|mark| test.find(mark).map(|at| at + mark.len()))?;
    test[start..].split(']').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "SUCCESSFUL\t3\t[engine:junit-jupiter]/[class:a.B]/[method:x()]\n\
        FAILED java.lang.Error\t1\t[engine:junit-vintage]/[runner:a.C]/[test:y(a.C)]\n\
        SKIPPED\t0\t[engine:junit-jupiter]/[class:a.B]/[method:z()]\n";

    #[test]
    fn tests_that_end_otherwise_are_named() {
        let plain = Outcomes::parse(PLAIN);
        assert_eq!((plain.len(), plain.count("FAILED")), (3, 1));
        assert_eq!(plain.differences(&plain.clone()), []);
        let agent = Outcomes::parse(&PLAIN.replace("Error", "Exception").replace(
            "SKIPPED\t0\t[engine:junit-jupiter]/[class:a.B]/[method:z()]",
            "",
        ));
        let found = plain.differences(&agent);
        let short: Vec<_> = found
            .iter()
            .map(|d| (class_of(&d.test).unwrap(), d.agent.as_str()))
            .collect();
        assert_eq!(
            short,
            [("a.B", "absent"), ("a.C", "FAILED java.lang.Exception")]
        );
        assert_eq!(agent.differences(&plain).len(), 2);
    }

    #[test]
    fn identity_hash_codes_are_no_part_of_an_id() {
        let one = Outcomes::parse("SUCCESSFUL\t1\t[test:a.B@28ac3dc3%5D]\n");
        assert_eq!(one.of("[test:a.B@%5D]"), "SUCCESSFUL");
    }

    #[test]
    fn a_test_that_ran_twice_has_two_outcomes() {
        let twice = Outcomes::parse("SUCCESSFUL\t1\tid\nFAILED\t1\tid\n");
        assert_eq!(twice.of("id"), "SUCCESSFUL, FAILED");
        assert_eq!(class_of("[engine:junit-jupiter]"), None);
    }
}
