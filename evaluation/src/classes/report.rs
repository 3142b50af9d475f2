//! What came out, in figures.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use serde::{Serialize, Serializer};

use super::bundle::Entry;
use super::rewrite::{self, Outcome, View};

/// Something that a class has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Problem {
    /// Internal name, behind where it lies in its jar.
    pub(crate) class: String,
    /// JDK or coordinates.
    pub(crate) from: String,
    /// How it was observed.
    pub(crate) view: &'static str,
    /// The JVM that said so, if one did.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) java: String,
    pub(crate) message: String,
}

/// Class files that were counted. The same bytes count once, wherever they lie.
#[derive(Default)]
pub(crate) struct Seen(Mutex<HashSet<u64>>);

impl Seen {
    /// Are these bytes new?
    pub(crate) fn insert(&self, bytes: &[u8]) -> bool {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.insert(hasher.finish())
    }
}

/// A sum over different class files.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Totals {
    pub(crate) classes: u64,
    pub(crate) rewritten: u64,
    pub(crate) module_descriptors: u64,
    #[serde(rename = "before_version_50")]
    old_verifier: u64,
    pub(crate) skipped: BTreeMap<String, u64>,
    pub(crate) skipped_classes: Vec<Problem>,
    pub(crate) thinned: BTreeMap<String, BTreeMap<String, u64>>,
    pub(crate) thinned_methods: Vec<Problem>,
    pub(crate) left_out: BTreeMap<String, BTreeMap<String, u64>>,
    pub(crate) left_out_methods: Vec<Problem>,
    pub(crate) errors: Vec<Problem>,
    #[serde(serialize_with = "count")]
    unlinkable: HashSet<(String, String)>,
    pub(crate) unlinkable_reasons: BTreeMap<String, u64>,
    pub(crate) kept: Vec<Problem>,
    pub(crate) bytes_in: u64,
    pub(crate) bytes_out: u64,
}

impl Totals {
    /// Counts one class as it was rewritten.
    pub(crate) fn count(&mut self, entry: &Entry, outcome: &Outcome, view: View, from: &str) {
        let first_view = view == View::EACH[0];
        let problem = |message: &str| Problem {
            class: format!("{}{}", entry.place, entry.name),
            from: from.to_owned(),
            view: view.name(),
            java: String::new(),
            message: message.to_owned(),
        };
        match outcome {
            Outcome::Rewritten {
                bytes,
                thinned,
                left_out,
            } => {
                for (lines, reasons, methods) in [
                    (thinned, &mut self.thinned, &mut self.thinned_methods),
                    (left_out, &mut self.left_out, &mut self.left_out_methods),
                ] {
                    let reasons = reasons.entry(view.name().to_owned()).or_default();
                    rewrite::count_by_reason(lines, reasons);
                    methods.extend(lines.iter().map(|line| problem(line)));
                }
                if first_view {
                    self.rewritten += 1;
                    self.bytes_out += bytes.len() as u64;
                }
            }
            Outcome::Skipped { reason, text } => {
                if first_view {
                    *self.skipped.entry((*reason).to_owned()).or_default() += 1;
                    self.bytes_out += entry.bytes.len() as u64;
                }
                self.skipped_classes.push(problem(text));
            }
            Outcome::Panicked(text) => self.errors.push(problem(text)),
        }
        if first_view {
            self.classes += 1;
            self.bytes_in += entry.bytes.len() as u64;
            self.module_descriptors += u64::from(entry.name == "module-info");
            let major = entry.bytes.get(6..8);
            self.old_verifier += u64::from(major.is_some_and(|m| m < [0, 50].as_slice()));
        }
    }

    /// A class that the JVM refuses as it is, too.
    pub(crate) fn unlinkable(&mut self, problem: Problem) {
        let reason = problem.message.split(':').next().unwrap_or_default();
        if self.unlinkable.insert((problem.from, problem.class)) {
            *self
                .unlinkable_reasons
                .entry(reason.to_owned())
                .or_default() += 1;
        }
    }

    /// A class of the JDK that could not be exchanged.
    pub(crate) fn kept(&mut self, problem: Problem) {
        self.kept.push(problem);
    }

    /// Adds another sum.
    pub(crate) fn add(&mut self, other: Totals) {
        self.classes += other.classes;
        self.rewritten += other.rewritten;
        self.module_descriptors += other.module_descriptors;
        self.old_verifier += other.old_verifier;
        sum(&mut self.skipped, other.skipped);
        sum(&mut self.unlinkable_reasons, other.unlinkable_reasons);
        for (into, from) in [
            (&mut self.thinned, other.thinned),
            (&mut self.left_out, other.left_out),
        ] {
            for (view, reasons) in from {
                sum(into.entry(view).or_default(), reasons);
            }
        }
        self.skipped_classes.extend(other.skipped_classes);
        self.thinned_methods.extend(other.thinned_methods);
        self.left_out_methods.extend(other.left_out_methods);
        self.errors.extend(other.errors);
        self.unlinkable.extend(other.unlinkable);
        self.kept.extend(other.kept);
        self.bytes_in += other.bytes_in;
        self.bytes_out += other.bytes_out;
    }
}

/// Adds counts by reason.
fn sum(into: &mut BTreeMap<String, u64>, from: BTreeMap<String, u64>) {
    for (reason, count) in from {
        *into.entry(reason).or_default() += count;
    }
}

/// How many there are.
fn count<S: Serializer>(all: &HashSet<(String, String)>, serializer: S) -> Result<S::Ok, S::Error> {
    all.len().serialize(serializer)
}
