//! A recording from its beginning to its end.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use jinsi_instrument::selection::Selection;
use jinsi_natural::pattern::Pattern;
use jinsi_trace::model::{End, LossKind, Meta, Record, Skipped};
use jinsi_trace::writer::{AtMax, TraceWriter, WriteError, WriterOptions};

use super::failures::Failures;
use super::numbers::Numbers;
use super::process::{Listeners, Process};
use super::tables::Tables;
use super::threads::Threads;
use crate::bound::{Bound, CutShort};
use crate::buffers::Table;
use crate::carriers::Carriers;
use crate::class_files::Gathered;
use crate::contained;
use crate::encoder::Encoder;
use crate::inherit::Inheritance;
use crate::message::{Message, Missing};
use crate::options::{Arm, KeepOn, Options, RedactAs};
use crate::report::{self, Summary};
use crate::stop::Stop;
use crate::trace_file::{create, make_directory};
use crate::unmatched::Unmatched;
use crate::windows::Windows;

/// State of a recording; shared by all threads of the JVM.
pub struct Recorder {
    /// Which classes are observed.
    pub selection: Selection,
    /// What stands in the place of texts that are kept out.
    pub redact_as: RedactAs,
    /// Numbers of classes and sites, and which classes have probes.
    pub numbers: Arc<Numbers>,
    /// What observed classes inherit from.
    pub inheritance: Inheritance,
    /// Classes that are not observed and carry identities nevertheless.
    pub(crate) carriers: Carriers,
    /// What was loaded while nothing was observed.
    pub(crate) unmatched: Unmatched,
    /// The tables.
    pub tables: Arc<Tables>,
    /// The threads, and their buffers.
    pub threads: Arc<Threads>,
    /// The failures and tests.
    pub failures: Failures,
    keep: KeepOn,
    bound: Option<Bound>,
    path: PathBuf,
    writer: Arc<TraceWriter>,
    table: Arc<Table>,
    encoder: Arc<Encoder>,
    /// If what is old is dropped.
    windows: Option<Arc<Windows>>,
    contents_dropped: AtomicU64,
    stop: Arc<Stop>,
    started: Instant,
}

/// Milliseconds since the epoch.
fn now_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
}

impl Recorder {
    /// Creates the trace file and starts the encoder thread.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn start(process: &Process, listeners: &Listeners) -> Result<Self, WriteError> {
        let (pid, started_ms) = (std::process::id(), now_ms());
        let options = &process.options;
        let (path, bound, writer) = trace_file(options, pid, started_ms)?;
        let writer = Arc::new(writer);
        let table = process.table.clone();
        let meta = Meta {
            pid,
            started_ms,
            ..meta(process)
        };
        writer.record(&Record::Meta(meta))?;
        let stop = Arc::new(Stop::new(table.clone()));
        let windows = windows_of(options, &writer, &table, &stop);
        let kept = Gathered::new(kept_bytes(options, bound));
        let encoder = Encoder::start(
            writer.clone(),
            stop.clone(),
            windows.clone(),
            kept,
            listeners.ended,
        );
        let encoder = Arc::new(encoder.map_err(|e| WriteError::io(&path, e))?);
        let tables = Arc::new(Tables::new(
            writer.clone(),
            encoder.clone(),
            stop.clone(),
            &options.versions,
            process.numbers.clone(),
        ));
        let threads = Arc::new(Threads::new(
            tables.clone(),
            writer.clone(),
            encoder.clone(),
            table.clone(),
            stop.clone(),
            windows.clone(),
        ));
        let failures = Failures::new(
            options,
            listeners.failed,
            tables.clone(),
            threads.clone(),
            stop.clone(),
            windows.clone(),
        );
        Ok(Self {
            selection: selection(options),
            redact_as: options.redact_as,
            numbers: process.numbers.clone(),
            inheritance: Inheritance::default(),
            carriers: Carriers::new(options.arm),
            unmatched: Unmatched::default(),
            tables,
            threads,
            failures,
            keep: options.on,
            bound,
            path,
            writer,
            table,
            encoder,
            windows,
            contents_dropped: AtomicU64::new(0),
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

    /// Is the class `internal` observed, or has it an observed superclass as far as classes have been seen?
    pub fn reaches_observed(&self, internal: &str) -> bool {
        let is_observed = |name: &str| self.selection.observes(name, false);
        self.tables.any_above(internal, is_observed)
    }

    /// Has the recording ended although the program goes on?
    pub fn has_ended(&self) -> bool {
        self.stop.ended().is_some()
    }

    /// The windows, if what is old is dropped.
    pub(crate) fn windows(&self) -> Option<&Windows> {
        self.windows.as_deref()
    }

    /// Content beyond the bound was not recorded.
    pub fn content_dropped(&self) {
        self.contents_dropped.fetch_add(1, Ordering::Relaxed);
    }

    /// Nothing is recorded from now on, though the program goes on.
    pub(crate) fn stop(&self) {
        self.stop.now();
    }

    /// Ends the recording: every buffer is encoded, the file closed or, if it is not to be kept, removed.
    pub fn finish(&self) -> Summary {
        self.stop.set();
        self.threads.close_all();
        self.encoder.finish();
        self.threads.note_refused();
        self.failures.note_repeats();
        self.note_full();
        self.note_faults();
        let known = self.failures.known(&self.path);
        let keep = self.keep == KeepOn::Exit || self.failures.are_wanted() && known.is_none();
        let (classes, skipped) = self.tables.counts();
        let end = End {
            ended_ms: now_ms(),
            classes_rewritten: classes,
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
            classes,
            skipped,
            unmatched: self.unmatched.text(&self.observed_patterns()),
            failures: self.failures.count(),
            cut_short: self.cut_short(),
            error: self.stop.error(),
        }
    }

    /// Says when the recording ended, if that was because the trace has the size that it may have.
    fn cut_short(&self) -> Option<CutShort> {
        let windows = self.windows.as_ref();
        let full = self.writer.is_full() || windows.is_some_and(|w| w.have_ended());
        Some(CutShort {
            bound: self.bound.filter(|_| full)?,
            after: self.stop.ended()?.as_secs_f64(),
            of: self.started.elapsed().as_secs_f64(),
            late: self.failures.late(),
        })
    }

    /// Says in the trace that recording ended before the program did.
    fn note_full(&self) {
        if let Some(cut) = self.cut_short() {
            self.tables.append(&Record::Skipped(Skipped {
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
            self.tables.append(&Record::Skipped(Skipped {
                class: "(jinsi)".into(),
                reason: Missing::Faults { count: faults }.to_string(),
                kind: LossKind::Part,
            }));
        }
    }
}

/// Part of the trace's bound that class files of libraries may have at most: there has to be room for what the program does.
const PART_OF_BOUND: u64 = 4;

/// Bytes of class files that are kept.
fn kept_bytes(options: &Options, bound: Option<Bound>) -> u64 {
    let most = bound.map_or(u64::MAX, |bound| bound.bytes / PART_OF_BOUND);
    options.keep_classes.min(most)
}

/// What keeps the windows of a recording without end, if it is one.
fn windows_of(
    options: &Options,
    writer: &Arc<TraceWriter>,
    table: &Arc<Table>,
    stop: &Arc<Stop>,
) -> Option<Arc<Windows>> {
    let begins = options.arm == Arm::Failure;
    let windows = || Windows::new(writer.clone(), table.clone(), stop.clone(), begins);
    (options.at_max == AtMax::Window).then(|| Arc::new(windows()))
}

/// Creates the trace file; its path, and the size that it may reach.
fn trace_file(
    options: &Options,
    pid: u32,
    started_ms: u64,
) -> Result<(PathBuf, Option<Bound>, TraceWriter), WriteError> {
    let wanted = std::path::absolute(options.out_path(pid, started_ms))
        .unwrap_or_else(|_| options.out_path(pid, started_ms));
    make_directory(&wanted)?;
    let bound = options.max_size.bound(&wanted);
    let sizes = WriterOptions {
        max_bytes: bound.map(|bound| bound.bytes),
        at_max: options.at_max,
        ..WriterOptions::default()
    };
    let (path, writer) = create(&wanted, &sizes)?;
    if path != wanted && !options.out.contains("%p") {
        report::line(&Message::Exists {
            wanted: wanted.display(),
            path: path.display(),
        });
    }
    Ok((path, bound, writer))
}

/// What the trace says of the JVM and of the options.
fn meta(process: &Process) -> Meta {
    let options = &process.options;
    let texts = |patterns: &[Pattern]| patterns.iter().map(|p| p.as_str().into()).collect();
    Meta {
        jinsi: env!("CARGO_PKG_VERSION").into(),
        options: process.text.clone(),
        observe: texts(&options.observe),
        exclude: texts(&options.exclude),
        detail: options.detail,
        java_version: process.java_version.clone(),
        java_vm: process.java_vm.clone(),
        ..Meta::default()
    }
}

/// Which classes these options observe.
pub(crate) fn selection(options: &Options) -> Selection {
    Selection::new(options.observe.clone(), options.exclude.clone())
        .in_detail(options.detail)
        .in_epochs(options.at_max == AtMax::Window)
        .redacting(options.redact.clone())
}
