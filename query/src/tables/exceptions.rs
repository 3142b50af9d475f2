//! The table `exceptions`: from the events in which recorded code sees one.

use std::collections::HashMap;

use jinsi_history::Moment;
use jinsi_trace::model::{
    EventId, EventKind, FailureKind, ObjectId, Payload, Site, ThreadNo, Value,
};

use super::{class_of, method_of, runs};
use crate::error::QueryError;
use crate::rows::Rows;
use crate::run::{Run, Shape};
use crate::values::dotted;

/// An exception on its way up the stack.
struct Flying {
    id: ObjectId,
    thread: ThreadNo,
    /// When it was seen first.
    moment: u64,
    event: EventId,
    /// Where that was.
    place: Option<String>,
}

pub(crate) fn tell(run: &Run, rows: &mut Rows<'_>) -> Result<(), QueryError> {
    let shape = run.shape()?;
    let trace = &run.trace;
    let mut flying: HashMap<ThreadNo, Flying> = HashMap::new();
    for (moment, merged) in (1u64..).zip(trace.merged()) {
        let merged = merged?;
        let event = merged.event;
        let site = trace.site_of(&event);
        let seen = match (&event.payload, event.kind) {
            (
                Payload::Operands(values),
                EventKind::ExitThrow | EventKind::Catch | EventKind::Uncaught,
            ) => match values.first() {
                Some(Value::Object(id)) => Some(*id),
                _ => None,
            },
            _ => None,
        };
        let is_news = matches!(
            event.kind,
            EventKind::Define | EventKind::Content | EventKind::Order | EventKind::Path
        );
        let Some(id) = seen else {
            // Something else goes on: code that is not recorded has caught it.
            if !is_news && let Some(over) = flying.remove(&merged.thread) {
                push(run, &shape, rows, &over, None);
            }
            continue;
        };
        if flying
            .get(&merged.thread)
            .is_some_and(|flying| flying.id != id)
            && let Some(over) = flying.remove(&merged.thread)
        {
            push(run, &shape, rows, &over, None);
        }
        flying.entry(merged.thread).or_insert_with(|| Flying {
            id,
            thread: merged.thread,
            moment,
            event: EventId {
                thread: merged.thread,
                index: merged.index,
            },
            place: site.and_then(|site| place(run, site)),
        });
        if event.kind == EventKind::Catch
            && let Some(caught) = flying.remove(&merged.thread)
        {
            push(run, &shape, rows, &caught, site.map(|site| (moment, site)));
        }
    }
    let mut left: Vec<Flying> = flying.into_values().collect();
    left.sort_by_key(|flying| flying.moment);
    for flying in &left {
        push(run, &shape, rows, flying, None);
    }
    Ok(())
}

/// Where an exception was seen, of which no stack trace was recorded.
fn place(run: &Run, site: &Site) -> Option<String> {
    let class = class_of(&run.trace, site)?;
    let file = run.trace.class(site.class)?.source_file.as_deref();
    let file = file.unwrap_or("Unknown Source");
    Some(format!("{class}.{}({file})", site.method))
}

fn push(
    run: &Run,
    shape: &Shape,
    rows: &mut Rows<'_>,
    flying: &Flying,
    caught: Option<(u64, &Site)>,
) {
    let trace = &run.trace;
    let def = trace.throwable(flying.id);
    let class = def.map(|def| def.class.clone());
    let known = || shape.history.class_of(flying.id).map(dotted);
    let at = Moment::of(flying.moment - 1);
    let call = at.and_then(|at| shape.open_at(flying.thread, at));
    let uncaught = caught.is_none()
        && trace.failures().iter().any(|f| {
            f.kind == FailureKind::Uncaught && f.throwable == flying.id && f.thread == flying.thread
        });
    rows.push([
        run.name.as_str().into(),
        flying.id.into(),
        class.or_else(known).into(),
        def.and_then(runs::message).into(),
        flying.moment.into(),
        flying.thread.into(),
        flying.event.to_string().into(),
        call.map(|no| shape.key(no)).into(),
        def.and_then(runs::place)
            .or_else(|| flying.place.clone())
            .into(),
        caught.map(|(moment, _)| moment).into(),
        caught.and_then(|(_, site)| method_of(trace, site)).into(),
        caught.map(|(_, site)| site.line).into(),
        uncaught.into(),
    ]);
}
