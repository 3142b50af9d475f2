use std::convert::Infallible;

use proptest::prelude::*;

use super::*;
use crate::model::SiteNo;

/// Threads of the generated programs.
const THREADS: usize = 4;
/// What they synchronize by.
const LOCKS: usize = 3;

/// What a thread does next.
#[derive(Clone, Copy, Debug)]
enum Step {
    Work,
    Acquire(usize),
    Release(usize),
}

fn step() -> impl Strategy<Value = (usize, Step)> {
    let step = prop_oneof![
        2 => Just(Step::Work),
        2 => (0..LOCKS).prop_map(Step::Acquire),
        2 => (0..LOCKS).prop_map(Step::Release),
    ];
    (0..THREADS, step)
}

type Clock = [u64; THREADS];

fn join(into: &mut Clock, other: &Clock) {
    for (a, b) in into.iter_mut().zip(other) {
        *a = (*a).max(*b);
    }
}

/// A run: what each thread writes, and the vector clock of each of its events.
#[derive(Default)]
struct Run {
    streams: Vec<Vec<Event>>,
    clocks: Vec<Vec<Clock>>,
}

/// Runs the steps in their order, stamping as the probes do; the counter is drawn and looked at as they do.
fn run(steps: &[(usize, Step)]) -> Run {
    let mut run = Run {
        streams: vec![Vec::new(); THREADS],
        clocks: vec![Vec::new(); THREADS],
    };
    let mut counter = 1;
    let mut last = [Stamp::FIRST; THREADS];
    let mut clocks = [Clock::default(); THREADS];
    let mut locks = [Clock::default(); LOCKS];
    for &(thread, step) in steps {
        let stamp = match step {
            Step::Work => None,
            Step::Acquire(lock) => {
                join(&mut clocks[thread], &locks[lock]);
                Some(Stamp::acquire(counter)).filter(|_| counter != last[thread].value())
            }
            Step::Release(_) if last[thread] == Stamp::release(counter) => None,
            Step::Release(_) => {
                counter += 1;
                Some(Stamp::release(counter))
            }
        };
        let event = match stamp {
            Some(stamp) => {
                last[thread] = stamp;
                stamp.event()
            }
            None => work(),
        };
        clocks[thread][thread] += 1;
        run.streams[thread].push(event);
        run.clocks[thread].push(clocks[thread]);
        if let Step::Release(lock) = step {
            let clock = clocks[thread];
            join(&mut locks[lock], &clock);
        }
    }
    run
}

fn work() -> Event {
    Event {
        kind: EventKind::Exit,
        site: SiteNo::new(1),
        payload: Payload::Operands(vec![]),
    }
}

fn merged(streams: &[Vec<Event>]) -> Vec<Merged> {
    let open = |thread: ThreadNo| {
        let stream = streams[thread as usize].clone();
        stream.into_iter().map(Ok::<_, Infallible>)
    };
    merge(0..streams.len() as ThreadNo, open)
        .map(|m| m.unwrap())
        .collect()
}

proptest! {
    #[test]
    fn no_event_precedes_one_that_happens_before_it(steps in prop::collection::vec(step(), 0..200)) {
        let run = run(&steps);
        let all = merged(&run.streams);
        prop_assert_eq!(all.len(), steps.len());
        let clock = |m: &Merged| run.clocks[m.thread as usize][m.index as usize];
        let mut seen = [0u64; THREADS];
        for m in &all {
            prop_assert_eq!(m.index, seen[m.thread as usize]);
            seen[m.thread as usize] += 1;
            // An event's clock counts the events of each thread that happen before it, and itself.
            let before = clock(m);
            prop_assert!(before.iter().zip(&seen).all(|(b, s)| b <= s), "{:?} {:?}", before, seen);
        }
    }
}

#[test]
fn unstamped_events_come_first_and_a_stream_ends_with_its_error() {
    let streams = [
        vec![Ok(work()), Ok(Stamp::release(2).event()), Ok(work())],
        vec![Ok(Stamp::acquire(1).event()), Err("cut"), Ok(work())],
    ];
    let all: Vec<_> = merge(0..2, |t| streams[t as usize].clone().into_iter())
        .map(|m| m.map(|m| (m.thread, m.index)))
        .collect();
    assert_eq!(
        all,
        [Ok((0, 0)), Ok((1, 0)), Err("cut"), Ok((0, 1)), Ok((0, 2))]
    );
}

#[test]
fn meetings_travel_beside_the_stamp() {
    for (count, met) in [(0, false), (1, true), (8_000_000, false)] {
        let meetings = Meetings { count, met };
        let event = meetings.event(Stamp::acquire(77));
        assert_eq!(Meetings::of(&event), Some(meetings));
        assert_eq!(Stamp::of(&event), Some(Stamp::acquire(77)));
    }
    // In older traces nobody has counted, and at some time nobody counts any more.
    assert_eq!(Meetings::of(&Stamp::release(5).event()), None);
    let many = Meetings {
        count: (1 << (u64::BITS - MEETINGS_BIT)) - 2,
        met: false,
    };
    assert_eq!(Meetings::of(&many.event(Stamp::release(5))), None);
}
