//! The levels of a failure that is no exception.

use std::collections::BTreeSet;

use crate::delivery::target_class;
use crate::failure::StackLevel;
use crate::looks::touched_under;
use jinsi_history::{History, NodeKind};
use jinsi_level::NodeNo;

/// The levels of a failure that shows at `at`: the class that is asked there, then all whose code ran for that, then everything but the
/// `callers`, then all that was recorded. Those that add nothing are left out.
pub(crate) fn levels_at(
    history: &History,
    at: NodeNo,
    callers: &BTreeSet<String>,
) -> Vec<StackLevel> {
    // What the test looked at itself is about those who touched that.
    let by = match history.node(at).kind {
        NodeKind::Call => touched_under(history, at, callers).unwrap_or(at),
        _ => at,
    };
    let node = history.node(by);
    let class = match node.kind {
        NodeKind::Activation => history.entity_class(by),
        _ => history.member(by).map_or("", |_| target_class(history, by)),
    }
    .to_owned();
    let recorded: BTreeSet<String> = history
        .tables()
        .observed_classes()
        .map(str::to_owned)
        .collect();
    let narrow = BTreeSet::from([class.clone()]);
    let computing = by
        .until(node.end)
        .filter(|&n| history.node(n).kind == NodeKind::Activation)
        .map(|n| history.entity_class(n).to_owned())
        .filter(|c| recorded.contains(c));
    let computing: BTreeSet<String> = narrow.iter().cloned().chain(computing).collect();
    let all_but_test = recorded.difference(callers).cloned().collect();
    let mut levels: Vec<StackLevel> = Vec::new();
    for observed in [narrow, computing, all_but_test, recorded] {
        if levels.last().is_some_and(|l| l.observed == observed) {
            continue;
        }
        let joins = match observed.intersection(callers).next() {
            Some(caller) => caller.clone(),
            None => class.clone(),
        };
        levels.push(StackLevel {
            entity: history.entity(by),
            class: joins,
            activations: vec![by],
            observed,
        });
    }
    levels
}
