//! Something that a call gave, and the search for the calls that had a part in it.

use jinsi_steps::walk::Location;
use jinsi_trace::model::{EventId, EventKind, ObjectId};

/// Something that a call gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallResult {
    /// The event with which the activation began: its name.
    pub call: EventId,
    /// Index of its last event.
    pub last: u64,
    /// Is it what the call returned, or the exception by which it ended, or part of that?
    pub outcome: bool,
    /// Variables in memory that it is, or leads through, as they were at the call's end.
    pub variables: Vec<Location>,
    /// Objects that it is of which not all variables are recorded.
    pub objects: Vec<ObjectId>,
}

/// The search for these calls.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) call_result: CallResult,
    /// Of the event that was met last.
    pub(super) index: u64,
    /// The end of an activation that is about to be opened.
    exit: Option<u64>,
    /// How many activations are open with the call, once that is one of them.
    depth: Option<usize>,
    /// The beginnings of the calls that had a part.
    pub(super) calls: Vec<u64>,
    /// Was the beginning of the call met?
    done: bool,
}

impl Part {
    pub(super) fn of(call_result: CallResult) -> Self {
        Self {
            call_result,
            index: 0,
            exit: None,
            depth: None,
            calls: Vec::new(),
            done: false,
        }
    }

    /// An event is met.
    pub(super) fn took(&mut self, kind: EventKind, index: u64) {
        self.index = index;
        if matches!(kind, EventKind::Exit | EventKind::ExitThrow) {
            self.exit = Some(index);
        }
    }

    /// An activation is about to be opened, within so many others. Is it the one?
    pub(super) fn opens(&mut self, around: usize) -> bool {
        let exit = self.exit.take();
        let is_it = self.depth.is_none() && exit.is_some_and(|exit| exit <= self.call_result.last);
        if is_it {
            self.depth = Some(around + 1);
        }
        is_it
    }

    /// An activation began, so many are left, and it had a part or not.
    pub(super) fn began(&mut self, had_a_part: bool, left: usize) {
        if had_a_part {
            self.calls.push(self.index);
        }
        self.done |= self.depth.is_some_and(|depth| left < depth);
    }

    /// Need nothing more be met?
    pub(super) fn is_done(&self) -> bool {
        self.done
    }
}
