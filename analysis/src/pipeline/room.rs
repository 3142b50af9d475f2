//! Is there room in the memory for a history? A system whose memory is used up ends programs without a word.

use jinsi_history::Node;
use jinsi_platform::memory;
use jinsi_trace::model::{EventKind, ThreadNo};
use jinsi_trace::reader::Trace;

use super::PipelineError;

/// Is there room for the history of a thread? That it has as many nodes by the event as all threads together is an estimate.
pub(super) fn for_thread(trace: &Trace, thread: ThreadNo) -> Result<(), PipelineError> {
    for_events(trace, trace.event_count(thread))
}

/// The same for the history of all threads.
pub(super) fn for_all(trace: &Trace) -> Result<(), PipelineError> {
    let threads = trace.threads().iter();
    for_events(trace, threads.map(|t| trace.event_count(t.no)).sum())
}

fn for_events(trace: &Trace, events: u64) -> Result<(), PipelineError> {
    let stats = trace.kind_stats();
    let all: u64 = stats.values().map(|s| s.events).sum();
    let of_nodes = stats.iter().filter(|(kind, _)| makes_a_node(**kind));
    let nodes: u64 = of_nodes.map(|(_, s)| s.events).sum();
    let share = nodes as f64 / all.max(1) as f64;
    match memory::available() {
        Some(available) => fits((events as f64 * share) as u64, available),
        None => Ok(()),
    }
}

fn makes_a_node(kind: EventKind) -> bool {
    use EventKind::{ArrayLoad, ArrayStore, Call, Enter, GetField, GetStatic, PutField, PutStatic};
    matches!(
        kind,
        Enter | Call | GetField | PutField | GetStatic | PutStatic | ArrayLoad | ArrayStore
    )
}

/// Nodes take more than this, for they have values. What takes as much as there is for sure is refused.
fn fits(nodes: u64, available: u64) -> Result<(), PipelineError> {
    let needed = nodes.saturating_mul(size_of::<Node>() as u64);
    match needed > available {
        true => Err(PipelineError::NoRoom {
            nodes,
            needed: gigabytes(needed),
            available: gigabytes(available),
        }),
        false => Ok(()),
    }
}

/// With one digit behind the point.
fn gigabytes(bytes: u64) -> String {
    format!("{:.1} GB", bytes as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_that_does_not_fit_is_refused_with_what_it_would_take() {
        assert!(fits(1_000_000, 1 << 30).is_ok());
        let refused = fits(1_000_000_000, 4 << 30).unwrap_err().to_string();
        assert!(refused.contains("1000000000 calls"), "{refused}");
        assert!(refused.contains("64.0 GB"), "{refused}");
        assert!(refused.contains("4.3 GB"), "{refused}");
    }
}
