//! Where a failed run lets the defect be expected.

use jinsi_declarative::{Expected, NodeNo, Tree};
use jinsi_inspect::{Inspector, Outcome};

use crate::error::Result;
use crate::part::had_a_part;

/// Calls and events of a run of which it is found out which had a part in the failure: the whole run is gone through for that, now and then
/// several times, before the first question.
const CALLS: usize = 1 << 14;
const EVENTS: u64 = 500_000;

/// In methods that were running when the exception was thrown by which the thread of a tree failed (an outermost call ended by it), and in calls
/// that had a part in that. If none ended so, in calls that had a part in the result of the outermost call `failed`. Else nothing is known.
///
/// # Errors
/// The trace cannot be read.
pub fn expected(
    inspector: &Inspector<'_>,
    tree: &Tree,
    failed: Option<NodeNo>,
) -> Result<Vec<Expected>> {
    let part = |node, of: &str| {
        let trace = inspector.trace();
        let events = trace.threads().iter().map(|t| trace.event_count(t.no));
        let small = tree.len() <= CALLS && events.sum::<u64>() <= EVENTS;
        // A slice that cannot be made says nothing.
        let part = small.then(|| had_a_part(inspector, tree, node, of).ok());
        part.flatten().map(|part| Expected::part(tree, &part))
    };
    for root in tree.roots() {
        let Outcome::Threw(id) = inspector.outcome(tree.name(root))? else {
            continue;
        };
        let methods = inspector.thrown_in(tree.name(root).thread, id)?;
        let numbers = methods
            .iter()
            .map(|m| tree.method_no([&*m.owner, &*m.name, &*m.desc]));
        let numbers: Vec<u32> = numbers.flatten().collect();
        let running = Expected::running(tree, &numbers);
        return Ok([Some(running), part(root, "exception")]
            .into_iter()
            .flatten()
            .collect());
    }
    let result = failed.and_then(|failed| part(failed, "result"));
    Ok(result.into_iter().collect())
}
