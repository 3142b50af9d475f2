//! The table `objects`.

use jinsi_history::History;

use crate::places::Places;
use crate::rows::Rows;
use crate::run::Run;

/// Tells the objects, when all events were read: only then is it known which of them a recorded constructor made.
pub(crate) fn tell(run: &Run, places: &Places<'_>, history: &History, rows: &mut Rows<'_>) {
    let mut all: Vec<_> = history.objects().collect();
    all.sort_unstable_by_key(|(_, record)| record.defined);
    for (id, record) in all {
        if !rows.more() {
            break;
        }
        rows.push([
            run.name.as_str().into(),
            id.into(),
            places.class(record.class).into(),
            record.length.into(),
            record.defined.get().into(),
            rows.cell("event", || {
                history.event_at(record.defined).map(|e| e.to_string())
            }),
            record.constructed.into(),
        ]);
    }
}
