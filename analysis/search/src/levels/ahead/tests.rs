use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use proptest::prelude::*;

use super::super::super::ddmin::{Minimized, NotFailing, ddmin};
use super::super::super::fakes::{Log, arbitrary_verdict, logs, numbers};
use super::super::super::grow::grow;
use super::super::super::memo::Plain;
use super::super::super::probdd::probdd;
use super::super::super::structure::Structure;
use super::*;
use crate::levels::LoadError;
use jinsi_level::Level;
use jinsi_level::change::Change;

/// A test that ended.
type Ended = (Vec<u32>, TestRun);
type Rule = Arc<dyn Fn(&[u32]) -> Ran + Send + Sync>;

/// Workers that take a while, each time another one; or no time at all.
struct WorkerPool {
    rule: Rule,
    most: usize,
    prompt: bool,
    running: usize,
    results: (Sender<Ended>, Receiver<Ended>),
    /// Tests by the worker that the search waits for.
    own: u64,
}

/// Verdicts drawn from a seed.
fn arbitrary(log: &Log, seed: u64) -> Rule {
    let log = log.clone();
    let n = log.needs.len();
    Arc::new(move |subset| log.run(subset, |s| arbitrary_verdict(seed, s, n)))
}

fn run_of(rule: &Rule, subset: &[u32]) -> TestRun {
    let ran = rule(subset);
    TestRun {
        verdict: ran.verdict,
        detail: String::new(),
        resynchronized: false,
        notes: vec![],
        used_answers: vec![],
        blocked_on: None,
        ended_in: ran.ended_in,
        back_edges: 0,
        lines: 0,
        way: 0,
    }
}

impl WorkerPool {
    fn new(rule: &Rule, most: usize, prompt: bool) -> Self {
        Self {
            rule: Arc::clone(rule),
            most,
            prompt,
            running: 0,
            results: channel(),
            own: 0,
        }
    }

    fn pause(&self, subset: &[u32]) {
        if !self.prompt {
            thread::sleep(Duration::from_micros(hash_of(subset) as u64 % 60));
        }
    }
}

impl Replayer for WorkerPool {
    fn load(&mut self, _: &Level) -> Result<(), LoadError> {
        Ok(())
    }
    fn load_counting(&mut self, _: &Level) -> Result<bool, LoadError> {
        Ok(false)
    }
    fn vary(&mut self, _: &[Change]) -> Result<(), LoadError> {
        Ok(())
    }
    fn test(&mut self, subset: &[u32], _: Mode) -> TestRun {
        self.own += 1;
        self.pause(subset);
        run_of(&self.rule, subset)
    }
    fn idle(&mut self) -> bool {
        self.running < self.most
    }
    fn begin(&mut self, subset: &[u32]) -> bool {
        assert!(self.idle());
        self.running += 1;
        let (rule, list, results) = (
            Arc::clone(&self.rule),
            subset.to_vec(),
            self.results.0.clone(),
        );
        let pause = Duration::from_micros((hash_of(subset) >> 64) as u64 % 60);
        let work = move || {
            let run = run_of(&rule, &list);
            // The search may be over.
            let _ = results.send((list, run));
        };
        if self.prompt {
            work();
        } else {
            thread::spawn(move || {
                thread::sleep(pause);
                work();
            });
        }
        true
    }
    fn ended(&mut self, wait: bool) -> Option<(Vec<u32>, TestRun)> {
        let ended = match wait && self.running > 0 {
            true => self.results.1.recv().ok(),
            false => self.results.1.try_recv().ok(),
        };
        self.running -= usize::from(ended.is_some());
        ended
    }
}

/// As the search of a level asks, without what it keeps of it.
struct Asking<'s> {
    ahead: Ahead<'s>,
    pool: WorkerPool,
    asked: Vec<Vec<u32>>,
}

impl Runner for Asking<'_> {
    fn run(&mut self, subset: &[u32]) -> Ran {
        self.asked.push(subset.to_vec());
        let run = self.ahead.test(subset, &mut self.pool);
        Ran {
            verdict: run.verdict,
            ended_in: run.ended_in,
        }
    }
}

type Found = Result<Minimized, NotFailing>;
type Method = fn(&[u32], &Structure, &mut dyn Runner) -> Found;

fn plain(list: &[u32], _: &Structure, runner: &mut dyn Runner) -> Found {
    ddmin(list, &mut Plain(runner))
}

/// What `method` finds with so many further workers, what it asked, and how many tests were run for nothing.
fn found(method: Method, log: &Log, pool: WorkerPool) -> (Found, Vec<Vec<u32>>, u64) {
    let (all, structure) = (numbers(log.needs.len() as u32), log.structure());
    let once_more = |runner: &mut dyn Runner| drop(method(&all, &structure, runner));
    let mut asking = Asking {
        ahead: Ahead::new(&once_more),
        pool,
        asked: Vec::new(),
    };
    let found = method(&all, &structure, &mut asking);
    assert_eq!(
        asking.pool.own + asking.ahead.used,
        asking.asked.len() as u64,
        "each result is of a test that was run once"
    );
    (found, asking.asked, asking.ahead.in_vain())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn further_workers_change_nothing_but_the_time(seed: u64, log in logs(25)) {
        let rule = arbitrary(&log, seed);
        for method in [grow as Method, plain, probdd] {
            let (alone, asked, in_vain) = found(method, &log, WorkerPool::new(&rule, 0, false));
            prop_assert_eq!(in_vain, 0);
            for workers in [1, 3] {
                let (together, asked_together, _) = found(method, &log, WorkerPool::new(&rule, workers, false));
                prop_assert_eq!(&together, &alone);
                prop_assert_eq!(&asked_together, &asked);
            }
        }
    }
}

/// Only the whole fails: what comes next is what was supposed, so each second test is there when it is asked for.
#[test]
fn what_comes_as_supposed_is_run_ahead() {
    let log = Log {
        needs: vec![vec![]; 40],
        criterion: 39,
    };
    let rule: Rule = Arc::new(|s: &[u32]| Ran {
        verdict: match s.len() {
            40 => Verdict::Failing,
            _ => Verdict::Passing,
        },
        ended_in: None,
    });
    for method in [grow as Method, plain, probdd] {
        let (alone, asked, _) = found(method, &log, WorkerPool::new(&rule, 0, true));
        assert_eq!(alone.unwrap().kept.len(), 40);
        let (_, together, in_vain) = found(method, &log, WorkerPool::new(&rule, 1, true));
        assert_eq!(together, asked);
        // The first ones are supposed to fail.
        assert!(in_vain <= 5, "{in_vain} of {}", asked.len());
    }
}
