//! Encoding what is left when a trace is closed.

use std::num::NonZero;
use std::thread;

use parking_lot::Mutex;

use super::append::Taken;
use super::spill::Spilled;
use super::{Effort, TraceWriter, WriteError};

/// So much is left that none of it gets much trouble: the process is to end.
const MANY: usize = 16;
/// So much is worth a further thread.
const SHARE: usize = 4;

/// Events that are not encoded.
pub(super) enum Unencoded {
    /// In a buffer.
    Buffer(Taken),
    /// Spilled.
    Spilled(Spilled),
}

impl TraceWriter {
    /// Encodes all that is left, on all processors if it is much: nothing else runs any more.
    pub(super) fn encode_rest(&self) -> Result<(), WriteError> {
        let buffers = self.buffers.lock().take_all();
        let mut left: Vec<Unencoded> = buffers.into_iter().map(Unencoded::Buffer).collect();
        left.extend(self.spill.take_all().into_iter().map(Unencoded::Spilled));
        let effort = match left.len() {
            0..=MANY => Effort::Best,
            _ => Effort::Fast,
        };
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        let threads = processors.min(left.len() / SHARE);
        let left = Mutex::new(left);
        let work = || {
            loop {
                let Some(next) = left.lock().pop() else {
                    return Ok(());
                };
                // After an error the others find that recording has ended.
                self.encode_one(next, effort)?;
            }
        };
        thread::scope(|scope| {
            let further = (1..threads).map_while(|_| {
                let name = "jinsi-encoder".into();
                // If there can be no thread, this one does more.
                let thread = thread::Builder::new().name(name);
                thread.spawn_scoped(scope, work).ok()
            });
            let further: Vec<_> = further.collect();
            let own = work();
            let others = further.into_iter().map(|thread| match thread.join() {
                Ok(done) => done,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            let failed: Vec<_> = [own]
                .into_iter()
                .chain(others)
                .filter_map(Result::err)
                .collect();
            // One of them says why, the others that it has ended.
            let why = failed.into_iter().reduce(|a, b| match a {
                WriteError::Ended(_) => b,
                _ => a,
            });
            why.map_or(Ok(()), Err)
        })
    }

    /// Encodes events that nobody else encodes.
    pub(super) fn encode_one(&self, left: Unencoded, effort: Effort) -> Result<(), WriteError> {
        match left {
            Unencoded::Buffer(taken) => {
                let whose = (taken.buffer.thread(), taken.buffer.ordinal());
                let done = self.encode_events(whose, taken.buffer.events(), effort);
                self.buffers.lock().give_back(taken, done.is_ok());
                done
            }
            Unencoded::Spilled(spilled) => {
                let events = self.spill.read(&spilled).map_err(|e| self.failed(e))?;
                let done = self.encode_events(spilled.whose(), &events, effort);
                self.spill.reuse(events);
                done?;
                self.spill.free(&spilled).map_err(|e| self.failed(e))
            }
        }
    }
}
