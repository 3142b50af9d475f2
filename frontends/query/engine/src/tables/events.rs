//! The table `events`.

use jinsi_history::describe::Describer;
use jinsi_trace::model::{Event, EventId, EventKind, Payload, Site, Value};
use jinsi_trace::order::Merged;

use crate::places::Places;
use crate::rows::Rows;
use crate::run::Run;
use crate::values::{content, object, text};

/// An event.
pub(crate) fn push(
    run: &Run,
    places: &Places<'_>,
    rows: &mut Rows<'_>,
    moment: u64,
    merged: &Merged,
) {
    let index = i64::try_from(merged.index).unwrap_or(i64::MAX);
    if !(rows.wanted.has("thread", merged.thread.into()) && rows.wanted.has("index", index)) {
        return;
    }
    let trace = &run.trace;
    let event = &merged.event;
    let found = event.site.and_then(|site| places.site(site));
    let (site, place) = (found.map(|(site, _)| site), found.map(|(_, place)| place));
    let about = about(event, site);
    if about.is_none() && rows.wanted.is_about("object") {
        return;
    }
    let address = EventId {
        thread: merged.thread,
        index: merged.index,
    };
    let kind = places.kind(event.kind);
    if !rows.wanted.has_text("kind", kind) {
        return;
    }
    rows.push([
        run.name.as_str().into(),
        moment.into(),
        merged.thread.into(),
        merged.index.into(),
        rows.cell("event", || address.to_string()),
        kind.into(),
        match &event.payload {
            Payload::Define { class, .. } => places.class(*class).into(),
            _ => place.and_then(|place| place.class.as_deref()).into(),
        },
        site.map(|site| site.method.as_str()).into(),
        site.map(|site| site.line).into(),
        place.map(|place| place.owner.as_str()).into(),
        site.map(|site| site.target.name.as_str()).into(),
        about.into(),
        rows.cell("value", || match &event.payload {
            Payload::Content { content: held, .. } => Some(content(trace, held)),
            _ => value(event).map(|value| text(trace, value)),
        }),
        value(event).and_then(object).into(),
        rows.cell("text", || Describer::new(trace).event(event)),
    ]);
}

/// The object that the event is about.
fn about(event: &Event, site: Option<&Site>) -> Option<u64> {
    match &event.payload {
        Payload::Define { id, .. } | Payload::Content { id, .. } => Some(*id),
        Payload::Operands(values) => {
            let first = values.first();
            first
                .filter(|_| about_first(event.kind, site))
                .and_then(object)
        }
    }
}

/// Is an event with operands about the first of them?
pub(super) fn about_first(kind: EventKind, site: Option<&Site>) -> bool {
    match kind {
        EventKind::Enter => site.is_some_and(|site| {
            site.access & jinsi_classfile::ACC_STATIC == 0 && site.method != "<init>"
        }),
        EventKind::Call => site.is_some_and(|site| {
            use jinsi_trace::model::CallOp::{Dynamic, New, Static};
            !matches!(site.op, Static | New | Dynamic)
        }),
        EventKind::This
        | EventKind::GetField
        | EventKind::PutField
        | EventKind::ArrayLoad
        | EventKind::ArrayStore => true,
        _ => false,
    }
}

/// The value that was read, written, given back or thrown.
fn value(event: &Event) -> Option<&Value> {
    let Payload::Operands(values) = &event.payload else {
        return None;
    };
    match event.kind {
        EventKind::Exit
        | EventKind::ExitThrow
        | EventKind::Catch
        | EventKind::CallExit
        | EventKind::GetField
        | EventKind::PutField
        | EventKind::GetStatic
        | EventKind::PutStatic
        | EventKind::ArrayLoad
        | EventKind::ArrayStore
        | EventKind::Uncaught
        | EventKind::Given => values.last(),
        _ => None,
    }
}
