//! Things that end for all threads at once, while some are just being given a buffer.

use std::sync::atomic::Ordering;

use crate::word::Word;

/// A number that rises when something ends for all threads: it is [raised](Self::raise), and then all slots are gone through. A thread that
/// is given a buffer puts it into its slot and then [looks](Self::look). So either that thread sees the number, or whoever raised it
/// sees the buffer: each writes, passes a fence, and reads what the other has written.
#[derive(Debug, Default)]
pub struct Flag<W> {
    raised: W,
}

impl<W: Word> Flag<W> {
    /// With a word of value 0.
    pub const fn new(raised: W) -> Self {
        Self { raised }
    }

    /// Raises it. Go through the slots afterwards.
    pub fn raise(&self, to: u64) {
        self.raised.store(to, Ordering::Release);
        W::fence();
    }

    /// What it is. Put the buffer into its slot before.
    pub fn look(&self) -> u64 {
        W::fence();
        self.raised.load(Ordering::Acquire)
    }

    /// What it is, for those who have no buffer to settle.
    pub fn now(&self) -> u64 {
        self.raised.load(Ordering::Acquire)
    }
}
