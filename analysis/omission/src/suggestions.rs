//! Omissions by the instruction that is to blame for them, the most likely first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jinsi_trace::model::EventId;

use crate::found::{Found, Omission};
use crate::jumps::Kind;
use crate::place::Place;

/// An instruction that went another way, and all that it kept from being done.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// How.
    pub kind: Kind,
    /// The instruction.
    pub jump: Place,
    /// The first instruction of the way that it did not go.
    pub other_way: u32,
    /// What it kept from being done, the nearest first: places in [`Found::omissions`].
    pub omitted: Vec<usize>,
    /// The activations in which it did.
    pub activations: Vec<EventId>,
}

/// How surely the object that is asked about would have been worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hand {
    /// It is what would have been handed on.
    Certain,
    /// It was at hand: in a variable, or in a field of an object in one.
    Near,
    /// Nothing is known.
    Unknown,
    /// It would have been another one.
    Other,
}

/// What is found, by instruction. First what would have worked on the object that is asked about (`hand`), then what ran nowhere, then what is
/// changed rather than read; what takes fewer calls; jumps before all else; and what came last in the run, for it is nearest to what is
/// seen. `near` says how far each is from what is to be explained, if that is known: what is near comes before what is far, among those
/// that are alike so far. Of a failure that is what counts first, for all of it may have to do with it; what would only throw something else
/// comes last.
pub fn suggestions(
    found: &Found,
    near: impl Fn(Place) -> Option<u32>,
    hand: impl Fn(&Omission) -> Hand,
) -> Vec<Suggestion> {
    let mut by_jump: BTreeMap<(Kind, Place, u32), Suggestion> = BTreeMap::new();
    for (no, omission) in found.omissions.iter().enumerate() {
        let key = (omission.kind, omission.jump, omission.other_way);
        let suggestion = by_jump.entry(key).or_insert_with(|| Suggestion {
            kind: omission.kind,
            jump: omission.jump,
            other_way: omission.other_way,
            omitted: Vec::new(),
            activations: Vec::new(),
        });
        suggestion.omitted.push(no);
        suggestion.activations.extend(&omission.activations);
    }
    let mut all: Vec<Suggestion> = by_jump.into_values().collect();
    let merits = found.omissions.iter();
    let merits: Vec<Merit> = merits
        .map(|omission| (hand(omission), merit(found, omission)))
        .collect();
    for suggestion in &mut all {
        suggestion.omitted.sort_by_key(|no| merits[*no]);
        suggestion.activations.sort_unstable();
        suggestion.activations.dedup();
    }
    all.sort_by_cached_key(|suggestion| {
        let best = merits[suggestion.omitted[0]];
        let last = suggestion.activations.last().copied();
        let known = found.near.get(&suggestion.jump).copied();
        let distance = known.or_else(|| near(suggestion.jump)).unwrap_or(u32::MAX);
        let of_asker = found.of_asker.contains(&suggestion.jump);
        // The innermost place that the exception left, decisions, the other places.
        let frame = match found.frames.get(&suggestion.jump) {
            Some(0) => 0,
            Some(_) => 2,
            None => 1,
        };
        let last_resort = throws(found, suggestion) || of_asker;
        let first = (found.of_failure).then_some((last_resort, frame, distance));
        (first, best, distance, Reverse(last))
    });
    all
}

/// Would it do no more than to throw something?
fn throws(found: &Found, suggestion: &Suggestion) -> bool {
    suggestion
        .omitted
        .iter()
        .all(|no| found.throwing.contains(no))
}

/// What makes an omission a likely one: the least first.
type Merit = (Hand, (bool, bool, Kind, usize));

fn merit(found: &Found, omission: &Omission) -> (bool, bool, Kind, usize) {
    let writes = found.targets[omission.target].writes;
    (!omission.never, !writes, omission.kind, omission.calls())
}
