//! The door of observed code: before a window begins, calls from the environment wait there until those that are running have come out.
//!
//! The first thread that waits keeps the door: it looks at all stacks until nobody is in observed code but those that wait, or for
//! [`PATIENCE`], begins the window, and lets all go on. Threads that wait deeper in observed code are let go at once: others wait
//! for them. Threads that have not written an event for a whole window are not waited for.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::running::Running;

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
}

/// What the keeper of the door has to know and do.
pub(crate) trait Keeper {
    /// The threads in observed code; `None` if nobody can say.
    fn running(&mut self) -> Option<Vec<Running>>;
    /// Has the thread written nothing for a whole window?
    fn rests(&self, tid: i64) -> bool;
    /// Begins the window, and says that the door is open.
    fn begin(&mut self);
}

/// The door. It is open at first.
#[derive(Debug, Default)]
pub(crate) struct Door {
    shut: Mutex<Option<Shut>>,
    changed: Condvar,
}

impl Door {
    /// Shuts the door if it is open, and says so by `told`. Whether it has been shut for so long that somebody must have kept it, and
    /// nobody does.
    pub(crate) fn shut(&self, told: impl FnOnce()) -> bool {
        let mut state = self.shut.lock();
        match &*state {
            None => {
                told();
                *state = Some(Shut {
                    since: Instant::now(),
                    waiting: HashSet::new(),
                    passed: HashSet::new(),
                    kept: false,
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

    /// Waits until the window has begun, or it turns out that others wait for this thread.
    pub(crate) fn wait(&self, tid: i64, keeper: &mut impl Keeper) {
        let mut state = self.shut.lock();
        loop {
            let Some(shut) = state.as_mut() else { return };
            if shut.passed.contains(&tid) {
                shut.waiting.remove(&tid);
                return;
            }
            shut.waiting.insert(tid);
            if shut.kept {
                self.changed.wait_for(&mut state, PATIENCE);
                continue;
            }
            shut.kept = true;
            let began = self.look(&mut state, keeper);
            if let Some(shut) = state.as_mut() {
                shut.kept = false;
            }
            if began {
                *state = None;
            }
            self.changed.notify_all();
            if !began && state.as_ref().is_some_and(|s| !s.passed.contains(&tid)) {
                self.changed.wait_for(&mut state, PAUSE);
            }
        }
    }

    /// One look of the keeper at the stacks. Has the window begun?
    fn look(&self, state: &mut MutexGuard<'_, Option<Shut>>, keeper: &mut impl Keeper) -> bool {
        let running = MutexGuard::unlocked(state, || keeper.running());
        let Some(shut) = state.as_mut() else {
            return false;
        };
        let quiet = running.is_none_or(|running| shut.is_quiet(&running, keeper));
        let begins = quiet || shut.since.elapsed() > PATIENCE;
        if begins {
            MutexGuard::unlocked(state, || keeper.begin());
        }
        begins
    }
}

impl Shut {
    /// Is nobody in observed code but those that wait? Notes who has to go on.
    fn is_quiet(&mut self, running: &[Running], keeper: &impl Keeper) -> bool {
        let mut quiet = true;
        for thread in running {
            let waits = self.waiting.contains(&thread.tid);
            match waits {
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

    /// It has told. If another one has taken over, nothing happens.
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
