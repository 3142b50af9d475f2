//! The table `exceptions`: from the events in which recorded code sees one.

use std::collections::HashMap;

use jinsi_history::{History, Rolling};
use jinsi_trace::model::{
    EventId, EventKind, FailureKind, ObjectId, Payload, Site, ThreadNo, Value,
};
use jinsi_trace::order::Merged;

use super::runs;
use crate::places::{Place, Places};
use crate::rows::Rows;
use crate::run::Run;

/// An exception on its way up the stack.
struct Flying {
    id: ObjectId,
    thread: ThreadNo,
    /// When it was seen first.
    moment: u64,
    event: EventId,
    /// The call in which that was.
    call: Option<u32>,
    /// Where that was.
    place: Option<String>,
}

/// The exceptions that are on their way, by thread.
#[derive(Default)]
pub(crate) struct Flights {
    flying: HashMap<ThreadNo, Flying>,
}

/// Where an exception is caught: when, the site, and its method.
type Caught<'a> = (u64, &'a Site, &'a Place);

impl Flights {
    /// The next event, which the history does not know yet.
    pub(crate) fn event(
        &mut self,
        of: (&Run, &Places<'_>),
        rolling: &mut Rolling,
        (moment, merged): (u64, &Merged),
        rows: &mut Rows<'_>,
    ) {
        let (event, thread) = (&merged.event, merged.thread);
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
        if self.flying.is_empty() && seen.is_none() || seen.is_none() && is_news {
            return;
        }
        let flying = self.flying.get(&thread);
        if flying.is_some_and(|flying| Some(flying.id) != seen)
            && let Some(over) = self.flying.remove(&thread)
        {
            // Something else goes on: code that is not recorded has caught it.
            push(of, rolling.history(), rows, &over, None);
        }
        let Some(id) = seen else { return };
        let (run, places) = of;
        let site = event.site.and_then(|site| places.site(site));
        self.flying.entry(thread).or_insert_with(|| {
            let call = rolling.innermost(thread);
            Flying {
                id,
                thread,
                moment,
                event: EventId {
                    thread,
                    index: merged.index,
                },
                call: call.map(|no| rolling.history().node(no).begin.get()),
                place: site.and_then(|(site, place)| placed(run, site, place)),
            }
        });
        if event.kind == EventKind::Catch
            && let Some(caught) = self.flying.remove(&thread)
        {
            let at = site.map(|(site, place)| (moment, site, place));
            push(of, rolling.history(), rows, &caught, at);
        }
    }

    /// There are no more events.
    pub(crate) fn finish(self, of: (&Run, &Places<'_>), history: &History, rows: &mut Rows<'_>) {
        let mut left: Vec<Flying> = self.flying.into_values().collect();
        left.sort_by_key(|flying| flying.moment);
        for flying in &left {
            push(of, history, rows, flying, None);
        }
    }
}

/// Where an exception was seen, of which no stack trace was recorded.
fn placed(run: &Run, site: &Site, place: &Place) -> Option<String> {
    let file = run.trace.class(site.class)?.source_file.as_deref();
    let file = file.unwrap_or("Unknown Source");
    Some(format!("{}({file})", place.code.as_ref()?))
}

fn push(
    (run, places): (&Run, &Places<'_>),
    history: &History,
    rows: &mut Rows<'_>,
    flying: &Flying,
    caught: Option<Caught<'_>>,
) {
    let trace = &run.trace;
    let def = trace.throwable(flying.id);
    let class = def.map(|def| def.class.as_str());
    let known = || places.class(history.object(flying.id)?.class);
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
        flying.call.into(),
        def.and_then(runs::place)
            .or_else(|| flying.place.clone())
            .into(),
        caught.map(|(moment, ..)| moment).into(),
        caught
            .and_then(|(_, _, place)| place.code.as_deref())
            .into(),
        caught.map(|(_, site, _)| site.line).into(),
        uncaught.into(),
    ]);
}
