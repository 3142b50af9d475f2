//! The barrier of observed code: before a window begins, calls from the environment wait there until those that are running have come out.
//!
//! The first thread that waits keeps the barrier: it looks at all stacks until nobody is in observed code but those that wait, or for
//! [`PATIENCE`], begins the window, tells what static fields hold, and lets all go on. Threads that wait deeper in observed code are let go
//! at once: others wait for them. Threads that have not written an event for a whole window are not waited for.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

/// How long calls wait at most.
const PATIENCE: Duration = Duration::from_millis(50);
/// Time between two looks at the stacks.
const PAUSE: Duration = Duration::from_micros(500);

/// Why threads wait, and which.
#[derive(Debug)]
struct Shut {
    since: Instant,
    waiting: HashSet<i64>,
    /// They are in observed code deeper down on their stacks.
    passed: HashSet<i64>,
    kept: bool,
    /// The window has begun; what it begins with is being reported, or is still to be.
    begun: Option<Instant>,
}

/// A platform thread on whose stack methods of observed classes are, or of classes that these inherit from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Running {
    pub(crate) tid: i64,
    pub(crate) methods: usize,
}

/// What the keeper of the barrier has to know and do.
pub(crate) trait Keeper {
    /// The threads in observed code; `None` if nobody can say.
    fn running(&mut self) -> Option<Vec<Running>>;
    /// Has the thread written nothing for a whole window?
    fn rests(&self, tid: i64) -> bool;
    /// Begins the window.
    fn begin(&mut self);
}

/// The barrier. It is open at first.
#[derive(Debug, Default)]
pub(crate) struct WindowBarrier {
    shut: Mutex<Option<Shut>>,
    changed: Condvar,
}

impl WindowBarrier {
    /// Shuts the barrier if it is open, and says so by `announced`. Whether it has been shut for so long that somebody must have kept it, and
    /// nobody does.
    pub(crate) fn shut(&self, announced: impl FnOnce()) -> bool {
        let mut state = self.shut.lock();
        match &*state {
            None => {
                announced();
                *state = Some(Shut {
                    since: Instant::now(),
                    waiting: HashSet::new(),
                    passed: HashSet::new(),
                    kept: false,
                    begun: None,
                });
                false
            }
            Some(shut) => !shut.kept && shut.since.elapsed() > PATIENCE,
        }
    }

    /// Lets all go on.
    pub(crate) fn open(&self) {
        *self.shut.lock() = None;
        self.changed.notify_all();
    }

    /// The window has begun, though nobody kept the barrier. Who comes next tells what it begins with.
    pub(crate) fn has_begun(&self) {
        if let Some(shut) = &mut *self.shut.lock() {
            shut.begun = Some(Instant::now());
        }
    }

    /// Waits until the window has begun, or it turns out that others wait for this thread. Whether the thread has to tell what the window
    /// begins with, and then to open the barrier.
    pub(crate) fn wait(&self, tid: i64, keeper: &mut impl Keeper) -> bool {
        let mut state = self.shut.lock();
        loop {
            let Some(shut) = state.as_mut() else {
                return false;
            };
            let tells = shut.begun.filter(|_| shut.kept);
            if shut.passed.contains(&tid) || tells.is_some_and(|since| since.elapsed() > TELLING) {
                shut.waiting.remove(&tid);
                return false;
            }
            shut.waiting.insert(tid);
            if shut.kept {
                self.changed.wait_for(&mut state, PATIENCE);
                continue;
            }
            shut.kept = true;
            if shut.begun.is_some() || self.look(&mut state, keeper) {
                if let Some(shut) = state.as_mut() {
                    shut.begun = Some(Instant::now());
                }
                return true;
            }
            if let Some(shut) = state.as_mut() {
                shut.kept = false;
            }
            self.changed.notify_all();
            if state.as_ref().is_some_and(|s| !s.passed.contains(&tid)) {
                self.changed.wait_for(&mut state, PAUSE);
            }
        }
    }

    /// One look of the keeper at the stacks. Has the window begun?
    fn look(&self, state: &mut MutexGuard<'_, Option<Shut>>, keeper: &mut impl Keeper) -> bool {
        // Who comes only while the stacks are looked at may have been seen somewhere else, with fewer methods.
        let waited = state.as_ref().map(|shut| shut.waiting.clone());
        let running = MutexGuard::unlocked(state, || keeper.running());
        let (Some(shut), Some(waited)) = (state.as_mut(), waited) else {
            return false;
        };
        let quiet = running.is_none_or(|running| shut.is_quiet(&running, &waited, keeper));
        let begins = quiet || shut.since.elapsed() > PATIENCE;
        if begins {
            MutexGuard::unlocked(state, || keeper.begin());
        }
        begins
    }
}

impl Shut {
    /// Is nobody in observed code but those that `waited` before it was looked who is? Notes who has to go on.
    fn is_quiet(
        &mut self,
        running: &[Running],
        waited: &HashSet<i64>,
        keeper: &impl Keeper,
    ) -> bool {
        let mut quiet = true;
        for thread in running {
            match waited.contains(&thread.tid) {
                true if thread.methods > 1 => {
                    self.passed.insert(thread.tid);
                    quiet = false;
                }
                true => {}
                false => quiet &= keeper.rests(thread.tid),
            }
        }
        quiet
    }
}

/// Who tells what objects hold: one thread at a time.
#[derive(Debug, Default)]
pub(crate) struct Telling {
    teller: Mutex<Option<(i64, u32)>>,
    done: Condvar,
}

/// How long a thread waits for another one that is telling.
const TELLING: Duration = Duration::from_secs(1);

impl Telling {
    /// The thread tells, as soon as nobody else does or that takes too long.
    pub(crate) fn begin(&self, tid: i64) {
        let mut teller = self.teller.lock();
        let others = |teller: &Option<(i64, u32)>| teller.is_some_and(|(who, _)| who != tid);
        while others(&teller) {
            if self.done.wait_for(&mut teller, TELLING).timed_out() {
                *teller = None;
            }
        }
        teller.get_or_insert((tid, 0)).1 += 1;
    }

    /// It has reported. If another one has taken over, nothing happens.
    pub(crate) fn end(&self, tid: i64) {
        let mut teller = self.teller.lock();
        if let Some((who, depth)) = &mut *teller
            && *who == tid
        {
            *depth -= 1;
            if *depth == 0 {
                *teller = None;
                self.done.notify_all();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// Says in turn who is in observed code, and the last again and again.
    struct Script<'a> {
        running: VecDeque<Vec<(i64, usize)>>,
        rests: Option<i64>,
        began: &'a AtomicU32,
    }

    impl Keeper for Script<'_> {
        fn running(&mut self) -> Option<Vec<Running>> {
            let now = match self.running.len() {
                0 | 1 => self.running.front().cloned(),
                _ => self.running.pop_front(),
            };
            let running = now?.into_iter();
            Some(
                running
                    .map(|(tid, methods)| Running { tid, methods })
                    .collect(),
            )
        }

        fn rests(&self, tid: i64) -> bool {
            self.rests == Some(tid)
        }

        fn begin(&mut self) {
            self.began.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn script<'a>(running: &[&[(i64, usize)]], began: &'a AtomicU32) -> Script<'a> {
        Script {
            running: running.iter().map(|now| now.to_vec()).collect(),
            rests: None,
            began,
        }
    }

    #[test]
    fn a_window_begins_when_those_inside_have_come_out() {
        let (barrier, began) = (WindowBarrier::default(), AtomicU32::new(0));
        let mut announced = 0;
        assert!(!barrier.shut(|| announced += 1));
        assert!(!barrier.shut(|| announced += 1));
        assert_eq!(announced, 1);
        let mut keeper = script(&[&[(1, 1), (2, 3)], &[(1, 1), (2, 1)], &[(1, 1)]], &began);
        assert!(barrier.wait(1, &mut keeper));
        assert_eq!(began.load(Ordering::Relaxed), 1);
        assert_eq!(keeper.running.len(), 1);
        barrier.open();
        assert!(!barrier.wait(1, &mut keeper));
        assert_eq!(began.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn nobody_waits_for_what_rests_or_does_not_end() {
        let (barrier, began) = (WindowBarrier::default(), AtomicU32::new(0));
        barrier.shut(|| {});
        let mut keeper = script(&[&[(1, 1), (2, 3)]], &began);
        keeper.rests = Some(2);
        assert!(barrier.wait(1, &mut keeper));
        assert_eq!(began.load(Ordering::Relaxed), 1);
        barrier.open();
        barrier.shut(|| {});
        keeper.rests = None;
        assert!(barrier.wait(1, &mut keeper));
        assert_eq!(began.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn who_is_inside_already_goes_on() {
        let (barrier, began) = (WindowBarrier::default(), AtomicU32::new(0));
        barrier.shut(|| {});
        let mut keeper = script(&[&[(1, 2)]], &began);
        assert!(!barrier.wait(1, &mut keeper));
        assert_eq!(began.load(Ordering::Relaxed), 0);
        std::thread::sleep(PATIENCE + PAUSE);
        assert!(barrier.shut(|| {}), "nobody has kept it");
        barrier.has_begun();
        assert!(barrier.wait(2, &mut keeper), "who comes tells");
        assert_eq!(began.load(Ordering::Relaxed), 0, "it had begun");
        barrier.open();
        assert!(!barrier.shut(|| {}), "it was open");
    }

    #[test]
    fn those_that_wait_go_on_together() {
        let (barrier, began) = (WindowBarrier::default(), AtomicU32::new(0));
        barrier.shut(|| {});
        std::thread::scope(|scope| {
            for tid in 1..=4 {
                let (barrier, began) = (&barrier, &began);
                let inside: &[(i64, usize)] = &[(1, 1), (2, 1), (3, 1), (4, 1)];
                scope.spawn(move || {
                    if barrier.wait(tid, &mut script(&[inside], began)) {
                        barrier.open();
                    }
                });
            }
        });
        assert_eq!(began.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn one_thread_tells_at_a_time() {
        let telling = Telling::default();
        telling.begin(1);
        telling.begin(1);
        std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                telling.begin(2);
                telling.end(1);
                telling.end(2);
            });
            telling.end(1);
            assert!(!other.is_finished());
            telling.end(1);
        });
        assert!(telling.teller.lock().is_none());
    }
}
