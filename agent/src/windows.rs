//! Recordings of programs without end: what is old is dropped, and the rest can be replayed.
//!
//! A recording is cut whenever as much has been written as half of what the trace may have. Behind a cut every object is new again: the
//! first event that names it is preceded by its definition and by what it holds. So what comes behind a cut stands for itself, and all
//! before the cut before the last can go. The last two windows are always there, and with them all that led to a failure from somewhere
//! in the first of them on. After a failure nothing is dropped any more: at the next cut the recording ends.
//!
//! No call of observed code lies across a cut, if that can be had by a short wait at the [`WindowBarrier`]; and what an object holds is reported by
//! one thread, while others that are about to use it wait ([`Telling`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use parking_lot::Mutex;

use jinsi_handover::Flag;
use jinsi_trace::writer::{TraceWriter, WriteError};

use crate::buffers::{Buffer, EPOCHS, Table};
use crate::stop::Stop;
use crate::window_barrier::{Keeper, Running, Telling, WindowBarrier};

/// Bytes of a trace for each element that may be reported when a window begins. As it is encoded, one takes some bytes, so that a window keeps
/// more than half of its room for what happens.
const BYTES_REPORTED: u64 = 64;

/// What became of the need for a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// There is none, or the recording was cut.
    GoOn,
    /// What there is has to stay, and nothing more fits.
    End,
}

/// The windows of a recording.
pub(crate) struct Windows {
    writer: Arc<TraceWriter>,
    table: Arc<Table>,
    /// Ordinal of the first buffer of the present window.
    first: Flag<AtomicU64>,
    epoch: AtomicU64,
    /// The recording is to begin with a window: what comes before is no part of it.
    begins: AtomicBool,
    keep: AtomicBool,
    ended: AtomicBool,
    started: Instant,
    stop: Arc<Stop>,
    barrier: WindowBarrier,
    cutting: Mutex<()>,
    telling: Telling,
}

impl Windows {
    /// Of a recording whose first window is what comes first; or, if it `begins` in the middle of the program, what comes behind the first cut.
    pub(crate) fn new(
        writer: Arc<TraceWriter>,
        table: Arc<Table>,
        stop: Arc<Stop>,
        begins: bool,
    ) -> Self {
        Self {
            epoch: AtomicU64::new(table.epoch()),
            begins: AtomicBool::new(begins),
            writer,
            table,
            first: Flag::new(AtomicU64::new(0)),
            keep: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            started: Instant::now(),
            stop,
            barrier: WindowBarrier::default(),
            cutting: Mutex::default(),
            telling: Telling::default(),
        }
    }

    /// Who tells what objects hold.
    pub(crate) fn telling(&self) -> &Telling {
        &self.telling
    }

    /// There is a failure: nothing that is there now is to be dropped.
    pub(crate) fn keep(&self) {
        self.keep.store(true, Ordering::Release);
    }

    /// Is what happens now part of the recording?
    pub(crate) fn have_begun(&self) -> bool {
        !self.begins.load(Ordering::Acquire)
    }

    fn wants_cut(&self) -> bool {
        !self.have_begun() || self.writer.wants_cut()
    }

    /// Has the recording ended because what there was had to stay?
    pub(crate) fn have_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Has the recording cut if it is time: shuts the barrier, and cuts itself if nobody has come there for too long. Who comes then tells what
    /// the window begins with, and opens it.
    ///
    /// # Errors
    /// Something cannot be written, or recording has ended.
    pub(crate) fn look(&self) -> Result<Cut, WriteError> {
        if !self.wants_cut() {
            return Ok(Cut::GoOn);
        }
        if self.keep.load(Ordering::Acquire) {
            return self.cut();
        }
        if !self.barrier.shut(|| self.table.shut_barrier(true)) {
            return Ok(Cut::GoOn);
        }
        let cut = self.cut();
        self.barrier.has_begun();
        cut
    }

    /// The environment calls observed code in the thread `tid`, which waits if a window is about to begin. `running` tells which threads
    /// are in observed code. Whether the thread has to tell what the window begins with, and then to [`reopen`](Self::reopen) the barrier.
    pub(crate) fn wait(&self, tid: i64, running: &mut dyn FnMut() -> Option<Vec<Running>>) -> bool {
        let mut keeper = AtCut {
            windows: self,
            running,
        };
        self.barrier.wait(tid, &mut keeper)
    }

    /// How many elements of contents may be reported when a window begins: a window that they fill would be cut again at once.
    pub(crate) fn room(&self) -> u64 {
        self.writer.max_bytes() / BYTES_REPORTED
    }

    /// Lets all go on that wait at the barrier.
    pub(crate) fn reopen(&self) {
        self.table.shut_barrier(false);
        self.barrier.open();
    }

    fn cut(&self) -> Result<Cut, WriteError> {
        let _alone = self.cutting.lock();
        if !self.wants_cut() {
            return Ok(Cut::GoOn);
        }
        let epoch = self.epoch.fetch_add(1, Ordering::Relaxed) + 1;
        if self.keep.load(Ordering::Acquire) || epoch == EPOCHS {
            self.ended.store(true, Ordering::Release);
            return Ok(Cut::End);
        }
        let seconds = self.started.elapsed().as_secs_f64();
        let begin = |first| {
            self.first.raise(first);
            self.table.begin_epoch(epoch);
        };
        if self.have_begun() {
            self.writer.cut(seconds, begin)?;
        } else {
            self.writer.begin(seconds, begin)?;
            self.begins.store(false, Ordering::Release);
        }
        Ok(Cut::GoOn)
    }

    /// Has the thread written nothing since the present window began? In the first one nobody knows.
    fn rests(&self, tid: i64) -> bool {
        let first = self.first.now();
        self.table
            .ordinal(tid)
            .is_none_or(|ordinal| ordinal < first)
    }

    /// A thread is given `buffer` in place of `old`. Does a window begin for it with that?
    pub(crate) fn began_with(&self, buffer: &Buffer, old: &Buffer) -> bool {
        let first = self.first.now();
        old.ordinal() < first && buffer.ordinal() >= first
    }

    /// Has the thread exchange a buffer again that it was given just when a window began. Call it when the buffer is in the table.
    pub(crate) fn settle(&self, buffer: &Buffer) {
        // Either `cut` sees the buffer in the table, or this sees that it was called.
        if buffer.ordinal() < self.first.look() {
            buffer.close();
        }
    }
}

/// A thread that keeps the barrier.
struct AtCut<'a> {
    windows: &'a Windows,
    running: &'a mut dyn FnMut() -> Option<Vec<Running>>,
}

impl Keeper for AtCut<'_> {
    fn running(&mut self) -> Option<Vec<Running>> {
        (self.running)()
    }

    fn rests(&self, tid: i64) -> bool {
        self.windows.rests(tid)
    }

    fn begin(&mut self) {
        match self.windows.cut() {
            Err(e) => self.windows.stop.failed(&e),
            Ok(Cut::End) => self.windows.stop.now(),
            Ok(Cut::GoOn) => {}
        }
    }
}
