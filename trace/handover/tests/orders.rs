//! Runs the hand-over of buffers in all orders that the memory model allows, by loom. Then with each order weakened, to see that it fails.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use jinsi_handover::cursor::{close, publish, published};
use jinsi_handover::{Flag, Places, REFUSED, Slots, Word};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, fence};
use loom::thread;

/// Nothing is weakened.
const NONE: u8 = 0;
/// Stores that release are relaxed.
const STORES: u8 = 1;
/// Loads that acquire are relaxed.
const LOADS: u8 = 2;
/// Exchanges are relaxed.
const EXCHANGES: u8 = 3;
/// There are no fences.
const FENCES: u8 = 4;

/// Loom's word, in which something is weakened.
struct Weak<const WHAT: u8>(AtomicU64);

impl<const WHAT: u8> Weak<WHAT> {
    fn new(value: u64) -> Self {
        Self(AtomicU64::new(value))
    }

    fn unless(what: u8, order: Ordering) -> Ordering {
        match WHAT == what {
            true => Ordering::Relaxed,
            false => order,
        }
    }
}

impl<const WHAT: u8> Word for Weak<WHAT> {
    fn load(&self, order: Ordering) -> u64 {
        self.0.load(Self::unless(LOADS, order))
    }

    fn store(&self, value: u64, order: Ordering) {
        self.0.store(value, Self::unless(STORES, order));
    }

    fn swap(&self, value: u64, order: Ordering) -> u64 {
        self.0.swap(value, Self::unless(EXCHANGES, order))
    }

    fn fetch_max(&self, value: u64, order: Ordering) -> u64 {
        self.0.fetch_max(value, Self::unless(EXCHANGES, order))
    }

    fn replace(&self, current: u64, new: u64, order: Ordering) -> bool {
        let order = Self::unless(EXCHANGES, order);
        self.0
            .compare_exchange(current, new, order, Ordering::Relaxed)
            .is_ok()
    }

    fn fence() {
        if WHAT != FENCES {
            fence(Ordering::SeqCst);
        }
    }
}

/// The only buffer, and the thread that has it.
const BUFFER: u64 = 2;
const TID: u64 = 0;
const OPEN: u64 = 100;

struct Small<W> {
    slot: W,
    epoch: W,
    limit: W,
}

impl<W: Word> Places for Small<W> {
    type Word = W;

    fn slot(&self, tid: u64) -> Option<&W> {
        (tid == TID).then_some(&self.slot)
    }

    fn epoch(&self) -> &W {
        &self.epoch
    }

    unsafe fn limit(&self, _buffer: u64) -> &W {
        &self.limit
    }
}

struct World<const WHAT: u8> {
    slots: Slots<Small<Weak<WHAT>>>,
    flag: Flag<Weak<WHAT>>,
    cursor: Weak<WHAT>,
    events: [UnsafeCell<u64>; 2],
}

impl<const WHAT: u8> World<WHAT> {
    fn new() -> Arc<Self> {
        let word = Weak::new;
        let places = Small {
            slot: word(0),
            epoch: word(0),
            limit: word(0),
        };
        Arc::new(Self {
            slots: Slots::new(places, word(0)),
            flag: Flag::new(word(0)),
            cursor: word(0),
            events: [UnsafeCell::new(0), UnsafeCell::new(0)],
        })
    }

    /// The owner gets its buffer.
    fn begin(&self) {
        let limit = &self.slots.places().limit;
        limit.store(OPEN, Ordering::Relaxed);
        // SAFETY: the buffer's words stay where they are.
        unsafe { self.slots.give(TID, BUFFER) };
    }

    /// The owner writes an event, as a probe does.
    fn write(&self, no: u64) {
        self.events[no as usize].with_mut(|event| {
            // SAFETY: loom says if somebody else has it.
            unsafe { *event = no + 7 }
        });
        publish(&self.cursor, no + 1);
    }

    /// Reads what is there.
    fn read(&self) {
        for no in 0..published(&self.cursor) {
            // SAFETY: loom says if somebody writes it.
            let event = self.events[no as usize].with(|event| unsafe { *event });
            assert_eq!(event, no + 7);
        }
    }
}

/// Runs both at the same time, in all orders, and then `after`.
fn both<const WHAT: u8>(
    before: fn(&World<WHAT>),
    [one, two]: [fn(&World<WHAT>); 2],
    after: fn(&World<WHAT>),
) {
    loom::model(move || {
        let world = World::new();
        before(&world);
        let other = {
            let world = world.clone();
            thread::spawn(move || one(&world))
        };
        two(&world);
        other.join().unwrap();
        after(&world);
    });
}

/// A process dies, or a recording ends, while a thread writes: what is read is whole.
fn events_are_whole<const WHAT: u8>() {
    let write = |world: &World<WHAT>| (0..2).for_each(|no| world.write(no));
    both(|_| {}, [write, World::read], |_| {});
}

/// A thread has written into its buffer before others can find it.
fn a_buffer_is_found_with_what_is_in_it<const WHAT: u8>() {
    let give = |world: &World<WHAT>| {
        world.write(0);
        world.begin();
    };
    let take = |world: &World<WHAT>| {
        if world.slots.take(TID).is_some() {
            world.events[0].with_mut(|event| {
                // SAFETY: loom says if somebody else has it.
                unsafe { *event += 1 }
            });
        }
    };
    both(|_| {}, [give, take], |_| {});
}

/// Two want the buffer, and one gets it.
fn a_buffer_has_one_owner<const WHAT: u8>() {
    let take = |world: &World<WHAT>| {
        if world.slots.take(TID).is_some() {
            world.events[0].with_mut(|event| {
                // SAFETY: loom says if somebody else has it.
                unsafe { *event += 1 }
            });
        }
    };
    both(World::begin, [take, take], |world| {
        // SAFETY: loom says if somebody else has it.
        let times = world.events[0].with(|event| unsafe { *event });
        assert_eq!((times, world.slots.look(TID)), (1, None));
    });
}

/// Who sees the new epoch does not begin an event in its old buffer.
fn an_epoch_closes_the_buffer<const WHAT: u8>() {
    let probe = |world: &World<WHAT>| {
        let places = world.slots.places();
        let epoch = places.epoch.load(Ordering::Acquire);
        let limit = places.limit.load(Ordering::Relaxed);
        assert!(epoch == 0 || limit == 0);
    };
    let agent = |world: &World<WHAT>| world.slots.begin_epoch(1);
    both(World::begin, [probe, agent], |_| {});
}

/// A thread that is given a buffer of before, just when a window begins, does not keep it.
fn a_window_begins_for_all<const WHAT: u8>() {
    let thread = |world: &World<WHAT>| {
        world.begin();
        if world.flag.look() > 0 {
            close(&world.slots.places().limit);
        }
    };
    let agent = |world: &World<WHAT>| {
        world.flag.raise(1);
        world.slots.begin_epoch(1);
    };
    both(
        |_| {},
        [thread, agent],
        |world| assert_eq!(world.slots.places().limit.load(Ordering::Relaxed), 0),
    );
}

/// A thread that is given a buffer just when the recording ends does not keep it.
fn a_recording_ends_for_all<const WHAT: u8>() {
    let thread = |world: &World<WHAT>| {
        world.begin();
        if world.flag.look() > 0 {
            // SAFETY: it is no buffer.
            unsafe { world.slots.give(TID, REFUSED) };
        }
    };
    let agent = |world: &World<WHAT>| {
        world.flag.raise(1);
        world.slots.refuse_all();
    };
    both(
        |_| {},
        [thread, agent],
        |world| assert_eq!(world.slots.look(TID), None),
    );
}

/// The recording ends while a thread exchanges its buffer: it has none afterwards, and both buffers were had by one.
fn an_exchange_at_the_end<const WHAT: u8>() {
    let thread = |world: &World<WHAT>| {
        world.write(0);
        if world.slots.take(TID).is_some() {
            world.read();
        }
    };
    let agent = |world: &World<WHAT>| {
        for _ in world.slots.take_all() {
            world.read();
        }
    };
    both(World::begin, [thread, agent], |world| {
        assert_eq!(world.slots.look(TID), None);
    });
}

#[test]
fn all_orders_are_right() {
    events_are_whole::<NONE>();
    a_buffer_is_found_with_what_is_in_it::<NONE>();
    a_buffer_has_one_owner::<NONE>();
    an_epoch_closes_the_buffer::<NONE>();
    a_window_begins_for_all::<NONE>();
    a_recording_ends_for_all::<NONE>();
    an_exchange_at_the_end::<NONE>();
}

/// Each order that is weakened is one that some run misses.
#[test]
fn weaker_orders_are_found_out() {
    let fails = |name: &str, model: fn()| {
        let outcome = catch_unwind(AssertUnwindSafe(model));
        assert!(outcome.is_err(), "{name}: nothing went wrong");
    };
    fails("a cursor's store", events_are_whole::<STORES>);
    fails("a cursor's load", events_are_whole::<LOADS>);
    fails(
        "a slot's store",
        a_buffer_is_found_with_what_is_in_it::<STORES>,
    );
    fails(
        "a slot's exchange",
        a_buffer_is_found_with_what_is_in_it::<EXCHANGES>,
    );
    fails("an epoch's store", an_epoch_closes_the_buffer::<STORES>);
    fails("an epoch's load", an_epoch_closes_the_buffer::<LOADS>);
    fails("a window's fences", a_window_begins_for_all::<FENCES>);
    fails("an end's fences", a_recording_ends_for_all::<FENCES>);
}
