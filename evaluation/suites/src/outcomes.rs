//! What became of tests: the lines that the runner writes.

use jinsi_ground::published::without_hashes;
use std::collections::{BTreeMap, BTreeSet};

/// A test that ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    /// `SUCCESSFUL`, `FAILED java.lang.Error`, `ABORTED …`, `SKIPPED`.
    pub(crate) outcome: String,
    /// Class and method, `a.BTest.adds`, and `[2]` behind it of the second run of a test that is run several times.
    pub(crate) name: String,
    /// `junit3`, `junit4`, `junit5`, `testng`, or another engine's name.
    pub(crate) framework: String,
    /// Its unique id, without what is new in each run.
    pub(crate) id: String,
}

/// A test class that was begun.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) class: String,
    pub(crate) tests: Vec<Test>,
    /// Places of the library that ran.
    pub(crate) hits: Vec<usize>,
    pub(crate) milliseconds: u64,
    pub(crate) end: End,
}

/// How it ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum End {
    /// All of its tests came to an end.
    Through,
    /// It took too long.
    TimedOut,
    /// The JVM ended in its midst.
    #[default]
    Ended,
}

impl Test {
    /// Did it fail?
    pub(crate) fn failed(&self) -> bool {
        self.outcome.starts_with("FAILED")
    }

    /// Did it pass?
    pub(crate) fn passed(&self) -> bool {
        self.outcome == "SUCCESSFUL"
    }
}

impl Ran {
    /// Ids of the tests that passed, each time if one ran several times.
    pub(crate) fn green(&self) -> BTreeSet<&str> {
        let of = |wanted: bool| {
            let tests = self.tests.iter().filter(move |t| t.passed() == wanted);
            tests.map(|t| t.id.as_str()).collect::<BTreeSet<&str>>()
        };
        of(true).difference(&of(false)).copied().collect()
    }

    /// What became of each test, by its id.
    fn by_id(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut all = BTreeMap::<&str, Vec<&str>>::new();
        for test in &self.tests {
            all.entry(&test.id).or_default().push(&test.outcome);
        }
        all
    }

    /// Tests that ended otherwise in another run, a line each.
    pub(crate) fn differences(&self, other: &Ran) -> Vec<String> {
        let (here, there) = (self.by_id(), other.by_id());
        let ids: BTreeSet<&&str> = here.keys().chain(there.keys()).collect();
        let said = |all: &BTreeMap<&str, Vec<&str>>, id: &str| {
            all.get(id)
                .map_or_else(|| "absent".to_owned(), |o| o.join(", "))
        };
        let mut differences: Vec<String> = ids
            .into_iter()
            .filter(|id| here.get(**id) != there.get(**id))
            .map(|id| format!("{id}: {} and {}", said(&here, id), said(&there, id)))
            .collect();
        if self.end != other.end {
            differences.push(format!("the class: {:?} and {:?}", self.end, other.end));
        }
        differences
    }
}

/// The classes of which there are lines, in their order. What the JVM did not come to write is missing.
pub(crate) fn parse(lines: &str) -> Vec<Ran> {
    let mut all: Vec<Ran> = Vec::new();
    for line in lines.lines() {
        let parts: Vec<&str> = line.splitn(6, '\t').collect();
        if let ["BEGIN", class] = parts[..] {
            all.push(Ran {
                class: class.to_owned(),
                ..Ran::default()
            });
            continue;
        }
        let Some(ran) = all.last_mut() else { continue };
        match parts[..] {
            ["TEST", outcome, class, name, framework, id] => ran.tests.push(Test {
                outcome: outcome.to_owned(),
                name: format!("{class}.{name}"),
                framework: framework.to_owned(),
                id: without_hashes(id),
            }),
            ["HITS", numbers] => {
                ran.hits = numbers.split(' ').filter_map(|n| n.parse().ok()).collect();
            }
            ["TIMEOUT", _] => ran.end = End::TimedOut,
            ["END", _, milliseconds] => {
                ran.milliseconds = milliseconds.parse().unwrap_or_default();
                ran.end = End::Through;
            }
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "BEGIN\ta.BTest\n\
        TEST\tSUCCESSFUL\ta.BTest\tx\tjunit4\t[x]\n\
        TEST\tFAILED java.lang.Error\ta.BTest\ty[1]\tjunit4\t[y@1f]\n\
        TEST\tSUCCESSFUL\ta.BTest\tz\tjunit4\t[z]\n\
        TEST\tFAILED java.lang.Error\ta.BTest\tz\tjunit4\t[z]\n\
        HITS\t3 14\nEND\ta.BTest\t25\nBEGIN\ta.CTest\nTIMEOUT\ta.CTest\nBEGIN\ta.DTest\n";

    #[test]
    fn what_the_runner_writes_is_read() {
        let all = parse(LINES);
        let ends: Vec<End> = all.iter().map(|ran| ran.end).collect();
        assert_eq!(ends, [End::Through, End::TimedOut, End::Ended]);
        assert_eq!((all[0].milliseconds, &all[0].hits[..]), (25, &[3, 14][..]));
        assert_eq!(all[0].tests[1].name, "a.BTest.y[1]");
        assert_eq!(all[0].green(), ["[x]"].into());
    }

    #[test]
    fn tests_that_end_otherwise_are_named() {
        let one = parse(LINES).remove(0);
        assert!(one.differences(&one.clone()).is_empty());
        // Identity hash codes are no part of an id.
        let other = parse(&LINES.replace("@1f", "@2e")).remove(0);
        assert!(one.differences(&other).is_empty());
        let other = parse(&LINES.replace("Error\ta.BTest\ty", "Oops\ta.BTest\ty")).remove(0);
        assert_eq!(
            one.differences(&other),
            ["[y@]: FAILED java.lang.Error and FAILED java.lang.Oops"]
        );
        let missing = parse(&LINES.replace("TEST\tSUCCESSFUL\ta.BTest\tx\tjunit4\t[x]\n", ""));
        assert_eq!(one.differences(&missing[0]), ["[x]: SUCCESSFUL and absent"]);
    }
}
