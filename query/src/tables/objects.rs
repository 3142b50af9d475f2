//! The table `objects`.

use jinsi_trace::model::{EventKind, Payload};

use crate::error::QueryError;
use crate::rows::Rows;
use crate::run::Run;
use crate::values::dotted;

pub(crate) fn tell(run: &Run, rows: &mut Rows<'_>) -> Result<(), QueryError> {
    let shape = run.shape()?;
    let history = &shape.history;
    for (moment, merged) in (1u64..).zip(run.trace.merged()) {
        let event = merged?.event;
        if event.kind != EventKind::Define {
            continue;
        }
        let Payload::Define { id, .. } = event.payload else {
            continue;
        };
        if !rows.more() {
            break;
        }
        // An object may be defined once more where a window begins.
        let Some(record) = history.object(id) else {
            continue;
        };
        if u64::from(record.defined.get()) != moment {
            continue;
        }
        rows.push([
            run.name.as_str().into(),
            id.into(),
            run.trace
                .class(record.class)
                .map(|c| dotted(&c.name))
                .into(),
            record.length.into(),
            moment.into(),
            rows.cell("event", || {
                shape.event(record.defined).map(|e| e.to_string())
            }),
            record.constructed.into(),
        ]);
    }
    Ok(())
}
