//! Which calls had a part in something that a call gave.

use std::collections::BTreeSet;

use jinsi_declarative::{NodeNo, Tree};
use jinsi_inspect::{Field, Inspector, Moment, Path, Seen};
use jinsi_slice::{CallResult, Kind, calls_with_a_part};
use jinsi_trace::model::{EventId, ObjectId, Value};

use crate::error::{AskedError, Result};

/// The calls in which an instruction ran that had a part in what an expression means at the end of a call, and those that lead to them.
///
/// It is the relevant slice: a branch that might have led to another value had its part, too. So had the constructor of an object in whose field
/// nobody wrote what the expression means: it might have.
///
/// # Errors
/// There is no such part; its slice cannot be made; the trace cannot be read.
pub fn had_a_part(
    inspector: &Inspector<'_>,
    tree: &Tree,
    node: NodeNo,
    part: &str,
) -> Result<Vec<NodeNo>> {
    let path: Path = part.parse()?;
    let call = tree.name(node);
    let found = inspector.call_result(call, &path)?;
    let is_given = !found.outcome && found.variables.is_empty() && found.objects.is_empty();
    if is_given {
        let part = part.to_owned();
        return Err(AskedError::NotAPart { part });
    }
    let call_result = CallResult {
        call,
        last: found.end.event.index,
        outcome: found.outcome,
        variables: found.variables,
        objects: found.objects,
    };
    let calls = calls_with_a_part(inspector.trace(), &call_result, Kind::Relevant)?;
    let thread = call.thread;
    let nodes = calls
        .into_iter()
        .filter_map(|index| tree.node(EventId { thread, index }));
    let made = constructors(inspector, (tree, node), &found.unset)?;
    let others = fed_by_others(inspector, tree, node);
    Ok(with_callers(tree, node, nodes.chain(made).chain(others)))
}

/// The calls that may have had a part by way of other threads. What is written by one thread and read by another is not followed: so it is all
/// that others did for the call, and all that was done before the last of them ended, which may have been for it.
fn fed_by_others(inspector: &Inspector<'_>, tree: &Tree, node: NodeNo) -> Vec<NodeNo> {
    let tasks = tree.tasks(node + 1..tree.below(node).end).iter();
    let ended = tasks.map(|task| {
        let task = inspector.activation(tree.name(*task)).ok();
        let end = task.and_then(|task| task.end);
        end.map_or(u64::MAX, |end| inspector.rank(end.event))
    });
    let Some(last) = ended.max() else {
        return Vec::new();
    };
    let before = |no: &NodeNo| inspector.rank(tree.name(*no)) <= last;
    tree.below(node).filter(before).collect()
}

/// Constructors are looked through until those of an object are found.
const CONSTRUCTORS: usize = 500;

/// The constructors in a call that might have set these fields.
fn constructors(
    inspector: &Inspector<'_>,
    (tree, node): (&Tree, NodeNo),
    unset: &[(ObjectId, Field)],
) -> Result<Vec<NodeNo>> {
    let mut found = Vec::new();
    for (object, field) in unset {
        let of_class = |no: &NodeNo| {
            let method = tree.method(tree.method_of(*no));
            method.name == "<init>" && *method.owner == *field.class
        };
        for no in tree.below(node).filter(of_class).take(CONSTRUCTORS) {
            let name = tree.name(no);
            let state = inspector.state(Moment::after(name))?;
            let mut frames = state.frames.into_iter();
            let this = frames.find(|frame| frame.activation == name);
            let this = this.and_then(|frame| frame.this);
            found.extend((this == Some(Seen::Known(Value::Object(*object)))).then_some(no));
        }
    }
    Ok(found)
}

/// These nodes, and those between each and `top`.
fn with_callers(tree: &Tree, top: NodeNo, nodes: impl Iterator<Item = NodeNo>) -> Vec<NodeNo> {
    let below = tree.below(top);
    let mut all = BTreeSet::from([top]);
    for node in nodes.filter(|node| below.contains(node)) {
        let mut next = Some(node);
        while let Some(one) = next.filter(|one| all.insert(*one)) {
            next = tree.parent(one);
        }
    }
    all.into_iter().collect()
}
