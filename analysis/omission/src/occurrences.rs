//! How often jumps ran, and when.

use std::collections::BTreeMap;

use jinsi_classfile::cfg::BlockNo;
use jinsi_steps::code::MethodNo;
use jinsi_steps::walk::{EventOperands, Location, Met, Opening, Step, Visitor, Walker};
use jinsi_trace::model::{EventId, ObjectId, ThreadNo};
use jinsi_trace::reader::ReadError;

use crate::code::Code;
use crate::place::Place;

/// So many times of each jump are reported, the last ones.
const MOST: usize = 100_000;

/// A time that an instruction ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// In which activation.
    pub activation: EventId,
    /// Which time it was in its thread, from 1.
    pub number: u64,
    /// How many times of all that are asked for came behind it in its thread.
    pub behind: u64,
}

/// By instruction: the times that it ran, by thread, oldest first.
pub type Occurrences = BTreeMap<Place, Vec<Occurrence>>;

/// When these instructions ran.
///
/// # Errors
/// The trace cannot be read.
pub fn occurrences(
    code: &Code<'_>,
    places: impl IntoIterator<Item = Place>,
) -> Result<Occurrences, ReadError> {
    let mut found: Occurrences = places.into_iter().map(|at| (at, Vec::new())).collect();
    for thread in code.trace.threads() {
        let mut counting = Counting {
            thread: thread.no,
            frames: Vec::new(),
            index: 0,
            counts: found.keys().map(|place| (*place, 0)).collect(),
            clock: 0,
            pending: Vec::new(),
            found: Vec::new(),
        };
        Walker::new(code.trace, &code.program, thread.no).run(&mut counting)?;
        let counts = counting.counts;
        counting
            .found
            .sort_by_key(|(place, _, ran)| (*place, std::cmp::Reverse(ran.same)));
        for (place, activation, ran) in counting.found {
            let number = counts[&place] - ran.same;
            let behind = ran.all;
            if let Some(all) = found.get_mut(&place) {
                all.push(Occurrence {
                    activation,
                    number,
                    behind,
                });
            }
        }
    }
    Ok(found)
}

/// What came behind a time.
#[derive(Clone, Copy)]
struct Behind {
    /// Times of the same instruction.
    same: u64,
    /// Those of all.
    all: u64,
}

struct Counting {
    thread: ThreadNo,
    /// The methods of open activations, and where in `pending` their own begin.
    frames: Vec<(MethodNo, usize)>,
    index: u64,
    /// By place: how often it ran so far, from the end.
    counts: BTreeMap<Place, u64>,
    clock: u64,
    /// Of open activations.
    pending: Vec<(Place, Behind)>,
    found: Vec<(Place, EventId, Behind)>,
}

impl Counting {
    fn ran(&mut self, at: usize) {
        let Some((method, _)) = self.frames.last().copied() else {
            return;
        };
        let place = Place { method, at };
        if let Some(count) = self.counts.get_mut(&place) {
            if (*count as usize) < MOST {
                let (same, all) = (*count, self.clock);
                self.pending.push((place, Behind { same, all }));
            }
            *count += 1;
            self.clock += 1;
        }
    }
}

impl Visitor for Counting {
    fn took(&mut self, _event: Met<'_>, index: u64) {
        self.index = index;
    }

    fn opened(&mut self, opening: &Opening) {
        self.frames.push((opening.method, self.pending.len()));
    }

    fn stepped(&mut self, step: &Step<'_>) {
        self.ran(step.at);
    }

    fn call_ended(&mut self, step: &Step<'_>) {
        self.ran(step.at);
    }

    fn call_began(&mut self, _at: usize, _operands: EventOperands<'_>) {}

    fn caught(&mut self, _handler: BlockNo, _from: usize, _throwable: ObjectId) {}

    fn began(&mut self) {
        let Some((_, from)) = self.frames.pop() else {
            return;
        };
        let activation = EventId {
            thread: self.thread,
            index: self.index,
        };
        let own = self.pending.drain(from.min(self.pending.len())..);
        self.found
            .extend(own.map(|(place, behind)| (place, activation, behind)));
    }

    fn lost(&mut self, _why: &'static str) {}

    fn unexplained(&mut self, _event: Met<'_>, _location: Option<Location>) {}

    fn resumed(&mut self, _at: usize) {}

    fn outside(&mut self, _event: Met<'_>, _location: Location) {}
}
