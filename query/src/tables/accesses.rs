//! The table `accesses`.

use jinsi_history::{NodeKind, NodeNo, Outcome};
use jinsi_trace::model::{Prim, Value};

use super::method_of;
use crate::cell::Cell;
use crate::error::QueryError;
use crate::rows::Rows;
use crate::run::{Run, Shape};
use crate::values::{dotted, object, text};

pub(crate) fn tell(run: &Run, rows: &mut Rows<'_>) -> Result<(), QueryError> {
    let shape = run.shape()?;
    let history = &shape.history;
    for (no, node) in history.nodes() {
        if matches!(node.kind, NodeKind::Activation | NodeKind::Call) {
            continue;
        }
        if !rows.more() {
            break;
        }
        let moment = i64::from(shape.key(no));
        let thread = history.thread_of(no).into();
        if rows.wanted.has("moment", moment) && rows.wanted.has("thread", thread) {
            push(run, &shape, rows, no);
        }
    }
    Ok(())
}

fn push(run: &Run, shape: &Shape, rows: &mut Rows<'_>, no: NodeNo) {
    let trace = &run.trace;
    let history = &shape.history;
    let Some(site) = history.site(no) else { return };
    let node = history.node(no);
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
        true => holder.and_then(|id| history.class_of(id)).map(dotted),
        false => Some(dotted(&history.tables().declaring_class(&site.target))),
    };
    rows.push([
        run.name.as_str().into(),
        shape.key(no).into(),
        history.thread_of(no).into(),
        rows.cell("event", || shape.event(node.begin).map(|e| e.to_string())),
        shape.around(no).0.map(|no| shape.key(no)).into(),
        what.into(),
        class.into(),
        (!is_element).then_some(site.target.name.as_str()).into(),
        is_static.into(),
        holder.into(),
        index,
        rows.cell("value", || value.map(|value| text(trace, value))),
        value.and_then(object).into(),
        rows.cell("code", || method_of(trace, site)),
        site.line.into(),
    ]);
}
