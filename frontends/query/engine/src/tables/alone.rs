//! The table `events`, if no other is filled in the same pass.

use jinsi_trace::model::ThreadNo;
use jinsi_trace::order::Merged;
use jinsi_trace::reader::Trace;

use super::events::push;
use super::picked;
use crate::ended_node::ELEMENTS;
use crate::error::QueryError;
use crate::places::Places;
use crate::rows::Rows;
use crate::run::Run;
use crate::wanted::Bounds;

/// Tells this table alone: nothing but the events is needed for it.
pub(crate) fn tell(run: &Run, rows: &mut Rows<'_>) -> Result<(), QueryError> {
    let trace = &run.trace;
    let places = Places::new(trace, run.tables());
    let only = only_thread(trace);
    if let Some(thread) = only.filter(|_| picked::picks(rows.wanted)) {
        picked::tell(run, &places, thread, rows)?;
        rows.flush();
        return Ok(());
    }
    let Bounds { low, high: to, .. } = rows.wanted.bounds("moment");
    let first = u64::try_from(low.max(1)).unwrap_or(1);
    let mut row = |moment: u64, merged: &Merged| {
        push(run, &places, rows, moment, merged);
        rows.more() && i64::try_from(moment).is_ok_and(|moment| moment < to)
    };
    // With one thread, an event's number is its place; so what lies before is not even read.
    if let Some(thread) = only {
        let events = trace.events_from(thread, first - 1).elements(ELEMENTS);
        for (index, event) in (first - 1..).zip(events) {
            let merged = Merged {
                thread,
                index,
                event: event?,
            };
            if !row(index + 1, &merged) {
                break;
            }
        }
        rows.flush();
        return Ok(());
    }
    for (moment, merged) in (1..).zip(trace.merged_with_elements(ELEMENTS)) {
        let merged = merged?;
        if moment >= first && !row(moment, &merged) {
            break;
        }
    }
    rows.flush();
    Ok(())
}

/// The thread that all events are of, if there is but one.
fn only_thread(trace: &Trace) -> Option<ThreadNo> {
    let threads = trace.threads().iter().map(|thread| thread.no);
    let mut threads = threads.filter(|no| trace.event_count(*no) > 0);
    threads.next().filter(|_| threads.next().is_none())
}
