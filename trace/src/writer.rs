//! Writing a trace, from inside the recorded process.
//!
//! Everything that is whole survives the death of the process (not of the machine: nothing is synchronized to the disk):
//! table records once [`TraceWriter::record`] has returned, events once a thread has moved the cursor of its buffer, which is a
//! page of the file.
//!
//! A buffer goes round: [`acquire`](TraceWriter::acquire) gives it to a thread; [`hand_over`](TraceWriter::hand_over) takes it
//! back; [`encode`](TraceWriter::encode), on any thread, appends its events as chunks and frees it. If all buffers are taken,
//! another staging zone is appended to the file; closing takes the zones out again. Who encodes has to see to it that there are
//! not too many: [`spill`](TraceWriter::spill) frees a buffer faster than encoding it does, and
//! [`encode_spilled`](TraceWriter::encode_spilled) makes up for it.

mod append;
mod chunks;
mod close;
mod lost;
mod rest;
mod spill;
mod staging;
#[cfg(test)]
mod tests;

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use jinsi_platform::files::{owners_only, write_all_at};
use parking_lot::{Mutex, RwLock};
use rustc_hash::FxHashMap;
use thiserror::Error;

pub use crate::chunk::Effort;
use crate::chunk::{Encoded, Encoder, front_of_events};
use crate::model::{End, Record, SiteNo, ThreadNo, Window};
use crate::raw::{SiteShape, SiteShapes};
use crate::segment::{FILE_HEADER_BYTES, SegmentKind, given_up};
use crate::table::{self, RecordError};

use append::Appender;
pub use lost::heal;
use rest::Unencoded;
use spill::Spill;
use staging::Buffer;

/// Sizes of a trace being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriterOptions {
    /// Size of a thread buffer in bytes; rounded up to whole pages of 4 KiB, at least four.
    pub buffer_bytes: usize,
    /// Buffers that are added at a time when all are taken; at least one.
    pub buffers_per_zone: usize,
    /// A closed trace that takes up to this many bytes is copied so that no empty staging zone is left in it. In a larger one
    /// the zones stay, as holes without disk space where the file system has holes.
    pub rewrite_limit: u64,
    /// Size in bytes that the trace may reach, staging zones not counted. It can be exceeded by what is in the buffers, and spilled, when
    /// it is reached, and by tables.
    pub max_bytes: Option<u64>,
    /// What happens then.
    pub at_max: AtMax,
    /// Bytes that spilled buffers may take in the file until they are encoded. They never take more than an eighth of what is free on the
    /// disk, nor than [`Self::max_bytes`], which counts what is encoded; and none if what is old is dropped.
    pub spill_bytes: u64,
}

/// What happens when a trace has reached the size it may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtMax {
    /// The writer is full ([`TraceWriter::is_full`]); who uses it is to end the recording.
    #[default]
    Stop,
    /// The oldest events are dropped. Tables stay.
    Oldest,
    /// What there is before the last but one [`TraceWriter::cut`] is dropped, tables that concern it included. Who uses the writer is to
    /// cut when [`TraceWriter::wants_cut`] says so.
    Window,
}

impl Default for WriterOptions {
    fn default() -> Self {
        Self {
            buffer_bytes: crate::raw::USUAL_BYTES,
            buffers_per_zone: 32,
            rewrite_limit: 1 << 30,
            max_bytes: None,
            at_max: AtMax::Stop,
            spill_bytes: 1 << 30,
        }
    }
}

/// Why a trace cannot be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The operating system says no. After this the writer takes nothing more.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The trace file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file exists. A trace is never overwritten: it may be the only record of a failure.
    #[error("{} exists; a trace is never overwritten", .0.display())]
    Exists(PathBuf),
    /// An earlier error was reported, or the trace is closed.
    #[error("the recording to {} has ended", .0.display())]
    Ended(PathBuf),
    /// The record cannot be stored.
    #[error("cannot write {}: {source}", path.display())]
    Record {
        /// The trace file.
        path: PathBuf,
        /// The reason.
        source: RecordError,
    },
    /// The address is not the beginning of a buffer of this trace.
    #[error("{0:#x} is no buffer of the trace")]
    Buffer(usize),
}

impl WriteError {
    /// An error of the operating system about the file at `path`.
    pub fn io(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        if source.kind() == io::ErrorKind::AlreadyExists {
            return Self::Exists(path);
        }
        Self::Io { path, source }
    }
}

/// Kind and operands of all sites recorded so far. Locked for one lookup at a time, so that a class being loaded does not
/// wait for a chunk.
#[derive(Debug, Default)]
struct Sites(RwLock<FxHashMap<SiteNo, SiteShape>>);

impl SiteShapes for Sites {
    fn shape(&self, no: SiteNo) -> Option<SiteShape> {
        self.0.read().get(&no).cloned()
    }
}

/// Writes a trace. All methods may be called from all threads.
#[derive(Debug)]
pub struct TraceWriter {
    path: PathBuf,
    file: Arc<File>,
    /// False once the trace is closed or discarded. Held for reading by every operation, so that closing waits for them.
    open: RwLock<bool>,
    /// Set by the first error.
    stopped: AtomicBool,
    /// Set by [`heal`]: a page of a buffer is gone from the file.
    lost: Arc<AtomicBool>,
    appender: Mutex<Appender>,
    buffers: Mutex<append::Buffers>,
    spill: Spill,
    sites: Sites,
    /// Those that nobody is using.
    encoders: Mutex<Vec<Encoder>>,
    events: AtomicU64,
    raw_bytes: AtomicU64,
    rewrite_limit: u64,
    max_bytes: u64,
    at_max: AtMax,
}

impl TraceWriter {
    /// Creates the trace file, readable by its owner only, and its first staging zone.
    ///
    /// # Errors
    /// The file exists already, cannot be created, or the space for the staging zone is not there.
    pub fn create(path: &Path, options: WriterOptions) -> Result<Self, WriteError> {
        let mut fresh = OpenOptions::new();
        fresh.read(true).write(true).create_new(true);
        let file = owners_only(&mut fresh)
            .open(path)
            .map_err(|e| WriteError::io(path, e))?;
        let file = Arc::new(file);
        let lost = Arc::new(AtomicBool::new(false));
        let buffers = append::Buffers::new(&options, lost.clone());
        let spill_bytes = match (options.max_bytes, options.at_max) {
            (None, _) => options.spill_bytes,
            (Some(max), AtMax::Stop) => options.spill_bytes.min(max),
            // What comes late would be taken for new.
            (Some(_), AtMax::Oldest | AtMax::Window) => 0,
        };
        let spill = Spill::new(&file, buffers.buffer_bytes(), spill_bytes)
            .map_err(|e| WriteError::io(path, e))?;
        let writer = Self {
            path: path.to_owned(),
            open: RwLock::new(true),
            stopped: AtomicBool::new(false),
            buffers: Mutex::new(buffers),
            spill,
            lost,
            rewrite_limit: options.rewrite_limit,
            max_bytes: options.max_bytes.unwrap_or(u64::MAX),
            at_max: options.at_max,
            appender: Mutex::new(Appender::new(file.clone())),
            file,
            sites: Sites::default(),
            encoders: Mutex::default(),
            events: AtomicU64::new(0),
            raw_bytes: AtomicU64::new(0),
        };
        let begun = writer.appender.lock().begin();
        let begun =
            begun.and_then(|()| writer.buffers.lock().add_zone(&mut writer.appender.lock()));
        if let Err(e) = begun {
            // The file is of no use and was made by this call.
            let _ = std::fs::remove_file(path);
            return Err(WriteError::io(path, e));
        }
        Ok(writer)
    }

    /// Appends a table record. When this returns, the record is in the file even if the process is killed.
    ///
    /// # Errors
    /// The record cannot be written, or recording has ended.
    pub fn record(&self, record: &Record) -> Result<(), WriteError> {
        let _open = self.enter()?;
        self.append_record(record)
    }

    fn append_record(&self, record: &Record) -> Result<(), WriteError> {
        let payload = table::encode(record).map_err(|source| WriteError::Record {
            path: self.path.clone(),
            source,
        })?;
        self.append_segment(SegmentKind::Table, &payload, record.is_perishable())?;
        if let Record::Sites(sites) = record {
            let mut known = self.sites.0.write();
            known.extend(sites.iter().map(|site| (site.no, SiteShape::of(site))));
        }
        Ok(())
    }

    /// Gives `thread` an empty buffer with room for `min_bytes` bytes of events (0: for a buffer of the usual size): its state is
    /// live, its cursor at [`crate::raw::HEADER_BYTES`], ordinal, limit and thread set. The address is valid for the rest of the process.
    ///
    /// # Errors
    /// No space is left, or recording has ended.
    pub fn acquire(&self, thread: ThreadNo, min_bytes: usize) -> Result<*mut u8, WriteError> {
        let _open = self.enter()?;
        let acquired = self
            .buffers
            .lock()
            .acquire(thread, min_bytes, &self.appender);
        acquired.map(Buffer::address).map_err(|e| self.failed(e))
    }

    /// Notes that no thread will write into the buffer any more. An address that is no buffer's is ignored.
    pub fn hand_over(&self, buffer: *mut u8) {
        self.buffers.lock().hand_over(buffer);
    }

    /// Appends the events of a buffer that was handed over and frees it. A buffer that is free already is left alone.
    /// Malformed events are left out; a reader of the trace is informed how many.
    ///
    /// # Errors
    /// The events cannot be written (then they stay in the buffer, where a reader finds them), recording has ended, or the
    /// address is no buffer's.
    pub fn encode(&self, buffer: *mut u8, effort: Effort) -> Result<(), WriteError> {
        let _open = self.enter()?;
        let taken = self.buffers.lock().take(buffer);
        match taken {
            None => Err(WriteError::Buffer(buffer.addr())),
            Some(None) => Ok(()),
            Some(Some(taken)) => self.encode_one(Unencoded::Buffer(taken), effort),
        }
    }

    fn encode_events(
        &self,
        whose: (ThreadNo, u64),
        raw: &[u8],
        effort: Effort,
    ) -> Result<(), WriteError> {
        let mut encoder = self.encoders.lock().pop().unwrap_or_default();
        let done = self.encode_raw(&mut encoder, whose, raw, effort);
        self.encoders.lock().push(encoder);
        done
    }

    /// Puts the events of a buffer that was handed over where they can wait for [`Self::encode_spilled`], and frees it. False if there is no
    /// room, or the address is no buffer's with events.
    ///
    /// # Errors
    /// Recording has ended.
    pub fn spill(&self, buffer: *mut u8) -> Result<bool, WriteError> {
        let _open = self.enter()?;
        let Some(taken) = self.buffers.lock().take(buffer).flatten() else {
            return Ok(false);
        };
        let done = self.spill.put(&taken.buffer, &self.appender);
        self.buffers.lock().give_back(taken, done);
        Ok(done)
    }

    /// Can buffers be spilled? Then encoding may fall behind.
    pub fn spills(&self) -> bool {
        self.spill.has_room()
    }

    /// Appends the events of a spilled buffer; false if there is none.
    ///
    /// # Errors
    /// They cannot be read or written, or recording has ended.
    pub fn encode_spilled(&self, effort: Effort) -> Result<bool, WriteError> {
        let _open = self.enter()?;
        let Some(spilled) = self.spill.take() else {
            return Ok(false);
        };
        self.encode_one(Unencoded::Spilled(spilled), effort)?;
        Ok(true)
    }

    /// Appends raw events of a thread as chunks; `whose` is the thread, and the ordinal of the buffer in which they could have been.
    pub(crate) fn encode_raw(
        &self,
        encoder: &mut Encoder,
        whose: (ThreadNo, u64),
        raw: &[u8],
        effort: Effort,
    ) -> Result<(), WriteError> {
        let mut from = 0;
        while from < raw.len() {
            let encoded = encoder.encode(whose, raw, from, &self.sites, effort);
            let encoded = encoded.map_err(|e| self.failed(e))?;
            self.append(SegmentKind::Events, &encoded.payload)?;
            self.events.fetch_add(encoded.events, Ordering::Relaxed);
            self.raw_bytes
                .fetch_add((encoded.to - from) as u64, Ordering::Relaxed);
            from = encoded.to;
            encoder.reuse(encoded.payload);
        }
        Ok(())
    }

    /// Appends a chunk of another trace, which says whose events it has.
    pub(crate) fn append_chunk(&self, chunk: &Encoded) -> Result<(), WriteError> {
        self.append(SegmentKind::Events, &chunk.payload)?;
        self.events.fetch_add(chunk.events, Ordering::Relaxed);
        self.raw_bytes.fetch_add(chunk.to as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Stores a whole raw event into a buffer that the caller got from [`TraceWriter::acquire`] and nobody else uses; false if it has no room.
    pub(crate) fn store(&self, buffer: *mut u8, event: &[u8]) -> bool {
        self.buffers
            .lock()
            .at(buffer)
            .is_some_and(|b| b.store(event))
    }

    /// Events encoded so far.
    pub fn events(&self) -> u64 {
        self.events.load(Ordering::Relaxed)
    }

    /// Size of the events encoded so far in the thread buffers, in bytes.
    pub fn raw_bytes(&self) -> u64 {
        self.raw_bytes.load(Ordering::Relaxed)
    }

    /// Size of the segments written so far in bytes, tables included, staging zones and dropped events not.
    pub fn written_bytes(&self) -> u64 {
        self.appender.lock().written()
    }

    /// Closes the trace: encodes what is left in the buffers, handed over or not, appends `end`, and takes the staging
    /// zones out of the file. Threads that still hold a buffer may go on storing into it; those events are not in the trace.
    ///
    /// # Errors
    /// Something cannot be written, or recording has ended before. What was written until then can be read.
    pub fn finish(&self, end: End) -> Result<(), WriteError> {
        self.close(Some(end))
    }

    /// The same for a copy of a trace, which may have no end.
    pub(crate) fn close(&self, end: Option<End>) -> Result<(), WriteError> {
        let mut open = self.open.write();
        if !*open || self.stopped.load(Ordering::Acquire) {
            return Err(WriteError::Ended(self.path.clone()));
        }
        self.is_whole()?;
        *open = false;
        self.encode_rest()?;
        let clean = end.is_some();
        if let Some(end) = end {
            self.append_record(&Record::End(end))?;
        }
        let closed = close::close(&self.appender.lock(), &self.path, self.rewrite_limit, clean);
        closed.map_err(|e| self.failed(e))
    }

    /// Ends the recording and deletes the trace file.
    ///
    /// # Errors
    /// The file cannot be deleted, or the trace is closed.
    pub fn discard(&self) -> Result<(), WriteError> {
        let mut open = self.open.write();
        if !*open {
            return Err(WriteError::Ended(self.path.clone()));
        }
        *open = false;
        std::fs::remove_file(&self.path).map_err(|e| WriteError::io(&self.path, e))
    }

    fn enter(&self) -> Result<parking_lot::RwLockReadGuard<'_, bool>, WriteError> {
        let open = self.open.read();
        if !*open || self.stopped.load(Ordering::Acquire) {
            return Err(WriteError::Ended(self.path.clone()));
        }
        self.is_whole()?;
        Ok(open)
    }

    /// An error if a page of a buffer is gone from the file.
    fn is_whole(&self) -> Result<(), WriteError> {
        if self.lost.load(Ordering::Acquire) {
            return Err(self.failed(append::truncated()));
        }
        Ok(())
    }

    /// Has the trace reached the size at which recording is to end?
    pub fn is_full(&self) -> bool {
        self.at_max == AtMax::Stop && self.written_bytes() > self.max_bytes
    }

    /// The bound of the trace, in bytes; `u64::MAX` if there is none.
    pub fn max_bytes(&self) -> u64 {
        self.max_bytes
    }

    /// Has so much been written since the last cut that there is to be another one?
    pub fn wants_cut(&self) -> bool {
        self.at_max == AtMax::Window && self.appender.lock().since_cut() > self.max_bytes / 2
    }

    /// Cuts the recording: what was before the cut before this one is dropped. `begin` is given the ordinal of the first buffer behind the
    /// cut before any thread gets that. It has to see to it that all threads get new ones, and that events in these name nothing that
    /// was informed of before. `seconds`: when, since the start of the recording.
    ///
    /// # Errors
    /// Something cannot be written, or recording has ended.
    pub fn cut(&self, seconds: f64, begin: impl FnOnce(u64)) -> Result<(), WriteError> {
        let _open = self.enter()?;
        let before = {
            let buffers = self.buffers.lock();
            let first = buffers.next_ordinal();
            // First, so that what is said behind the cut belongs to the new window.
            let before = self.appender.lock().cut(Window { first, seconds });
            begin(first);
            before
        };
        let Some(window) = before else {
            return Ok(());
        };
        // Before anything goes: a reader of what a killed process leaves has to know it.
        self.append_record(&Record::Window(window))?;
        let dropped = self.appender.lock().drop_before(window.first);
        dropped.map_err(|e| self.failed(e))
    }

    /// Has the recording begin here, in the middle of the program: what was written before is dropped. For the rest as [`TraceWriter::cut`].
    ///
    /// # Errors
    /// As there.
    pub fn begin(&self, seconds: f64, begin: impl FnOnce(u64)) -> Result<(), WriteError> {
        let _open = self.enter()?;
        let window = {
            let buffers = self.buffers.lock();
            let first = buffers.next_ordinal();
            let window = Window { first, seconds };
            self.appender.lock().cut(window);
            begin(first);
            window
        };
        self.append_record(&Record::Window(window))?;
        let dropped = self.appender.lock().drop_before(window.first);
        dropped.map_err(|e| self.failed(e))
    }

    /// Events that were dropped to make room.
    pub fn dropped(&self) -> u64 {
        self.appender.lock().dropped_events()
    }

    /// Says that so many events were dropped from the trace of which this is a copy.
    pub(crate) fn dropped_before(&self, mut events: u64) -> Result<(), WriteError> {
        while events > 0 {
            let said = u32::try_from(events).unwrap_or(u32::MAX);
            self.append(SegmentKind::Dropped, &front_of_events(said))?;
            events -= u64::from(said);
        }
        Ok(())
    }

    fn append(&self, kind: SegmentKind, payload: &[u8]) -> Result<(), WriteError> {
        self.append_segment(kind, payload, false)
    }

    fn append_segment(
        &self,
        kind: SegmentKind,
        payload: &[u8],
        perishable: bool,
    ) -> Result<(), WriteError> {
        let mut appender = self.appender.lock();
        let perishable = perishable && self.at_max == AtMax::Window;
        let appended =
            appender
                .append(kind, payload, perishable)
                .and_then(|()| match self.at_max {
                    AtMax::Stop | AtMax::Window => Ok(()),
                    AtMax::Oldest => appender.drop_oldest(self.max_bytes),
                });
        appended.map_err(|e| self.failed(e))
    }

    /// Puts the reason for which nothing more is written into the file's header, for which there is space on a full disk, too. A file that
    /// somebody has emptied stays so.
    fn say_why(&self, error: &io::Error) {
        let has_header = |file: &File| {
            let found = file.metadata();
            found.is_ok_and(|found| found.len() >= FILE_HEADER_BYTES)
        };
        if has_header(&self.file) {
            let (offset, why) = given_up(error.raw_os_error());
            // Else the trace looks like that of a killed process.
            let _ = write_all_at(&self.file, &why, offset);
        }
    }

    /// The error for the caller. The first is reported as it is and stops the recording.
    fn failed(&self, source: io::Error) -> WriteError {
        if self.stopped.swap(true, Ordering::AcqRel) {
            return WriteError::Ended(self.path.clone());
        }
        self.say_why(&source);
        WriteError::io(&self.path, source)
    }
}
