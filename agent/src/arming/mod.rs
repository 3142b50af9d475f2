//! Recording that begins with a failure (`arm=failure`): until there was one, nothing is recorded, and classes have no probes.
//!
//! A failure is seen where it costs nothing as long as there is none: where a thread ends by an exception, and where an exception that `fail=`
//! names is made; or somebody says so (`jinsi arm`). If recorded classes are on its stack, and the [budget](Budget) allows it, a recording begins: see
//! `armed_recordings`. Here is what is known meanwhile, by all who ask.

mod budget;
mod shapes;

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use jinsi_instrument::selection::Selection;
use jinsi_trace::model::Record;
use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::incoming::Incoming;
use crate::message::Message;
use crate::recorder::{Process, any_matches, selection};
use crate::repeats::Kind;
use crate::throwables;
use budget::Budget;
use shapes::Shapes;

/// Why a recording begins.
#[derive(Clone, Debug)]
pub(crate) enum Cause {
    /// There was a failure of this kind.
    Failure(Kind),
    /// Somebody wants it, for so long.
    Hand(Duration),
}

/// What is wanted of the thread that begins recordings.
#[derive(Debug)]
struct Wishes {
    budget: Budget,
    /// Why a recording is to begin, or has begun.
    cause: Option<Cause>,
    /// When what it waits for was recorded: a failure of that kind, or any that somebody wants.
    recorded: Option<Instant>,
    /// The JVM is about to end.
    ends: bool,
    /// Traces that were kept.
    kept: u32,
    /// Recordings that there were.
    recordings: u32,
}

/// How long a JVM that ends waits for a recording that is just ending.
const PATIENCE: Duration = Duration::from_secs(2);

/// A process that is recorded when there was a failure.
pub(crate) struct Arming {
    process: Process,
    selection: Selection,
    shapes: Shapes,
    /// What each trace begins with.
    preamble: OnceLock<Vec<Record>>,
    wishes: Mutex<Wishes>,
    changed: Condvar,
    /// Is held while a recording begins or ends.
    turning: Mutex<()>,
}

impl Arming {
    pub(crate) fn new(process: Process) -> Self {
        let budget = Budget::new(process.options.arm_at_most);
        Self {
            selection: selection(&process.options),
            process,
            shapes: Shapes::default(),
            preamble: OnceLock::new(),
            wishes: Mutex::new(Wishes {
                budget,
                cause: None,
                recorded: None,
                ends: false,
                kept: 0,
                recordings: 0,
            }),
            changed: Condvar::new(),
            turning: Mutex::default(),
        }
    }

    /// Which classes are observed.
    pub(crate) fn selection(&self) -> &Selection {
        &self.selection
    }

    /// What the process is.
    pub(crate) fn process(&self) -> &Process {
        &self.process
    }

    /// Are exceptions of one of these classes failures when they are made?
    pub(crate) fn fails<'a>(&self, classes: impl IntoIterator<Item = &'a str>) -> bool {
        any_matches(&self.process.options.fail, classes)
    }

    /// Is there any class whose exceptions are?
    pub(crate) fn has_fails(&self) -> bool {
        !self.process.options.fail.is_empty()
    }

    /// Is the class with this binary name one that is recorded when anything is?
    pub(crate) fn observes(&self, binary: &str) -> bool {
        self.shapes.has_name(&binary.replace('.', "/"))
    }

    /// Each trace begins with this.
    pub(crate) fn begins_with(&self, preamble: Vec<Record>) {
        let _ = self.preamble.set(preamble);
    }

    /// What each trace begins with.
    pub(crate) fn preamble(&self) -> &[Record] {
        self.preamble.get().map_or(&[], Vec::as_slice)
    }

    /// Is a class of this internal name to come again when a recording begins?
    pub(crate) fn wants(&self, internal: &str) -> bool {
        self.shapes.wants(internal)
    }

    /// A class is loaded, and is `probed` if there is a recording. What the JVM gets.
    pub(crate) fn load(
        &self,
        class: Incoming<'_>,
        jdk: bool,
        probed: Option<Vec<u8>>,
    ) -> Option<Vec<u8>> {
        if self.selection.observes(class.name, jdk) {
            return self.shapes.load(class, probed, &self.selection);
        }
        if !jdk {
            self.shapes.load_beside(class, &self.selection);
        }
        probed
    }

    /// A class is retransformed, and is `probed` if there is a recording. What the JVM gets.
    pub(crate) fn reload(&self, class: Incoming<'_>, probed: Option<Vec<u8>>) -> Option<Vec<u8>> {
        self.shapes.reload(class, probed, &self.selection)
    }

    /// Was the class given what it needs to be recorded?
    pub(crate) fn is_shaped(&self, class: Incoming<'_>) -> bool {
        self.shapes.has(class)
    }

    /// There is an exception, as the probe describes it, that counts as a failure. If it is the first of its kind, the next one is to be recorded.
    pub(crate) fn failed(&self, text: &str) {
        let Some((throwable, _)) = throwables::parse(0, text) else {
            return;
        };
        let observed = |class: &str| self.selection.observes(&class.replace('.', "/"), false);
        if !throwable.frames.iter().any(|frame| observed(&frame.class)) {
            return;
        }
        let kind = Kind::of(&throwable);
        let mut wishes = self.wishes.lock();
        if wishes.cause.is_none() && !wishes.ends && wishes.budget.grants(&kind, Instant::now()) {
            wishes.cause = Some(Cause::Failure(kind));
            self.changed.notify_all();
        }
    }

    /// Somebody wants a recording, for so long. False if there is one already.
    pub(crate) fn by_hand(&self, lasts: Duration) -> bool {
        let mut wishes = self.wishes.lock();
        let granted = wishes.cause.is_none() && !wishes.ends;
        if granted {
            wishes.cause = Some(Cause::Hand(lasts));
            self.changed.notify_all();
        }
        granted
    }

    /// How long a recording lasts at most for which nothing else is said.
    pub(crate) fn lasts(&self) -> Duration {
        self.process.options.arm_for
    }

    /// A failure of this kind, if that is known, was recorded.
    pub(crate) fn recorded(&self, kind: Option<&Kind>) {
        let mut wishes = self.wishes.lock();
        let awaited = match &wishes.cause {
            Some(Cause::Failure(awaited)) => kind == Some(awaited),
            Some(Cause::Hand(_)) => true,
            None => false,
        };
        if awaited {
            wishes.recorded.get_or_insert_with(Instant::now);
            self.changed.notify_all();
        }
    }

    /// The JVM is about to end. A recording that goes on is the caller's to finish; nobody begins or ends one any more. What is to be said if
    /// there is none.
    pub(crate) fn end(&self) -> String {
        self.wishes.lock().ends = true;
        self.changed.notify_all();
        // A recording that is just ending is finished when it has.
        drop(self.turning.try_lock_for(PATIENCE));
        if self.shapes.are_none() {
            let observe = &self.selection.observe_text();
            return Message::ArmedNoMatch { observe }.to_string();
        }
        let wishes = self.wishes.lock();
        Message::ArmedEnds {
            recordings: wishes.recordings,
            kept: wishes.kept,
        }
        .to_string()
    }

    /// Waits for a reason to record; `None` if the JVM is about to end.
    pub(crate) fn wait(&self) -> Option<Cause> {
        let mut wishes = self.wishes.lock();
        loop {
            if wishes.ends {
                return None;
            }
            if let Some(cause) = &wishes.cause {
                return Some(cause.clone());
            }
            self.changed.wait(&mut wishes);
        }
    }

    /// Waits until the recording is to end: `grace` after what it waits for was recorded, after `lasts`, or if it `has_ended` by itself.
    pub(crate) fn wait_for_end(
        &self,
        lasts: Duration,
        grace: Duration,
        has_ended: &dyn Fn() -> bool,
    ) {
        let until = Instant::now() + lasts;
        let mut wishes = self.wishes.lock();
        loop {
            let until = wishes.recorded.map_or(until, |at| until.min(at + grace));
            if wishes.ends || has_ended() || Instant::now() >= until {
                return;
            }
            // A recording that ends by itself, because its trace is full, says so to nobody here.
            let look = Instant::now() + grace;
            self.changed.wait_until(&mut wishes, until.min(look));
        }
    }

    /// A recording is about to begin or to end; the JVM's end waits a while until it has. `None` if that end has come.
    pub(crate) fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        let turning = self.turning.lock();
        (!self.wishes.lock().ends).then_some(turning)
    }

    /// A recording has begun.
    pub(crate) fn has_begun(&self) {
        self.wishes.lock().recordings += 1;
    }

    /// It has ended, and its trace was `kept`; or it could not begin. The next failure may begin another one.
    pub(crate) fn has_ended(&self, kept: bool) {
        let mut wishes = self.wishes.lock();
        wishes.kept += u32::from(kept);
        (wishes.cause, wishes.recorded) = (None, None);
    }
}

#[cfg(test)]
mod tests {
    use crate::options::Options;

    use super::*;

    fn arming(options: &str) -> Arming {
        let options = Options::parse(&format!("observe=a.*,arm=failure,{options}")).unwrap();
        let jvm = [String::new(), String::new()];
        Arming::new(Process::new(options, String::new(), jvm).unwrap())
    }

    /// A throwable of this class as the probe describes it, made in this one.
    fn made(class: &str, by: &str, line: i32) -> String {
        format!("{class}\u{0}0\u{0}\u{0}\u{0}{by}\u{0}run\u{0}\u{0}{line}")
    }

    fn kind(arming: &Arming) -> Option<Kind> {
        match &arming.wishes.lock().cause {
            Some(Cause::Failure(kind)) => Some(kind.clone()),
            Some(Cause::Hand(_)) | None => None,
        }
    }

    #[test]
    fn a_failure_out_of_observed_code_is_waited_for() {
        let arming = arming("arm-at-most=2");
        arming.failed("no description");
        arming.failed(&made("x.E", "b.B", 7));
        assert_eq!(kind(&arming), None, "nothing observed takes part");
        arming.failed(&made("x.E", "a.A", 7));
        let first = kind(&arming).unwrap();
        assert_eq!((&*first.class, &*first.place), ("x.E", "a.A.run:7"));
        arming.failed(&made("x.E", "a.A", 8));
        assert_eq!(kind(&arming), Some(first.clone()), "one after the other");
        assert!(!arming.by_hand(Duration::from_secs(1)));

        let recorded = |kind| {
            arming.recorded(kind);
            arming.wishes.lock().recorded.is_some()
        };
        let other = Kind {
            place: "a.A.run:8".into(),
            ..first.clone()
        };
        assert!(!recorded(None) && !recorded(Some(&other)));
        assert!(recorded(Some(&first)));
        arming.wait_for_end(Duration::from_secs(600), Duration::ZERO, &|| false);
        arming.has_ended(true);
        assert!(arming.by_hand(Duration::from_secs(1)));
        assert!(recorded(None), "whatever fails is wanted");
        arming.has_ended(true);

        arming.failed(&made("x.E", "a.A", 7));
        assert_eq!(kind(&arming), None, "it was recorded just now");
        arming.failed(&made("x.E", "a.A", 8));
        assert_eq!(kind(&arming), Some(other));
        arming.has_ended(false);
        arming.failed(&made("x.E", "a.A", 9));
        assert_eq!(kind(&arming), None, "two recordings are all there may be");
        assert_eq!(arming.wishes.lock().kept, 2);
    }

    #[test]
    fn when_the_jvm_ends_nothing_begins() {
        let arming = arming("");
        assert!(arming.turn().is_some());
        assert!(arming.end().contains("no class matched"));
        arming.failed(&made("x.E", "a.A", 7));
        assert!(arming.wait().is_none() && arming.turn().is_none());
    }
}
