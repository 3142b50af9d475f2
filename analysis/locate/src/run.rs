//! A run as alignment sees it: what was executed, in order, and what of it decided that what ran.

use std::num::NonZeroU32;

/// Place of an event in its run.
pub type EventNo = u32;
/// Number of a statement, the same in all runs of a program.
pub type StatementNo = u32;
/// Where an event led: two outcomes of one statement are the same if their numbers are.
pub type Outcome = NonZeroU32;

/// An execution of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The statement.
    pub statement: StatementNo,
    /// The event it depends on, plus one.
    on: Option<NonZeroU32>,
    /// Where it led; `None`: it is no branch, or it is not known.
    pub outcome: Option<Outcome>,
}

impl Event {
    /// Of a statement, because of an earlier event; `None`: nothing but that the run began.
    pub fn new(statement: StatementNo, on: Option<EventNo>, outcome: Option<Outcome>) -> Self {
        Self {
            statement,
            on: on.and_then(|on| NonZeroU32::new(on + 1)),
            outcome,
        }
    }

    /// The event on which it is dynamically control dependent: a branch, or of a method's beginning the call.
    pub fn on(&self) -> Option<EventNo> {
        self.on.map(|on| on.get() - 1)
    }
}

/// A run: its events in the order in which they began. Each depends on an earlier one. A branch decides when its statement is over, which is behind all
/// that the statement called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    events: Vec<Event>,
    /// By event, when it decided.
    decided: Vec<u32>,
    clock: u32,
}

impl Run {
    /// Nothing ran yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The next event; its number. What it depends on has to be there.
    pub fn push(&mut self, event: Event) -> EventNo {
        debug_assert!(
            event
                .on()
                .is_none_or(|on| (on as usize) < self.events.len())
        );
        self.events.push(event);
        self.decided.push(self.clock);
        self.clock += 1;
        self.events.len() as EventNo - 1
    }

    /// It is known now where an event led.
    pub fn went(&mut self, event: EventNo, outcome: Outcome) {
        self.events[event as usize].outcome = Some(outcome);
        self.decided[event as usize] = self.clock;
        self.clock += 1;
    }

    /// When an event decided, compared with others: as far as known, else when it began.
    pub fn decided(&self, event: EventNo) -> u32 {
        self.decided[event as usize]
    }

    /// All events.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Event `no`, which must be one.
    pub fn event(&self, no: EventNo) -> &Event {
        &self.events[no as usize]
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Did nothing run?
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Is the event control dependent on `other`, directly or by others?
    pub fn depends(&self, event: EventNo, other: EventNo) -> bool {
        let mut at = self.event(event).on();
        while let Some(on) = at.filter(|on| *on >= other) {
            if on == other {
                return true;
            }
            at = self.event(on).on();
        }
        false
    }
}
