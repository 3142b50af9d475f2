//! When a search has to end before it is done.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The user wished so.
    Interrupted,
    /// The time that it was given is over.
    Budget,
}

impl StopReason {
    /// Stable name, as `report.json` has it.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Interrupted => "interrupted",
            StopReason::Budget => "budget",
        }
    }
}

/// Says when to stop; the default never does. Once it has said so it stays with that.
#[derive(Clone, Copy, Debug, Default)]
pub struct StopSignal {
    wish: Option<&'static AtomicBool>,
    deadline: Option<Instant>,
}

impl StopSignal {
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
    pub fn reason(&self) -> Option<StopReason> {
        if self.wish.is_some_and(|wish| wish.load(Ordering::Relaxed)) {
            return Some(StopReason::Interrupted);
        }
        let over = self.deadline.is_some_and(|at| Instant::now() >= at);
        over.then_some(StopReason::Budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_or_the_end_of_the_time_stops() {
        static WISH: AtomicBool = AtomicBool::new(false);
        assert_eq!(StopSignal::default().reason(), None);
        let long = Duration::from_secs(1_000_000);
        let stop = StopSignal::new(Some(&WISH), Some(long));
        assert_eq!(stop.reason(), None);
        assert_eq!(
            stop.within(Duration::ZERO).reason(),
            Some(StopReason::Budget)
        );
        assert_eq!(stop.within(long).reason(), None);
        let over = StopSignal::new(None, Some(Duration::ZERO));
        assert_eq!(over.within(long).reason(), Some(StopReason::Budget));
        WISH.store(true, Ordering::Relaxed);
        assert_eq!(stop.reason(), Some(StopReason::Interrupted));
        // Too long to be reported is for ever.
        assert_eq!(StopSignal::new(None, Some(Duration::MAX)).reason(), None);
    }
}
