//! Order between threads: the streams of all threads as one sequence.
//!
//! Every thread has its own stream, which says nothing about the others. [`EventKind::Order`] events do: each carries a
//! [`Stamp`], a value of one counter of the recorded process. A *release* draws the next value before it lets other threads go on
//! (leaves a monitor, writes a volatile field, calls code that may do either); an *acquire* notes the value behind having waited
//! for other threads. If a release happens before an acquire (JLS §17.4.5), the acquire has noted at least the release's value. So the
//! *stretches* of the streams, from one Order event to the next, can be sorted by stamp, releases first: no event then precedes one that
//! happens before it. Stretches that share a stamp are not ordered by the program, and come by thread number.
//!
//! This is *an* order that the program allows, not the one in which the processor did things: of two events that race it says
//! nothing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::model::{Event, EventKind, Payload, Prim, ThreadNo, Value};
use crate::raw::{MEETINGS_BIT, MET_BIT};

/// Where a stretch of a thread's stream stands among those of other threads; sorts as the stretches do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stamp(u64);

impl Stamp {
    /// Of what comes before the first Order event of a thread: everything else comes later.
    pub const FIRST: Stamp = Stamp(0);

    /// Drawn by a release.
    pub fn release(value: u64) -> Self {
        Self(value << 1)
    }

    /// Noted by an acquire.
    pub fn acquire(value: u64) -> Self {
        Self(value << 1 | 1)
    }

    /// The stamp that `event` carries, if it is an Order event.
    pub fn of(event: &Event) -> Option<Self> {
        match (event.kind, &event.payload) {
            (EventKind::Order, Payload::Operands(values)) => match values.as_slice() {
                [Value::Prim(Prim::Long(word))] => Some(Self(*word as u64 & ((1 << MET_BIT) - 1))),
                _ => None,
            },
            _ => None,
        }
    }

    /// The event that carries it.
    pub fn event(self) -> Event {
        Event {
            kind: EventKind::Order,
            site: None,
            payload: Payload::Operands(vec![Value::Prim(Prim::Long(self.0 as i64))]),
        }
    }

    /// The counter's value.
    pub fn value(self) -> u64 {
        self.0 >> 1
    }

    /// Was it noted by an acquire, not drawn by a release?
    pub fn is_acquire(self) -> bool {
        self.0 & 1 != 0
    }
}

/// How often a thread has met others since its last Order event: observed code has entered a monitor, accessed a volatile field of its class, or
/// is going to call a natural object that threads may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meetings {
    /// So often.
    pub count: u32,
    /// Was the stamp seen at the last of these meetings?
    pub met: bool,
}

impl Meetings {
    /// What `event` says about it. `None` if it is no Order event, or nobody has counted.
    pub fn of(event: &Event) -> Option<Self> {
        const MANY: u64 = (1 << (u64::BITS - MEETINGS_BIT)) - 1;
        match (event.kind, &event.payload) {
            (EventKind::Order, Payload::Operands(values)) => match values.as_slice() {
                [Value::Prim(Prim::Long(word))] => match *word as u64 >> MEETINGS_BIT {
                    0 | MANY => None,
                    one_more => Some(Self {
                        count: one_more as u32 - 1,
                        met: *word as u64 >> MET_BIT & 1 != 0,
                    }),
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The event that says so, and carries `stamp`.
    pub fn event(self, stamp: Stamp) -> Event {
        let word =
            stamp.0 | u64::from(self.met) << MET_BIT | (u64::from(self.count) + 1) << MEETINGS_BIT;
        Event {
            kind: EventKind::Order,
            site: None,
            payload: Payload::Operands(vec![Value::Prim(Prim::Long(word as i64))]),
        }
    }
}

/// An event of a merged sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// Whose event it is.
    pub thread: ThreadNo,
    /// Its place in that thread's stream, from 0.
    pub index: u64,
    /// The event.
    pub event: Event,
}

/// The stream of a thread that is being read.
struct Stream<I> {
    events: I,
    /// Taken from `events` already: it begins the next stretch.
    next: Option<Event>,
    index: u64,
}

/// Iterator over the events of all threads, in an order that contradicts no happens-before edge; see [`merge`].
pub struct Merge<F, I> {
    open: F,
    /// Threads that have events left, by the stamp of their next stretch; those of which nothing has been taken have no stream yet.
    waiting: BinaryHeap<Reverse<(Stamp, ThreadNo)>>,
    streams: std::collections::HashMap<ThreadNo, Stream<I>>,
    current: Option<(Stamp, ThreadNo)>,
}

/// Merges the streams of `threads`; `open` gives the stream of one, and may be called twice for each. Only streams that have begun and
/// not ended are held open.
///
/// An error in a stream is passed on, and ends that stream.
pub fn merge<F, I, E>(threads: impl IntoIterator<Item = ThreadNo>, open: F) -> Merge<F, I>
where
    F: Fn(ThreadNo) -> I,
    I: Iterator<Item = Result<Event, E>>,
{
    let waiting = threads
        .into_iter()
        .map(|thread| {
            let first = open(thread).next();
            let stamp = first.and_then(|event| Stamp::of(event.as_ref().ok()?));
            Reverse((stamp.unwrap_or_default(), thread))
        })
        .collect();
    Merge {
        open,
        waiting,
        streams: std::collections::HashMap::new(),
        current: None,
    }
}

impl<F, I, E> Iterator for Merge<F, I>
where
    F: Fn(ThreadNo) -> I,
    I: Iterator<Item = Result<Event, E>>,
{
    type Item = Result<Merged, E>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (stamp, thread) = match self.current {
                Some(current) => current,
                None => self.waiting.pop()?.0,
            };
            self.current = Some((stamp, thread));
            let open = &self.open;
            let stream = self.streams.entry(thread).or_insert_with(|| Stream {
                events: open(thread),
                next: None,
                index: 0,
            });
            let event = match stream.next.take().map(Ok).or_else(|| stream.events.next()) {
                Some(Ok(event)) => event,
                ended => {
                    self.streams.remove(&thread);
                    self.current = None;
                    match ended {
                        Some(Err(error)) => return Some(Err(error)),
                        _ => continue,
                    }
                }
            };
            if let Some(later) = Stamp::of(&event).filter(|&s| s > stamp) {
                stream.next = Some(event);
                self.waiting.push(Reverse((later, thread)));
                self.current = None;
                continue;
            }
            let index = stream.index;
            stream.index += 1;
            return Some(Ok(Merged {
                thread,
                index,
                event,
            }));
        }
    }
}

#[cfg(test)]
mod tests;
