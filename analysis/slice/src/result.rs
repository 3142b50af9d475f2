//! A slice, as it is reported.

use std::collections::BTreeSet;

use jinsi_trace::model::ThreadNo;
use serde::Serialize;

/// What a slice follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// What happened because of what.
    #[default]
    Dynamic,
    /// And what did not happen because of what: potential dependences (Wang 2007, chapter 4).
    Relevant,
}

/// A source line in a slice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Binary name of the class.
    pub class: String,
    /// Methods that the line belongs to.
    pub methods: BTreeSet<String>,
    /// Source file, if known.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: u16,
    /// How many instructions of the line are in the slice.
    pub instructions: usize,
    /// How many dependences the nearest of them is away from the criterion; `None`: not known.
    pub distance: Option<u32>,
    /// What variables of the line held the last time they were in the slice, where recorded: `name = value`.
    pub values: Vec<String>,
}

/// Code without a record that a slice goes through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Crossing {
    /// What, and why it has no record.
    pub what: String,
    /// How often.
    pub times: u64,
}

/// A slice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Slice {
    /// What it follows.
    pub kind: Kind,
    /// What it explains.
    pub criterion: String,
    /// The thread in which that was.
    pub thread: ThreadNo,
    /// Executed instructions walked over.
    pub executed: u64,
    /// How many of them are in the slice.
    pub occurrences: u64,
    /// How many different instructions that are.
    pub instructions: usize,
    /// The source lines they are of, by class and line.
    pub lines: Vec<Line>,
    /// What it could not follow. Empty: it is exact.
    pub crossings: Vec<Crossing>,
}
