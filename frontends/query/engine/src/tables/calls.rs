//! The table `calls`.

use jinsi_history::{Entity, History, NodeKind, NodeNo, Outcome};
use jinsi_trace::model::Value;

use crate::cell::Cell;
use crate::ended_node::EndedNode;
use crate::rows::Rows;
use crate::values::{list, object, text};

/// A call that is over, or that never ended.
pub(crate) fn push(ended: &EndedNode<'_>, rows: &mut Rows<'_>) {
    let EndedNode {
        run,
        places,
        history,
        over,
    } = ended;
    let (thread, key) = (over.thread.into(), i64::from(ended.key()));
    if !(rows.wanted.has("thread", thread) && rows.wanted.has("call", key)) {
        return;
    }
    let no = over.node;
    let node = history.node(no);
    let Some((site, place)) = places.site(node.site) else {
        return;
    };
    let recorded = node.kind == NodeKind::Activation;
    let (class, file) = match recorded {
        true => (place.class.as_deref(), &place.file),
        false => (Some(place.owner.as_str()), &place.owner_file),
    };
    let (name, descriptor) = match recorded {
        true => (&site.method, &site.desc),
        false => (&site.target.name, &site.target.desc),
    };
    let trace = &run.trace;
    let (caller, through) = ended.around();
    let outcome = history.outcome(no);
    let returned = match &outcome {
        Outcome::Return(Some(value)) if !history.is_constructor(no) => Some(value),
        _ => None,
    };
    let end = (outcome != Outcome::Open).then(|| node.close.get());
    let receiver = receiver(history, no);
    let receiver_class = receiver.and_then(|id| places.class(history.object(id)?.class));
    rows.push([
        run.name.as_str().into(),
        key.into(),
        end.into(),
        thread.into(),
        rows.cell("event", || ended.event()),
        caller.into(),
        through.into(),
        over.depth.into(),
        recorded.into(),
        class.into(),
        name.as_str().into(),
        descriptor.as_str().into(),
        file.as_deref().into(),
        history.call_site(no).map_or(0, |site| site.line).into(),
        receiver.into(),
        receiver_class.into(),
        rows.cell("arguments", || list(trace, history.args(no))),
        ending(&outcome).into(),
        rows.cell("result", || returned.map(|value| text(trace, value))),
        returned.and_then(object).into(),
        match outcome {
            Outcome::Throw(id) => id.into(),
            _ => Cell::Null,
        },
    ]);
}

/// The object whose method it is, or that is made.
fn receiver(history: &History, no: NodeNo) -> Option<u64> {
    if let Some(id) = object(history.receiver(no)) {
        return Some(id);
    }
    if history.node(no).kind == NodeKind::Activation
        && let Entity::Object(id) = history.entity(no)
    {
        return Some(id);
    }
    match history.outcome(no) {
        Outcome::Return(Some(Value::Object(id))) if history.is_constructor(no) => Some(id),
        _ => None,
    }
}

fn ending(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Return(_) => "returned",
        Outcome::Throw(_) => "threw",
        Outcome::Open => "open",
    }
}
