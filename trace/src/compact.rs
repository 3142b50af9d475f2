//! Encoding a trace again, with more time than there was when it was recorded.

use std::path::Path;

use crate::compose::{ComposeError, Composer};
use crate::model::{Record, Window};
use crate::reader::Trace;

/// Writes the tables and events of `trace` into a new file, encoded as small as can be: chunks that were made in a hurry, and
/// what a killed process left in its buffers. What `trace` has lost (damaged parts, dropped events) is not in the new file, either; how
/// many events were dropped is.
///
/// # Errors
/// `trace` cannot be read, or `to` exists or cannot be written; then `to` is removed again.
pub fn compact(trace: &Trace, to: &Path) -> Result<(), ComposeError> {
    let mut composer = Composer::create(to)?;
    tables(trace, &mut composer)?;
    composer.dropped_before(trace.events_dropped())?;
    for thread in trace.threads() {
        composer.events(thread.no, trace.events(thread.no))?;
    }
    composer.close(trace.end().cloned())
}

fn tables(trace: &Trace, to: &mut Composer) -> Result<(), ComposeError> {
    to.record(&Record::Meta(trace.meta().clone()))?;
    for class in trace.classes() {
        to.record(&Record::Class(class.clone()))?;
    }
    for sites in trace.sites().chunk_by(|a, b| a.class == b.class) {
        to.record(&Record::Sites(sites.to_vec()))?;
    }
    for thread in trace.threads() {
        let (no, name) = (thread.no, thread.name.clone());
        to.record(&Record::Thread { no, name })?;
    }
    for throwable in trace.throwables() {
        to.record(&Record::Throwable(throwable.clone()))?;
    }
    for mark in trace.marks() {
        to.record(&Record::Mark(mark.clone()))?;
    }
    for failure in trace.failures() {
        to.record(&Record::Failure(failure.clone()))?;
    }
    for skipped in trace.skipped() {
        to.record(&Record::Skipped(skipped.clone()))?;
    }
    for note in trace.notes() {
        to.record(&Record::Note(note.clone()))?;
    }
    for &class in trace.identity_hashed() {
        to.record(&Record::IdentityHashed(class))?;
    }
    if let Some(salt) = trace.salt() {
        to.record(&Record::Salt(salt))?;
    }
    if let Some(window) = trace.window() {
        // All that is in the copy belongs to it.
        to.record(&Record::Window(Window { first: 0, ..window }))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::arbitrary::{event, sites};
    use crate::chunk::Effort;
    use crate::model::{Event, Meta};
    use crate::raw::{self, operand_letters};
    use crate::writer::{TraceWriter, WriteError, WriterOptions};

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
        assert!(matches!(refused, Err(ComposeError::Write(WriteError::Exists(p))) if p == to));
        assert_eq!(std::fs::read_to_string(&to).unwrap(), "precious");
    }
}
