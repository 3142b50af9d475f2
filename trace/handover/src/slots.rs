//! The slots of the threads: which buffer each has.

use std::sync::atomic::Ordering;

use crate::cursor::close;
use crate::word::Word;

/// In place of a buffer: the thread gets none, and asks no more. No buffer has such a number, nor 0.
pub const REFUSED: u64 = 1;

/// Where the words are.
pub trait Places {
    /// A word.
    type Word: Word;

    /// The slot of a thread; `None` if there is none for it.
    fn slot(&self, tid: u64) -> Option<&Self::Word>;

    /// The word that says which epoch it is.
    fn epoch(&self) -> &Self::Word;

    /// Up to where events may be begun in the buffer.
    ///
    /// # Safety
    /// `buffer` was [given](Slots::give) to a thread.
    unsafe fn limit(&self, buffer: u64) -> &Self::Word;
}

/// The slots of all threads. Buffers are numbers above [`REFUSED`], mostly addresses.
#[derive(Debug)]
pub struct Slots<P: Places> {
    places: P,
    /// One more than the highest thread that ever had a buffer.
    used: P::Word,
}

impl<P: Places> Slots<P> {
    /// Slots at these places; `used` is a word of value 0.
    pub const fn new(places: P, used: P::Word) -> Self {
        Self { places, used }
    }

    /// Where they are.
    pub fn places(&self) -> &P {
        &self.places
    }

    /// The thread has this buffer from now on, or is [`REFUSED`] one. What was written into it before is seen by whoever finds it there.
    ///
    /// # Safety
    /// `buffer` is [`REFUSED`], or a buffer whose words stay where they are for ever.
    pub unsafe fn give(&self, tid: u64, buffer: u64) {
        if let Some(slot) = self.places.slot(tid) {
            self.used.fetch_max(tid.saturating_add(1), Ordering::AcqRel);
            slot.store(buffer, Ordering::Release);
        }
    }

    /// Takes the thread's buffer away from it. Only one who tries gets it.
    pub fn take(&self, tid: u64) -> Option<u64> {
        let buffer = self.places.slot(tid)?.swap(0, Ordering::AcqRel);
        (buffer > REFUSED).then_some(buffer)
    }

    /// The thread's buffer, if it has one. It may have another one by the time this returns.
    pub fn look(&self, tid: u64) -> Option<u64> {
        let buffer = self.places.slot(tid)?.load(Ordering::Acquire);
        (buffer > REFUSED).then_some(buffer)
    }

    /// From now on no thread has a buffer that had one. Who is writing an event may still end it.
    pub fn refuse_all(&self) {
        for tid in self.tids() {
            if let (Some(buffer), Some(slot)) = (self.look(tid), self.places.slot(tid)) {
                // If it changes meanwhile its thread has ended, or looks itself whether it may go on.
                slot.replace(buffer, REFUSED, Ordering::AcqRel);
            }
        }
    }

    /// Takes all buffers away.
    pub fn take_all(&self) -> Vec<u64> {
        self.tids().filter_map(|tid| self.take(tid)).collect()
    }

    /// Begins an epoch: closes the buffers of all threads, and says so. In this order: who sees the new epoch (by an acquiring load) sees that its buffer is
    /// closed. Who was given a buffer meanwhile has to [look](crate::Flag::look).
    pub fn begin_epoch(&self, epoch: u64) {
        for tid in self.tids() {
            if let Some(buffer) = self.look(tid) {
                // SAFETY: what is in a slot was given.
                close(unsafe { self.places.limit(buffer) });
            }
        }
        self.places.epoch().store(epoch, Ordering::Release);
    }

    fn tids(&self) -> std::ops::Range<u64> {
        0..self.used.load(Ordering::Acquire)
    }
}
