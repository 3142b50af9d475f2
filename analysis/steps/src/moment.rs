//! Moments: positions in a thread's execution.

use std::fmt;
use std::str::FromStr;

use jinsi_trace::model::{BadEventId, EventId, ThreadNo};

/// A position in a thread's execution: right behind an event, and so many instructions further. As text `THREAD:EVENT` or
/// `THREAD:EVENT+STEPS`. An event stays where it is however the trace is read, and so does a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// The last event before.
    pub event: EventId,
    /// Instructions that ran since.
    pub step: u32,
}

impl Moment {
    /// Right behind an event.
    pub fn after(event: EventId) -> Self {
        Self { event, step: 0 }
    }

    /// The thread.
    pub fn thread(self) -> ThreadNo {
        self.event.thread
    }

    /// As its thread addresses it.
    pub fn at(self) -> At {
        At {
            events: self.event.index.saturating_add(1),
            step: self.step,
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            0 => self.event.fmt(f),
            step => write!(f, "{}+{step}", self.event),
        }
    }
}

/// A text that is no [`Moment`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadMoment {
    /// What stands before the plus sign.
    #[error(transparent)]
    Event(#[from] BadEventId),
    /// What stands behind it.
    #[error("'{0}' is no number of instructions")]
    Step(String),
}

impl FromStr for Moment {
    type Err = BadMoment;

    fn from_str(text: &str) -> Result<Self, BadMoment> {
        let (event, step) = text.split_once('+').unwrap_or((text, "0"));
        let event = event.parse()?;
        let step = step.parse().map_err(|_| BadMoment::Step(step.to_owned()))?;
        Ok(Self { event, step })
    }
}

/// A moment of a known thread: so many of its events lie before, and so many instructions ran since the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// Events of the thread that lie before.
    pub events: u64,
    /// Instructions that ran since the last of them.
    pub step: u32,
}

impl At {
    /// As others address it. What comes before the first event is taken for what is right behind it.
    pub fn of(self, thread: ThreadNo) -> Moment {
        let index = self.events.saturating_sub(1);
        Moment {
            event: EventId { thread, index },
            step: self.step,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        for text in ["0:0", "3:17", "3:17+4"] {
            assert_eq!(text.parse::<Moment>().unwrap().to_string(), text);
        }
        for bad in ["", "3", "3:x", "3:17+", "3:17+x", "3:17+-1"] {
            assert!(bad.parse::<Moment>().is_err(), "{bad}");
        }
    }

    #[test]
    fn steps_come_behind_their_event() {
        let moment = |text: &str| text.parse::<Moment>().unwrap();
        assert!(moment("0:3") < moment("0:3+1") && moment("0:3+9") < moment("0:4"));
    }
}
