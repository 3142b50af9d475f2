//! Further workers, which run tests ahead of the search.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use jinsi_files::temporary;
use jinsi_level::verdict::{Mode, Unresolved};
use jinsi_replay::worker::{Worker, WorkerConfig};
use jinsi_search::ddmin::Verdict;
use jinsi_search::levels::TestRun;

/// So long the tests of a session must have taken before a further worker pays: about what it takes to start one.
const PAYS: Duration = Duration::from_secs(1);
/// How often a worker that is waited for is looked after.
const LOOK: Duration = Duration::from_millis(200);

/// What a worker is to do.
enum Order {
    /// Make this session file the one that tests are about. The test of the list shows how the failure reads on this JVM.
    Load(PathBuf, Vec<u32>),
    Test {
        session: u64,
        list: Vec<u32>,
    },
}

/// A test that ended.
struct Done {
    member: usize,
    session: u64,
    list: Vec<u32>,
    /// `None`: the worker could not run it, which says nothing of the test.
    run: Option<TestRun>,
}

/// A worker with a thread of its own.
struct Member {
    orders: Sender<Order>,
    thread: JoinHandle<()>,
    /// Has not given the result of its test yet.
    busy: bool,
    /// The session that it has loaded, or is about to.
    session: u64,
}

impl Member {
    /// Is never idle again, and not waited for.
    fn give_up(&mut self) {
        (self.busy, self.session) = (true, 0);
    }
}

/// Workers that are started when a search takes long enough, and get the session of the first worker then.
pub(super) struct WorkerPool {
    config: WorkerConfig,
    most: usize,
    members: Vec<Member>,
    results: (Sender<Done>, Receiver<Done>),
    /// Number of the session that the first worker has loaded.
    session: u64,
    /// Its file, under a name that stays when the first worker loads the next one.
    file: Option<(temporary::Directory, PathBuf)>,
    /// The interactions of its strict test.
    whole: Vec<u32>,
    /// Wall time that loading it took, and that its tests took since.
    loading: Duration,
    tests: Duration,
}

impl WorkerPool {
    /// Of at most so many further workers; none is started yet.
    pub(super) fn new(config: WorkerConfig, most: usize) -> Self {
        Self {
            config,
            most,
            members: Vec::new(),
            results: channel(),
            session: 0,
            file: None,
            whole: Vec::new(),
            loading: Duration::ZERO,
            tests: Duration::ZERO,
        }
    }

    /// The first worker has another session, which took so long to load. What was begun before counts no more.
    pub(super) fn loaded(&mut self, loading: Duration) {
        self.session += 1;
        self.file = None;
        self.whole.clear();
        self.loading = loading;
        self.tests = Duration::ZERO;
    }

    /// The first worker ran a test that took so long.
    pub(super) fn tested(&mut self, took: Duration) {
        self.tests += took;
    }

    /// The first worker ran the strict test, of these interactions.
    pub(super) fn reproduced(&mut self, whole: &[u32]) {
        self.whole = whole.to_vec();
    }

    /// Would [`Self::begin`] find a worker? One that would have to load the session pays only after a while.
    pub(super) fn idle(&self) -> bool {
        let pays = self.tests > PAYS.max(self.loading);
        let ready = |m: &Member| !m.busy && (pays || m.session == self.session);
        self.members.iter().any(ready) || (pays && self.members.len() < self.most)
    }

    /// Gives the test to an idle worker, if there is one; `first` has the session.
    pub(super) fn begin(&mut self, first: &Worker, list: &[u32]) -> bool {
        if !self.idle() {
            return false;
        }
        let loaded = |m: &Member| !m.busy && m.session == self.session;
        let free = |m: &Member| !m.busy;
        let found = self.members.iter().position(loaded);
        let at = match found.or_else(|| self.members.iter().position(free)) {
            Some(at) => at,
            None => self.hire(),
        };
        if self.members[at].session != self.session {
            let Some(file) = self.session_file(first) else {
                return false;
            };
            self.members[at].session = self.session;
            let _ = self.members[at]
                .orders
                .send(Order::Load(file, self.whole.clone()));
        }
        let (session, list) = (self.session, list.to_vec());
        let member = &mut self.members[at];
        member.busy = member.orders.send(Order::Test { session, list }).is_ok();
        member.busy
    }

    /// A test of the loaded session that ended; with `wait`, waits for one if any is running.
    pub(super) fn ended(&mut self, wait: bool) -> Option<(Vec<u32>, TestRun)> {
        loop {
            let running = |m: &Member| m.busy && m.session == self.session;
            let patience = match wait && self.members.iter().any(running) {
                true => LOOK,
                false => Duration::ZERO,
            };
            match self.results.1.recv_timeout(patience) {
                Ok(done) => {
                    let member = &mut self.members[done.member];
                    member.busy = false;
                    match done.run {
                        _ if done.session != self.session => {}
                        Some(run) => return Some((done.list, run)),
                        // Who could not run one test had better not be given another.
                        None => member.give_up(),
                    }
                }
                Err(RecvTimeoutError::Timeout) if patience > Duration::ZERO => {
                    let mut members = self.members.iter_mut();
                    members
                        .find(|m| m.thread.is_finished())
                        .map(Member::give_up);
                }
                Err(_) => return None,
            }
        }
    }

    fn hire(&mut self) -> usize {
        let (orders, receiver) = channel();
        let (config, results) = (self.config.clone(), self.results.0.clone());
        let member = self.members.len();
        let thread = thread::spawn(move || work(member, &config, &receiver, &results));
        self.members.push(Member {
            orders,
            thread,
            busy: false,
            session: 0,
        });
        member
    }

    fn session_file(&mut self, first: &Worker) -> Option<PathBuf> {
        if self.file.is_none() {
            let directory = temporary::directory().ok()?;
            let file = directory.path().join("session");
            first.share_session(&file).ok()?;
            self.file = Some((directory, file));
        }
        self.file.as_ref().map(|(_, file)| file.clone())
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        for member in self.members.drain(..) {
            drop(member.orders);
            let _ = member.thread.join();
        }
    }
}

/// Carries out orders until there are no more.
fn work(member: usize, config: &WorkerConfig, orders: &Receiver<Order>, results: &Sender<Done>) {
    let mut worker: Option<Worker> = None;
    let mut loaded = false;
    for order in orders {
        match order {
            Order::Load(file, whole) => {
                worker = worker.or_else(|| Worker::start(config).ok());
                loaded = worker.as_mut().is_some_and(|w| {
                    w.load_file(&file).is_ok()
                        && (whole.is_empty() || w.test(&whole, Mode::Strict).is_ok())
                });
            }
            Order::Test { session, list } => {
                let worker = worker.as_mut().filter(|_| loaded);
                let run = worker.and_then(|w| w.test(&list, Mode::Resynchronizing).ok());
                let done = Done {
                    member,
                    session,
                    list,
                    run: run.map(TestRun::from).filter(is_of_the_test),
                };
                if results.send(done).is_err() {
                    return;
                }
            }
        }
    }
}

/// A worker that died, or that a busy machine kept from answering, says nothing of the test.
fn is_of_the_test(run: &TestRun) -> bool {
    run.verdict != Verdict::Unresolved(Unresolved::Harness)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_replay::worker::setting::Setting;

    #[test]
    fn a_further_worker_runs_tests_of_the_session_once_that_pays() {
        let setting = Setting::compiled();
        let mut first = Worker::start(&setting.any_config()).unwrap();
        first.load(&setting.session()).unwrap();
        let mut pool = WorkerPool::new(setting.any_config(), 1);
        pool.loaded(Duration::ZERO);
        assert!(!pool.idle());
        pool.tested(2 * PAYS);
        assert!(pool.idle() && pool.begin(&first, &[1, 2, 4]));
        assert!(!pool.idle() && !pool.begin(&first, &[1]));
        let (list, run) = pool.ended(true).unwrap();
        let here = first.test(&[1, 2, 4], Mode::Resynchronizing).unwrap();
        assert_eq!((list, run), (vec![1, 2, 4], TestRun::from(here)));
        assert_eq!(pool.ended(true), None);

        // What was begun on a session counts no more when there is another one.
        assert!(pool.begin(&first, &[1, 2, 4]));
        first.load(&setting.session()).unwrap();
        pool.loaded(Duration::ZERO);
        pool.tested(2 * PAYS);
        for _ in 0..3_000 {
            assert_eq!(pool.ended(false), None);
            if pool.idle() {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        assert!(pool.begin(&first, &[1, 2, 3, 4]));
        let (list, run) = pool.ended(true).unwrap();
        assert_eq!((list.len(), run.verdict), (4, Verdict::Failing));
        assert_eq!(pool.members.len(), 1);
    }
}
