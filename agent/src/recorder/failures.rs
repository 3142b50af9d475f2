//! The failures of a recording, the tests that were reported in it, and what somebody said of it.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use jinsi_natural::pattern::Pattern;
use jinsi_trace::model::{
    Failure, FailureKind, LossKind, MarkDef, MarkNo, Note, ObjectId, Record, Skipped,
};

use super::tables::Tables;
use super::threads::Threads;
use crate::known::{self, KnownFailure};
use crate::message::Missing;
use crate::options::{KeepOn, Options};
use crate::repeats::{FULL, Kind, Repeats};
use crate::stop::Stop;
use crate::throwables;
use crate::windows::Windows;

/// Bytes of text beyond which throwables are described without their frames, and those that recorded code knew before not at all,
/// unless they are failures.
const THROWABLE_BYTES: u64 = 4 << 20;

/// Frames kept of a failure that is only counted: where it was thrown, and how that was reached.
const REPEATED_FRAMES: usize = 8;

/// The failures; shared by all threads of the JVM.
pub struct Failures {
    tables: Arc<Tables>,
    threads: Arc<Threads>,
    stop: Arc<Stop>,
    /// If what is old is dropped.
    windows: Option<Arc<Windows>>,
    /// Is informed of each that is recorded.
    listener: fn(Option<&Kind>),
    fail: Vec<Pattern>,
    /// Traces that are kept of the same failure, if not all are.
    keep_same: Option<u64>,
    next_mark: AtomicU32,
    /// Tests that have begun and not ended.
    running: AtomicU32,
    failures: AtomicU32,
    /// Those of them that came after the recording had ended.
    late: AtomicU32,
    marked: AtomicBool,
    repeats: Repeats,
    throwable_bytes: AtomicU64,
    started: Instant,
}

impl Failures {
    pub(super) fn new(
        options: &Options,
        listener: fn(Option<&Kind>),
        tables: Arc<Tables>,
        threads: Arc<Threads>,
        stop: Arc<Stop>,
        windows: Option<Arc<Windows>>,
    ) -> Self {
        Self {
            tables,
            threads,
            stop,
            windows,
            listener,
            fail: options.fail.clone(),
            keep_same: options.keep_same.filter(|_| options.on == KeepOn::Failure),
            next_mark: AtomicU32::new(0),
            running: AtomicU32::new(0),
            failures: AtomicU32::new(0),
            late: AtomicU32::new(0),
            marked: AtomicBool::new(false),
            repeats: Repeats::default(),
            throwable_bytes: AtomicU64::new(0),
            started: Instant::now(),
        }
    }

    /// A throwable seen for the first time, as the probe describes it, or (`text` absent) one known that now ends its thread.
    pub fn throwable(&self, tid: i64, id: ObjectId, text: Option<&str>, uncaught: bool) {
        let (mut listed, mut early) = (false, true);
        let mut of = None;
        if let Some(text) = text
            && let Some((mut def, classes)) = throwables::parse(id, text)
        {
            listed = self.fails(classes);
            self.repeats.seen(&def);
            of = Some(Kind::of(&def));
            if listed && !uncaught {
                early = self.repeats.is_early(&def);
            }
            if !early {
                def.frames.truncate(REPEATED_FRAMES);
            }
            self.throwable_bytes
                .fetch_add(text.len() as u64, Ordering::Relaxed);
            self.tables.record(&Record::Throwable(def));
        }
        let kind = if uncaught {
            FailureKind::Uncaught
        } else {
            FailureKind::Listed
        };
        if uncaught {
            self.repeats.uncaught(id);
            of = of.or_else(|| self.repeats.kind(id));
        }
        if (uncaught || listed && early) && self.failure(kind, tid, id, None) {
            (self.listener)(of.as_ref());
        }
    }

    /// Records a failure, unless the recording is still to begin.
    fn failure(
        &self,
        kind: FailureKind,
        tid: i64,
        throwable: ObjectId,
        test: Option<MarkNo>,
    ) -> bool {
        if self.windows.as_ref().is_some_and(|w| !w.have_begun()) {
            return false;
        }
        self.failures.fetch_add(1, Ordering::Relaxed);
        if self.stop.ended().is_some() {
            self.late.fetch_add(1, Ordering::Relaxed);
        }
        self.keep_windows();
        let thread = self.threads.thread_no(tid, "");
        self.tables.record(&Record::Failure(Failure {
            kind,
            throwable,
            thread,
            test,
        }));
        true
    }

    /// A test begins; its number, `None` if the recording has ended.
    pub fn test(&self, class: &str, name: &str) -> Option<MarkNo> {
        if self.stop.is_set() {
            return None;
        }
        let no = self.next_mark.fetch_add(1, Ordering::Relaxed);
        self.running.fetch_add(1, Ordering::Relaxed);
        self.tables.record(&Record::Mark(MarkDef {
            no,
            class: class.into(),
            name: name.into(),
        }));
        Some(no)
    }

    /// A test ended that did not fail.
    pub fn test_ended(&self) {
        self.running.fetch_sub(1, Ordering::Relaxed);
    }

    /// The throwable `id`, which is in the table, ended test `test`.
    pub fn test_failed(&self, tid: i64, id: ObjectId, test: MarkNo) {
        self.running.fetch_sub(1, Ordering::Relaxed);
        self.failure(FailureKind::Test, tid, id, Some(test));
    }

    /// A test failed that began after the recording had ended.
    pub fn test_failed_late(&self) {
        if self.stop.ended().is_some() {
            self.failures.fetch_add(1, Ordering::Relaxed);
            self.late.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Somebody says that something is wrong with the program: the trace is kept.
    pub fn marked(&self, text: &str) {
        self.marked.store(true, Ordering::Relaxed);
        self.keep_windows();
        self.tables.record(&Record::Note(Note {
            text: text.into(),
            seconds: self.started.elapsed().as_secs_f64(),
        }));
    }

    /// What is recorded now has to stay.
    fn keep_windows(&self) {
        if let Some(windows) = &self.windows {
            windows.keep();
        }
    }

    /// Does a throwable of these classes (its own and its superclasses) count as a failure when thrown?
    pub fn fails<'a>(&self, classes: impl IntoIterator<Item = &'a str>) -> bool {
        any_matches(&self.fail, classes)
    }

    /// Have throwables taken so much of the trace that further ones are recorded without their frames, unless they are failures?
    pub fn brief(&self) -> bool {
        self.throwable_bytes.load(Ordering::Relaxed) > THROWABLE_BYTES
    }

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.failures.load(Ordering::Relaxed)
    }

    /// How many came after the recording had ended.
    pub(super) fn late(&self) -> u32 {
        self.late.load(Ordering::Relaxed)
    }

    /// Is there something in the trace for which it is wanted? A test that runs when the JVM ends was ended by it: by a build that has waited
    /// long enough, or because the test ends the JVM.
    pub(super) fn are_wanted(&self) -> bool {
        let was_ended = self.running.load(Ordering::Relaxed) > 0;
        self.count() > 0 || was_ended || self.marked.load(Ordering::Relaxed)
    }

    /// The failure that makes this trace one of many. What somebody marked is kept, and so is a suite, whose tests are each looked at.
    pub(super) fn known(&self, path: &Path) -> Option<KnownFailure> {
        let keep = self.keep_same.filter(|_| self.count() > 0)?;
        if self.marked.load(Ordering::Relaxed) || self.next_mark.load(Ordering::Relaxed) > 0 {
            return None;
        }
        // A list that cannot be written costs a trace too many, not one too few.
        known::enter(path, &self.repeats.all()?, keep).ok()?
    }

    /// Says in the trace how many failures were only counted.
    pub(super) fn note_repeats(&self) {
        for repeated in self.repeats.left_out() {
            let reason = Missing::Repeated {
                count: repeated.left_out,
                full: FULL,
                place: &repeated.kind.place,
            };
            self.tables.append(&Record::Skipped(Skipped {
                class: repeated.kind.class.replace('.', "/"),
                reason: reason.to_string(),
                kind: LossKind::Failures,
            }));
        }
    }
}

/// Is one of these classes one that `fail=` names?
pub(crate) fn any_matches<'a>(
    fail: &[Pattern],
    classes: impl IntoIterator<Item = &'a str>,
) -> bool {
    let mut classes = classes.into_iter();
    classes.any(|class| fail.iter().any(|pattern| pattern.matches(class)))
}
