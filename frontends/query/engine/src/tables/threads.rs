//! The table `threads`.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_history::History;
use jinsi_trace::model::{EventId, FailureKind, ThreadNo};

use crate::rows::Rows;
use crate::run::Run;

/// Tells the threads, when all events were read; `open`: those whose calls did not all end.
pub(crate) fn tell(run: &Run, history: &History, open: &BTreeSet<ThreadNo>, rows: &mut Rows<'_>) {
    let trace = &run.trace;
    let uncaught = trace.failures().iter();
    let uncaught = uncaught.filter(|f| f.kind == FailureKind::Uncaught);
    let died: BTreeSet<_> = uncaught.map(|f| f.thread).collect();
    let named: BTreeMap<_, _> = trace.threads().iter().map(|t| (t.no, &t.name)).collect();
    for (thread, name) in named {
        let events = trace.event_count(thread);
        let moment = |index: u64| {
            let at = history.moment_of(EventId { thread, index });
            at.map(|at| at.get())
        };
        let status = match (died.contains(&thread), open.contains(&thread), trace.end()) {
            (true, ..) => "died",
            (false, false, Some(_)) => "exited",
            _ => "running",
        };
        rows.push([
            run.name.as_str().into(),
            thread.into(),
            name.as_str().into(),
            events.into(),
            (events > 0).then(|| moment(0)).flatten().into(),
            events.checked_sub(1).and_then(moment).into(),
            status.into(),
        ]);
    }
}
