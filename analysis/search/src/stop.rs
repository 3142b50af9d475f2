//! When a search has to end before it is done.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The user wished so.
    Interrupted,
    /// The time that it was given is over.
    Budget,
}

impl Reason {
    /// Stable name, as `report.json` has it.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Interrupted => "interrupted",
            Reason::Budget => "budget",
        }
    }
}

/// Says when to stop; the default never does. Once it has said so it stays with that.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop {
    wish: Option<&'static AtomicBool>,
    deadline: Option<Instant>,
}

impl Stop {
    /// When `wish` turns true (it must not turn back), or `budget` from now on is over.
    pub fn new(wish: Option<&'static AtomicBool>, budget: Option<Duration>) -> Self {
        Self {
            wish,
            deadline: budget.and_then(|budget| Instant::now().checked_add(budget)),
        }
    }

    /// The same, but `budget` from now on at the latest.
    #[must_use]
    pub fn within(self, budget: Duration) -> Self {
        let latest = Instant::now().checked_add(budget);
        Self {
            deadline: self.deadline.into_iter().chain(latest).min(),
            ..self
        }
    }

    /// Why to stop now, if so.
    pub fn reason(&self) -> Option<Reason> {
        if self.wish.is_some_and(|wish| wish.load(Ordering::Relaxed)) {
            return Some(Reason::Interrupted);
        }
        let over = self.deadline.is_some_and(|at| Instant::now() >= at);
        over.then_some(Reason::Budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_or_the_end_of_the_time_stops() {
        static WISH: AtomicBool = AtomicBool::new(false);
        assert_eq!(Stop::default().reason(), None);
        let long = Duration::from_secs(1_000_000);
        let stop = Stop::new(Some(&WISH), Some(long));
        assert_eq!(stop.reason(), None);
        assert_eq!(stop.within(Duration::ZERO).reason(), Some(Reason::Budget));
        assert_eq!(stop.within(long).reason(), None);
        let over = Stop::new(None, Some(Duration::ZERO));
        assert_eq!(over.within(long).reason(), Some(Reason::Budget));
        WISH.store(true, Ordering::Relaxed);
        assert_eq!(stop.reason(), Some(Reason::Interrupted));
        // Too long to be told is for ever.
        assert_eq!(Stop::new(None, Some(Duration::MAX)).reason(), None);
    }
}
