//! The end of a recording before that of the program.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use jinsi_handover::Flag;
use jinsi_trace::writer::WriteError;
use parking_lot::Mutex;

use crate::buffers::Table;

/// Whether the recording has ended, and why.
///
/// No thread has a buffer any more then: tables are no longer written, and an event that names what is in none could not be read.
pub(crate) struct Stop {
    /// 0 until then.
    stopped: Flag<AtomicU64>,
    error: Mutex<Option<String>>,
    table: Arc<Table>,
    started: Instant,
    /// How long after the start it was ended before the program's end.
    ended: OnceLock<Duration>,
    /// Is called then, once.
    listener: OnceLock<Listener>,
}

/// Whom to tell that a recording has ended. Any thread calls it, from whatever it is doing.
type Listener = Box<dyn Fn() + Send + Sync>;

impl Stop {
    pub(crate) fn new(table: Arc<Table>) -> Self {
        Self {
            stopped: Flag::new(AtomicU64::new(0)),
            error: Mutex::default(),
            table,
            started: Instant::now(),
            ended: OnceLock::new(),
            listener: OnceLock::new(),
        }
    }

    /// Informs `listener` when the recording ends before the program does.
    pub(crate) fn tell(&self, listener: Listener) {
        let _ = self.listener.set(listener);
    }

    /// How long after its start it was ended, if that was before the program's end.
    pub(crate) fn ended(&self) -> Option<Duration> {
        self.ended.get().copied()
    }

    /// Has it ended?
    pub(crate) fn is_set(&self) -> bool {
        self.stopped.now() != 0
    }

    /// Has it ended while the calling thread was given a buffer? Then that is taken away again.
    pub(crate) fn overtook(&self, tid: i64) -> bool {
        // Either `now` sees the buffer in the table, or this sees that it was called.
        let overtaken = self.stopped.look() != 0;
        if overtaken {
            self.table.refuse(tid);
        }
        overtaken
    }

    /// Ends it.
    pub(crate) fn now(&self) {
        if self.is_set() {
            return;
        }
        // First, so that hardly a thread finds tables closed that still has a buffer.
        self.table.refuse_all();
        self.stopped.raise(1);
        self.table.refuse_all();
        if self.ended.set(self.started.elapsed()).is_ok()
            && let Some(listener) = self.listener.get()
        {
            listener();
        }
    }

    /// Ends it because of an error. The first is kept.
    pub(crate) fn failed(&self, e: &WriteError) {
        self.now();
        self.error.lock().get_or_insert_with(|| e.to_string());
    }

    /// Nothing is recorded from now on; who calls this takes the buffers away.
    pub(crate) fn set(&self) {
        self.stopped.raise(1);
    }

    /// The error that ended it.
    pub(crate) fn error(&self) -> Option<String> {
        self.error.lock().clone()
    }
}
