//! What is done with each level behind its search, while the next one is searched.

use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Scope, ScopedJoinHandle};

/// How many levels may wait for a stage. What waits holds memory, and a stage that is so far behind gains nothing by more.
const WAITING: usize = 2;

/// Takes things one after the other, and makes something of each: on a thread of its own, or at once.
pub(super) enum Stage<'scope, T, R> {
    Thread {
        things: SyncSender<T>,
        made: ScopedJoinHandle<'scope, Vec<R>>,
    },
    AtOnce {
        work: Box<dyn FnMut(T) -> R + 'scope>,
        made: Vec<R>,
    },
}

impl<'scope, T: Send + 'scope, R: Send + 'scope> Stage<'scope, T, R> {
    /// A stage that does `work`, on a thread of its own if `parallel`, after `beginning` it.
    pub(super) fn new<W>(
        scope: &'scope Scope<'scope, '_>,
        parallel: bool,
        beginning: impl FnOnce(&mut W) + Send + 'scope,
        mut worker: W,
        mut work: impl FnMut(&mut W, T) -> R + Send + 'scope,
    ) -> Self
    where
        W: Send + 'scope,
    {
        if !parallel {
            return Self::AtOnce {
                work: Box::new(move |thing| work(&mut worker, thing)),
                made: Vec::new(),
            };
        }
        let (things, receiver): (_, Receiver<T>) = sync_channel(WAITING);
        let made = scope.spawn(move || {
            beginning(&mut worker);
            let things = receiver.into_iter();
            things.map(|thing| work(&mut worker, thing)).collect()
        });
        Self::Thread { things, made }
    }

    /// Hands over the next one; waits while too many wait already.
    pub(super) fn give(&mut self, thing: T) {
        match self {
            // A thread that panicked takes no more, and says so at the end.
            Self::Thread { things, .. } => drop(things.send(thing)),
            Self::AtOnce { work, made } => made.push(work(thing)),
        }
    }

    /// Waits for the last one; what was made of all, in order.
    pub(super) fn end(self) -> Vec<R> {
        match self {
            Self::Thread { things, made } => {
                drop(things);
                made.join().unwrap_or_else(|panic| resume_unwind(panic))
            }
            Self::AtOnce { made, .. } => made,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn all_things_are_made_in_order_on_a_thread_or_at_once() {
        for parallel in [true, false] {
            let here = thread::current().id();
            let made = thread::scope(|scope| {
                let begin = |sum: &mut u32| *sum += 100;
                let work = |sum: &mut u32, n: u32| {
                    *sum += n;
                    (*sum, thread::current().id() == here)
                };
                let mut stage = Stage::new(scope, parallel, begin, 0, work);
                (1..=9).for_each(|n| stage.give(n));
                stage.end()
            });
            let beginning = if parallel { 100 } else { 0 };
            let sums: Vec<u32> = made.iter().map(|(sum, _)| sum - beginning).collect();
            assert_eq!(sums, [1, 3, 6, 10, 15, 21, 28, 36, 45]);
            assert!(made.iter().all(|(_, was_here)| *was_here != parallel));
        }
    }

    #[test]
    #[should_panic(expected = "in the stage")]
    fn a_panic_comes_out_at_the_end() {
        thread::scope(|scope| {
            let work = |(): &mut (), n: u32| assert!(n < 2, "in the stage");
            let mut stage = Stage::new(scope, true, |()| (), (), work);
            (0..9).for_each(|n| stage.give(n));
            stage.end()
        });
    }
}
