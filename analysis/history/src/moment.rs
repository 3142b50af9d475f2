//! Moments, and the events that happened at them.

use std::collections::BTreeMap;
use std::fmt;

use jinsi_trace::model::{EventId, ThreadNo};

/// Position in the stream of a history: the number of the event, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(u32);

impl Moment {
    /// Before the first event.
    pub const BEGINNING: Self = Self(0);
    /// Behind the last event.
    pub const END: Self = Self(u32::MAX);

    /// The moment of the event that has this position in the stream, from 0; `None` if no history is so long.
    pub const fn of(position: u64) -> Option<Self> {
        if position >= u32::MAX as u64 - 1 {
            return None;
        }
        Some(Self(position as u32 + 1))
    }

    /// The number of the event, from 1.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The moment before; `None` before the first.
    pub const fn before(self) -> Option<Self> {
        match self.0.checked_sub(1) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// The next moment; `None` if no history is so long.
    pub const fn next(self) -> Option<Self> {
        Self::of(self.0 as u64)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Consecutive events of one thread that are neighbours in the stream.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// The first of them.
    event: EventId,
    /// When that happened.
    at: Moment,
}

/// Which event happened when. Takes memory for each change of threads, not for each event.
#[derive(Debug, Default)]
pub(super) struct Calendar {
    /// All stretches, in the order of the stream.
    stretches: Vec<Stretch>,
    /// Indexes of the stretches of each thread, in the order of its events.
    of_threads: BTreeMap<ThreadNo, Vec<u32>>,
    /// The event that would go on with the last stretch.
    next: Option<EventId>,
    last: Option<Moment>,
}

impl Calendar {
    /// The next event of the stream happened at `at`.
    pub(super) fn push(&mut self, event: EventId, at: Moment) {
        if self.next != Some(event) {
            // As many as there are moments, at most.
            let no = self.stretches.len() as u32;
            self.stretches.push(Stretch { event, at });
            self.of_threads.entry(event.thread).or_default().push(no);
        }
        self.next = Some(EventId {
            index: event.index + 1,
            ..event
        });
        self.last = Some(at);
    }

    /// When the event happened; `None` if the stream does not have it.
    pub(super) fn moment(&self, event: EventId) -> Option<Moment> {
        let of_thread = self.of_threads.get(&event.thread)?;
        let stretch = |no: &u32| self.stretches[*no as usize];
        let behind = of_thread.partition_point(|no| stretch(no).event.index <= event.index);
        let no = of_thread.get(behind.checked_sub(1)?)?;
        let begun = stretch(no);
        let at = u64::from(begun.at.get()) - 1 + (event.index - begun.event.index);
        let end = match self.stretches.get(*no as usize + 1) {
            Some(next) => u64::from(next.at.get()) - 1,
            None => u64::from(self.last?.get()),
        };
        Moment::of(at).filter(|_| at < end)
    }

    /// The event that happened at `at`.
    pub(super) fn event(&self, at: Moment) -> Option<EventId> {
        let behind = self.stretches.partition_point(|s| s.at <= at);
        let begun = self.stretches.get(behind.checked_sub(1)?)?;
        let within = Some(at) <= self.last;
        within.then(|| EventId {
            index: begun.event.index + u64::from(at.get() - begun.at.get()),
            ..begun.event
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against a list of all events, with gaps in the threads' own numbers.
        #[test]
        fn each_event_has_its_moment_and_each_moment_its_event(
            steps in proptest::collection::vec((0u32..3, 0u64..3), 0..200),
        ) {
            let mut calendar = Calendar::default();
            let mut next = [0; 3];
            let mut all = Vec::new();
            for (position, (thread, gap)) in (0..).zip(steps) {
                let index = &mut next[thread as usize];
                *index += gap / 2;
                let event = EventId { thread, index: *index };
                *index += 1;
                let at = Moment::of(position).unwrap();
                calendar.push(event, at);
                all.push((event, at));
            }
            for (event, at) in &all {
                prop_assert_eq!(calendar.moment(*event), Some(*at));
                prop_assert_eq!(calendar.event(*at), Some(*event));
            }
            prop_assert_eq!(calendar.event(Moment::BEGINNING), None);
            prop_assert_eq!(calendar.event(Moment::of(all.len() as u64).unwrap()), None);
            for thread in 0..4 {
                for index in 0..300 {
                    let event = EventId { thread, index };
                    let known = all.iter().any(|(known, _)| *known == event);
                    prop_assert_eq!(calendar.moment(event).is_some(), known);
                }
            }
        }
    }
}
