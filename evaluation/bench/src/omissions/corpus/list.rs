//! Which bugs are omissions, and where their repair is: `tests/omissions/list.json`, by the rule beside it.

use anyhow::Result;
use jinsi_ground::manifest;
use serde::Deserialize;

/// The list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct List {
    omissions: Vec<Entry>,
    others: Vec<Entry>,
    /// Others that were not drawn, and bugs of which it cannot be known.
    #[serde(rename = "others_not_drawn")]
    _others_not_drawn: Vec<LeftOut>,
    #[serde(rename = "left_out")]
    _left_out: Vec<LeftOut>,
}

/// A bug.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) id: String,
    /// Methods of the faulty release, as `package.Class.method`.
    methods: Vec<String>,
    /// Lines of it in front of which something was added, or which are within what was, as `File.java:9`.
    lines: Vec<String>,
    /// What the repair does.
    #[serde(rename = "repair")]
    _repair: String,
}

/// A bug of which nothing is asked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LeftOut {
    #[serde(rename = "id")]
    _id: String,
    #[serde(rename = "why")]
    _why: String,
}

impl List {
    pub(crate) fn read() -> Result<Self> {
        manifest::read("tests/omissions/list.json")
    }

    /// The bugs, omissions first; with each, whether it is one.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&Entry, bool)> {
        let omissions = self.omissions.iter().map(|entry| (entry, true));
        omissions.chain(self.others.iter().map(|entry| (entry, false)))
    }
}

impl Entry {
    /// Is a place (`package.Class.method:9`) in a method of the repair?
    pub(crate) fn is_in_method(&self, place: &str) -> bool {
        let method = place.rsplit_once(':').map_or(place, |(method, _)| method);
        self.methods.iter().any(|named| named == method)
    }

    /// Is it known in which methods the repair is?
    pub(crate) fn names_methods(&self) -> bool {
        !self.methods.is_empty()
    }

    /// Is a line so near to one of the repair?
    pub(crate) fn is_near(&self, file: &str, line: u32, within: u32) -> bool {
        self.lines.iter().any(|at| {
            at.rsplit_once(':').is_some_and(|(named, no)| {
                let no = no.parse::<u32>();
                named == file && no.is_ok_and(|no| no.abs_diff(line) <= within)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jinsi_ground::bugs::{BLIND, Bug, CHOSEN};

    use super::*;

    #[test]
    fn places_are_compared() {
        let entry = Entry {
            id: "X-1".to_owned(),
            methods: vec!["a.B.c".to_owned()],
            lines: vec!["B.java:40".to_owned()],
            _repair: String::new(),
        };
        assert!(entry.is_in_method("a.B.c:12") && !entry.is_in_method("a.B.cd:12"));
        assert!(entry.is_near("B.java", 44, 5) && !entry.is_near("B.java", 46, 5));
        assert!(!entry.is_near("C.java", 40, 5));
    }

    #[test]
    fn each_bug_is_in_the_list_once() {
        let list = List::read().unwrap();
        let mut bugs = Bug::all(CHOSEN).unwrap();
        bugs.extend(Bug::all(BLIND).unwrap());
        let ids: BTreeSet<&str> = bugs.iter().map(|bug| bug.id.as_str()).collect();
        let left_out = list._left_out.iter().chain(&list._others_not_drawn);
        let left_out = left_out.map(|bug| bug._id.as_str());
        let listed: Vec<&str> = list.all().map(|(entry, _)| entry.id.as_str()).collect();
        let listed: Vec<&str> = listed.into_iter().chain(left_out).collect();
        let distinct: BTreeSet<&str> = listed.iter().copied().collect();
        assert_eq!(listed.len(), distinct.len());
        assert!(distinct.is_subset(&ids), "{:?}", distinct.difference(&ids));
        let missing: Vec<&&str> = ids.difference(&distinct).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert!(list.omissions.len() >= 15);
        assert!(list.others.len() >= list.omissions.len());
    }
}
