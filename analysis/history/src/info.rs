//! What is in a trace, for `jinsi info`.

use std::collections::BTreeMap;
use std::io::{self, Write};

use jinsi_trace::model::{
    ClassOrigin, End, FailureKind, LossKind, MarkDef, Meta, Note, Skipped, Window,
};
use jinsi_trace::reader::Trace;
use serde::Serialize;

use crate::damage::{Damaged, Entry};
use crate::losses::Losses;

/// Contents of a trace, in numbers and names.
#[derive(Debug, Serialize)]
pub struct Info {
    /// What the agent knew at start.
    pub meta: Meta,
    /// How the program ended; `null` if the process was killed.
    pub end: Option<End>,
    /// What the recording lacks because the trace could not be written any more, say on a full disk, and why.
    pub unwritten: Option<String>,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Events of all threads.
    pub events: u64,
    /// Per kind of event.
    pub kinds: BTreeMap<String, KindInfo>,
    /// Per kind of column.
    pub columns: ColumnsInfo,
    /// Classes by what is known of them.
    pub classes: ClassCounts,
    /// Class files of what is not observed that the trace keeps, if it keeps any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class_files: Option<ClassFilesInfo>,
    /// Sites that make events.
    pub sites: usize,
    /// Threads, by number.
    pub threads: Vec<ThreadInfo>,
    /// Tests, if a test framework reported them.
    pub tests: usize,
    /// Failures, in order.
    pub failures: Vec<FailureInfo>,
    /// What was said of the program while it ran (`jinsi mark`), in order.
    pub notes: Vec<Note>,
    /// From where on the recording can be replayed, if its beginning was dropped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<Window>,
    /// What was not recorded, and why.
    pub losses: Losses,
    /// Classes left alone, and what else was not recorded although it was asked for: as in `losses`, in the order of the recording.
    pub skipped: Vec<Skipped>,
    /// What of the file could not be read.
    pub damage: Vec<String>,
    /// The same, each with what it has taken and where.
    pub damage_details: Vec<Entry>,
}

/// Class files that are kept.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct ClassFilesInfo {
    /// How many.
    pub files: usize,
    /// Their size in bytes; in the trace they are smaller.
    pub bytes: u64,
    /// How many others were loaded and are not kept, because there was no more room for them.
    pub left_out: u64,
}

impl ClassFilesInfo {
    fn of(trace: &Trace) -> Option<Self> {
        let mut all = Self::default();
        for some in trace.class_files().flatten() {
            all.files += some.files.len();
            all.bytes += some.files.iter().map(|f| f.bytes.len() as u64).sum::<u64>();
            all.left_out += some.left_out;
        }
        trace.keeps_class_files().then_some(all)
    }

    fn write_text(&self, to: &mut dyn Write) -> io::Result<()> {
        let Self {
            files,
            bytes,
            left_out,
        } = self;
        writeln!(
            to,
            "libraries  {files} class files kept ({bytes} bytes before packing), {left_out} left out for want of room"
        )
    }
}

/// Events of one kind.
#[derive(Debug, Default, Serialize)]
pub struct KindInfo {
    /// How many.
    pub events: u64,
    /// Their size in the thread buffers, in bytes.
    pub raw_bytes: u64,
    /// Their size in the file, in bytes.
    pub encoded_bytes: u64,
    /// The same in bits an event.
    pub bits_per_event: f64,
}

/// How the events are encoded: which comes after which, and their operands.
#[derive(Debug, Serialize)]
pub struct ColumnsInfo {
    /// The control streams, one a thread, in chunks.
    pub control: ControlInfo,
    /// The operands, a column for each of a site's in each chunk, as differences in zstd blocks; and strings.
    pub operands: OperandsInfo,
}

/// Control streams.
#[derive(Debug, Serialize)]
pub struct ControlInfo {
    /// Chunks in which it is an RLESe grammar.
    pub grammars: u64,
    /// Their size in bytes.
    pub grammar_bytes: u64,
    /// Chunks in which it is a block, because a grammar would be larger or there was no time for one (`jinsi compact` has it).
    pub blocks: u64,
    /// Their size in bytes.
    pub block_bytes: u64,
    /// Size in bits an event.
    pub bits_per_event: f64,
}

/// Operands.
#[derive(Debug, Serialize)]
pub struct OperandsInfo {
    /// Size in bytes.
    pub bytes: u64,
    /// The same in bits an event.
    pub bits_per_event: f64,
}

/// Classes by origin.
#[derive(Debug, Default, Serialize)]
pub struct ClassCounts {
    /// Rewritten and recorded, original bytes in the trace.
    pub observed: usize,
    /// Matched by `observe=`, left alone.
    pub skipped: usize,
    /// Not observed, but observed classes inherit their code: recorded where it runs on instances of those, original bytes in the trace.
    pub inherited: usize,
    /// Other libraries' classes, as skeletons.
    pub skeletons: usize,
    /// The JDK's.
    pub jdk: usize,
}

/// A thread.
#[derive(Debug, Serialize)]
pub struct ThreadInfo {
    /// Number in the trace.
    pub no: u32,
    /// Java name.
    pub name: String,
}

/// A failure.
#[derive(Debug, Serialize)]
pub struct FailureInfo {
    /// Its number among the trace's failures, from 1, as `jinsi minimize --failure` takes it.
    pub no: usize,
    /// `uncaught`, `listed` or `test`.
    pub kind: &'static str,
    /// The test that failed: its class and name, joined by a dot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// Binary name of the exception class.
    #[serde(rename = "type")]
    pub class: String,
    /// Its message.
    pub message: Option<String>,
    /// Thread it happened on.
    pub thread: u32,
    /// Stack trace, innermost frame first.
    pub stack: Vec<String>,
}

impl Info {
    /// Gathers everything from an open trace; callers and natives, if there are many events, only if `callers` is set.
    pub fn of(trace: &Trace, callers: bool) -> Self {
        let mut classes = ClassCounts::default();
        for class in trace.classes() {
            match class.origin {
                ClassOrigin::Observed => classes.observed += 1,
                ClassOrigin::Skipped => classes.skipped += 1,
                ClassOrigin::Inherited => classes.inherited += 1,
                ClassOrigin::Skeleton => classes.skeletons += 1,
                ClassOrigin::Jdk => classes.jdk += 1,
            }
        }
        let kinds: BTreeMap<_, _> = trace
            .kind_stats()
            .into_iter()
            .map(|(kind, s)| {
                let info = KindInfo {
                    events: s.events,
                    raw_bytes: s.raw_bytes,
                    encoded_bytes: s.encoded_bytes,
                    bits_per_event: bits(s.encoded_bytes, s.events),
                };
                (format!("{kind:?}"), info)
            })
            .collect();
        let events = kinds.values().map(|k| k.events).sum();
        let losses = Losses::of(trace, callers);
        let damaged = Damaged::of(trace, &losses.gaps);
        Self {
            columns: columns(trace, events),
            events,
            meta: trace.meta().clone(),
            end: trace.end().cloned(),
            unwritten: unwritten(trace),
            bytes: trace.file_bytes(),
            kinds,
            classes,
            class_files: ClassFilesInfo::of(trace),
            sites: trace.sites().len(),
            threads: trace
                .threads()
                .iter()
                .map(|t| ThreadInfo {
                    no: t.no,
                    name: t.name.clone(),
                })
                .collect(),
            tests: trace.marks().len(),
            failures: failures(trace),
            notes: trace.notes().to_vec(),
            window: trace.window(),
            losses,
            skipped: trace.skipped().to_vec(),
            damage: damaged.entries.iter().map(ToString::to_string).collect(),
            damage_details: damaged.entries,
        }
    }

    /// The same for people.
    ///
    /// # Errors
    /// Those of `to`.
    pub fn write_text(&self, to: &mut dyn Write) -> io::Result<()> {
        self.write_recording(to)?;
        self.write_contents(to)?;
        self.columns.write_text(to)?;
        if self.tests > 0 {
            writeln!(to, "tests      {}", self.tests)?;
        }
        for note in &self.notes {
            writeln!(to, "marked     after {:.1} s: {}", note.seconds, note.text)?;
        }
        for failure in &self.failures {
            failure.write_text(to)?;
        }
        self.losses.write_text(to)?;
        for damage in &self.damage {
            writeln!(to, "damaged    {damage}")?;
        }
        Ok(())
    }

    /// Who recorded, how, and how it ended.
    fn write_recording(&self, to: &mut dyn Write) -> io::Result<()> {
        let meta = &self.meta;
        writeln!(
            to,
            "recorded   jinsi {} on {} {}, pid {}",
            meta.jinsi, meta.java_vm, meta.java_version, meta.pid
        )?;
        writeln!(to, "options    {}", meta.options)?;
        match &self.end {
            Some(end) => writeln!(to, "end        orderly, after {:.2} s", end.seconds),
            None => match &self.unwritten {
                Some(why) => writeln!(to, "end        none: the recording lacks {why}"),
                None => writeln!(to, "end        none: the process was killed, or still runs"),
            },
        }
    }

    /// How much there is of what.
    fn write_contents(&self, to: &mut dyn Write) -> io::Result<()> {
        let per_event = if self.events == 0 {
            0.0
        } else {
            self.bytes as f64 / self.events as f64
        };
        writeln!(
            to,
            "size       {} bytes, {} events, {per_event:.2} bytes an event, tables included",
            self.bytes, self.events
        )?;
        let c = &self.classes;
        writeln!(
            to,
            "classes    {} observed ({} sites), {} left alone, {} inherited from, {} skeletons, {} of the JDK",
            c.observed, self.sites, c.skipped, c.inherited, c.skeletons, c.jdk
        )?;
        if let Some(kept) = &self.class_files {
            kept.write_text(to)?;
        }
        for thread in &self.threads {
            writeln!(to, "thread     {} {:?}", thread.no, thread.name)?;
        }
        for (kind, info) in &self.kinds {
            writeln!(
                to,
                "  {kind:<12} {:>12} events {:>14} bytes raw {:>12} encoded",
                info.events, info.raw_bytes, info.encoded_bytes
            )?;
        }
        Ok(())
    }
}

impl ColumnsInfo {
    fn write_text(&self, to: &mut dyn Write) -> io::Result<()> {
        let Self { control, operands } = self;
        writeln!(
            to,
            "control    {} grammars of {} bytes, {} blocks of {} bytes, {:.2} bits an event",
            control.grammars,
            control.grammar_bytes,
            control.blocks,
            control.block_bytes,
            control.bits_per_event
        )?;
        writeln!(
            to,
            "operands   {} bytes, {:.2} bits an event",
            operands.bytes, operands.bits_per_event
        )
    }
}

impl FailureInfo {
    fn write_text(&self, to: &mut dyn Write) -> io::Result<()> {
        let message = self.message.as_ref();
        let message = message.map_or_else(String::new, |m| format!(": {m}"));
        let test = self.test.as_ref();
        let test = test.map_or_else(String::new, |test| format!(" {test}"));
        writeln!(
            to,
            "failure {:<3}{} ({}{test}, thread {}){message}",
            self.no, self.class, self.kind, self.thread
        )?;
        for frame in &self.stack {
            writeln!(to, "             at {frame}")?;
        }
        Ok(())
    }
}

fn bits(bytes: u64, events: u64) -> f64 {
    bytes as f64 * 8.0 / events.max(1) as f64
}

fn columns(trace: &Trace, events: u64) -> ColumnsInfo {
    let stats = trace.encoding_stats();
    let ((grammars, grammar_bytes), (blocks, block_bytes)) = (stats.grammars, stats.blocks);
    ColumnsInfo {
        control: ControlInfo {
            grammars,
            grammar_bytes,
            blocks,
            block_bytes,
            bits_per_event: bits(grammar_bytes + block_bytes, events),
        },
        operands: OperandsInfo {
            bytes: stats.operand_bytes,
            bits_per_event: bits(stats.operand_bytes, events),
        },
    }
}

fn failures(trace: &Trace) -> Vec<FailureInfo> {
    let kind = |k| match k {
        FailureKind::Uncaught => "uncaught",
        FailureKind::Listed => "listed",
        FailureKind::Test => "test",
    };
    trace
        .failures()
        .iter()
        .enumerate()
        .filter_map(|(at, failure)| {
            let throwable = trace.throwable(failure.throwable)?;
            Some(FailureInfo {
                no: at + 1,
                kind: kind(failure.kind),
                test: trace.test_of(failure).map(MarkDef::full_name),
                class: throwable.class.clone(),
                message: throwable.text.clone(),
                thread: failure.thread,
                stack: throwable.frames.iter().map(frame_text).collect(),
            })
        })
        .collect()
}

/// A frame as Java prints it.
pub fn frame_text(frame: &jinsi_trace::model::Frame) -> String {
    let place = match (&frame.file, frame.line) {
        (_, -2) => "Native Method".into(),
        (Some(file), line) if line > 0 => format!("{file}:{line}"),
        (Some(file), _) => file.clone(),
        (None, _) => "Unknown Source".into(),
    };
    format!("{}.{}({place})", frame.class, frame.method)
}
/// What a trace that could not be written to its end says of that.
fn unwritten(trace: &Trace) -> Option<String> {
    let mut losses = trace.skipped().iter();
    let found = losses.find(|loss| loss.kind == LossKind::Unwritten);
    found.map(|loss| loss.reason.clone())
}
