//! Addresses of events.

use super::ThreadNo;

/// The address of an event, the same in whatever way the trace is read: `THREAD:INDEX` as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId {
    /// The thread.
    pub thread: ThreadNo,
    /// Which of its events, from 0.
    pub index: u64,
}

impl std::fmt::Display for EventId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.thread, self.index)
    }
}

/// A text that is no [`EventId`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not THREAD:EVENT, such as 0:1234")]
pub struct BadEventId(String);

impl std::str::FromStr for EventId {
    type Err = BadEventId;

    fn from_str(text: &str) -> Result<Self, BadEventId> {
        let parts = text.split_once(':');
        let parsed = parts.and_then(|(t, i)| Some((t.parse().ok()?, i.parse().ok()?)));
        let (thread, index) = parsed.ok_or_else(|| BadEventId(text.to_owned()))?;
        Ok(Self { thread, index })
    }
}
