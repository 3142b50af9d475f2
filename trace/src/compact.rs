//! Encoding a trace again, with more time than there was when it was recorded.

use std::path::Path;

use crate::compose::{ComposeError, Composer};
use crate::model::{Record, Window};
use crate::reader::Trace;

/// Writes the tables and events of `trace` into a new file, encoded as small as can be: chunks that were made in a hurry, and
/// what a killed process left in its buffers. What `trace` has lost (damaged parts, dropped events) is not in the new file, either; that
/// it is lost, and how many events were dropped, is.
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
    if let Some(surroundings) = trace.surroundings() {
        to.record(&Record::Surroundings(surroundings.clone()))?;
    }
    if let Some(properties) = trace.test_properties() {
        to.record(&Record::TestProperties(properties.clone()))?;
    }
    for some in trace.class_files() {
        to.record(&Record::ClassFiles(some?))?;
    }
    if let Some(window) = trace.window() {
        // All that is in the copy belongs to it.
        to.record(&Record::Window(Window { first: 0, ..window }))?;
    }
    for damage in trace.damage() {
        to.record(&Record::Damage(damage.def()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chunk::Effort;
    use crate::model::{Content, Event, Meta, Payload, Prim, Value};
    use crate::raw::{self, Shortening, operand_letters};
    use crate::writer::{TraceWriter, WriteError, WriterOptions};
    use jinsi_events::arbitrary::{arrays, event, sites};

    /// A trace with these events on two threads, whose process did not end.
    fn unfinished(path: &Path, events: &[Event]) -> TraceWriter {
        let writer = TraceWriter::create(path, WriterOptions::default()).unwrap();
        writer.record(&Record::Meta(Meta::default())).unwrap();
        writer.record(&Record::Sites(sites())).unwrap();
        for thread in [0, 1] {
            let buffer = writer.acquire(thread, 0).unwrap();
            let (mut raw, mut arrays) = (Vec::new(), Shortening::default());
            for (n, event) in events.iter().enumerate() {
                let begin = raw.len();
                let shapes = jinsi_events::arbitrary::shapes();
                let letters = operand_letters(event.kind, event.site, &shapes).unwrap();
                raw::encode(event, letters.as_deref().unwrap_or_default(), &mut raw).unwrap();
                arrays.last(&mut raw, begin);
                assert!(writer.store(buffer, &raw[begin..]), "event {n} fits");
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
        fn nothing_is_lost(
            events in prop_oneof![prop::collection::vec(event(), 0..40), arrays()],
            finish: bool,
        ) {
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
                let mut read: Vec<Event> = before.events_backward(thread).map(Result::unwrap).collect();
                read.reverse();
                prop_assert_eq!(&read, &events);
            }
        }
    }

    #[test]
    fn arrays_that_hardly_change_stay_small() {
        let content = |n: u64| {
            let values =
                (0..5000).map(|at| Value::Prim(Prim::Long((at + u64::from(at < n)) as i64)));
            let content = Content::Array(values.collect());
            let payload = Payload::Content { id: n % 3, content };
            Event {
                kind: crate::model::EventKind::Content,
                site: None,
                payload,
            }
        };
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let events: Vec<Event> = (0..400).map(content).collect();
        let mut composer = Composer::create(&path("a.jinsi")).unwrap();
        composer.record(&Record::Meta(Meta::default())).unwrap();
        composer.events(0, events.iter().cloned().map(Ok)).unwrap();
        composer.close(None).unwrap();
        let before = Trace::open(&path("a.jinsi")).unwrap();
        compact(&before, &path("b.jinsi")).unwrap();
        let after = Trace::open(&path("b.jinsi")).unwrap();
        for trace in [before, after] {
            let read: Vec<Event> = trace.events(0).map(Result::unwrap).collect();
            assert!(read == events);
            let mut read: Vec<Event> = trace.events_backward(0).map(Result::unwrap).collect();
            read.reverse();
            assert!(read == events);
            let raw: u64 = trace
                .kind_stats()
                .values()
                .map(|stats| stats.raw_bytes)
                .sum();
            assert!(raw < 400 * 5000 * 8 / 4, "{raw}");
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
