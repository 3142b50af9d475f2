//! Encoding a trace again, with more time than there was when it was recorded.

use std::path::Path;

use thiserror::Error;

use crate::chunk::{Effort, Encoder};
use crate::model::{Record, ThreadNo};
use crate::raw::{self, EncodeError, RawError, operand_letters};
use crate::reader::{ReadError, Trace};
use crate::writer::{TraceWriter, WriteError, WriterOptions};

/// Raw bytes of a thread that are encoded together.
const RAW_BYTES: usize = 1 << 20;

/// Why a trace cannot be compacted.
#[derive(Debug, Error)]
pub enum CompactError {
    /// The trace that is read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The trace that is written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// An event that does not fit its site.
    #[error(transparent)]
    Site(#[from] RawError),
    /// An event that contradicts itself.
    #[error(transparent)]
    Event(#[from] EncodeError),
}

/// Writes the tables and events of `trace` into a new file, encoded as small as can be: chunks that were made in a hurry, and
/// what a killed process left in its buffers. What `trace` has lost (damaged parts, dropped events) is not in the new file, either; how
/// many events were dropped is.
///
/// # Errors
/// `trace` cannot be read, or `to` exists or cannot be written; then `to` is removed again.
pub fn compact(trace: &Trace, to: &Path) -> Result<(), CompactError> {
    let options = WriterOptions {
        buffers_per_zone: 1,
        rewrite_limit: u64::MAX,
        ..WriterOptions::default()
    };
    let writer = TraceWriter::create(to, options)?;
    let done = copy(trace, &writer);
    if done.is_err() {
        // It was made by this call and is not whole.
        let _ = std::fs::remove_file(to);
    }
    done
}

fn copy(trace: &Trace, writer: &TraceWriter) -> Result<(), CompactError> {
    tables(trace, writer)?;
    writer.dropped_before(trace.events_dropped())?;
    let mut encoder = Encoder::default();
    let mut ordinal = 0;
    for thread in trace.threads() {
        events(trace, thread.no, writer, &mut encoder, &mut ordinal)?;
    }
    writer.close(trace.end().cloned())?;
    Ok(())
}

fn tables(trace: &Trace, writer: &TraceWriter) -> Result<(), WriteError> {
    writer.record(&Record::Meta(trace.meta().clone()))?;
    for class in trace.classes() {
        writer.record(&Record::Class(class.clone()))?;
    }
    for sites in trace.sites().chunk_by(|a, b| a.class == b.class) {
        writer.record(&Record::Sites(sites.to_vec()))?;
    }
    for thread in trace.threads() {
        let (no, name) = (thread.no, thread.name.clone());
        writer.record(&Record::Thread { no, name })?;
    }
    for throwable in trace.throwables() {
        writer.record(&Record::Throwable(throwable.clone()))?;
    }
    for mark in trace.marks() {
        writer.record(&Record::Mark(mark.clone()))?;
    }
    for failure in trace.failures() {
        writer.record(&Record::Failure(failure.clone()))?;
    }
    for skipped in trace.skipped() {
        writer.record(&Record::Skipped(skipped.clone()))?;
    }
    Ok(())
}

fn events(
    trace: &Trace,
    thread: ThreadNo,
    writer: &TraceWriter,
    encoder: &mut Encoder,
    ordinal: &mut u64,
) -> Result<(), CompactError> {
    let mut raw = Vec::with_capacity(2 * RAW_BYTES);
    let mut flush = |raw: &mut Vec<u8>| {
        *ordinal += 1;
        let done = writer.encode_raw(encoder, (thread, *ordinal), raw, Effort::Best);
        raw.clear();
        done
    };
    for event in trace.events(thread) {
        let event = event?;
        let letters = operand_letters(event.kind, event.site, trace.shapes())?;
        raw::encode(&event, letters.as_deref().unwrap_or_default(), &mut raw)?;
        if raw.len() >= RAW_BYTES {
            flush(&mut raw)?;
        }
    }
    flush(&mut raw)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::arbitrary::{event, sites};
    use crate::model::{Event, Meta};

    /// A trace with these events on two threads, whose process did not end.
    fn unfinished(path: &Path, events: &[Event]) -> TraceWriter {
        let writer = TraceWriter::create(path, WriterOptions::default()).unwrap();
        writer.record(&Record::Meta(Meta::default())).unwrap();
        writer.record(&Record::Sites(sites())).unwrap();
        for thread in [0, 1] {
            let buffer = writer.acquire(thread, 0).unwrap();
            for (n, event) in events.iter().enumerate() {
                let mut raw = Vec::new();
                let shapes = crate::arbitrary::shapes();
                let letters = operand_letters(event.kind, event.site, &shapes).unwrap();
                raw::encode(event, letters.as_deref().unwrap_or_default(), &mut raw).unwrap();
                assert!(writer.store(buffer, &raw), "event {n} fits");
            }
            if thread == 0 {
                writer.hand_over(buffer);
                writer.encode(buffer, Effort::Fast).unwrap();
            }
        }
        writer
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn nothing_is_lost(events in prop::collection::vec(event(), 0..40), finish: bool) {
            let directory = tempfile::tempdir().unwrap();
            let (from, to) = (directory.path().join("a.jinsi"), directory.path().join("b.jinsi"));
            let writer = unfinished(&from, &events);
            if finish {
                writer.finish(crate::model::End::default()).unwrap();
            }
            let before = Trace::open(&from).unwrap();
            compact(&before, &to).unwrap();
            let after = Trace::open(&to).unwrap();
            prop_assert_eq!(after.damage(), &[]);
            prop_assert_eq!(after.end(), before.end());
            prop_assert_eq!(after.sites(), before.sites());
            for thread in [0, 1] {
                let read: Vec<Event> = after.events(thread).map(Result::unwrap).collect();
                prop_assert_eq!(&read, &events);
            }
        }
    }

    #[test]
    fn a_file_that_exists_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let (from, to) = (
            directory.path().join("a.jinsi"),
            directory.path().join("b.jinsi"),
        );
        unfinished(&from, &[]);
        std::fs::write(&to, "precious").unwrap();
        let refused = compact(&Trace::open(&from).unwrap(), &to);
        assert!(matches!(refused, Err(CompactError::Write(WriteError::Exists(p))) if p == to));
        assert_eq!(std::fs::read_to_string(&to).unwrap(), "precious");
    }
}
