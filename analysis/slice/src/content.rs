//! What of a run is in a slice.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jinsi_steps::code::MethodNo;
use jinsi_trace::model::{ObjectId, Value};
use rustc_hash::FxHashMap;

use super::division::{Crossed, Own};
use super::drawing::Dependence;
use super::using::{FAR, PhaseNo};

/// What of a run is in a slice.
#[derive(Clone, Debug, Default)]
pub struct SliceContent {
    /// Instructions in the slice, by method and index.
    pub instructions: BTreeSet<(MethodNo, usize)>,
    /// Lines of methods whose instructions are not known.
    pub lines: BTreeSet<(MethodNo, u16)>,
    /// How many dependences they are away from the criterion, or [`FAR`](super::using::FAR) and more.
    pub(super) distances: FxHashMap<(MethodNo, usize), u32>,
    /// How many occurrences of instructions are in it.
    pub occurrences: u64,
    /// The value that an instruction had to do with last, where recorded.
    pub values: HashMap<(MethodNo, usize), Value>,
    /// The first object that a call of code that is not recorded was given, the last time: the receiver, if it has one.
    pub called_on: FxHashMap<(MethodNo, usize), ObjectId>,
    /// Code without a record that the slice goes through, and how often.
    pub crossings: BTreeMap<String, u64>,
    /// Was there anything to begin with?
    pub seeded: bool,
    /// In a slice by phases: the phase that it begins in.
    pub seeded_in: Option<PhaseNo>,
    /// In a slice by phases: dependences between these, the newest first.
    pub crossed: Vec<Crossed>,
    /// In a slice by phases: where they are.
    pub phases: Vec<Own>,
    /// Which line depends on which, if that was to be drawn.
    pub dependences: Vec<Dependence>,
}

impl SliceContent {
    /// Adds what was found in another thread.
    pub(super) fn join(&mut self, other: Self) {
        self.instructions.extend(other.instructions);
        self.lines.extend(other.lines);
        for (at, distance) in other.distances {
            self.distances.entry(at).or_insert(distance);
        }
        self.occurrences += other.occurrences;
        for (at, value) in other.values {
            self.values.entry(at).or_insert(value);
        }
        for (what, times) in other.crossings {
            *self.crossings.entry(what).or_default() += times;
        }
        for (at, object) in other.called_on {
            self.called_on.entry(at).or_insert(object);
        }
        self.dependences.extend(other.dependences);
    }

    /// How many dependences an instruction is away from the criterion; `None`: it is not in the slice, or that is not known.
    pub fn distance(&self, place: (MethodNo, usize)) -> Option<u32> {
        let distance = self.distances.get(&place).copied();
        distance.filter(|distance| *distance < FAR)
    }
}
