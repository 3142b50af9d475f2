//! The recording of one JVM: tables, thread buffers, and the thread that encodes them.
//!
//! Application threads only ever store into a buffer and, when it is full, exchange it for an empty one; everything that takes time
//! happens on the encoder thread, as long as that keeps up. A write error stops the recording for good and leaves the program alone.

mod threads;

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use hashbrown::DefaultHashBuilder;
use jinsi_trace::model::{
    ClassDef, ClassNo, ClassOrigin, End, Failure, FailureKind, LossKind, MarkDef, MarkNo, Meta,
    Note, ObjectId, Record, Site, SiteNo, Skipped,
};
use jinsi_trace::writer::{AtMax, TraceWriter, WriteError, WriterOptions};
use parking_lot::Mutex;

use crate::bound::{Bound, CutShort};
use crate::buffers::Table;
use crate::carriers::Carriers;
use crate::class_def::with_skeleton;
use crate::contained;
use crate::encoder::Encoder;
use crate::inherit::Inheritance;
use crate::known::{self, Known};
use crate::options::{KeepOn, Options, RedactAs};
use crate::repeats::{FULL, Repeats};
use crate::report::{self, Summary};
use crate::rewritten::Rewritten;
use crate::stop::Stop;
use crate::throwables;
use crate::trace_file::{create, make_directory};
use crate::windows::Windows;
use jinsi_instrument::selection::Selection;
use jinsi_natural::pattern::Pattern;
use threads::Threads;

/// Longest chain of superclasses followed: same-named classes of several loaders may seem to form a circle.
const MAX_DEPTH: usize = 256;

/// Bytes of text beyond which throwables are described without their frames, and those that recorded code knew before not at all,
/// unless they are failures.
const THROWABLE_BYTES: u64 = 4 << 20;

/// Frames kept of a failure that is only counted: where it was thrown, and how that was reached.
const REPEATED_FRAMES: usize = 8;

/// State of a recording; shared by all threads of the JVM.
pub struct Recorder {
    /// Which classes are observed.
    pub selection: Selection,
    /// What stands in the place of texts that are kept out.
    pub redact_as: RedactAs,
    /// The classes that have probes.
    pub past: Rewritten,
    /// What observed classes inherit from.
    pub inheritance: Inheritance,
    /// Classes that are not observed and carry identities nevertheless.
    pub(crate) carriers: Carriers,
    fail: Vec<Pattern>,
    keep: KeepOn,
    /// Traces that are kept of the same failure, if not all are.
    keep_same: Option<u64>,
    bound: Option<Bound>,
    path: PathBuf,
    writer: Arc<TraceWriter>,
    table: Arc<Table>,
    encoder: Encoder,
    /// If what is old is dropped.
    windows: Option<Arc<Windows>>,
    classes: Mutex<HashMap<String, ClassNo>>,
    /// Superclasses of classes that are not observed, the JDK's left out.
    parents: Mutex<HashMap<String, String>>,
    /// Internal names of the classes that have probes, and what tells their original bytes from others.
    with_probes: Mutex<HashMap<String, u64>>,
    hasher: DefaultHashBuilder,
    threads: Mutex<Threads>,
    sites: AtomicU32,
    next_mark: AtomicU32,
    rewritten: AtomicU32,
    skipped: AtomicU32,
    failures: AtomicU32,
    /// Those of them that came after the recording had ended.
    late_failures: AtomicU32,
    marked: AtomicBool,
    repeats: Repeats,
    contents_dropped: AtomicU64,
    throwable_bytes: AtomicU64,
    stop: Arc<Stop>,
    started: Instant,
}

/// Milliseconds since the epoch.
pub fn now_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
}

impl Recorder {
    /// Creates the trace file and starts the encoder thread. `restore` takes the probes out of the program's classes; it is called when the recording
    /// ends before the program does.
    ///
    /// # Errors
    /// The file cannot be created, or memory for the thread table cannot be reserved.
    pub fn start(
        options: &Options,
        text: &str,
        java_version: String,
        java_vm: String,
        restore: fn(),
    ) -> Result<Self, WriteError> {
        let (pid, started_ms) = (std::process::id(), now_ms());
        let path = std::path::absolute(options.out_path(pid, started_ms))
            .unwrap_or_else(|_| options.out_path(pid, started_ms));
        make_directory(&path)?;
        let bound = options.max_size.bound(&path);
        let sizes = WriterOptions {
            max_bytes: bound.map(|bound| bound.bytes),
            at_max: options.at_max,
            ..WriterOptions::default()
        };
        let wanted = path;
        let (path, writer) = create(&wanted, &sizes)?;
        if path != wanted && !options.out.contains("%p") {
            let (wanted, path) = (wanted.display(), path.display());
            report::line(&format!("{wanted} exists; recording to {path}"));
        }
        let writer = Arc::new(writer);
        let table = Arc::new(Table::reserve().map_err(|e| WriteError::io(&path, e))?);
        writer.record(&Record::Meta(Meta {
            jinsi: env!("CARGO_PKG_VERSION").into(),
            pid,
            started_ms,
            options: text.into(),
            observe: options.observe.iter().map(|p| p.as_str().into()).collect(),
            exclude: options.exclude.iter().map(|p| p.as_str().into()).collect(),
            detail: options.detail,
            expanded: false,
            java_version,
            java_vm,
        }))?;
        let stop = Arc::new(Stop::new(table.clone()));
        let windows = (options.at_max == AtMax::Window)
            .then(|| Arc::new(Windows::new(writer.clone(), table.clone(), stop.clone())));
        let encoder = Encoder::start(writer.clone(), stop.clone(), windows.clone(), restore)
            .map_err(|e| WriteError::io(&path, e))?;
        Ok(Self {
            selection: Selection::new(options.observe.clone(), options.exclude.clone())
                .in_detail(options.detail)
                .in_epochs(windows.is_some())
                .redacting(options.redact.clone()),
            redact_as: options.redact_as,
            past: Rewritten::default(),
            inheritance: Inheritance::default(),
            carriers: Carriers::default(),
            fail: options.fail.clone(),
            keep: options.on,
            keep_same: options.keep_same.filter(|_| options.on == KeepOn::Failure),
            bound,
            path,
            writer,
            table,
            encoder,
            windows,
            classes: Mutex::default(),
            parents: Mutex::default(),
            with_probes: Mutex::default(),
            hasher: DefaultHashBuilder::default(),
            threads: Mutex::default(),
            sites: AtomicU32::new(0),
            next_mark: AtomicU32::new(0),
            rewritten: AtomicU32::new(0),
            skipped: AtomicU32::new(0),
            failures: AtomicU32::new(0),
            late_failures: AtomicU32::new(0),
            marked: AtomicBool::new(false),
            repeats: Repeats::default(),
            contents_dropped: AtomicU64::new(0),
            throwable_bytes: AtomicU64::new(0),
            stop,
            started: Instant::now(),
        })
    }

    /// The trace file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The `observe=` patterns as given.
    pub fn observed_patterns(&self) -> String {
        self.selection.observe_text()
    }

    /// Address and number of entries of the table that maps thread ids to buffers.
    pub fn thread_table(&self) -> (u64, u64) {
        (self.table.address(), self.table.entries())
    }

    /// Appends a table record. A write error stops the recording.
    pub fn record(&self, record: &Record) {
        if !self.stop.is_set()
            && let Err(e) = self.writer.record(record)
        {
            self.stop.failed(&e);
        }
    }

    /// Number of the class with this internal name; the second value is true if it is new, and then a `Record::Class` must follow.
    pub fn class_no(&self, internal: &str) -> (ClassNo, bool) {
        let mut classes = self.classes.lock();
        if let Some(&no) = classes.get(internal) {
            return (no, false);
        }
        let no = ClassNo::checked(classes.len() as u64).unwrap_or(ClassNo::MAX);
        classes.insert(internal.into(), no);
        (no, true)
    }

    /// A run-time class that was not seen by the class hook, and what is recorded of it; do its objects have identity hash codes?
    pub fn runtime_class(
        &self,
        internal: &str,
        identity_hashed: bool,
        def: impl FnOnce(ClassNo) -> ClassDef,
    ) -> ClassNo {
        let (no, new) = self.class_no(internal);
        if new {
            self.record(&Record::Class(def(no)));
            if identity_hashed {
                self.record(&Record::IdentityHashed(no));
            }
        }
        no
    }

    /// A class of a library that is not observed: its skeleton is made on the encoder thread.
    pub fn skeleton(&self, internal: &str, bytes: &[u8]) {
        let (no, new) = self.class_no(internal);
        if new {
            self.skeleton_of(no, internal, bytes);
        }
    }

    /// [`Self::skeleton`] of a class that has just got its number.
    pub fn skeleton_of(&self, no: ClassNo, internal: &str, bytes: &[u8]) {
        self.encoder.skeleton(whole(no, internal, bytes));
    }

    /// Puts the skeleton of class `no` into the table now, because its sites follow.
    pub fn environment(&self, no: ClassNo, internal: &str, bytes: &[u8]) {
        self.record(&Record::Class(with_skeleton(whole(no, internal, bytes))));
    }

    /// The class `internal`, which is not observed, has this superclass.
    pub fn inherits(&self, internal: &str, super_name: Option<&str>) {
        if let Some(parent) = super_name.filter(|p| !p.starts_with("java/")) {
            self.parents.lock().insert(internal.into(), parent.into());
        }
    }

    /// Number of classes whose superclass is kept for [`Self::reaches_observed`].
    pub fn known_parents(&self) -> usize {
        self.parents.lock().len()
    }

    /// Is the class `internal` observed, or has it an observed superclass as far as classes have been seen?
    pub fn reaches_observed(&self, internal: &str) -> bool {
        if self.selection.observes(internal, false) {
            return true;
        }
        let parents = self.parents.lock();
        let chain = std::iter::successors(parents.get(internal), |name| parents.get(*name));
        chain
            .take(MAX_DEPTH)
            .any(|name| self.selection.observes(name, false))
    }

    /// A number that no other site has.
    pub fn reserve_site(&self) -> SiteNo {
        let before = self.sites.fetch_add(1, Ordering::Relaxed);
        SiteNo::FIRST.behind(before as usize)
    }

    /// An observed class was rewritten: its bytes and sites go into the tables before the JVM sees it.
    pub fn rewritten(&self, class: ClassDef, sites: Vec<Site>) {
        self.rewritten.fetch_add(1, Ordering::Relaxed);
        self.record(&Record::Class(class));
        self.record(&Record::Sites(sites));
    }

    /// The class with this internal name is getting probes. Said before, because another loader may be about to define it too.
    pub fn will_rewrite(&self, internal: &str, bytes: &[u8]) {
        let mark = self.hasher.hash_one(bytes);
        self.with_probes.lock().insert(internal.into(), mark);
    }

    /// Has the class with this internal name probes, and were these its bytes before?
    pub fn has_bytes(&self, internal: &str, bytes: &[u8]) -> bool {
        let mark = self.hasher.hash_one(bytes);
        self.with_probes.lock().get(internal) == Some(&mark)
    }

    /// An observed class stays as it is.
    pub fn left_alone(&self, class: ClassDef, reason: String) {
        self.skipped.fetch_add(1, Ordering::Relaxed);
        let name = class.name.clone();
        self.with_probes.lock().remove(&name);
        self.record(&Record::Class(class));
        self.note(LossKind::Class, &name, reason);
    }

    /// Something of an observed class is not recorded although the class is.
    pub fn note_loss(&self, class: &str, reason: String) {
        self.note(LossKind::Part, class, reason);
    }

    /// Something is not recorded.
    pub fn note(&self, kind: LossKind, class: &str, reason: String) {
        self.record(&Record::Skipped(Skipped {
            class: class.into(),
            reason,
            kind,
        }));
    }

    /// A throwable seen for the first time, as the probe describes it, or (`text` absent) one known that now ends its thread.
    pub fn throwable(&self, tid: i64, id: ObjectId, text: Option<&str>, uncaught: bool) {
        let (mut listed, mut early) = (false, true);
        if let Some(text) = text
            && let Some((mut def, classes)) = throwables::parse(id, text)
        {
            listed = self.fails(classes);
            self.repeats.seen(&def);
            if listed && !uncaught {
                early = self.repeats.is_early(&def);
            }
            if !early {
                def.frames.truncate(REPEATED_FRAMES);
            }
            self.throwable_bytes
                .fetch_add(text.len() as u64, Ordering::Relaxed);
            self.record(&Record::Throwable(def));
        }
        let kind = if uncaught {
            FailureKind::Uncaught
        } else {
            FailureKind::Listed
        };
        if uncaught {
            self.repeats.uncaught(id);
        }
        if uncaught || listed && early {
            self.failure(kind, tid, id, None);
        }
    }

    fn failure(&self, kind: FailureKind, tid: i64, throwable: ObjectId, test: Option<MarkNo>) {
        self.failures.fetch_add(1, Ordering::Relaxed);
        if self.has_ended() {
            self.late_failures.fetch_add(1, Ordering::Relaxed);
        }
        self.keep_windows();
        let thread = self.thread_no(tid, "");
        self.record(&Record::Failure(Failure {
            kind,
            throwable,
            thread,
            test,
        }));
    }

    /// A test begins; its number, `None` if the recording has ended.
    pub fn test(&self, class: &str, name: &str) -> Option<MarkNo> {
        if self.stop.is_set() {
            return None;
        }
        let no = self.next_mark.fetch_add(1, Ordering::Relaxed);
        self.record(&Record::Mark(MarkDef {
            no,
            class: class.into(),
            name: name.into(),
        }));
        Some(no)
    }

    /// The throwable `id`, which is in the table, ended test `test`.
    pub fn test_failed(&self, tid: i64, id: ObjectId, test: MarkNo) {
        self.failure(FailureKind::Test, tid, id, Some(test));
    }

    /// A test failed that began after the recording had ended.
    pub fn test_failed_late(&self) {
        if self.has_ended() {
            self.failures.fetch_add(1, Ordering::Relaxed);
            self.late_failures.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Has the recording ended although the program goes on?
    pub fn has_ended(&self) -> bool {
        self.stop.ended().is_some()
    }

    /// Number of the class with this internal name, if it has one.
    pub fn known_class(&self, internal: &str) -> Option<ClassNo> {
        self.classes.lock().get(internal).copied()
    }

    /// Somebody says that something is wrong with the program: the trace is kept.
    pub fn marked(&self, text: &str) {
        self.marked.store(true, Ordering::Relaxed);
        self.keep_windows();
        self.record(&Record::Note(Note {
            text: text.into(),
            seconds: self.started.elapsed().as_secs_f64(),
        }));
    }

    /// The windows, if what is old is dropped.
    pub(crate) fn windows(&self) -> Option<&Windows> {
        self.windows.as_deref()
    }

    /// What is recorded now has to stay.
    fn keep_windows(&self) {
        if let Some(windows) = &self.windows {
            windows.keep();
        }
    }

    /// Does a throwable of these classes (its own and its superclasses) count as a failure when thrown?
    pub fn fails<'a>(&self, classes: impl IntoIterator<Item = &'a str>) -> bool {
        let mut classes = classes.into_iter();
        classes.any(|c| self.fail.iter().any(|p| p.matches(c)))
    }

    /// Have throwables taken so much of the trace that further ones are recorded without their frames, unless they are failures?
    pub fn brief(&self) -> bool {
        self.throwable_bytes.load(Ordering::Relaxed) > THROWABLE_BYTES
    }

    /// Content beyond the bound was not recorded.
    pub fn content_dropped(&self) {
        self.contents_dropped.fetch_add(1, Ordering::Relaxed);
    }

    /// Ends the recording: every buffer is encoded, the file closed or, if it is not to be kept, removed.
    pub fn finish(&self) -> Summary {
        self.stop.set();
        for buffer in self.table.take_all() {
            self.encoder.take(buffer);
        }
        self.encoder.finish();
        self.note_refused();
        self.note_repeats();
        self.note_full();
        self.note_faults();
        let failures = self.failures.load(Ordering::Relaxed);
        let wanted = failures > 0 || self.marked.load(Ordering::Relaxed);
        let known = self.known(failures);
        let keep = self.keep == KeepOn::Exit || wanted && known.is_none();
        let end = End {
            ended_ms: now_ms(),
            classes_rewritten: self.rewritten.load(Ordering::Relaxed),
            contents_dropped: self.contents_dropped.load(Ordering::Relaxed),
            events_dropped: 0,
            seconds: self.started.elapsed().as_secs_f64(),
        };
        let closed = if keep {
            self.writer.finish(end)
        } else {
            self.writer.discard()
        };
        if let Err(e) = closed {
            self.stop.failed(&e);
        }
        Summary {
            bytes: std::fs::metadata(&self.path).map_or(0, |m| m.len()),
            path: keep.then(|| self.path.clone()),
            known,
            events: self.writer.events(),
            classes: self.rewritten.load(Ordering::Relaxed),
            skipped: self.skipped.load(Ordering::Relaxed),
            failures,
            cut_short: self.cut_short(),
            error: self.stop.error(),
        }
    }
}

impl Recorder {
    /// The failure that makes this trace one of many. What somebody marked is kept, and so is a suite, whose tests are each looked at.
    fn known(&self, failures: u32) -> Option<Known> {
        let keep = self.keep_same.filter(|_| failures > 0)?;
        if self.marked.load(Ordering::Relaxed) || self.next_mark.load(Ordering::Relaxed) > 0 {
            return None;
        }
        // A list that cannot be written costs a trace too many, not one too few.
        known::enter(&self.path, &self.repeats.all()?, keep).ok()?
    }

    /// Says when the recording ended, if that was because the trace has the size that it may have.
    fn cut_short(&self) -> Option<CutShort> {
        let windows = self.windows.as_ref();
        let full = self.writer.is_full() || windows.is_some_and(|w| w.have_ended());
        Some(CutShort {
            bound: self.bound.filter(|_| full)?,
            after: self.stop.ended()?.as_secs_f64(),
            of: self.started.elapsed().as_secs_f64(),
            late: self.late_failures.load(Ordering::Relaxed),
        })
    }

    /// Says in the trace that recording ended before the program did.
    fn note_full(&self) {
        if let Some(cut) = self.cut_short() {
            self.append(&Record::Skipped(Skipped {
                class: "(events)".into(),
                reason: cut.loss(),
                kind: LossKind::Events,
            }));
        }
    }

    /// Says in the trace that jinsi itself failed, and how often: whatever it was to record then is missing.
    fn note_faults(&self) {
        let faults = contained::faults();
        if faults > 0 {
            self.append(&Record::Skipped(Skipped {
                class: "(jinsi)".into(),
                reason: format!("{faults} probes failed by a fault of jinsi's own"),
                kind: LossKind::Part,
            }));
        }
    }

    fn note_repeats(&self) {
        for repeated in self.repeats.left_out() {
            let (count, place) = (repeated.left_out, &repeated.kind.place);
            self.append(&Record::Skipped(Skipped {
                class: repeated.kind.class.replace('.', "/"),
                reason: format!("{count} more failures like the first {FULL} at {place}"),
                kind: LossKind::Failures,
            }));
        }
    }

    /// Appends a record after the threads have been stopped.
    fn append(&self, record: &Record) {
        if let Err(e) = self.writer.record(record) {
            self.stop.failed(&e);
        }
    }
}

/// A class of the environment with its whole class file.
fn whole(no: ClassNo, internal: &str, bytes: &[u8]) -> ClassDef {
    ClassDef {
        no,
        name: internal.into(),
        super_name: None,
        interfaces: vec![],
        access: 0,
        origin: ClassOrigin::Skeleton,
        source_file: None,
        bytes: bytes.into(),
    }
}
