//! The threads of a recording, and the buffers they have.

use std::collections::HashMap;
use std::sync::Arc;

use jinsi_trace::model::{LossKind, Record, Skipped, ThreadNo};
use jinsi_trace::writer::TraceWriter;
use parking_lot::Mutex;

use super::tables::Tables;
use crate::buffers::{Buffer, Table};
use crate::encoder::Encoder;
use crate::message::Missing;
use crate::stop::Stop;
use crate::windows::Windows;

/// Threads that may have a buffer at a time: two GiB of staging area in the trace file. More threads at a time are not recorded.
const MAX_BUFFERS: usize = 4096;

/// So many buffers of a recording are exchanged early. The JVM's compilers take a way that probes have never gone for one that they never go: a method compiled
/// before the first buffer is full would fall back to the interpreter when it is, and so would all that the probe is inlined into.
const EARLY: u64 = 32;
/// How far these are filled, in bytes: a thousand events. `JinsiBuffer.ROOM` has to fit in.
const EARLY_BYTES: u64 = 24 << 10;

/// Threads that have not ended.
#[derive(Default)]
struct LiveThreads {
    by_tid: HashMap<i64, (ThreadNo, String)>,
    next: ThreadNo,
    /// Threads that have a buffer.
    buffers: usize,
    /// Threads that were not recorded because of [`MAX_BUFFERS`].
    refused: u64,
}

/// The threads and their buffers.
pub struct Threads {
    tables: Arc<Tables>,
    writer: Arc<TraceWriter>,
    encoder: Arc<Encoder>,
    table: Arc<Table>,
    stop: Arc<Stop>,
    /// If what is old is dropped.
    windows: Option<Arc<Windows>>,
    live: Mutex<LiveThreads>,
}

impl Threads {
    pub(super) fn new(
        tables: Arc<Tables>,
        writer: Arc<TraceWriter>,
        encoder: Arc<Encoder>,
        table: Arc<Table>,
        stop: Arc<Stop>,
        windows: Option<Arc<Windows>>,
    ) -> Self {
        Self {
            tables,
            writer,
            encoder,
            table,
            stop,
            windows,
            live: Mutex::default(),
        }
    }

    /// The thread's number; it gets one if it has none.
    pub(super) fn thread_no(&self, tid: i64, name: &str) -> ThreadNo {
        let mut threads = self.live.lock();
        if let Some((no, _)) = threads.by_tid.get(&tid) {
            return *no;
        }
        let no = threads.next;
        threads.next = no.saturating_add(1);
        threads.by_tid.insert(tid, (no, name.into()));
        self.tables.record(&Record::Thread {
            no,
            name: name.into(),
        });
        no
    }

    /// Gives the thread a buffer; 0 if the recording has ended or too many threads have one.
    pub fn open(&self, tid: i64, name: &str) -> u64 {
        if self.stop.is_set() || !self.admit() {
            self.table.refuse(tid);
            return 0;
        }
        let thread = self.thread_no(tid, name);
        match self.writer.acquire(thread, 0) {
            Ok(address) => {
                let buffer = Buffer::new(address);
                buffer.begin_empty();
                fill_early(&buffer, 0);
                self.table.set(tid, buffer);
                if self.stop.overtook(tid) {
                    return 0;
                }
                self.settle(&buffer);
                buffer.as_u64()
            }
            Err(e) => {
                self.stop.failed(&e);
                self.table.refuse(tid);
                0
            }
        }
    }

    /// May one more thread have a buffer? Counts it.
    fn admit(&self) -> bool {
        let mut threads = self.live.lock();
        let room = threads.buffers < MAX_BUFFERS;
        if room {
            threads.buffers += 1;
        } else {
            threads.refused += 1;
        }
        room
    }

    /// Exchanges the thread's buffer for one with room for `bytes` more; the event being written moves along. 0 if the
    /// recording has ended.
    pub fn roll(&self, tid: i64, bytes: u64) -> u64 {
        let Some(old) = self.table.take(tid) else {
            return 0;
        };
        let next = if self.stop.is_set() {
            None
        } else {
            let needed = usize::try_from(old.pending() + bytes).unwrap_or(usize::MAX);
            match self.writer.acquire(self.thread_no(tid, ""), needed) {
                Ok(address) => {
                    let new = Buffer::new(address);
                    fill_early(&new, needed);
                    Some(new)
                }
                Err(e) => {
                    self.stop.failed(&e);
                    None
                }
            }
        };
        let address = if let Some(new) = next {
            let began = self.began_window(tid, &new, &old);
            new.continue_from(&old, began);
            self.table.set(tid, new);
            if self.stop.overtook(tid) {
                0
            } else {
                self.settle(&new);
                new.as_u64()
            }
        } else {
            self.table.refuse(tid);
            0
        };
        self.encoder.take(old);
        address
    }

    /// Does a window begin for the thread with the buffer `new`? Then what that needs to know of the thread is said again.
    fn began_window(&self, tid: i64, new: &Buffer, old: &Buffer) -> bool {
        let windows = self.windows.as_ref();
        if !windows.is_some_and(|w| w.began_with(new, old)) {
            return false;
        }
        new.begin_window(old);
        let known = self.live.lock().by_tid.get(&tid).cloned();
        if let Some((no, name)) = known {
            self.tables.record(&Record::Thread { no, name });
        }
        true
    }

    fn settle(&self, buffer: &Buffer) {
        if let Some(windows) = &self.windows {
            windows.settle(buffer);
        }
    }

    /// The thread has ended: its buffer is encoded.
    pub fn close(&self, tid: i64) {
        if let Some(buffer) = self.table.take(tid) {
            self.encoder.take(buffer);
            let mut threads = self.live.lock();
            threads.buffers = threads.buffers.saturating_sub(1);
            threads.by_tid.remove(&tid);
        }
    }

    /// All threads lose their buffers, which are encoded.
    pub(super) fn close_all(&self) {
        for buffer in self.table.take_all() {
            self.encoder.take(buffer);
        }
    }

    /// Says in the trace how many threads were not recorded.
    pub(super) fn note_refused(&self) {
        let refused = self.live.lock().refused;
        if refused > 0 {
            let reason = Missing::Threads {
                count: refused,
                most: MAX_BUFFERS,
            };
            self.tables.append(&Record::Skipped(Skipped {
                class: "(threads)".into(),
                reason: reason.to_string(),
                kind: LossKind::Threads,
            }));
        }
    }
}

/// Has one of the first buffers exchanged early, if it need not have room for more.
fn fill_early(buffer: &Buffer, needed: usize) {
    if buffer.ordinal() <= EARLY && needed as u64 <= EARLY_BYTES / 2 {
        buffer.fill_to(EARLY_BYTES);
    }
}
