//! The table `accesses`.

use jinsi_history::{NodeKind, Outcome};
use jinsi_trace::model::{Prim, Value};

use crate::cell::Cell;
use crate::ended_node::EndedNode;
use crate::rows::Rows;
use crate::values::{object, text};

/// An access.
pub(crate) fn push(ended: &EndedNode<'_>, rows: &mut Rows<'_>) {
    let EndedNode {
        run,
        places,
        history,
        over,
    } = ended;
    let (thread, moment) = (over.thread.into(), i64::from(ended.key()));
    if !(rows.wanted.has("moment", moment) && rows.wanted.has("thread", thread)) {
        return;
    }
    let no = over.node;
    let node = history.node(no);
    let Some((site, place)) = places.site(node.site) else {
        return;
    };
    let kind = node.kind;
    let is_element = matches!(kind, NodeKind::ArrayLoad | NodeKind::ArrayStore);
    let is_static = matches!(kind, NodeKind::GetStatic | NodeKind::PutStatic);
    let outcome = history.outcome(no);
    let args = history.args(no);
    let (what, value) = match kind {
        NodeKind::PutField | NodeKind::PutStatic | NodeKind::ArrayStore => ("write", args.last()),
        _ => match &outcome {
            Outcome::Return(value) => ("read", value.as_ref()),
            _ => ("read", None),
        },
    };
    let index = match args.first() {
        Some(Value::Prim(Prim::Int(index))) if is_element => Cell::Int((*index).into()),
        _ => Cell::Null,
    };
    let holder = object(history.receiver(no));
    let class = match is_element {
        true => holder.and_then(|id| places.class(history.object(id)?.class)),
        false => Some(place.declaring.as_str()),
    };
    rows.push([
        run.name.as_str().into(),
        moment.into(),
        thread.into(),
        rows.cell("event", || ended.event()),
        ended.around().0.into(),
        what.into(),
        class.into(),
        (!is_element).then_some(site.target.name.as_str()).into(),
        is_static.into(),
        holder.into(),
        index,
        rows.cell("value", || value.map(|value| text(&run.trace, value))),
        value.and_then(object).into(),
        place.code.as_deref().into(),
        site.line.into(),
    ]);
}
