//! The table `calls`.

use jinsi_history::{History, Moment, NodeKind, NodeNo, Outcome};
use jinsi_trace::model::Value;

use crate::cell::Cell;
use crate::error::QueryError;
use crate::rows::Rows;
use crate::run::{Run, Shape};
use crate::values::{dotted, list, object, text};

pub(crate) fn tell(run: &Run, rows: &mut Rows<'_>) -> Result<(), QueryError> {
    let shape = run.shape()?;
    let history = &shape.history;
    for (no, node) in history.nodes() {
        if !matches!(node.kind, NodeKind::Activation | NodeKind::Call) {
            continue;
        }
        if !rows.more() {
            break;
        }
        let thread = history.thread_of(no).into();
        let key = i64::from(shape.key(no));
        if rows.wanted.has("thread", thread) && rows.wanted.has("call", key) {
            push(run, &shape, rows, no);
        }
    }
    Ok(())
}

/// How deep a call is: the recorded calls around it.
fn depth(shape: &Shape, no: NodeNo) -> u64 {
    let above = std::iter::successors(shape.around(no).0, |at| shape.around(*at).0);
    above.count() as u64
}

/// The moment with which a call ended.
pub(crate) fn ended(history: &History, no: NodeNo) -> Option<Moment> {
    let open = history.outcome(no) == Outcome::Open;
    (!open).then_some(history.node(no).close)
}

/// The object whose method it is, or that is made.
fn receiver(history: &History, no: NodeNo) -> Option<u64> {
    if let Some(id) = object(history.receiver(no)) {
        return Some(id);
    }
    if history.node(no).kind == NodeKind::Activation
        && let jinsi_history::Entity::Object(id) = history.entity(no)
    {
        return Some(id);
    }
    match history.outcome(no) {
        Outcome::Return(Some(Value::Object(id))) if history.is_constructor(no) => Some(id),
        _ => None,
    }
}

fn push(run: &Run, shape: &Shape, rows: &mut Rows<'_>, no: NodeNo) {
    let trace = &run.trace;
    let history = &shape.history;
    let Some(member) = history.member(no) else {
        return;
    };
    let node = history.node(no);
    let (caller, through) = shape.around(no);
    let outcome = history.outcome(no);
    let is_constructor = history.is_constructor(no);
    let returned = match &outcome {
        Outcome::Return(Some(value)) if !is_constructor => Some(value),
        _ => None,
    };
    let receiver = receiver(history, no);
    let class = trace.class_by_name(&member.owner);
    rows.push([
        run.name.as_str().into(),
        shape.key(no).into(),
        ended(history, no).map(Moment::get).into(),
        history.thread_of(no).into(),
        rows.cell("event", || shape.event(node.begin).map(|e| e.to_string())),
        caller.map(|no| shape.key(no)).into(),
        through.map(|no| shape.key(no)).into(),
        rows.cell("depth", || depth(shape, no)),
        (node.kind == NodeKind::Activation).into(),
        dotted(&member.owner).into(),
        member.name.as_str().into(),
        member.desc.as_str().into(),
        class.and_then(|class| class.source_file.as_deref()).into(),
        history.call_site(no).map_or(0, |site| site.line).into(),
        receiver.into(),
        rows.cell("receiver_class", || {
            receiver.and_then(|id| history.class_of(id)).map(dotted)
        }),
        rows.cell("arguments", || list(trace, history.args(no))),
        outcome_name(&outcome).into(),
        rows.cell("result", || returned.map(|value| text(trace, value))),
        returned.and_then(object).into(),
        match outcome {
            Outcome::Throw(id) => id.into(),
            _ => Cell::Null,
        },
    ]);
}

fn outcome_name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Return(_) => "returned",
        Outcome::Throw(_) => "threw",
        Outcome::Open => "open",
    }
}
